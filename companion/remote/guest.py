"""The table that follows the order of another: it asks for its own moves, and makes all that the other has accepted."""

import hashlib
import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

from companion.common.errors import BadMove, CompanionError, IllegalMove, JournalError
from companion.i18n import say
from companion.protocol.json_codec import dumps, read_move, write_move
from companion.remote.messages import Ask, Letter
from companion.remote.move_log import Log, Made
from companion.table import inputs
from companion.table.game_switcher import Tables
from companion.table.remote_game import GAMES, ask_no_more, check_plan
from companion.table.setup import Afar, Plan, plan
from companion.table.state import Core, Happened, refused

_GAMES = "SELECT id, plan FROM game ORDER BY id DESC"


class Visiting:
    """For the one thread that talks with the other table. `why`: why the two cannot go on; empty while they can."""

    def __init__(self, tables: Tables) -> None:
        self.why = self.name = ""
        self._tables, self._table = tables, tables.table
        self._host = Letter(is_host=True)
        self._log = Log(self._table.journal, self._table.journal.game or 0)

    @property
    def log(self) -> Log:
        """The game as far as it was read last."""
        return self._log

    @property
    def run(self) -> str:
        """What the host calls the game; empty where none of its games is on."""
        afar = self._table.core.plan.afar
        return afar.run if afar else ""

    def heard(self, letter: Letter) -> None:
        """What the host says of the game. Raises BadMove for what no host would say."""
        if not letter.is_host:
            raise BadMove("Neither table has invited the other: one of the two does, with --invite.")
        self._host, self.name = letter, letter.name

    def turn(self) -> None:
        """Do as the host has it. Raises JournalError where the journal cannot be read or written now."""
        host = self._host
        if host.run and host.run != self.run:
            try:
                self._open(host)
            except JournalError:
                raise
            except CompanionError as error:
                self.why = str(error)
                return
        if self._table.journal.game != self._log.game:
            self._log = Log(self._table.journal, self._table.journal.game or 0)
        self._log.look()
        self.why = host.why
        if host.run and not host.why:
            self._follow(host)

    def letter(self) -> Letter:
        """What the host is to know now."""
        log = self._log
        return Letter(
            is_host=False,
            run=self.run,
            count=log.count,
            mark=log.mark(log.count) or "",
            ask=self._ask(self._table.core),
            why=self.why if self.why != self._host.why else "",
        )

    def _ask(self, core: Core) -> Ask | None:
        """What is asked for. It has the same name after a restart, and again where the same is asked for again."""
        if not core.waiting or not self.run:
            return None
        named = hashlib.sha256(dumps([self.run, self._log.count, list(core.waiting)]).encode()).hexdigest()[:16]
        moves = tuple((str(each["by"]), read_move(each["move"], 2)) for each in core.waiting)
        return Ask(named, self._log.count, moves)

    def _follow(self, host: Letter) -> None:
        """Make the moves that are new, unless one before them is missing."""
        for number, made in enumerate(host.told, host.first):
            if number == self._log.count:
                try:
                    self._make(made)
                except JournalError:
                    raise
                except CompanionError as error:
                    self.why = say(
                        "Move {n} of the other table cannot be made here: {error}", n=number + 1, error=error
                    )
                    return
                self._log.look()
        if host.count == self._log.count and host.mark != self._log.mark(host.count):
            self.why = say("The other table has another course of this game: begin a new one.")
            return
        ask = self._ask(self._table.core)
        if ask and host.answer and host.answer.id == ask.id:
            self._refuse(host.answer.why)

    def _make(self, made: Made) -> None:
        waiting, move = self._table.core.waiting, read_move(made.move, 2)
        is_own = waiting[:1] == ({"by": made.by, "move": made.move},)
        line: dict[str, Any] = {"tick": True} if is_own else {"move": write_move(move)}  # a recording has it already
        self._table.asked(line, lambda core, now_ms: inputs.ordered(core, move, made.by, now_ms))
        if waiting and dict(waiting[0])["move"] != made.move:  # where both did the same, it is done
            self._say(IllegalMove("The other table was faster: what you did last has not been done."))

    def _refuse(self, why: str) -> None:
        """What was asked for is not made."""
        self._table.asked({"tick": True}, lambda core, _: ask_no_more(core, "phone"))
        self._say(IllegalMove("The other table refuses what you did last: {why}", why=why))

    def _say(self, error: CompanionError) -> None:
        def react(core: Core, _: int) -> Happened:
            return refused(core, "remote", error)

        with suppress(CompanionError):
            self._table.asked({"tick": True}, react)

    def _open(self, host: Letter) -> None:
        """The host's game: gone on with, or begun. Raises CompanionError where it cannot be."""
        for game, text in self._table.journal.read(_GAMES):
            with suppress(ValueError, LookupError, TypeError, AttributeError):
                afar = json.loads(text).get("afar") or {}
                if self._tables.afar and (afar["run"], afar["board"]) == (host.run, self._tables.afar.board):
                    self._tables.resume(game)
                    return
        self._tables.open(self._planned(host))

    def _planned(self, host: Letter) -> Plan:
        """The host's game, on our own board: the wood may be another. Raises CompanionError."""
        given, afar = host.plan or {}, self._tables.afar
        key, seats, dealer, options = (given.get(each) for each in ("game", "seats", "dealer", "options"))
        texts = isinstance(options, dict) and all(isinstance(each, str) for pair in options.items() for each in pair)
        if key not in GAMES or seats != 2 or dealer not in (0, 1) or not texts or afar is None:
            raise BadMove("The other table plays a game that is not known here.")
        made = plan(str(key), 2, dealer, options, self._tables.attached)
        check_plan(made)
        return replace(made, afar=Afar(afar.board, is_host=False, run=host.run))
