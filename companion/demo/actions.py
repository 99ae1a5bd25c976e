"""What every simulated player does with its hands: wait, look, carry a peg, show a card, press a button."""

import threading
from collections.abc import Callable
from contextlib import suppress
from random import Random

from companion.boards.catalog import Board
from companion.common.errors import CompanionError
from companion.common.snapshot import Due, Snapshot
from companion.ports import Bench
from companion.rules.cards import Card
from companion.rules.moves import Move
from companion.table.table import Table

THINK_S = 1.2
"""Between two actions, at speed 1."""
CARRY_S = 0.6
"""A peg in the hand, at speed 1."""
LOOK_AGAIN_S = 15.0
"""If nothing has answered for so long, the hands try again what is due."""


class Ended(Exception):
    """The demo is closed."""


class Hands:
    """Players who play until closed. A game's own say in `acts` what they do in each phase."""

    def __init__(
        self, table: Table, board: Board, bench: Bench, speed: float, chance: Random, level: str = "expert"
    ) -> None:
        self.table, self.board, self.bench, self.chance, self.level = table, board, bench, chance, level
        self._speed = speed
        self._shown: Card | None = None
        self._closed = threading.Event()
        self.game = table.journal.game
        self._thread = threading.Thread(target=self._run, name="demo", daemon=True)
        self._thread.start()

    def acts(self) -> dict[str, Callable[[Snapshot], None]]:
        """What is done in each phase."""
        raise NotImplementedError

    def close(self) -> None:
        """Stop playing."""
        self._closed.set()
        self._thread.join(2)

    def ready(self) -> None:
        """What takes a moment the first time is done before the first card."""

    def _run(self) -> None:
        self.ready()
        acts = self.acts()
        with suppress(Ended):
            while True:
                self.wait(THINK_S)
                # A device that does not answer for a while, or a board that is another now: look again, and go on.
                with suppress(CompanionError, LookupError):
                    self.peg_what_is_due()
                    acts[self.table.snapshot.view["phase"]](self.table.snapshot)

    def wait(self, seconds: float) -> None:
        """So long, at speed 1. Raises Ended."""
        if self._closed.wait(seconds / self._speed) or self._is_over():
            raise Ended

    def until(self, done: Callable[[Snapshot], bool]) -> None:
        """Watch the table as a player would, until it shows what was waited for."""
        listener = self.table.listen()
        for _ in range(int(LOOK_AGAIN_S / 0.25)):
            if done(self.table.snapshot):
                return
            listener.newest(0.25)
            if self._closed.is_set() or self._is_over():
                raise Ended

    def _is_over(self) -> bool:
        """Whether there is no table any more, or another game at it."""
        return self.table.closed or self.table.journal.game != self.game

    def until_news(self, act: Callable[[], None]) -> None:
        """Do it, and watch until the table shows what came of it. News of pegs that come to rest is none."""
        self.wait(0)  # another game may have begun meanwhile: what is meant for the one before would be played there
        before = _played(self.table.snapshot)
        act()
        self.until(lambda now: _played(now) != before)

    def peg_what_is_due(self) -> None:
        """Carry each peg that is due, until none is."""
        while self.table.snapshot.dues:
            due = self.table.snapshot.dues[0]
            self.carry(due)
            self.until(lambda now, due=due: due not in now.dues)  # type: ignore[misc]

    def carry(self, due: Due) -> None:
        """One peg, by hand, from the hole that is lit dim to the one that pulses."""
        self.carry_peg(due.lift, due.place)

    def carry_peg(self, lift: str | None, place: str | None) -> None:
        """A peg from a hole, or from beside the board, to a hole, or off the board."""
        if lift and self.is_taken(lift):
            self.bench.move_pegs(lift=1 << self.board.by_id[lift].bit)
        self.wait(CARRY_S)
        if place and not self.is_taken(place):
            self.bench.move_pegs(place=1 << self.board.by_id[place].bit)

    def is_taken(self, hole: str) -> bool:
        """Whether a peg stands there, as anybody sees."""
        return bool(self.bench.occupied() >> self.board.by_id[hole].bit & 1)

    def show(self, shown: Card) -> None:
        """Put a card to the reader: one that it saw last only when it counts again, whatever the speed."""
        if shown == self._shown:
            self.wait(self._speed * self.table.snapshot.settings["repeat_ms"] / 1000)
        self._shown = shown
        self.until_news(lambda: self.bench.scan(str(shown)))

    def press(self, button: str) -> None:
        """Press a button."""
        self.until_news(lambda: self.bench.press(button))

    def tap(self, move: Move) -> None:
        """Say on the phone what no device can say. What is refused is tried again after another look."""
        try:
            self.table.submit(move)
        except CompanionError:
            self.wait(THINK_S)


def _played(snapshot: Snapshot) -> tuple[object, ...]:
    return snapshot.moves, snapshot.view, snapshot.notices, snapshot.dice
