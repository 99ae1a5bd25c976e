"""Simulated players at the simulated devices: hands that scan, press and peg at a speed one can watch.

They see what players see: their own cards, and the public snapshot. They never touch the rules; only what no
device can say (a new game after the last) is tapped on the phone, as a person would.
"""

import threading
from collections.abc import Callable
from random import Random, SystemRandom
from typing import Any

from companion.board.layout import Board
from companion.coach import players
from companion.ports import Bench
from companion.rules.cards import PACK, Card, card
from companion.rules.moves import Next
from companion.snapshot import Due, Snapshot
from companion.table.table import Table

THINK_S = 1.2
"""Between two actions, at speed 1."""
CARRY_S = 0.6
"""A peg in the hand, at speed 1."""
LOOK_AGAIN_S = 15.0
"""If nothing has answered for so long, the hands try again what is due."""


class Ended(Exception):
    """The demo is closed."""


class Demo:
    """Players who play until closed."""

    def __init__(self, table: Table, board: Board, bench: Bench, speed: float, chance: Random) -> None:
        self._table, self._board, self._bench, self._speed, self._chance = table, board, bench, speed, chance
        self._hands: dict[int, list[Card]] = {}
        self._crib: list[Card] = []
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="demo", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop playing."""
        self._closed.set()
        self._thread.join(2)

    def _run(self) -> None:
        acts: dict[str, Callable[[Snapshot], None]] = {
            "cut": self._cut,
            "between": self._cut,
            "play": self._peg_points if self._table.snapshot.game["key"] == "pegs-only" else self._play,
            "crib": self._show_crib,
            "over": self._again,
        }
        try:
            while True:
                self._wait(THINK_S)
                self._peg_what_is_due()
                acts[self._table.snapshot.view["phase"]](self._table.snapshot)
        except Ended:
            return

    def _wait(self, seconds: float) -> None:
        if self._closed.wait(seconds / self._speed) or self._table.closed:
            raise Ended

    def _until(self, done: Callable[[Snapshot], bool]) -> None:
        """Watch the table as a player would, until it shows what was waited for."""
        listener = self._table.listen()
        for _ in range(int(LOOK_AGAIN_S / 0.25)):
            if done(self._table.snapshot):
                return
            listener.newest(0.25)
            if self._closed.is_set() or self._table.closed:
                raise Ended

    def _peg_what_is_due(self) -> None:
        while self._table.snapshot.dues:
            due = self._table.snapshot.dues[0]
            self._carry(due)
            self._until(lambda now, due=due: due not in now.dues)  # type: ignore[misc]

    def _carry(self, due: Due) -> None:
        """One peg, by hand, from the hole that is lit dim to the one that pulses."""
        lift, place = (1 << self._board.by_id[hole].bit for hole in (due.lift, due.place))
        occupied = self._bench.occupied()
        if occupied & lift:
            self._bench.move_pegs(lift=lift)
        self._wait(CARRY_S)
        if not self._bench.occupied() & place:
            self._bench.move_pegs(place=place)

    def _show(self, shown: Card) -> None:
        number = self._table.snapshot.number
        self._bench.scan(str(shown))
        self._until(lambda now: now.number > number)

    def _cut(self, now: Snapshot) -> None:
        """Deal, lay away, cut."""
        seats = int(now.game["seats"])
        pack = self._chance.sample(PACK, 52)
        dealt = 6 if seats == 2 else 5
        hands = [pack[seat * dealt : (seat + 1) * dealt] for seat in range(seats)]
        starter = pack[seats * dealt]
        self._crib = [pack[seats * dealt + 1]] if seats == 3 else []
        for seat, held in enumerate(hands):
            own = seat % int(now.game["sides"]) == now.view["dealer"] % int(now.game["sides"])
            kept = players.keep(held, own_crib=own)
            self._crib += [c for c in held if c not in kept]
            self._hands[seat] = list(kept)
        self._show(starter)

    def _play(self, now: Snapshot) -> None:
        self._deal_unknown(now)
        seat, count = now.view["turn"], now.view["count"]
        held = [c for c in self._hands[seat] if c.value + count <= 31]
        if not held:
            number = now.number
            self._bench.press(f"go:{seat}")
            self._until(lambda then: then.number > number)
            return
        chosen = players.choose(held, tuple(card(text) for text in now.view["series"]), count)
        self._hands[seat].remove(chosen)
        self._show(chosen)

    def _deal_unknown(self, now: Snapshot) -> None:
        """A resumed hand: the players hold cards that nobody has seen yet. Undone plays come back to the hand."""
        played = [[card(text) for text in row] for row in now.view["played"]]
        for seat, row in enumerate(played):
            held = self._hands.get(seat)
            if held is None or len(held) + len(row) != 4 or set(held) & set(row):
                self._hands[seat] = self._unseen(now, 4 - len(row))

    def _unseen(self, now: Snapshot, count: int) -> list[Card]:
        seen = {card(text) for row in now.view["played"] for text in row} | {card(now.view["starter"])}
        seen |= {c for held in self._hands.values() for c in held} | set(self._crib)
        return self._chance.sample([c for c in PACK if c not in seen], count)

    def _show_crib(self, now: Snapshot) -> None:
        seen = {card(text) for row in now.view["played"] for text in row} | {card(now.view["starter"])}
        if len(self._crib) != 4 or seen & set(self._crib):
            self._hands.clear()
            self._crib = []
            self._crib = self._unseen(now, 4)
        lying = now.view.get("crib") or []
        self._show(next(c for c in self._crib if str(c) not in lying))

    def _peg_points(self, now: Snapshot) -> None:
        """Pegs only: somebody pegs a likely score, as far as the board goes."""
        seat = self._chance.randrange(int(now.game["sides"]))
        points = self._chance.choice((1, 2, 2, 3, 4, 6, 7, 8, 10, 12))
        target, score = int(now.game["target"]), now.view["scores"][seat]
        route = self._board.routes[int(now.game["seats"])][seat]
        place = self._board.holes[route.hole(min(score + points, target), target)].id
        self._carry(Due(seat, points, now.pegs[seat].back, place))
        self._until(lambda then: then.moves > now.moves)

    def _again(self, _now: Snapshot) -> None:
        self._wait(5)
        self._table.submit(Next())


def begin(running: Any, speed: float) -> Demo:
    """Let simulated players sit down at a running table with simulated devices."""
    return Demo(running.table, running.table.core.plan.board, running.bench, speed, SystemRandom())
