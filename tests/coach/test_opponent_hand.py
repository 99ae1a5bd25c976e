"""The play: the opponent's possible hands, and the last cards of a game, which are played exactly."""

from random import Random

import pytest

from companion.coach.advise import answer_question
from companion.coach.cribbage import opponent_hand, tables
from companion.coach.cribbage import play as card_play
from companion.coach.cribbage.play import PlayQuestion
from companion.coach.questions import parse_play_question
from companion.rules import play
from companion.rules.cards import PACK, parse_card, parse_cards
from tests.support.exact_play import ExactPlay
from tests.support.play_positions import ask_play, draw_position


def plays(seed):
    """Yield, for each turn of seat 0 in a random play, its question and what seat 1 did and holds."""
    chance = Random(seed)
    pack = chance.sample(PACK, 9)
    kept, dealer = (pack[:4], pack[4:8]), chance.randrange(2)
    laid, done = play.begin_play(2, 1 - dealer), []
    while laid.turn is not None:
        seat = laid.turn
        held = [c for c in kept[seat] if c not in laid.played[seat]]
        if seat == 0:
            turn = PlayQuestion(
                "six-card", tuple(held), tuple(kept[0]), None, pack[8], dealer == 0, laid.series, laid.played,
                (0 in laid.gone, 1 in laid.gone), (0, 0), 121,
            )  # fmt: skip
            yield turn, list(done), tuple(sorted(c.rank for c in kept[1]))
        fitting = [c for c in held if c.value + laid.count <= 31]
        chosen = chance.choice(fitting) if fitting else None
        if seat == 1:
            done.append(chosen and chosen.rank if chosen is not None else None)
        laid = play.play_card(laid, seat, chosen)[0] if chosen is not None else play.say_go(laid, seat)[0]


def test_the_other_decisions_are_reported_again_goes_included():
    told = agreed = 0
    for seed in range(300):
        for turn, done, _ in plays(seed):
            retold = opponent_hand.reconstruct_decisions(
                [c.rank for c in turn.played[0]],
                [c.rank for c in turn.played[1]],
                tuple(sorted(c.rank for c in turn.kept)),
                tuple(c.rank for c in turn.series),
                turn.gone,
                int(turn.dealer),
            )
            told += 1
            agreed += [decision.rank for decision in retold] == done
    # Now and then two ways of the play lead to the same cards on the table.
    assert agreed / told > 0.97


def test_the_held_hand_is_among_the_guesses():
    found = [
        hand in {held[0] for held in card_play.find_opponent_hands(turn)}
        for seed in range(60)
        for turn, _, hand in plays(seed)
    ]
    assert sum(found) / len(found) > 0.8  # who keeps at random keeps some hands that nobody would


@pytest.mark.parametrize("series", ["KC KH 6S AH", "KC 6S KH AH"])
def test_who_has_said_go_holds_nothing_that_fitted(series):
    """Also where the cards told cannot have been played in that order."""
    turn = PlayQuestion(
        "six-card", parse_cards("2D 7D"), parse_cards("AH 2D 7D KH"), parse_cards("9D QS"), parse_card("4C"), True,
        parse_cards(series), (parse_cards("KH AH"), parse_cards("KC 6S")), (False, True), (50, 50), 121,
    )  # fmt: skip
    for _, rest, _ in card_play.find_opponent_hands(turn):
        assert all(min(rank + 1, 10) + 27 > 31 for rank in rest)


def test_a_few_hands_stand_for_all():
    held = [((n,), (n,), 1.0 + n % 3) for n in range(13)]
    few = opponent_hand.sample_hands(held, 5)
    assert len(few) == 5
    assert abs(sum(weight for *_, weight in few) - sum(weight for *_, weight in held)) < 1e-9
    assert opponent_hand.sample_hands(held, 20) == held


def test_equal_hands_are_one_object():
    """They are kept for many plays seen, so copies would take megabytes."""
    game_tables, unseen = tables.load_tables("six-card"), [4] * 13
    whole, led = ({held[0]: held[0] for held in opponent_hand.weigh_hands(seen, unseen, game_tables, tables.PONE)}
                  for seen in ((), (5,)))  # fmt: skip
    assert led
    assert all(hand is whole[hand] for hand in led)


LAST = ask_play("3H 6H 4C 4S", "QD", other="QD", discarded="KD JS", starter="9C", scores=(118, 115))


def test_the_last_three_points_are_planned():
    """The 3 leaves the pair of 4s for later."""
    best = answer_question(LAST)["choices"][0]
    assert best["play"] == "3H"
    assert best["win"] > 0.9


def measure_regret(chance, scores, most=4):
    while True:
        question, laid = draw_position(chance, scores)
        turn = parse_play_question(question)
        if len(turn.held) <= most:
            break
    exact = ExactPlay(turn, laid).evaluate_cards()
    return max(exact.values()) - exact[card_play.rank_plays(turn)[0].card]


@pytest.mark.parametrize("seed", range(4))
def test_few_cards_near_the_end_are_played_best(seed):
    chance = Random(seed)
    assert max(measure_regret(chance, (108, 120), most=3) for _ in range(4)) <= 0.0005 + 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_the_values_of_three_cards_are_exact(seed):
    """Every card of a drawn position has the exact chance, but for differences that count as equal."""
    chance = Random(seed + 100)
    while True:
        question, laid = draw_position(chance, (108, 120))
        turn = parse_play_question(question)
        if len(turn.held) == 3:
            break
    exact = ExactPlay(turn, laid).evaluate_cards()
    for choice in card_play.rank_plays(turn):
        assert choice.win == pytest.approx(exact[choice.card], abs=0.0005 + 1e-9)


@pytest.mark.long
@pytest.mark.parametrize(("scores", "worst"), [((112, 120), 0.01), ((108, 120), 0.01), ((101, 106), 0.02)])
def test_decisions_near_the_end_lose_nearly_nothing(scores, worst):
    """Three times 200 decisions with any number of cards: 0.02 % of a game on average, never much more than 1 %."""
    chance = Random(scores[0])
    regrets = [measure_regret(chance, scores) for _ in range(200)]
    assert sum(regrets) / len(regrets) <= 0.0002
    assert max(regrets) <= worst
