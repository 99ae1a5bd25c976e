"""`make pi-arm`: a table on an aarch64 machine, QEMU's `virt` with the core of a Pi 4 and Debian 13's own kernel.

Its image is made once and kept in `build/pi`: debootstrap unpacks here, and the machine itself configures its packages.
The checkout is set up by `make run` from the registries; a phone plays a game, the firmware of a Pico at an emulated
USB cable is copied, a photograph is read, and buttons are pressed at the pins of an emulated chip.
"""

import hashlib
import json
import lzma
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any, TextIO

from tests.oracles.driver import play_game
from tests.oracles.kinds import KINDS
from tests.plugins.cards.samples import draw_photo, unseen_style
from tests.plugins.cards.test_reader import encode
from tests.support.line_pico import NODE_MODULES, run_pico
from tests.support.waiting import PATIENCE_S, wait_until

from .debian_tree import BUILD, find_mirror
from .virtual_machine import AGENT, VirtualMachine, run_steps

RELEASE = "trixie"
PACKAGES = (
    "busybox-static", "ca-certificates", "gcc", "git", "kmod", "libc6-dev", "linux-image-arm64", "make", "python3-dev",
    "python3-venv", "systemd", "systemd-sysv", "udev",
)  # fmt: skip
"""The kernel, the README's packages, and what compiles the packages without a wheel."""
MODULES = ("crc16", "crc32c_generic", "libcrc32c", "mbcache", "jbd2", "ext4", "virtio_blk")
DONE = "The system is complete."
INIT = f"""\
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t devtmpfs dev /dev
mount -t proc proc /proc
for module in /modules/*; do insmod $module; done
mount -o noatime /dev/vda /disk
grep -q configure /proc/cmdline || exec switch_root /disk /sbin/init
mount -t devtmpfs dev /disk/dev
mount -t proc proc /disk/proc
chroot /disk bash -e /root/configure && echo "{DONE}"
umount /disk/proc /disk/dev /disk
poweroff -f
"""
"""The first program, in a RAM disk: Debian's own would take the machine longer to make than to configure the rest."""
CONFIGURE = f"""\
export PATH=/usr/sbin:/usr/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive INITRD=No
touch /var/lib/dpkg/status
cd /var/cache/apt/archives
dpkg --install --force-depends,unsafe-io base-passwd_*.deb base-files_*.deb
dpkg --install --force-depends,unsafe-io *.deb
rm *.deb
printf '[Match]\\nName=en*\\n[Network]\\nDHCP=yes\\n' >/etc/systemd/network/cable.network
echo nameserver 10.0.2.3 >/etc/resolv.conf
systemctl enable systemd-networkd
{AGENT}"""
"""Every program is there already, in whatever order dpkg runs the scripts that need it."""
UNPACK = """\
cd var/cache/apt/archives
for package in *.deb; do
    dpkg-deb --extract $package ../../../..
    dpkg-deb --raw-extract $package package
    dpkg-deb -Znone --build package $package
    rm -r package
done
"""
"""Unpacks all packages, and packs them anew without compression, which the slow machine would take long to undo."""
USB_SERIAL = "usb-serial,chardev=pico"
HARDWARE = ("-M", "virt", "-cpu", "cortex-a72")
WITHOUT_WHEEL = {"keyboard": "evdev", "pi": "rpi-ws281x"}
"""The extras whose package is compiled on Debian 13, because there is no wheel for aarch64 and its Python 3.13."""
UNDO, OFF, READY, BUZZER = 2, 4, 5, 7
"""The lines of the chip for buttons, light and buzzer. Line 3 is the machine's power key."""


def make_image() -> Path:
    """Return the folder of image, kernel and initial RAM disk. Needs root, the registries and some minutes."""
    state = hashlib.sha256(f"{PACKAGES} {MODULES} {INIT} {CONFIGURE} {UNPACK}".encode()).hexdigest()
    folder = BUILD / f"{RELEASE}-arm64"
    if (folder / "state").exists() and (folder / "state").read_text() == state:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    tree = folder / "tree"
    words = ["debootstrap", "--foreign", "--arch=arm64", "--variant=minbase", f"--include={','.join(PACKAGES)}"]
    subprocess.run([*words, RELEASE, tree, *find_mirror()], check=True, stdout=subprocess.DEVNULL)
    if (tree / "proc").is_symlink():  # made in a container
        (tree / "proc").unlink()
        (tree / "proc").mkdir()
    for path in (Path("/etc/pip.conf"), *Path("/usr/local/share/ca-certificates").glob("*.crt")):
        if path.exists():  # what leads to the registries of this machine
            target = tree / path.relative_to("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    (tree / "root/configure").write_text(CONFIGURE)
    (tree / "etc/hostname").write_text("cribbage\n")
    (tree / "var/lib/dpkg").mkdir(exist_ok=True)
    subprocess.run(["sh", "-ec", UNPACK], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    shutil.copy(next((tree / "boot").glob("vmlinuz-*")), folder / "vmlinuz")
    _pack_ram_disk(tree, folder)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", tree, folder / "root.img", "4G"], check=True)
    subprocess.run(
        ["qemu-system-aarch64", *HARDWARE, "-smp", "2", "-m", "2000", "-display", "none", "-no-reboot",
         "-kernel", folder / "vmlinuz", "-initrd", folder / "initrd.img", "-append", "console=ttyAMA0 configure",
         "-drive", f"file={folder}/root.img,if=virtio,format=raw,cache=unsafe", "-serial", f"file:{folder}/first.log"],
        check=True,
    )  # fmt: skip
    assert DONE in (folder / "first.log").read_text(errors="replace"), f"see {folder}/first.log"
    for path in (tree, folder / "ram"):
        shutil.rmtree(path)
    (folder / "state").write_text(state)
    return folder


def _pack_ram_disk(tree: Path, folder: Path) -> None:
    disk = folder / "ram"
    for name in ("bin", "dev", "proc", "disk", "modules"):
        (disk / name).mkdir(parents=True)
    shutil.copy(tree / "usr/bin/busybox", disk / "bin")
    for number, name in enumerate(MODULES):
        (packed,) = (tree / "usr/lib/modules").rglob(f"{name}.ko.xz")
        (disk / f"modules/{number}-{name}.ko").write_bytes(lzma.decompress(packed.read_bytes()))
    (disk / "init").write_text(INIT)
    (disk / "init").chmod(0o755)
    pack = f"find . | cpio -o -H newc --quiet >{folder}/initrd.img"
    subprocess.run(["sh", "-ec", pack], cwd=disk, check=True)


class Arm(VirtualMachine):
    """The aarch64 machine, which reaches the registries as a Pi does."""

    emulator: tuple[str, ...] = ("qemu-system-aarch64", *HARDWARE, "-smp", "2", "-m", "1800")
    console = "ttyAMA0"
    network = ""


class Chip:
    """The wires at a PL061, the GPIO controller of `virt`: moved and watched by the protocol of QEMU's own tests."""

    def __init__(self, folder: Path) -> None:
        monitor, self._lines = (_open_socket(folder / name) for name in ("monitor", "qtest"))
        monitor.write("info qom-tree\n")
        monitor.flush()
        found = next(filter(None, (re.search(r"device\[\d+\](?= \(pl061\))", text) for text in monitor)))
        self._device = f"/machine/unattached/{found[0]}"
        self.rises = Counter[int]()
        """How often each output has risen."""
        self._send(f"irq_intercept_out {self._device}")

    def set_level(self, pin: int, level: int) -> None:
        """Set the level of an input."""
        self._send(f"set_irq_in {self._device} unnamed-gpio-in {pin} {level}")

    def count_rises(self, pin: int) -> int:
        """Return how often an output has risen until now."""
        self._send("endianness")  # the answer comes after all changes
        return self.rises[pin]

    def read_changes(self) -> str:
        """Read changes until an answer, which is empty when the machine has switched itself off. Return it."""
        while (answer := self._lines.readline()).startswith("IRQ"):
            self.rises[int(answer.split()[2])] += "raise" in answer
        return answer

    def _send(self, command: str) -> None:
        self._lines.write(f"{command}\n")
        self._lines.flush()
        answer = self.read_changes()
        assert answer.startswith("OK"), answer


def _open_socket(path: Path) -> TextIO:
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(PATIENCE_S)
        line.connect(str(path))
        return line.makefile("rw")


WAIT_FOR_TABLE = """\
log="journalctl --boot --unit=table --output=cat"
until $log | grep '^players .*/join/'; do
    systemctl is-active --quiet table || { $log; exit 1; }
    sleep 5
done
"""


class Table:
    """The machine with a checkout that is set up by `make run`, and a phone at its table."""

    python = ".venv/bin/python"

    def __init__(self, machine: VirtualMachine, wires: Path) -> None:
        """`wires` is the folder of the sockets of its `Chip`."""
        self.machine, self.wires = machine, wires
        self._address = f"http://127.0.0.1:{machine.port}"
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())

    def start(self, *options: str, arguments: str = "") -> None:
        """Start the program by `make run`, under these options of systemd."""
        options += ("--working-directory=/root/cribbage", "--setenv=HOME=/root")
        self.machine.start("table", *options, "make", "run", f"ARGS={arguments}")

    def join(self) -> None:
        """Join by the players' address that the program prints."""
        key = re.search(r"/join/\S+", self.run(WAIT_FOR_TABLE))
        assert key
        self._opener.open(f"{self._address}{key[0]}", timeout=PATIENCE_S).close()

    def ask(self, path: str, body: bytes = b"", kind: str = "application/json") -> Any:
        """Return the answer to a GET, or to a POST with a body."""
        request = urllib.request.Request(f"{self._address}{path}", body or None, {"Content-Type": kind})
        with self._opener.open(request, timeout=PATIENCE_S) as response:
            return json.loads(response.read())

    def read_moves(self) -> list[Any]:
        """Return the moves of the game."""
        return [entry["move"] for entry in self.ask("/api/history")["moves"]]

    def install(self, *extras: str, options: str = "") -> str:
        """Install the pinned packages of extras. Return the output, also where that fails."""
        files = " ".join(f"-r requirements/{extra}.txt" for extra in ("base", *extras))
        words = f"PYPI=1 {self.python} -m pip install --require-hashes --no-build-isolation {options} {files}"
        return self.run(f"{words}; true")

    def run(self, line: str) -> str:
        """Return the output of a line of the shell in the checkout."""
        return self.machine.run("sh", "-c", f"cd /root/cribbage; exec 2>&1; {line}")


def set_up(table: Table) -> str:
    """Set up and start a table by `make run`; join it by its players' address."""
    begin = time.monotonic()
    table.start()
    table.join()
    python, processor = table.run(f"{table.python} --version; uname -m").splitlines()
    assert (python[:11], processor) == ("Python 3.13", "aarch64")
    return f"{python}, {processor}: the page answered after {time.monotonic() - begin:.0f} s"


def play(table: Table) -> str:
    """Play a game of six-card, and read all its moves again."""
    setup, moves, _ = play_game(KINDS["six-card"], 6)
    options = {"game": "six-card", "seats": setup.seats, "dealer": setup.dealer, "options": dict(setup.options)}
    table.ask("/api/table", json.dumps(options).encode())
    for move in moves:
        table.ask("/api/moves", json.dumps(move).encode())
    assert table.read_moves() == moves
    return f"{len(moves)} moves"


def find_wheels(table: Table) -> str:
    """Install all extras with wheels alone; then compile the packages that have none, and lgpio."""
    missing = {}
    for extras in (("camera", "club", "flash", "mqtt", "pi5", "wifi"), *((extra,) for extra in WITHOUT_WHEEL)):
        output = table.install(*extras, options="--only-binary=:all:")
        if found := re.search(r"No matching distribution found for ([\w-]+)", output):
            missing[" ".join(extras)] = found[1]
        else:
            assert "Successfully installed" in output, output
    assert missing == WITHOUT_WHEEL
    table.run("apt-get update && apt-get install --yes --no-install-recommends swig")
    output = table.install("pi-libraries", options="--use-pep517")
    compiled = re.findall(r"Created wheel for ([\w-]+)", output)
    assert sorted(compiled) == sorted((*missing.values(), "lgpio")), output
    return f"compiled, because they have no wheel: {', '.join(compiled)}"


def flash(table: Table) -> str:
    """Copy firmware and board by the documented command."""
    output = table.run(f"{table.python} -m companion flash classic --port /dev/ttyUSB0")
    assert "The firmware runs" in output, output
    return output.splitlines()[-1]


def read_photo(table: Table) -> str:
    """Send a photograph from the phone."""
    picture, placed = draw_photo(unseen_style(), 3)
    begin = time.monotonic()
    answer = table.ask("/api/cards/photo", encode(picture), "image/jpeg")
    cards = {reading["card"] for reading in answer["cards"]}
    assert cards, answer
    assert cards <= {card.card for card in placed}
    return f"{' '.join(sorted(cards))} of {len(placed)} cards, {time.monotonic() - begin:.0f} s"


def press_buttons(table: Table) -> str:
    """Take the last move back by a button, repeat it, hear its tune at the buzzer's pin, and hold the shutdown button.

    gpiozero, which must know the Pi, is told that this is a Pi 3.
    """
    moves = table.read_moves()
    table.run("systemctl stop table; echo 'Revision : a02082' >/run/cpuinfo")
    chip = Chip(table.wires)
    for pin in (UNDO, OFF):
        chip.set_level(pin, 1)
    table.start(
        "--property=BindReadOnlyPaths=/run/cpuinfo:/proc/cpuinfo",
        arguments=f"--buttons gpio:undo={UNDO},off={OFF},ready={READY} --set buzzer=gpio:{BUZZER}",
    )
    wait_until(lambda: chip.count_rises(READY))
    chip.set_level(UNDO, 0)
    wait_until(lambda: table.read_moves() == moves[:-1])
    chip.set_level(UNDO, 1)
    table.ask("/api/moves", json.dumps(moves[-1]).encode())
    wait_until(lambda: chip.count_rises(BUZZER) > 100)
    chip.set_level(OFF, 0)
    assert not chip.read_changes()
    return f"one move back at a pin, the tune in {chip.rises[BUZZER]} periods, switched off"


STEPS = (set_up, play, find_wheels, flash, read_photo, press_buttons)


def run_table(image: Path) -> bool:
    """Run the steps on a new machine. Return whether all have succeeded."""
    with (
        tempfile.TemporaryDirectory(dir="/var/tmp") as folder,
        tempfile.TemporaryDirectory() as far,
        run_pico(Path(far)) as pico,
        closing(Arm(image, Path(folder))) as machine,
    ):
        cable = ("-chardev", f"serial,path={pico.path},id=pico", "-device", "qemu-xhci", "-device", USB_SERIAL)
        wires = ("-monitor", f"unix:{far}/monitor,server=on,wait=off", "-qtest", f"unix:{far}/qtest,server=on,wait=off")
        machine.emulator += (*cable, *wires)
        return run_steps("An aarch64 machine", machine, Table(machine, Path(far)), STEPS)


def main() -> None:
    """Run all steps; the exit code is 1 if one has failed."""
    tools = ("debootstrap", "cpio", "dpkg-deb", "mke2fs", "node", "qemu-system-aarch64")
    missing = [name for name in tools if not shutil.which(name)] + ["root"] * bool(os.geteuid())
    missing += ["the packages of tests/package.json"] * (not NODE_MODULES.is_dir())
    if missing:
        print(f"SKIPPED: make pi-arm emulates an aarch64 machine, for which this one lacks {', '.join(missing)}.")
        sys.exit(os.environ.get("CI") == "true")
    begin = time.monotonic()
    image = make_image()
    print(f"Debian 13 for aarch64: made or found in {(time.monotonic() - begin) / 60:.0f} minutes", flush=True)
    succeeded = run_table(image)
    print(f"{'passed' if succeeded else 'failed'} after {(time.monotonic() - begin) / 60:.0f} minutes", flush=True)
    sys.exit(not succeeded)


if __name__ == "__main__":
    main()
