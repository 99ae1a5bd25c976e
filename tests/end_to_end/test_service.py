"""Started by a service manager or a script: no terminal, no home, nobody who reads, and a signal at any time."""

import contextlib
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

import pytest

from companion.app import network
from companion.app.launch import LaunchOptions
from companion.app.program import Program
from companion.http.wsgi.server import listen
from companion.settings import Settings
from tests.support.brokers import free_port
from tests.support.waiting import PATIENCE_S, wait_until

CHECKOUT = Path(__file__).parents[2]
PLAY = [sys.executable, "-m", "companion", "play", "--host", "127.0.0.1"]


def state(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/state", timeout=PATIENCE_S) as reply:
        return json.loads(reply.read())


class Started:
    """A program whose output nobody hears; `port` is where it is to serve. It has no HOME."""

    def __init__(self, tmp_path, *flags, env=None, **how):
        self.port = free_port()
        words = [*PLAY, "--port", str(self.port), "--journal", str(tmp_path / "journal.sqlite3"), *flags]
        around = {"PATH": os.environ["PATH"], "PYTHONPATH": str(CHECKOUT), "PYTHONDONTWRITEBYTECODE": "1"} | (env or {})
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE} | how
        self.process = subprocess.Popen(words, env=around, cwd=tmp_path, **streams)

    def up(self):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                return state(self.port)
            assert self.process.poll() is None, (self.process.returncode, self.process.stderr.read())
            time.sleep(0.05)
        raise AssertionError("it never served")

    def ends(self, number=signal.SIGTERM):
        """Its exit code after a signal, and what it said on standard error."""
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE_S)
        return code, self.process.stderr.read() if self.process.stderr else b""


@pytest.fixture
def start(tmp_path):
    started = []

    def run(*flags, **how):
        started.append(Started(tmp_path, *flags, **how))
        return started[-1]

    yield run
    for each in started:
        each.process.kill()
        each.process.wait()
        if each.process.stderr:
            each.process.stderr.close()


def test_a_terminal_that_hangs_up_ends_it_cleanly(start):
    table = start(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))  # the tests may outlive theirs
    table.up()
    assert table.ends(signal.SIGHUP) == (0, b"")


def test_who_is_to_outlive_the_terminal_does(start):
    table = start(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    table.up()
    table.process.send_signal(signal.SIGHUP)
    time.sleep(0.5)
    assert state(table.port)["phase"] == "cut"
    assert table.ends() == (0, b"")


def test_with_a_full_disk_as_its_output_it_plays_all_the_same(start):
    with Path("/dev/full").open("wb") as full:
        table = start(stdout=full)
        table.up()
        assert table.ends() == (0, b"")


def test_when_its_reader_has_gone_it_plays_on(start):
    reader, writer = os.pipe()
    os.close(reader)
    table = start(stdout=writer)
    os.close(writer)
    table.up()
    assert table.ends() == (0, b"")


@pytest.mark.parametrize("closed", [(0,), (1,), (0, 1, 2)])
def test_with_its_streams_closed_nothing_else_takes_their_place(start, closed):
    def close():
        for number in closed:
            os.close(number)

    streams = {"stdout": None, "stderr": None, "stdin": None} if 2 in closed else {}
    table = start(preexec_fn=close, **streams)
    table.up()
    for number in closed:
        assert Path(f"/proc/{table.process.pid}/fd/{number}").readlink() == Path("/dev/null")
    assert table.ends()[0] == 0


UNKNOWN = "import os, pwd, sys\npwd.getpwuid = lambda _: (_ for _ in ()).throw(KeyError())\n"
UNKNOWN += "from companion.cli import main\nmain(sys.argv[1:])"
"""A program of a user whom the system does not know, as in a container."""


def test_a_user_whom_the_system_does_not_know_plays_with_no_home(start, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "PLAY", [sys.executable, "-c", UNKNOWN, "play", "--host", "127.0.0.1"])
    table = start()
    table.up()
    assert table.ends() == (0, b"")


def test_where_no_home_is_known_a_sentence_says_what_to_do(tmp_path):
    ended = subprocess.run(
        [sys.executable, "-c", UNKNOWN, "play", "--port", "0"],
        env={"PYTHONPATH": str(CHECKOUT)}, cwd=tmp_path,
        capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert ended.returncode == 1
    assert re.fullmatch(r"companion: The home folder is unknown\. .*--journal.*\.\n", ended.stderr)


def test_an_unwritable_home_is_reported_in_a_sentence(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / ".local").write_text("a file where a folder is needed, which stops an administrator too")
    ended = subprocess.run(
        [*PLAY, "--port", "0"],
        env={"PYTHONPATH": str(CHECKOUT), "HOME": str(home)}, cwd=tmp_path,
        capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert ended.returncode == 1
    assert re.fullmatch(r"companion: [A-Z][^\n]*\.\n", ended.stderr)


class Manager:
    """What systemd is to a service: a socket that it tells how it is."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(path))
        self.socket.settimeout(PATIENCE_S)

    def hears(self):
        return self.socket.recv(4096).decode()


def test_a_service_manager_is_notified_of_the_start_the_watchdog_and_the_stop(start, tmp_path):
    with contextlib.closing((manager := Manager(tmp_path / "notify")).socket):
        table = start(env={"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "400000"})
        assert manager.hears() == "READY=1"
        assert state(table.port)["phase"] == "cut"
        assert [manager.hears() for _ in range(3)] == ["WATCHDOG=1"] * 3
        table.process.send_signal(signal.SIGTERM)
        heard = "WATCHDOG=1"
        while heard == "WATCHDOG=1":
            heard = manager.hears()
        assert heard == "STOPPING=1"
        assert table.process.wait(PATIENCE_S) == 0


def test_a_stuck_program_does_not_notify_the_watchdog(tmp_path, monkeypatch):
    running = Program(LaunchOptions(journal=tmp_path / "journal.sqlite3", settings=Settings(host="127.0.0.1", port=0)))
    with contextlib.closing(running):
        wait_until(running.is_healthy)
        done = threading.Event()

        def hold():
            with running.table.locked():
                done.wait()

        holder = threading.Thread(target=hold)
        holder.start()
        try:
            with monkeypatch.context() as patch:
                patch.setattr("companion.app.program._ANSWER_TIMEOUT_S", 0.2)
                wait_until(lambda: not running.is_healthy())
        finally:
            done.set()
            holder.join()
        wait_until(running.is_healthy)


def test_only_ipv6_is_enough(monkeypatch):
    class Probe:
        def __init__(self, family, _):
            self.family = family

        def connect(self, _):
            if self.family == socket.AF_INET:
                raise OSError(101, "Network is unreachable")

        def getsockname(self):
            return "2001:db8::7", 0, 0, 0

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

    monkeypatch.setattr(network.socket, "socket", Probe)
    assert network.lan_address() == "2001:db8::7"
    assert network.listen_address("0.0.0.0") == "::"
    assert network.listen_address("192.168.1.5") == network.public_host("192.168.1.5") == "192.168.1.5"
    assert network.public_host("0.0.0.0") == "[2001:db8::7]"
    monkeypatch.undo()
    with contextlib.closing(listen("::", 0)) as every:
        port = every.getsockname()[1]
        for address in ("127.0.0.1", "::1"):
            socket.create_connection((address, port), timeout=PATIENCE_S).close()


def test_the_answer_of_a_command_that_cannot_be_written_is_a_sentence():
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "companion", "referee"],
            input=b'{"type":"undo"}\n', stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE_S, check=False,
            env=os.environ | {"PYTHONPATH": str(CHECKOUT)},
        )  # fmt: skip
    assert ended.returncode == 1
    assert re.fullmatch(rb"companion: Cannot write the answer: [^\n]*\.\n", ended.stderr)


def test_who_reads_no_further_has_enough():
    asks = """yes '{"type":"undo"}' | head -100000"""
    words = f"{asks} | {sys.executable} -m companion referee | head -1; echo ${{PIPESTATUS[2]}}"
    ended = subprocess.run(
        ["bash", "-c", words], capture_output=True, text=True, timeout=PATIENCE_S, check=False,
        env=os.environ | {"PYTHONPATH": str(CHECKOUT)},
    )  # fmt: skip
    assert (ended.stdout.splitlines()[-1], ended.stderr) == ("0", "")


def test_a_demo_survives_a_stall(program):
    table = program("--demo", "--speed", "200", quiet_ms=20)
    table.until(lambda now: now["moves"] >= 5)
    table.process.send_signal(signal.SIGSTOP)
    time.sleep(7)
    table.process.send_signal(signal.SIGCONT)
    moves = table.state["moves"]
    table.until(lambda now: now["moves"] >= moves + 10)


def test_with_a_certificate_it_prints_and_serves_https(start):
    files = CHECKOUT / "tests" / "data" / "tls"
    pair = str(files / "certificate.pem"), str(files / "key.pem")
    table = start("--tls", *pair, stdout=subprocess.PIPE)
    told = [table.process.stdout.readline().decode() for _ in range(2)]
    assert told[0] == f"watchers  https://127.0.0.1:{table.port}/\n"
    assert told[1].startswith(f"players   https://127.0.0.1:{table.port}/join/")
    trusting = ssl.create_default_context(cafile=pair[0])
    with urllib.request.urlopen(told[0].split()[1], timeout=PATIENCE_S, context=trusting) as page:
        assert page.status == 200
    assert table.ends() == (0, b"")
    table.process.stdout.close()
