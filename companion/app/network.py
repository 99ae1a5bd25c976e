"""Under which addresses and names this machine is found on its network."""

import logging
import socket
import threading
from contextlib import suppress
from typing import Any

EVERYWHERE = ("0.0.0.0", "::", "")
"""Settings of `host` that mean every address of this machine."""


def lan_address() -> str:
    """This machine's address on its network, IPv6 where it has no other; 127.0.0.1 without any. Sends nothing."""
    for family, far in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            return str(probe.getsockname()[0])
    return "127.0.0.1"


def everywhere(host: str) -> str:
    """Every address of this machine, where `host` means that: on a network that has only IPv6, those."""
    return "::" if host == "0.0.0.0" and ":" in lan_address() else host


def reached(host: str) -> str:
    """By what others reach a program that listens at this host: a name or a number, IPv6 in brackets."""
    found = lan_address() if host in EVERYWHERE else host
    return f"[{found}]" if ":" in found else found


_LOG = logging.getLogger(__name__)


def name() -> str:
    """This machine's name on its own network: "board.local"."""
    return f"{socket.gethostname().partition('.')[0].lower()}.local"


class Announcing:
    """Says the name until closed. Neither beginning nor closing waits."""

    def __init__(self, address: str, port: int) -> None:
        """The service at this numeric address."""
        self._address, self._port = address, port
        self._told: Any = None
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="announcing", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Take the name back. May be called twice."""
        with self._lock:
            self._closed, told, self._told = True, self._told, None
        if told:
            # Nobody waits for it: a name that is not taken back is forgotten by the network after two minutes.
            threading.Thread(target=told.close, name="announcing ends", daemon=True).start()

    def _run(self) -> None:
        logging.getLogger("zeroconf").setLevel(logging.CRITICAL)
        try:
            from zeroconf import ServiceInfo, Zeroconf  # noqa: PLC0415 - 0.2 s that no start waits for

            told = Zeroconf([self._address])
            with self._lock:
                if self._closed:
                    told.close()
                    return
                self._told = told
            told.register_service(
                ServiceInfo(
                    "_http._tcp.local.",
                    "Cribbage companion._http._tcp.local.",
                    port=self._port,
                    parsed_addresses=[self._address],
                    properties={"path": "/"},
                    server=f"{name()}.",
                ),
                allow_name_change=True,
            )
        except Exception:  # each kind of network has its own error, and none of them is of any use to a player
            _LOG.info("The name could not be announced.", exc_info=True)
            with suppress(Exception):
                self.close()
