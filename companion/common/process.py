"""The process: end signals, systemd notifications, closed standard streams, and libraries that Debian packages.

See docs/how-to/run-as-a-service.md.
"""

import ctypes
import gc
import os
import select
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.common.errors import CompanionError
from companion.i18n import Message, format_message

_END_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name))
"""Signals that end the program. SIGHUP, sent when the terminal closes, is one, so that the lights are turned off."""

SWITCH_INTERVAL_S = 0.0005
"""Time after which a thread that computes gives way to others. A request takes some ten turns of several threads."""
YOUNG_COLLECTIONS_PER_FULL = 1000
"""A full garbage collection takes 0.1 s and more, because of the coach's caches, and finds next to nothing."""

SERVICE_FOLDER = "/opt/companion/"
"""Where `companion service` installs the program."""

_M_ARENA_MAX, _M_MMAP_THRESHOLD = -8, -3
_LARGE_BLOCK_BYTES = 128 * 1024


def read_health(host: str, port: int, *, tls: bool) -> bytes:
    """Return the health page of a table that is well. Raises OSError.

    With TLS any certificate will do: it need not be for this address.
    """
    import ssl  # noqa: PLC0415 - slow, and a table does not ask itself
    import urllib.request  # noqa: PLC0415

    address = f"http{'s' if tls else ''}://{host}:{port}/api/health"
    context = ssl._create_unverified_context() if tls else None
    with urllib.request.urlopen(address, timeout=3, context=context) as response:
        return bytes(response.read(10_000))


def power_off() -> None:
    """Shut the machine down. Raises CompanionError if that is refused."""
    try:
        subprocess.run(["systemctl", "poweroff"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        fault = error.strerror if isinstance(error, OSError) else error.stderr.strip()
        raise CompanionError("The machine cannot be shut down: {fault}", fault=fault) from error


class ServiceNotifier:
    """Waits for an end signal, and notifies systemd. Create it first: signals count from then on.

    Python writes a signal's number to a pipe; the handler itself does nothing. A handler that took a lock, such as an
    Event's, could deadlock when a second signal arrives.
    """

    def __init__(self) -> None:
        self._signals, signal_pipe = os.pipe()
        os.set_blocking(signal_pipe, False)
        signal.set_wakeup_fd(signal_pipe, warn_on_full_buffer=False)
        for number in _END_SIGNALS:
            if number == getattr(signal, "SIGHUP", None) and signal.getsignal(number) == signal.SIG_IGN:
                continue  # started by nohup
            signal.signal(number, lambda *_: None)
        self._manager = os.environ.pop("NOTIFY_SOCKET", "")
        self._beat_s = _watchdog_interval_s(os.environ.pop("WATCHDOG_USEC", ""), os.environ.pop("WATCHDOG_PID", ""))

    def wait_for_end(self, is_well: Callable[[], bool]) -> None:
        """Report READY, and return when the program is to end. Serves the watchdog while `is_well()` is true."""
        self._notify_manager("READY=1")
        while True:
            ready, _, _ = select.select([self._signals], [], [], self._beat_s)
            if ready and os.read(self._signals, 1)[0] in _END_SIGNALS:
                self._notify_manager("STOPPING=1")
                for number in _END_SIGNALS:  # Python restores the default handlers while it ends, and they would kill
                    signal.signal(number, signal.SIG_IGN)
                return
            if not ready and is_well():
                self._notify_manager("WATCHDOG=1")

    def _notify_manager(self, what: str) -> None:
        """Send one datagram as described in sd_notify(3), if a service manager is present."""
        if self._manager[:1] in ("/", "@"):
            with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
                line.settimeout(1)
                line.sendto(what.encode(), self._manager.replace("@", "\0", 1))


def _watchdog_interval_s(usec: str, pid: str) -> float | None:
    """Return half of the watchdog's timeout in s, or None without a watchdog."""
    if not usec.isdecimal() or not int(usec) or pid not in ("", str(os.getpid())):
        return None
    return int(usec) / 2_000_000


def shorten_pauses() -> None:
    """Let requests be answered soon while another thread computes, such as the coach."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    gc.set_threshold(*gc.get_threshold()[:2], YOUNG_COLLECTIONS_PER_FULL)


def keep_heap_compact() -> None:
    """Let all threads use one heap, without large blocks, whose holes would make it grow for hours.

    Call it before threads start. It has no effect with another C library than glibc.
    """
    set_option = getattr(ctypes.pythonapi, "mallopt", None)
    if set_option:
        set_option(_M_ARENA_MAX, 1)
        set_option(_M_MMAP_THRESHOLD, _LARGE_BLOCK_BYTES)


def open_streams() -> None:
    """Open /dev/null in place of closed standard streams, or the next opened file would take their numbers."""
    with suppress(OSError):
        while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
            pass
        os.close(descriptor)
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - they stay open
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def discard_output() -> None:
    """Send further output to /dev/null, after the reader closed the pipe or the disk is full."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def system_package_command(package: str) -> str:
    """Return the line to type that makes this package of the system usable by this program.

    For a virtual environment without access to the system's packages, the line also gives it access.
    """
    install = f"sudo apt-get install {package}"
    if _sees_system_packages():
        return install
    return f"{install} && python3 -m venv --system-site-packages {shlex.quote(sys.prefix)}"


def missing_extra(extra: str) -> Message:
    """Return a sentence that says how to install an extra: of the service, or of a checkout."""
    return format_message(
        "The extra [{extra}] is missing. To install it, type: {command}",
        extra=extra,
        command=format_extra_command(extra),
    )


def format_extra_command(extra: str) -> str:
    """Return the line to type that installs an extra. Two of them are compiled."""
    compiler = "sudo apt-get install gcc python3-dev; " if extra in ("keyboard", "pi") else ""
    if sys.prefix.startswith(SERVICE_FOLDER):
        return f"{compiler}sudo companion service install --extras {extra}"
    return f"{compiler}.venv/bin/pip install -e '.[{extra}]'"


def _sees_system_packages() -> bool:
    """Return whether modules are also looked for in the packages of the Python that made this environment."""
    base = (Path(each) for each in sys.path if each.startswith(sys.base_prefix) and not each.startswith(sys.prefix))
    return sys.prefix == sys.base_prefix or any(each.name in ("dist-packages", "site-packages") for each in base)
