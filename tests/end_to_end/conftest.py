"""The real program as a process of its own, driven as people do: cards to the reader, pegs by hand, phones, cables."""

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from queue import Empty, Queue

import pytest
from click.testing import CliRunner

from companion.cli import main
from tests.support.waiting import PATIENCE_S

CHECKOUT = Path(__file__).parents[2]
LINES = (r"watchers  http://([0-9.]+):(\d+)/\n", r"players   http://([0-9.]+):(\d+)/join/([A-Za-z0-9_-]{16,})\n")


class Program:
    """One running `companion play`. Whatever it prints on standard error is in `errors` once it has ended."""

    def __init__(self, home, *flags, cwd=None, env=None):
        self.home = home
        words = [
            sys.executable,
            "-m",
            "companion",
            "play",
            "--port",
            "0",
            "--journal",
            str(home / "journal.sqlite3"),
            "--set",
            "announce=off",
            *flags,
        ]
        home.mkdir(exist_ok=True)
        there = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "XDG_CONFIG_HOME": str(home / "config")}
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=cwd or home,
            env=os.environ | there | {"PYTHONPATH": str(CHECKOUT), "PYTHONUNBUFFERED": ""} | (env or {}),
        )
        self.errors = ""
        self.lines = Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.reader = threading.Thread(target=self._complain, daemon=True)
        self.reader.start()

    def greeted(self):
        """Wait for the two addresses, and join."""
        told = [self.line() for _ in LINES]
        found = [re.fullmatch(pattern, line) for pattern, line in zip(LINES, told, strict=True)]
        assert all(found), told
        self.host, self.port, self.key = found[1][1], int(found[1][2]), found[1][3]
        self.cookie = {}
        _, headers, _ = self.ask("GET", f"/join/{self.key}")
        self.cookie = {"Cookie": headers["Set-Cookie"].partition(";")[0]}
        return self

    def line(self, seconds=PATIENCE_S):
        """The next line of standard output."""
        with contextlib.suppress(Empty):
            if told := self.lines.get(timeout=seconds):
                return told
        raise AssertionError(f"nothing more was printed: {self.errors}")

    def ask(self, method, path, body=None, headers=None):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)) as line:
            line.request(method, path, body, self.cookie | (headers or {}))
            reply = line.getresponse()
            return reply.status, reply.headers, reply.read()

    def get(self, path):
        status, _, body = self.ask("GET", path)
        assert status == 200
        return json.loads(body)

    def post(self, path, code, **obj):
        """The answer to a POST that is to be answered with this code."""
        status, _, body = self.ask("POST", path, json.dumps(obj), {"Content-Type": "application/json"})
        assert (path, obj, status) == (path, obj, code), body
        return json.loads(body)

    def move(self, kind, code=201, **fields):
        return self.post("/api/moves", code, type=kind, **fields)

    @property
    def state(self):
        return self.get("/api/state")

    def until(self, right):
        """The first snapshot of which `right` is true."""
        end = time.monotonic() + PATIENCE_S
        while not right(now := self.state):
            assert time.monotonic() < end, f"never came: {now}"
            time.sleep(0.02)
        return now

    def scan(self, code):
        """A card to the reader; the snapshot in which it has been taken or refused."""
        before = self.state
        parts = ("moves", "notices", "crib", "lying")
        self.post("/api/bench/scan", 202, card=code)
        return self.until(lambda now: any(now.get(part) != before.get(part) for part in parts))

    def press(self, button):
        before = self.state
        self.post("/api/bench/press", 202, button=button)
        return self.until(lambda now: (now["moves"], now["notices"]) != (before["moves"], before["notices"]))

    def lift(self, hole):
        self.post("/api/bench/holes", 202, lift=hole)

    def place(self, hole):
        self.post("/api/bench/holes", 202, place=hole)

    def peg(self, lift, place):
        self.lift(lift)
        self.place(place)

    def peg_dues(self):
        """Every peg to where it is due, one after the other; the snapshot in which nothing is."""
        while (now := self.state)["dues"]:
            due = now["dues"][0]
            self.peg(due["lift"], due["place"])
            self.until(lambda later, due=due: due not in later["dues"])
        return now

    def occupied(self):
        return sorted(self.get("/api/bench/holes")["occupied"])

    def kill(self):
        """The plug is pulled."""
        self.process.kill()
        self.process.wait(PATIENCE_S)
        self.reader.join(PATIENCE_S)

    def end(self, number=signal.SIGTERM, seconds=PATIENCE_S):
        """The exit code after a signal."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.ended(seconds)

    def ended(self, seconds=PATIENCE_S):
        """The exit code of a program that ends by itself."""
        code = self.process.wait(seconds)
        self.reader.join(PATIENCE_S)
        return code

    def _listen(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put("")
        self.process.stdout.close()

    def _complain(self):
        for line in self.process.stderr:
            self.errors += line
        self.process.stderr.close()


def _are_known(now):
    """The pegs, where there are any: nobody pegs a solitaire."""
    return now["pegs"] or now.get("markers") or now["game"]["key"] == "shuffle"


@pytest.fixture
def program(tmp_path):
    """Starts programs. Each is to end with exit code 0 and nothing on standard error, unless a test ended it before."""
    started = []

    def start(*flags, home=None, quiet_ms=60, ready=True, **how):
        opened = Program(home or tmp_path / "home", "--set", f"quiet_ms={quiet_ms}", *flags, **how)
        started.append(opened)
        opened.greeted()
        if ready:
            opened.until(lambda now: now["devices"]["sensors"]["ok"] and _are_known(now))
        return opened

    yield start
    ends = [(each, each.process.poll() is None, each.end()) for each in started]
    for each, was_running, code in ends:
        assert each.errors == ""
        assert code == 0 or not was_running


@pytest.fixture
def ended(tmp_path):
    """Runs a program that is to end by itself: its exit code and what it says."""

    def run(*flags, home=None, then=lambda _: None):
        failed = Program(home or tmp_path / "home", *flags)
        then(failed.process)
        return failed.ended(), failed.errors

    return run


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The same within this process, which is sooner: for a program that does not get as far as to run."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    def run(*flags):
        words = ["play", "--port", "0", "--journal", str(tmp_path / "home" / "journal.sqlite3"), *flags]
        result = CliRunner().invoke(main, words)
        assert isinstance(result.exception, SystemExit | None)
        return result.exit_code, result.stderr

    yield run
    signal.set_wakeup_fd(-1)
    for number, handler in handlers.items():
        signal.signal(number, handler)


class Dealt:
    """Two known hands: who holds what, and what is played next. The crib is the dealer's, seat 0."""

    starter = "5D"
    crib = ("2C", "3C", "9C", "KC")

    def __init__(self):
        self.hands = {0: ["5H", "6C", "7S", "8D"], 1: ["TH", "JS", "QC", "4D"]}

    def play(self, program):
        """The card of the seat whose turn it is, or its go by the button."""
        now = program.state
        worth = {"J": 10, "Q": 10, "K": 10, "T": 10}
        for card in self.hands[now["turn"]]:
            if now["count"] + (worth.get(card[0]) or int(card[0])) <= 31:
                self.hands[now["turn"]].remove(card)
                return program.scan(card)
        return program.press(f"go:{now['turn']}")


@pytest.fixture
def dealt():
    return Dealt()
