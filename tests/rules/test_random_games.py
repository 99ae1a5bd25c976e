"""Whole random games with illegal moves mixed in: what must hold in every one of them."""

import random
from itertools import combinations
from typing import Any

import pytest

from companion import rules
from companion.errors import IllegalMove
from companion.rules import History, Setup, Step, advance, scoring, six_card
from companion.rules.cards import PACK, Card
from companion.rules.moves import Adjust, Crib, Go, Hand, Misdeal, Move, Next, Peg, Play, Starter, Undo

GAME = six_card.GAME


class Table:
    """People who deal, play by the rules, and now and then try what is not allowed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        options = {key: self.chance.choice(values) for key, values in GAME.options.items()}
        self.setup = Setup(self.chance.choice((2, 3, 4)), 0, options)
        self.hands: list[list[Card]] = []
        self.crib: tuple[Card, ...] = ()

    def honest(self, state: six_card.State) -> Move:
        """A move that the rules allow."""
        if state.phase == "cut":
            pack = self.chance.sample(PACK, 52)
            self.hands = [pack[4 * seat : 4 * seat + 4] for seat in range(self.setup.seats)]
            self.crib = tuple(pack[20:24])
            return Starter(pack[30])
        if state.phase == "play":
            laid = state.laid
            assert laid
            assert laid.turn is not None
            left = [c for c in self.hands[laid.turn] if not laid.knows(c)]
            fitting = [c for c in left if laid.count + c.value <= 31]
            return Play(laid.turn, self.chance.choice(fitting)) if fitting else Go(laid.turn)
        return Crib(self.crib) if state.phase == "crib" else Next()

    def forbidden(self, state: six_card.State) -> Move:
        """A move that no state allows, or not this one."""
        seat, some = self.chance.randint(-1, 5), self.chance.sample(PACK, 4)
        seen = [state.starter, *(c for hand in state.laid.played for c in hand)] if state.laid else []
        wrong: list[Move] = [Go(9), Peg(0, 2), Hand(0, tuple(some)), Play(-1, some[0]), Adjust(7, 1), Adjust(0, -200)]
        wrong.append(Crib((some[0], *some[:3])))
        if state.phase not in ("cut", "between"):
            wrong.append(Starter(some[0]))
        if state.phase not in ("between", "over"):
            wrong.append(Next())
        if state.phase not in ("play", "crib"):
            wrong.append(Misdeal())
        if state.phase != "play" or seat != state.turn:
            wrong += [Play(seat, some[0]), Go(seat)]
        if state.turn is not None and state.laid:
            wrong += [Play(state.turn, c) for c in seen if c is not None]
            wrong += [Play(state.turn, c) for c in some if c.value + state.laid.count > 31]
        return self.chance.choice(wrong)


def played(seed: int) -> tuple[Setup, list[Move], History[Any]]:
    """A whole game, each step of it checked; the moves and the history."""
    table = Table(seed)
    past, moves = rules.begin(GAME, table.setup), []
    while past.state.winner is None:
        before = past
        for _ in range(table.chance.randint(0, 2)):
            with pytest.raises(IllegalMove):
                advance(GAME, past, table.forbidden(past.state))
        move = table.honest(past.state)
        past, step = advance(GAME, past, move)
        assert past.before == before
        check(before.state, move, step, table)
        moves.append(move)
    return table.setup, moves, past


def check(before: six_card.State, move: Move, step: Step[six_card.State], table: Table) -> None:
    """What must hold of every step."""
    state, terms = step.state, step.state.terms
    assert 0 <= GAME.view(state)["count"] <= 31
    gained = [0] * terms.sides
    for award in step.awards:
        assert award.points > 0
        gained[award.seat % terms.sides] += award.points
    if not isinstance(move, Next) or before.phase != "over":
        expected = [min(terms.target, a + b) for a, b in zip(before.scores, gained, strict=True)]
        assert list(state.scores) == expected
    winners = [side for side, score in enumerate(state.scores) if score == terms.target]
    assert ([state.winner] if state.winner is not None else []) == winners
    assert (state.phase == "over") is bool(winners)
    if isinstance(move, Play) and before.laid:
        whole = sum(award.points for award in step.awards if award.reason != "last card")
        assert whole == tried([*before.laid.series, move.card]) + shown(before, step)


def shown(before: six_card.State, step: Step[six_card.State]) -> int:
    """What the hands are worth that were counted on this line, by the tables: none beyond the one that won."""
    laid, scores, points = step.state.laid, list(before.scores), 0
    if laid is None or laid.turn is not None or laid.last is None or before.laid is None or before.starter is None:
        return 0
    series = [*before.laid.series, laid.played[laid.last][-1]]
    scores[laid.last % len(scores)] += tried(series) + (sum(c.value for c in series) < 31)
    for n in range(1, len(laid.played) + 1):
        seat = (before.dealer + n) % len(laid.played)
        if max(scores) < step.state.terms.target:
            worth = scoring.points(laid.played[seat], before.starter)
            scores[seat % len(scores)] += worth
            points += worth
    return points


def tried(series: list[Card]) -> int:
    """The play's points, looked for among all the lasts of the series, without cleverness."""
    lasts = [sorted(c.rank for c in series[start:]) for start in range(len(series))]
    points = 2 * (sum(min(c.rank + 1, 10) for c in series) in (15, 31))
    points += 2 * max(len(list(combinations(last, 2))) if len(set(last)) == 1 else 0 for last in lasts)
    return points + max(
        len(last) if len(last) > 2 and last == list(range(last[0], last[0] + len(last))) else 0 for last in lasts
    )


@pytest.mark.parametrize("seed", range(200))
def test_a_random_game_keeps_the_rules_and_can_be_undone_and_replayed(seed: int):
    setup, moves, end = played(seed)

    again = rules.begin(GAME, setup)
    for move in moves:
        again, _ = advance(GAME, again, move)
    assert again.state == end.state

    past: History[Any] = end
    while past.before is not None:
        earlier = past.before.state
        past, step = advance(GAME, past, Undo())
        assert (past.state, step.state, step.awards) == (earlier, earlier, ())
    assert past.state == GAME.start(setup)
