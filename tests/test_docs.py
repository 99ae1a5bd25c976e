"""The documentation keeps up: what can be named has its place, links lead somewhere, and examples are what happens."""

import json
import re
import shlex
from dataclasses import MISSING, fields
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from companion.boards import catalog
from companion.cli import COMMANDS, main
from companion.commands.play import play
from companion.plugin import list_sections
from companion.protocol.json_codec import encode_snapshot
from companion.rules import GAMES
from companion.rules.moves import MOVES
from companion.server.routes.pages import openapi_document
from companion.settings import Settings
from companion.table.setup import create_plan
from companion.table.state import build_view
from tests.support.table_driver import Hands
from tests.support.whole_games import play_whole_games

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", *DOCS.rglob("*.md")])
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def page(name):
    return (DOCS / "reference" / name).read_text("utf-8")


def rows(text):
    """The rows of all tables of a page, by the word in backquotes that begins each."""
    return {m[1]: m[0] for m in re.finditer(r"^\| `([\w. -]+?)(?: [A-Z][\w=]*)?` \|.*$", text, re.MULTILINE)}


def sections(text):
    """The sections of a page by their headings."""
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def prose(text):
    """A page without its code, in which brackets are no links."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))


def anchors(path):
    headings = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(path):
    """Where a page's links lead: file and anchor. Those to other sites are left out."""
    for target in LINK.findall(prose(path.read_text("utf-8"))):
        if not re.match(r"[a-z]+:", target):
            file, _, anchor = target.partition("#")
            yield target, (path.parent / file).resolve() if file else path, anchor


def named(text):
    """The words in backquotes of the first columns of all tables of a text."""
    cells = re.findall(r"^\| (`[\w.]+`(?:, `[\w.]+`)*) \|", text, re.MULTILINE)
    return {word for cell in cells for word in re.findall(r"[\w.]+", cell)}


def own_fields(game):
    """The fields that a game's page tells of."""
    return named(sections(page(f"games/{game.key}.md"))["For other programs"])


def told_fields(game):
    """The fields that a game's page tells of, and those that the OpenAPI document describes."""
    told = own_fields(game) | described_fields("Snapshot") | {f"last.{name}" for name in described_fields("Last")}
    return told | named(page("counting.md")) if "counting" in game.options else told


def described_fields(schema):
    properties = openapi_document()["components"]["schemas"][schema]["properties"]
    return {name for name, value in properties.items() if "description" in value}


SETTINGS = [(setting.name, setting) for setting in fields(Settings) if setting.name != "sections"]
SETTINGS += [
    (f"{name}.{setting.name}", setting) for name, section in list_sections().items() for setting in fields(section)
]


@pytest.mark.parametrize(("name", "setting"), SETTINGS, ids=[name for name, _ in SETTINGS])
def test_every_setting_has_default_and_range(name, setting):
    row = rows(page("settings.md"))[name]
    assert str(setting.default or "none") in row
    if "range" in setting.metadata:
        low, high = setting.metadata["range"]
        assert f"{low}–{high}" in row


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_section(name):
    """The page links to the section of each command, which names its subcommands; flags are in `--help`."""
    command = main.get_command(click.Context(main), name)
    section = sections(page("cli.md"))[f"companion {name}"]
    steps = command.commands if isinstance(command, click.Group) else {}
    assert f"(#companion-{name})" in page("cli.md")
    assert all(re.search(rf"companion {name} {step}\b", section) for step in steps)


@pytest.mark.parametrize("name", catalog.list_board_names())
def test_every_board_has_its_row(name):
    assert name in rows(page("boards.md"))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_game_has_its_page_and_options(game):
    text, _, _ = page(f"games/{game.key}.md").partition("## For other programs")
    assert f"`{game.key}`" in text
    for option, values in game.options.items():
        row = rows(text)[option]
        assert all(f"`{value}`" in row for value in values), f"{option} has {values}"


@pytest.mark.parametrize("move", MOVES, ids=lambda move: move.kind)
def test_every_move_has_its_row_with_its_fields(move):
    row = rows(page("moves.md"))[move.kind]
    assert all(f"`{field.name}`" in row for field in fields(move) if field.default is MISSING)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(path):
    for target, file, anchor in links(path):
        assert file.exists(), f"{target} is not there"
        assert not anchor or anchor in anchors(file), f"{target} is no heading"


def test_every_page_that_a_comment_names_is_there():
    named = set()
    for folder in ("companion", "firmware", "hardware", "web", "tests"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".js", ".mjs", ".css", ".toml") and "node_modules" not in path.parts:
                named |= set(re.findall(r"\bdocs/[\w/-]+\.md(?:#[\w-]+)?", path.read_text("utf-8")))
    assert "docs/reference/http.md#refusals" in named
    for file, _, anchor in (each.partition("#") for each in named):
        # A game that is not there yet is that of the how-to, whose test makes it.
        assert (ROOT / file).exists() or file.endswith("games/pig.md"), f"{file} is not there"
        assert not anchor or anchor in anchors(ROOT / file), f"{file}#{anchor} is no heading"


@pytest.mark.parametrize("path", sorted((DOCS / "decisions").glob("0*.md")), ids=lambda path: path.stem[:4])
def test_every_decision_is_listed_and_has_three_parts(path):
    text = path.read_text("utf-8")
    number, title = re.match(r"# (\d{4}) (.+)\n", text).groups()
    assert path.stem.startswith(f"{number}-")
    assert f"- [{number}: {title}]({path.name})\n" in (path.parent / "README.md").read_text("utf-8")
    parts = re.findall(r"^\*\*(Context|Decision|Consequences)\.\*\*", text, re.MULTILINE)
    assert parts == ["Context", "Decision", "Consequences"]


def test_every_source_file_named_is_there():
    made_by_the_reader = ("game.py", "pig.py", "clock.py", "chart.js", "main.py")
    made_by_the_server = ("sw.js", "page.joined.js")
    files = {
        f"/{path.relative_to(ROOT)}"
        for folder in ("companion", "firmware", "hardware", "web", "tests", "docs")
        for path in (ROOT / folder).rglob("*.*")
        if "node_modules" not in path.parts
    }
    for path in PAGES:
        for name in re.findall(r"`([\w./-]+\.(?:py|js|css))`", path.read_text("utf-8")):
            is_made = name.endswith((*made_by_the_reader, *made_by_the_server, "theme.css"))
            assert is_made or any(file.endswith(f"/{name}") for file in files), f"{path.name}: {name} is not there"


def test_every_page_can_be_reached_from_the_index():
    reached, ahead = set(), [DOCS / "README.md"]
    while ahead:
        path = ahead.pop()
        if path.is_dir():  # shown as the list of its pages
            ahead += path.glob("*.md")
        elif path not in reached and path.suffix == ".md":
            reached.add(path)
            ahead += [file for _, file, _ in links(path)]
    assert set(DOCS.rglob("*.md")) <= reached


def test_the_readme_gives_the_two_commands():
    lines = [line.strip() for line in (ROOT / "README.md").read_text("utf-8").splitlines()]
    assert lines.index("make run") < lines.index("make test")
    assert [line for line in lines if "apt" in line] == ["sudo apt-get install git make python3-venv"]


def test_the_changelog_is_short_and_whole():
    """One section a release, one line a change, in all at most 60 lines until the first release."""
    lines = (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines()
    assert len(lines) <= 60
    assert [line for line in lines if line.startswith("## ")] == ["## 0.1.0"]
    kinds = ("- ", "#", "Changes that", "Nothing of this")
    assert [line for line in lines if line and not line.startswith(kinds)] == []


def test_the_commands_examples_are_true():
    blocks = re.findall(r"^```console\n(.*?)^```", page("cli.md"), re.MULTILINE | re.DOTALL)
    examples = re.findall(r"^\$ companion (.*)\n((?:(?!\$ ).*\n)+)", "".join(blocks), re.MULTILINE)
    assert len(examples) == 4
    for words, shown in examples:
        lines, asks = shown.splitlines(), words.startswith(("referee", "advise"))
        given = "".join(f"{line}\n" for line in lines[::2]) if asks else ""
        done = CliRunner().invoke(main, shlex.split(words), input=given)
        assert done.output.splitlines() == (lines[1::2] if asks else lines)


def test_the_tutorials_first_game_is_true():
    text = (DOCS / "tutorial/first-game.md").read_text("utf-8")
    told = re.findall(r"^\| (Red|Blue) \| (?:plays `(\w+)`|says go) \| (\d+) \| (\d+)–(\d+) \|", text, re.MULTILINE)
    seats = [("Red", "Blue").index(who) for who, *_ in told]
    played = [{"type": "play", "card": card} if card else {"type": "go"} for _, card, *_ in told]
    moves = [{**move, "seat": seat} for move, seat in zip(played, seats, strict=True)]
    crib = {"type": "crib", "cards": ["2S", "3S", "KD", "QC"]}
    lines = [json.dumps(move) for move in [{"type": "starter", "card": "JH"}, *moves, crib]]
    done = CliRunner().invoke(main, ["referee"], input="\n".join(lines))
    starter, *answers, last = map(json.loads, done.output.splitlines())
    assert starter["scores"] == [2, 0]
    assert [(str(a["count"]), *map(str, a["scores"])) for a in answers] == [tuple(row[2:]) for row in told]
    assert (len(told), last["scores"]) == (10, [21, 13])


def test_every_table_of_the_bench_page_works(tmp_path):
    lines = re.findall(r'make run ARGS="([^"]+)"', (DOCS / "how-to/play-on-the-bench.md").read_text("utf-8"))
    parser = play.make_parser
    games = set()
    for line in lines:
        context = click.Context(play)
        given, rest, _ = parser(context).parse_args(shlex.split(line))
        assert not rest, line
        options = dict(pair.split("=") for pair in given.get("pairs", ()))
        seats, board = int(given.get("seats") or 0) or None, given.get("board")
        games.add(create_plan(given.get("game") or "six-card", seats, None, options, board).game.key)
    assert len(games) >= 7


def test_every_target_of_make_has_its_row():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+):(?!=)", makefile, re.MULTILINE)) - {"system"}
    assert targets == set(re.findall(r"^\| `make ([a-z-]+)", page("cli.md"), re.MULTILINE))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_table_describes_a_thing_twice(path):
    """Two rows of one table that begin alike contradict each other sooner or later."""
    for table in re.findall(r"(?:^\|.*\n)+", path.read_text("utf-8"), re.MULTILINE):
        rows = [[cell.strip() for cell in row.split("|")[1:3]] for row in table.splitlines()[2:]]
        keys = [key if key.startswith("`") and not other.isupper() else f"{key}|{other}" for key, other in rows]
        assert [key for key in set(keys) if keys.count(key) > 1] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_row_stands_outside_its_table(path):
    outside = re.findall(r"^\|.*\n\n(\|.*)\n(?!\|[-| :]+\|$)", path.read_text("utf-8"), re.MULTILINE)
    assert not outside, "an empty line ends a table"


def test_the_addresses_that_a_page_names_exist():
    """`/api/openapi.json` lists them all; the wizard serves those of the walk."""
    paths = {re.sub(r"\{\w+\}", "X", path) for path in openapi_document()["paths"]}
    named = set(
        re.findall(r"`(?:GET |POST )?(/api/[a-z./-]*[a-z]|/api/words/de|/api/workshop/cameras/0)\b", page("http.md"))
    )
    exact = {re.sub(r"/(de|0)$", "/X", path) for path in named if "/walk" not in path}
    assert len(exact) > 30
    assert exact - {"/api/bench", "/api/workshop/cameras"} <= paths


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_exactly_the_snapshots_fields_are_documented(game):
    own, told, seen = own_fields(game), told_fields(game), set(encode_snapshot(Hands(game.key).snapshot))
    for core in play_whole_games(game):
        seen |= {*build_view(core), *(f"last.{name}" for name in core.last_move)}
    assert seen <= told
    assert own <= seen | {"dice", "lying"}  # for which somebody presses the dice button, or scans


@pytest.mark.parametrize(
    ("key", "shown"), [("five-card", ("2S", "KH", "QH", "JC", "go:0", "AC", "9D")), ("shuffle", ("9D",))]
)
def test_cards_that_make_no_move_yet_are_reported(key, shown):
    hands = Hands(key)
    for each in shown:
        hands.press(each) if ":" in each else hands.scan(each)
    assert hands.snapshot.view["lying"] == ["9D"]
    assert "lying" in told_fields(hands.core.plan.game)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_phase_is_described(game):
    phases = openapi_document()["components"]["schemas"]["Snapshot"]["properties"]["phase"]["description"]
    assert set(game.moves_by_phase) <= set(re.findall(r"\w+", phases))


OWN = re.compile(r"\.|\.\[{?\w+}?\]|\S*/|\S+\.whl")
"""What may follow `pip install`: this checkout, a folder, or a wheel that somebody built."""

OTHERS = {"homeassistant==2026.11.0"}
"""Programs of others that a page may name; each is what it says in the public index."""


@pytest.mark.parametrize("path", [*PAGES, *sorted((ROOT / "companion").rglob("*.py"))], ids=lambda p: p.name)
def test_nothing_of_ours_is_installed_from_an_index(path):
    for wanted in re.findall(r"pipx? install (?:-\S+ )*([^\s`]+)", path.read_text("utf-8")):
        name = wanted.strip("'\"`;:,)")
        assert OWN.fullmatch(name) or name in OTHERS, f"{path.name}: pip install {wanted}"


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
