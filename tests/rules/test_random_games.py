"""Whole random games with illegal moves mixed in: what must hold in every one of them."""

import random
from itertools import combinations
from typing import Any

import pytest

from companion import rules
from companion.errors import IllegalMove
from companion.rules import Game, History, Setup, Step, advance, five_card, scoring, six_card
from companion.rules.cards import PACK, Card
from companion.rules.cribbage import State
from companion.rules.moves import (
    Adjust,
    Claim,
    Crib,
    Go,
    Hand,
    Misdeal,
    Move,
    Muggins,
    Next,
    Peg,
    Play,
    Starter,
    Undo,
)  # fmt: skip


class Table:
    """People who deal, play by the rules, and now and then try what is not allowed."""

    def __init__(self, game: Game[State], seed: int) -> None:
        self.chance = random.Random(seed)
        self.game = game
        options = {key: self.chance.choice(values) for key, values in game.options.items()}
        self.setup = Setup(self.chance.choice(game.seats), 0, options)
        self.hands: list[list[Card]] = []
        self.crib: tuple[Card, ...] = ()

    def honest(self, state: State) -> Move:
        """A move that the rules allow; a claim need not be right."""
        size = state.terms.size
        if state.phase == "cut":
            pack = self.chance.sample(PACK, 52)
            self.hands = [pack[size * seat : size * (seat + 1)] for seat in range(self.setup.seats)]
            self.crib = tuple(pack[20:24])
            return Starter(pack[30])
        spoken = self.spoken(state)
        if spoken is not None:
            return spoken
        if state.phase == "show":
            seat = self.chance.choice([s for s, hand in enumerate(state.deal.hands) if hand is None])
            return Hand(seat, tuple(self.hands[seat]))
        if state.phase == "play":
            laid = state.laid
            assert laid
            assert laid.turn is not None
            left = [c for c in self.hands[laid.turn] if not laid.knows(c)]
            fitting = [c for c in left if laid.count + c.value <= 31]
            return Play(laid.turn, self.chance.choice(fitting)) if fitting else Go(laid.turn)
        return Crib(self.crib) if state.phase == "crib" else Next()

    def spoken(self, state: State) -> Move | None:
        """A claim or a call, where one may be said and somebody says it."""
        call = state.deal.claims.call
        if call and self.chance.random() < 0.3:
            other = next(s for s in range(self.setup.seats) if state.terms.side(s) != state.terms.side(call.seat))
            return Muggins(other, self.chance.randint(1, 5))
        if state.phase == "claim" and state.turn is not None:
            return Claim(state.turn, self.chance.choice((0, 1, 2, 4, 6, 8, 12)))
        open_to = [seat for seat, truth in enumerate(state.deal.claims.open) if truth is not None]
        if state.phase == "play" and open_to and self.chance.random() < 0.5:
            return Claim(self.chance.choice(open_to), self.chance.choice((0, 1, 2, 2, 3, 6)))
        return None

    def forbidden(self, state: State) -> Move:
        """A move that no state allows, or not this one."""
        seat, some = self.chance.randint(-1, 5), self.chance.sample(PACK, 4)
        seen = [state.starter, *(c for hand in state.laid.played for c in hand)] if state.laid else []
        wrong: list[Move] = [Go(9), Peg(0, 2), Play(-1, some[0]), Adjust(7, 1), Adjust(0, -200)]
        wrong += [Hand(0, tuple(some)), Claim(0, -1), Claim(9, 2), Muggins(0, 0), Muggins(9, 2)]
        wrong.append(Crib((some[0], *some[:3])))
        if state.phase not in ("cut", "between"):
            wrong.append(Starter(some[0]))
        if state.phase not in ("between", "over"):
            wrong.append(Next())
        if state.phase in ("cut", "between", "over"):
            wrong += [Misdeal(), Claim(0, 2)]
        if not state.terms.manual:
            wrong += [Claim(0, 2), Muggins(1, 2)]
        if state.phase != "play" or seat != state.turn:
            wrong += [Play(seat, some[0]), Go(seat)]
        if state.phase == "play" and state.turn is not None and state.laid:
            wrong += [Play(state.turn, c) for c in seen if c is not None]
            wrong += [Play(state.turn, c) for c in some if c.value + state.laid.count > 31]
        return self.chance.choice(wrong)


def played(game: Game[State], seed: int) -> tuple[Setup, list[Move], History[Any]]:
    """A whole game, each step of it checked; the moves and the history."""
    table = Table(game, seed)
    past, moves = rules.begin(game, table.setup), []
    while past.state.winner is None:
        before = past
        for _ in range(table.chance.randint(0, 2)):
            with pytest.raises(IllegalMove):
                advance(game, past, table.forbidden(past.state))
        move = table.honest(past.state)
        past, step = advance(game, past, move)
        assert past.before == before
        check(before.state, move, step)
        moves.append(move)
    return table.setup, moves, past


def check(before: State, move: Move, step: Step[State]) -> None:
    """What must hold of every step."""
    state, terms = step.state, step.state.terms
    assert 0 <= six_card.GAME.view(state)["count"] <= 31
    expected = list(before.scores)
    for award in step.awards:
        assert award.points > 0 or award.reason == "false claim"
        side = award.seat % terms.sides
        expected[side] = min(terms.target, expected[side] + award.points)
    assert list(state.scores) == expected
    assert min(state.scores) >= 0
    winners = [side for side, score in enumerate(state.scores) if score == terms.target]
    assert ([state.winner] if state.winner is not None else []) == winners
    assert (state.phase == "over") is bool(winners)
    if terms.manual:
        assert {award.reason for award in step.awards} <= {
            "his heels", "claim", "muggins", "overclaim", "false claim", "renege",
        }  # fmt: skip
    elif isinstance(move, Play) and before.laid:
        whole = sum(award.points for award in step.awards if award.reason not in ("last card", "renege"))
        assert whole == tried([*before.laid.series, move.card]) + shown(before, step)


def shown(before: State, step: Step[State]) -> int:
    """What the hands are worth that were counted on this line, by the tables: none beyond the one that won."""
    laid, scores, points, size = step.state.laid, list(before.scores), 0, step.state.terms.size
    if laid is None or laid.turn is not None or laid.last is None or before.laid is None or before.starter is None:
        return 0
    series = [*before.laid.series, laid.played[laid.last][-1]]
    scores[laid.last % len(scores)] += tried(series) + (sum(c.value for c in series) < 31)
    for n in range(1, len(laid.played) + 1):
        seat = (before.dealer + n) % len(laid.played)
        if len(laid.played[seat]) < size:
            break
        if max(scores) < step.state.terms.target:
            items = scoring.items(laid.played[seat], before.starter, five=size == 3)
            worth = sum(item.points for item in items)
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


GAMES = pytest.mark.parametrize("game", [six_card.GAME, five_card.GAME], ids=lambda game: game.key)


@GAMES
@pytest.mark.parametrize("seed", range(200))
def test_a_random_game_keeps_the_rules_and_can_be_undone_and_replayed(game: Game[State], seed: int):
    whole_game(game, seed)


@pytest.mark.long
@GAMES
def test_ten_thousand_random_games_keep_the_rules(game: Game[State]):
    for seed in range(10_000):
        whole_game(game, seed)


def whole_game(game: Game[State], seed: int) -> None:
    setup, moves, end = played(game, seed)

    again = rules.begin(game, setup)
    for move in moves:
        again, _ = advance(game, again, move)
    assert again.state == end.state

    past: History[Any] = end
    while past.before is not None:
        earlier = past.before.state
        past, step = advance(game, past, Undo())
        assert (past.state, step.state, step.awards) == (earlier, earlier, ())
    assert past.state == game.start(setup)
