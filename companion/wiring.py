"""The devices of one running table: opened by URL, started, and each told to the table under its name.

Several card readers are one device to a player: well while all of them are, and the missing ones are named.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from functools import partial

from companion import devices
from companion.board.shape.layout import Board
from companion.board.shape.wiring import board_file
from companion.devices.bench import SimulatedBench
from companion.devices.deck import meant, read_deck
from companion.errors import DeviceError, SettingsError
from companion.ports import CardScanner, Clock, Device, Status
from companion.settings import Settings
from companion.table.table import Table

_LOG = logging.getLogger(__name__)

NOT_YET = "Not yet seen."


class Plugged:
    """Sensors, card readers, buttons and lights. Raises SettingsError for a URL that means nothing."""

    def __init__(
        self, settings: Settings, readers: tuple[str, ...], board: Board, *, occupied: int, clock: Clock
    ) -> None:
        """`readers` are URLs, or none to have the one of the settings; `occupied` are the simulated board's pegs."""
        self._deck = read_deck(settings.deck)
        try:
            wired = board_file(board.name, [hole.id for hole in board.holes], board.wiring)
            self.sensors = devices.open_sensors(
                settings.sensors, len(board.holes), clock, occupied=occupied, board=wired
            )
            self.readers = [devices.open_scanner(url, clock) for url in readers or (settings.cards,)]
            self.buttons = devices.open_buttons(settings.buttons, clock)
            self.lights = devices.open_lights(settings.lights, board.pixels, settings.limit_ma)
            self.sounder = devices.open_sounder(settings.buzzer)
        except DeviceError as error:
            raise SettingsError(str(error)) from error

    def bench(self) -> SimulatedBench:
        """Those of the devices that are simulated; of several readers the first such."""
        simulated = [r for r in self.readers if r.url.startswith("sim:")]
        return SimulatedBench(self.sensors, next(iter(simulated), None), self.buttons, self.lights)

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
        self.lights.start(partial(table.device, "lights"))
        self.sensors.start(table.holes, partial(table.device, "sensors"))
        self.buttons.start(table.pressed, partial(table.device, "buttons"))
        for number, reader in enumerate(self.readers):
            reader.start(_seen_by(reader, self._deck, table), cards.status(number))

    def close(self) -> None:
        """Stop them all, the lights first, so that they are dark. May be called twice."""
        every: tuple[Device, ...] = (self.lights, self.sounder, self.buttons, *self.readers, self.sensors)
        for device in every:
            device.close()


def _told_once(ok: bool, say: str) -> None:
    """A buzzer is no part of the table: nobody needs it, and who waits for it looks at the terminal or its log."""
    if not ok:
        _LOG.warning("%s", say)


def _seen_by(reader: CardScanner, deck: Mapping[str, str], table: Table) -> Callable[[str], None]:
    return lambda code: table.scanned(meant(deck, code), reader.seat)


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
