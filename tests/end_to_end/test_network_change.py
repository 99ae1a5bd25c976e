"""The real program in a network namespace of its own: its network comes late, changes and goes, as on a Pi."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys

import pytest

from tests.support.waiting import PATIENCE_S, wait_until

from .conftest import CHECKOUT

FETCH = """\
import sys, urllib.request, http.cookiejar
opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
for address in sys.argv[1:]:
    page = opener.open(address, timeout=240).read().decode()
print(page)
"""
FIND_NAME = """\
import sys, zeroconf
phone = zeroconf.Zeroconf([sys.argv[1]])
found = phone.get_service_info("_http._tcp.local.", "Cribbage companion._http._tcp.local.", 3000)
print(*(found.parsed_addresses() if found else ()))
phone.close()
"""


HAS_TOOLS = all(map(shutil.which, ("unshare", "nsenter", "ip")))


def can_make_namespaces():
    words = ["unshare", "--net", "ip", "link", "add", "tried0", "type", "veth", "peer", "name", "tried1"]
    return os.geteuid() == 0 and subprocess.run(words, capture_output=True, check=False).returncode == 0


pytestmark = [pytest.mark.skipif(not HAS_TOOLS, reason="unshare, nsenter and ip are needed (util-linux, iproute2)")]
if HAS_TOOLS and not can_make_namespaces():  # no package helps against that
    refused = pytest.mark.skip(reason="root and a kernel that lets it make network namespaces are needed")
    pytestmark = [pytest.mark.namespaces, refused]


class Namespace:
    """A machine with a network of its own, which lasts as long as a process that sleeps in it."""

    def __init__(self):
        self.process = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "ip link set lo up; echo ready; exec sleep infinity"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout.readline() == "ready\n"
        self.enter = ["nsenter", "--target", str(self.process.pid), "--net"]

    def run(self, *words):
        done = subprocess.run([*self.enter, *words], capture_output=True, text=True, check=False, timeout=PATIENCE_S)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def set_address(self, address):
        """Give `net0` this address alone; none if it is empty."""
        self.run("ip", "address", "flush", "dev", "net0")
        if address:
            self.run("ip", "address", "add", f"{address}/24", "dev", "net0")

    def fetch(self, *addresses):
        """Open the addresses one after the other with the cookies of a browser, and return the last page."""
        return self.run(sys.executable, "-c", FETCH, *addresses)

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture
def machines():
    """Two machines on one cable, without addresses."""
    with contextlib.closing(Namespace()) as table, contextlib.closing(Namespace()) as phone:
        link = ["ip", "link", "add", "net0", "type", "veth", "peer", "name", "net0", "netns", str(phone.process.pid)]
        table.run(*link)
        for each in (table, phone):
            each.run("sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/net0/disable_ipv6")
            each.run("ip", "link", "set", "net0", "up")
        yield table, phone


@pytest.fixture
def start(tmp_path, machines):
    """Start the program on the first machine; return what reads its next lines up to a pattern."""
    words = [sys.executable, "-m", "companion", "play", "--port", "8123", "--journal", str(tmp_path / "table.sqlite3")]
    process = subprocess.Popen(
        [*machines[0].enter, *words],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"HOME": str(tmp_path), "PYTHONPATH": str(CHECKOUT)},
    )
    signal.signal(signal.SIGALRM, lambda *_: process.kill())

    def read_until(pattern):
        signal.alarm(PATIENCE_S)
        try:
            for line in process.stdout:
                if found := re.search(pattern, line):
                    return found
        finally:
            signal.alarm(0)
        raise AssertionError(f"the program did not print {pattern}")

    yield read_until
    process.terminate()
    assert process.wait(PATIENCE_S) == 0
    process.stdout.close()


def test_a_network_that_comes_late_changes_and_goes_is_printed_invited_with_and_announced(machines, start):
    table, phone = machines
    start(r"^watchers  http://127\.0\.0\.1:8123/$")
    start(r"^network   none yet")

    table.set_address("192.168.77.5")
    phone.set_address("192.168.77.20")
    start(r"^network   the table has a new address$")
    key = start(r"^players   http://192\.168\.77\.5:8123/join/(\S+)$")[1]
    assert json.loads(phone.fetch("http://192.168.77.5:8123/api/health"))["ok"]
    invitation = invite_from_the_table(table, key)
    assert "http://192.168.77.5:8123/join/" in invitation
    assert "127.0.0.1" not in invitation
    find_name(phone, "192.168.77.20", "192.168.77.5")

    table.set_address("192.168.88.9")
    phone.set_address("192.168.88.20")
    start(rf"^players   http://192\.168\.88\.9:8123/join/{key}$")
    assert "192.168.77.5" not in invite_from_the_table(table, key)
    assert "http://192.168.88.9:8123/" in invite_from_the_table(table, key)
    find_name(phone, "192.168.88.20", "192.168.88.9")

    table.set_address("")
    start(r"^network   lost: ")
    assert "192.168." not in invite_from_the_table(table, key)
    table.set_address("192.168.88.9")
    start(rf"^players   http://192\.168\.88\.9:8123/join/{key}$")
    find_name(phone, "192.168.88.20", "192.168.88.9")


def invite_from_the_table(table, key):
    """Return what a browser on the table's own machine invites others with."""
    home = "http://127.0.0.1:8123"
    return table.fetch(f"{home}/join/{key}", f"{home}/api/invite")


def find_name(phone, own_address, address):
    """Wait until the phone finds the table's announcement with this address and no other."""
    wait_until(lambda: phone.run(sys.executable, "-c", FIND_NAME, own_address) == address)


def test_a_network_with_ipv6_only_that_comes_late_is_served(machines, start):
    table, phone = machines
    start(r"^network   none yet")
    for machine, address in ((table, "fd00:77::5"), (phone, "fd00:77::20")):
        machine.run("sh", "-c", "echo 0 > /proc/sys/net/ipv6/conf/net0/disable_ipv6")
        machine.run("ip", "address", "add", f"{address}/64", "dev", "net0", "nodad")
    start(r"^players   http://\[fd00:77::5\]:8123/join/")
    assert json.loads(phone.fetch("http://[fd00:77::5]:8123/api/health"))["ok"]
