"""A byte-order mark, with which editors of Windows begin a file, is skipped by every reader of text."""

import json
from codecs import BOM_UTF8

import pytest
from click.testing import CliRunner

from companion.addons import load_addons
from companion.boards.catalog import load_board
from companion.cli import main
from companion.common.paths import resource_folder
from companion.devices.deck import read_deck
from companion.http.permissions import load_key
from companion.i18n.catalog import MessageCatalog
from companion.plugins.mqtt import ReportSettings
from companion.plugins.mqtt.broker_url import load_credentials
from companion.plugins.mqtt.webhooks import _load_secret
from companion.settings import read_settings
from tests.i18n.test_catalog import POLISH

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
