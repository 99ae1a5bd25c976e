"""A game that two tables play, far from each other: what may be done at which of them. Pure.

One of them, the host, keeps the order: its journal is the game's. What is done at the other, the guest, is checked by
the same rules and asked of the host; it lies in the guest's journal until the host's order has it, or it is taken back.
The host sits in seat 0, the guest in seat 1, and each seat's cards come from its own table
(docs/decisions/0046-a-seat-far-away.md).
"""

from collections.abc import Sequence
from typing import Any

from companion.common.errors import IllegalMove, SettingsError
from companion.common.frozen import replace
from companion.journal.journal import Entry
from companion.protocol.json_codec import read_move, write_move
from companion.rules.moves import Adjust, Correct, Crib, Go, Hand, Misdeal, Move, Next, Play, Starter, Undo
from companion.table.setup import Plan
from companion.table.state import Core, Happened

HOST, GUEST = 0, 1
"""Where each sits."""
GAMES = ("six-card", "five-card")
"""What can be played so."""
BY = ("phone", "cards", "board", "buttons")
OWN = Play | Go | Hand
"""Moves that only the table of their seat makes."""
DEALT = Starter | Crib
"""Moves that nobody makes by hand: the two tables deal the cards."""
KINDS = (Starter, Play, Go, Hand, Crib, Misdeal, Adjust, Correct, Undo, Next)
"""Every kind of move of such a game."""


def check_plan(plan: Plan) -> None:
    """Raise SettingsError for a game that cannot be played so."""
    if plan.game.key not in GAMES or plan.setup.seats != 2:
        raise SettingsError("With a table far away six-card and five-card cribbage of two are played.")
    if plan.setup.options.get("counting") == "manual":
        raise SettingsError("With a table far away the table counts: leave out counting=manual.")


def own_seat(plan: Plan) -> int:
    """Who sits at this table."""
    return HOST if plan.afar is None or plan.afar.is_host else GUEST


def check_seat(move: Move, seat: int) -> None:
    """Raise IllegalMove for a move that people at the table of this seat cannot make."""
    if not isinstance(move, KINDS):
        raise IllegalMove("With a table far away no such move is made.")
    if isinstance(move, DEALT):
        raise IllegalMove("The two tables deal these cards and turn them up: nobody needs to.")
    if isinstance(move, OWN) and move.seat != seat:
        raise IllegalMove("That seat plays at the other table.")


def check_lying() -> None:
    """Raise IllegalMove: no cards are laid here by hand."""
    raise IllegalMove("The two tables deal these cards and turn them up: nobody needs to.")


def asked(core: Core, done: Happened, by: str) -> Happened:
    """What becomes of something that people do at this table, where it would make `done`. Raises IllegalMove."""
    moves = [read_move(entry.body) for entry in done.entries if entry.kind == "move"]
    if not moves or (core.plan.afar and core.plan.afar.is_host):
        return done
    return ask(core, moves, by)


def ask(core: Core, moves: Sequence[Move], by: str) -> Happened:
    """The host is asked for these moves. Raises IllegalMove where it is asked already."""
    if core.plan.afar is None or not core.plan.afar.run:
        raise IllegalMove("The other table has not begun a game yet.")
    if core.waiting:
        raise IllegalMove("What you did last still waits for the other table: take it back with undo, or wait.")
    waiting: list[dict[str, Any]] = [{"by": by, "move": write_move(move)} for move in moves]
    return Happened(replace(core, waiting=tuple(waiting)), (Entry("ask", by, waiting),))


def ask_no_more(core: Core, by: str) -> Happened:
    """What waits is taken back, as far as the host has not taken it yet."""
    return Happened(replace(core, waiting=()), (Entry("ask", by, []),))
