"""TOML of strangers: what is ordinary is read as `tomllib` reads it, what is too large or too deep is refused."""

import tomllib

import pytest

from companion.common.errors import SettingsError
from companion.common.files import MAX_NESTING, MAX_TOML_BYTES, parse_toml, read_toml
from companion.common.paths import resource_folder
from companion.devices.deck import read_deck
from companion.settings import read_settings


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
def test_brackets_and_dots_in_strings_comments_and_numbers_do_not_count(text):
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
def test_what_is_too_large_or_too_deep_is_refused_before_it_is_parsed(text, why):
    with pytest.raises(tomllib.TOMLDecodeError, match=why):
        parse_toml(text)


@pytest.mark.parametrize("part", ['"', "'", '"""', "'''", "\\", ".", ". ", "[", "#", '"\\', "a.", "\n", "{", '""""'])
def test_the_check_itself_takes_no_time(part):
    with pytest.raises(tomllib.TOMLDecodeError):
        parse_toml("a = [" + part * (200_000 // len(part)))


def test_of_a_large_file_only_the_beginning_is_read(tmp_path):
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
