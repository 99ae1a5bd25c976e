"""Addresses and names of this machine on its network, and their announcement by multicast DNS."""

import logging
import socket
import threading
from contextlib import suppress
from typing import Any

ALL_ADDRESSES = ("0.0.0.0", "::", "")
"""Values of the setting `host` that mean every address of this machine."""


def lan_address() -> str:
    """Return this machine's address on its network: IPv4, else IPv6, else 127.0.0.1. Sends nothing."""
    for family, remote in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((remote, 9))
            return str(probe.getsockname()[0])
    return "127.0.0.1"


def listen_address(host: str) -> str:
    """Return the address to listen on: `host`, or "::" if it is 0.0.0.0 and the network has IPv6 only."""
    return "::" if host == "0.0.0.0" and ":" in lan_address() else host


def public_host(host: str) -> str:
    """Return the host part of the URL of a program that listens at `host`: a name or an address, IPv6 in brackets."""
    host_ = lan_address() if host in ALL_ADDRESSES else host
    return f"[{host_}]" if ":" in host_ else host_


_LOG = logging.getLogger(__name__)


def mdns_name() -> str:
    """Return this machine's multicast DNS name, such as "board.local"."""
    return f"{socket.gethostname().partition('.')[0].lower()}.local"


class MdnsAnnouncer:
    """Announces the pages by multicast DNS in a thread until closed. Starting and closing do not wait.

    Errors are logged only, because the numeric address always works.
    """

    def __init__(self, address: str, port: int) -> None:
        """Announce the service at this IP address."""
        self._address, self._port = address, port
        self._zeroconf: Any = None
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="announcing", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Withdraw the announcement. May be called twice."""
        with self._lock:
            self._closed, zeroconf, self._zeroconf = True, self._zeroconf, None
        if zeroconf:
            # In a thread, without waiting: an announcement that is not withdrawn expires after two minutes.
            threading.Thread(target=zeroconf.close, name="announcing ends", daemon=True).start()

    def _run(self) -> None:
        logging.getLogger("zeroconf").setLevel(logging.CRITICAL)
        try:
            from zeroconf import ServiceInfo, Zeroconf  # noqa: PLC0415 - takes 0.2 s

            zeroconf = Zeroconf([self._address])
            with self._lock:
                if self._closed:
                    zeroconf.close()
                    return
                self._zeroconf = zeroconf
            zeroconf.register_service(
                ServiceInfo(
                    "_http._tcp.local.",
                    "Cribbage companion._http._tcp.local.",
                    port=self._port,
                    parsed_addresses=[self._address],
                    properties={"path": "/"},
                    server=f"{mdns_name()}.",
                ),
                allow_name_change=True,
            )
        except Exception:  # errors differ from network to network, and players cannot use them
            _LOG.info("Could not announce the name.", exc_info=True)
            with suppress(Exception):
                self.close()
