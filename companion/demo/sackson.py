"""Simulated players of Sackson swap: they exchange on the phone, as people must, and peg the points by hand."""

from collections.abc import Callable
from typing import Any

from companion.coach import sackson
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

    @property
    def _looks_ahead(self) -> bool:
        """Whether the players search two turns ahead, as an expert does, or one."""
        return self.level == "expert"

    def _lay_markers(self, _now: Snapshot) -> None:
        """Lay a random display. If the rules refuse it, the next round tries another."""
        colours = list(COLOURS * GRID_SIZE)
        self.chance.shuffle(colours)
        self.tap_move(Lay(colours=tuple(colours)))

    def _take_chips(self, now: Snapshot) -> None:
        choose = sackson.choose_chips if self._looks_ahead else sackson.choose_chips_one_ply
        self._move_on_turn(now, lambda seat, seen: Take(seat, choose(seen, self.chance.random)))

    def _exchange_markers(self, now: Snapshot) -> None:
        choose = sackson.choose_exchange if self._looks_ahead else sackson.choose_exchange_one_ply

        def move(seat: int, seen: sackson.TableView) -> Move:
            cells = choose(seen, self.chance.random)
            assert cells is not None, "the rules ask for an exchange only where one is legal"
            return Exchange(seat, *cells)

        self._move_on_turn(now, move)

    def _return_chip(self, now: Snapshot) -> None:
        choose = sackson.choose_return if self._looks_ahead else sackson.choose_return_one_ply
        self._move_on_turn(now, lambda seat, seen: Return(seat, choose(seen, self.chance.random)))

    def _move_on_turn(self, now: Snapshot, move: Callable[[int, sackson.TableView], Move]) -> None:
        """Make the move of the seat on turn. Does nothing if a person at a phone was faster."""
        view: Any = now.view
        if view["turn"] is not None:
            self.tap_move(move(view["turn"], sackson.build_table_view(view, now.game["options"])))

    def _start_next_game(self, _now: Snapshot) -> None:
        self.wait(5)
        self.tap_move(Next())
