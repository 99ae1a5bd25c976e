"""Simulated players at the simulated devices: hands that scan, press and peg at a speed one can watch.

They see what players see: their own cards, and the public snapshot. They never touch the rules; only what no
device can say (a new game after the last, a steal, an exchange) is tapped on the phone, as a person would.
"""

import threading
from contextlib import suppress
from random import SystemRandom

from companion.common.errors import SettingsError
from companion.demo.actions import Hands
from companion.demo.baseball import BasesPlayers
from companion.demo.cards import CardPlayers
from companion.demo.pegs_only import PegPlayers
from companion.demo.pursuit import PursuitPlayers
from companion.demo.sackson import SwapPlayers
from companion.demo.shuffle import ShufflePlayer
from companion.devices.simulation.bench import SimulatedBench
from companion.table.table import Table

LOOK_S = 0.5
"""How often the players look whether another game is on."""

PLAYERS: dict[str, type[Hands]] = {
    "six-card": CardPlayers,
    "five-card": CardPlayers,
    "pursuit": PursuitPlayers,
    "bases": BasesPlayers,
    "swap": SwapPlayers,
    "shuffle": ShufflePlayer,
    "pegs-only": PegPlayers,
}
"""Who plays which game."""


class Demo:
    """Simulated players at a running table, whichever game is on. They get up where they do not know it."""

    def __init__(self, table: Table, bench: SimulatedBench, speed: float, level: str = "expert") -> None:
        """Let them sit down. Raises SettingsError where they cannot play."""
        self._table, self._bench, self._speed, self._level = table, bench, speed, level
        self._hands: Hands | None = _seated(table, bench, speed, level)
        self._game = self._hands.game
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="demo table", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop playing."""
        self._closed.set()
        self._thread.join(2)
        if self._hands:
            self._hands.close()

    def _run(self) -> None:
        while not self._closed.wait(LOOK_S) and not self._table.closed:
            if self._table.journal.game == self._game:
                continue
            if self._hands:
                self._hands.close()
            self._hands = None
            with self._table.changed, suppress(SettingsError):
                self._game = self._table.journal.game
                self._hands = _seated(self._table, self._bench, self._speed, self._level)


def _seated(table: Table, bench: SimulatedBench, speed: float, level: str) -> Hands:
    plan = table.core.plan
    players = PLAYERS.get(plan.game.key)
    if players is None:
        raise SettingsError(f"There are no simulated players of {plan.game.title} yet: start it without --demo.")
    if real := {"sensors", "cards", "buttons"} - bench.simulated:
        raise SettingsError(f"The demo plays on simulated devices: leave out --{min(real)}, or --demo.")
    return players(table, plan.board, bench, speed, SystemRandom(), level)
