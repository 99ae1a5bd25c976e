"""The whole club: boards, a broker that is killed, the archive and its page."""

import contextlib
import http.client
import json
import random
import re
import sqlite3
import time

import pytest

from companion.plugins.club.subscriber import MIN_GAP_INTERVAL_S
from companion.rules.moves import Peg
from tests.plugins.club.reported_moves import BELOW, WIN, report_later, report_moves
from tests.plugins.club.stress_evening import list_journal_moves
from tests.support.program_starter import CHECKOUT, StartedProgram
from tests.support.waiting import PATIENCE_S, wait_until


class Program:
    """A command of the companion that prints two addresses."""

    def __init__(self, home, *words):
        home.mkdir(exist_ok=True)
        env = {"PATH": "/usr/bin:/bin", "HOME": str(home), "PYTHONPATH": str(CHECKOUT)}
        self.process = StartedProgram(words, env, CHECKOUT, errors=True)
        first, second = self.process.stdout.readline(), self.process.stdout.readline()
        assert second, self.process.stderr.read()
        self.port, self.key = int(re.search(r":(\d+)/", first)[1]), second.rstrip().rpartition("/")[2]

    def ask(self, method, path, body=None, cookie=""):
        """Return status, headers and content of an answer; redirects are not followed."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)) as line:
            line.request(method, path, body, {"Content-Type": "application/json", "Cookie": cookie})
            reply = line.getresponse()
            return reply.status, reply.headers, reply.read()

    def get(self, path, cookie=""):
        return json.loads(self.ask("GET", path, cookie=cookie)[2])

    def post(self, path, body, cookie=""):
        """Send a POST; return status and answer."""
        status, _, content = self.ask("POST", path, json.dumps(body), cookie)
        return status, json.loads(content)

    def cookie(self):
        return self.ask("GET", f"/join/{self.key}")[1]["Set-Cookie"].partition(";")[0]

    def kill(self):
        self.process.kill()
        self.process.communicate()

    def close(self):
        self.process.terminate()
        _, errors = self.process.communicate()
        assert "Traceback" not in errors, errors


@pytest.fixture
def programs(tmp_path):
    with contextlib.ExitStack() as closing:

        def made(name, *words):
            one = Program(tmp_path / name, *words)
            closing.callback(lambda: one.process.poll() is None and one.close())
            return one

        yield made


def start_club(programs, tmp_path, *brokers):
    """Start the program of a club, with a store in the folder."""
    named = [word for broker in brokers for word in ("--brokers", broker.url)]
    return programs("club", "club", *named, "--store", f"sqlite:///{tmp_path}/club.sqlite3", "--port", "0")


def board(programs, tmp_path, broker, name, *flags):
    journal = tmp_path / name / "journal.sqlite3"
    return programs(
        name, "play", "--demo", "--speed", "50", "--port", "0", "--journal", journal, "--set", "announce=off",
        "--set", "quiet_ms=20", "--set", f"report.brokers={broker.url}", "--set", f"report.board={name}", *flags,
    )  # fmt: skip


def list_archived(path):
    with contextlib.closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT board, run, n, body FROM move").fetchall()
    return {(name, run, n): json.loads(body)["hash"] for name, run, n, body in rows}


def test_the_archive_has_all_moves_whatever_dies(programs, tmp_path, broker):
    at, path = broker(), tmp_path / "club.sqlite3"
    club = start_club(programs, tmp_path, at)
    names = ["one", "two", "three"]
    kinds = {"one": (), "two": ("--game", "pegs-only"), "three": ("--game", "five-card")}
    boards = {name: board(programs, tmp_path, at, name, *kinds[name]) for name in names}
    for number in range(3):
        wait_until(lambda least=20 * (number + 1): len(list_archived(path)) > least)
        at.kill()
        boards[names[number]].kill()
        club.kill()
        time.sleep(0.5)
        at.start()
        boards[names[number]] = board(programs, tmp_path, at, names[number])
        club = start_club(programs, tmp_path, at)
    wait_until(lambda: len(list_archived(path)) > 80)
    for program in boards.values():
        program.close()
    expected = {key: mark for name in names for key, mark in list_journal_moves(tmp_path, name).items()}
    for name in names:  # they are there again, and nobody plays: what was left is told
        boards[name] = programs(
            f"{name}-again", "play", "--port", "0", "--journal", tmp_path / name / "journal.sqlite3", "--set",
            "announce=off", "--set", f"report.brokers={at.url}", "--set", f"report.board={name}",
        )  # fmt: skip
    wait_until(lambda: len(list_archived(path)) >= len(expected))
    assert list_archived(path) == expected
    health = club.get("/api/club/health")
    assert (health["boards"], health["behind"], health["refused"]) == (3, 0, [])
    assert {table["board"] for table in club.get("/api/club/tables")["tables"]} == set(names)


def test_a_killed_archive_loses_no_result(programs, tmp_path, broker, subscribe):
    """Twenty games of a round end while the archive is killed again and again, at random moments."""
    at, chance = broker(), random.Random(22)
    club, subscriber = start_club(programs, tmp_path, at), subscribe(at, f"{BELOW}/upto")
    subscriber.publish(f"{BELOW}/online", "1")
    wait_until(lambda: club.get("/api/club/tables")["tables"])
    cookie, names = club.cookie(), [f"P{n:02}" for n in range(40)]
    club.post("/api/club/events", {"name": "Tuesday", "kind": "swiss", "players": names}, cookie)
    games = club.post("/api/club/events/1/rounds", {}, cookie)[1]["games"]
    lines = {
        game["number"]: report_later(WIN, f"r{game['number']}", names=(game["one"], game["two"])) for game in games
    }
    assert len(lines) == 20
    for number in sorted(lines):
        for topic, text in lines[number][1:]:
            subscriber.publish(topic, text, retain=False)
        if number % 2:
            time.sleep(chance.random() / 10)
            club.kill()
            club = start_club(programs, tmp_path, at)

    def decided():
        """Send again what the archive lacks, as a board does, and count the decided games."""
        has = (subscriber.payloads("upto") or [{}])[-1]
        for number, told in lines.items():
            for topic, text in told[1:] if has.get(f"r{number}", 0) < len(WIN) else ():
                subscriber.publish(topic, text, retain=False)
        return [game["winner"] for game in club.get("/api/club/standings?event=1")["games"]].count(None) == 0

    wait_until(decided)
    ended = club.get("/api/club/standings?event=1")["games"]
    assert [(game["winner"], len(game["results"])) for game in ended] == [(game["two"], 1) for game in games]
    assert club.get("/api/club/health")["refused"] == []


def test_moves_that_are_being_resent_are_requested_once(programs, tmp_path, broker, subscribe):
    at = broker()
    club = start_club(programs, tmp_path, at)
    subscriber = subscribe(at, f"{BELOW}/upto")
    subscriber.publish(f"{BELOW}/online", "1")
    wait_until(lambda: club.get("/api/club/tables")["tables"])  # it has subscribed
    lines = report_moves([Peg(0, 5), Peg(1, 3), Peg(0, 2)])
    for topic, text in lines[:3]:
        subscriber.publish(topic, text, retain=False)
    wait_until(lambda: subscriber.payloads("upto")[-1:] == [{"r1": 1}])
    begun, begun_s = len(subscriber.payloads("upto")), time.monotonic()
    for _ in range(15):  # the second did not come: whoever comes after it says so
        subscriber.publish(*lines[4], retain=False)
        time.sleep(0.1)
    requests = wait_until(lambda: subscriber.payloads("upto")[begun:])
    assert requests == [{"r1": 1}] * len(requests)
    assert len(requests) <= 1 + (time.monotonic() - begun_s) // MIN_GAP_INTERVAL_S
    for topic, text in lines[3:]:
        subscriber.publish(topic, text, retain=False)
    wait_until(lambda: subscriber.payloads("upto")[-1] == {"r1": 3})


def test_the_organiser_alone_writes_and_everybody_reads(programs, tmp_path, broker):
    club = start_club(programs, tmp_path, broker())
    night = {"name": "Tuesday", "kind": "round-robin", "players": ["Ann", "Bob", "Cid", "Dot"]}
    assert club.post("/api/club/events", night)[0] == 403
    cookie = club.cookie()
    status, made = club.post("/api/club/events", night, cookie)
    assert status == 201
    number = made["event"]["id"]
    club.post(f"/api/club/events/{number}/rounds", {}, cookie)
    told = club.get(f"/api/club/standings?event={number}")
    assert len(told["games"]) == 2
    one = told["games"][0]
    body = {"round": 1, "number": one["number"], "winner": one["one"], "skunk": True, "spread": 33, "by": "Zoe"}
    club.post(f"/api/club/events/{number}/results", body, cookie)
    told = club.get(f"/api/club/standings?event={number}")
    assert (told["standings"][0]["player"], told["standings"][0]["points"]) == (one["one"], 3)
    status, refused = club.post(f"/api/club/events/{number}/rounds", {}, cookie)
    assert (status, "Enter all results of round 1" in refused["error"]) == (409, True)
    _, headers, page = club.ask("GET", "/")
    assert b"Cribbage club" in page
    assert headers["Content-Security-Policy"] == "default-src 'self'; base-uri 'none'; frame-ancestors 'none'"
    assert club.get("/api/club/results") == {"results": []}


def test_a_club_without_boards_needs_no_broker(programs, tmp_path):
    club = start_club(programs, tmp_path)
    night = {"name": "Tuesday", "players": ["Ann", "Bob", "Cid", "Dot", "Eve"], "games": 2}
    assert club.post("/api/club/tournaments", night, club.cookie())[0] == 201
    assert club.get("/api/club/tables") == {"tables": []}
