"""A language is a folder with a `words.po`."""

import tracemalloc

import pytest

from companion.common.errors import CompanionError
from companion.i18n import format_message, format_plural, format_tenths
from companion.i18n.catalog import MessageCatalog, find_catalog_files, list_languages, load_catalog

POLISH = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);\\n"

msgid "English"
msgstr "Polski"

msgid "{name} wins."
msgstr "{name} wygrywa."

msgid "{n} point"
msgid_plural "{n} points"
msgstr[0] "{n} punkt"
msgstr[1] "{n} punkty"
msgstr[2] "{n} punktów"
"""


@pytest.fixture
def polish(tmp_path):
    (tmp_path / "pl").mkdir()
    (tmp_path / "pl" / "words.po").write_text(POLISH, "utf-8")
    return load_catalog("pl", (tmp_path,))


def test_all_sentences_of_a_value_are_said_in_it(polish):
    value = {
        "winner": 0,
        "said": [format_message("{name} wins.", name="Ann"), "plain"],
        "advice": ({"say": format_message("Undo.")},),
    }
    assert polish.translate_value(value) == {
        "winner": 0,
        "said": ["Ann wygrywa.", "plain"],
        "advice": [{"say": "Undo."}],
    }


@pytest.mark.parametrize(("number", "said"), [(1, "1 punkt"), (3, "3 punkty"), (5, "5 punktów"), (22, "22 punkty")])
def test_numbers_have_the_forms_of_the_language(polish, number, said):
    assert polish.translate_value(format_plural("{n} point", "{n} points", number)) == said


def test_the_page_is_given_the_same(polish):
    told = polish.export_for_page()
    assert (told["language"], told["name"]) == ("pl", "Polski")
    assert told["words"]["{name} wins."] == ("{name} wygrywa.",)
    assert told["words"]["{n} point"][told["plural"][22]] == "{n} punkty"


def test_names_of_unknown_languages_are_not_kept():
    """Anybody may send them: with `?lang=`, without having joined."""
    load_catalog("xx")
    tracemalloc.start()
    try:
        for n in range(100):
            assert load_catalog(f"{n} {'x' * 10_000}") is None
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 100_000


def test_english_needs_none_and_an_unknown_language_is_none():
    assert (load_catalog("en"), load_catalog("xx"), load_catalog("../de")) == (None, None, None)
    assert "de" in find_catalog_files()


@pytest.mark.parametrize("written", ['"Polski"', '""\n"Pol"\n"ski"'])
def test_languages_have_their_own_names(tmp_path, written):
    """Also one in several parts, for which the catalogue is parsed."""
    (tmp_path / "pl").mkdir()
    (tmp_path / "pl/words.po").write_text(f'msgid ""\nmsgstr ""\n\nmsgid "English"\nmsgstr {written}\n', "utf-8")
    languages = list_languages((tmp_path,))
    assert languages[0] == {"language": "en", "name": "English"}
    assert {"language": "pl", "name": "Polski"} in languages


def test_a_file_that_is_no_catalogue_is_a_sentence(tmp_path):
    (tmp_path / "words.po").write_text("nonsense\n", "utf-8")
    with pytest.raises(CompanionError, match=r"The language pl cannot be read from words\.po"):
        MessageCatalog("pl", tmp_path / "words.po")


def test_tenths_have_the_decimal_sign_of_the_language():
    german = load_catalog("de")
    assert german is not None
    assert (format_tenths(1.24), german.translate_value(format_tenths(1.24))) == ("1.2", "1,2")
