"""A remote game between two tables: which moves each of them may make. Pure.

The host decides the order of the moves; its journal is authoritative. Moves at the guest are checked by the same rules
and requested from the host. A request stays in the guest's journal until the host orders the move or it is withdrawn.
The host sits in seat 0, the guest in seat 1, and the cards of each seat come from its own table
(docs/decisions/0044-play-remotely-over-a-broker.md).
"""

from collections.abc import Sequence
from typing import Any

from companion.common.errors import IllegalMove, SettingsError
from companion.common.values import replace
from companion.i18n import join_messages
from companion.journal.journal import JournalEntry
from companion.protocol.json_codec import read_move, write_move
from companion.rules.moves import Adjust, Correct, Crib, Go, Hand, Misdeal, Move, Next, Play, Rule, Starter, Undo
from companion.table.setup import TablePlan
from companion.table.state import TableCore, Transition, add_refusal

HOST_SEAT, GUEST_SEAT = 0, 1
"""Seats of the two tables."""
REMOTE_GAMES = ("six-card", "five-card")
"""Keys of the games that can be played remotely."""
INPUT_SOURCES = ("phone", "cards", "board", "buttons")
OWN_SEAT_MOVES = Play | Go | Hand
"""Moves that only the table of their own seat may make."""
DEALT_MOVES = Starter | Crib
"""Moves that players cannot make, because the two tables deal the cards."""
CORRECTION_MOVES = Undo | Adjust | Correct | Rule | Misdeal
"""Moves that change what is already on the table. Both tables may make them; the other table gets a notice."""
REMOTE_MOVES = (Starter, Play, Go, Hand, Crib, Misdeal, Adjust, Correct, Rule, Undo, Next)
"""All moves that occur in a remote game."""


def check_plan(plan: TablePlan) -> None:
    """Raise SettingsError for a game that cannot be played remotely."""
    if plan.game.key not in REMOTE_GAMES or plan.setup.seats != 2:
        raise SettingsError("With another table you can play six-card or five-card cribbage for two.")
    if plan.setup.options.get("counting") == "manual":
        raise SettingsError("With another table, the tables count the hands: leave out counting=manual.")


def find_own_seat(plan: TablePlan) -> int:
    return HOST_SEAT if plan.remote_table is None or plan.remote_table.is_host else GUEST_SEAT


def check_move_seat(move: Move, seat: int) -> None:
    """Raise IllegalMove for a move that players at the table of this seat cannot make."""
    if not isinstance(move, REMOTE_MOVES):
        raise IllegalMove("This move is not possible in a game with another table.")
    if isinstance(move, DEALT_MOVES):
        raise IllegalMove("The tables deal these cards automatically.")
    if isinstance(move, OWN_SEAT_MOVES) and move.seat != seat:
        raise IllegalMove("That player sits at the other table.")


def report_correction(done: Transition, move: Move) -> Transition:
    """Return `done` with a notice of a correction that the other table has made."""
    if not isinstance(move, CORRECTION_MOVES):
        return done
    said = join_messages((done.core.last_move or {}).get("said", ()), " ")
    return done.and_then(add_refusal(done.core, "remote", IllegalMove("From the other table: {said}", said=said)))


def refuse_laid_card() -> None:
    """Raise IllegalMove, because in a remote game no cards are laid by hand."""
    raise IllegalMove("The tables deal these cards automatically.")


def request_from_host(core: TableCore, done: Transition, by: str) -> Transition:
    """Return `done` at the host, and a request for its moves at the guest. Raises IllegalMove."""
    moves = [read_move(entry.body) for entry in done.entries if entry.kind == "move"]
    if not moves or (core.plan.remote_table and core.plan.remote_table.is_host):
        return done
    return request_moves(core, moves, by)


def request_moves(core: TableCore, moves: Sequence[Move], by: str) -> Transition:
    """Request these moves from the host. Raises IllegalMove if a request is already pending."""
    if core.plan.remote_table is None or not core.plan.remote_table.run:
        raise IllegalMove("The other table has not begun a game yet.")
    if core.requested_moves:
        raise IllegalMove("Your last move is still waiting for the other table. Wait, or undo it.")
    requested: list[dict[str, Any]] = [{"by": by, "move": write_move(move)} for move in moves]
    return Transition(replace(core, requested_moves=tuple(requested)), (JournalEntry("ask", by, requested),))


def withdraw_request(core: TableCore, by: str) -> Transition:
    """Withdraw the pending request. A host that has already ordered the moves is not affected."""
    return Transition(replace(core, requested_moves=()), (JournalEntry("ask", by, []),))
