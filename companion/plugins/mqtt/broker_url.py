"""Broker URLs, credentials and topic names. Does not need the MQTT library."""

import ipaddress
import re
import socket
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from companion.common.errors import SettingsError
from companion.common.files import read_text
from companion.plugins.mqtt import ReportSettings

TOPIC_ROOT = "cribbage/1"
"""Prefix of all topics; 1 is the version of the messages."""

_DEFAULT_PORTS = {"mqtt": 1883, "mqtts": 8883}


class BrokerAddress(NamedTuple):
    """Host and port of a broker, and whether it uses TLS."""

    host: str
    port: int
    tls: bool

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'mqtts' if self.tls else 'mqtt'}://{host}:{self.port}"


def parse_brokers(report: ReportSettings) -> tuple[BrokerAddress, ...]:
    """Return the brokers in the order in which they are tried. Raises SettingsError for an invalid URL.

    Without TLS, others on the network can read and change messages. It is therefore allowed for this machine only,
    unless the setting `without_tls` is on.
    """
    brokers = tuple(map(_parse_broker, report.brokers))
    for broker in brokers:
        if not broker.tls and report.without_tls == "off" and not _is_loopback(broker.host):
            raise SettingsError(
                f"The broker {broker} is on another machine and without TLS. Write mqtts://, "
                "or allow it with report.without_tls=on."
            )
    return brokers


def _parse_broker(text: str) -> BrokerAddress:
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or parts.scheme not in _DEFAULT_PORTS or parts.path.strip("/") or parts.query or parts.fragment:
        raise SettingsError("Write a broker as mqtts://HOST or mqtts://HOST:PORT, or with mqtt:// without TLS.")
    if "@" in parts.netloc:
        raise SettingsError(
            "Set the broker's user with report.user, and the file of its password with report.password_file."
        )
    return BrokerAddress(host, port or _DEFAULT_PORTS[parts.scheme], parts.scheme == "mqtts")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def board_name(report: ReportSettings) -> str:
    """Return the board's name in its topics: the setting, or else the host name."""
    return report.board or re.sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname())[:64] or "board"


def board_topic(club: str, board: str, *rest: str) -> str:
    return "/".join((TOPIC_ROOT, club, board, *rest))


class Credentials(NamedTuple):
    """User, password and CA file for a broker; the user is empty if the broker needs none."""

    user: str = ""
    password: str = ""
    ca_file: str = ""


def load_credentials(report: ReportSettings) -> Credentials:
    """Return the credentials of the settings. Raises SettingsError for an unreadable file."""
    password = ""
    if report.password_file:
        try:
            password = read_text(Path(report.password_file)).strip()
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"Cannot read the broker's password in {report.password_file}.") from error
    if report.ca_file and not Path(report.ca_file).is_file():
        raise SettingsError(f"Cannot find the file {report.ca_file} of report.ca_file.")
    return Credentials(report.user, password, report.ca_file)
