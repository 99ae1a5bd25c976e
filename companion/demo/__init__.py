"""Simulated players at the simulated devices: hands that scan, press and peg at a speed one can watch.

They see what players see: their own cards, and the public snapshot. They never touch the rules; only what no
device can say (a new game after the last, a steal, an exchange) is tapped on the phone, as a person would.
"""

from random import SystemRandom

from companion.demo.bases import BasesPlayers
from companion.demo.cards import CardPlayers
from companion.demo.hands import Hands
from companion.demo.pegs import PegPlayers
from companion.demo.pursuit import PursuitPlayers
from companion.demo.shuffle import ShufflePlayer
from companion.demo.swap import SwapPlayers
from companion.devices.bench import SimulatedBench
from companion.errors import SettingsError
from companion.table.table import Table

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


def begin(table: Table, bench: SimulatedBench, speed: float) -> Hands:
    """Let simulated players sit down at a running table. Raises SettingsError where they cannot play."""
    plan = table.core.plan
    players = PLAYERS.get(plan.game.key)
    if players is None:
        raise SettingsError(f"There are no simulated players of {plan.game.title} yet: start it without --demo.")
    if real := {"sensors", "cards", "buttons"} - bench.simulated:
        raise SettingsError(f"The demo plays on simulated devices: leave out --{min(real)}, or --demo.")
    return players(table, plan.board, bench, speed, SystemRandom())
