"""A table that runs: journal, devices, lights and server plugged together, from its first breath to SIGTERM."""

import os
import secrets
import signal
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

from companion import devices
from companion.board import pegs
from companion.codec import dumps, read_move
from companion.devices.bench import SimulatedBench
from companion.errors import JournalError
from companion.lighting import Lighting
from companion.server import Serving, create_app, load_key
from companion.settings import Settings
from companion.table import core as step
from companion.table.core import Core
from companion.table.journal import Journal, Kept
from companion.table.plan import Plan, plan
from companion.table.table import Table
from companion.table.trace import recording_table


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the flags said; None where they said nothing, so that a resumed game decides."""

    game: str | None = None
    seats: int | None = None
    dealer: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    board: str | None = None
    settings: Settings = field(default_factory=Settings)
    readers: tuple[str, ...] = ()
    journal: Path
    new: bool = False
    record: Path | None = None
    hosts: tuple[str, ...] = ()


def clock() -> int:
    """Whole milliseconds, monotonic."""
    return time.monotonic_ns() // 1_000_000


def wanted_plan(wanted: Wanted) -> Plan:
    """The game that the flags ask for. Raises SettingsError or BoardError."""
    return plan(wanted.game or "six-card", wanted.seats or 2, wanted.dealer, wanted.options, wanted.board)


def resumed(kept: Kept, wanted: Wanted) -> Core:
    """The table as the journal has it. Raises JournalError where the flags contradict it, naming `--new`."""
    asked = {k: v for k in ("game", "seats", "dealer", "board") if (v := getattr(wanted, k)) is not None}
    differs = [k for k, v in asked.items() if kept.plan.get(k) != v]
    differs += [k for k, v in wanted.options.items() if kept.plan["options"].get(k) != v]
    if differs:
        has = kept.plan.get(differs[0], kept.plan["options"].get(differs[0]))
        raise JournalError(
            f"The journal {wanted.journal.name} holds a game with {differs[0]} {has}: "
            f"start without that flag to go on with it, or with --new to begin another."
        )
    made = plan(*(kept.plan[k] for k in ("game", "seats", "dealer", "options", "board")))
    core = step.begin(made, wanted.settings)
    for entry in kept.entries:
        move = read_move(entry.body, made.setup.seats) if entry.kind == "move" else None
        core = step.fold(core, entry, move)
    return replace(core, watch=pegs.restore(core.watch, kept.pegs)) if kept.pegs else core


class Running:
    """The whole program in one object that can be closed. Raises a CompanionError where it cannot start."""

    def __init__(self, wanted: Wanted) -> None:
        self._closing = ExitStack()
        try:
            self._open(wanted)
        except BaseException:
            self.close()
            raise

    def _open(self, wanted: Wanted) -> None:
        settings = wanted.settings
        journal = Journal(wanted.journal)
        self._closing.callback(journal.close)
        kept = None if wanted.new else journal.last_game()
        core = resumed(kept, wanted) if kept else step.begin(wanted_plan(wanted), settings)
        if kept is None:
            journal.begin(core.plan.given)
        record = self._recorder(wanted.record, core, kept) if wanted.record else None
        self.table = Table(core, journal, clock, run=secrets.token_hex(4), record=record)
        self._open_devices(wanted, core)
        self.key = load_key(wanted.journal.with_suffix(".key"))
        app = create_app(
            self.table,
            core.plan.board,
            bench=self.bench if self.bench.simulated else None,
            key=self.key,
            how_to_join="Scan the code on the companion's screen, or open the players' address it prints.",
            hosts=frozenset(wanted.hosts),
        )
        self.serving = Serving(app, settings.host, settings.port)
        self._closing.callback(self.serving.close)
        self._closing.callback(self.table.close)  # first of all: streams and lights end with the table

    def _recorder(self, path: Path, core: Core, kept: Kept | None) -> Callable[[Mapping[str, Any]], None]:
        out: TextIO = self._closing.enter_context(path.open("w", encoding="utf-8"))
        moves = [e.body for e in kept.entries if e.kind == "move"] if kept else []
        begin = recording_table(core) | ({"moves": moves} if moves else {})
        out.write(dumps({"ms": clock(), "table": begin}) + "\n")

        def record(line: Mapping[str, Any]) -> None:
            out.write(dumps(line) + "\n")
            out.flush()

        return record

    def _open_devices(self, wanted: Wanted, core: Core) -> None:
        settings, board, table = wanted.settings, core.plan.board, self.table
        occupied = sum({1 << hole for hole in resting(core)})
        sensors = devices.open_sensors(settings.sensors, len(board.holes), clock, occupied=occupied)
        readers = [devices.open_scanner(url, clock) for url in wanted.readers or (settings.cards,)]
        buttons = devices.open_buttons(settings.buttons, clock)
        lights = devices.open_lights(settings.lights, board.pixels, settings.limit_ma)
        self.bench = SimulatedBench(sensors, readers[0], buttons, lights)
        for name, device in (("sensors", sensors), ("cards", readers[0]), ("buttons", buttons), ("lights", lights)):
            table.device(name, False, "Not yet seen.", device.url)
            self._closing.callback(device.close)
        painting = Lighting(table, board, lights, clock)
        self._closing.callback(painting.close)
        lights.start(self._status("lights"))
        sensors.start(table.holes, self._status("sensors"))
        buttons.start(table.pressed, self._status("buttons"))
        for reader in readers:
            reader.start(lambda code, seat=reader.seat: table.scanned(code, seat), self._status("cards"))  # type: ignore[misc]

    def _status(self, name: str) -> Callable[[bool, str], None]:
        return lambda ok, say: self.table.device(name, ok, say)

    def close(self) -> None:
        """Stop everything, the last opened first. May be called twice."""
        self._closing.close()


def resting(core: Core) -> tuple[int, ...]:
    """The holes in which the pegs stand: where they were last known, else at the start."""
    if core.watch.stands is None:
        return tuple(hole for route in core.plan.routes for hole in route.start)
    return tuple(hole for stand in core.watch.stands for hole in (stand.back, stand.front))


def lan_address() -> str:
    """This machine's address on its network, 127.0.0.1 where it has none. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def until_told() -> None:
    """Wait for SIGTERM or SIGINT."""
    told = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told.set())
    told.wait()


def data_home() -> Path:
    """Where the journal lives."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "companion"


def config_home() -> Path:
    """Where companion.toml lives."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "companion"
