"""Host side of a remote game: decide the order of moves, make the moves that the guest requests, publish all moves."""

from contextlib import suppress

from companion.common.errors import BadMove, CompanionError, IllegalMove, JournalError
from companion.i18n import format_message
from companion.protocol.json_codec import write_move
from companion.remote.messages import MAX_MOVES_PER_MESSAGE, GameStateMessage, MoveRefusal, MoveRequest
from companion.remote.move_log import MoveLog
from companion.rules.moves import Move
from companion.table import inputs
from companion.table.game_switcher import GameSwitcher
from companion.table.remote_game import GUEST_SEAT, check_move_seat
from companion.table.state import TableCore, Transition

_RUN_LENGTH = 16
_PLAN_KEYS_SENT = ("game", "seats", "dealer", "options")
"""Keys of the plan that the guest gets. The board is left out: it may be a file of this table."""


class GameHost:
    """Used by the session's thread only. `why` says why the game cannot continue; empty otherwise."""

    def __init__(self, tables: GameSwitcher) -> None:
        self.why = self.name = ""
        self._tables, self._table = tables, tables.table
        self._guest = GameStateMessage(is_host=False)
        self._refusal: MoveRefusal | None = None
        self._open_log()

    @property
    def log(self) -> MoveLog:
        """The moves of the game as last read."""
        return self._log

    def on_message(self, message: GameStateMessage) -> None:
        """Store the guest's message. Raises BadMove if it is not from a guest."""
        if message.is_host:
            raise BadMove("Both tables have invited the other. Start one of them with --join.")
        self._guest, self.name = message, message.name

    def advance_game(self) -> None:
        """Make requested moves. Raises JournalError if the journal cannot be read now."""
        if self._table.journal.game_id != self._log.game:
            self._open_log()
        self._log.read_new_moves()
        guest = self._guest
        is_same_game = guest.run == self.run
        if is_same_game and guest.mark != self._log.mark_after(guest.count):
            self.why = format_message("The moves of this game differ at the two tables. Start a new game.")
            return
        self.why = guest.why
        request = guest.request
        if (
            is_same_game
            and request
            and request.moves
            and request.after == self._log.count
            and request.id != self._answered_id
        ):
            self._make_requested(request)
            self._log.read_new_moves()

    def build_message(self) -> GameStateMessage:
        """Return the message for the guest."""
        log, guest = self._log, self._guest
        first = min(guest.count, log.count) if guest.run == self.run else 0
        return GameStateMessage(
            is_host=True,
            run=self.run,
            count=log.count,
            mark=log.mark_after(log.count) or "",
            plan={key: self._table.core.plan.journal_json[key] for key in _PLAN_KEYS_SENT},
            first=first,
            moves=() if self.why else tuple(log.moves[first : first + MAX_MOVES_PER_MESSAGE]),
            refusal=self._refusal,
            why=self.why if self.why != guest.why else "",
        )

    @property
    def _answered_id(self) -> str:
        return self._refusal.id if self._refusal else ""

    def _open_log(self) -> None:
        game = self._table.journal.game_id or 0
        self._log = MoveLog(self._table.journal, game)
        self.run = str(self._table.journal.query("SELECT hash FROM game WHERE id = ?", game)[0][0])[:_RUN_LENGTH]

    def _make_requested(self, request: MoveRequest) -> None:
        """Make the requested moves, unless another move was made since the guest looked."""
        for number, (by, move) in enumerate(request.moves, request.after):
            try:
                self._make_move(move, by, number)
            except JournalError:  # the guest repeats the request until the move can be written
                return
            except CompanionError as error:
                self._refusal = MoveRefusal(request.id, str(error))
                return

    def _make_move(self, move: Move, by: str, number: int) -> None:
        def react(core: TableCore, now_ms: int) -> Transition:
            self._log.read_new_moves()
            if self._log.count != number or self._table.journal.game_id != self._log.game:
                raise _TableMovedOn("Another move was made first.")
            check_move_seat(move, GUEST_SEAT)
            return inputs.apply_ordered_move(core, move, by, now_ms)

        with suppress(_TableMovedOn):
            self._table.request({"move": write_move(move)}, react)


class _TableMovedOn(IllegalMove):
    """Another move was made before the requested one. The guest will see that move."""
