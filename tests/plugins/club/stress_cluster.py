"""Thousands of simulated boards on three NATS nodes whose leader is killed each minute. `make test-league`.

The nodes and `companion club` are real, and each board has its own credentials. Each simulated board publishes a legal
game of six-card cribbage as docs/reference/reporting.md describes, from an outbox that the archive's `upto` empties. At
the end the archive is compared with the published moves.
"""

import argparse
import asyncio
import contextlib
import json
import os
import platform
import random
import resource
import shutil
import statistics
import tempfile
import time
import urllib.request
from pathlib import Path

from companion.plugins.club.database import Database
from tests.plugins.club.simulated_boards import Board, Counts, play_game
from tests.plugins.club.stress_evening import (
    describe_difference,
    list_archived,
    listen_to_archive,
    open_storage,
    start_program,
)
from tests.support.brokers import free_port
from tests.support.nats_nodes import Node
from tests.support.waiting import wait_until

ELECTION_TIME_S = 15
"""Time after a kill in which PUBACKs are counted separately."""
RESTART_AFTER_S = 8
"""Pause before a killed node is started again."""

USER = """{{user: north-{name}, password: p, permissions {{
  publish: ["cribbage.1.north.{name}.online", "cribbage.1.north.{name}.state", "cribbage.1.north.{name}.move.>"]
  subscribe: ["cribbage.1.north.{name}.upto", "$MQTT.sub.>"]}}}}"""
ARCHIVE = """{user: archive, password: REPLACE-archive, permissions {
  publish: ["cribbage.1.*.*.upto"], subscribe: ["cribbage.1.>", "$MQTT.sub.>"]}}"""


class League:
    """The three nodes."""

    def __init__(self, home, boards):
        users = "\n".join([ARCHIVE, *(USER.format(name=name) for name in boards)])
        (home / "users.conf").write_text(f"accounts {{ league {{ jetstream: enabled\nusers: [{users}] }} }}\n")
        routes = {name: free_port() for name in "abc"}
        self._monitors = {name: free_port() for name in "abc"}
        self.nodes = [
            Node(home, name, (free_port(), free_port()), routes, f"http: 127.0.0.1:{self._monitors[name]}")
            for name in "abc"
        ]
        wait_until(lambda: all(node.accepts_clients() for node in self.nodes), 120)

    def find_leader(self):
        """Return the node that leads the stream of messages; None if there is none."""
        for port in self._monitors.values():
            with contextlib.suppress(OSError, ValueError, KeyError):
                url = f"http://127.0.0.1:{port}/jsz?acc=league&streams=1"
                with urllib.request.urlopen(url, timeout=3) as answer:
                    (account,) = json.load(answer)["account_details"]
                led = {each["name"]: each["cluster"].get("leader") for each in account["stream_detail"]}
                if name := led.get("$MQTT_msgs"):
                    return next(node for node in self.nodes if node.name == name)
        return None

    def close(self):
        for node in self.nodes:
            node.kill()


async def play_games(boards, league, args, counts):
    """Connect the boards one after the other, then let them play while the leading node is killed repeatedly.

    Returns the times of the kills.
    """
    chance = random.Random(args.seed)
    loop = asyncio.get_running_loop()
    kills = []

    async def kill_leaders():
        for _ in range(args.kills):
            await asyncio.sleep(args.every)
            if (node := await loop.run_in_executor(None, league.find_leader)) is None:
                continue
            kills.append(time.monotonic())
            node.kill()
            print(f"{node.name} killed", flush=True)
            await asyncio.sleep(RESTART_AFTER_S)
            node.start()

    for each in boards:
        each.start()
        await asyncio.sleep(1 / args.arrivals)
    await wait_for_nodes(boards, 300)
    print(f"{len(boards)} boards are connected, load {os.getloadavg()[0]:.0f}", flush=True)
    counts.clear()
    begun, made = time.monotonic(), 0
    killing = asyncio.create_task(kill_leaders())
    while (now := time.monotonic()) - begun < args.minutes * 60:
        while made < (now - begun) * args.rate:
            chance.choice(boards).play_move()
            made += 1
        for each in boards:
            each.check_node(now)
        await asyncio.sleep(0.1)
    await killing
    print(f"{made} moves made in {time.monotonic() - begun:.0f} s, load {os.getloadavg()[0]:.0f}", flush=True)
    begun = time.monotonic()
    while any(each.archived < each.made_moves for each in boards) and time.monotonic() - begun < args.patience:
        for each in boards:
            each.check_node(time.monotonic())
        await asyncio.sleep(0.2)
    print(f"waited {time.monotonic() - begun:.0f} s more for the archive to confirm the moves", flush=True)
    for each in boards:
        each.close()
    return kills


async def wait_for_nodes(boards, seconds):
    end = time.monotonic() + seconds
    while (count := sum(each.is_connected for each in boards)) < len(boards) and time.monotonic() < end:
        for each in boards:
            each.check_node(time.monotonic())
        await asyncio.sleep(0.5)
    assert count == len(boards), f"only {count} boards are connected"


def describe_percentiles(waits):
    if len(waits) < 100:
        return f"{len(waits)}"
    at = statistics.quantiles(waits, n=100)
    return f"{len(waits)}, p50 {1000 * at[49]:.1f} ms, p99 {1000 * at[98]:.1f} ms, longest {max(waits):.1f} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=200, help="moves per second of all boards together (200)")
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--kills", type=int, default=2, help="how many times the leader is killed (2)")
    parser.add_argument("--every", type=float, default=60, help="seconds between two kills (60)")
    parser.add_argument("--arrivals", type=float, default=100, help="boards that connect per second (100)")
    parser.add_argument("--patience", type=float, default=120, help="maximum seconds to wait for the last move (120)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    home, counts = Path(tempfile.mkdtemp(prefix="league-")), Counts()
    names = [f"table-{n}" for n in range(args.boards)]
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.0f}", flush=True)
    with contextlib.ExitStack() as closing:
        url = closing.enter_context(open_storage(home))
        league = League(home, names)
        closing.callback(league.close)
        port, brokers = free_port(), ",".join(node.url for node in league.nodes)
        (home / "archive").write_text("REPLACE-archive")
        club = start_program(
            home, "club", "--brokers", brokers, "--store", url, "--port", port, "--host", "127.0.0.1", "--set",
            "user=archive", "--set", f"password_file={home}/archive",
        )  # fmt: skip
        closing.callback(club.wait)
        closing.callback(club.kill)
        wait_until(lambda: listen_to_archive(port), 60)
        ports = [node.port for node in league.nodes]
        lines = play_game(args.seed)
        boards = [Board(name, ports[n % 3 :] + ports[: n % 3], lines, counts) for n, name in enumerate(names)]
        kills = asyncio.run(play_games(boards, league, args, counts))
        with contextlib.closing(Database(url)) as store:
            found, refused = list_archived(store), store.query("SELECT board, run, n, why FROM refused")
        published = {
            (board.name, board.run, n): board.mark(n) for board in boards for n in range(1, board.made_moves + 1)
        }
        apart = [wait for since, wait in counts.waits if any(0 <= since - at < ELECTION_TIME_S for at in kills)]
        rest = [wait for since, wait in counts.waits if not any(0 <= since - at < ELECTION_TIME_S for at in kills)]
        difference = describe_difference(published, found, "published")
        print(f"{difference}, {len(refused)} refused; leader killed {len(kills)} times")
        print(
            f"PUBACK: {describe_percentiles(rest)}; within {ELECTION_TIME_S} s of a kill: {describe_percentiles(apart)}"
        )
        print(counts.describe(len(published), len(lines.moves)))
        nodes_mib = [read_pss_mib(node.process.pid) for node in league.nodes]
        print(f"memory of the archive {read_pss_mib(club.pid)} MiB, of the nodes {nodes_mib} MiB,")
        print(f"of all boards together {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB")
        log = (home / "log").read_text()
    shutil.rmtree(home)
    if found != published or refused or "Traceback" in log:
        print(log[-2000:], refused[:5])
        raise SystemExit("The archive differs from the published moves.")


def read_pss_mib(pid):
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return next(int(line.split()[1]) // 1024 for line in text.splitlines() if line.startswith("Pss:"))


if __name__ == "__main__":
    main()
