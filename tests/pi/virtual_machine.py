"""A virtual machine with Debian's own kernel, systemd and drivers. QEMU emulates it, without KVM or root.

Its image is made once and kept in `build/pi`. What a run changes is in memory, on a `VolatileDisk` whose power can be
cut. Commands go to `guest.py` over a virtio port; a phone reaches the pages by a forwarded port.
"""

import hashlib
import json
import shutil
import socket
import subprocess
import tarfile
import time
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import TypeVar

from tests.support.waiting import wait_until

from .debian_tree import BUILD, CHECKOUT, WHEELS, make_tree
from .machine import CommandFailed, copy_checkout
from .phone import END_WITH_TEST
from .volatile_disk import DiskServer, VolatileDisk

Subject = TypeVar("Subject")

KERNEL_PACKAGES = (
    "avahi-daemon", "avahi-utils", "busybox", "dnsmasq-base", "e2fsprogs", "gcc", "hostapd", "iw", "kbd", "kmod",
    "libc6-dev", "linux-image-amd64", "modemmanager", "network-manager", "overlayroot", "polkitd", "python3-dev",
    "wpasupplicant",
)  # fmt: skip
"""Kernel and drivers, what compiles evdev, and the programs that could get into the companion's way."""

DISK_MODULES = ("virtio_pci", "virtio_blk", "ext4", "overlay")
EXTRAS = ("camera", "flash", "keyboard", "wifi")

AGENT = """\
cat >/etc/systemd/system/agent.service <<END
[Service]
ExecStartPre=tar -xf /dev/vdb -C /root
ExecStart=/usr/bin/python3 /root/guest.py agent
WorkingDirectory=/root
[Install]
WantedBy=multi-user.target
END
systemctl enable agent
"""
"""Commands that let the machine start `guest.py agent`."""

PREPARE = f"""\
export DEBIAN_FRONTEND=noninteractive
printf '#!/bin/sh\\nexit 101\\n' >/usr/sbin/policy-rc.d
chmod +x /usr/sbin/policy-rc.d
mkdir -p /etc/initramfs-tools/conf.d /usr/share/initramfs-tools/modules.d
echo MODULES=list >/etc/initramfs-tools/conf.d/small
printf '%s\\n' {" ".join(DISK_MODULES)} >/usr/share/initramfs-tools/modules.d/disk
apt-get update
apt-get install -y --no-install-recommends {" ".join(KERNEL_PACKAGES)}
mv /etc/pip.conf /root/offline.conf
python3 -m venv /tmp/download
/tmp/download/bin/pip --disable-pip-version-check download -q --no-deps --require-hashes \\
    -r /root/plug-pins.txt -d {WHEELS}
mv /root/offline.conf /etc/pip.conf
rm -r /tmp/download /usr/sbin/policy-rc.d /var/lib/apt/lists/* /var/cache/apt
{AGENT}echo cribbage >/etc/hostname
"""


def find_missing_emulator() -> list[str]:
    """Return what this machine lacks to run a virtual machine."""
    return [name for name in ("qemu-system-x86_64", "mke2fs") if not shutil.which(name)]


def make_image(release: str) -> Path:
    """Return the folder of the image, kernel and initial RAM disk of a release. Needs root and the registries."""
    base = make_tree(release)
    pins = b"".join((CHECKOUT / f"requirements/{name}.txt").read_bytes() for name in EXTRAS)
    text = (BUILD / f"{release}.state").read_bytes() + PREPARE.encode() + pins
    state, folder = hashlib.sha256(text).hexdigest(), BUILD / f"{release}-image"
    if (folder / "state").exists() and (folder / "state").read_text() == state:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    tree = folder / "tree"
    subprocess.run(["cp", "--archive", base, tree], check=True)
    (tree / "etc/resolv.conf").write_bytes(Path("/etc/resolv.conf").read_bytes())
    (tree / "root/plug-pins.txt").write_bytes(pins)
    with (folder / "log").open("wb") as log:
        subprocess.run(["chroot", tree, "bash", "-ec", PREPARE], check=True, stdout=log, stderr=log)
    for name in ("vmlinuz", "initrd.img"):
        shutil.copy(next((tree / "boot").glob(f"{name}-*")), folder / name)
    (tree / "etc/resolv.conf").unlink()
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", tree, folder / "root.img", "5G"], check=True)
    shutil.rmtree(tree)
    (folder / "state").write_text(state)
    return folder


class VirtualMachine:
    """A virtual machine, switched off at first. `port` of this machine leads to its pages; /dev/vdc is empty."""

    emulator: tuple[str, ...] = ("qemu-system-x86_64", "-cpu", "Nehalem", "-m", "1200")
    """One core, and no instructions that are slow to emulate: with two, or with all, it boots a third more slowly."""
    console = "ttyS0"
    network = "restrict=on,"

    def __init__(self, image: Path, folder: Path) -> None:
        """`folder` is empty, for the checkout as an archive and the text of its console."""
        self._image, self._folder = image, folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        (folder / "data.img").write_bytes(bytes(64 * 2**20))
        self._disks = {"system": VolatileDisk(image / "root.img", {}), "data": VolatileDisk(folder / "data.img", {})}
        self._serve_disks()
        copy_checkout(CHECKOUT, folder / "cribbage")
        shutil.copy(Path(__file__).with_name("guest.py"), folder / "guest.py")
        self._pack_files("cribbage", "guest.py")
        self._process: subprocess.Popen[bytes] | None = None

    def boot(self, *parameters: str) -> float:
        """Switch it on, and wait until systemd has started all. Return the time in s.

        :param parameters: more of the kernel
        """
        begin, path = time.monotonic(), self._folder / "agent"
        path.unlink(missing_ok=True)
        system = f"root=/dev/vda rw rootflags=noatime console={self.console} systemd.show_status=false mitigations=off"
        arguments = (
            "-accel", "tcg,thread=multi", "-display", "none", "-vga", "none", "-no-reboot",
            "-kernel", self._image / "vmlinuz", "-initrd", self._image / "initrd.img",
            "-append", " ".join((system, *parameters)),
            "-drive", f"file=nbd+unix:///?socket={self._folder}/system,if=virtio,format=raw",
            "-drive", f"file={self._folder}/files.tar,if=virtio,format=raw,readonly=on",
            "-drive", f"file=nbd+unix:///?socket={self._folder}/data,if=virtio,format=raw",
            "-netdev", f"user,id=net,{self.network}hostfwd=tcp:127.0.0.1:{self.port}-:8123",
            "-device", "virtio-net-pci,netdev=net", "-serial", f"file:{self._folder}/console.log",
            "-chardev", f"socket,path={path},server=on,wait=off,id=agent", "-device", "virtio-serial",
            "-device", "virtserialport,chardev=agent,name=agent",
        )  # fmt: skip
        with (self._folder / "qemu.log").open("ab") as log:
            self._process = subprocess.Popen([*END_WITH_TEST, *self.emulator, *arguments], stdout=log, stderr=log)
        self._agent = socket.socket(socket.AF_UNIX)
        wait_until(lambda: self._agent.connect_ex(str(path)) == 0)  # QEMU makes the file before it listens
        self._lines = self._agent.makefile("rwb")
        self.run("sh", "-c", "systemctl is-system-running --wait; true")
        self._pack_files("guest.py")  # the next start need not unpack the checkout again
        return time.monotonic() - begin

    def run(self, *words: str, code: int = 0) -> str:
        """Return the output of a command. Raises CommandFailed if it does not end with this exit code."""
        self._lines.write(json.dumps(words).encode() + b"\n")
        self._lines.flush()
        status, output = json.loads(self._lines.readline())
        if status != code:
            raise CommandFailed(f"{' '.join(words)} ended with {status}: {output}")
        return str(output)

    def start(self, name: str, *words: str) -> None:
        """Start a command as a unit of systemd."""
        self.run("systemctl", "reset-failed")
        self.run("systemd-run", f"--unit={name}", "--collect", "--quiet", "--setenv=PYTHONUNBUFFERED=1", *words)

    def cut_power(self, chance: Random) -> None:
        """Cut the power: of what was not flushed to the disks a part is lost."""
        for disk in self._disks.values():
            disk.cut_power(chance)
        self._kill()
        for server in self._servers:
            server.close()
        self._disks = {name: disk.restore_power() for name, disk in self._disks.items()}
        self._serve_disks()

    def close(self) -> None:
        """Switch it off for good."""
        self._kill()
        for server, disk in zip(self._servers, self._disks.values(), strict=True):
            server.close()
            disk.close()

    def _pack_files(self, *names: str) -> None:
        with tarfile.open(self._folder / "files.tar", "w") as archive:
            for name in names:
                archive.add(self._folder / name, name)

    def _serve_disks(self) -> None:
        for name in self._disks:
            (self._folder / name).unlink(missing_ok=True)
        self._servers = [DiskServer(disk, self._folder / name) for name, disk in self._disks.items()]

    def _kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
            self._agent.close()
            self._process = None


def run_steps(name: str, machine: VirtualMachine, subject: Subject, steps: Iterable[Callable[[Subject], str]]) -> bool:
    """Boot the machine and run the steps on `subject`. Print a line for each; return False at the first that fails."""
    try:
        print(f"{name}: booted in {machine.boot():.0f} s", flush=True)
        for step in steps:
            begin = time.monotonic()
            outcome = step(subject)
            print(
                f"ok  {step.__name__.replace('_', ' '):<22} {time.monotonic() - begin:4.0f} s   {outcome}", flush=True
            )
    except Exception:
        print(f"NO  {traceback.format_exc()}", flush=True)
        return False
    return True
