"""Under which addresses and names this machine is found on its network."""

import socket
from contextlib import suppress

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
