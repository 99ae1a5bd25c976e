"""The small display and the buzzer: what each shows or says, whatever the game and the names."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.common.snapshot import Advice, LightEffect, Notice, PegQuestion, Snapshot
from companion.display.panel import PAGE_MS, SCREEN_OFF_MS, choose_sound, to_ascii, write_screen
from companion.i18n.catalog import load_catalog
from companion.rules.cards import parse_card
from companion.rules.moves import Adjust, Play, Starter
from companion.settings import Settings
from companion.table import inputs, state
from companion.table.setup import create_plan
from firmware import wire


def players(*names, sides=None):
    return tuple(
        {"seat": seat, "side": seat if sides is None else sides[seat], "name": name} for seat, name in enumerate(names)
    )


PLAY = Snapshot(
    number=1,
    run="r",
    moves=3,
    game={},
    board="classic",
    settings={},
    players=players("Red", "Blue"),
    view={"phase": "play", "turn": 1, "count": 15, "scores": [21, 4], "winner": None},
    last={"said": ["Red: fifteen two."]},
)


def texts(snapshot, shown_ms=0, **more):
    """The rows as they look, from the top."""
    rows = write_screen(snapshot, shown_ms, **more)
    covered = [row + part for row, size, _ in rows for part in range(size)]
    assert covered == list(range(8))
    assert all(len(text) * size <= 16 for _, size, text in rows)
    for row in rows:  # each goes over the wire as it is
        assert wire.parse_line(wire.encode_text_row(*row)[:-1]) == wire.TextRow(*row)
    return [text for _, _, text in rows]


def test_scores_are_large_and_the_count_and_the_last_sentence_below_them():
    assert write_screen(PLAY, 0)[1] == (1, 2, "21     4")
    assert texts(PLAY) == ["Red         Blue", "21     4", "Blue plays    15", "Red: fifteen", "two.", "", ""]


def test_partners_and_more_than_two_sides_have_room_too():
    four = players("Ann", "Ben", "Cy", "Dora", sides=(0, 1, 0, 1))
    assert texts(replace(PLAY, players=four))[:1] == ["Ann+Cy   Ben+Dor"]
    pursuit = replace(PLAY, players=players("Annemarie", "Ben", "Cy"), view=PLAY.view | {"scores": [121, 4, 60]})
    assert texts(pursuit)[:3] == ["Ann 121 Ben   4", "Cy   60", ""]
    one = replace(PLAY, players=players("Ann"), view={"phase": "swap", "scores": [61], "winner": None})
    assert texts(one)[:3] == ["Ann", "61", ""]


def test_the_winner_is_named():
    won = replace(PLAY, view=PLAY.view | {"phase": "over", "turn": None, "count": 0, "winner": 1})
    assert texts(won)[2] == "Blue wins"


def test_what_has_to_be_dealt_with_comes_before_the_last_sentence():
    odd = Advice("over_pegged", 0, "Red is one too far.")
    assert "Red is one too" in texts(replace(PLAY, advice=(odd,)))
    noticed = replace(PLAY, notices=(Notice(7, "refused", "cards", "That card was played."),))
    assert texts(noticed, after_notice=6)[3:5] == ["That card was", "played."]
    assert texts(noticed, after_notice=7)[3] == "Red: fifteen"
    asked = replace(noticed, question=PegQuestion("Where is the peg?", ()))
    assert texts(asked, after_notice=6)[3] == "Where is the"
    assert texts(replace(asked, trouble="The disk is full."))[3] == "The disk is"


def test_long_sentences_are_shown_in_turns():
    said = ["Blue: fifteen two, fifteen four, and a pair is six.", "Red: a double run of three makes eight."]
    long = replace(PLAY, last={"said": said})
    pages = [texts(long, number * PAGE_MS)[3:] for number in range(3)]
    assert pages[0] == texts(long, PAGE_MS - 1)[3:]
    assert pages[0] == pages[2] != pages[1]
    assert " ".join(line for page in pages[:2] for line in page if line) == " ".join(said)


def test_a_display_that_nobody_looks_at_goes_dark():
    assert any(texts(PLAY, SCREEN_OFF_MS - 1))
    assert not any(texts(PLAY, SCREEN_OFF_MS))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Jürgen Groß", "Juergen Gross"),
        ("Ju\u0308rgen", "Juergen"),
        ("ÅSE Ñandú", "ASE Nandu"),
        ("5♥ – „go“", '5H - "go"'),
        ("Анна\x07", "?????"),
    ],
)
def test_names_are_written_in_plain_letters(text, plain):
    assert to_ascii(text) == plain


def test_the_words_are_those_of_the_chosen_language():
    german = load_catalog("de").translate_value
    assert texts(PLAY, translate=german)[2] == "Blue spielt   15"


@given(
    st.lists(st.text(min_size=1, max_size=24), min_size=1, max_size=5),
    st.lists(st.integers(-30, 9999), min_size=5, max_size=5),
    st.sampled_from(["cut", "play", "show", "crib", "claim", "between", "over", "place", "exchange"]),
    st.one_of(st.none(), st.integers(0, 4)),
    st.integers(0, 31),
    st.lists(st.text(max_size=300), max_size=3),
)
def test_whatever_is_shown_fits(names, scores, phase, turn, count, said):
    turn = None if turn is None else turn % len(names)
    view = {"phase": phase, "turn": turn, "count": count, "scores": scores[: len(names)], "winner": turn}
    texts(replace(PLAY, players=players(*names), view=view, last={"said": said}))


@pytest.mark.parametrize(
    ("game", "seats"),
    [("six-card", 2), ("six-card", 4), ("pursuit", 4), ("bases", 2), ("swap", 2), ("shuffle", 1), ("pegs-only", 3)],
)
def test_every_game_begins_with_a_screen(game, seats):
    now = state.create_core(create_plan(game, seats=seats) if seats > 1 else create_plan(game), Settings())
    snapshot = state.create_snapshot(now, number=1, run="test", moves=0)
    assert texts(snapshot)[0]
    assert texts(snapshot, translate=load_catalog("de").translate_value)[0]


def test_a_deal_is_told_move_by_move():
    now, seen = state.create_core(create_plan("six-card"), Settings()), []
    for move in (Starter(parse_card("JD")), Play(1, parse_card("5H")), Adjust(0, 119)):
        now = inputs.on_move(now, move, "phone", 0).core
        seen.append(texts(state.create_snapshot(now, number=1, run="test", moves=0)))
    assert [rows[1:3] for rows in seen] == [
        ["2      0", "Blue plays"],
        ["2      0", "Red plays      5"],
        ["121    0", "Red wins"],
    ]


QUIET = Snapshot(number=1, run="r", moves=0, game={}, board="classic", settings={}, players=(), view={})
OVER = replace(QUIET, advice=(Advice("over_pegged", 0, "Two too far.", by=2, hole="red-9"),))
WON = replace(QUIET, view={"winner": 0})


def test_a_peg_in_the_dues_own_hole_is_right():
    assert choose_sound(QUIET, replace(QUIET, green_holes=("red-7",))) == "right"
    assert choose_sound(QUIET, replace(QUIET, light_effects=(LightEffect("right", "red-7", 900),))) == "right"


def test_a_peg_that_is_lit_red_is_wrong_once():
    assert choose_sound(QUIET, OVER) == "wrong"
    assert choose_sound(OVER, replace(OVER, number=2)) is None
    assert choose_sound(OVER, QUIET) is None


def test_a_game_won_sounds_before_all_else():
    assert choose_sound(QUIET, replace(WON, green_holes=("red-121",), advice=OVER.advice)) == "win"
    assert choose_sound(WON, replace(WON, number=2)) is None


def test_what_is_only_asked_or_due_is_silent():
    asked = Advice("ask", None, "Where is red's peg?")
    assert choose_sound(QUIET, replace(QUIET, advice=(asked, Advice("peg_forward", 0, "Peg 8.", points=8)))) is None


def test_the_first_snapshot_and_that_of_another_run_are_silent():
    assert choose_sound(None, WON) is None
    assert choose_sound(QUIET, replace(WON, run="s")) is None
