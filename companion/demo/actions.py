"""The actions of simulated players: wait, watch, move a peg, scan a card, press a button. Pegs-only needs no more."""

import logging
from collections.abc import Callable
from contextlib import suppress
from random import Random

from companion.boards.board import Board
from companion.common.errors import CompanionError
from companion.common.snapshot import Due, Snapshot
from companion.common.worker import Worker
from companion.devices.simulated_bench import SimulatedBench
from companion.rules.cards import Card
from companion.rules.moves import Move, Next
from companion.table.table import Table

ACTION_PAUSE_S = 1.2
"""Pause before each action at speed 1, in seconds."""
CARRY_TIME_S = 0.6
"""Time a peg spends in the hand at speed 1, in seconds."""
RETRY_AFTER_S = 15.0
"""Time without a reaction of the table after which the players try again, in seconds."""
CLOSE_TIMEOUT_S = 0.5
"""Longest time to wait for the players at the end of the program, in seconds. A player may be thinking."""

_LOG = logging.getLogger(__name__)


class DemoClosed(Exception):
    """The demo was closed or its game has ended."""


class SimulatedPlayers(Worker):
    """Players who act in their own thread until closed. Each game's subclass defines `phase_actions`."""

    def __init__(
        self, table: Table, board: Board, bench: SimulatedBench, speed: float, chance: Random, level: str = "expert"
    ) -> None:
        super().__init__("demo", join_timeout_s=CLOSE_TIMEOUT_S)
        self.table, self.board, self.bench, self.chance, self.level = table, board, bench, chance, level
        self._speed = speed
        self._last_scanned: Card | None = None
        self.game = table.journal.game_id
        self.start()

    def phase_actions(self) -> dict[str, Callable[[Snapshot], None]]:
        raise NotImplementedError

    def prepare(self) -> None:
        """Load what takes time before the first action."""

    def _run(self) -> None:
        self.prepare()
        acts = self.phase_actions()
        with suppress(DemoClosed):
            while True:
                self.wait(ACTION_PAUSE_S)
                try:
                    self.peg_dues()
                    acts[self.table.snapshot.view["phase"]](self.table.snapshot)
                except DemoClosed:
                    raise
                except (CompanionError, LookupError):
                    pass  # a device may not answer for a while, and the board may change: try again in the next round
                except Exception:  # what a player remembers may not fit the table: the next round looks again
                    _LOG.exception("The demo's players failed to act.")

    def wait(self, seconds: float) -> None:
        """Wait for this many seconds at speed 1. Raises DemoClosed."""
        if self.closing.wait(seconds / self._speed) or self._is_over():
            raise DemoClosed

    def wait_until(self, done: Callable[[Snapshot], bool]) -> None:
        """Wait until the snapshot fulfils `done`, or RETRY_AFTER_S has passed. Raises DemoClosed."""
        listener = self.table.subscribe()
        for _ in range(int(RETRY_AFTER_S / 0.25)):
            if done(self.table.snapshot):
                return
            listener.next_snapshot(0.25)
            if self.closing.is_set() or self._is_over():
                raise DemoClosed

    def _is_over(self) -> bool:
        """Return whether the table is closed or has switched to another game."""
        return self.table.is_closed or self.table.journal.game_id != self.game

    def act_and_wait(self, act: Callable[[], None]) -> None:
        """Run `act` and wait until the table reacts. Peg movements do not count as a reaction."""
        self.wait(0)  # raises if another game has begun meanwhile, in which `act` would be wrong
        before = _visible_state(self.table.snapshot)
        act()
        self.wait_until(lambda now: _visible_state(now) != before)

    def peg_dues(self) -> None:
        """Move the peg of each due until none is left."""
        while self.table.snapshot.dues:
            due = self.table.snapshot.dues[0]
            self.carry_due(due)
            self.wait_until(lambda now, due=due: due not in now.dues)  # type: ignore[misc]

    def carry_due(self, due: Due) -> None:
        """Move the peg of a due from its `lift` hole to its `place` hole."""
        self.carry_peg(due.lift, due.place)

    def carry_peg(self, lift: str | None, place: str | None) -> None:
        """Move a peg between two holes. `lift` None: from beside the board; `place` None: off the board."""
        if lift and self.is_hole_taken(lift):
            self.bench.board.move_pegs(lift=1 << self.board.by_id[lift].bit)
        self.wait(CARRY_TIME_S)
        if place and not self.is_hole_taken(place):
            self.bench.board.move_pegs(place=1 << self.board.by_id[place].bit)

    def is_hole_taken(self, hole: str) -> bool:
        return bool(self.bench.board.occupied_holes() >> self.board.by_id[hole].bit & 1)

    def scan_card(self, shown: Card) -> None:
        """Scan a card. The same card twice in a row waits until the reader accepts it again."""
        if shown == self._last_scanned:
            self.wait(self._speed * self.table.snapshot.settings["repeat_ms"] / 1000)
        self._last_scanned = shown
        self.act_and_wait(lambda: self.bench.scanner.scan_card(str(shown)))

    def press_button(self, button: str) -> None:
        self.act_and_wait(lambda: self.bench.buttons.press_button(button))

    def tap_move(self, move: Move) -> None:
        """Make a move as on a phone. A refused move is tried again in the next round."""
        try:
            self.table.submit(move)
        except CompanionError:
            self.wait(ACTION_PAUSE_S)

    def start_next_game(self, _now: Snapshot) -> None:
        self.wait(5)
        self.tap_move(Next())


def _visible_state(snapshot: Snapshot) -> tuple[object, ...]:
    return snapshot.moves, snapshot.view, snapshot.notices, snapshot.dice


class PegsOnlyPlayers(SimulatedPlayers):
    """Players of a game without cards."""

    def phase_actions(self) -> dict[str, Callable[[Snapshot], None]]:
        return {"play": self._peg_points, "over": self.start_next_game}

    def _peg_points(self, now: Snapshot) -> None:
        if not now.pegs:  # the pegs are not set up yet
            return
        seat = self.chance.randrange(int(now.game["sides"]))
        points = self.chance.choice((1, 2, 2, 3, 4, 6, 7, 8, 10, 12))
        target, score = int(now.game["target"]), now.view["scores"][seat]
        route = self.board.routes[int(now.game["seats"])][seat]
        place = self.board.holes[route.hole_at(min(score + points, target), target)].id
        self.carry_due(Due(seat, points, now.pegs[seat].back, place))
        self.wait_until(lambda then: then.moves > now.moves)
