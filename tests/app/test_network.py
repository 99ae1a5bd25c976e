"""What a table imports at its start, and the announcement of its name, which never delays the program."""

import re
import socket
import subprocess
import sys
import threading
import tomllib
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
import zeroconf
from packaging.requirements import Requirement

from companion.app import network, program
from companion.app.launch import LaunchOptions
from companion.app.network import MdnsAnnouncer, NetworkMonitor, mdns_name
from companion.app.program import Program
from companion.settings import Settings
from tests.support.waiting import PATIENCE_S, wait_until

ROOT = Path(__file__).parents[2]


def find_service(phone, names, port):
    """Return the announcement of this port: another table on this machine may have taken the first name."""
    found = (phone.get_service_info("_http._tcp.local.", name, 500) for name in tuple(names))
    return next((each for each in found if each and each.port == port), None)


def test_the_announced_name_is_found_until_closing(monkeypatch):
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(network, "mdns_name", lambda: f"table-{port}.local")
        told, names = MdnsAnnouncer("127.0.0.1", port), set()
        with ThreadPoolExecutor(1) as apart:  # a browser's test may have left an event loop in this thread
            other = apart.submit(zeroconf.Zeroconf, ["127.0.0.1"]).result()
            note = lambda name, **_: names.add(name)  # noqa: E731
            browser = apart.submit(zeroconf.ServiceBrowser, other, "_http._tcp.local.", handlers=[note]).result()
            found = wait_until(lambda: apart.submit(find_service, other, names, port).result())
            apart.submit(browser.cancel).result()
            apart.submit(other.close).result()
    assert (found.server, found.parsed_addresses()) == (f"table-{port}.local.", ["127.0.0.1"])
    told.close()
    told.close()


@pytest.mark.parametrize("address", ["192.0.2.9", "2001:db8::9"])
def test_a_name_that_another_machine_has_is_left_to_it(monkeypatch, caplog, address):
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
    name = f"table-{port}.local"
    monkeypatch.setattr(network, "mdns_name", lambda: name)
    kind = "_http._tcp.local."
    other = zeroconf.ServiceInfo(kind, f"other {port}.{kind}", port=1, parsed_addresses=[address], server=f"{name}.")
    with ThreadPoolExecutor(1) as apart:  # a browser's test may have left an event loop in this thread
        machine = apart.submit(zeroconf.Zeroconf, ["127.0.0.1"]).result()
        apart.submit(machine.register_service, other).result()
        with closing(MdnsAnnouncer("127.0.0.1", port)):
            wait_until(lambda: f"The machine at {address} is called {name} too" in caplog.text)
        apart.submit(machine.close).result()


def test_it_begins_and_ends_at_once(monkeypatch):
    closed = threading.Event()

    def slow(*_):
        assert closed.wait(PATIENCE_S)
        raise OSError("no such network")

    monkeypatch.setattr(zeroconf, "Zeroconf", slow)
    MdnsAnnouncer("192.0.2.1", 8123).close()
    closed.set()


def test_only_another_address_is_a_change(monkeypatch):
    found, seen = iter(["192.0.2.1", "192.0.2.1", "192.0.2.7", "192.0.2.7", "127.0.0.1"]), []
    monkeypatch.setattr(network, "lan_address", lambda: next(found, "127.0.0.1"))
    monkeypatch.setattr(network, "CHECK_INTERVAL_S", 0.001)
    monitor = NetworkMonitor("192.0.2.1", seen.append)
    wait_until(lambda: len(seen) == 2)
    monitor.close()
    monitor.close()
    assert seen == ["192.0.2.7", "127.0.0.1"]


class Adapter:
    def __init__(self, name, *addresses):
        self.name, self.ips = name, [self.Address(each) for each in addresses]

    class Address:
        def __init__(self, text):
            self.is_IPv4 = ":" not in text
            self.ip = text if self.is_IPv4 else (text, 0, 0)


@pytest.mark.parametrize(
    ("address", "adapters"),
    [
        ("127.0.0.1", [
            Adapter("lo", "127.0.0.1", "::1"), Adapter("wlan0", "fe80::1"), Adapter("docker0", "172.17.0.1"),
        ]),
        ("10.0.0.3", [Adapter("eth0", "169.254.7.7", "fd00::3"), Adapter("wlan0", "10.0.0.3")]),
        ("fd00::3", [Adapter("eth0", "169.254.7.7", "fe80::1", "fd00::3")]),
        ("169.254.7.7", [Adapter("eth0", "169.254.7.7", "fe80::1")]),
    ],
)  # fmt: skip
def test_without_a_router_an_adapter_gives_the_address(monkeypatch, address, adapters):
    class Unreachable(socket.socket):
        def connect(self, _):
            raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(network.socket, "socket", Unreachable)
    monkeypatch.setattr(network.ifaddr, "get_adapters", lambda: adapters)
    assert network.lan_address() == address


def test_new_addresses_get_a_new_certificate(monkeypatch, tmp_path):
    addresses = ["127.0.0.1"]
    monkeypatch.setattr(network, "lan_address", lambda: addresses[-1])
    monkeypatch.setattr(program, "lan_address", lambda: addresses[-1])
    monkeypatch.setattr(network, "CHECK_INTERVAL_S", 0.01)
    monkeypatch.setattr(program, "certificate_names", lambda _: frozenset({"localhost", *addresses}))
    announced = []
    monkeypatch.setattr(MdnsAnnouncer, "move_to", lambda _, address: announced.append(address))
    settings = Settings(port=0, tls="on")
    with closing(Program(LaunchOptions(journal=tmp_path / "journal.sqlite3", settings=settings))) as running:
        changes = []
        running.on_new_addresses = lambda: changes.append(running.addresses)
        assert (running.has_network, running.addresses) == (False, (f"https://127.0.0.1:{running.serving.port}/",))
        certificate = running.authority.certificate.read_text()
        addresses.append("192.0.2.7")
        wait_until(lambda: changes)
        assert running.has_network
        assert changes == [tuple(f"https://{each}:{running.serving.port}/" for each in ("192.0.2.7", mdns_name()))]
        wait_until(lambda: running.authority.certificate.read_text() != certificate)
    assert announced == ["", "192.0.2.7"]


def test_a_new_players_key_is_printed_where_there_is_a_network(monkeypatch, tmp_path):
    """Who reads the link in the log, on a screen or on the card would be refused with the old one."""
    monkeypatch.setattr(program, "lan_address", lambda: "192.0.2.7")
    monkeypatch.setattr(network, "lan_address", lambda: "192.0.2.7")
    settings = Settings(port=0, announce="off")
    with closing(Program(LaunchOptions(journal=tmp_path / "journal.sqlite3", settings=settings))) as running:
        old, printed = running.key, []
        running.on_new_addresses = lambda: printed.append(running.key)
        table = f"http://127.0.0.1:{running.serving.port}"
        phone = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        phone.open(f"{table}/join/{old}", timeout=PATIENCE_S).close()
        headers = {"Content-Type": "application/json"}
        phone.open(urllib.request.Request(f"{table}/api/invite/renew", b"{}", headers), timeout=PATIENCE_S).close()
        assert printed == [running.key]
        assert running.key != old


def test_without_zeroconf_a_table_runs_and_says_so(monkeypatch, tmp_path, caplog):
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    monkeypatch.setattr(program, "lan_address", lambda: "192.0.2.7")
    monkeypatch.setattr(network, "lan_address", lambda: "192.0.2.7")
    with closing(Program(LaunchOptions(journal=tmp_path / "journal.sqlite3", settings=Settings(port=0)))) as running:
        assert running.addresses == (f"http://192.0.2.7:{running.serving.port}/",)
    (said,) = (each.getMessage() for each in caplog.records if each.name == "companion.app.network")
    assert f"zeroconf is missing, so the name {mdns_name()} is not announced" in said
    assert "sudo apt-get install python3-zeroconf" in said


@pytest.mark.parametrize(("machine", "has_zeroconf"), [("armv6l", False), ("armv7l", True), ("aarch64", True)])
def test_a_pi_zero_needs_no_zeroconf(machine, has_zeroconf):
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    pinned = re.findall(r"^\w\S*==.*?(?= \\$)", (ROOT / "requirements/base.txt").read_text(), re.MULTILINE)
    for lines in (wanted, pinned):
        found = (Requirement(line) for line in lines)
        names = [each.name for each in found if not each.marker or each.marker.evaluate({"platform_machine": machine})]
        assert ("zeroconf" in names, "ifaddr" in names) == (has_zeroconf, True)


def test_the_table_answers_to_its_announced_name():
    assert mdns_name() == f"{socket.gethostname().partition('.')[0].lower()}.local"


MODULES = "import sys, companion.cli, companion.app.program, companion.demo; print(*sys.modules)"


LATER = ("companion.coach", "companion.plugins")
"""What most starts do not need: it is imported at its first use."""


def test_a_table_starts_without_coach_and_plugins():
    run = subprocess.run([sys.executable, "-c", MODULES], capture_output=True, text=True, check=True)
    loaded = run.stdout.split()
    assert "companion.server.app" in loaded
    assert [each for each in loaded if each.startswith(LATER)] == []
