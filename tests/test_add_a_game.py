"""docs/how-to/add-a-game.md, followed to the letter in a copy of the checkout: a few files, and the games are there."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from companion.boards import catalog
from companion.rules import GAMES

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/how-to/add-a-game.md").read_text("utf-8")
PARTS = ("companion", "firmware", "hardware", "web", "docs", "tests", "README.md", "CHANGELOG.md", "Makefile")
PARTS += ("pyproject.toml", "LICENSE", "CONTRIBUTING.md", "SECURITY.md")
STEPS = re.findall(r"`([\w/.]+\.\w+)`:\n\n((?:```\w+\n.*?^```\n\n?)+)", PAGE, re.MULTILINE | re.DOTALL)
"""What the page says: each file, and the blocks that follow its name."""
FILES = {
    str(path.relative_to(ROOT / "docs/how-to/add-a-game")): path.read_text("utf-8")
    for path in sorted((ROOT / "docs/how-to/add-a-game").rglob("*.*"))
    if path.is_file() and "__pycache__" not in path.parts
}
"""The files that the page links, by the places where they belong."""


def blocks(text):
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def changed(before, diff):
    """The text with the lines of a diff, which must be in it once."""
    lines = diff.splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if line[0] in "- ")
    new = "".join(line[1:] for line in lines if line[0] in "+ ")
    assert before.count(old) == 1, f"not there, or not once: {old}"
    return before.replace(old, new)


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the checkout in which the page has been followed."""
    root = tmp_path_factory.mktemp("checkout")
    leave = shutil.ignore_patterns("__pycache__", "node_modules", ".*", "pictures")
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, root / part, ignore=leave)
        else:
            shutil.copy(ROOT / part, root / part)
    shutil.copytree(ROOT / "docs/pictures", root / "docs/pictures", ignore=leave)
    for name, text in FILES.items():
        assert f"(add-a-game/{name})" in PAGE
        (root / name).write_text(text, "utf-8")
    for name, text in STEPS:
        path = root / name
        for kind, block in blocks(text):
            path.write_text(changed(path.read_text("utf-8"), block) if kind == "diff" else block, "utf-8")
    return root


def run(copy, *words, given=""):
    around = os.environ | {"PYTHONPATH": str(copy)}
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=copy, env=around, input=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_game_needs_only_these_files(copy):
    told = {name for name, _ in STEPS} | FILES.keys()
    new = {f"{part}{key}{end}" for key in ("pig", "clock") for part, end in
           (("companion/rules/", ".py"), ("tests/rules/test_", ".py"), ("docs/reference/games/", ".md"),
            ("web/help/", ".html"))}  # fmt: skip
    changes = {"companion/rules/__init__.py", "docs/reference/boards.md"}
    assert told == new | {"hardware/boards/clock.toml"} | changes
    assert {name for name in told if (ROOT / name).exists()} == changes


def test_the_excerpt_is_part_of_the_module():
    (excerpt,) = [block for kind, block in blocks(PAGE) if kind == "python"]
    assert all(part in FILES["companion/rules/pig.py"] for part in excerpt.split("\n\n\n"))


def test_every_games_tests_hold_for_both(copy):
    every = ("rules/test_pig.py", "rules/test_clock.py", "rules/test_games.py", "boards",
             "test_cli.py::test_boards_are_listed_and_shown", "test_docs.py", "plugins/drawing/test_output.py",
             "devices/test_broken_chain.py", "server/test_help.py", "protocol/test_json_codec.py",
             "server/test_openapi.py", "i18n/test_pseudo_language.py")  # fmt: skip
    tests = [f"tests/{name}" for name in every]
    others = [*(each.key for each in GAMES), "classic", "loop"]  # games and boards that this suite itself tests
    chosen = " and ".join(f"not {each}" for each in ("tutorial", "whatever_is_said", "on_its_label", *others))
    # a folder of its own: two sessions that tidy up the shared one at the same moment fail
    apart = ("--basetemp", f"{copy}-session")
    said = run(copy, "pytest", "-v", "-p", "no:cacheprovider", *apart, *tests, "-k", chosen)
    assert re.search(r"^=+ \d+ passed", said, re.MULTILINE)
    for key in ("pig", "clock"):
        assert re.search(rf"^tests/(?!rules/test_{key}).*\b{key}\b.* PASSED", said, re.MULTILINE)
    made = [f"{folder}{key}.py" for key in ("pig", "clock") for folder in ("companion/rules/", "tests/rules/test_")]
    run(copy, "ruff", "check", "--no-cache", *made, "companion/rules/__init__.py")
    run(copy, "ruff", "format", "--no-cache", "--check", *made)
    run(copy, "mypy", "--cache-dir", os.devnull, "--strict", "companion/rules/pig.py", "companion/rules/clock.py")


@pytest.mark.long
def test_every_test_can_be_collected_with_both(copy):
    assert run(copy, "pytest", "-q", "-p", "no:cacheprovider", "--co", "tests")


def test_the_referee_knows_it(copy):
    moves = [{"type": "roll", "seat": 0, "dice": [6]}, {"type": "next"}, {"type": "go", "seat": 0}, {"type": "undo"}]
    given = "".join(json.dumps(move) + "\n" for move in moves)
    told = run(copy, "companion", "referee", "--game", "pig", given=given)
    answers = [json.loads(line) for line in told.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False, True, True]
    assert answers[1]["error"] == "Roll the dice first."
    assert answers[2]["scores"] == [6, 0]
    assert (answers[3]["scores"], answers[3]["count"]) == ([0, 0], 6)


def test_the_racing_game_is_played_with_pegs(copy):
    board = catalog.load_board("classic")
    start = {"red-start-1", "red-start-2", "blue-start-1", "blue-start-2"}

    def holes(ms, ids):
        return {"ms": ms, "holes": f"{sum(1 << board.by_id[hole].bit for hole in ids):x}"}

    lines = [
        {"ms": 0, "table": {"game": "pig"}},
        holes(1, start),
        {"ms": 1000, "press": "dice", "dice": [5, 1]},
        {"ms": 2000, "press": "go:0"},
        holes(3000, start - {"red-start-2"}),
        holes(3200, start - {"red-start-2"} | {"red-5"}),
        {"ms": 6000, "tick": True},
    ]
    given = "".join(json.dumps(line) + "\n" for line in lines)
    said = [json.loads(line) for line in run(copy, "companion", "trace", given=given).splitlines()]
    awards = [line["award"] for line in said if "award" in line]
    assert awards == [{"seat": 0, "points": 5, "reason": "pegged", "cards": []}]
    due = next(each for line in said for each in line.get("advice", ()) if each["kind"] == "peg_forward")
    assert (due["seat"], due["lift"], due["place"]) == (0, "red-start-2", "red-5")
    assert [line["event"] for line in said if "event" in line] == ["started", "pegged"]
    assert not any("error" in line for line in said)


def test_the_clock_game_is_played_with_pegs(copy):
    kept = tomllib.loads((copy / "hardware/boards/clock.toml").read_text("utf-8"))
    bits = {f"{track['name']}-{n}": 13 * at + n for at, track in enumerate(kept["track"]) for n in track["numbers"]}

    def holes(ms, *ids):
        return {"ms": ms, "holes": f"{sum(1 << bits[hole] for hole in ids):x}"}

    lines = [
        {"ms": 0, "table": {"game": "clock"}},
        holes(1, "red-0", "blue-0"),
        {"ms": 1000, "press": "dice", "dice": [2, 1]},
        holes(2000, "blue-0"),
        holes(2200, "blue-0", "red-3"),
        {"ms": 3000, "tick": True},
        holes(4000, "blue-0", "red-2"),
        {"ms": 6000, "tick": True},
    ]
    given = "".join(json.dumps(line) + "\n" for line in lines)
    said = [json.loads(line) for line in run(copy, "companion", "trace", given=given).splitlines()]
    assert [line["event"] for line in said if "event" in line] == ["started"]
    advice = [[each["say"] for each in line["advice"]] for line in said if "advice" in line]
    said = ("from the start to 2 o'clock.", "put a peg at 2 o'clock.", "the peg at 3 o'clock belongs at 2 o'clock.")
    assert advice == [*([f"Red: {text}"] for text in said), []]
