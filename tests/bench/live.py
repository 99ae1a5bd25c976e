"""Measurements of a running table: `companion play` in its own process, observed from outside over HTTP."""

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

PHONE_COUNT = 8
START_COUNT = 5
SUBMIT_COUNT = 300
SCAN_COUNT = 200
PEG_COUNT = 60
DUE_COUNT = 5
PHOTO_COUNT = 20
FLOOD_CONNECTIONS = 2000
STALLED_CONNECTIONS = 150
PIPELINED_REQUESTS = 300
CROWD_PHONES = 50
DEMO_S = 60.0
CROWD_MOVES = 100
QUIET_MS = 40
"""A short quiet time, so that many pegs fit into the run. It is not part of the measured time."""
IDLE_S = 2.0
SETTLE_S = 1.5
"""Wait after the start, until the light effects and the first checks of the devices are over."""

Figure = tuple[str, float, str]


class RunningTable:
    """A running table. Every request has a player's session and uses one connection that stays open."""

    def __init__(self, process: "subprocess.Popen[str]", port: int, key: str) -> None:
        self.pid, self.port = process.pid, port
        self._phone = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        self._headers = {"Content-Type": "application/json"}
        self._phone.request("GET", f"/join/{key}")
        joined = self._phone.getresponse()
        joined.read()
        self._headers["Cookie"] = joined.headers["Set-Cookie"].partition(";")[0]

    def send_request(self, path: str, body: Any = None) -> None:
        method, sent = ("GET", None) if body is None else ("POST", json.dumps(body))
        self._phone.request(method, path, sent, self._headers)

    def read_answer(self) -> Any:
        answer = self._phone.getresponse()
        body = json.loads(answer.read())
        assert answer.status < 300, body
        return body

    def send_photo(self, path: str, photo: bytes) -> Any:
        self._phone.request("POST", path, photo, self._headers | {"Content-Type": "image/jpeg"})
        return self.read_answer()

    def request_json(self, path: str, body: Any = None) -> Any:
        self.send_request(path, body)
        return self.read_answer()


class PhoneStream:
    """A phone that is subscribed to the table. The measurement reads it itself, so that no thread adds delay."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(b"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        self._tail = b""

    def wait_for_moves(self, moves: int) -> None:
        """Read until a snapshot with this number of moves has arrived."""
        wanted = f'"moves":{moves},'.encode()
        while wanted not in self._tail:
            self._tail = self._tail[-65536:] + self._socket.recv(65536)
        self._tail = self._tail.partition(wanted)[2]

    def discard_snapshots(self) -> None:
        with suppress(OSError):
            while self._socket.recv(65536):
                pass


RUN_BEFORE: tuple[str, ...] = ()
"""Words before the command of a table, which end by replacing themselves by it."""


@contextmanager
def run_table(*flags: str, folder: Path) -> Iterator[RunningTable]:
    flags = ("--host", "127.0.0.1", "--port", "0", "--journal", str(folder / "journal.sqlite3"), *flags)
    around = os.environ | {"XDG_CONFIG_HOME": str(folder)}
    command = [*RUN_BEFORE, sys.executable, "-m", "companion", "play", *flags]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=around)
    try:
        assert process.stdout
        address, link = (process.stdout.readline().split()[-1] for _ in range(2))
        yield RunningTable(process, int(address.rstrip("/").rpartition(":")[2]), link.rpartition("/")[2])
    finally:
        process.terminate()
        process.wait(10)


@contextmanager
def _run_temporary_table(*flags: str) -> Iterator[RunningTable]:
    with tempfile.TemporaryDirectory() as folder, run_table(*flags, folder=Path(folder)) as started:
        yield started


def measure_page_flooded() -> Iterator[Figure]:
    """Measure the slowest of 20 pages while 2,000 connections of another address hold back the end of a request."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    with _run_temporary_table() as started, ExitStack() as slow:
        for _ in range(FLOOD_CONNECTIONS):
            line = socket.create_connection(("127.0.0.1", started.port), timeout=10, source_address=("127.0.0.2", 0))
            slow.enter_context(line)
            with suppress(ConnectionError):  # the server may have had enough of that address by then
                line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        took = [read_page(started) for _ in range(20)]
    yield "page_ms_flooded", max(took) * 1000, "ms"


def measure_slow_readers() -> Iterator[Figure]:
    """Measure pages while 150 connections of another address pipeline the largest file and read nothing.

    For ten seconds, a connection that the server closes is opened again at once.
    """
    with _run_temporary_table() as started:
        before, ended = pss_mib(started.pid), threading.Event()
        request = b"GET " + _find_largest_file(started) + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"
        attack = threading.Thread(target=_stall_connections, args=(started.port, request * PIPELINED_REQUESTS, ended))
        attack.start()
        took, highest = [], before
        while len(took) < 100:
            time.sleep(0.1)
            took.append(read_page(started))
            highest = max(highest, pss_mib(started.pid))
        ended.set()
        attack.join()
    yield "slow_readers_page_ms_p95", statistics.quantiles(took, n=20, method="inclusive")[18] * 1000, "ms"
    yield "slow_readers_page_ms_max", max(took) * 1000, "ms"
    yield "slow_readers_growth_mib", highest - before, "MiB"


def _find_largest_file(started: RunningTable) -> bytes:
    request = http.client.HTTPConnection("127.0.0.1", started.port, timeout=10)
    request.request("GET", "/")
    addresses = set(re.findall(rb'"(/web/[^"]+)"', request.getresponse().read()))
    sizes = {}
    for address in addresses:
        request.request("GET", address.decode())
        sizes[address] = len(request.getresponse().read())
    return max(addresses, key=sizes.__getitem__)


def _stall_connections(port: int, sent: bytes, ended: threading.Event) -> None:
    """Keep the connections open; each sends all its requests and reads nothing."""
    poll, lines = select.poll(), {}
    while not ended.wait(0.05):
        for fd, _ in poll.poll(0):  # the server has hung up
            poll.unregister(fd)
            lines.pop(fd).close()
        while len(lines) < STALLED_CONNECTIONS:
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


def read_page(started: RunningTable) -> float:
    begin = time.perf_counter()
    request = http.client.HTTPConnection("127.0.0.1", started.port, timeout=10)
    request.request("GET", "/")
    assert b"</html>" in request.getresponse().read()
    return time.perf_counter() - begin


def pss_mib(pid: int) -> float:
    """Return the proportional set size (PSS) of the process in MiB."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")) / 1024


def rss_mib(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def measure_start_to_page() -> Iterator[Figure]:
    """Measure from the command to the page's last byte, with bytecode and journal in place (median of 5 starts)."""
    took = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(1 + START_COUNT):
            begin = time.perf_counter()
            with run_table(folder=Path(folder)) as started:
                read_page(started)
                took.append(time.perf_counter() - begin)
    yield "start_to_page_ms", statistics.median(took[1:]) * 1000, "ms"


def measure_pss() -> Iterator[Figure]:
    """Measure the table's PSS with eight subscribed phones, after as many moves as a deal has."""
    with _run_temporary_table() as started:
        _start_listeners(started)
        for _ in range(7):
            started.request_json("/api/moves", {"type": "starter", "card": "JD"})
            started.request_json("/api/moves", {"type": "undo"})
        time.sleep(SETTLE_S)
        yield "pss_mib", pss_mib(started.pid), "MiB"


def measure_photos() -> Iterator[Figure]:
    """Measure from a photograph of cards, of 1280 × 960, to its answer, its processor time, and then the table's PSS.

    Nothing without the extra [camera] and the fonts of the drawn cards.
    """
    try:
        import cv2  # noqa: PLC0415 - other measurements need neither

        from tests.plugins.cards.samples import draw_photo, load_style  # noqa: PLC0415
    except ImportError:
        return
    style = load_style("test")
    pictures = [draw_photo(style, seed)[0] for seed in range(PHOTO_COUNT)] if style.fonts else []
    if not pictures:
        return
    took, used = [], []
    with _run_temporary_table() as started:
        for picture in (pictures[0], *pictures):
            begin, cpu = time.perf_counter(), cpu_s(started.pid)
            started.send_photo("/api/cards/photo", cv2.imencode(".jpg", picture[..., ::-1])[1].tobytes())
            took.append(time.perf_counter() - begin)
            used.append(cpu_s(started.pid) - cpu)
        yield "photo_to_cards_ms_p50", statistics.median(took[1:]) * 1000, "ms"
        yield "photo_cpu_ms_mean", statistics.mean(used[1:]) * 1000, "ms"
        yield "photo_pss_mib", pss_mib(started.pid), "MiB"


def measure_demo_pss() -> Iterator[Figure]:
    """Measure the highest PSS of a demo that plays some games, with eight subscribed phones."""
    with _run_temporary_table("--demo", "--speed", "1000", "--set", f"quiet_ms={QUIET_MS}") as started:
        _start_listeners(started)
        end, highest = time.perf_counter() + DEMO_S, 0.0
        while time.perf_counter() < end:
            time.sleep(0.5)
            highest = max(highest, pss_mib(started.pid))
        yield "demo_pss_mib", highest, "MiB"


def measure_stops() -> Iterator[Figure]:
    """Measure from SIGTERM to the end of the process, with eight subscribed phones (slowest of five)."""
    for name, flags in (("stop_s", ()), ("stop_demo_s", ("--demo", "--speed", "10"))):
        took = []
        for wait_s in (0, 0.3, 1, 2, 3):
            with _run_temporary_table(*flags) as started:
                _start_listeners(started)
                time.sleep(wait_s)
                begin = time.perf_counter()
                os.kill(started.pid, signal.SIGTERM)
                os.waitid(os.P_PID, started.pid, os.WEXITED | os.WNOWAIT)
                took.append(time.perf_counter() - begin)
        yield name, max(took), "s"


def measure_idle_cpu() -> Iterator[Figure]:
    """Measure the processor time of an idle table with eight subscribed phones and no pending pegging."""
    with _run_temporary_table() as started:
        _start_listeners(started)
        time.sleep(SETTLE_S)
        begin, before = time.perf_counter(), cpu_s(started.pid)
        time.sleep(IDLE_S)
        spent, past = cpu_s(started.pid) - before, time.perf_counter() - begin
        yield "idle_cpu_pct", 100 * spent / past, "%"


def _time_moves_s(started: RunningTable, phones: list[PhoneStream], count: int) -> list[float]:
    """Return the seconds of each move: from the first byte of a phone's request to its snapshot on all the others."""
    took = []
    for moves in range(1, count + 1):
        begin = time.perf_counter()
        started.send_request("/api/moves", ({"type": "starter", "card": "5D"}, {"type": "undo"})[(moves - 1) % 2])
        for phone in phones:
            phone.wait_for_moves(moves)
        took.append(time.perf_counter() - begin)
        started.read_answer()
    return took


def measure_submit_to_sse() -> Iterator[Figure]:
    """Measure from the first byte of a phone's move, through the commit, to the snapshot on another phone."""
    with _run_temporary_table() as started:
        took = _time_moves_s(started, [_connect_phones(started)], SUBMIT_COUNT)
    yield "submit_to_sse_ms_p99", _percentile_99(took) * 1000, "ms"


def measure_fifty_phones() -> Iterator[Figure]:
    """Measure from a phone's move to its snapshot on the last of fifty phones, and the memory with all of them."""
    with _run_temporary_table() as started:
        phones = [PhoneStream(started.port) for _ in range(CROWD_PHONES)]
        for phone in phones:
            phone.wait_for_moves(0)
        took = _time_moves_s(started, phones, CROWD_MOVES)
        yield "fifty_phones_ms_p99", _percentile_99(took) * 1000, "ms"
        yield "fifty_phones_mib", pss_mib(started.pid), "MiB"


def measure_scan_to_sse() -> Iterator[Figure]:
    """Measure from a card at the simulated reader, over its line, to the snapshot on a phone."""
    took = []
    with _run_temporary_table() as started:
        phone = _connect_phones(started)
        for n in range(SCAN_COUNT):
            begin = time.perf_counter()
            started.send_request("/api/bench/scan", {"card": str(PACK[n % 52])})
            phone.wait_for_moves(2 * n + 1)
            took.append(time.perf_counter() - begin)
            started.read_answer()
            started.request_json("/api/moves", {"type": "undo"})
            phone.wait_for_moves(2 * n + 2)
    yield "scan_to_sse_ms_p99", _percentile_99(took) * 1000, "ms"


def measure_peg_to_light() -> Iterator[Figure]:
    """Measure from a peg put into its hole to the green light on the strip's wire, minus the quiet time."""
    with _run_temporary_table("--game", "pegs-only", "--set", f"quiet_ms={QUIET_MS}") as started:
        took = measure_peg_latencies_s(started)
    yield "peg_to_light_ms_p99", _percentile_99(took) * 1000, "ms"


def measure_peg_latencies_s(started: RunningTable) -> list[float]:
    """Return the seconds from peg to green light, minus the quiet time, for 60 pegs with eight subscribed phones.

    The table must run a new game of pegs-only with a quiet time of `QUIET_MS`.
    """
    took = []
    _connect_phones(started)
    _wait_for_pegs(started)
    for n in range(PEG_COUNT):
        lane, number = ("red", "blue")[n % 2], n // 2 + 1
        back = f"{lane}-{number - 2}" if number > 2 else f"{lane}-start-{3 - number}"
        took.append(_measure_light_latency_s(started, back, f"{lane}-{number}", QUIET_MS / 2000) - QUIET_MS / 1000)
    return took


def measure_due_to_light() -> Iterator[Figure]:
    """Measure from a peg put into its due hole to the green light on the strip's wire, including the quiet time."""
    took = []
    with _run_temporary_table() as started:
        _connect_phones(started)
        _wait_for_pegs(started)
        for n in range(DUE_COUNT):
            state = started.request_json("/api/moves", {"type": "adjust", "seat": n % 2, "points": 3})
            took += [
                _measure_light_latency_s(started, due["lift"], due["place"], GREEN_AFTER_MS / 2000)
                for due in state["dues"]
            ]
            while started.request_json("/api/state")["dues"]:  # the light is green before the points are accepted
                time.sleep(0.02)
    assert len(took) == DUE_COUNT, "one due at a time"
    yield "due_to_light_ms_p50", statistics.median(took) * 1000, "ms"


def _measure_light_latency_s(started: RunningTable, lift: str, place: str, sleep_s: float) -> float:
    """Return the seconds from a peg put into its hole until the hole is green.

    :param sleep_s: pause before the first request for the lights, so that the requests do not slow the table.
    """
    started.request_json("/api/bench/holes", {"lift": lift})
    begin = time.perf_counter()
    started.request_json("/api/bench/holes", {"place": place})
    time.sleep(sleep_s)
    while tuple(started.request_json("/api/bench/lights")[place]) != DEFAULT_THEME.right:
        assert time.perf_counter() - begin < 5, f"{place} is not lit"
    return time.perf_counter() - begin


def _wait_for_pegs(started: RunningTable) -> None:
    while not started.request_json("/api/state")["pegs"]:
        time.sleep(0.02)


def _connect_phones(started: RunningTable) -> PhoneStream:
    """Connect eight phones: seven in threads of their own, and the returned one, whose time is measured."""
    _start_listeners(started, PHONE_COUNT - 1)
    phone = PhoneStream(started.port)
    phone.wait_for_moves(0)
    return phone


def _start_listeners(started: RunningTable, count: int = PHONE_COUNT) -> None:
    for _ in range(count):
        threading.Thread(target=PhoneStream(started.port).discard_snapshots, daemon=True).start()


def cpu_s(pid: int) -> float:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def _percentile_99(took: list[float]) -> float:
    return statistics.quantiles(took, n=100, method="inclusive")[98]
