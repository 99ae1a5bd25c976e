"""Simulated players of Sackson swap: they exchange on the phone, as people must, and peg the points by hand."""

from collections.abc import Callable

from companion.coach import heuristics
from companion.common.snapshot import Snapshot
from companion.demo.actions import SimulatedPlayers
from companion.rules.moves import Exchange, Lay, Move, Next, Return, Take
from companion.rules.sackson.grid import COLOURS, GRID_SIZE


class SacksonPlayers(SimulatedPlayers):
    """Two players, or four as two sides. The whole table is visible to them."""

    def phase_actions(self) -> dict[str, Callable[[Snapshot], None]]:
        """Return the action for each phase of the game."""
        return {
            "lay": self._lay_markers,
            "take": self._take_chips,
            "exchange": self._exchange_markers,
            "return": self._return_chip,
            "over": self._start_next_game,
        }

    def _lay_markers(self, _now: Snapshot) -> None:
        """Lay a random display. If the rules refuse it, the next round tries another."""
        colours = list(COLOURS * GRID_SIZE)
        self.chance.shuffle(colours)
        self.tap_move(Lay(colours=tuple(colours)))

    def _take_chips(self, now: Snapshot) -> None:
        self._move_on_turn(now, lambda seat, *seen: Take(seat, heuristics.choose_chips(*seen)))

    def _exchange_markers(self, now: Snapshot) -> None:
        self._move_on_turn(now, lambda seat, *seen: Exchange(seat, *heuristics.choose_exchange(*seen)))

    def _return_chip(self, now: Snapshot) -> None:
        self._move_on_turn(now, lambda seat, *seen: Return(seat, heuristics.choose_return(*seen)))

    def _move_on_turn(self, now: Snapshot, move: Callable[..., Move]) -> None:
        """Make the move of the seat on turn. Does nothing if a person at a phone was faster."""
        if now.view["turn"] is not None:
            self.tap_move(move(now.view["turn"], now.view, now.game["options"], self.chance.random))

    def _start_next_game(self, _now: Snapshot) -> None:
        self.wait(5)
        self.tap_move(Next())
