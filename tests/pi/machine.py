"""A machine for the test: Debian with systemd as process 1, a network cable, and a disk whose power can be cut.

Process 1 and all below it have their own processes, mounts, network, host name and control groups, and run at the speed
of this machine on its kernel. The system itself is a read-only folder; everything that the machine changes, /etc and
/opt included, is on an ext4 file system on a `VolatileDisk`.
"""

import contextlib
import os
import pty
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.support.waiting import wait_until

from .phone import END_WITH_TEST
from .volatile_disk import DiskServer, VolatileDisk

DISK_BYTES = 1500 * 2**20
PATIENCE_S = 600
"""Far above the time that any command of the machine needs."""

INIT = r"""
set -e
cd "$0"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
for each in null:1:3 zero:1:5 full:1:7 random:1:8 urandom:1:9 tty:5:0; do
    IFS=: read -r name major minor <<<$each
    mknod -m 666 dev/$name c $major $minor
done
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
for name in stdin stdout stderr; do ln -s fd/$((n++)) dev/$name; done
cat proc/sys/kernel/random/uuid >run/boot-id
mount --bind run/boot-id proc/sys/kernel/random/boot_id
touch dev/console
mount --bind "$1" dev/console
hostname cribbage
ip link set lo up
pivot_root . mnt
umount -l mnt
exec env -i container=test PATH=/usr/sbin:/usr/bin setpriv --bounding-set=-sys_time,-sys_module,-sys_rawio \
    /lib/systemd/systemd --show-status=false
"""
"""Commands of process 1 before it is systemd. It may not set the clock, which it has in common with this machine.

Its devices are nodes of their own, because systemd changes owner and mode of some. So is the identifier of the
start, by which journalctl --boot selects."""

ENVIRONMENT = ("env", "-i", "HOME=/root", "LC_ALL=C.UTF-8", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin")


class CommandFailed(AssertionError):
    """A command of the machine ended with another code than 0."""


class Screen:
    """A screen at the machine, the terminal of its console. Everything that it has shown is in a file."""

    def __init__(self, shown: Path) -> None:
        self._terminal, self._end = pty.openpty()
        self.path = os.ttyname(self._end)
        self._thread = threading.Thread(target=self._run, args=(shown,), name="screen", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Switch it off."""
        os.close(self._end)
        self._thread.join()
        os.close(self._terminal)

    def _run(self, shown: Path) -> None:
        with shown.open("wb", buffering=0) as file, contextlib.suppress(OSError):  # once no process has it open
            while True:
                file.write(os.read(self._terminal, 4096))


class Machine:
    """A machine in a folder, which is switched off at first. `close` leaves nothing behind but files in its folder.

    The process that uses it must have its own mount namespace.
    """

    def __init__(self, tree: Path, folder: Path, disk: VolatileDisk) -> None:
        """`tree` is the read-only system, `folder` is made anew, and `disk` has an ext4 file system."""
        self.folder, self.disk = folder, disk
        self.tree = tree
        self._processes: list[subprocess.Popen[bytes]] = []
        self._fuse: subprocess.Popen[bytes] | None = None
        self._init: subprocess.Popen[bytes] | None = None
        self.pid, self._loop = 0, ""
        for name in ("root", "fuse", "disk"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    @property
    def root(self) -> Path:
        """Root folder of the machine while its disk is connected."""
        return self.folder / "root"

    @property
    def changes(self) -> Path:
        """Folder of the files that differ from the clean system, while the disk is connected."""
        return self.folder / "disk/upper"

    def links_to(self, version: str) -> bool:
        """Return whether this version of the companion is linked as the current one."""
        link = self.root / "opt/companion/current"
        return link.is_symlink() and link.readlink().name == version

    def connect_disk(self) -> None:
        """Mount the disk, which replays the journal of its file system."""
        path = self.folder / "socket"
        path.unlink(missing_ok=True)
        self._server = DiskServer(self.disk, path)
        with (self.folder / "fuse.log").open("ab") as log:
            self._fuse = subprocess.Popen(
                [*END_WITH_TEST, "nbdfuse", self.folder / "fuse", "--unix", path], stdout=log, stderr=log
            )
        wait_until((self.folder / "fuse/nbd").exists)
        self._mount("-o", "loop", str(self.folder / "fuse/nbd"), str(self.folder / "disk"))
        mounts = (line.split() for line in Path("/proc/self/mounts").read_text().splitlines())
        self._loop = next(Path(each[0]).name for each in mounts if each[1] == str(self.folder / "disk"))
        for name in ("upper", "work"):
            (self.folder / "disk" / name).mkdir(exist_ok=True)
        layers = f"lowerdir={self.tree},upperdir={self.folder}/disk/upper,workdir={self.folder}/disk/work"
        self._mount("-t", "overlay", "-o", layers, "overlay", str(self.root))

    def disconnect_disk(self) -> None:
        """Unmount the disk. Nothing of the machine may run."""
        for name in ("root", "disk"):
            subprocess.run(["umount", self.folder / name], check=False, capture_output=True)
        # The kernel frees the device a little later. It must not outlive the program that answers its reads.
        wait_until(lambda: not self._loop or not (Path("/sys/block") / self._loop / "loop").exists())
        self._loop = ""
        if self._fuse:
            subprocess.run(["fusermount3", "-u", self.folder / "fuse"], check=False, capture_output=True)
            self._fuse.wait()
            self._server.close()
            self._fuse = None

    def boot(self, when_begun: Callable[[], object] = lambda: None) -> float:
        """Start systemd, call `when_begun`, and wait until all has started. Return the time in s."""
        begin = time.monotonic()
        self._screen = Screen(self.folder / "screen.log")
        cgroup = _cgroup_folder() / f"companion-pi-{os.getpid()}-{self.folder.name}"
        cgroup.mkdir(exist_ok=True)
        namespaces = ("--pid", "--mount", "--net", "--uts", "--ipc", "--cgroup", "--propagation", "private")
        words = (*END_WITH_TEST, "unshare", *namespaces, "--fork", "--kill-child")
        join = 'echo $$ >"$0/cgroup.procs"; exec "$@"'
        with (self.folder / "init.log").open("ab") as log:
            self._init = subprocess.Popen(
                ["bash", "-c", join, cgroup, *words, "bash", "-c", INIT, self.root, self._screen.path],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        children = Path(f"/proc/{self._init.pid}/task/{self._init.pid}/children")
        self.pid = int(wait_until(lambda: children.read_text().split(), 60)[0])
        name = Path(f"/proc/{self.pid}/comm")
        wait_until(lambda: name.read_text() == "systemd\n", 60)
        when_begun()
        wait_until(self._has_started)
        return time.monotonic() - begin

    def _has_started(self) -> bool:
        assert self._init
        assert self._init.poll() is None, (self.folder / "init.log").read_text()
        return self._call("systemctl", "is-system-running").stdout.strip() in ("running", "degraded")

    def run(self, *words: str, code: int = 0) -> str:
        """Return the output of a command. Raises CommandFailed if it does not end with this exit code."""
        done = self._call(*words)
        if done.returncode != code:
            raise CommandFailed(f"{' '.join(words)} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def start(self, *words: str) -> "subprocess.Popen[bytes]":
        """Start a command, which ends with the machine at the latest."""
        with (self.folder / "commands.log").open("ab") as log:
            process = subprocess.Popen(self._inside(*words), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._processes.append(process)
        return process

    def _call(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            self._inside(*words),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )

    def _inside(self, *words: str) -> tuple[str, ...]:
        return ("nsenter", "--target", str(self.pid), "--all", "--wdns=/root/cribbage", *ENVIRONMENT, *words)

    def connect_network(self, phone_pid: int, address: str) -> None:
        """Give the machine a cable to the namespace of the phone and an address, if there is one."""
        for_phone = ("nsenter", "--target", str(phone_pid), "--net")
        run = lambda *words: subprocess.run(words, check=True, capture_output=True)  # noqa: E731
        subprocess.run([*for_phone, "ip", "link", "del", "phone0"], check=False, capture_output=True)
        peer = ("peer", "name", "eth0", "address", "02:00:00:00:00:02", "netns", str(self.pid))
        run(*for_phone, "ip", "link", "add", "phone0", "type", "veth", *peer)
        run(*for_phone, "ip", "link", "set", "phone0", "up")
        run(*for_phone, "ip", "address", "add", "10.25.0.1/16", "dev", "phone0")
        self.run("ip", "link", "set", "eth0", "up")
        if address:
            self.run("ip", "address", "add", f"{address}/16", "dev", "eth0")

    def kill(self) -> None:
        """Kill all processes of the machine at once."""
        if self._init:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            self._init.wait()
            self._init = None
            self._screen.close()
        for process in self._processes:
            process.kill()
            process.wait()
        self._processes.clear()
        _remove_cgroup(_cgroup_folder() / f"companion-pi-{os.getpid()}-{self.folder.name}")

    def cut_power(self, chance: Random) -> None:
        """Cut the power: from one moment on nothing reaches the disk, and nothing runs any more."""
        self.disk.cut_power(chance)
        self.kill()
        self.disconnect_disk()
        self.disk = self.disk.restore_power()

    def close(self) -> None:
        """Switch the machine off without regard for its data."""
        self.kill()
        self.disconnect_disk()

    @staticmethod
    def _mount(*words: str) -> None:
        done = subprocess.run(["mount", *words], check=False, capture_output=True, text=True)
        assert not done.returncode, done.stderr


def make_disk(path: Path) -> VolatileDisk:
    """Return an empty disk with an ext4 file system in this file."""
    path.unlink(missing_ok=True)
    with path.open("wb") as file:
        file.truncate(DISK_BYTES)
    subprocess.run(["mkfs.ext4", "-q", "-E", "nodiscard", path], check=True)
    return VolatileDisk(path)


def copy_checkout(checkout: Path, to: Path) -> None:
    """Copy the files of the checkout, those that are not committed yet as well."""
    words = ["git", "ls-files", "-co", "--exclude-standard"]
    listed = subprocess.run(words, cwd=checkout, capture_output=True, text=True, check=True).stdout.splitlines()
    for name in listed:
        if (checkout / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(checkout / name, to / name)


def _cgroup_folder() -> Path:
    """Return where the control groups of version 2 are mounted on this machine."""
    mounts = (line.split() for line in Path("/proc/self/mounts").read_text().splitlines())
    return next(Path(each[1]) for each in mounts if each[2] == "cgroup2")


def _remove_cgroup(folder: Path) -> None:
    def remove() -> bool:
        for each in sorted(folder.rglob("*/"), reverse=True):
            with contextlib.suppress(OSError):
                each.rmdir()
        with contextlib.suppress(OSError):
            folder.rmdir()
        return not folder.exists()

    wait_until(remove, 60)
