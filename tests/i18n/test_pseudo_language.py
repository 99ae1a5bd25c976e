"""Everything that players read can be translated, checked with a pseudo-language without English letters.

The pseudo-language changes the letters of every catalogued message. An English letter in the output of a whole game was
not translated, or stands in an argument that is no message.
"""

import re
from functools import cache

import pytest

from companion.boards import catalog
from companion.common.errors import CompanionError
from companion.i18n import Message, format_message
from companion.protocol.json_codec import encode_snapshot, read_move
from companion.rules import GAMES
from companion.settings import Settings
from companion.table.available_games import list_available_games
from companion.table.setup import create_plan
from companion.table.state import apply_move, create_core, create_snapshot
from tests.i18n import extraction
from tests.support.table_driver import Hands
from tests.support.whole_games import play_whole_games

SAID = ("say", "said", "why", "error", "title", "name")
LATIN = {ord(letter): chr(0x400 + ord(letter)) for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"}
PLACE = re.compile(r"\{\w+\}")


@cache  # not when it is imported: each worker of the tests imports it
def catalogued_patterns():
    return {each if isinstance(each, str) else each[0] for each in extraction.all_messages()}


def pseudo_translate(pattern):
    if str.__str__(pattern) not in catalogued_patterns() and PLACE.sub("", pattern).strip(" .,:;-()"):
        return pattern.english_text
    text = pattern.english_text
    parts = PLACE.split(text)
    places = [*PLACE.findall(text), ""]
    return "".join(part.translate(LATIN) + place for part, place in zip(parts, places, strict=True))


def spoken_texts(value, key=""):
    """Yield every text of a JSON value that a person reads."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from spoken_texts(each, name)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from spoken_texts(each, key)
    elif isinstance(value, str) and key in SAID:
        yield value


def english_part(text):
    """Return the text that stays English in every language, or None."""
    said = text.translate_with(pseudo_translate) if isinstance(text, Message) else text
    return said if re.search("[A-Za-z]", said) else None


def english_texts(value):
    return sorted({found for text in spoken_texts(value) if (found := english_part(text))})


def public_json(core):
    return encode_snapshot(create_snapshot(core, number=1, run="run", moves=1))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_whole_game_is_said_in_any_language(game):
    found = set()
    for core in play_whole_games(game):
        found |= set(english_texts(public_json(core)))
    assert not found


REFUSED = [
    {"type": "play", "seat": 0, "card": "5H"}, {"type": "go", "seat": 1}, {"type": "claim", "seat": 0, "points": 3},
    {"type": "muggins", "seat": 0, "points": 2}, {"type": "next"}, {"type": "roll", "seat": 0, "dice": [1]},
    {"type": "take", "seat": 0, "chips": ["red"]}, {"type": "return", "seat": 0, "chip": "red"}, {"type": "undo"},
    {"type": "exchange", "seat": 0, "a": [0, 0], "b": [1, 1]}, {"type": "swap", "a": [0, 0], "b": [0, 0]},
    {"type": "place", "card": "5H", "cell": [0, 0]}, {"type": "peg", "seat": 0, "points": 19},
    {"type": "hand", "seat": 0, "cards": ["5H"]}, {"type": "crib", "cards": ["5H"]}, {"type": "starter", "card": "5H"},
    {"type": "adjust", "seat": 0, "points": -2}, {"type": "correct", "card": "5H", "to": "6H"}, {"type": "misdeal"},
    {"type": "steal", "seat": 0, "base": 1}, {"type": "take_board"},
    {"type": "count_crib", "points": 19},
]  # fmt: skip


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_refusals_are_said_in_any_language(game):
    core, found = create_core(create_plan(game.key), Settings()), set()
    for each in [core, *list(play_whole_games(game))[::40]]:
        for move in REFUSED:
            try:
                apply_move(each, read_move(move), "phone")
            except CompanionError as error:
                found |= set(english_texts({"error": str(error)}))
    assert not found


def test_what_is_offered_is_said_in_any_language():
    named = re.compile("|".join(catalog.list_board_names()))
    texts = english_texts({"games": list_available_games("pursuit")})
    assert [text for text in texts if re.search("[A-Za-z]", named.sub("", text))] == []


@pytest.mark.parametrize("key", ["six-card", "pursuit", "bases"])
def test_guidance_and_questions_are_said_in_any_language(key):
    table = Hands(key)
    found = set(english_texts(encode_snapshot(table.snapshot)))
    holes = table.core.plan.board.holes
    there, free = [[hole.id for hole in holes if (hole.bit in table.holes) == taken] for taken in (True, False)]
    for lift, place in zip(there[:4], free[::7], strict=False):
        for step in ((lift, None), (None, place)):
            table.carry(*step)
            table.rest(30_000)
            found |= set(english_texts(encode_snapshot(table.snapshot)))
    assert not found


def test_what_is_said_around_the_catalogue_is_found():
    told = [
        {"say": "Undo."},
        {"said": [format_message("{who} said go", who="Ann"), format_message("hearts")]},
        {"run": "a1"},
        {"why": format_message("No such pattern.")},
    ]
    assert [len(english_texts(each)) for each in told] == [1, 1, 0, 1]
