"""Starts programs by forking a process that has imported `companion play`, which takes a fraction of the time.

Each program is a process of its own that runs `python -m companion` from its first line to the end of the interpreter;
only its imports are done. `tests/app/test_network.py` and `tests/end_to_end/test_service.py` start programs without it.
"""

import array
import atexit
import json
import os
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

from tests.support.waiting import PATIENCE_S

CHECKOUT = Path(__file__).parents[2]
PRELOADED = (
    "companion.app.program", "companion.addons", "companion.commands.play", "companion.demo",
    "companion.devices.simulated_bench", "gpiozero.pins.mock", "serial",
)  # fmt: skip
"""What a program imports before its page answers."""


class StartedProgram:
    """A forked program, used like a `subprocess.Popen` with text streams. Standard error is a stream if `errors`."""

    _starter: socket.socket | None = None
    _lock = threading.Lock()

    def __init__(self, words: list[str], env: dict[str, str], cwd: Path | None = None, *, errors: bool = False):
        """Run `companion` with the arguments `words`."""
        self.returncode: int | None = None
        outputs, inputs = zip(*(os.pipe() for _ in range(2 + errors)), strict=True)
        request = {"words": [str(word) for word in words], "env": env, "cwd": str(cwd or Path.cwd())}
        with StartedProgram._lock:
            starter = StartedProgram._starter = StartedProgram._starter or _run_starter()
            _send(starter, request, inputs)
            self.pid = int(starter.recv(32))
        for each in inputs:
            os.close(each)
        self._status = outputs[0]
        self.stdout = os.fdopen(outputs[1], encoding="utf-8")
        self.stderr = os.fdopen(outputs[2], encoding="utf-8") if errors else None

    def wait(self, timeout: float = PATIENCE_S) -> int:
        """Return the exit code, negative for a signal. Raises TimeoutExpired."""
        if self.returncode is None:
            with selectors.DefaultSelector() as selector:
                selector.register(self._status, selectors.EVENT_READ)
                if not selector.select(timeout):
                    raise subprocess.TimeoutExpired("companion", timeout)
            self.returncode = int(os.read(self._status, 32))
            os.close(self._status)
        return self.returncode

    def poll(self) -> int | None:
        """Return the exit code; None while the program runs."""
        with suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def communicate(self, timeout: float = PATIENCE_S) -> tuple[str, str]:
        """Return the rest of both streams, once the program has ended; nothing if it was returned before."""
        streams = [stream for stream in (self.stdout, self.stderr) if stream]
        said, errors, *_ = ["" if stream.closed else stream.read() for stream in streams] + [""]
        for stream in streams:
            stream.close()
        self.wait(timeout)
        return said, errors


def _run_starter() -> socket.socket:
    """Start the process that forks, and return the socket at which it takes requests."""
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with far:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.program_starter", str(far.fileno())],
            cwd=CHECKOUT, stdin=subprocess.DEVNULL, pass_fds=[far.fileno()], start_new_session=True,
        )  # fmt: skip

    def end() -> None:
        near.close()
        process.wait()

    atexit.register(end)
    return near


def _send(starter: socket.socket, request: dict, descriptors: tuple[int, ...]) -> None:
    rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))
    starter.sendmsg([json.dumps(request).encode()], [rights])


def _fork_programs(requests: socket.socket) -> dict:
    """Fork a process for each request and report its end. Return the request in the forked process."""
    selector = selectors.DefaultSelector()
    selector.register(requests, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select():
            if key.fileobj is requests:
                data, descriptors, *_ = socket.recv_fds(requests, 1 << 20, 3)
                if not data:
                    os._exit(0)
                request = json.loads(data)
                if (pid := os.fork()) == 0:
                    selector.close()  # or these two would close a descriptor of the program later
                    requests.close()
                    _take_over(request, *descriptors[1:])
                    return request
                for each in descriptors[1:]:
                    os.close(each)
                selector.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, descriptors[0]))
                requests.send(str(pid).encode())
            else:
                pid, status = key.data
                code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                with suppress(BrokenPipeError):
                    os.write(status, str(code).encode())
                os.close(status)
                selector.unregister(key.fileobj)
                os.close(key.fileobj)


def _take_over(request: dict, out: int, errors: int = 2) -> None:
    """Give the forked process its streams, environment and folder, and none of the starter's descriptors."""
    os.dup2(out, 1)
    os.dup2(errors, 2)
    os.closerange(3, max(int(each.name) for each in Path("/proc/self/fd").iterdir()) + 1)
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    sys.stdout = sys.__stdout__ = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.argv = ["companion", *request["words"]]


if __name__ == "__main__":
    for name in PRELOADED:
        __import__(name)
    assert threading.active_count() == 1, "a process with threads cannot be forked safely"
    _fork_programs(socket.socket(fileno=int(sys.argv[1])))
    runpy.run_module("companion", run_name="__main__", alter_sys=True)
