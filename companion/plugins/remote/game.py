"""The two sides of a remote game: the host decides the order of the moves, the guest requests its own and follows."""

import json
import time
from contextlib import suppress
from dataclasses import replace
from typing import Any

from companion.common.errors import BadMove, CompanionError, IllegalMove, JournalError
from companion.i18n import format_message
from companion.plugins.remote.dealer import RemoteDealer
from companion.plugins.remote.messages import (
    MAX_MOVES_PER_MESSAGE,
    GameStateMessage,
    LoggedMove,
    MoveLog,
    MoveRefusal,
    MoveRequest,
)
from companion.protocol.json_codec import read_move, write_move
from companion.rules.moves import Move
from companion.table import inputs, resume
from companion.table.game_switcher import GameSwitcher
from companion.table.remote_game import (
    GUEST_SEAT,
    OWN_SEAT_MOVES,
    check_move_seat,
    check_plan,
    report_correction,
    withdraw_request,
)
from companion.table.state import TableCore, Transition

MIN_GAME_INTERVAL_S = 2.0
"""Minimum seconds between two games that a guest opens, so that a hostile host cannot fill the journal with games."""
_PLAN_KEYS_SENT = ("game", "seats", "dealer", "options")
"""Keys of the plan that the guest gets. The board is left out: it may be a file of this table."""


class RemoteGame:
    """A side of the game, used by the session's thread only. `peer` is the other table's last message.

    `why` says why the game cannot continue, and `run` is the host's id of the game; both may be empty.
    """

    def __init__(self, tables: GameSwitcher, dealer: RemoteDealer) -> None:
        self.why = ""
        self.peer = GameStateMessage()
        self._tables, self._table, self._dealer = tables, tables.table, dealer
        self._refusal: MoveRefusal | None = None
        self.log = MoveLog(self._table.journal, self._table.journal.game_id or 0)
        self.run = self._find_run()

    def build_message(self) -> GameStateMessage:
        """Return what both sides state of the game."""
        mark = self.log.mark_after(self.log.count) or ""
        return GameStateMessage(run=self.run, count=self.log.count, mark=mark, why=self._own_why)

    @property
    def _own_why(self) -> str:
        return self.why if self.why != self.peer.why else ""

    def _read_log(self) -> None:
        """Read the moves of the game that is on the table now. Raises JournalError."""
        game = self._table.journal.game_id or 0
        if game != self.log.game:
            self.log, self._refusal = MoveLog(self._table.journal, game), None
            self.run = self._find_run()
        self.log.read_new_moves()

    def _find_run(self) -> str:
        raise NotImplementedError

    def _find_difference(self) -> str:
        """Return a sentence if the journals of the tables differ at the other's last move; empty otherwise."""
        is_same = self.peer.mark == self.log.mark_after(self.peer.count)
        return "" if is_same else format_message("The moves of this game differ at the two tables. Start a new game.")


class GameHost(RemoteGame):
    """Host side: its journal decides the order of the moves."""

    def advance_game(self) -> None:
        """Make the moves that the guest requests. Raises JournalError if the journal cannot be read now."""
        self._read_log()
        request = self.peer.request if self.peer.run == self.run else None
        self.why = (self._find_difference() if self.peer.run == self.run else "") or self.peer.why
        refused = self._refusal and self._refusal.mark
        if request and request.after == self.log.count and request.mark != refused and not self._own_why:
            self._make_requested(request)
            self.log.read_new_moves()

    def build_message(self) -> GameStateMessage:
        """Return the message for the guest, with the moves that it lacks."""
        first = min(self.peer.count, self.log.count) if self.peer.run == self.run else 0
        moves = () if self._own_why else tuple(self.log.moves[first : first + MAX_MOVES_PER_MESSAGE])
        plan = {key: self._table.core.plan.journal_json[key] for key in _PLAN_KEYS_SENT}
        return replace(super().build_message(), plan=plan, first=first, moves=moves, refusal=self._refusal)

    def _find_run(self) -> str:
        return str(self._table.journal.query("SELECT hash FROM game WHERE id = ?", self.log.game)[0][0])[:16]

    def _make_requested(self, request: MoveRequest) -> None:
        """Make the requested moves, unless another move was made since the guest looked."""
        for number, (by, move) in enumerate(request.moves, request.after):
            try:
                self._make_move(read_move(move, 2), by, number)
            except (JournalError, _TableMovedOn):  # the guest repeats the request until the move can be written
                return
            except CompanionError as error:
                self._refusal = MoveRefusal(request.mark, str(error))
                return

    def _make_move(self, move: Move, by: str, number: int) -> None:
        def react(core: TableCore, now_ms: int) -> Transition:
            self.log.read_new_moves()
            if self.log.count != number or self._table.journal.game_id != self.log.game:
                raise _TableMovedOn("Another move was made first.")
            check_move_seat(move, GUEST_SEAT)
            return report_correction(inputs.apply_ordered_move(core, move, by, now_ms), move)

        self._table.request({"move": write_move(move)}, react)


class _TableMovedOn(IllegalMove):
    """Another move was made before the requested one. The guest will see that move."""


class GameGuest(RemoteGame):
    """Guest side: requests own moves from the host and makes every move that the host has accepted."""

    _opened_s = -MIN_GAME_INTERVAL_S

    def advance_game(self) -> None:
        """Follow the host's state. Raises JournalError if the journal cannot be read or written now."""
        self.why = self.peer.why
        try:
            self._read_log()
            if self.peer.run and self.peer.run != self.run:
                if time.monotonic() - self._opened_s < MIN_GAME_INTERVAL_S:
                    return
                self._open_game(self.peer)
                self._opened_s = time.monotonic()
                self._read_log()
            if self.run and not self.why:
                self._follow_host(self.peer)
        except JournalError:
            raise
        except CompanionError as error:
            self.why = str(error)

    def build_message(self) -> GameStateMessage:
        """Return the message for the host, with the moves to request."""
        return replace(super().build_message(), request=self._build_request())

    def _find_run(self) -> str:
        peer = self._table.core.plan.remote_table
        return peer.run if peer else ""

    def _build_request(self) -> MoveRequest | None:
        """Return the moves to request; None if there are none. The mark stays the same after a restart."""
        moves = tuple(LoggedMove(str(move["by"]), move["move"]) for move in self._table.core.requested_moves)
        return MoveRequest(self.log.count, moves) if moves and self.run else None

    def _follow_host(self, host: GameStateMessage) -> None:
        """Make the host's new moves, unless an earlier one is missing. Raises CompanionError for a refused one."""
        for number, logged in enumerate(host.moves, host.first):
            if number == self.log.count:
                try:
                    self._make_move(logged)
                except JournalError:
                    raise
                except CompanionError as error:
                    raise BadMove(
                        "Move {n} of the other table cannot be made here: {error}", n=number + 1, error=error
                    ) from error
                self.log.read_new_moves()
        self.why = self._find_difference() if host.count == self.log.count else ""
        request = self._build_request()
        if request and host.refusal and host.refusal.mark == request.mark:
            self._table.request({"tick": True}, lambda core, _: withdraw_request(core, "phone"))
            why = IllegalMove("The other table refused your last move: {why}", why=host.refusal.why)
            self._table.add_notice("remote", why)

    def _make_move(self, logged: LoggedMove) -> None:
        waiting, move = self._table.core.requested_moves, read_move(logged.move, 2)
        is_own, is_requested = waiting[:1] == ({"by": logged.by, "move": logged.move},), self.log.is_requested(logged)
        if isinstance(move, OWN_SEAT_MOVES) and move.seat == GUEST_SEAT and not is_requested:
            raise IllegalMove("The other table cannot move for this seat.")
        self._dealer.check_dealt_move(self._table.core, self.run, self.log, move)
        line: dict[str, Any] = {"tick": True} if is_own else {"move": write_move(move)}  # a recording already has it

        def react(core: TableCore, now_ms: int) -> Transition:
            done = inputs.apply_ordered_move(core, move, logged.by, now_ms)
            return done if is_requested else report_correction(done, move)

        self._table.request(line, react)
        if waiting and dict(waiting[0])["move"] != logged.move:  # if both made the same move, it is done
            why = IllegalMove("The other table was faster, so your last move was not made.")
            self._table.add_notice("remote", why)

    def _open_game(self, host: GameStateMessage) -> None:
        """Resume or begin the host's game, on this table's own board. Raises CompanionError if that is impossible."""
        peer = self._tables.remote_table
        assert peer is not None
        wanted = replace(peer, run=host.run)
        for game, text in self._table.journal.query("SELECT id, plan FROM game ORDER BY id DESC"):
            with suppress(ValueError):
                if resume.parse_remote_table(json.loads(text)) == wanted:
                    self._tables.resume_game(game)
                    return
        try:
            given = {key: (host.plan or {})[key] for key in _PLAN_KEYS_SENT}  # other fields are for each table to set
            plan = resume.parse_plan({**given, "board": self._tables.attached_board})
        except CompanionError:
            raise
        except (LookupError, TypeError, ValueError, AttributeError):
            raise BadMove("The other table plays a game that this table doesn't know.") from None
        check_plan(plan)
        self._tables.begin_plan(replace(plan, remote_table=wanted))
