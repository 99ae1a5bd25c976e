"""The table that keeps the order of a game played by two: it makes what the other asks for, and tells what was made."""

from contextlib import suppress

from companion.common.errors import BadMove, CompanionError, IllegalMove, JournalError
from companion.i18n import say
from companion.protocol.json_codec import write_move
from companion.remote.messages import MOST, Answer, Ask, Letter
from companion.remote.move_log import Log
from companion.rules.moves import Move
from companion.table import inputs
from companion.table.game_switcher import Tables
from companion.table.remote_game import GUEST, check_seat
from companion.table.state import Core, Happened

_RUN = 16
_TOLD = ("game", "seats", "dealer", "options")
"""What the guest is told of the plan: the board is this table's own, perhaps a file."""


class Hosting:
    """For the one thread that talks with the other table. `why`: why the two cannot go on; empty while they can."""

    def __init__(self, tables: Tables) -> None:
        self.why = self.name = ""
        self._tables, self._table = tables, tables.table
        self._guest = Letter(is_host=False)
        self._answer: Answer | None = None
        self._open()

    @property
    def log(self) -> Log:
        """The game as far as it was read last."""
        return self._log

    def heard(self, letter: Letter) -> None:
        """What the guest says of itself. Raises BadMove for what no guest would say."""
        if letter.is_host:
            raise BadMove("Both tables have invited the other: one of the two joins, with --join.")
        self._guest, self.name = letter, letter.name

    def turn(self) -> None:
        """Make what is asked for. Raises JournalError where the journal cannot be read now."""
        if self._table.journal.game != self._log.game:
            self._open()
        self._log.look()
        guest = self._guest
        is_of_this = guest.run == self.run
        if is_of_this and guest.mark != self._log.mark(guest.count):
            self.why = say("The other table has another course of this game: begin a new one.")
            return
        self.why = guest.why
        ask = guest.ask
        if is_of_this and ask and ask.moves and ask.after == self._log.count and ask.id != self._answered:
            self._make(ask)
            self._log.look()

    def letter(self) -> Letter:
        """What the guest is to know now."""
        log, guest = self._log, self._guest
        first = min(guest.count, log.count) if guest.run == self.run else 0
        return Letter(
            is_host=True,
            run=self.run,
            count=log.count,
            mark=log.mark(log.count) or "",
            plan={key: self._table.core.plan.given[key] for key in _TOLD},
            first=first,
            told=() if self.why else tuple(log.made[first : first + MOST]),
            answer=self._answer,
            why=self.why if self.why != guest.why else "",
        )

    @property
    def _answered(self) -> str:
        return self._answer.id if self._answer else ""

    def _open(self) -> None:
        game = self._table.journal.game or 0
        self._log = Log(self._table.journal, game)
        self.run = str(self._table.journal.read("SELECT hash FROM game WHERE id = ?", game)[0][0])[:_RUN]

    def _make(self, ask: Ask) -> None:
        """Make what the guest asks for, if nothing else has been made since it looked."""
        for number, (by, move) in enumerate(ask.moves, ask.after):
            try:
                self._made(move, by, number)
            except JournalError:  # it is asked for until it can be kept
                return
            except CompanionError as error:
                self._answer = Answer(ask.id, str(error))
                return

    def _made(self, move: Move, by: str, number: int) -> None:
        def react(core: Core, now_ms: int) -> Happened:
            self._log.look()
            if self._log.count != number or self._table.journal.game != self._log.game:
                raise _Late("Something else was done before.")
            check_seat(move, GUEST)
            return inputs.ordered(core, move, by, now_ms)

        with suppress(_Late):
            self._table.asked({"move": write_move(move)}, react)


class _Late(IllegalMove):
    """What was asked for meant the table as it was before another move: who asked will see that move."""
