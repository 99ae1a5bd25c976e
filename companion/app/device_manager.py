"""The devices of one running table: opened by URL, started, and each told to the table under its name.

Several card readers are one device to a player: well while all of them are, and the missing ones are named.
"""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from companion import devices
from companion.boards.wiring import board_file
from companion.common.errors import DeviceError, SettingsError
from companion.devices.deck import Deck, deck_at
from companion.devices.lights import OFF
from companion.devices.simulation.bench import SimulatedBench
from companion.ports import CardScanner, Clock, Colour, Device, HoleSensors, Lights, Status
from companion.settings import Settings
from companion.table.setup import Plan
from companion.table.state import Core
from companion.table.table import Table

_LOG = logging.getLogger(__name__)

NOT_YET = "Not yet seen."
_ANY_BOARD = ("sim:", "none:")
"""Sensors that are of no board in particular begin so."""


class Plugged:
    """Sensors, card readers, buttons and lights. Raises SettingsError for a URL that means nothing."""

    def __init__(
        self, settings: Settings, readers: tuple[str, ...], core: Core, clock: Clock, *, decks: Path | None = None
    ) -> None:
        """`readers` are URLs, or none to have the one of the settings; `decks` is where a deck is learned to.

        A simulated board begins with its pegs where those of `core` were last known.
        """
        self._settings, self._clock = settings, clock
        self.deck = deck_at(settings.deck, decks, clock)
        self._told: Table | None = None
        self._old_lights: Lights | None = None
        self._simulates_board = settings.sensors.startswith("sim:")
        self.attached = None if settings.sensors.startswith(_ANY_BOARD) else core.plan.board_name
        self._pixels = core.plan.board.pixels
        with _as_settings():
            self.sensors = self._sensors(core)
            self.readers = [devices.open_scanner(url, clock) for url in readers or (settings.cards,)]
            self.buttons = devices.open_buttons(settings.buttons, clock)
            self.lights = self._lights(core)
            self.sounder = devices.open_sounder(settings.buzzer)
        simulated = [r for r in self.readers if r.url.startswith("sim:")]
        self.bench = SimulatedBench(self.sensors, next(iter(simulated), None), self.buttons, self.lights)
        """Those of the devices that are simulated; of several readers the first such."""
        self.check(core.plan)

    def check(self, plan: Plan) -> None:
        """Raise SettingsError for a reader at a seat that the game has not."""
        for reader in self.readers:
            if reader.seat is not None and reader.seat >= plan.setup.seats:
                raise SettingsError(
                    f"The reader {reader.url} stands at no seat of this table: "
                    f"its seats are 0 to {plan.setup.seats - 1}."
                )
        if self.lights.url.startswith("sim:"):
            with _as_settings():
                devices.open_lights(self.lights.url, plan.board.pixels, self._settings.limit_ma)

    def ask(self) -> None:
        """Have the sensors tell the levels as they are now. Never blocks."""
        self.sensors.ask()

    def show(self, frame: Sequence[Colour], number: int) -> None:
        """Show this frame on the lights. Where another board's strip is attached, as much of it as there is."""
        self.lights.show([*frame, *[OFF] * (self._pixels - len(frame))][: self._pixels], number)

    def leave(self) -> None:
        """Hear nothing more of a simulated board. Not under the table's lock: what it has told is first taken."""
        if self._simulates_board:
            if self.lights.url.startswith("node:"):  # they hang on that board
                self.lights.close()
            self.sensors.close()

    def enter(self, core: Core) -> None:
        """A simulated board, and simulated lights, are made anew for the board of this table. Nothing is heard yet."""
        if self._simulates_board:
            self.sensors = self._sensors(core)
        if self.lights.url.startswith("sim:"):
            self._old_lights, self._pixels = self.lights, core.plan.board.pixels
            self.lights = self._lights(core)
            self._begin_lights()
        elif self._simulates_board and self.lights.url.startswith("node:"):
            self._pixels = core.plan.board.pixels
            self.lights = self._lights(core)
            self._begin_lights()
        self.bench.turn_to(self.sensors, self.lights)

    def go_on(self) -> None:
        """Hear the board entered, and let go of what was left."""
        if self._simulates_board:
            self._begin_sensors()
        self.ask()
        if self._old_lights:
            self._old_lights.close()
            self._old_lights = None

    def start(self, table: Table) -> None:
        """Have each tell the table what it sees, and how it is."""
        cards = _Together([reader.url for reader in self.readers], partial(table.device, "cards"))
        for name, url in (
            ("sensors", self.sensors.url),
            ("cards", ", ".join(cards.urls)),
            ("buttons", self.buttons.url),
            ("lights", self.lights.url),
        ):
            table.device(name, False, NOT_YET, url)
        self.sounder.start(_told_once)
        self._told = table
        self._begin_lights()
        self._begin_sensors()
        self.buttons.start(table.pressed, partial(table.device, "buttons"))
        for number, reader in enumerate(self.readers):
            reader.start(_seen_by(reader, self.deck, table), cards.status(number))

    def close(self) -> None:
        """Stop them all, the lights first, so that they are dark. May be called twice."""
        every: tuple[Device, ...] = (self.lights, self.sounder, self.buttons, *self.readers, self.sensors)
        for device in every:
            device.close()

    def _sensors(self, core: Core) -> HoleSensors:
        board, occupied = core.plan.board, core.course.resting()
        wired = board_file(board.name, [hole.id for hole in board.holes], board.wiring)
        return devices.open_sensors(
            self._settings.sensors, len(board.holes), self._clock, occupied=occupied, board=wired
        )

    def _lights(self, core: Core) -> Lights:
        limit_ma, places = self._settings.limit_ma, core.plan.board.strip
        return devices.open_lights(self._settings.lights, self._pixels, limit_ma, self.sensors, places)

    def _begin_sensors(self) -> None:
        if self._told:
            self.sensors.start(self._told.holes, partial(self._told.device, "sensors"))

    def _begin_lights(self) -> None:
        if self._told:
            self.lights.start(partial(self._told.device, "lights"))


@contextmanager
def _as_settings() -> Iterator[None]:
    try:
        yield
    except DeviceError as error:
        raise SettingsError(str(error)) from error


def _told_once(ok: bool, say: str) -> None:
    """A buzzer is no part of the table: nobody needs it, and who waits for it looks at the terminal or its log."""
    if not ok:
        _LOG.warning("%s", say)


def _seen_by(reader: CardScanner, deck: Deck, table: Table) -> Callable[[str], None]:
    def seen(code: str) -> None:
        name = deck.read(code)
        if name is not None:
            table.scanned(name, reader.seat)

    return seen


class _Together:
    """Several devices told as one."""

    def __init__(self, urls: list[str], status: Status) -> None:
        self.urls = urls
        self._status = status
        self._lock = threading.Lock()
        self._known = [(False, NOT_YET)] * len(urls)

    def status(self, number: int) -> Status:
        """How the device of this number tells."""

        def tell(ok: bool, say: str) -> None:
            with self._lock:  # held while telling: of two that tell at once, the later must be heard last
                self._known[number] = ok, say
                self._status(all(ok for ok, _ in self._known), self._said())

        return tell

    def _said(self) -> str:
        missing = [(url, say) for url, (ok, say) in zip(self.urls, self._known, strict=True) if not ok]
        if len(self.urls) == 1:
            return "".join(say for _, say in missing)
        return " ".join(f"{url}: {say}" for url, say in missing)
