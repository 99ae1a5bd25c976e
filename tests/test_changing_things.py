"""docs/explanation/changing-things.md: the files it names are there, and no change touches more than five."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/explanation/changing-things.md").read_text("utf-8")
NEW = {"web/components/chart.js"}
"""What the page has somebody make."""


def test_every_file_that_the_page_names_is_there():
    named = set(re.findall(r"`((?:companion|web|hardware|tests|docs)/[^` ]+)`", PAGE))
    assert len(named) > 20
    assert named >= NEW
    missing = {name for name in named - NEW if not list(ROOT.glob(name.rstrip("/")))}
    assert not missing


def test_no_change_touches_more_than_five_files():
    table = PAGE.partition("| change |")[2].partition("\n\n")[0]
    most = [re.findall(r"\d+", line.split("|")[2])[-1] for line in table.splitlines()[2:]]
    assert len(most) == 6
    assert max(map(int, most)) <= 5
