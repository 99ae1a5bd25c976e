"""docs/explanation/changing-things.md: its files are there, and each change is a numbered list."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/explanation/changing-things.md").read_text("utf-8")
CHANGES = ("board", "game option", "sensor", "light effect", "route", "language", "add-on")


def test_the_files_that_are_named_exist():
    named = set(re.findall(r"`((?:companion|web|hardware|tests|docs)/[^` ]+)`", PAGE))
    existing = {name for name in named if not re.search(r"\b(NAME|KEY|TAG)\b", name)}
    assert len(existing) > 30
    assert [name for name in sorted(existing) if not (ROOT / name).exists()] == []


def test_the_usual_changes_are_numbered_lists():
    sections = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
    for change in CHANGES:
        (heading,) = [heading for heading in sections if heading.endswith(change)]
        assert re.search(r"^1\. .*`", sections[heading], re.MULTILINE), heading
