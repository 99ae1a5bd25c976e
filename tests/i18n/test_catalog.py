"""A message is its English text, and a language is a folder with a `words.po`."""

import copy
import json
import pickle
import tracemalloc

import pytest

from companion.common.errors import CompanionError
from companion.i18n import (
    Message,
    capitalize_message,
    dump_message,
    format_message,
    format_plural,
    format_tenths,
    join_messages,
    load_message,
)
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


def test_all_sentences_of_a_value_are_translated(polish):
    said = [format_message("{name} wins.", name="Ann"), "plain"]
    value = {"winner": 0, "said": said, "advice": ({"say": format_message("Undo.")},)}
    told = {"winner": 0, "said": ["Ann wygrywa.", "plain"], "advice": [{"say": "Undo."}]}
    assert polish.translate_value(value) == told


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


def test_english_and_unknown_languages_have_no_catalogue():
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


def test_an_invalid_catalogue_is_a_sentence(tmp_path):
    (tmp_path / "words.po").write_text("nonsense\n", "utf-8")
    with pytest.raises(CompanionError, match=r"The language pl cannot be read from words\.po"):
        MessageCatalog("pl", tmp_path / "words.po")


def test_tenths_have_the_decimal_sign_of_the_language():
    german = load_catalog("de")
    assert german is not None
    assert (format_tenths(1.24), german.translate_value(format_tenths(1.24))) == ("1.2", "1,2")


GERMAN = {
    "{name} played {card}.": "{name} hat {card} gespielt.",
    "the {rank} of {suit}": "die {suit} {rank}",
    "hearts": "Herz",
    "Nothing is due.": "Nichts ist fällig.",
    "in 100 %": "zu 100 %",
}


def german(pattern):
    if pattern.plural:
        return {("{n} point", 1): "{n} Punkt"}.get((str.__str__(pattern), pattern.number), "{n} Punkte")
    return GERMAN.get(pattern, pattern)


def test_a_message_is_english_and_can_be_translated():
    card = format_message("the {rank} of {suit}", rank=5, suit=format_message("hearts"))
    said = format_message("{name} played {card}.", name="Ann", card=card)
    assert (said, isinstance(said, str)) == ("Ann played the 5 of hearts.", True)
    assert said.translate_with(german) == "Ann hat die Herz 5 gespielt."


@pytest.mark.parametrize(("number", "english", "in_german"), [(1, "1 point", "1 Punkt"), (0, "0 points", "0 Punkte")])
def test_a_number_has_its_form(number, english, in_german):
    said = format_plural("{n} point", "{n} points", number)
    assert (said, said.translate_with(german)) == (english, in_german)


def test_parts_are_joined_and_begin_with_a_capital():
    said = capitalize_message(join_messages([format_message("hearts"), "7"]))
    assert (said, said.translate_with(german)) == ("Hearts, 7", "Herz, 7")


def test_signs_and_unknown_patterns_are_translated():
    """Without words, a sign of its own is no place; what the language lacks stays English."""
    assert format_message("in 100 %").translate_with(german) == "zu 100 %"
    assert format_message("Undo.").translate_with(german) == "Undo."


@pytest.mark.parametrize(
    "translation",
    ["{name:150000000}", "{name.__class__}", "{name[0]}", "{name!r}", "{0}", "{}", "{name", "{name:{name}}",
     "{nobody} gewinnt."],
)  # fmt: skip
def test_a_translation_fills_in_bare_names_only(translation):
    """One with a place for an unknown word is not used. Doubled braces are braces."""
    won = format_message("{name} won.", name="Ann")
    assert won.translate_with(lambda _: translation) == "Ann won."
    assert won.translate_with(lambda _: "{{{name}}}") == "{Ann}"


def test_an_errors_message_is_still_a_sentence():
    error = ValueError(format_message("Nothing is due."))
    assert isinstance(str(error), Message)
    assert str(error).translate_with(german) == "Nichts ist fällig."


@pytest.mark.parametrize("kept", [copy.deepcopy, lambda said: pickle.loads(pickle.dumps(said))])
def test_what_is_kept_is_what_was_said(kept):
    said = kept(format_message("{name} won.", name="Ann"))
    assert (type(said), said) == (str, "Ann won.")


def test_a_saved_sentence_can_still_be_translated():
    played = format_message("{name} played {card}.", name="Ann", card=format_message("hearts"))
    said = capitalize_message(join_messages([played, format_plural("{n} point", "{n} points", 3)]))
    again = load_message(json.loads(json.dumps([dump_message(said), dump_message("plain")]))[0])
    assert (again, again.translate_with(german)) == (said, "Ann hat Herz gespielt., 3 Punkte")
    assert load_message(dump_message("plain")) == "plain"


ARTICLES = {
    "{name} deals next.": "Jetzt gibt {der name}.", "{name}'s crib": "Crib {vom|von name}", "Companion": "Begleiter",
    "Red": "Rot",
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (format_message("Companion"), ("Jetzt gibt der Begleiter.", "Crib vom Begleiter")),
        ("Mia", ("Jetzt gibt Mia.", "Crib von Mia")),
        ("Companion", ("Jetzt gibt Companion.", "Crib von Companion")),  # a player who calls herself so
        (format_message("Red"), ("Jetzt gibt Rot.", "Crib von Rot")),
    ],
)
def test_only_the_companions_name_has_an_article(name, said):
    sentences = [format_message(pattern, name=name) for pattern in ("{name} deals next.", "{name}'s crib")]
    assert tuple(each.translate_with(lambda pattern: ARTICLES.get(pattern, pattern)) for each in sentences) == said
