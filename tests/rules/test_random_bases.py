"""Whole random games of 'Round the Bases with illegal moves mixed in: what must hold in every one of them."""

import random
from typing import Any

import pytest

from companion import rules
from companion.errors import IllegalMove
from companion.rules import History, Setup, Step, advance, bases
from companion.rules.cards import PACK, Card
from companion.rules.innings import State
from companion.rules.moves import (
    Adjust,
    Claim,
    Crib,
    Go,
    Misdeal,
    Move,
    Muggins,
    Next,
    Peg,
    Play,
    Roll,
    Starter,
    Steal,
    Undo,
)  # fmt: skip

GAME = bases.GAME


class Table:
    """People who deal, play, roll and steal, and now and then try what is not allowed."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = random.Random(seed)
        options = {key: chance.choice(values) for key, values in GAME.options.items()}
        options["innings"] = chance.choice(("1", "2", "3"))
        seats = chance.choice(GAME.seats)
        self.setup = Setup(seats, chance.choice((None, *range(seats))), options)
        self.hands: list[list[Card]] = []
        self.crib: tuple[Card, ...] = ()

    def honest(self, state: State) -> Move:
        """A move that the rules allow."""
        chance, steals = self.chance, GAME.view(state)["steals"]
        called = state.hand.deal.claims.call
        if called and state.phase != "over" and chance.random() < 0.2:
            return Muggins((called.seat + 1) % self.setup.seats, chance.randint(1, 4))
        if state.phase == "roll":
            assert state.due is not None
            assert state.turn is not None
            return Roll(state.turn, tuple(chance.randint(1, 6) for _ in range(state.due.dice)))
        if steals and chance.random() < 0.4:
            assert state.batting is not None
            seat = chance.choice(range(state.batting, self.setup.seats, 2))
            return Steal(seat, chance.choice(steals))
        return self.played(state) or chance.choice((Next(), self.deal()))

    def played(self, state: State) -> Move | None:
        """A move within the hand; None between hands."""
        if state.phase == "cut":
            return self.deal()
        if state.phase == "claim" and state.turn is not None:
            return Claim(state.turn, self.chance.choice((0, 1, 2, 4, 6, 8, 12)))
        if state.phase == "play" and state.turn is not None:
            left = [c for c in self.hands[state.turn] if not (state.hand.laid and state.hand.laid.knows(c))]
            fitting = [c for c in left if GAME.view(state)["count"] + c.value <= 31]
            return Play(state.turn, self.chance.choice(fitting)) if fitting else Go(state.turn)
        return Crib(self.crib) if state.phase == "crib" else None

    def deal(self) -> Starter:
        """A new hand is dealt, and a starter cut."""
        pack = self.chance.sample(PACK, 21)
        self.hands = [pack[4 * seat : 4 * seat + 4] for seat in range(self.setup.seats)]
        self.crib = tuple(pack[16:20])
        return Starter(pack[20])

    def forbidden(self, state: State) -> Move:
        """A move that no state allows, or not this one."""
        seat, some = self.chance.randint(-1, 5), self.chance.sample(PACK, 4)
        wrong: list[Move] = [Go(9), Peg(0, 2), Play(-1, some[0]), Adjust(7, 1), Adjust(0, -200), Steal(9, 1)]
        wrong += [Roll(9, (1,)), Roll(0, ()), Roll(0, (1, 2, 3)), Steal(0, 4), Claim(9, 2), Crib((some[0], *some[:3]))]
        if state.phase not in ("cut", "between"):
            wrong.append(Starter(some[0]))
        if state.phase not in ("between", "over"):
            wrong.append(Next())
        if state.phase not in ("play", "claim", "crib"):
            wrong += [Misdeal(), Claim(0, 2)]
        if state.phase != "play" or seat != state.turn:
            wrong += [Play(seat, some[0]), Go(seat)]
        if state.phase != "between" or state.batting is None:
            wrong += [Steal(seat, base) for base in (1, 2, 3)]
        else:
            wrong += [Steal(1 - state.batting, base) for base in (1, 2, 3)]
            wrong += [Steal(state.batting, base) for base in (1, 2, 3) if base not in GAME.view(state)["steals"]]
        due = state.due
        if due is None or state.turn != seat:
            wrong += [Roll(seat, (1,)), Roll(seat, (2, 3))]
        else:
            wrong += [Roll(seat, (2,) * (3 - due.dice)), Roll(seat, (7,) * due.dice)]
        return self.chance.choice(wrong)


def played(seed: int) -> tuple[Setup, list[Move], History[Any]]:
    """A whole game, each step of it checked; the moves and the history."""
    table = Table(seed)
    past, moves = rules.begin(GAME, table.setup), []
    while past.state.winner is None:
        before = past
        for _ in range(table.chance.randint(0, 1)):
            with pytest.raises(IllegalMove):
                advance(GAME, past, table.forbidden(past.state))
        move = table.honest(past.state)
        past, step = advance(GAME, past, move)
        assert past.before == before
        check(before.state, move, step)
        moves.append(move)
        assert len(moves) < 5000
    return table.setup, moves, past


def check(before: State, move: Move, step: Step[State]) -> None:
    """What must hold of every step."""
    state, view = step.state, GAME.view(step.state)
    assert 0 <= view["count"] <= 31
    assert 0 <= view["outs"] <= 2
    assert len(view["runners"]) <= 4
    assert len(set(view["runners"])) == len(view["runners"])
    assert (view["phase"] == "over") is (view["winner"] is not None)
    assert (view["due"] is not None) is (view["phase"] == "roll")
    if isinstance(move, Muggins):
        return
    side = before.batting
    results = [play["result"] for play in view["plays"]]
    gained = [results.count("run") if s == side else 0 for s in (0, 1)]
    assert list(state.scores) == [a + b for a, b in zip(before.scores, gained, strict=True)]
    check_half(before, state, results)


def check_half(before: State, state: State, results: list[str]) -> None:
    """Outs are counted, and a side is retired at the third; nobody appears from nowhere or is lost."""
    outs = before.field.outs + results.count("out")
    retired = outs == 3
    assert outs <= 3
    if state.phase == "over":
        leading = max(state.scores)
        assert state.scores.index(leading) == state.winner
        assert state.scores.count(leading) == 1
        assert state.inning >= state.innings
        assert retired or state.batting == state.winner
        return
    assert state.field.outs == outs % 3
    assert (state.bottom != before.bottom) is retired
    assert state.inning == before.inning + (retired and before.bottom)
    if before.batting is not None:
        assert (state.batting != before.batting) is retired
    if not retired:
        hit = before.phase != "roll" and bool(results or state.field.waiting)
        steals = state.field.due is not None and state.field.due.steals
        men = sum(before.field.bases) + (at_bat(before) or (hit and not steals))
        assert men == sum(state.field.bases) + at_bat(state) + results.count("out") + results.count("run")


def at_bat(state: State) -> bool:
    """Whether the batter is still to be judged."""
    return any(runner.origin == 0 for runner in state.field.waiting)


@pytest.mark.parametrize("seed", range(200))
def test_a_random_game_keeps_the_rules_and_can_be_undone_and_replayed(seed: int):
    whole_game(seed)


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_ten_thousand_random_games(part: int):
    for seed in range(1000 + 500 * part, 1500 + 500 * part):
        whole_game(seed)


def whole_game(seed: int) -> None:
    """Played, replayed and undone."""
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
