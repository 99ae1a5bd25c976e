"""The event stream on a real socket: events, limits, and clients that disconnect."""

import contextlib
import json
import re
import socket
import struct
import threading
from itertools import pairwise

from companion.rules.cards import parse_card
from companion.rules.moves import Starter, Undo
from companion.server import sse
from tests.server.conftest import Phone
from tests.support.waiting import PATIENCE_S

REQUEST = b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Listener:
    """An open stream. `ids`, `snapshots` and `comments` have been received."""

    def __init__(self, port, cookie=""):
        self.line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        self.line.sendall(REQUEST.replace(b"\r\n\r\n", f"\r\nCookie: {cookie}\r\n\r\n".encode()))
        self.file = self.line.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        lines = iter(lambda: self.file.readline().decode().strip(), "")
        self.headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        self.ids, self.snapshots, self.comments = [], [], 0

    def event(self):
        """Return the lines of the next event; each comes in a chunk of its own."""
        size = int(self.file.readline(), 16)
        lines = self.file.read(size).decode().split("\n")
        self.file.readline()
        assert lines[-2:] == ["", ""], "an event ends with an empty line"
        for line in lines[:-2]:
            if line.startswith("id: "):
                self.ids.append(int(line[4:]))
            elif line.startswith("data: "):
                self.snapshots.append(json.loads(line[6:]))
            self.comments += line.startswith(":")
        return lines[:-2]

    def read_until(self, number):
        """Read events up to the snapshot of this number."""
        while not self.ids or self.ids[-1] < number:
            self.event()

    def close(self):
        self.file.close()
        self.line.close()


@contextlib.contextmanager
def listening(port, many=1):
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(contextlib.closing(Listener(port))) for _ in range(many)]


def test_a_stream_begins_with_retry_and_snapshot(serving, phone):
    phone.post("/api/moves", {"type": "starter", "card": "JD"})
    with listening(serving.port) as (listener,):
        assert (listener.status, listener.headers["cache-control"]) == (200, "no-store")
        assert listener.headers["content-type"].startswith("text/event-stream")
        assert listener.headers["x-content-type-options"] == "nosniff"
        assert listener.event() == ["retry: 1000"]
        assert [line.partition(":")[0] for line in listener.event()] == ["id", "data"]
        assert listener.snapshots == [phone.get("/api/state")[1]]
        assert listener.ids == [listener.snapshots[0]["number"]]


def test_each_newer_snapshot_follows_and_ids_only_rise(serving, phone, table):
    with listening(serving.port, 3) as listeners:
        for listener in listeners:
            listener.event()
            listener.event()
        for _ in range(5):
            for move in ({"type": "starter", "card": "5D"}, {"type": "undo"}):
                shown = phone.post("/api/moves", move)[1]
            for listener in listeners:
                listener.read_until(shown["number"])
        for listener in listeners:
            assert all(earlier < later for earlier, later in pairwise(listener.ids))
            assert listener.ids == [snapshot["number"] for snapshot in listener.snapshots]
            assert listener.snapshots[-1] == phone.get("/api/state")[1]
            assert listener.snapshots[-1]["moves"] == 10


def test_a_listener_who_reads_late_gets_the_newest(serving, table):
    with listening(serving.port) as (listener,):
        for _ in range(400):
            table.submit(Starter(parse_card("5D")))
            table.submit(Undo())
        listener.read_until(table.snapshot.number)
        assert all(earlier < later for earlier, later in pairwise(listener.ids))


def test_a_quiet_stream_says_that_it_is_alive(serving, monkeypatch):
    assert sse.KEEP_ALIVE_INTERVAL_S + sse.POLL_INTERVAL_S <= 15
    monkeypatch.setattr(sse, "KEEP_ALIVE_INTERVAL_S", 0.4)
    monkeypatch.setattr(sse, "POLL_INTERVAL_S", 0.1)
    with listening(serving.port) as (listener,):
        while listener.comments < 3:
            listener.event()
        assert len(listener.ids) == 1


def test_a_surplus_listener_is_asked_to_retry(serving, phone):
    with listening(serving.port, sse.MAX_STREAMS_PER_ADDRESS), listening(serving.port) as (late,):
        assert (late.status, late.headers["retry-after"]) == (503, "5")
        assert late.headers["x-content-type-options"] == "nosniff"
        body = json.loads(late.file.read(int(late.headers["content-length"])))
        assert re.fullmatch(r"[A-Z].+\.", body["error"])
        assert phone.get("/api/state")[0] == 200


def test_many_streams_and_connections_leave_the_page(serving, phone, table):
    with contextlib.ExitStack() as stack:
        idle = [stack.enter_context(socket.create_connection(("127.0.0.1", serving.port))) for _ in range(60)]
        idle[0].sendall(b"GET /api/st")
        listeners = stack.enter_context(listening(serving.port, 84))
        taken = [each for each in listeners if each.status == 200]
        assert 24 <= len(taken) == sse.MAX_STREAMS_PER_ADDRESS
        assert {each.status for each in listeners} == {200, 503}
        for path in ("/", "/api/state", "/web/pages/phone/phone.js", "/api/me"):
            assert phone.ask("GET", path)[0] == 200
        status, shown = phone.post("/api/moves", {"type": "starter", "card": "5D"})
        assert status == 201
        for each in taken:
            each.read_until(shown["number"])


def test_a_gone_listener_gives_its_place_back(serving, until):
    gone = [Listener(serving.port) for _ in range(sse.MAX_STREAMS_PER_ADDRESS)]
    for number, each in enumerate(gone):
        if number % 2:  # half say goodbye, half are torn away
            each.line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        each.close()

    with contextlib.ExitStack() as stack:

        def another_comes_in():
            (listener,) = stack.enter_context(listening(serving.port))
            return listener.status == 200

        for _ in range(sse.MAX_STREAMS_PER_ADDRESS):
            assert until(another_comes_in)


def test_a_vanished_phone_is_given_up(serving):
    with listening(serving.port):
        line = next(c.socket for c in serving._server.active_channels.values())
        assert line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        idle = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE)
        between = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL)
        assert idle + between * line.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT) <= 20
        assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) <= 20_000


def test_the_end_of_the_program_ends_every_stream(serving, table):
    with listening(serving.port, 8) as listeners:
        for listener in listeners:
            listener.event()
            listener.event()
        table.close()
        serving.close()
        for listener in listeners:
            assert listener.file.read().strip() in (b"0", b"")


def test_two_threads_may_end_the_server(serving, table, monkeypatch):
    """Another thread's wake-up may close everything, including the trigger, before ours is complete."""
    trigger = serving._server.trigger
    write = trigger._physical_pull

    def woken_before():
        write()
        serving._thread.join(PATIENCE_S)
        write()

    monkeypatch.setattr(trigger, "_physical_pull", woken_before)
    table.close()
    serving.close()
    assert not serving._thread.is_alive()


def test_many_listeners_leave_no_thread(serving, phone):
    before = threading.active_count()
    for _ in range(10):
        with listening(serving.port, 20) as listeners:
            statuses = {each.status for each in listeners}
        assert statuses <= {200, 503}
    assert phone.get("/api/state")[0] == 200
    assert threading.active_count() <= before


def test_new_links_end_other_players_streams_only(serving, phone):
    """Their pages reconnect and ask for their role."""
    others = [Phone(serving.port).join() for _ in range(2)]
    with contextlib.ExitStack() as stack:
        streams = [
            Listener(serving.port, each.cookie.get("Cookie", "")) for each in (*others, phone, Phone(serving.port))
        ]
        for each in streams:
            stack.callback(each.close)
            each.event(), each.event()
        assert phone.post("/api/invite/renew", {})[0] == 200
        for ended in streams[:2]:
            assert ended.file.readline() == b"0\r\n", "the end of the chunked stream"
        phone.post("/api/moves", {"type": "starter", "card": "5D"})
        for open_still in streams[2:]:
            open_still.event()
            assert open_still.snapshots[-1]["moves"] == 1
