"""The running program: connects journal, devices, lights and server, and closes them in reverse order."""

import logging
import os
import secrets
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from companion.app import network
from companion.app.certificates import CertificateAuthority, CertificateRenewer, certificate_names
from companion.app.device_manager import DeviceManager, LightLoop
from companion.app.disk_monitor import DiskMonitor
from companion.app.launch import LaunchOptions, find_resumable, load_last_game, plan_from_options
from companion.app.network import (
    ALL_ADDRESSES,
    LOOPBACK_ADDRESS,
    MdnsAnnouncer,
    NetworkMonitor,
    lan_address,
    listen_address,
    url_host,
)
from companion.common.errors import CompanionError, JournalError, SettingsError
from companion.common.paths import restore_owner
from companion.http.application import add_pages
from companion.http.permissions import HOW_TO_JOIN, PERMISSIONS_EXTENSION, load_key
from companion.http.sessions import SessionStore
from companion.http.wsgi.server import ServerThread, listen
from companion.http.wsgi.tls import TlsWrapper
from companion.i18n.catalog import load_catalog
from companion.journal.journal import Journal, SavedGame
from companion.opponent import OpponentStarter
from companion.opponent.private_hands import PrivateHands
from companion.plugin import Host
from companion.protocol.json_codec import dump_json
from companion.server import JoinInfo, LogTail, WorkshopState, create_app
from companion.server.app import STREAMS_EXTENSION
from companion.settings import Settings
from companion.table import players
from companion.table.game_switcher import GameSwitcher
from companion.table.recording import RecentInputs, recording_start
from companion.table.state import TableCore, add_refusal, create_core
from companion.table.table import Table

_LOG = logging.getLogger(__name__)
_ANSWER_TIMEOUT_S = 3.0
"""Longest time in s for table and pages to answer; a slow disk may take a second or two."""


def monotonic_ms() -> int:
    """Return the monotonic time in whole milliseconds."""
    return time.monotonic_ns() // 1_000_000


class Program:
    """The whole program. Raises CompanionError if it cannot start.

    `damage` describes what is missing from the journal, or is None; `remark` what was put right there, or is empty.
    `addresses` are the URLs of the pages now, by IP address and then by name; `on_new_addresses` is called from a
    thread when they or the players' key have changed. A subclass without a network has another `listen` and `server`.
    """

    listen, server = staticmethod(listen), ServerThread

    def __init__(self, launch: LaunchOptions) -> None:
        self._closing = ExitStack()
        self._certificate_renewer: CertificateRenewer | None = None
        self.on_new_addresses: Callable[[], object] = lambda: None
        try:
            self._open(launch)
        except BaseException:
            self.close()
            raise

    def _open(self, launch: LaunchOptions) -> None:
        settings = launch.settings
        if launch.journal.name == ":memory:":
            raise SettingsError("The journal must be a file. Pass one with --journal.")
        self._wrap = TlsWrapper(settings.certificate, settings.certificate_key) if settings.certificate else None
        self.authority = self._set_up_certificate(launch) if settings.tls == "on" and not self._wrap else None
        self._closing.callback(restore_owner, launch.journal.parent)
        listening = self._closing.enter_context(closing(self.listen(listen_address(settings.host), settings.port)))
        key = load_key(launch.journal.with_suffix(".key"))
        journal = self._open_journal(launch.journal)
        launch.addons.register()
        self._light_theme = launch.addons.light_theme(settings.effects)
        saved = None if launch.new else find_resumable(journal.last_game(), launch)
        if saved:
            saved, core = load_last_game(saved, launch)
        else:
            core = create_core(plan_from_options(launch), settings)
        self.damage, self.remark = journal.damage, journal.remark
        if self.damage:
            core = add_refusal(core, "journal", JournalError(self.damage)).core
        for sentence in launch.addons.problems:
            core = add_refusal(core, "packs", CompanionError(sentence)).core
        if saved is None and journal.game_id:
            profiles = players.load_players(journal.read_game_column(journal.game_id, "players"))
            companion = launch.against.seat if launch.against else None
            core = replace(core, players=players.seat_companion(profiles, companion))
        device_manager = DeviceManager(
            settings, launch.readers, core, monotonic_ms, decks=launch.journal.with_suffix(".deck.toml")
        )
        record = self._create_recorder(launch, core, saved)
        if saved is None:
            journal.begin_game(core.plan.journal_json, players.dump_players(core.players))
        run = secrets.token_hex(4)
        self.table = Table(
            core, journal, monotonic_ms, run=run, record_line=record, ask_sensors=device_manager.request_levels
        )
        self._recent.attach(self.table)
        self._start_services(device_manager, listening, launch, key)

    def _set_up_certificate(self, launch: LaunchOptions) -> CertificateAuthority:
        """Create a certificate for TLS, and renew it in time."""
        authority = CertificateAuthority(launch.journal)
        authority.ensure_certificate(certificate_names(launch.hosts))
        wrap = self._wrap = TlsWrapper(str(authority.certificate), str(authority.key))

        def renew() -> None:
            try:
                if authority.ensure_certificate(certificate_names(launch.hosts)):
                    wrap.reload_certificate()
            except CompanionError:
                _LOG.warning("Could not renew the certificate.", exc_info=True)

        renewer = self._certificate_renewer = CertificateRenewer(renew)
        self._closing.callback(renewer.close)
        return authority

    def _open_journal(self, path: Path) -> Journal:
        """Open and lock the journal. A new file that replaces a damaged journal is locked too."""
        lock = self._closing.enter_context(closing(lock_journal(path)))
        journal = Journal(path)
        self._closing.callback(journal.close)
        if not os.path.samestat(path.stat(), os.fstat(lock.fileno())):
            self._closing.enter_context(closing(lock_journal(path)))
        return journal

    def _start_services(
        self, device_manager: DeviceManager, listening: socket.socket, launch: LaunchOptions, key: str
    ) -> None:
        """Start lights, devices, pages and publishers of the table."""
        tail, authority = LogTail(), self.authority.root if self.authority else None
        log = logging.getLogger("companion")
        for handler in (tail, logging.lastResort):  # log to the terminal only if no other handler does
            if handler:
                log.addHandler(handler)
                self._closing.callback(log.removeHandler, handler)
        self.bench = device_manager.bench
        self.tables = GameSwitcher(self.table, device_manager)
        hands = PrivateHands(self.table, launch.journal.with_suffix(".hands"))
        self.tables.remote_table = launch.remote_table
        app = create_app(
            self.tables,
            bench=self.bench if self.bench.simulated_devices else None,
            key=key,
            how_to_join=HOW_TO_JOIN,
            hosts=frozenset(launch.hosts),
            sessions=SessionStore(launch.journal.with_suffix(".phones")),
            workshop=WorkshopState(self._recent, tail, device_manager.deck, device_manager.cameras),
            hands=hands,
            addons=launch.addons,
            join_info=JoinInfo(
                launch.journal.with_suffix(".key"), lambda: self.addresses, authority, lambda: self._host.invitation
            ),
        )
        self._permissions = app.extensions[PERMISSIONS_EXTENSION]
        self._permissions.on_new_key = lambda: self.has_network and self.on_new_addresses()
        self._host = Host(
            switcher=self.tables,
            hands=hands,
            settings=launch.settings,
            journal=launch.journal,
            app=app,
            permissions=self._permissions,
            add_pages=partial(add_pages, app),
            page_url=lambda host: self._list_addresses(host)[0],
            has_visitors=app.extensions[STREAMS_EXTENSION].has_visitors,
        )
        self.tables.default_against = launch.against
        self.tables.on_begin = opponent = OpponentStarter(self.tables, hands, launch.journal.with_suffix(".pack"))
        self._closing.callback(opponent.close)
        opponent(self.table.core.plan)
        self._closing.callback(device_manager.close)
        catalog = load_catalog(launch.settings.language)
        light_loop = LightLoop(
            self.table,
            device_manager,
            monotonic_ms,
            device_manager.buzzer,
            theme=self._light_theme,
            display=device_manager.display,
            **({"translate": catalog.translate_value} if catalog else {}),
        )
        self._closing.callback(light_loop.close)
        device_manager.start(self.table)
        self.addresses: tuple[str, ...] = ()
        started = self._closing.enter_context(ExitStack())
        for plugin in launch.plugins:
            for closeable in plugin.start(self._host):
                started.callback(closeable.close)
        self.serving = self.server(app, listening, wrap=self._wrap, proxy=launch.settings.proxy)
        self._closing.callback(self.serving.close)
        self._closing.callback(DiskMonitor(self.table, launch.journal.resolve().parent).close)
        self._closing.callback(self.table.close)  # closed before the above: streams and lights end with the table
        self._closing.callback(started.close)  # plugins before the table
        self._follow_network(launch.settings)
        restore_owner(launch.journal.parent)

    def _follow_network(self, settings: Settings) -> None:
        """Announce the pages at this machine's address, now and whenever it has another one."""
        if settings.host not in ALL_ADDRESSES:
            self.addresses = self._list_addresses(settings.host)
            return
        address = lan_address()
        can_announce = settings.announce == "on" and network.check_announcing()
        announcer = MdnsAnnouncer("", self.serving.port) if can_announce else None
        if announcer:
            self._closing.callback(announcer.close)

        def move_to(address: str) -> None:
            has_name = announcer and address != LOOPBACK_ADDRESS
            self.addresses = self._list_addresses(address, *((network.mdns_name(),) if has_name else ()))
            if announcer:
                announcer.move_to(address if has_name else "")

        def on_change(address: str) -> None:
            move_to(address)
            if self._certificate_renewer:
                self._certificate_renewer.renew_now()
            self.on_new_addresses()

        move_to(address)
        self._closing.callback(NetworkMonitor(address, on_change).close)

    @property
    def invitation(self) -> str:
        """The link for the other table of a remote game; empty if there is none."""
        return self._host.invitation

    @property
    def key(self) -> str:
        return str(self._permissions.key)

    @property
    def has_network(self) -> bool:
        """Whether other machines can reach one of the addresses."""
        return not any(f"//{LOOPBACK_ADDRESS}:" in each for each in self.addresses)

    def _list_addresses(self, *hosts: str) -> tuple[str, ...]:
        """Return the URLs of the pages at these addresses and names."""
        scheme = "https" if self._wrap else "http"
        return tuple(f"{scheme}://{url_host(host)}:{self.serving.port}/" for host in hosts)

    def _create_recorder(
        self, launch: LaunchOptions, core: TableCore, saved: SavedGame | None
    ) -> Callable[[Mapping[str, Any]], None] | None:
        recent = self._recent = RecentInputs()
        if launch.record is None:
            return recent
        out = self._closing.enter_context(_open_recording(launch.record, launch.journal))

        def record(line: Mapping[str, Any]) -> None:
            recent(line)
            with suppress(OSError):  # a full disk ends the recording, not the game
                out.write(dump_json(line) + "\n")
                out.flush()

        now_ms = monotonic_ms()
        for line in recording_start(core, saved.entries if saved else ()):
            record({"ms": now_ms, **line})
        return record

    def is_healthy(self) -> bool:
        """Return whether table and pages answer within `_ANSWER_TIMEOUT_S`. For a watchdog."""
        return self.table.is_responsive(_ANSWER_TIMEOUT_S) and self.serving.is_responsive(_ANSWER_TIMEOUT_S)

    def close(self) -> None:
        """Close everything, the last opened first. May be called twice."""
        self._closing.close()


def _open_recording(path: Path, journal: Path) -> TextIO:
    """Open a new file for a recording. Raises SettingsError if it exists, CompanionError if it cannot be written."""
    if path.resolve().name.startswith(journal.resolve().name) and path.resolve().parent == journal.resolve().parent:
        raise SettingsError(f"The recording {path} would overwrite the journal. Pass another file with --record.")
    try:
        if path.is_file() and path.stat().st_size:
            raise SettingsError(f"The file {path} already exists. Pass another with --record.")
        return path.open("a", encoding="utf-8")
    except OSError as error:
        raise CompanionError(f"Cannot write the recording {path}: {error.strerror}.") from error


def lock_journal(journal: Path) -> TextIO:
    """Lock the journal while the returned file is open. Raises JournalError if another program has locked it.

    The lock is on the file itself, so it also works through links. Close it after the journal, because closing it
    releases SQLite's own locks.
    """
    try:
        journal.parent.mkdir(parents=True, exist_ok=True)
        lock = os.fdopen(os.open(journal, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a")
    except OSError as error:
        raise JournalError(f"Cannot use the journal {journal}: {error.strerror}.") from error
    try:
        import fcntl  # noqa: PLC0415 - missing on some systems

        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass  # without locks, the owner must not start two programs on one journal
    except OSError as error:
        lock.close()
        raise JournalError(
            f"Another companion uses the journal {journal}. Stop it, or pass another journal."
        ) from error
    return lock
