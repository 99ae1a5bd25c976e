"""The thread that opens our own Wi-Fi network when there is no other, and joins the network that a player chooses."""

import logging
import secrets
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from companion.common.files import PrivateValues
from companion.i18n import Message, format_message
from companion.plugins.wifi.hotspot import (
    Action,
    Hotspot,
    JoinResult,
    Observation,
    Phase,
    hotspot_name,
    hotspot_password,
    is_network_name,
    is_network_password,
)
from companion.plugins.wifi.network_manager import NetworkManager, WifiError, WifiNetwork

_LOG = logging.getLogger(__name__)
CHECK_INTERVAL_S = 3.0
"""Time in s between two looks at the network manager."""


class WifiCredentials(NamedTuple):
    """Name and password of our own network."""

    name: str
    password: str


class WifiStatus(NamedTuple):
    """What pages show. `problem` is empty if all is well."""

    phase: Phase
    networks: tuple[WifiNetwork, ...]
    network: str
    problem: str


def load_credentials(path: Path) -> WifiCredentials:
    """Return the name and the password of our own network, chosen at the first call. Raises NotSaved."""
    values = PrivateValues(path)
    name, password = values.load("name"), values.load("password")
    are_texts = isinstance(name, str) and isinstance(password, str)
    if are_texts and password and is_network_name(name) and is_network_password(password):
        return WifiCredentials(name, password)
    made = WifiCredentials(hotspot_name(secrets.choice), hotspot_password(secrets.choice))
    values.save(made._asdict())
    return made


class WifiMonitor:
    """Thread that keeps the machine reachable until closed. Any thread may call its methods.

    `report(ok, say)` is called when the state changes. `has_visitors` is set by the pages: whether another machine
    uses them.
    """

    def __init__(
        self,
        credentials: WifiCredentials,
        manager: NetworkManager,
        clock: Callable[[], int],
        report: Callable[[bool, str], object],
        page_url: Callable[[], str],
    ) -> None:
        """`clock` returns monotonic milliseconds, `page_url` the address of the page that chooses the network."""
        self.credentials = credentials
        self.has_visitors: Callable[[], bool] = lambda: False
        self._manager, self._clock, self._report, self._page_url = manager, clock, report, page_url
        self._state = Hotspot(Phase.CONNECTED, clock())
        self._networks: tuple[WifiNetwork, ...] = ()
        self._fault = ""
        self._reported: tuple[bool, str] | None = None
        self._wanted: WifiCredentials | None = None
        self._changed = threading.Event()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="wifi", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Stop, and close our own network. May be called twice."""
        self._is_closed = True
        self._changed.set()
        if self._thread.is_alive():
            self._thread.join(5)
        else:
            self._manager.close()

    @property
    def is_open(self) -> bool:
        """Whether our own network is open: only those who know its password reach the pages."""
        return self._state.phase is Phase.OPEN

    def read_status(self) -> WifiStatus:
        return WifiStatus(self._state.phase, self._networks, self._state.network, self._fault or self._failure())

    def join(self, name: str, password: str) -> None:
        """Join this network soon. The present connection may end before this call's answer has arrived."""
        self._wanted = WifiCredentials(name, password)
        self._changed.set()

    def _failure(self) -> str:
        if not self._state.has_failed:
            return ""
        return format_message("{network} could not be joined. Check the password.", network=self._state.network)

    def _run(self) -> None:
        with suppress(WifiError):
            self._manager.close_hotspot()  # of a run that was killed
        while not self._is_closed:
            self.step()
            self._changed.wait(CHECK_INTERVAL_S)
            self._changed.clear()
        with suppress(WifiError):
            if self._state.phase is Phase.OPEN:
                self._manager.close_hotspot()
        self._manager.close()

    def step(self) -> None:
        """Look at the network manager once, and act. The thread calls it; tests may call it instead."""
        now_ms = self._clock()
        wanted, self._wanted = self._wanted, None
        try:
            if wanted:
                self._start_joining(wanted, now_ms)
            else:
                self._advance(now_ms)
            self._fault = ""
        except WifiError as error:
            if str(error) != self._fault:
                _LOG.warning("%s", error)
            self._fault = error.args[0]
            self._state = self._state.fail_to_act(now_ms)
        self._report_change()

    def _start_joining(self, wanted: WifiCredentials, now_ms: int) -> None:
        _LOG.info("Joining the Wi-Fi %s", wanted.name)
        self._state = self._state.start_joining(wanted.name, now_ms)
        self._report_change()
        try:
            self._manager.join(*wanted)
        except WifiError as error:
            _LOG.warning("%s", error)  # the next step finds that it has failed, and opens our own network again

    def _advance(self, now_ms: int) -> None:
        is_joining = self._state.phase is Phase.JOINING
        seen = Observation(
            self._manager.is_connected(),
            self.has_visitors(),
            self._manager.read_join_result() if is_joining else JoinResult.PENDING,
        )
        if not is_joining:
            self._look_around()
        state, action = self._state.advance(seen, now_ms)
        if action is Action.CLOSE:
            self._manager.close_hotspot()
        if action is Action.REOPEN:
            self._manager.forget_join()
        if action in (Action.OPEN, Action.REOPEN):
            self._manager.open_hotspot(*self.credentials)
        self._state = state

    def _look_around(self) -> None:
        """Keep the list of networks: while our own one is open, the radio may see no other."""
        if self._state.phase is Phase.CONNECTED:
            return
        seen = tuple(network for network in self._manager.list_networks() if network.name != self.credentials.name)
        if seen or self._state.phase is Phase.SEARCHING:
            self._networks = seen

    def _report_change(self) -> None:
        status = is_well, sentence = self._is_well(), self._describe()
        if status != self._reported:
            self._reported = status
            self._report(is_well, sentence)
            if sentence and self.is_open:
                _LOG.warning("%s", sentence)

    def _is_well(self) -> bool:
        return self._state.phase is Phase.CONNECTED and not self._fault

    def _describe(self) -> str:
        """Return a sentence for the display; empty if all is well."""
        if self._fault:
            return self._fault
        name, password = self.credentials
        sentences: dict[Phase, Callable[[], Message]] = {
            Phase.SEARCHING: lambda: format_message("No known Wi-Fi. The table opens its own in a minute."),
            Phase.OPEN: lambda: format_message(
                "No known Wi-Fi. Join {name} with the password {password}, then open {address}.",
                name=name, password=password, address=self._page_url(),
            ),
            Phase.JOINING: lambda: format_message("Joining the Wi-Fi {network}.", network=self._state.network),
        }  # fmt: skip
        return sentences[self._state.phase]() if self._state.phase in sentences else ""
