"""Add-ons: valid files of a folder are used, an invalid one gives one message, and the others still load."""

from pathlib import Path

import pytest
from flask import Flask

from companion import rules
from companion.addons import load_addons
from companion.boards import catalog
from companion.common.errors import SettingsError
from companion.display import theme
from companion.i18n import catalog as languages
from companion.server.routes.pages import addon_routes
from tests.i18n.test_catalog import POLISH

HOW_TO = Path(__file__).parents[1] / "docs/how-to"
PIG, CLOCK = ((HOW_TO / f"add-a-game/companion/rules/{key}.py").read_text("utf-8") for key in ("pig", "clock"))
RINGS = (HOW_TO / "add-a-game/hardware/boards/clock.toml").read_text("utf-8")
THEME = """/* Walnut. */
:root { --paper: #102030; --ink: #f0f0e0; }
@media (prefers-color-scheme: dark) { :root { --paper: #000; } }
"""
MANY_HOLES = '[[track]]\nname = "a"\npath = [' + "{holes = 1000, line = [[0, 0], [1, 1]]}, " * 5000 + "]"
LONG_NAME = '[[track]]\nname = "' + "a" * 200_000 + '"\npath = [{holes = 1000, line = [[0, 0], [1, 1]]}]'


TAG_IN_PLURAL = POLISH + '\nmsgid "Undo"\nmsgid_plural "<b>"\n' + "".join(f'msgstr[{n}] "<b>"\n' for n in range(3))


@pytest.fixture
def pack(tmp_path):
    """Write a file of an add-on."""

    def write(name, file, text):
        path = tmp_path / name / file
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.fixture
def bring(tmp_path):
    """Register the add-ons until the test ends."""
    yield lambda: load_addons(tmp_path).register()
    load_addons(tmp_path / "none").register()


def test_each_addon_is_found_by_its_files(pack, tmp_path):
    pack("pig", "game.py", PIG)
    pack("clock", "game.py", CLOCK)
    pack("clock", "board.toml", RINGS)
    pack("pl", "words.po", POLISH)
    pack("walnut", "theme.css", THEME)
    pack("bells", "home-run.ogg", b"OggS")
    pack("night", "lights.toml", "due = [200, 200, 120]\npulse_ms = 2000\n")
    found = load_addons(tmp_path)
    assert found.problems == []
    assert (sorted(found.games), list(found.boards), list(found.languages)) == (["clock", "pig"], ["clock"], ["pl"])
    assert found.sounds == {"bells": {"home-run": ("home-run.ogg", b"OggS")}}
    assert b"--paper: #102030" in found.themes["walnut"]
    assert found.light_theme("night").due == (200, 200, 120)
    assert not list(tmp_path.rglob("__pycache__"))


def test_what_is_brought_is_known_by_name(pack, bring):
    pack("pig", "game.py", PIG)
    pack("clock", "board.toml", RINGS)
    pack("pl", "words.po", POLISH)
    bring()
    assert [game.key for game in rules.all_games()][-1] == "pig"
    assert (catalog.load_board("clock").name, len(catalog.load_board("clock").holes)) == ("clock", 26)
    assert {"language": "pl", "name": "Polski"} in languages.list_languages()


MANY_GAPS = '[wiring]\ntiles = [{name = "a", chain = [' + '["gap", 4096], ' * 9000 + "]}]"
LONG_CHAIN = RINGS.partition("[wiring]")[0] + MANY_GAPS
BAD = [
    ("pig", "game.py", PIG.replace('key="pig"', 'key="hog"'), "the key hog"),
    ("six-card", "game.py", PIG.replace('key="pig"', 'key="six-card"'), "a built-in"),
    ("pig", "game.py", "import os\nos.remove('/etc/nobody/here')\n", "FileNotFoundError in line 2"),
    ("pig", "game.py", "GAME = (", "SyntaxError in line 1"),
    ("pig", "game.py", "raise SystemExit(3)", "SystemExit in line 1"),
    ("pig", "game.py", "x = 1", "does not define GAME"),
    ("pig", "game.py", PIG.replace("    rolling = state", "    rolling = 1 / 0 or state"), "ZeroDivisionError in line"),
    ("clock", "board.toml", "track = 5", "The board file"),
    ("clock", "board.toml", "[[track", "not valid TOML"),
    ("classic", "board.toml", RINGS, "a built-in"),
    ("pl", "words.po", "nonsense\n", "words.po"),
    ("walnut", "theme.css", b"\xff", "UTF-8"),
    ("walnut", "theme.css", ":root { --a: url(https://elsewhere.example/x); }", "loads other files"),
    ("walnut", "theme.css", "@import 'x.css';", "loads other files"),
    ("walnut", "theme.css", ":root { display: none; }", "not display: none"),
    ("walnut", "theme.css", "main { --a: 1; }", "not main"),
    ("night", "lights.toml", "due = [0, 0, 9]", "too dark"),
    ("night", "lights.toml", "due = [0, 200, 0]", "due and right are the same"),
    ("night", "lights.toml", "due = [1, 2, true]", "three whole numbers"),
    ("night", "lights.toml", "dew = [1, 2, 3]", "the nearest is due"),
    ("night", "lights.toml", "blink_ms = 5", "from 100 to 1000"),
    ("night", "lights.toml", "sides = [[1, 2, 3]]", "a list of 5"),
    ("bells", "win.wav", bytes(3 * 2**20), "at most 2 MiB"),
    ("my pack", "win.wav", b"RIFF", "letters, digits"),
    ("night", "lights.toml", "due = " + "[" * 5000 + "]" * 5000, "nested more than 16 deep"),
    ("clock", "board.toml", "track = " + "[" * 5000 + "]" * 5000, "nested more than 16 deep"),
    ("night", "lights.toml", ".".join("a" * 20_000) + " = 1", "more than 16 dots"),
    ("clock", "board.toml", ".".join("a" * 20_000) + " = 1", "more than 16 dots"),
    ("clock", "board.toml", RINGS + "\n" + "#" * 300_000, "larger than 256 KiB"),
    ("clock", "board.toml", MANY_HOLES, "more than 4096 holes"),
    ("clock", "board.toml", LONG_NAME, "1 to 40 letters"),
    ("clock", "board.toml", LONG_NAME.replace("a" * 200_000, "<b>"), "1 to 40 letters"),
    ("clock", "board.toml", LONG_NAME.replace("a" * 200_000, "=1+1"), "1 to 40 letters"),
    ("clock", "board.toml", LONG_CHAIN, "more than 4096 bits"),
    ("walnut", "theme.css", ":root { --a: 1; }" + " " * 200_000 + "x", "not x"),
    ("walnut", "theme.css", ":root {" + " " * 200_000 + "-a: 1; }", "not -a: 1"),
    ("walnut", "theme.css", "/* " * 100_000, "empty"),
    ("walnut", "theme.css", "@media (prefers-color-scheme: dark) { a" * 5000, "not @media"),
    ("walnut", "theme.css", "/* */" * 150_000, "more than 512 KiB"),
    ("pl", "words.po", POLISH.replace("nplurals=3", "nplurals=300000000"), "plural"),
    ("pl", "words.po", POLISH.replace("n==1 ? 0", "1/(n-n) ? 0"), "plural"),
    ("pl", "words.po", POLISH.replace("charset=utf-8", "charset=nonsense").replace("Polski", "{0}"), "{0}"),
    ("pl", "words.po", POLISH.replace("{name} wygrywa", "{name:150000000}"), "{name:150000000}"),
    ("pl", "words.po", POLISH.replace("{n} punkty", "{n.real}"), "{n.real}"),
    ("pl", "words.po", POLISH.replace("{name} wygrywa", "{name[0]}"), "{name[0]}"),
    ("pl", "words.po", POLISH.replace("{name} wygrywa", "{name!r}"), "{name!r}"),
    ("pl", "words.po", POLISH.replace("{name} wygrywa", "{names}"), "{names}"),
    ("pl", "words.po", POLISH.replace("{name} wygrywa", "{name"), "{name"),
    ("pl", "words.po", POLISH.replace("{name} wygrywa", "{name}" * 1000), "too long"),
    ("pl", "words.po", POLISH.replace("{name} wygrywa", "<i>{name}</i>"), "tags"),
    ("pl", "words.po", POLISH.replace("{name} wygrywa", "{name} <meta http-equiv=refresh"), "tags"),
    ("pl", "words.po", POLISH.replace("{name} wygrywa", '{name}\\" data-move=\\"undo'), "tags and quotes"),
    ("pl", "words.po", TAG_IN_PLURAL, "tags"),
    ("hog", "game.py", PIG.replace("from", "raise RecursionError\nfrom", 1), "RecursionError"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "file", "text", "why"), BAD, ids=lambda value: str(value)[:20])
def test_a_faulty_file_is_one_sentence(pack, tmp_path, name, file, text, why):
    pack(name, file, text)
    pack("walnuts", "theme.css", THEME)
    found = load_addons(tmp_path)
    assert len(found.problems) == 1
    (said,) = found.problems
    assert said.startswith(f"The add-on {name} was loaded without {file}: ")
    assert why in said
    assert said.endswith(".")
    assert str(tmp_path) not in said
    assert list(found.themes) == ["walnuts"]
    assert not any((found.games, found.boards, found.languages, found.light_themes, *found.sounds.values()))


def test_an_unexpected_failure_leaves_out_only_its_file(pack, tmp_path, monkeypatch):
    pack("night", "lights.toml", "due = [200, 200, 120]\n")
    pack("walnuts", "theme.css", THEME)
    monkeypatch.setattr(theme, "parse_theme", lambda _: 1 / 0)
    found = load_addons(tmp_path)
    assert found.problems == ["The add-on night was loaded without lights.toml: it failed with ZeroDivisionError."]
    assert list(found.themes) == ["walnuts"]


@pytest.mark.parametrize(("name", "file", "text"), [
    ("\x1b[2Jnight", "lights.toml", ""), ("\x1b]0;night\a", "README", ""), ("night", "lights.toml", '"\\u001b[2J" = 1'),
])  # fmt: skip
def test_a_message_has_no_commands_for_the_terminal(pack, tmp_path, name, file, text):
    pack(name, file, text)
    (problem,) = load_addons(tmp_path).problems
    assert "night" in problem
    assert problem.isprintable()


def test_a_link_out_of_the_folder_is_refused(pack, tmp_path):
    secret = tmp_path.parent / f"{tmp_path.name}.key"
    secret.write_text(":root { --key: secret; }")
    (tmp_path / "walnut").mkdir()
    (tmp_path / "walnut" / "theme.css").symlink_to(secret)
    found = load_addons(tmp_path)
    assert (found.themes, [str(each) for each in found.problems]) == (
        {}, ["The add-on walnut was loaded without theme.css: the file links outside its folder."])  # fmt: skip


def test_what_changes_after_the_start_is_not_served(pack, tmp_path):
    sound = pack("bells", "go.ogg", b"OggS")
    app = Flask("pages")
    app.register_blueprint(addon_routes(load_addons(tmp_path)))
    sound.write_bytes(b"else")
    pack("bells", "win.ogg", b"late")
    client = app.test_client()
    assert client.get("/packs/bells/go.ogg").data == b"OggS"
    assert client.get("/packs/bells/win.ogg").status_code == 404


def test_a_missing_or_empty_folder_is_reported(pack, tmp_path):
    assert load_addons(tmp_path / "none").problems == ["Cannot read the add-on folder: No such file or directory."]
    pack("notes", "README.md", "nothing")
    (tmp_path / ".git").mkdir()
    assert load_addons(tmp_path).problems == ["The add-on notes was skipped: it contains no add-on file."]


def test_unknown_effects_are_plain_and_reported(tmp_path):
    found = load_addons(tmp_path)
    assert found.light_theme("night") is theme.DEFAULT_THEME
    assert found.problems == ["Unknown light effects night."]


def test_a_removed_game_is_unknown(pack, bring, tmp_path):
    pack("pig", "game.py", PIG)
    bring()
    assert rules.find_game("pig").title == "Pig"
    (tmp_path / "pig" / "game.py").unlink()
    bring()
    with pytest.raises(SettingsError):
        rules.find_game("pig")
