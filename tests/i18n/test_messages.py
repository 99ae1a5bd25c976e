"""A message is its English text and can be translated."""

import copy
import json
import pickle

import pytest

from companion.i18n import (
    Message,
    capitalize_message,
    dump_message,
    format_message,
    format_plural,
    join_messages,
    load_message,
)

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


def test_it_is_its_english_text():
    said = format_message(
        "{name} played {card}.",
        name="Ann",
        card=format_message("the {rank} of {suit}", rank=5, suit=format_message("hearts")),
    )
    assert said == "Ann played the 5 of hearts."
    assert isinstance(said, str)


def test_it_is_said_in_another_language_with_all_its_words():
    said = format_message(
        "{name} played {card}.",
        name="Ann",
        card=format_message("the {rank} of {suit}", rank=5, suit=format_message("hearts")),
    )
    assert said.translate_with(german) == "Ann hat die Herz 5 gespielt."


@pytest.mark.parametrize(("number", "english", "in_german"), [(1, "1 point", "1 Punkt"), (0, "0 points", "0 Punkte")])
def test_a_number_has_its_form(number, english, in_german):
    said = format_plural("{n} point", "{n} points", number)
    assert (said, said.translate_with(german)) == (english, in_german)


def test_parts_are_joined_and_begin_with_a_capital():
    said = capitalize_message(join_messages([format_message("hearts"), "7"]))
    assert (said, said.translate_with(german)) == ("Hearts, 7", "Herz, 7")


def test_without_words_a_sign_of_its_own_is_no_place():
    assert format_message("in 100 %").translate_with(german) == "zu 100 %"


def test_what_the_language_lacks_stays_english():
    assert format_message("Undo.").translate_with(german) == "Undo."


def test_a_translation_with_a_place_for_an_unknown_word_is_not_used():
    assert format_message("{name} won.", name="Ann").translate_with(lambda _: "{nobody} gewinnt.") == "Ann won."


@pytest.mark.parametrize(
    "translation",
    ["{name:150000000}", "{name.__class__}", "{name[0]}", "{name!r}", "{0}", "{}", "{name", "{name:{name}}"],
)
def test_a_translation_fills_in_bare_names_only(translation):
    assert format_message("{name} won.", name="Ann").translate_with(lambda _: translation) == "Ann won."


def test_doubled_braces_are_braces():
    assert format_message("{name} won.", name="Ann").translate_with(lambda _: "{{{name}}}") == "{Ann}"


def test_the_message_of_an_error_is_still_a_sentence():
    error = ValueError(format_message("Nothing is due."))
    assert isinstance(str(error), Message)
    assert str(error).translate_with(german) == "Nichts ist fällig."


@pytest.mark.parametrize("kept", [copy.deepcopy, lambda said: pickle.loads(pickle.dumps(said))])
def test_what_is_kept_is_what_was_said(kept):
    said = kept(format_message("{name} won.", name="Ann"))
    assert (type(said), said) == (str, "Ann won.")


def test_a_sentence_that_is_written_down_can_still_be_said_in_another_language():
    said = capitalize_message(
        join_messages(
            [
                format_message("{name} played {card}.", name="Ann", card=format_message("hearts")),
                format_plural("{n} point", "{n} points", 3),
            ]
        )
    )
    again = load_message(json.loads(json.dumps([dump_message(said), dump_message("plain")]))[0])
    assert (again, again.translate_with(german)) == (said, "Ann hat Herz gespielt., 3 Punkte")
    assert load_message(dump_message("plain")) == "plain"


ARTICLES = {
    "{name} deals next.": "Jetzt gibt {der name}.",
    "{name}'s crib": "Crib {vom|von name}",
    "Companion": "Begleiter",
    "Red": "Rot",
}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (format_message("Companion"), ("Jetzt gibt der Begleiter.", "Crib vom Begleiter")),
        ("Mia", ("Jetzt gibt Mia.", "Crib von Mia")),
        ("Companion", ("Jetzt gibt Companion.", "Crib von Companion")),  # a player who calls herself so
        (format_message("Red"), ("Jetzt gibt Rot.", "Crib von Rot")),
    ],
)
def test_only_the_name_of_the_companion_has_an_article(name, said):
    sentences = [format_message(pattern, name=name) for pattern in ("{name} deals next.", "{name}'s crib")]
    assert tuple(each.translate_with(lambda pattern: ARTICLES.get(pattern, pattern)) for each in sentences) == said
