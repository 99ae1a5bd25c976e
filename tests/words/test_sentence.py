"""A sentence is its English text, and can be said in another language."""

import copy
import json
import pickle

import pytest

from companion.i18n import Sentence, capital, dumped, joined, loaded, say, say_many

GERMAN = {
    "{name} played {card}.": "{name} hat {card} gespielt.",
    "the {rank} of {suit}": "die {suit} {rank}",
    "hearts": "Herz",
    "Nothing is due.": "Nichts ist fällig.",
    "in 100 %": "zu 100 %",
}


def german(pattern):
    if pattern.many:
        return {("{n} point", 1): "{n} Punkt"}.get((str.__str__(pattern), pattern.number), "{n} Punkte")
    return GERMAN.get(pattern, pattern)


def test_it_is_its_english_text():
    said = say("{name} played {card}.", name="Ann", card=say("the {rank} of {suit}", rank=5, suit=say("hearts")))
    assert said == "Ann played the 5 of hearts."
    assert isinstance(said, str)


def test_it_is_said_in_another_language_with_all_its_words():
    said = say("{name} played {card}.", name="Ann", card=say("the {rank} of {suit}", rank=5, suit=say("hearts")))
    assert said.inside(german) == "Ann hat die Herz 5 gespielt."


@pytest.mark.parametrize(("number", "english", "in_german"), [(1, "1 point", "1 Punkt"), (0, "0 points", "0 Punkte")])
def test_a_number_has_its_form(number, english, in_german):
    said = say_many("{n} point", "{n} points", number)
    assert (said, said.inside(german)) == (english, in_german)


def test_parts_are_joined_and_begin_with_a_capital():
    said = capital(joined([say("hearts"), "7"]))
    assert (said, said.inside(german)) == ("Hearts, 7", "Herz, 7")


def test_without_words_a_sign_of_its_own_is_no_place():
    assert say("in 100 %").inside(german) == "zu 100 %"


def test_what_the_language_lacks_stays_english():
    assert say("Undo.").inside(german) == "Undo."


def test_a_translation_with_a_place_for_an_unknown_word_is_not_used():
    assert say("{name} won.", name="Ann").inside(lambda _: "{nobody} gewinnt.") == "Ann won."


def test_the_message_of_an_error_is_still_a_sentence():
    error = ValueError(say("Nothing is due."))
    assert isinstance(str(error), Sentence)
    assert str(error).inside(german) == "Nichts ist fällig."


@pytest.mark.parametrize("kept", [copy.deepcopy, lambda said: pickle.loads(pickle.dumps(said))])
def test_what_is_kept_is_what_was_said(kept):
    said = kept(say("{name} won.", name="Ann"))
    assert (type(said), said) == (str, "Ann won.")


def test_a_sentence_that_is_written_down_can_still_be_said_in_another_language():
    said = capital(
        joined([say("{name} played {card}.", name="Ann", card=say("hearts")), say_many("{n} point", "{n} points", 3)])
    )
    again = loaded(json.loads(json.dumps([dumped(said), dumped("plain")]))[0])
    assert (again, again.inside(german)) == (said, "Ann hat Herz gespielt., 3 Punkte")
    assert loaded(dumped("plain")) == "plain"
