"""A card that sets itself up: cloud-init finds a release's card on a clean Debian, as Raspberry Pi OS does.

It is a machine of its own. Its "internet" is the namespace of the phone: an address by DHCP, names, Debian's packages
and those of Python.
"""

import contextlib
import functools
import http.server
import json
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from tests.release.build import build_packages, write_card
from tests.support.waiting import wait_until

from .debian_tree import make_card_tree
from .machine import Machine, make_disk
from .phone import END_WITH_TEST, Phone
from .scenarios import ADDRESS, Story, find_name, save_log

BOOT_PARTITION = "boot/firmware"
KEY_LINE = '# ssh_authorized_keys: ["ssh-ed25519 AAAA... you@your-computer"]'
"""The line of user-data that a reader of the page changes in order to log in."""

NM = "org.freedesktop.NetworkManager."

DHCP = ("--keep-in-foreground", "--conf-file=/dev/null", "--no-resolv", "--no-hosts", "--bind-dynamic", "--user=root",
        "--interface=phone0", "--address=/#/10.25.0.1", f"--dhcp-range={ADDRESS},{ADDRESS}")  # fmt: skip


class Internet:
    """What the phone's network offers a machine: always an address, and the packages while `is_up`."""

    def __init__(self, phone: Phone, packages: Path, folder: Path) -> None:
        self.is_up = False
        net = ("nsenter", "--target", str(phone.pid), "--net")
        words = [*END_WITH_TEST, *net, "dnsmasq", *DHCP, f"--dhcp-leasefile={folder}/leases"]
        with (folder / "dhcp.log").open("ab") as log:
            self._dhcp = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        internet = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def do_GET(self) -> None:
                if internet.is_up:
                    super().do_GET()
                else:
                    self.close_connection = True

            def log_message(self, *_words: object) -> None:
                """Print nothing."""

        handler = functools.partial(Handler, directory=str(packages))
        self._server = phone.do(lambda: http.server.ThreadingHTTPServer(("", 80), handler))
        threading.Thread(target=self._server.serve_forever, name="internet", daemon=True).start()

    def close(self) -> None:
        """Take it down for good."""
        self._server.shutdown()
        self._server.server_close()
        self._dhcp.kill()
        self._dhcp.wait()


@contextlib.contextmanager
def write_new_card(story: Story) -> Iterator[tuple[Story, Internet]]:
    """Give a machine, switched off, that has the system and a release's card, and the internet, which is down."""
    story.machine.close()
    folder = story.machine.folder / "card"
    shutil.rmtree(folder, ignore_errors=True)
    tree, packages = make_card_tree(story.machine.tree.name)
    machine = Machine(tree, folder, make_disk(story.machine.folder / "card.img"))
    internet = Internet(story.phone, packages, folder)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / "key"], check=True)
    try:
        machine.connect_disk()
        (folder / "release").mkdir()
        build_packages(folder / "release")
        write_card(folder / "release", "x86_64")
        boot = machine.root / BOOT_PARTITION
        boot.mkdir(parents=True)
        (machine.root / "root/cribbage").mkdir()  # where commands of the test run
        for path in (folder / "release/card").iterdir():
            subprocess.run(["cp", "--recursive", path, boot], check=True)
        user_data = (boot / "user-data").read_text()
        assert KEY_LINE in user_data
        key = (folder / "key.pub").read_text().strip()
        (boot / "user-data").write_text(user_data.replace(KEY_LINE, f"ssh_authorized_keys: [{json.dumps(key)}]"))
        machine.disconnect_disk()
        yield Story(machine, story.phone, story.chance, 0), internet
    except Exception:
        save_log(machine, folder / "journal.log")
        raise
    finally:
        internet.close()
        machine.close()
        (story.machine.folder / "card.img").unlink()


def set_up_card(story: Story) -> str:
    """Start a new card with a cable: cloud-init ends without an error, and the table is there, after a restart too."""
    with write_new_card(story) as (card, internet):
        internet.is_up = True
        took_s = _boot_with_cable(card)
        _check_table(card)
        first = _read_marks(card)
        card.machine.run("sync")
        card.machine.close()
        again_s = _boot_with_cable(card)
        _check_table(card)
        assert _read_marks(card) == first
        assert "Starting" not in card.machine.run("journalctl", "--boot", "--unit=cribbage-setup")
    return f"table after {took_s:.0f} s, after a restart {again_s:.0f} s"


def set_up_card_without_internet(story: Story) -> str:
    """Start a new card without a cable, then with one but no internet, and cut the power twice: it still succeeds."""
    with write_new_card(story) as (card, internet):
        machine = card.machine
        machine.connect_disk()
        machine.boot()
        _check_cloud_init(card)
        wait_until(lambda: _count_tries(card) >= 1)
        machine.connect_network(card.phone.pid, "")
        tries = _count_tries(card)
        wait_until(lambda: _count_tries(card) > tries + 1)
        machine.run("sync")
        machine.cut_power(card.chance)
        _boot_with_cable(card)
        wait_until(lambda: _count_tries(card) >= 1)
        internet.is_up = True
        wait_until((machine.root / "opt/companion/v1").exists)  # Debian's packages are installed, and on the disk
        time.sleep(card.chance.uniform(0, 10))
        machine.cut_power(card.chance)
        _boot_with_cable(card)
        _check_table(card)
    return "after tries without a cable, without internet, and power cuts before and during the installation"


def _boot_with_cable(card: Story) -> float:
    card.machine.connect_disk()
    return card.machine.boot(lambda: card.machine.connect_network(card.phone.pid, ""))


def _count_tries(card: Story) -> int:
    return int(card.machine.run("systemctl", "show", "cribbage-setup", "--property=NRestarts", "--value"))


def _check_cloud_init(card: Story) -> None:
    """Check that cloud-init has ended with nothing to complain about."""
    status = json.loads(card.machine.run("cloud-init", "status", "--wait", "--format=json"))
    complaints = (status["status"], status["errors"], status.get("recoverable_errors", {}))
    assert complaints == ("done", [], {}), status
    assert status["datasource"] == "nocloud", status


def _check_table(card: Story) -> None:
    """Check what the pages promise: host name, user, service, page, announced name, the link by SSH and on the screen,
    the name and password of the table's own Wi-Fi, and what the service may do with NetworkManager."""
    _check_cloud_init(card)
    card.phone.address = ADDRESS
    card.wait_for_page()
    machine = card.machine
    assert machine.run("hostname").strip() == "cribbage"
    assert machine.run("systemctl", "is-enabled", "companion").strip() == "enabled"
    wait_until(lambda: find_name(card.phone) == [ADDRESS])
    net = ("nsenter", "--target", str(card.phone.pid), "--net")
    options = ("-oStrictHostKeyChecking=no", "-oUserKnownHostsFile=/dev/null", "-i", str(machine.folder / "key"))
    words = [*net, "ssh", *options, f"table@{ADDRESS}", "sudo companion service logs"]
    log = subprocess.run(words, capture_output=True, text=True, check=False)
    found = re.findall(rf"^players   http://{ADDRESS}:8123/join/(\S+)$", log.stdout, re.MULTILINE)
    assert found, log
    card.phone.join(ADDRESS, found[-1])
    assert card.phone.get("/api/me")["role"] == "player"
    wait_until(lambda: f"/join/{found[-1]}" in (machine.folder / "screen.log").read_text(errors="replace"))
    read_link = ("sh", "-c", "cat /boot/firmware/cribbage-link.txt || true")
    wait_until(lambda: f"http://{ADDRESS}:8123/join/{found[-1]}\n" in machine.run(*read_link))
    hotspot = card.phone.get("/api/wifi")["hotspot"]
    assert hotspot["name"].startswith("Cribbage-"), hotspot
    assert hotspot["password"], hotspot
    listed = machine.run("runuser", "-u", "companion", "--", "nmcli", "--terse", "general", "permissions")
    allowed = {line.rpartition(":")[0].removeprefix(NM) for line in listed.splitlines() if line.endswith(":yes")}
    assert allowed == {"network-control", "settings.modify.system", "wifi.scan", "wifi.share.protected"}, listed


def _read_marks(card: Story) -> str:
    """Return what differs if cloud-init or the installation is done again."""
    files = "/var/lib/cloud/instance/sem/* /var/lib/cribbage-card/done /etc/ssh/ssh_host_*.pub /opt/companion/v*"
    return card.machine.run("sh", "-c", f"stat -L --format='%n %y' {files}; cat /var/lib/cloud/data/instance-id")
