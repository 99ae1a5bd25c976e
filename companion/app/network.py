"""Addresses and names of this machine on its network, and their announcement by multicast DNS."""

import importlib
import importlib.util
import ipaddress
import logging
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import ifaddr

from companion.common.process import system_package_command
from companion.common.worker import Worker

ALL_ADDRESSES = ("0.0.0.0", "::", "")
"""Values of the setting `host` that mean every address of this machine."""


LOOPBACK_ADDRESS = "127.0.0.1"
CHECK_INTERVAL_S = 3.0
"""Time in s after which another address of this machine is noticed."""
RETRY_INTERVAL_S = 30.0
"""Time in s after a failed announcement until the next one."""

_NAMESAKE_TIMEOUT_MS = 1000
"""Longest wait for another machine that has this machine's name."""
_NAMESAKE = (
    "The machine at %s is called %s too, so this one does not announce that name. The numeric address works. "
    "To give this machine another name, type: sudo hostnamectl hostname NAME; sudo reboot"
)


def lan_address() -> str:
    """Return this machine's address on its network: IPv4, else IPv6, else 127.0.0.1. Sends nothing.

    With several networks it is the address of the one with the default route.
    """
    for family, remote in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((remote, 9))
            return str(probe.getsockname()[0])
    return _find_adapter_address() or LOOPBACK_ADDRESS


_VIRTUAL_ADAPTERS = ("docker", "br-", "veth", "virbr", "lxc")
"""Beginnings of the names of adapters that lead to no other machine."""


def _find_adapter_address() -> str:
    """Return an address of a network without a router, such as two machines on one cable; empty if there is none."""
    cards = (card for card in ifaddr.get_adapters() if not card.name.startswith(_VIRTUAL_ADAPTERS))
    found = [ipaddress.ip_address(str(ip.ip if ip.is_IPv4 else ip.ip[0])) for card in cards for ip in card.ips]
    usable = [each for each in found if not each.is_loopback and (each.version == 4 or not each.is_link_local)]
    return str(min(usable, key=lambda each: (each.is_link_local, each.version), default=""))


def listen_address(host: str) -> str:
    """Return the address to listen on: `host`, or "::" if it is 0.0.0.0 and the network may have IPv6 only.

    A machine without a network yet may get such a network later. "::" accepts IPv4 as well.
    """
    address = lan_address() if host == "0.0.0.0" else host
    may_need_ipv6 = ":" in address or (address == LOOPBACK_ADDRESS and _has_ipv6())
    return "::" if host == "0.0.0.0" and may_need_ipv6 else host


def _has_ipv6() -> bool:
    """Return whether the kernel has IPv6."""
    with suppress(OSError), socket.socket(socket.AF_INET6, socket.SOCK_DGRAM):
        return True
    return False


def public_host(host: str) -> str:
    """Return the host part of the URL of a program that listens at `host`: a name or an address, IPv6 in brackets."""
    return url_host(lan_address() if host in ALL_ADDRESSES else host)


def url_host(host: str) -> str:
    """Return a name or an address as in a URL: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


_LOG = logging.getLogger(__name__)


def mdns_name() -> str:
    """Return this machine's multicast DNS name, such as "board.local"."""
    return f"{socket.gethostname().partition('.')[0].lower()}.local"


def check_announcing() -> bool:
    """Return whether names can be announced. Otherwise log what to type."""
    if importlib.util.find_spec("zeroconf"):
        return True
    _LOG.warning(
        "The package zeroconf is missing, so the name %s is not announced. The numeric address works. "
        "To announce the name, type this and restart the table: %s",
        mdns_name(),
        system_package_command("python3-zeroconf"),
    )
    return False


def _find_namesake(zeroconf: Any) -> str:
    """Return the address of another machine that answers to this machine's name; empty if none does."""
    resolver = getattr(importlib.import_module("zeroconf"), "AddressResolver", None)
    if resolver is None:  # in Debian 12
        return ""
    asked = resolver(f"{mdns_name()}.")
    asked.request(zeroconf, _NAMESAKE_TIMEOUT_MS)
    own = {ip.ip if ip.is_IPv4 else ip.ip[0] for card in ifaddr.get_adapters() for ip in card.ips}
    return next((address for address in asked.parsed_addresses() if address not in own), "")


class NetworkMonitor(Worker):
    """Thread that calls `on_change` with the new address of this machine whenever it has another one, until closed."""

    def __init__(self, address: str, on_change: Callable[[str], object]) -> None:
        """`address` is the one that is known already."""
        super().__init__("network")
        self._address, self._on_change = address, on_change
        self.start()

    def _run(self) -> None:
        while not self.closing.wait(CHECK_INTERVAL_S):
            address = lan_address()
            if address != self._address:
                self._address = address
                self._on_change(address)


class MdnsAnnouncer(Worker):
    """Announces the pages by multicast DNS in a thread until closed; one that is not withdrawn expires in two minutes.

    Errors are logged only, because the numeric address always works.
    """

    def __init__(self, address: str, port: int) -> None:
        """Announce the service at this IP address, as soon as there is one if it is empty."""
        super().__init__("announcing", join_timeout_s=0)
        self._wanted, self._port, self._namesake = address, port, ""
        self._changed = threading.Condition()
        self.start()

    def move_to(self, address: str) -> None:
        """Announce the service at this address instead; at none if it is empty."""
        with self._changed:
            self._wanted = address
            self._changed.notify()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify()

    def _run(self) -> None:
        logging.getLogger("zeroconf").setLevel(logging.CRITICAL)
        announced, zeroconf = "", None
        while not self.closing.is_set():
            with self._changed:
                has_failed = bool(announced) and zeroconf is None
                self._changed.wait_for(
                    lambda: self.closing.is_set() or self._wanted != announced,  # noqa: B023 - called before it changes
                    RETRY_INTERVAL_S if has_failed else None,
                )
                announced = self._wanted
            if zeroconf:
                with suppress(Exception):  # the network of the old address may be gone
                    zeroconf.close()
            zeroconf = None
            if announced and not self.closing.is_set():
                zeroconf = self._register(announced)
        if zeroconf:
            with suppress(Exception):
                zeroconf.close()

    def _register(self, address: str) -> Any:
        """Announce the service; return what withdraws it, None if that failed."""
        zeroconf: Any = None
        try:
            from zeroconf import ServiceInfo, Zeroconf  # noqa: PLC0415 - takes 0.2 s

            zeroconf = Zeroconf([address])
            known, self._namesake = self._namesake, _find_namesake(zeroconf)
            if self._namesake:
                if self._namesake != known:
                    _LOG.warning(_NAMESAKE, self._namesake, mdns_name())
                zeroconf.close()
                return None
            zeroconf.register_service(
                ServiceInfo(
                    "_http._tcp.local.",
                    "Cribbage companion._http._tcp.local.",
                    port=self._port,
                    parsed_addresses=[address],
                    properties={"path": "/"},
                    server=f"{mdns_name()}.",
                ),
                allow_name_change=True,
            )
        except Exception:  # errors differ from network to network, and players cannot use them
            _LOG.info("Could not announce the name.", exc_info=True)
            if zeroconf:
                with suppress(Exception):
                    zeroconf.close()
            return None
        return zeroconf
