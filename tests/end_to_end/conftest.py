"""The real program in its own process, driven as by people: cards at the reader, pegs by hand, phones, cables."""

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
from itertools import pairwise
from pathlib import Path
from queue import Empty, Queue

import pytest
from click.testing import CliRunner

from companion.cli import main
from tests.support.program_starter import StartedProgram
from tests.support.waiting import PATIENCE_S

CHECKOUT = Path(__file__).parents[2]
LINES = (r"watchers  http://([0-9.]+):(\d+)/\n", r"players   http://([0-9.]+):(\d+)/join/([A-Za-z0-9_-]{16,})\n")


class Program:
    """A running `companion play`. After its end, `errors` holds its standard error.

    With `env`, further variables of its environment, it does its imports itself.
    """

    def __init__(self, home, *flags, cwd=None, env=None):
        self.home = home
        words = ["play", "--port", "0", "--journal", str(home / "journal.sqlite3"), "--set", "announce=off", *flags]
        home.mkdir(exist_ok=True)
        there = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "XDG_CONFIG_HOME": str(home / "config")}
        there = os.environ | there | {"PYTHONPATH": str(CHECKOUT), "PYTHONUNBUFFERED": ""}
        if env is None:
            self.process = StartedProgram(words, there, cwd or home, errors=True)
        else:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "companion", *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                cwd=cwd or home,
                env=there | env,
            )
        self.errors = ""
        self.lines = Queue()
        threading.Thread(target=self._read_lines, daemon=True).start()
        self.reader = threading.Thread(target=self._read_errors, daemon=True)
        self.reader.start()

    def join(self):
        """Wait for the two printed addresses and join as a player. Return the program."""
        lines = [self.line() for _ in LINES]
        found = [re.fullmatch(pattern, line) for pattern, line in zip(LINES, lines, strict=True)]
        assert all(found), lines
        self.host, self.port, self.key = found[1][1], int(found[1][2]), found[1][3]
        self.cookie = {}
        _, headers, _ = self.ask("GET", f"/join/{self.key}")
        self.cookie = {"Cookie": headers["Set-Cookie"].partition(";")[0]}
        return self

    def line(self, seconds=PATIENCE_S):
        with contextlib.suppress(Empty):
            if line := self.lines.get(timeout=seconds):
                return line
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
        """Return the answer to a POST, which must have this status code."""
        status, _, body = self.ask("POST", path, json.dumps(obj), {"Content-Type": "application/json"})
        assert (path, obj, status) == (path, obj, code), body
        return json.loads(body)

    def move(self, kind, code=201, **fields):
        return self.post("/api/moves", code, type=kind, **fields)

    @property
    def state(self):
        return self.get("/api/state")

    def until(self, right):
        """Wait for the first snapshot for which `right` returns True, and return it."""
        end = time.monotonic() + PATIENCE_S
        while not right(now := self.state):
            assert time.monotonic() < end, f"never came: {now}"
            time.sleep(0.02)
        return now

    def finished_games(self):
        """Return the last scores of each finished game: the next one begins with lower ones."""
        made = pairwise(self.get("/api/history")["moves"])
        begun = [(before, after) for before, after in made if after["move"]["type"] == "next"]
        return [before["scores"] for before, after in begun if sum(after["scores"]) < sum(before["scores"])]

    def scan(self, code):
        """Scan a card. Return the snapshot in which it was accepted or refused."""
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
        """Move every peg to where it is due. Return the snapshot without pending pegging."""
        while (now := self.state)["dues"]:
            due = now["dues"][0]
            self.peg(due["lift"], due["place"])
            self.until(lambda later, due=due: due not in later["dues"])
        return now

    def occupied_holes(self):
        return sorted(self.get("/api/bench/holes")["occupied"])

    def kill(self):
        self.process.kill()
        self.process.wait(PATIENCE_S)
        self.reader.join(PATIENCE_S)

    def end(self, number=signal.SIGTERM, seconds=PATIENCE_S):
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.wait_for_exit(seconds)

    def wait_for_exit(self, seconds=PATIENCE_S):
        code = self.process.wait(seconds)
        self.reader.join(PATIENCE_S)
        return code

    def _read_lines(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put("")
        self.process.stdout.close()

    def _read_errors(self):
        for line in self.process.stderr:
            self.errors += line
        self.process.stderr.close()


def _are_pegs_known(now):
    """Return whether the table knows its pegs. A solitaire has none."""
    return now["pegs"] or now.get("markers") or now["game"]["key"] == "shuffle"


@pytest.fixture
def program(tmp_path):
    """Return a function that starts programs.

    Each must end with exit code 0 and nothing on standard error, unless the test has ended it before.
    """
    started = []

    def start(*flags, home=None, quiet_ms=60, ready=True, **how):
        opened = Program(home or tmp_path / "home", "--set", f"quiet_ms={quiet_ms}", *flags, **how)
        started.append(opened)
        opened.join()
        if ready:
            opened.until(lambda now: now["devices"]["sensors"]["ok"] and _are_pegs_known(now))
        return opened

    yield start
    ends = [(each, each.process.poll() is None, each.end()) for each in started]
    for each, was_running, code in ends:
        assert each.errors == ""
        assert code == 0 or not was_running


@pytest.fixture
def run_to_exit(tmp_path):
    """Return a function that runs a program until it ends by itself; it returns the exit code and standard error."""

    def run(*flags, home=None, then=lambda _: None):
        failed = Program(home or tmp_path / "home", *flags, env={})
        then(failed.process)
        return failed.wait_for_exit(), failed.errors

    return run


@pytest.fixture
def run_in_process(tmp_path, monkeypatch):
    """Return a function like `run_to_exit` that runs within this process: faster, for a program that fails to start."""
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


class KnownHands:
    """A deal with known cards: both hands, the starter, and the crib of the dealer, seat 0."""

    starter = "5D"
    crib = ("2C", "3C", "9C", "KC")

    def __init__(self):
        self.hands = {0: ["5H", "6C", "7S", "8D"], 1: ["TH", "JS", "QC", "4D"]}

    def play(self, program):
        """Play the first card that fits for the seat on turn, or press its go button."""
        now = program.state
        worth = {"J": 10, "Q": 10, "K": 10, "T": 10}
        for card in self.hands[now["turn"]]:
            if now["count"] + (worth.get(card[0]) or int(card[0])) <= 31:
                self.hands[now["turn"]].remove(card)
                return program.scan(card)
        return program.press(f"go:{now['turn']}")


@pytest.fixture
def known_hands():
    """Return the cards of a deal, of which none is played yet."""
    return KnownHands()
