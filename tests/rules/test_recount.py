"""Corrections of misread cards: the deal is as if the right card had been read."""

from dataclasses import fields
from random import Random

import pytest

from companion import rules
from companion.common.errors import IllegalMove
from companion.protocol import json_codec
from companion.rules import History, advance
from companion.rules.cards import PACK, Card, parse_card
from companion.rules.moves import Correct, Misdeal, Next, Place, Starter, Undo
from companion.rules.narration import describe_move, describe_undo
from tests.oracles.driver import play_game
from tests.oracles.kinds import KINDS
from tests.support.stories import Story, refuse_each

CARD_GAMES = ("six-card", "five-card", "pursuit", "bases", "shuffle")
HAND = "cut KD; 1 5H; 0 TH; 1 3D; 0 2C; 1 6S; 0 4H; 1 AC; 0 8H"
RENEGE = "cut KD; 1 TH; 0 9D; 1 QC; go 0; go 1; 0 2S; 1 4C; 0 3S; 1 6D; 0 8D"


def tell(moves, setup="", key="six-card"):
    return Story(key, moves, setup)


@pytest.mark.parametrize(
    ("moves", "setup", "awards", "like"),
    [
        ("cut KD; 1 5H; 0 TH; 1 7C; 0 2S; correct 5H 6H", "", "0-2 correct", "cut KD; 1 6H; 0 TH; 1 7C; 0 2S"),
        (f"{HAND}; crib 2H3H7CQS; correct QS KS", "", "0+2 correct", f"{HAND}; crib 2H3H7CKS"),
        # the wrong card turns up for good, and another is corrected
        ("cut KD; 1 5H; 0 TH; correct 5H 6H; 1 5H; correct 5H 4H", "", "", "cut KD; 1 6H; 0 TH; 1 4H"),
    ],
)
def test_a_card_seen_wrong_is_put_right(moves, setup, awards, like):
    told = tell(moves, setup)
    assert (told.state, told.awards) == (tell(like, setup).state, awards)


@pytest.mark.parametrize(
    ("moves", "setup", "awards", "scores"),
    [
        ("0 adjusts 59; cut KD; 1 5H; 0 TH; correct TH 9H", "target=61", "0-2 correct", (59, 0)),  # it was won
        ("cut KD; 1 5H; 0 TH; 0 adjusts 3; correct 5H 6H", "", "0-2 correct", (3, 0)),  # an adjustment stays
        # a claim stays and is judged again
        ("cut KD; 1 5H; 0 TH; 0 claims 2; correct 5H 6H", "counting=manual overclaim=two", "0-2 correct, 1+2 correct",
         (0, 2)),
        # a wrong call of muggins gives its points to the other side
        ("cut KD; 1 5H; 0 TH; 1 calls 2; correct 5H 6H", "counting=manual muggins=on", "0+2 correct, 1-2 correct",
         (2, 0)),
        # six and nine are fifteen
        ("cut KD; 1 5H; 0 TH; 1 calls 2; correct 5H 6H; correct TH 9H", "counting=manual muggins=on",
         "0-2 correct, 1+2 correct", (0, 2)),
    ],
)  # fmt: skip
def test_scores_are_judged_again(moves, setup, awards, scores):
    told = tell(moves, setup)
    assert (told.awards, told.state.scores, told.state.phase, told.state.winner) == (awards, scores, "play", None)


def test_it_is_undone_and_said_like_any_move():
    told = tell("cut KD; 1 5H; 0 TH")
    past = told.past
    made = told.tell("correct 5H 6H").past
    assert made.parent is past
    assert describe_move(made, ("Ann", "Ben")) == (
        "The 5 of hearts was really the 6 of hearts: the deal was counted again.",
        "Ann: 2 points taken back.",
    )
    assert describe_undo(made, ("Ann", "Ben")) == ("Undone: the correction of the 5 of hearts.",)
    assert told.tell("undo").past is past


@refuse_each(f"""
| cut KD; 1 5H; 0 TH; 1 7C; 0 8S; go 1; correct 5H TH | The 10 of hearts has already been seen in this deal.
| cut KD; 1 5H; 0 TH; 1 7C; 0 8S; go 1; correct 5H KD | The king of diamonds has already been seen in this deal.
| cut KD; 1 5H; 0 TH; 1 7C; 0 8S; go 1; correct 5H 5H | The 5 of hearts has already been seen in this deal.
| cut KD; 1 5H; correct 9C 9D | The 9 of clubs has not been seen in this deal, so there is nothing to correct.
| cut KD; 1 5H; 0 TH; 1 7C; 0 8S; go 1; correct 7C 9C | Red's 8 of spades would then not have been possible. The 8 of \
spades would make 32: the count cannot go over 31.
| cut KD; 1 5H; 0 TH; 1 7C; 0 8S; go 1; correct 5H 6H | Blue's go would then not have been possible. You cannot say go \
at 0: any card fits.
target=61 | 0 adjusts 59; cut KD; 1 5H; 0 9H; 1 2C; correct 9H TH | would then not have been possible. The game is over
| {HAND}; crib 2H3H7CQS; next; correct QS KS | has not been seen in this deal
| {HAND}; crib 2H3H7CQS; cut 9S; correct QS KS | has not been seen in this deal
""")
def test_what_cannot_have_been_is_refused(setup, moves, says):
    assert says in tell("", setup).refuse(moves)


@pytest.mark.parametrize("key", ["swap", "pegs-only"])
def test_a_game_without_cards_knows_no_correction(key):
    assert "has no correct" in tell("", key=key).refuse("correct 5H 6H")


def test_a_renege_that_was_none_is_taken_back():
    told = tell(RENEGE, "policy=tournament")
    assert [r.card for node in nodes(told.past) for r in node.notes.get("reneges", ())] == [parse_card("2S")]
    told.tell("correct 2S 7S")
    right = tell(RENEGE.replace("2S", "7S"), "policy=tournament")
    assert told.state == right.state
    assert "renege" not in {award.reason for node in nodes(right.past) for award in node.awards}
    assert dict(told.past.notes) == {}
    assert told.awards


def nodes(past):
    while past is not None:
        yield past
        past = past.parent


def test_in_pursuit_a_knock_out_is_undone():
    told = tell("0 adjusts 29; cut KD; 1 5H; 0 TH", key="pursuit")
    before = told.state
    assert before.knocked_out == (1,)
    told.tell("correct TH 9H").check(knocked_out=(), winner=None, scores=(29, 0), back=(0, 0))
    told.tell("correct 9H TH").check(notes={"knocked_out": (1,)})
    assert told.state == before


def test_in_pursuit_back_pegs_are_put_right():
    told = tell("cut KD; 1 5H; 0 TH; 1 TS; 0 6C", key="pursuit")
    told.check(scores=(4, 2), back=(2, 0))
    told.tell("correct 5H 4H").check(scores=(0, 2), back=(0, 0), awards="0-4 correct")


@pytest.mark.parametrize(("wrong", "right", "runs"), [("JD", "5D", 0), ("5D", "JD", 1)])
def test_in_bases_a_corrected_jack_scores(wrong, right, runs):
    told = tell(f"cut {wrong}; correct {wrong} {right}", key="bases")
    assert told.state == tell(f"cut {right}", key="bases").state
    assert told.state.scores == (runs, 0)


def cards_of(move):
    for field in fields(move):
        value = getattr(move, field.name)
        yield from (each for each in (value if isinstance(value, tuple) else (value,)) if isinstance(each, Card))


def misread_move(move, right, wrong):
    """Return the move as it would be with one card mistaken for another."""
    text = json_codec.dump_json(json_codec.write_move(move)).replace(f'"{right}"', f'"{wrong}"')
    return json_codec.read_move(json_codec.parse_json(text))


def begins_a_deal(moves, at):
    """Return whether no earlier move belongs to this move's deal."""
    is_cut = isinstance(moves[at], Starter) and not any(isinstance(move, Place) for move in moves[:at])
    return is_cut or at == 0 or isinstance(moves[at - 1], Next | Misdeal)


def check_correction(key, seed):
    """Play one random game in which cards are misread and corrected later. Return how often that was possible."""
    chance = Random(seed)
    setup, said, _ = play_game(KINDS[key], seed)
    game, moves = rules.find_game(key), [json_codec.read_move(move) for move in said]
    pasts: list[History] = [rules.begin_game(game, setup)]
    for move in moves:
        pasts.append(advance(game, pasts[-1], move)[0])
    done = 0
    for at in chance.sample(range(len(moves)), min(len(moves), 30)):
        begin = next(n for n in range(at, -1, -1) if begins_a_deal(moves, n))
        ends = [n for n in range(at + 1, len(moves)) if begins_a_deal(moves, n) or isinstance(moves[n], Next | Misdeal)]
        upto = chance.randint(at + 1, ends[0] if ends else len(moves))
        seen = {each for move in moves[begin:upto] for each in cards_of(move)}
        new = [each for each in cards_of(moves[at]) if not any(each in cards_of(move) for move in moves[begin:at])]
        if new:
            right, wrong = chance.choice(new), chance.choice([each for each in PACK if each not in seen])
            done += correct_move_by_move(game, pasts[at], pasts[upto], moves[at:upto], right, wrong)
    return done


def correct_move_by_move(game, past, wanted, moves, right, wrong):
    """Return whether these moves were possible with the wrong card; if so, correct and compare them."""
    try:
        for move in moves:
            past, _ = advance(game, past, misread_move(move, right, wrong))
    except IllegalMove:
        return False
    made, step = advance(game, past, Correct(wrong, right))
    assert made.state == wanted.state
    assert json_codec.to_json_value(game.view(made.state)) == json_codec.to_json_value(game.view(wanted.state))
    gained = [0] * len(made.state.scores)
    for award in step.awards:
        assert award.reason == "correct"
        assert award.points
        gained[award.seat] += award.points
    assert [now - was for now, was in zip(made.state.scores, past.state.scores, strict=True)] == gained
    assert advance(game, made, Undo())[0] is past
    return True


@pytest.mark.parametrize("key", CARD_GAMES)
@pytest.mark.parametrize("ten", range(3))
def test_wrong_cards_are_put_right_at_random(key, ten):
    done = sum(check_correction(key, seed) for seed in range(10 * ten, 10 * ten + 10))
    assert done > 30


@pytest.mark.long
@pytest.mark.parametrize("key", CARD_GAMES)
@pytest.mark.parametrize("ten", range(3, 60))
def test_thousands_of_wrong_cards_are_put_right(key, ten):
    assert sum(check_correction(key, seed) for seed in range(10 * ten, 10 * ten + 10)) > 30
