"""What a running table costs: `companion play` in a process of its own, looked at from outside over HTTP."""

import http.client
import json
import os
import re
import resource
import select
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from companion.display.theme import DEFAULT_THEME
from companion.pegs.thresholds import GREEN_AFTER_MS
from companion.rules.cards import PACK

PHONES = 8
STARTS = 5
SUBMITS = 300
SCANS = 200
PEGS = 60
DUES = 5
FLOOD = 2000
STALLED = 150
PIPELINED = 300
CROWD = 50
DEMO_S = 60.0
CROWD_MOVES = 100
QUIET_MS = 40
"""A short quiet time, so that many pegs fit: what is measured comes after it."""
IDLE_S = 2.0
SETTLED_S = 1.5
"""After the start: effects of lights and first looks at devices are over."""

Figure = tuple[str, float, str]


class Table:
    """A table that runs. Every request is a player's, on one connection that stays open."""

    def __init__(self, process: "subprocess.Popen[str]", port: int, key: str) -> None:
        self.pid, self.port = process.pid, port
        self._phone = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        self._headers = {"Content-Type": "application/json"}
        self._phone.request("GET", f"/join/{key}")
        joined = self._phone.getresponse()
        joined.read()
        self._headers["Cookie"] = joined.headers["Set-Cookie"].partition(";")[0]

    def send(self, path: str, body: Any = None) -> None:
        """Begin a request; `answer` reads what comes of it."""
        method, sent = ("GET", None) if body is None else ("POST", json.dumps(body))
        self._phone.request(method, path, sent, self._headers)

    def answer(self) -> Any:
        """The JSON that answers what was sent last."""
        answer = self._phone.getresponse()
        told = json.loads(answer.read())
        assert answer.status < 300, told
        return told

    def ask(self, path: str, body: Any = None) -> Any:
        """A request and its answer."""
        self.send(path, body)
        return self.answer()


class Stream:
    """A phone that listens. Only the test in hand reads it: no thread delays what it sees."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(b"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        self._tail = b""

    def until(self, moves: int) -> None:
        """Read until a snapshot with so many moves has come."""
        wanted = f'"moves":{moves},'.encode()
        while wanted not in self._tail:
            self._tail = self._tail[-65536:] + self._socket.recv(65536)
        self._tail = self._tail.partition(wanted)[2]

    def listen(self) -> None:
        """Read and forget, until the table ends."""
        try:
            while self._socket.recv(65536):
                pass
        except OSError:
            pass


@contextmanager
def table(*flags: str, folder: Path) -> Iterator[Table]:
    """A table from its start to its end, its journal in this folder."""
    flags = ("--host", "127.0.0.1", "--port", "0", "--journal", str(folder / "journal.sqlite3"), *flags)
    around = os.environ | {"XDG_CONFIG_HOME": str(folder)}
    command = [sys.executable, "-m", "companion", "play", *flags]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=around)
    try:
        assert process.stdout
        address, link = (process.stdout.readline().split()[-1] for _ in range(2))
        yield Table(process, int(address.rstrip("/").rpartition(":")[2]), link.rpartition("/")[2])
    finally:
        process.terminate()
        process.wait(10)


@contextmanager
def _table(*flags: str) -> Iterator[Table]:
    with tempfile.TemporaryDirectory() as folder, table(*flags, folder=Path(folder)) as started:
        yield started


def page_flooded() -> Iterator[Figure]:
    """The slowest of 20 pages while 2,000 connections from another address each hold back the end of a request."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    with _table() as started, ExitStack() as slow:
        for _ in range(FLOOD):
            line = socket.create_connection(("127.0.0.1", started.port), timeout=10, source_address=("127.0.0.2", 0))
            slow.enter_context(line)
            with suppress(ConnectionError):  # the server may have had enough of that address by then
                line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        took = []
        for _ in range(20):
            begin = time.perf_counter()
            page(started)
            took.append(time.perf_counter() - begin)
    yield "page_ms_flooded", max(took) * 1000, "ms"


def slow_readers() -> Iterator[Figure]:
    """A page for somebody else while 150 connections of one address pipeline the largest file and read nothing.

    A connection that was closed is opened again at once, for ten seconds.
    """
    with _table() as started:
        before, ended = pss_mib(started.pid), threading.Event()
        request = b"GET " + _largest_file(started) + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"
        attack = threading.Thread(target=_stall, args=(started.port, request * PIPELINED, ended))
        attack.start()
        took, highest = [], before
        while len(took) < 100:
            time.sleep(0.1)
            begin = time.perf_counter()
            page(started)
            took.append(time.perf_counter() - begin)
            highest = max(highest, pss_mib(started.pid))
        ended.set()
        attack.join()
    yield "slow_readers_page_ms_p95", statistics.quantiles(took, n=20, method="inclusive")[18] * 1000, "ms"
    yield "slow_readers_page_ms_max", max(took) * 1000, "ms"
    yield "slow_readers_growth_mib", highest - before, "MiB"


def _largest_file(started: Table) -> bytes:
    """The address of the largest file that the page names."""
    asked = http.client.HTTPConnection("127.0.0.1", started.port, timeout=10)
    asked.request("GET", "/")
    addresses = set(re.findall(rb'"(/web/[^"]+)"', asked.getresponse().read()))
    sizes = {}
    for address in addresses:
        asked.request("GET", address.decode())
        sizes[address] = len(asked.getresponse().read())
    return max(addresses, key=sizes.__getitem__)


def _stall(port: int, sent: bytes, ended: threading.Event) -> None:
    """Keep the connections open, each with all its requests sent and nothing read."""
    poll, lines = select.poll(), {}
    while not ended.wait(0.05):
        for fd, _ in poll.poll(0):  # the server has hung up
            poll.unregister(fd)
            lines.pop(fd).close()
        while len(lines) < STALLED:
            line = socket.socket()
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.bind(("127.0.0.2", 0))
            line.connect(("127.0.0.1", port))
            line.setblocking(False)
            with suppress(OSError):  # the server may take only a part of it
                line.send(sent)
            poll.register(line, select.POLLRDHUP)
            lines[line.fileno()] = line
    for line in lines.values():
        line.close()


def page(started: Table) -> None:
    """Ask for the page, and read it to its end."""
    asked = http.client.HTTPConnection("127.0.0.1", started.port, timeout=10)
    asked.request("GET", "/")
    assert b"</html>" in asked.getresponse().read()


def pss_mib(pid: int) -> float:
    """The program's own share of memory."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")) / 1024


def start_to_page() -> Iterator[Figure]:
    """From the command to the page's last byte, bytecode and journal being there: the median of 5 starts."""
    took = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(1 + STARTS):
            begin = time.perf_counter()
            with table(folder=Path(folder)) as started:
                page(started)
                took.append(time.perf_counter() - begin)
    yield "start_to_page_ms", statistics.median(took[1:]) * 1000, "ms"


def pss() -> Iterator[Figure]:
    """The table's own share of memory, eight phones listening, after a deal's worth of moves."""
    with _table() as started:
        _listeners(started)
        for _ in range(7):
            started.ask("/api/moves", {"type": "starter", "card": "JD"})
            started.ask("/api/moves", {"type": "undo"})
        time.sleep(SETTLED_S)
        yield "pss_mib", pss_mib(started.pid), "MiB"


def demo_pss() -> Iterator[Figure]:
    """The table's own share of memory with a demo that has played some games, eight phones listening."""
    with _table("--demo", "--speed", "1000", "--set", f"quiet_ms={QUIET_MS}") as started:
        _listeners(started)
        end, highest = time.perf_counter() + DEMO_S, 0.0
        while time.perf_counter() < end:
            time.sleep(0.5)
            highest = max(highest, pss_mib(started.pid))
        yield "demo_pss_mib", highest, "MiB"


def stops() -> Iterator[Figure]:
    """From SIGTERM to the end of the process: the slowest of five ends, eight phones listening."""
    for name, flags in (("stop_s", ()), ("stop_demo_s", ("--demo", "--speed", "10"))):
        took = []
        for wait_s in (0, 0.3, 1, 2, 3):
            with _table(*flags) as started:
                _listeners(started)
                time.sleep(wait_s)
                begin = time.perf_counter()
                os.kill(started.pid, signal.SIGTERM)
                os.waitid(os.P_PID, started.pid, os.WEXITED | os.WNOWAIT)
                took.append(time.perf_counter() - begin)
        yield name, max(took), "s"


def idle_cpu() -> Iterator[Figure]:
    """Processor time while nobody does anything: eight phones listen, the pegs stand, nothing is due."""
    with _table() as started:
        _listeners(started)
        time.sleep(SETTLED_S)
        begin, before = time.perf_counter(), cpu_s(started.pid)
        time.sleep(IDLE_S)
        spent, past = cpu_s(started.pid) - before, time.perf_counter() - begin
        yield "idle_cpu_pct", 100 * spent / past, "%"


def submit_to_sse() -> Iterator[Figure]:
    """From the first byte of a phone's move to the snapshot on another phone's stream: committed, then told."""
    took = []
    with _table() as started:
        phone, move = _phones(started), ({"type": "starter", "card": "5D"}, {"type": "undo"})
        for moves in range(1, SUBMITS + 1):
            begin = time.perf_counter()
            started.send("/api/moves", move[(moves - 1) % 2])
            phone.until(moves)
            took.append(time.perf_counter() - begin)
            started.answer()
    yield "submit_to_sse_ms_p99", _p99(took) * 1000, "ms"


def fifty_phones() -> Iterator[Figure]:
    """From a phone's move to the snapshot on the last of fifty phones' streams, and the memory with all of them."""
    took = []
    with _table() as started:
        phones = [Stream(started.port) for _ in range(CROWD)]
        for phone in phones:
            phone.until(0)
        for moves in range(1, CROWD_MOVES + 1):
            begin = time.perf_counter()
            started.send("/api/moves", ({"type": "starter", "card": "5D"}, {"type": "undo"})[(moves - 1) % 2])
            for phone in phones:
                phone.until(moves)
            took.append(time.perf_counter() - begin)
            started.answer()
        yield "fifty_phones_ms_p99", _p99(took) * 1000, "ms"
        yield "fifty_phones_mib", pss_mib(started.pid), "MiB"


def scan_to_sse() -> Iterator[Figure]:
    """From a card put to the simulated reader, over its line, to the snapshot on a phone's stream."""
    took = []
    with _table() as started:
        phone = _phones(started)
        for n in range(SCANS):
            begin = time.perf_counter()
            started.send("/api/bench/scan", {"card": str(PACK[n % 52])})
            phone.until(2 * n + 1)
            took.append(time.perf_counter() - begin)
            started.answer()
            started.ask("/api/moves", {"type": "undo"})
            phone.until(2 * n + 2)
    yield "scan_to_sse_ms_p99", _p99(took) * 1000, "ms"


def peg_to_light() -> Iterator[Figure]:
    """From a peg put into its hole to the green light on the strip's wire, less the quiet time."""
    with _table("--game", "pegs-only", "--set", f"quiet_ms={QUIET_MS}") as started:
        took = pegged_s(started)
    yield "peg_to_light_ms_p99", _p99(took) * 1000, "ms"


def pegged_s(started: Table) -> list[float]:
    """The same in seconds, for each of 60 pegs at a new table of pegs-only with our quiet time; eight phones listen."""
    took = []
    _phones(started)
    _set_up(started)
    for n in range(PEGS):
        lane, number = ("red", "blue")[n % 2], n // 2 + 1
        back = f"{lane}-{number - 2}" if number > 2 else f"{lane}-start-{3 - number}"
        took.append(_lit_after_s(started, back, f"{lane}-{number}", QUIET_MS / 2000) - QUIET_MS / 1000)
    return took


def due_to_light() -> Iterator[Figure]:
    """From a peg put into its due's own hole to the green light on the strip's wire, with the quiet time as it is."""
    took = []
    with _table() as started:
        _phones(started)
        _set_up(started)
        for n in range(DUES):
            told = started.ask("/api/moves", {"type": "adjust", "seat": n % 2, "points": 3})
            took += [_lit_after_s(started, due["lift"], due["place"], GREEN_AFTER_MS / 2000) for due in told["dues"]]
            while started.ask("/api/state")["dues"]:  # green before it is believed
                time.sleep(0.02)
    assert len(took) == DUES, "one due at a time"
    yield "due_to_light_ms_p50", statistics.median(took) * 1000, "ms"


def _lit_after_s(started: Table, lift: str, place: str, sleep_s: float) -> float:
    """Seconds from a peg put into its hole until that is lit green; nobody asks for the lights while one sleeps."""
    started.ask("/api/bench/holes", {"lift": lift})
    begin = time.perf_counter()
    started.ask("/api/bench/holes", {"place": place})
    time.sleep(sleep_s)
    while tuple(started.ask("/api/bench/lights")[place]) != DEFAULT_THEME.right:
        assert time.perf_counter() - begin < 5, f"{place} is not lit"
    return time.perf_counter() - begin


def _set_up(started: Table) -> None:
    """The pegs stand at the start, and the table knows."""
    while not started.ask("/api/state")["pegs"]:
        time.sleep(0.02)


def _phones(started: Table) -> Stream:
    """Eight phones: seven that listen by themselves, and the one whose time is taken."""
    _listeners(started, PHONES - 1)
    phone = Stream(started.port)
    phone.until(0)
    return phone


def _listeners(started: Table, count: int = PHONES) -> None:
    for _ in range(count):
        threading.Thread(target=Stream(started.port).listen, daemon=True).start()


def cpu_s(pid: int) -> float:
    """The processor time of all threads, to the nanosecond."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def _p99(took: list[float]) -> float:
    return statistics.quantiles(took, n=100, method="inclusive")[98]
