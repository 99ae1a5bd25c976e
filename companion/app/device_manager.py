"""Opens the devices of a running table by URL, starts them, and connects them to the table.

Several card readers appear as one device, which works if all of them work; its status names the missing ones. A
thread shows the newest snapshot on the lights, at each change and while an effect moves; it also lights the dice
button, plays the buzzer's tunes and writes the texts of the board's display.
"""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from companion import devices
from companion.boards.board import Board
from companion.boards.catalog import describe_for_firmware
from companion.common.errors import CompanionError, DeviceError, SettingsError
from companion.common.process import power_off
from companion.common.snapshot import Snapshot
from companion.common.worker import Worker
from companion.devices.buttons import SHUTDOWN_BUTTON
from companion.devices.deck import Deck, open_deck
from companion.devices.lights import OFF
from companion.devices.node_panel import NodeButtons, NodeDisplay, NodePart
from companion.devices.sensors import WiredSensors
from companion.devices.simulated_bench import SimulatedBench
from companion.display import lights, panel
from companion.display.lights import paint_frame, still_ms
from companion.display.panel import PAGE_MS, write_screen
from companion.display.theme import DEFAULT_THEME, LightTheme
from companion.ports import (
    Buttons,
    Buzzer,
    CardScanner,
    Clock,
    Colour,
    Device,
    HoleSensors,
    Lights,
    PictureSource,
    StatusCallback,
    TextDisplay,
)
from companion.settings import Settings
from companion.table.game_switcher import BoardDevices
from companion.table.setup import TablePlan
from companion.table.state import TableCore
from companion.table.table import Table

_LOG = logging.getLogger(__name__)

NOT_YET_SEEN = "Not yet seen."
_BOARDLESS_SCHEMES = ("sim:", "none:")
"""URL schemes of sensors that fit any board."""


class DeviceManager(BoardDevices):
    """Sensors, card readers, buttons, lights and buzzer. Raises SettingsError for an invalid URL."""

    def __init__(
        self, settings: Settings, readers: tuple[str, ...], core: TableCore, clock: Clock, *, decks: Path | None = None
    ) -> None:
        """Open the devices. A simulated board starts with its pegs where they were last known in `core`.

        :param readers: URLs of card readers; if empty, the one of the settings.
        :param decks: file for a learned deck.
        """
        self._settings, self._clock = settings, clock
        self.deck = open_deck(settings.deck, decks, clock)
        self._table: Table | None = None
        self._old_lights: Lights | None = None
        self._simulates_board = settings.sensors.startswith("sim:")
        self.attached_board = None if settings.sensors.startswith(_BOARDLESS_SCHEMES) else core.plan.board_name
        self._pixels = core.plan.board.pixel_count
        with _device_errors_as_settings():
            self.sensors = self._open_sensors(core)
            self.readers = [devices.open_scanner(url, clock) for url in readers or (settings.cards,)]
            self.buttons = devices.open_buttons(settings.buttons, clock, self.sensors)
            self.lights = self._open_lights(core)
            self.buzzer = devices.open_buzzer(settings.buzzer, self.sensors)
        self.display = NodeDisplay("node:", self.sensors) if isinstance(self.sensors, WiredSensors) else None
        self._board_buttons: NodeButtons | None = None
        """The buttons of a real board beside simulated ones, so that they work without a setting."""
        if isinstance(self.sensors, WiredSensors) and not self._simulates_board and self.buttons.url.startswith("sim:"):
            self._board_buttons = NodeButtons("node:", self.sensors)
        simulated = [r for r in self.readers if r.url.startswith("sim:")]
        self.bench = SimulatedBench(self.sensors, next(iter(simulated), None), self.buttons, self.lights)
        """The simulated devices; of several simulated readers the first."""
        self.cameras = [reader for reader in self.readers if isinstance(reader, PictureSource)]
        self.check_plan(core.plan)

    def check_plan(self, plan: TablePlan) -> None:
        """Raise SettingsError for a reader at a seat that the game does not have."""
        for reader in self.readers:
            if reader.seat is not None and reader.seat >= plan.setup.seats:
                raise SettingsError(
                    f"The seat of the reader {reader.url} does not exist. "
                    f"This game has seats 0 to {plan.setup.seats - 1}."
                )
        if self.lights.url.startswith("sim:"):
            with _device_errors_as_settings():
                devices.open_lights(self.lights.url, plan.board.pixel_count, self._settings.limit_ma)

    def request_levels(self) -> None:
        """Request a report of the current levels. Never blocks."""
        self.sensors.request_levels()

    def show_frame(self, frame: Sequence[Colour], number: int) -> None:
        """Show this frame on the lights, cut or filled to the length of the attached strip."""
        self.lights.show_frame([*frame, *[OFF] * (self._pixels - len(frame))][: self._pixels], number)

    def leave_board(self) -> None:
        """Close a simulated board. Call without the table's lock, because pending reports are delivered first."""
        if self._simulates_board:
            if self.lights.url.startswith("node:"):  # they are part of that board
                self.lights.close()
            self.sensors.close()

    def enter_board(self, core: TableCore) -> None:
        """Create a simulated board and simulated lights for the board of this table, without starting the sensors."""
        if self._simulates_board:
            self.sensors = self._open_sensors(core)
        if self.lights.url.startswith("sim:"):
            self._old_lights, self._pixels = self.lights, core.plan.board.pixel_count
            self.lights = self._open_lights(core)
            self._start_lights()
        elif self._simulates_board and self.lights.url.startswith("node:"):
            self._pixels = core.plan.board.pixel_count
            self.lights = self._open_lights(core)
            self._start_lights()
        for part in (self.buttons, self.buzzer, self.display):
            if isinstance(part, NodePart) and isinstance(self.sensors, WiredSensors):
                part.use_board(self.sensors)
        self.bench.replace_board(self.sensors, self.lights)

    def resume_input(self) -> None:
        """Start the sensors of the new board, and close the old lights."""
        if self._simulates_board:
            self._start_sensors()
        self.request_levels()
        if self._old_lights:
            self._old_lights.close()
            self._old_lights = None

    def start(self, table: Table) -> None:
        """Start all devices, with the table as receiver of their reports and states."""
        cards = _ReaderGroup([reader.url for reader in self.readers], partial(table.on_device, "cards"))
        for name, url in (
            ("sensors", self.sensors.url),
            ("cards", ", ".join(cards.urls)),
            ("buttons", self.buttons.url),
            ("lights", self.lights.url),
        ):
            table.on_device(name, False, NOT_YET_SEEN, url)
        self.buzzer.start(_log_fault)
        self._table = table
        self._start_lights()
        self._start_sensors()
        self.buttons.start(partial(_on_press, table), partial(table.on_device, "buttons"))
        if self._board_buttons:
            self._board_buttons.start(table.on_press, lambda *_: None)
        for number, reader in enumerate(self.readers):
            reader.start(_create_scan_handler(reader, self.deck, table), cards.create_status_callback(number))

    def close(self) -> None:
        """Close all devices, the lights first, so that they turn dark. May be called twice."""
        every: tuple[Device, ...] = (self.lights, self.buzzer, self.buttons, *self.readers, self.sensors)
        for device in every:
            device.close()

    def _open_sensors(self, core: TableCore) -> HoleSensors:
        board, occupied = core.plan.board, core.course.resting_holes()
        wired = describe_for_firmware(board)
        return devices.open_sensors(
            self._settings.sensors, len(board.holes), self._clock, occupied=occupied, board=wired
        )

    def _open_lights(self, core: TableCore) -> Lights:
        limit_ma, places = self._settings.limit_ma, core.plan.board.strip_order
        return devices.open_lights(self._settings.lights, self._pixels, limit_ma, self.sensors, places)

    def _start_sensors(self) -> None:
        if self._table:
            self.sensors.start(self._table.on_levels, partial(self._table.on_device, "sensors"))

    def _start_lights(self) -> None:
        if self._table:
            self.lights.start(partial(self._table.on_device, "lights"))


@contextmanager
def _device_errors_as_settings() -> Iterator[None]:
    try:
        yield
    except DeviceError as error:
        raise SettingsError(str(error)) from error


def _log_fault(ok: bool, say: str) -> None:
    """Log a fault of the buzzer, which is optional and not shown on the pages."""
    if not ok:
        _LOG.warning("%s", say)


def _create_scan_handler(reader: CardScanner, deck: Deck, table: Table) -> Callable[[str], None]:
    def on_code(code: str) -> None:
        name = deck.read_code(code)
        if name is not None:
            table.on_scan(name, reader.seat)

    return on_code


class _ReaderGroup:
    """Combines the states of several card readers into one."""

    def __init__(self, urls: list[str], status: StatusCallback) -> None:
        self.urls = urls
        self._status = status
        self._lock = threading.Lock()
        self._known = [(False, NOT_YET_SEEN)] * len(urls)

    def create_status_callback(self, number: int) -> StatusCallback:
        def on_status(ok: bool, say: str) -> None:
            with self._lock:  # held during the callback, so that the later of two reports arrives last
                self._known[number] = ok, say
                self._status(all(ok for ok, _ in self._known), self._describe_missing())

        return on_status

    def _describe_missing(self) -> str:
        missing = [(url, say) for url, (ok, say) in zip(self.urls, self._known, strict=True) if not ok]
        if len(self.urls) == 1:
            return "".join(say for _, say in missing)
        return " ".join(f"{url}: {say}" for url, say in missing)


FRAME_MS = 60
"""Interval in ms between two frames of a moving effect: smooth to the eye, and cheap on a Pi."""


def _on_press(table: Table, button: str) -> None:
    if button != SHUTDOWN_BUTTON:
        table.on_press(button)
        return
    try:
        power_off()
    except CompanionError as error:
        table.add_notice("buttons", error)


class LightTarget(Protocol):
    """The lights and buttons of the current board."""

    buttons: Buttons

    def show_frame(self, frame: Sequence[Colour], number: int) -> None:
        """Show this frame of snapshot `number`. Never blocks."""


class LightLoop(Worker):
    """Paints snapshots in a thread until closed. Close the table first, so that the thread wakes."""

    def __init__(
        self,
        table: Table,
        target: LightTarget,
        clock: Clock,
        buzzer: Buzzer | None = None,
        *,
        theme: LightTheme = DEFAULT_THEME,
        display: TextDisplay | None = None,
        translate: Callable[[Any], Any] = lambda value: value,
    ) -> None:
        """Write the texts of `display` in the language of `translate`."""
        super().__init__("lighting")
        self._table, self._target, self._clock, self._buzzer, self._theme = table, target, clock, buzzer, theme
        self._display, self._translate = display, translate
        self._shown_since_ms = self._seen_notice = 0
        self.start()

    def _run(self) -> None:
        listener = self._table.subscribe()
        snapshot: Snapshot | None = None
        unchanged_ms: int | None = None
        while not self.closing.is_set() and not self._table.is_closed:
            still_s = PAGE_MS / 1000 if self._display else 30
            wait_s, previous = still_s if unchanged_ms is None else max(unchanged_ms, FRAME_MS) / 1000, snapshot
            with self._table.locked():  # both at once, since another game may use another board
                snapshot, board = listener.next_snapshot(wait_s) or snapshot, self._table.core.plan.board
            if snapshot is None:
                continue
            try:
                unchanged_ms = self._paint_frame(board, snapshot)
                if self._buzzer and (tune := panel.choose_sound(previous, snapshot)):
                    self._buzzer.play_tune(tune)
                if self._display:
                    self._write_texts(self._display, previous, snapshot)
            except Exception:  # an error in one frame must not end the loop
                _LOG.exception("Could not paint a frame.")
                unchanged_ms = None

    def _write_texts(self, display: TextDisplay, previous: Snapshot | None, snapshot: Snapshot) -> None:
        now_ms = self._clock()
        if previous is None or (previous.run, previous.number) != (snapshot.run, snapshot.number):
            self._shown_since_ms = now_ms
        if previous is None or (previous.run, previous.moves) != (snapshot.run, snapshot.moves):
            self._seen_notice = snapshot.notices[-1].id if snapshot.notices else 0
        if not lights.is_tumbling(snapshot, now_ms):  # no text must reveal how they will fall
            shown_ms = now_ms - self._shown_since_ms
            display.show_rows(
                write_screen(snapshot, shown_ms, after_notice=self._seen_notice, translate=self._translate)
            )

    def _paint_frame(self, board: Board, snapshot: Snapshot) -> int | None:
        """Show the snapshot as it looks now. Returns the time in ms until it looks different, or None if it stays."""
        now_ms = self._clock()
        self._target.show_frame(paint_frame(board, snapshot, now_ms, self._theme), snapshot.number)
        self._target.buttons.set_lamp("dice", lit=lights.is_roll_due(snapshot, now_ms))
        return still_ms(snapshot, now_ms)
