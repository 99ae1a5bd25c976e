"""Guest side of a remote game: request own moves from the host and make every move that the host has accepted."""

import hashlib
import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

from companion.common.errors import BadMove, CompanionError, IllegalMove, JournalError
from companion.i18n import format_message
from companion.protocol.json_codec import dump_json, read_move, write_move
from companion.remote.messages import GameStateMessage, MoveRequest
from companion.remote.move_log import LoggedMove, MoveLog
from companion.table import inputs
from companion.table.game_switcher import GameSwitcher
from companion.table.remote_game import REMOTE_GAMES, check_plan, withdraw_request
from companion.table.setup import RemoteTable, TablePlan, create_plan
from companion.table.state import TableCore, Transition, add_refusal

_GAMES_QUERY = "SELECT id, plan FROM game ORDER BY id DESC"


class GameGuest:
    """Used by the session's thread only. `why` says why the game cannot continue; empty otherwise."""

    def __init__(self, tables: GameSwitcher) -> None:
        self.why = self.name = ""
        self._tables, self._table = tables, tables.table
        self._host = GameStateMessage(is_host=True)
        self._log = MoveLog(self._table.journal, self._table.journal.game_id or 0)

    @property
    def log(self) -> MoveLog:
        """The moves of the game as last read."""
        return self._log

    @property
    def run(self) -> str:
        """The host's id of the game; empty if none of its games is on the table."""
        peer = self._table.core.plan.remote_table
        return peer.run if peer else ""

    def on_message(self, message: GameStateMessage) -> None:
        """Store the host's message. Raises BadMove if it is not from a host."""
        if not message.is_host:
            raise BadMove("Neither table has invited the other. Start one of them with --invite.")
        self._host, self.name = message, message.name

    def advance_game(self) -> None:
        """Follow the host's state. Raises JournalError if the journal cannot be read or written now."""
        host = self._host
        if host.run and host.run != self.run:
            try:
                self._open_game(host)
            except JournalError:
                raise
            except CompanionError as error:
                self.why = str(error)
                return
        if self._table.journal.game_id != self._log.game:
            self._log = MoveLog(self._table.journal, self._table.journal.game_id or 0)
        self._log.read_new_moves()
        self.why = host.why
        if host.run and not host.why:
            self._follow_host(host)

    def build_message(self) -> GameStateMessage:
        """Return the message for the host."""
        log = self._log
        return GameStateMessage(
            is_host=False,
            run=self.run,
            count=log.count,
            mark=log.mark_after(log.count) or "",
            request=self._build_request(self._table.core),
            why=self.why if self.why != self._host.why else "",
        )

    def _build_request(self, core: TableCore) -> MoveRequest | None:
        """Return the moves to request; None if there are none. The id stays the same after a restart."""
        if not core.requested_moves or not self.run:
            return None
        request_id = hashlib.sha256(
            dump_json([self.run, self._log.count, list(core.requested_moves)]).encode()
        ).hexdigest()[:16]
        moves = tuple((str(each["by"]), read_move(each["move"], 2)) for each in core.requested_moves)
        return MoveRequest(request_id, self._log.count, moves)

    def _follow_host(self, host: GameStateMessage) -> None:
        """Make the host's new moves, unless an earlier one is missing."""
        for number, logged in enumerate(host.moves, host.first):
            if number == self._log.count:
                try:
                    self._make_move(logged)
                except JournalError:
                    raise
                except CompanionError as error:
                    self.why = format_message(
                        "Move {n} of the other table cannot be made here: {error}", n=number + 1, error=error
                    )
                    return
                self._log.read_new_moves()
        if host.count == self._log.count and host.mark != self._log.mark_after(host.count):
            self.why = format_message("The moves of this game differ at the two tables. Start a new game.")
            return
        request = self._build_request(self._table.core)
        if request and host.refusal and host.refusal.id == request.id:
            self._drop_request(host.refusal.why)

    def _make_move(self, logged: LoggedMove) -> None:
        waiting, move = self._table.core.requested_moves, read_move(logged.move, 2)
        is_own = waiting[:1] == ({"by": logged.by, "move": logged.move},)
        line: dict[str, Any] = {"tick": True} if is_own else {"move": write_move(move)}  # a recording already has it
        self._table.request(line, lambda core, now_ms: inputs.apply_ordered_move(core, move, logged.by, now_ms))
        if waiting and dict(waiting[0])["move"] != logged.move:  # if both made the same move, it is done
            self._show_error(IllegalMove("The other table was faster, so your last move was not made."))

    def _drop_request(self, why: str) -> None:
        """Withdraw the refused request."""
        self._table.request({"tick": True}, lambda core, _: withdraw_request(core, "phone"))
        self._show_error(IllegalMove("The other table refused your last move: {why}", why=why))

    def _show_error(self, error: CompanionError) -> None:
        def react(core: TableCore, _: int) -> Transition:
            return add_refusal(core, "remote", error)

        with suppress(CompanionError):
            self._table.request({"tick": True}, react)

    def _open_game(self, host: GameStateMessage) -> None:
        """Resume or begin the host's game. Raises CompanionError if that is impossible."""
        for game, text in self._table.journal.query(_GAMES_QUERY):
            with suppress(ValueError, LookupError, TypeError, AttributeError):
                peer = json.loads(text).get("afar") or {}
                if self._tables.remote_table and (peer["run"], peer["board"]) == (
                    host.run,
                    self._tables.remote_table.board,
                ):
                    self._tables.resume_game(game)
                    return
        self._tables.begin_plan(self._plan_from_host(host))

    def _plan_from_host(self, host: GameStateMessage) -> TablePlan:
        """Return the host's plan for this table's own board. Raises CompanionError."""
        host_plan, peer = host.plan or {}, self._tables.remote_table
        key, seats, dealer, options = (host_plan.get(each) for each in ("game", "seats", "dealer", "options"))
        texts = isinstance(options, dict) and all(isinstance(each, str) for pair in options.items() for each in pair)
        if key not in REMOTE_GAMES or seats != 2 or dealer not in (0, 1) or not texts or peer is None:
            raise BadMove("The other table plays a game that this table doesn't know.")
        plan = create_plan(str(key), 2, dealer, options, self._tables.attached_board)
        check_plan(plan)
        return replace(plan, remote_table=RemoteTable(peer.board, is_host=False, run=host.run))
