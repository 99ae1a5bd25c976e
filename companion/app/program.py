"""A table that runs: journal, devices, lights and server plugged together, from its first breath to SIGTERM."""

import logging
import os
import secrets
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from companion.app import network
from companion.app.certificates import Authority, Renewing, names
from companion.app.device_manager import Plugged
from companion.app.disk_monitor import Storage
from companion.app.launch import Wanted, goes_on, last, wanted_plan
from companion.app.light_loop import Lighting
from companion.app.network import EVERYWHERE, Announcing, everywhere, lan_address, reached
from companion.common.errors import CompanionError, JournalError, SettingsError
from companion.common.paths import give_back
from companion.journal.journal import Journal, Kept
from companion.mqtt import reporting
from companion.opponent import player
from companion.protocol.json_codec import dumps
from companion.remote import seat_afar
from companion.server import Door, Hands, Phones, Serving, Tail, Workshop, create_app, listen, load_key, wrapping
from companion.server.auth.join import HOW_TO_JOIN
from companion.settings import Settings
from companion.table import players
from companion.table.game_switcher import Tables
from companion.table.recent_inputs import Recent
from companion.table.recording import recorded_from
from companion.table.state import Core, begin, refused
from companion.table.table import Table

_LOG = logging.getLogger(__name__)
_ANSWERS_S = 3.0
"""A disk may take a second or two; what is silent for longer is stuck."""


def clock() -> int:
    """Whole milliseconds, monotonic."""
    return time.monotonic_ns() // 1_000_000


class Running:
    """The whole program in one object that can be closed. Raises a CompanionError where it cannot start.

    `damage` says what was found to be missing from the journal, None where nothing is.
    """

    def __init__(self, wanted: Wanted) -> None:
        self._closing = ExitStack()
        try:
            self._open(wanted)
        except BaseException:
            self.close()
            raise

    def _open(self, wanted: Wanted) -> None:
        settings = wanted.settings
        if wanted.journal.name == ":memory:":
            raise SettingsError("A journal is a file: name one with --journal.")
        self._wrap = wrapping(settings.certificate, settings.certificate_key) if settings.certificate else None
        self.authority = self._certified(wanted) if settings.tls == "on" and not self._wrap else None
        self._closing.callback(give_back, wanted.journal.parent)
        listening = self._closing.enter_context(closing(listen(everywhere(settings.host), settings.port)))
        self.key = load_key(wanted.journal.with_suffix(".key"))
        journal = self._journal(wanted.journal)
        wanted.packs.bring()
        self._look = wanted.packs.look(settings.effects)
        kept = None if wanted.new else goes_on(journal.last_game(), wanted)
        kept, core = last(kept, wanted) if kept else (None, begin(wanted_plan(wanted), settings))
        if wanted.against:
            player.check(core.plan)
        self.damage = journal.damage
        if self.damage:
            core = refused(core, "journal", JournalError(self.damage)).core
        for sentence in wanted.packs.amiss:
            core = refused(core, "packs", CompanionError(sentence)).core
        if kept is None and journal.game:
            core = replace(core, people=players.load(journal.noted(journal.game, "players")))
        plugged = Plugged(settings, wanted.readers, core, clock, decks=wanted.journal.with_suffix(".deck.toml"))
        record = self._recorder(wanted, core, kept)
        if kept is None:
            journal.begin(core.plan.given, players.dump(core.people))
        run = secrets.token_hex(4)
        self.table = Table(core, journal, clock, run=run, record=record, ask=plugged.ask)
        self._recent.of(self.table)
        self._start(plugged, listening, wanted)

    def _certified(self, wanted: Wanted) -> Authority:
        """Serve with a certificate of our own, and renew it in time."""
        ours = Authority(wanted.journal)
        ours.certify(names(wanted.hosts))
        wrap = self._wrap = wrapping(str(ours.certificate), str(ours.key))

        def renew() -> None:
            try:
                if ours.certify(names(wanted.hosts)):
                    wrap.renew()
            except CompanionError:
                _LOG.warning("The certificate could not be renewed.", exc_info=True)

        self._closing.callback(Renewing(renew).close)
        return ours

    def _journal(self, path: Path) -> Journal:
        """The journal, locked: also the new file that takes the place of a damaged one."""
        held = self._closing.enter_context(closing(alone(path)))
        journal = Journal(path)
        self._closing.callback(journal.close)
        if not os.path.samestat(path.stat(), os.fstat(held.fileno())):
            self._closing.enter_context(closing(alone(path)))
        return journal

    def _start(self, plugged: Plugged, listening: socket.socket, wanted: Wanted) -> None:
        """The table is there: now lights, devices and pages."""
        tail, authority = Tail(), self.authority.root if self.authority else None
        log = logging.getLogger("companion")
        for heard in (tail, logging.lastResort):  # the terminal is told only while nobody else listens
            if heard:
                log.addHandler(heard)
                self._closing.callback(log.removeHandler, heard)
        self.bench = plugged.bench
        self.tables, hands = Tables(self.table, plugged), Hands(self.table)
        self.tables.afar = wanted.afar
        app = create_app(
            self.tables,
            bench=self.bench if self.bench.simulated else None,
            key=self.key,
            how_to_join=HOW_TO_JOIN,
            hosts=frozenset(wanted.hosts),
            phones=Phones(wanted.journal.with_suffix(".phones")),
            workshop=Workshop(self._recent, tail, plugged.deck),
            hands=hands,
            packs=wanted.packs,
            door=Door(wanted.journal.with_suffix(".key"), lambda: self.addresses, authority),
        )
        if wanted.against:
            pack = wanted.journal.with_suffix(".pack")
            self._closing.callback(player.sit_down(self.tables, hands, wanted.against, pack).close)
        self._closing.callback(plugged.close)
        self._closing.callback(Lighting(self.table, plugged, clock, plugged.sounder, look=self._look).close)
        plugged.start(self.table)
        self.addresses: tuple[str, ...] = ()
        self.serving = Serving(app, listening, wrap=self._wrap, proxy=wanted.settings.proxy)
        self._closing.callback(self.serving.close)
        self._closing.callback(Storage(self.table, wanted.journal.resolve().parent).close)
        self._closing.callback(self.table.close)  # before these: streams and lights end with the table
        for each in reporting(self.table, wanted.settings.report):
            self._closing.callback(each.close)
        if wanted.afar:
            kept = wanted.journal.with_suffix(".afar")
            self._closing.callback(seat_afar(self.tables, hands, wanted.settings, kept).close)
        self._names: tuple[str, ...] = ()
        number = lan_address()
        if wanted.settings.announce == "on" and wanted.settings.host in EVERYWHERE and number != "127.0.0.1":
            self._closing.callback(Announcing(number, self.serving.port).close)
            self._names = (network.name(),)
        self.addresses = self._addresses(wanted.settings)
        give_back(wanted.journal.parent)

    def _addresses(self, settings: Settings) -> tuple[str, ...]:
        """Where this table is found: by number, then by name."""
        scheme, names = "https" if self._wrap else "http", (reached(settings.host), *self._names)
        return tuple(f"{scheme}://{name}:{self.serving.port}/" for name in names)

    def _recorder(self, wanted: Wanted, core: Core, kept: Kept | None) -> Callable[[Mapping[str, Any]], None] | None:
        recent = self._recent = Recent()
        if wanted.record is None:
            return recent
        out = self._closing.enter_context(_recording(wanted.record, wanted.journal))

        def record(line: Mapping[str, Any]) -> None:
            recent(line)
            with suppress(OSError):  # a full disk ends the recording, not the game
                out.write(dumps(line) + "\n")
                out.flush()

        now_ms = clock()
        for line in recorded_from(core, kept.entries if kept else ()):
            record({"ms": now_ms, **line})
        return record

    def is_well(self) -> bool:
        """Whether table and pages still answer, within some seconds. For a watchdog."""
        free = self.table.changed.acquire(timeout=_ANSWERS_S)
        if free:
            self.table.changed.release()
        return free and self.serving.answers(_ANSWERS_S)

    def close(self) -> None:
        """Stop everything, the last opened first. May be called twice."""
        self._closing.close()


def _recording(path: Path, journal: Path) -> TextIO:
    """A file to record to; what is there already stays. Raises SettingsError or CompanionError."""
    if path.resolve().name.startswith(journal.resolve().name) and path.resolve().parent == journal.resolve().parent:
        raise SettingsError(f"The recording {path} would destroy the journal: name another file with --record.")
    try:
        if path.is_file() and path.stat().st_size:
            raise SettingsError(f"There is a file {path} already: name another with --record.")
        return path.open("a", encoding="utf-8")
    except OSError as error:
        raise CompanionError(f"The recording {path} cannot be written: {error.strerror}.") from error


def alone(journal: Path) -> TextIO:
    """A lock that is this program's while the file returned is open. Raises JournalError where another has it.

    It is on the journal itself, whatever names lead there. Close it after the journal: SQLite's own locks end with it.
    """
    try:
        journal.parent.mkdir(parents=True, exist_ok=True)
        held = journal.open("a")
    except OSError as error:
        raise JournalError(f"The journal {journal} cannot be used: {error.strerror}.") from error
    try:
        import fcntl  # noqa: PLC0415 - not every system has it

        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass  # not on this system: then two programs on one journal are the owner's to avoid
    except OSError as error:
        held.close()
        raise JournalError(f"Another companion plays with the journal {journal}: stop it, or name another.") from error
    return held
