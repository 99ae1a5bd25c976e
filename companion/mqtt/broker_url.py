"""The addresses of brokers, as whom we come there, and the names of topics. Needs no library of MQTT."""

import ipaddress
import re
import socket
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from companion.common.errors import SettingsError
from companion.settings import Report

ROOT = "cribbage/1"
"""What all topics begin with: the 1 is the version of what is told."""

_PORTS = {"mqtt": 1883, "mqtts": 8883}


class Address(NamedTuple):
    """Where a broker listens, and whether it speaks TLS."""

    host: str
    port: int
    tls: bool

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'mqtts' if self.tls else 'mqtt'}://{host}:{self.port}"


def addresses(report: Report) -> tuple[Address, ...]:
    """The brokers in the order in which they are tried. Raises SettingsError for what is no address of one.

    Without TLS anybody on the way may read and change what is told: only this machine itself is spoken to so, unless
    the setting `without_tls` allows it.
    """
    found = tuple(map(_address, report.brokers))
    for each in found:
        if not each.tls and report.without_tls == "off" and not _is_loopback(each.host):
            raise SettingsError(
                f"The broker {each} is on another machine and without TLS: write mqtts://, "
                "or allow it with report.without_tls=on."
            )
    return found


def _address(text: str) -> Address:
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or parts.scheme not in _PORTS or parts.path.strip("/") or parts.query or parts.fragment:
        raise SettingsError("A broker is written mqtts://HOST or mqtts://HOST:PORT, or mqtt:// without TLS.")
    if "@" in parts.netloc:
        raise SettingsError("A broker's user stands in report.user, the password in a file: report.password_file.")
    return Address(host, port or _PORTS[parts.scheme], parts.scheme == "mqtts")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def board_name(report: Report) -> str:
    """What this board is called in its topics: as it is set, else as the machine is."""
    return report.board or re.sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname())[:64] or "board"


def topic(club: str, board: str, *rest: str) -> str:
    """A topic of a board."""
    return "/".join((ROOT, club, board, *rest))


class Identity(NamedTuple):
    """As whom we come; the user is empty where the broker asks for none."""

    user: str = ""
    password: str = ""
    ca_file: str = ""


def identity(report: Report) -> Identity:
    """Who the settings say we are. Raises SettingsError for a file that cannot be read."""
    password = ""
    if report.password_file:
        try:
            password = Path(report.password_file).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"The broker's password in {report.password_file} cannot be read.") from error
    if report.ca_file and not Path(report.ca_file).is_file():
        raise SettingsError(f"There is no file {report.ca_file}, which report.ca_file names.")
    return Identity(report.user, password, report.ca_file)
