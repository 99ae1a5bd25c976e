"""Many boards whose broker, programs and archive are killed repeatedly: no move is lost or doubled. `make test-club`.

All programs are real: `companion play --demo`, Mosquitto, `companion club` on PostgreSQL if that is installed, else on
SQLite. At the end each journal is compared with the archive, move by move.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

import paho.mqtt.client as mqtt

from companion.plugins.club.database import Database
from tests.support.brokers import POSTGRES_BIN, Broker, free_port, run_postgres
from tests.support.waiting import wait_until

CHECKOUT = Path(__file__).parents[3]


def start_program(home, *words):
    env = os.environ | {"HOME": str(home), "PYTHONPATH": str(CHECKOUT)}
    with (home / "log").open("a") as log:
        words = [sys.executable, "-m", "companion", *map(str, words)]
        return subprocess.Popen(words, cwd=CHECKOUT, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def start_board_program(home, name, broker, *, speed=0):
    folder = home / name
    folder.mkdir(exist_ok=True)
    flags = ("--demo", "--speed", speed) if speed else ()
    return start_program(
        folder, "play", *flags, "--port", 0, "--journal", folder / "journal.sqlite3", "--set", "announce=off", "--set",
        "quiet_ms=50", "--set", f"report.brokers={broker.url}", "--set", f"report.board={name}",
    )  # fmt: skip


def list_journal_moves(home, name):
    with contextlib.closing(sqlite3.connect(home / name / "journal.sqlite3")) as db:
        asked = """SELECT substr(game.hash, 1, 16), entry.hash FROM entry JOIN game ON game.id = entry.game
                   WHERE kind = 'move' ORDER BY entry.id"""
        found, counted = {}, {}
        for run, mark in db.execute(asked):
            counted[run] = counted.get(run, 0) + 1
            found[name, run, counted[run]] = mark
        return found


def list_archived(store):
    rows = store.query("SELECT board, run, n, body FROM move")
    return {(name, run, n): json.loads(body)["hash"] for name, run, n, body in rows}


@contextlib.contextmanager
def open_storage(home):
    if POSTGRES_BIN is None:
        yield f"sqlite:///{home}/club.sqlite3"
        return
    with run_postgres() as url:
        yield url


class PageDelayMeter:
    """Measures the time from publishing a move until the club page shows it, in s. A thread polls as the page does."""

    def __init__(self, broker, port):
        self.waits, self._published, self._closed = [], {}, threading.Event()
        self._lock = threading.Lock()
        self._client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        self._client.on_connect = lambda client, *_: client.subscribe("cribbage/1/+/+/move/+/+", qos=1)
        self._client.on_message = self._on_message
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()
        self._thread = threading.Thread(target=self._poll_page, args=(port,), daemon=True)
        self._thread.start()

    def _on_message(self, client, data, message):
        parts = message.topic.split("/")
        with self._lock:
            self._published.setdefault((parts[3], parts[5], int(parts[6])), time.monotonic())

    def _poll_page(self, port):
        while not self._closed.wait(0.05):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/club/tables", timeout=10) as answer:
                shown = {table["board"]: (table["run"], table["moves"]) for table in json.load(answer)["tables"]}
            now = time.monotonic()
            with self._lock:
                for (name, run, n), since in list(self._published.items()):
                    if shown.get(name, ("", 0))[0] == run and shown[name][1] >= n:
                        self.waits.append(now - since)
                        del self._published[name, run, n]

    def close(self):
        self._closed.set()
        self._thread.join()
        self._client.disconnect()
        self._client.loop_stop()


class ClubPrograms:
    """The running programs: boards, broker and archive."""

    def __init__(self, home, boards, url, speed, apart):
        """`apart` is the time between the starts of two boards, in s."""
        self.speed, self.home, self.url, self.port, self._apart = speed, home, url, free_port(), apart
        self.names = [f"table-{n}" for n in range(boards)]
        self.broker = Broker(home)
        self.club, self.boards = None, {}

    def start_archive(self):
        words = ("--brokers", self.broker.url, "--store", self.url, "--port", self.port, "--host", "127.0.0.1")
        self.club = start_program(self.home, "club", *words)
        wait_until(lambda: listen_to_archive(self.port), 60)

    def start_board(self, name, *, plays=True):
        self.boards[name] = start_board_program(self.home, name, self.broker, speed=self.speed if plays else 0)

    def start_boards(self, *, plays=True):
        """Start the boards one after the other, because each needs a core while it starts."""
        for number, name in enumerate(self.names, 1):
            self.start_board(name, plays=plays)
            wait_until((self.home / name / "journal.sqlite3").exists, 120)
            time.sleep(self._apart)
            if number % 10 == 0:
                print(f"{number} boards are running, load {os.getloadavg()[0]:.0f}", flush=True)

    def kill_programs(self, kills, away, chance):
        """Kill the broker `kills` times and sometimes a board. Stop the archive for the first `away` seconds."""
        self.club.kill()
        self.club.wait()
        begun, is_away = time.monotonic(), True
        for number in range(kills):
            self.broker.kill()
            time.sleep(chance.random() / 2)
            self.broker.start()
            time.sleep(chance.random() * 2)
            if number % 20 == 19:
                print(f"broker killed {number + 1} times, load {os.getloadavg()[0]:.0f}", flush=True)
            if number % 5 == 4:
                name = chance.choice(self.names)
                self.boards[name].kill()
                self.boards[name].wait()
                self.start_board(name)
            if is_away and time.monotonic() - begun > away:
                self.start_archive()
                is_away = False
        if is_away:
            self.start_archive()

    def stop_playing(self):
        """Stop playing and let the boards publish the rest; return the moves played."""
        for each in self.boards.values():
            each.terminate()
        for each in self.boards.values():
            each.wait()
        played = {key: mark for name in self.names for key, mark in list_journal_moves(self.home, name).items()}
        self.start_boards(plays=False)
        return played

    def close(self):
        for each in [*self.boards.values(), *([self.club] if self.club else [])]:
            each.kill()
            each.wait()
        self.broker.kill()


def listen_to_archive(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=40)
    parser.add_argument("--kills", type=int, default=100, help="how many times the broker is killed (100)")
    parser.add_argument("--away", type=float, default=60, help="seconds for which the archive is stopped (60)")
    parser.add_argument("--speed", type=float, default=4, help="speed of the demo (4)")
    parser.add_argument("--apart", type=float, default=1.5, help="seconds between the starts of two boards (1.5)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="club-"))
    with (
        open_storage(home) as url,
        contextlib.closing(ClubPrograms(home, args.boards, url, args.speed, args.apart)) as programs,
    ):
        programs.start_archive()
        programs.start_boards()
        with contextlib.closing(PageDelayMeter(programs.broker, programs.port)) as meter:
            time.sleep(20)
        print(f"until the club page shows a move: {describe_delays(meter.waits)}", flush=True)
        programs.kill_programs(args.kills, args.away, random.Random(args.seed))
        played, begun = programs.stop_playing(), time.monotonic()
        with contextlib.closing(Database(url)) as store:
            with contextlib.suppress(AssertionError):
                wait_until(lambda: store.query("SELECT count(*) FROM move")[0][0] >= len(played), 300)
            found, refused = list_archived(store), store.query("SELECT board, run, n, why FROM refused")
        print(
            f"{args.boards} boards, broker killed {args.kills} times: "
            f"{describe_difference(played, found, 'played')}, {len(refused)} refused"
        )
        print(f"complete {time.monotonic() - begun:.0f} s after the last start of the boards")
        for log in home.glob("**/log"):
            assert "Traceback" not in log.read_text(), log
    shutil.rmtree(home)
    if found != played or refused:
        raise SystemExit("The archive differs from the played moves.")


def describe_difference(sent, found, verb):
    lost, more = sent.keys() - found.keys(), found.keys() - sent.keys()
    differ = sum(sent[key] != found[key] for key in sent.keys() & found.keys())
    return f"{len(sent)} moves {verb}, {len(lost)} lost, {len(more)} too many, {differ} differ"


def describe_delays(waits):
    cuts = statistics.quantiles(waits, n=100)
    return f"{len(waits)} moves, p50 {cuts[49]:.2f} s, p99 {cuts[98]:.2f} s"


if __name__ == "__main__":
    main()
