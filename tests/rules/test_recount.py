"""Corrections of misread cards: the deal is as if the right card had been read."""

from dataclasses import fields
from random import Random

import pytest

from companion import rules
from companion.common.errors import IllegalMove
from companion.protocol import json_codec
from companion.rules import History, Setup, advance
from companion.rules.cards import PACK, Card, parse_card
from companion.rules.moves import Correct, Misdeal, Next, Place, Starter, Undo
from companion.rules.narration import describe_move, describe_undo
from tests.oracles.driver import play_game
from tests.oracles.kinds import KINDS
from tests.support.move_notation import parse_story

CARD_GAMES = ("six-card", "five-card", "pursuit", "bases", "shuffle")


def after(story, key="six-card", seats=2, **options):
    """Return the history after a story."""
    game = rules.find_game(key)
    past = rules.begin_game(game, Setup(seats, 0, options))
    for move in parse_story(story):
        past, _ = advance(game, past, move)
    return past


def correct_card(past, wrong, right, key="six-card"):
    return advance(rules.find_game(key), past, Correct(parse_card(wrong), parse_card(right)))


def awards(step):
    return [(award.seat, award.points, award.reason) for award in step.awards]


def test_a_card_seen_wrong_four_plays_ago_is_put_right_in_one_move():
    past = after("cut KD; 1 5H; 0 TH; 1 7C; 0 2S")
    made, step = correct_card(past, "5H", "6H")
    assert made.state == after("cut KD; 1 6H; 0 TH; 1 7C; 0 2S").state
    assert awards(step) == [(0, -2, "correct")]
    assert made.parent is past


def test_it_is_undone_like_any_move_and_said_like_any_move():
    past = after("cut KD; 1 5H; 0 TH")
    made, _ = correct_card(past, "5H", "6H")
    assert describe_move(made, ("Ann", "Ben")) == (
        "The 5 of hearts was really the 6 of hearts: the deal was counted again.",
        "Ann: 2 points taken back.",
    )
    assert describe_undo(made, ("Ann", "Ben")) == ("Undone: the correction of the 5 of hearts.",)
    back, _ = advance(rules.find_game("six-card"), made, Undo())
    assert back is past


@pytest.mark.parametrize(
    ("wrong", "right", "says"),
    [
        ("5H", "TH", "The 10 of hearts has already been seen in this deal."),
        ("5H", "KD", "The king of diamonds has already been seen in this deal."),
        ("5H", "5H", "The 5 of hearts has already been seen in this deal."),
        ("9C", "9D", "The 9 of clubs has not been seen in this deal, so there is nothing to correct."),
        ("7C", "9C", "Red's 8 of spades would then not have been possible. "
                     "The 8 of spades would make 32: the count cannot go over 31."),
        ("5H", "6H", "Blue's go would then not have been possible. You cannot say go at 0: any card fits."),
    ],
)  # fmt: skip
def test_what_cannot_have_been_is_refused_and_names_the_move(wrong, right, says):
    past = after("cut KD; 1 5H; 0 TH; 1 7C; 0 8S; go 1")
    with pytest.raises(IllegalMove) as refusal:
        correct_card(past, wrong, right)
    assert str(refusal.value) == says


def test_a_game_that_was_won_by_a_wrong_card_goes_on():
    past = after("0 adjusts 59; cut KD; 1 5H; 0 TH", target="61")
    assert past.state.phase == "over"
    made, step = correct_card(past, "TH", "9H")
    assert (made.state.phase, made.state.winner, made.state.scores) == ("play", None, (59, 0))
    assert awards(step) == [(0, -2, "correct")]


def test_a_game_that_was_won_before_the_last_move_is_refused():
    past = after("0 adjusts 59; cut KD; 1 5H; 0 9H; 1 2C", target="61")
    with pytest.raises(IllegalMove, match=r"would then not have been possible\. The game is over"):
        correct_card(past, "9H", "TH")


def test_the_deal_is_the_present_one_until_the_next_begins():
    hand = "cut KD; 1 5H; 0 TH; 1 3D; 0 2C; 1 6S; 0 4H; 1 AC; 0 8H"
    past = after(hand + "; crib 2H3H7CQS")
    made, _ = correct_card(past, "QS", "KS")
    assert made.state == after(hand + "; crib 2H3H7CKS").state
    for story in ("; next", "; cut 9S"):
        with pytest.raises(IllegalMove, match="has not been seen in this deal"):
            correct_card(after(hand + "; crib 2H3H7CQS" + story), "QS", "KS")


def test_two_corrections_and_the_wrong_card_turns_up_for_good():
    past = after("cut KD; 1 5H; 0 TH")
    past, _ = correct_card(past, "5H", "6H")
    past, _ = advance(rules.find_game("six-card"), past, parse_story("1 5H")[0])
    past, _ = correct_card(past, "5H", "4H")
    assert past.state == after("cut KD; 1 6H; 0 TH; 1 4H").state


def test_an_adjustment_within_the_deal_stays():
    past = after("cut KD; 1 5H; 0 TH; 0 adjusts 3")
    made, step = correct_card(past, "5H", "6H")
    assert made.state.scores == (3, 0)
    assert awards(step) == [(0, -2, "correct")]


def test_a_claim_stays_and_is_judged_again():
    past = after("cut KD; 1 5H; 0 TH; 0 claims 2", counting="manual", overclaim="two")
    made, step = correct_card(past, "5H", "6H")
    assert made.state.scores == (0, 2)
    assert awards(step) == [(0, -2, "correct"), (1, 2, "correct")]


def test_a_call_of_muggins_stays_also_where_nothing_was_missed():
    past = after("cut KD; 1 5H; 0 TH; 1 calls 2", counting="manual", muggins="on")
    assert past.state.scores == (0, 2)
    made, step = correct_card(past, "5H", "6H")
    assert made.state.scores == (2, 0), "a wrong call gives its points to the other side"
    assert awards(step) == [(0, 2, "correct"), (1, -2, "correct")]
    again, _ = correct_card(made, "TH", "9H")
    assert again.state.scores == (0, 2), "six and nine are fifteen"


def test_a_renege_that_was_none_is_taken_back():
    story = "cut KD; 1 TH; 0 9D; 1 QC; go 0; go 1; 0 2S; 1 4C; 0 3S; 1 6D; 0 8D"
    past = after(story, policy="tournament")
    assert [r.card for node in nodes(past) for r in node.notes.get("reneges", ())] == [parse_card("2S")]
    made, step = correct_card(past, "2S", "7S")
    right = after(story.replace("2S", "7S"), policy="tournament")
    assert made.state == right.state
    assert "renege" not in {award.reason for node in nodes(right) for award in node.awards}
    assert dict(made.notes) == {}
    assert step.awards


def nodes(past):
    while past is not None:
        yield past
        past = past.parent


def test_in_pursuit_a_knock_out_that_never_was_is_undone_with_its_loop():
    past = after("0 adjusts 29; cut KD; 1 5H; 0 TH", key="pursuit")
    assert past.state.knocked_out == (1,)
    made, _ = correct_card(past, "TH", "9H", key="pursuit")
    assert (made.state.knocked_out, made.state.winner, made.state.scores, made.state.back) == (
        (),
        None,
        (29, 0),
        (0, 0),
    )
    again, step = correct_card(made, "9H", "TH", key="pursuit")
    assert again.state == past.state
    assert step.notes == {"knocked_out": (1,)}


def test_in_pursuit_the_back_pegs_are_as_if_it_had_been_read_rightly():
    past = after("cut KD; 1 5H; 0 TH; 1 TS; 0 6C", key="pursuit")
    assert (past.state.scores, past.state.back) == ((4, 2), (2, 0))
    made, step = correct_card(past, "5H", "4H", key="pursuit")
    assert (made.state.scores, made.state.back) == ((0, 2), (0, 0))
    assert awards(step) == [(0, -4, "correct")]


@pytest.mark.parametrize(("wrong", "right"), [("JD", "5D"), ("5D", "JD")])
def test_in_the_bases_a_starter_that_was_a_jack_or_none(wrong, right):
    past = after(f"cut {wrong}", key="bases")
    made, _ = correct_card(past, wrong, right, key="bases")
    assert made.state == after(f"cut {right}", key="bases").state
    assert made.state.scores == ((1, 0) if right == "JD" else (0, 0))


def test_a_game_without_cards_knows_no_correction():
    for key in ("swap", "pegs-only"):
        game = rules.find_game(key)
        with pytest.raises(IllegalMove, match="has no correct"):
            advance(game, rules.begin_game(game, Setup(2, 0)), Correct(parse_card("5H"), parse_card("6H")))


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
def test_a_wrong_card_put_right_later_is_as_if_it_had_been_right(key, ten):
    done = sum(check_correction(key, seed) for seed in range(10 * ten, 10 * ten + 10))
    assert done > 30


@pytest.mark.long
@pytest.mark.parametrize("key", CARD_GAMES)
@pytest.mark.parametrize("ten", range(3, 60))
def test_a_wrong_card_put_right_in_thousands_of_deals(key, ten):
    assert sum(check_correction(key, seed) for seed in range(10 * ten, 10 * ten + 10)) > 30
