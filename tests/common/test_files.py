"""Files of players and strangers: byte-order marks, TOML that is too large or too deep, cells of a table."""

import json
import tomllib
from codecs import BOM_UTF8

import pytest
from click.testing import CliRunner

from companion.addons import load_addons
from companion.boards.catalog import load_board
from companion.cli import main
from companion.common.errors import SettingsError
from companion.common.files import MAX_NESTING, MAX_TOML_BYTES, format_csv_row, parse_toml, read_toml
from companion.common.paths import resource_folder
from companion.devices.deck import read_deck
from companion.http.permissions import load_key
from companion.i18n.catalog import MessageCatalog
from companion.plugins.mqtt import ReportSettings
from companion.plugins.mqtt.broker_url import load_credentials
from companion.plugins.mqtt.webhooks import _load_secret
from companion.settings import read_settings
from tests.i18n.test_catalog import POLISH


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r"])
def test_a_cell_like_a_formula_is_escaped(sign):
    """The wide signs are those of Japanese and Chinese keyboards."""
    assert format_csv_row([f"{sign}A1", "Ann"]).lstrip('"').startswith(f"'{sign}A1")


def test_numbers_and_empty_cells_stay_as_they_are():
    """A spread of -5 is a number."""
    assert format_csv_row([-5, "+12", None, "", 0]) == "-5,+12,,,0\r\n"


BOARD = (resource_folder("hardware/boards") / "classic.toml").read_text("utf-8")
QUESTION = {
    "ask": "play", "game": "six-card", "hand": ["7D"], "kept": ["7D", "AH", "KS", "KC"], "discarded": None,
    "starter": "2C", "dealer": True, "series": ["7H"], "count": 7,
    "played": [["KS", "KC", "AH"], ["TD", "9H", "4C", "7H"]], "gone": [False, False],
    "scores": [119, 120], "target": 121,
}  # fmt: skip

FILES = {
    "companion.toml": ("port = 8000", read_settings),
    "board.toml": (BOARD, lambda path: load_board(str(path))),
    "deck.toml": ('0A004CA1B2 = "5H"', lambda path: read_deck(str(path))),
    "words.po": (POLISH, lambda path: MessageCatalog("pl", path).export_for_page()),
    "journal.key": ("0123456789abcdef", load_key),
    "password": ("secret", lambda path: load_credentials(ReportSettings(password_file=str(path)))),
    "webhook": ("secret", lambda path: _load_secret(ReportSettings(webhook_secret_file=str(path)))),
    "night/lights.toml": ("pulse_ms = 2000", lambda path: load_addons(path.parent.parent)),
    "walnut/theme.css": (":root { --ink: #000; }", lambda path: load_addons(path.parent.parent)),
}
COMMANDS = {
    "replay": '{"table":{"game":"six-card"}}\n{"kind":"move","by":"phone","body":{"type":"starter","card":"JD"}}\n',
    "trace": '{"ms":0,"table":{"game":"six-card"}}\n{"ms":1,"move":{"type":"starter","card":"JD"}}\n',
    "referee": '{"type":"starter","card":"JD"}\n{"type":"undo"}\n',
    "advise": json.dumps(QUESTION),
}


@pytest.mark.parametrize("name", FILES)
def test_a_mark_at_a_files_beginning_is_skipped(name, tmp_path):
    """A file reads the same with and without it."""
    text, read = FILES[name]
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    plain = read(path)
    path.write_bytes(BOM_UTF8 + text.encode())
    assert read(path) == plain


@pytest.mark.parametrize("command", COMMANDS)
def test_a_mark_before_the_first_line_is_skipped(command):
    """Each command that reads lines answers the first one too."""
    lines = COMMANDS[command].encode()
    plain = CliRunner().invoke(main, [command], input=lines)
    assert plain.exit_code == 0
    assert '"error"' not in plain.stdout
    assert CliRunner().invoke(main, [command], input=BOM_UTF8 + lines).stdout == plain.stdout


@pytest.mark.parametrize("path", sorted(resource_folder("hardware/boards").glob("*.toml")), ids=lambda path: path.stem)
def test_shipped_boards_are_read_as_before(path):
    text = path.read_text("utf-8")
    assert parse_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        'a = "' + "[" * 99 + '"',
        "a = '" + "." * 99 + "'",
        'a = """\n' + '[{"' * 99 + '\\""""""',
        "a = '''" + "['." * 99 + "'''''",
        "a = 1 # " + "[." * 99,
        "a = [" + "0.5, " * 99 + "]",
        "a = [" + "[1.5, 2.5], " * 99 + "]",
        ".".join("a" * MAX_NESTING) + " = 1",
        '"a.b.c" . d = "\\"[["',
    ],
)
def test_brackets_and_dots_in_other_tokens_are_read(text):
    assert parse_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a = " + "[" * 3000 + "]" * 3000, "nested more than 16 deep"),
        ("a = " + "{a=" * 3000 + "1" + "}" * 3000, "nested more than 16 deep"),
        ('a = ["]]]]", ' + "[" * 3000 + "]" * 3001, "nested more than 16 deep"),
        ("a = ['''''', " + "[" * 3000 + "]" * 3001, "nested more than 16 deep"),
        ('a = ["\\"#", ' + "[" * 3000 + "]" * 3001, "nested more than 16 deep"),
        (".".join("a" * 2000) + " = 1", "more than 16 dots"),
        (" . ".join(['"a.b"'] * 2000) + " = 1", "more than 16 dots"),
        ("[" + "\t.".join("a" * 2000) + "]", "more than 16 dots"),
        ("x = { " + ".".join("a" * 2000) + " = 1 }", "more than 16 dots"),
        ("a" * 129 + " = 1", "more than 128 characters"),
        ("b = [{ " + "a" * 129 + " = 1 }]", "more than 128 characters"),
        ("a = 1" + " " * MAX_TOML_BYTES, "larger than 256 KiB"),
        ("a = " + "9" * 5000, "too large"),
        ("a = [", "Invalid"),
    ],
)
def test_too_large_or_deep_toml_is_not_parsed(text, why):
    with pytest.raises(tomllib.TOMLDecodeError, match=why):
        parse_toml(text)


@pytest.mark.parametrize("part", ['"', "'", '"""', "'''", "\\", ".", ". ", "[", "#", '"\\', "a.", "\n", "{", '""""'])
def test_the_check_itself_takes_no_time(part):
    with pytest.raises(tomllib.TOMLDecodeError):
        parse_toml("a = [" + part * (200_000 // len(part)))


def test_only_a_large_files_beginning_is_read(tmp_path):
    path = tmp_path / "large.toml"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(tomllib.TOMLDecodeError, match="larger than 256 KiB"):
        read_toml(path)


@pytest.mark.parametrize("text", ["a = " + "[" * 3000 + "]" * 3000, ".".join("a" * 2000) + " = 1"])
@pytest.mark.parametrize("read", [read_settings, read_deck])
def test_settings_and_decks_are_bounded_too(tmp_path, read, text):
    path = tmp_path / "companion.toml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=r"(nested more than|more than 16 dots)"):
        read(path)
