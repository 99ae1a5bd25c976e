"""Simulated players who scan, press and peg on the simulated devices at a speed that people can follow.

They see what players see: their own cards and the public snapshot. They never call the rules. Only what no device can
enter (the next game, a steal, an exchange) is entered as on a phone.
"""

from contextlib import suppress
from pkgutil import resolve_name
from random import SystemRandom

from companion.common.errors import SettingsError
from companion.common.worker import Worker
from companion.demo.actions import CLOSE_TIMEOUT_S, SimulatedPlayers
from companion.devices.simulated_bench import SimulatedBench
from companion.table.table import Table

GAME_POLL_INTERVAL_S = 0.5
"""Interval at which the demo checks whether another game has begun, in seconds."""

PLAYERS_BY_GAME = {
    "six-card": "companion.demo.cards:CardPlayers",
    "five-card": "companion.demo.cards:CardPlayers",
    "pursuit": "companion.demo.cards:PursuitPlayers",
    "bases": "companion.demo.cards:BaseballPlayers",
    "swap": "companion.demo.grids:SacksonPlayers",
    "shuffle": "companion.demo.grids:ShufflePlayer",
    "pegs-only": "companion.demo.actions:PegsOnlyPlayers",
}
"""Where the class of the simulated players of each game is, by its key. Only what is played is imported."""


class Demo(Worker):
    """Simulated players at a running table, for whatever game is on. They pause in a game that they cannot play."""

    def __init__(self, table: Table, bench: SimulatedBench, speed: float, level: str = "expert") -> None:
        """Start playing. Raises SettingsError if the game or the devices cannot be simulated."""
        super().__init__("demo table", join_timeout_s=CLOSE_TIMEOUT_S)
        self._table, self._bench, self._speed, self._level = table, bench, speed, level
        self._players: SimulatedPlayers | None = _create_players(table, bench, speed, level)
        self._game = self._players.game
        self.start()

    def close(self) -> None:
        super().close()
        if self._players:
            self._players.close()

    def _run(self) -> None:
        while not self.closing.wait(GAME_POLL_INTERVAL_S) and not self._table.is_closed:
            if self._table.journal.game_id == self._game:
                continue
            if self._players:
                self._players.close()
            self._players = None
            with self._table.locked(), suppress(SettingsError):
                self._game = self._table.journal.game_id
                self._players = _create_players(self._table, self._bench, self._speed, self._level)


def _create_players(table: Table, bench: SimulatedBench, speed: float, level: str) -> SimulatedPlayers:
    plan = table.core.plan
    if plan.game.key not in PLAYERS_BY_GAME:
        raise SettingsError(f"There are no simulated players for {plan.game.title}. Start it without --demo.")
    if real := {"sensors", "cards", "buttons"} - bench.simulated_devices:
        raise SettingsError(f"The demo needs simulated devices. Omit --{min(real)} or --demo.")
    players: type[SimulatedPlayers] = resolve_name(PLAYERS_BY_GAME[plan.game.key])
    return players(table, plan.board, bench, speed, SystemRandom(), level)
