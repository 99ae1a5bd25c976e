"""Who may import whom, and that the way of one peg gets no longer than it is."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests import way_of_a_peg
from tests.support.waiting import PATIENCE_S

ROOT = Path(__file__).parents[1]
PARTS = {
    path.stem for path in (ROOT / "companion").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
}
TOOLS = {"__init__", "__main__", "resources"}
"""Below every layer: the package itself, its door, and where its files lie."""


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--no-logo"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def test_every_contract_is_kept():
    done = lint(ROOT)
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


@pytest.mark.parametrize(
    ("module", "line", "broken"),
    [
        ("companion/pegs/levels.py", "import companion.rules.cards\n", "Pegs know no rules"),
        ("companion/pegs/levels.py", "import companion.pegs.assignment\n", "A stage of reading pegs"),
        ("companion/rules/match_terms.py", "import companion.table.state\n", "Who may import whom"),
        ("companion/rules/play.py", "import random\n", "no clock, chance"),
        ("firmware/node.py", "import time\n", "no clock, chance"),
    ],
)
def test_a_contract_that_is_broken_is_named(tmp_path, module, line, broken):
    for name in ("companion", "firmware"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / module).open("a") as file:
        file.write(line)
    done = lint(tmp_path)
    assert done.returncode == 1
    said = re.sub(r"\s+", " ", done.stdout)
    assert re.search(rf"{broken}[^.]*? BROKEN", said), done.stdout


def test_every_part_of_the_companion_has_its_layer():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(c["layers"] for c in contracts if c["type"] == "layers")
    named = {name.strip().removeprefix("companion.") for layer in layers for name in re.split("[|:]", layer)}
    assert named == PARTS - TOOLS


FILES, SWITCHES = 10, 100
"""At most so many, as `tests/way_of_a_peg.py` counts them."""


def test_one_peg_enters_few_files():
    files, switches = way_of_a_peg.count_files()
    assert len(files) <= FILES, files
    assert switches.total() <= SWITCHES, switches.most_common(20)


def test_the_way_leads_from_levels_to_lights():
    files, _ = way_of_a_peg.count_files()
    assert {file.partition("/")[0] for file in files} == {"boards", "display", "pegs", "table"}
    assert "display/lights.py" in files
