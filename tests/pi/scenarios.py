"""What happens to a board in its life, in order: each function is a step on one machine, and returns what to print."""

import json
import re
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.support.waiting import wait_until

from .debian_tree import CHECKOUT
from .machine import Machine, copy_checkout
from .phone import JsonObject, Phone

ADDRESS, OTHER_ADDRESS = "10.25.0.2", "10.25.7.7"
STATE_DIR = "/var/lib/companion"
SETTINGS = ("--config", "/etc/companion/companion.toml", "--journal", f"{STATE_DIR}/journal.sqlite3")
COPY = f"{STATE_DIR}/copy.sqlite3"
AS_USER = ("runuser", "-u", "companion", "--")
REMAINS_ALLOWED = (
    "etc/.pwd.lock", "etc/companion", "etc/group", "etc/gshadow", "etc/passwd", "etc/shadow", "etc/subgid",
    "etc/subuid", "root/.cache", "root/cribbage", "root/release", "var/lib/companion", "var/lib/systemd", "var/log",
    "var/tmp",
)  # fmt: skip
"""What may stay after the removal: games, settings, the user, the checkout, and files of the system itself."""


class Story:
    """The machine and the phone of a test, and what its steps have in common."""

    def __init__(self, machine: Machine, phone: Phone, chance: Random, cuts: int) -> None:
        """`cuts` is the number of power cuts that are made of a recorded update."""
        self.machine, self.phone, self.chance, self.cuts = machine, phone, chance, cuts
        self.files_before: set[str] = set()

    def switch_on(self, address: str = ADDRESS) -> None:
        """Boot, and put in the network cable, with this address if it is not empty."""
        self.machine.connect_disk()
        self.machine.boot()
        self.machine.connect_network(self.phone.pid, address)

    def wait_for_page(self) -> float:
        """Wait until the phone gets an answer. Return the time in s."""
        begin = time.monotonic()
        wait_until(lambda: self.phone.ask("GET", "/api/health")[0] == 200)
        return time.monotonic() - begin

    def read_log(self) -> str:
        """Return the service's log since the machine was switched on."""
        return self.machine.run("journalctl", "--boot", "--unit=companion", "--output=cat")

    def join(self) -> str:
        """Open the players' address of the service's log on the phone. Return the key."""
        log = self.machine.run("companion", "service", "logs")
        found = re.findall(rf"^players   http://{ADDRESS}:8123/join/(\S+)$", log, re.MULTILINE)
        assert found, log
        self.phone.join(ADDRESS, found[-1])
        return found[-1]

    def read_status(self, name: str) -> str:
        """Return a line of `companion service status`."""
        lines = self.machine.run("companion", "service", "status").splitlines()
        return next(line.split(maxsplit=1)[1] for line in lines if line.startswith(name))

    def list_files(self) -> set[str]:
        """Return the files that differ from the clean system."""
        paths = (path for path in self.machine.changes.rglob("*") if path.is_symlink() or not path.is_dir())
        return {str(path.relative_to(self.machine.changes)) for path in paths}


INSTALL = ("python3", "-m", "companion", "service", "install")


def install_service(story: Story) -> str:
    """Install by the documented command and play the first moves, and look at what a power cut at any moment leaves."""
    machine, phone = story.machine, story.phone
    machine.connect_disk()
    copy_checkout(CHECKOUT, machine.root / "root/cribbage")
    machine.disconnect_disk()
    story.switch_on()
    story.files_before = story.list_files()
    machine.disk.start_recording()
    begin = time.monotonic()
    run_installation(machine)
    took_s = time.monotonic() - begin
    story.join()
    assert machine.run("systemctl", "is-enabled", "companion").strip() == "enabled"
    assert story.read_status("version") == "v1"
    accepted = [(begin, 0)]
    phone.begin_game(0)
    for _ in range(10):
        phone.play(1)
        accepted.append((time.monotonic(), len(phone.accepted)))

    def examine(cut: Machine, at_s: float, *, is_booted: bool) -> str:
        if (cut.root / "etc/systemd/system/multi-user.target.wants/companion.service").is_symlink():
            version = choose_version(cut)
            check_exported_moves(cut, phone.planned, accepted, at_s)
            if is_booted:
                boot_after_cut(story, cut, version)
            return "installed"
        if is_booted:
            cut.boot()
            cut.connect_network(phone.pid, ADDRESS)
            run_installation(cut)
            story.wait_for_page()
        return "not yet installed"

    return f"the command took {took_s:.0f} s; {cut_recording(story, begin, examine)}"


def run_installation(machine: Machine) -> None:
    """Install by the documented command."""
    output = machine.run(*INSTALL)
    assert "The service runs. companion service logs shows the players' address" in output, output


def ask_doctor(story: Story) -> str:
    """Ask the doctor, as the page on the service says."""
    words = (*AS_USER, "companion", "doctor", "--json", *SETTINGS)
    checks = json.loads(story.machine.run(*words))["checks"]
    failed = [f"{each['name']}: {each['say']}" for each in checks if not each["ok"]]
    assert not failed, failed
    return f"{len(checks)} of {len(checks)} checks"


def play_evening(story: Story) -> str:
    """Play a game of six-card to its end."""
    story.phone.begin_game(0)
    begin, moves = time.monotonic(), 0
    while story.phone.get("/api/state")["phase"] != "over":
        story.phone.play(1)
        moves += 1
    story.phone.check_moves()
    story.phone.begin_game(1)
    story.phone.play(10)
    return f"{moves} moves in {time.monotonic() - begin:.0f} s"


def cut_first_moves(story: Story) -> str:
    """Begin with a new journal, and cut the power within its first seconds: no move is lost, and no phone."""
    machine, phone = story.machine, story.phone
    for wait_s in (0, 1, 6):
        machine.run("sh", "-c", f"systemctl stop companion; rm -r {STATE_DIR}/*; sync; systemctl start companion")
        story.wait_for_page()
        key = story.join()
        phone.begin_game(0)
        phone.post("/api/seat", {"seat": 1})
        phone.play(3)
        time.sleep(wait_s)
        machine.cut_power(story.chance)
        story.switch_on()
        story.wait_for_page()
        phone.check_moves()
        assert phone.get("/api/me")["role"] == "player"
        phone.play(2)
        log = story.read_log()
        assert f"/join/{key}" in log, log
        assert "missing" not in log, log
    return "cut 0, 1 and 6 s after its first moves"


def kill_program(story: Story) -> str:
    """Kill the program: systemd starts it again. Stop it in its tracks: the watchdog does."""
    machine, phone = story.machine, story.phone
    took_s = []
    for signal in ("KILL", "STOP"):
        restarts = int(story.read_status("restarts"))
        begin = time.monotonic()
        machine.run("systemctl", "kill", f"--signal={signal}", "--kill-whom=main", "companion")
        wait_until(lambda before=restarts: int(story.read_status("restarts")) == before + 1)
        story.wait_for_page()
        took_s.append(time.monotonic() - begin)
        phone.check_moves()
        phone.play(3)
    assert "Watchdog timeout" in machine.run("journalctl", "--boot", "--unit=companion")
    return f"page back after {took_s[0]:.0f} s and {took_s[1]:.0f} s"


def fill_disk(story: Story) -> str:
    """Fill the disk: moves are refused with a reason and an update changes nothing; then there is room again."""
    machine, phone = story.machine, story.phone
    version = story.read_status("version")
    filler = f"{STATE_DIR}/filler"
    room = f"$(df --output=avail -B1 {STATE_DIR} | tail -n 1)"
    fill = f"fallocate -l $(({room} - 2000000)) {filler}; cat /dev/zero >>{filler}"
    machine.run(*AS_USER, "sh", "-c", fill, code=1)
    accepted = 0
    while (status := phone.play_move()) == 201:
        accepted += 1
        assert accepted < 5000
    assert status == 409, phone.answer
    assert "disk is full" in phone.answer["error"], phone.answer
    status, health = phone.ask("GET", "/api/health")
    assert status == 503, health
    assert not health["journal"]["ok"], health
    output = machine.run("companion", "service", "update", code=1)
    assert "MB left; a version needs" in output, output
    assert "The version that runs now goes on, unchanged." in output, output
    machine.run("rm", filler)
    wait_until(lambda: phone.play_move() == 201)
    phone.check_moves()
    story.wait_for_page()
    assert story.read_status("version") == version
    return f"told after {accepted} moves: {health['journal'].get('say', '')!r}; {output.strip().splitlines()[-1]!r}"


def connect_late(story: Story) -> str:
    """Boot without a network; it comes late, and then gives another address."""
    machine, phone = story.machine, story.phone
    machine.run("systemctl", "stop", "companion")
    machine.run("sync")
    machine.close()
    story.switch_on("")
    wait_until(lambda: "players   http://127.0.0.1:8123/join/" in story.read_log())
    machine.run("ip", "address", "add", f"{ADDRESS}/16", "dev", "eth0")
    wait_until(lambda: f"players   http://{ADDRESS}:8123/join/" in story.read_log())
    story.wait_for_page()
    wait_until(lambda: find_name(phone) == [ADDRESS])
    phone.check_moves()
    machine.run("ip", "address", "del", f"{ADDRESS}/16", "dev", "eth0")
    machine.run("ip", "address", "add", f"{OTHER_ADDRESS}/16", "dev", "eth0")
    wait_until(lambda: f"players   http://{OTHER_ADDRESS}:8123/join/" in story.read_log())
    phone.address = OTHER_ADDRESS
    story.wait_for_page()
    wait_until(lambda: find_name(phone) == [OTHER_ADDRESS])
    phone.play(3)
    machine.run("ip", "address", "del", f"{OTHER_ADDRESS}/16", "dev", "eth0")
    machine.run("ip", "address", "add", f"{ADDRESS}/16", "dev", "eth0")
    phone.address = ADDRESS
    story.wait_for_page()
    return f"{ADDRESS} and {OTHER_ADDRESS} printed and announced"


def find_name(phone: Phone) -> list[str]:
    """Return the addresses that the phone finds by multicast DNS."""

    def find() -> list[str]:
        import zeroconf  # noqa: PLC0415 - in the phone's network

        asked = zeroconf.Zeroconf([phone_address])
        try:
            found = asked.get_service_info("_http._tcp.local.", "Cribbage companion._http._tcp.local.", 3000)
            return found.parsed_addresses() if found else []
        finally:
            asked.close()

    phone_address = "10.25.0.1"
    return list(phone.do(find))


def cut_recorded_update(story: Story) -> str:
    """Update and back up in the middle of a game, and look at what a power cut at any moment leaves."""
    machine, phone = story.machine, story.phone
    phone.begin_game(0)
    machine.disk.start_recording()
    begin = time.monotonic()
    accepted, copied = [(begin, 0)], list[tuple[float, int]]()
    update = machine.start("companion", "service", "update")
    while update.poll() is None:
        if phone.play_move() == 201:
            accepted.append((time.monotonic(), len(phone.accepted)))
        if len(accepted) == 10 and not copied:
            machine.run(*AS_USER, "companion", "backup", COPY, *SETTINGS)
            copied = [(time.monotonic(), len(phone.accepted))]
        time.sleep(0.5)
    end = time.monotonic()
    assert update.returncode == 0
    new = story.read_status("version")

    def examine(cut: Machine, at_s: float, *, is_booted: bool) -> str:
        version = choose_version(cut)
        check_exported_moves(cut, phone.planned, accepted, at_s)
        if at_s >= copied[0][0]:
            check_exported_moves(cut, phone.planned, copied, at_s, COPY)
        if is_booted:
            boot_after_cut(story, cut, version)
        return "with the new version" if version == new else "with the old version"

    cuts = cut_recording(story, begin, examine)
    machine.run("rm", COPY)
    return f"an update of {end - begin:.0f} s; {cuts}"


BOOT_EVERY = 10
"""Of so many cuts one is booted until the page is there."""

CHOOSE_VERSION = """\
import sys
from pathlib import Path
from companion.plugins.service import installer, launcher
version, sentences = launcher.choose_version(Path(sys.argv[1]))
print(version and version.name, version and installer.check_manifest(version), *sentences, sep="\\n")
"""


def cut_recording(story: Story, begin: float, examine: Callable[..., str]) -> str:
    """Examine what power cuts at random moments of the recording, which began at `begin`, leave of the machine.

    `examine` gets a machine that is switched off, the moment, and whether to boot it, and returns what it has found.
    """
    machine, chance = story.machine, story.chance
    end = time.monotonic() + 5
    machine.run("sync")
    machine.kill()
    machine.disconnect_disk()
    recorded = machine.disk.stop_recording()
    found: Counter[str] = Counter()
    for number in range(story.cuts):
        at_s = chance.choice(recorded).at_s if number % 2 else chance.uniform(begin, end)
        disk = machine.disk.disk_after_cut(recorded, at_s, chance)
        cut = Machine(machine.tree, machine.folder / "cut", disk)
        try:
            cut.connect_disk()
            found[examine(cut, at_s, is_booted=number % BOOT_EVERY == 0)] += 1
        except Exception as error:
            save_log(cut, machine.folder / "cut.log")
            raise AssertionError(f"cut {number}, {at_s - begin:.2f} s after the beginning of the recording") from error
        finally:
            cut.close()
            disk.close()
    story.switch_on()
    story.wait_for_page()
    story.phone.check_moves()
    counts = ", ".join(f"{count} {words}" for words, count in sorted(found.items()))
    return f"{story.cuts} cuts, {-(-story.cuts // BOOT_EVERY)} of them booted: {counts}"


def save_log(machine: Machine, path: Path) -> None:
    """Write the log of a machine to a file, if it runs."""
    try:
        path.write_text(machine.run("journalctl", "--boot", "--no-pager"))
        print(f"    the log of the machine is {path}", flush=True)
    except Exception as error:
        print(f"    no log: {error}", flush=True)


def choose_version(machine: Machine) -> str:
    """Return the version that a start takes, all of whose files must be right; the command says which, and why."""
    words = [sys.executable, "-c", CHOOSE_VERSION, machine.root / "opt/companion"]
    done = subprocess.run(words, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    version, damage, *_ = done.stdout.split("\n")
    assert damage == "", done.stdout
    done = subprocess.run(
        ["chroot", machine.root, "/usr/local/bin/companion", "--version"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert f"Version {version} runs instead" in done.stderr or machine.links_to(version), done.stderr
    assert done.stderr.count("is damaged") == done.stderr.count("runs instead"), done.stderr
    return version


def check_exported_moves(
    machine: Machine,
    planned: list[JsonObject],
    accepted: list[tuple[float, int]],
    at_s: float,
    path: str = f"{STATE_DIR}/journal.sqlite3",
) -> None:
    """Check that a journal has the moves that were accepted until then, maybe more of the planned ones, and no others.

    :param accepted: moments, and the number of moves that were accepted until then
    """
    least = max(count for moment, count in accepted if moment <= at_s)
    if not least and not (machine.root / path[1:]).exists():
        return
    words = ["chroot", machine.root, "/usr/local/bin/companion", "export", "--journal", path]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if not least and "has no table yet" in done.stderr:
        return
    assert done.returncode == 0, done.stderr
    entries = (json.loads(line) for line in done.stdout.splitlines()[1:])
    moves = [each["body"] for each in entries if each["kind"] == "move"]
    assert len(moves) >= least, f"{len(moves)} of {least} moves are left"
    assert moves == planned[: len(moves)]


def boot_after_cut(story: Story, machine: Machine, version: str) -> None:
    """Boot this machine and wait for its page."""
    machine.boot()
    machine.connect_network(story.phone.pid, ADDRESS)
    story.wait_for_page()
    status = machine.run("companion", "service", "status")
    assert f"version   {version}" in status, status


def roll_back(story: Story) -> str:
    """Update, return to the version before, and forward again."""
    machine, phone = story.machine, story.phone
    before = story.read_status("version").split()[0]
    begin = time.monotonic()
    machine.run("companion", "service", "update")
    took_s = time.monotonic() - begin
    after = story.read_status("version")
    assert after != before
    for wanted in (before, after, before):
        machine.run("companion", "service", "rollback")
        assert story.read_status("version") == wanted
        phone.check_moves()
        phone.play(1)
    return f"an update takes {took_s:.0f} s; {after}, {before}, {after}, {before}"


def update_from_wheel(story: Story) -> str:
    """Build a wheel, take the checkout away, and update from the wheel alone."""
    machine, phone = story.machine, story.phone
    build = ("wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", "/root/release", "/root/cribbage")
    machine.run("/opt/companion/current/bin/pip", *build)
    machine.run("sh", "-c", "mv /root/cribbage /root/release/; mkdir /root/cribbage")
    before = story.read_status("version")
    (wheel,) = machine.run("sh", "-c", "ls /root/release/*.whl").split()
    machine.run("companion", "service", "update", "--from", wheel)
    assert story.read_status("version") != before
    assert phone.do(lambda: urllib.request.urlopen(f"http://{ADDRESS}:8123/").status) == 200
    phone.check_moves()
    phone.play(2)
    return f"{story.read_status('version')} from {wheel.rpartition('/')[2]}"


def restore_backup(story: Story) -> str:
    """Copy the journal while the table runs, lose the journal, and put the copy in its place."""
    machine, phone = story.machine, story.phone
    machine.run(*AS_USER, "companion", "backup", COPY, *SETTINGS)
    kept = list(phone.accepted)
    phone.play(2)
    machine.run("systemctl", "stop", "companion")
    machine.run("sh", "-c", f"mkdir /root/old; mv {STATE_DIR}/journal.sqlite3* /root/old")
    machine.run(*AS_USER, "mv", COPY, f"{STATE_DIR}/journal.sqlite3")
    machine.run("systemctl", "start", "companion")
    story.wait_for_page()
    phone.accepted = kept
    phone.check_moves()
    phone.play(2)
    machine.run("rm", "-r", "/root/old")
    return f"{len(kept)} moves of the game came back"


def remove_service(story: Story) -> str:
    """Remove the service: nothing but the games, the settings and the user stays."""
    machine = story.machine
    output = machine.run("companion", "service", "remove")
    assert "The service is removed." in output, output
    assert story.phone.ask("GET", "/api/health")[0] == 0
    left = sorted(each for each in story.list_files() - story.files_before if not each.startswith(REMAINS_ALLOWED))
    assert not left, left
    assert "companion" not in machine.run("ps", "-e", "-o", "user=")
    assert (machine.root / STATE_DIR[1:] / "journal.sqlite3").exists()
    return "games, settings and the user stay"


SCENARIOS: tuple[Callable[[Story], str], ...] = (
    install_service, ask_doctor, cut_first_moves, play_evening, kill_program, fill_disk, connect_late,
    cut_recorded_update, roll_back, update_from_wheel, restore_backup, remove_service,
)  # fmt: skip
