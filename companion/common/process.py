"""What a program owes whoever started it: a shell, a service manager, or nobody.

Ends cleanly when it is told to, tells systemd that it is ready and that it lives, and needs neither a reader of its
output nor a home. See docs/how-to/run-as-a-service.md.
"""

import os
import select
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress

_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name))
"""SIGHUP too: the terminal, or the connection to it, has gone, and nobody would turn the lights off."""


class Service:
    """Waits for the end, and tells the service manager how it is. Make it first: a signal counts from then on.

    The signal itself writes its number to a pipe, and its handler does nothing. One that took a lock, as that of an
    Event does, would wait for ever for itself where the second of two signals comes while it holds it.
    """

    def __init__(self) -> None:
        self._told, tell = os.pipe()
        os.set_blocking(tell, False)
        signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
        for number in _ENDING:
            if number == getattr(signal, "SIGHUP", None) and signal.getsignal(number) == signal.SIG_IGN:
                continue  # nohup wants it to outlive its terminal
            signal.signal(number, lambda *_: None)
        self._manager = os.environ.pop("NOTIFY_SOCKET", "")
        self._beat_s = _beat_s(os.environ.pop("WATCHDOG_USEC", ""), os.environ.pop("WATCHDOG_PID", ""))

    def wait(self, is_well: Callable[[], bool]) -> None:
        """Say that all is ready; return when it is to end. A watchdog is told that it lives, while it does."""
        self._tell("READY=1")
        while True:
            ready, _, _ = select.select([self._told], [], [], self._beat_s)
            if ready and os.read(self._told, 1)[0] in _ENDING:
                self._tell("STOPPING=1")
                return
            if not ready and is_well():
                self._tell("WATCHDOG=1")

    def _tell(self, what: str) -> None:
        """One datagram, as sd_notify(3) describes; nobody hears it where no manager asked."""
        if self._manager[:1] in ("/", "@"):
            with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
                line.settimeout(1)
                line.sendto(what.encode(), self._manager.replace("@", "\0", 1))


def _beat_s(usec: str, pid: str) -> float | None:
    """How often the watchdog wants to hear of us, twice within its time; None where it does not."""
    if not usec.isdecimal() or not int(usec) or pid not in ("", str(os.getpid())):
        return None
    return int(usec) / 2_000_000


def open_streams() -> None:
    """Have something at the places of standard input, output and error: what is opened next would take a closed one."""
    with suppress(OSError):
        while (found := os.open(os.devnull, os.O_RDWR)) <= 2:
            pass
        os.close(found)
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - they stay open
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def stop_talking() -> None:
    """Nobody reads our output, or it has no room: what is left of it goes nowhere, and the end is not spoiled by it."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
