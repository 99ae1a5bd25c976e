"""Slow clients and unwanted bodies: other clients are served, and memory use stays low."""

import contextlib
import json
import re
import resource
import socket
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.http.wsgi import limits, server
from companion.http.wsgi.fair_queue import MAX_THREADS_PER_CLIENT, RequestQueue, RequestTurn
from companion.rules.cards import parse_card
from companion.rules.moves import Starter, Undo
from companion.server import sse
from tests.support.waiting import PATIENCE_S, wait_until

HEAD = b"GET /api/state HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
POST = b"POST /api/moves HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@contextlib.contextmanager
def lines(port, many, sent=b"", of="127.0.0.1"):
    """Open connections from one address; each has sent the beginning of a request."""
    with contextlib.ExitStack() as stack:
        opened = []
        for _ in range(many):
            line = stack.enter_context(
                socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S, source_address=(of, 0))
            )
            with contextlib.suppress(ConnectionError):  # it may have been shut out by then
                line.sendall(sent)
            opened.append(line)
        yield opened


def is_closed(line):
    """Return whether the server has closed the connection, without waiting."""
    line.setblocking(False)
    try:
        return line.recv(1000) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def answer(port, sent, of="127.0.0.1"):
    """Return the status of the answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S, source_address=(of, 0)) as line:
        line.sendall(sent)
        return int(line.makefile("rb").readline().split()[1])


def wait_for_channel(serving):
    """Return the server's only connection, once it is there."""
    (channel,) = wait_until(lambda: list(serving._server.active_channels.values()))
    return channel


PAGE = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
ANOTHER_PAGE = PAGE.replace(b"close", b"keep-alive")
STREAM = b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.mark.parametrize("slowly", [HEAD, b"", POST + b"Transfer-Encoding: chunked\r\n\r\n9\r\n{"])
def test_two_thousand_slow_connections_delay_no_other(serving, until, slowly):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    try:
        with lines(serving.port, 2000, slowly, of="127.0.0.2") as slow:
            for address in ("127.0.0.1", "127.0.0.3", "127.0.0.2"):
                told = [answer(serving.port, PAGE, of=address) for _ in range(5)]
                assert (address, told) == (address, 5 * [200])  # how soon is measured: page_ms_flooded
            assert until(lambda: len(serving._server.active_channels) <= limits.MAX_CONNECTIONS_PER_CLIENT)
            assert sum(map(is_closed, slow)) >= 2000 - limits.MAX_CONNECTIONS_PER_CLIENT - 5
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_many_addresses_together_exclude_no_other(serving, until):
    with contextlib.ExitStack() as stack:
        for each in range(2, 7):
            stack.enter_context(lines(serving.port, 150, HEAD, of=f"127.0.0.{each}"))
        assert answer(serving.port, PAGE) == 200
        assert until(lambda: len(serving._server.active_channels) <= limits.MAX_CONNECTIONS)
    assert until(lambda: not serving._server.active_channels)  # none is left open for the next test


def test_the_longest_waiting_connection_makes_room(serving, monkeypatch, until):
    monkeypatch.setattr(limits, "MAX_CONNECTIONS_PER_CLIENT", 3)
    with lines(serving.port, 1, ANOTHER_PAGE) as (served,):
        assert served.recv(12) == b"HTTP/1.1 200"
        with lines(serving.port, 1, HEAD) as (first,):
            assert until(lambda: len(serving._server.active_channels) == 2)
            with lines(serving.port, 2, HEAD) as later:
                assert until(lambda: is_closed(first))
                assert [is_closed(each) for each in later] == [False, False]
            served.sendall(PAGE)
            assert served.makefile("rb").read().count(b"HTTP/1.1 200") == 1


def test_waiting_connections_are_closed_with_the_server(serving, monkeypatch, until):
    monkeypatch.setattr(limits, "MAX_OPENED_AT_ONCE", 0)
    with lines(serving.port, 3, HEAD) as waiting:
        assert until(lambda: len(serving._server._arrivals) == 3)
        serving.close()
        assert until(lambda: all(map(is_closed, waiting)))


@pytest.mark.parametrize(("limit", "sent"), [
    ("HEAD_TIMEOUT_S", HEAD), ("BODY_TIMEOUT_S", POST + b"Transfer-Encoding: chunked\r\n\r\n"), ("IDLE_TIMEOUT_S", b""),
    ("IDLE_TIMEOUT_S", ANOTHER_PAGE),
])  # fmt: skip
def test_a_too_slow_request_is_given_up(serving, monkeypatch, until, limit, sent):
    monkeypatch.setattr(limits, limit, 0.5)
    begin = time.monotonic()
    with lines(serving.port, 1, sent) as (line,):
        received = line.makefile("rb").read()  # until the server hangs up
        assert time.monotonic() - begin >= 0.4
        assert received[:12] in (b"", b"HTTP/1.1 200")
    assert until(lambda: not serving._server.active_channels)


@pytest.mark.parametrize(("limit", "begun", "more"), [
    ("HEAD_TIMEOUT_S", HEAD, b"x"), ("IDLE_TIMEOUT_S", b"", b"\r\n\r\n"),
])  # fmt: skip
def test_a_trickle_does_not_renew_the_time(serving, monkeypatch, until, limit, begun, more):
    monkeypatch.setattr(limits, limit, 0.5)
    with lines(serving.port, 1, begun) as (line,):

        def trickles():
            with contextlib.suppress(OSError):
                line.sendall(more)
            return is_closed(line)

        assert until(trickles)


def test_a_busy_phone_keeps_its_connection(serving, until):
    with lines(serving.port, 1, ANOTHER_PAGE) as (line,):
        assert line.recv(12) == b"HTTP/1.1 200"
        time.sleep(0.1)
        asked = time.monotonic()
        line.sendall(ANOTHER_PAGE)
        channel = wait_for_channel(serving)
        assert until(lambda: channel.since >= asked)
        assert until(lambda: not channel.requests)
        assert not channel.is_overdue(asked + limits.IDLE_TIMEOUT_S)


def test_a_stream_is_not_overdue(serving, monkeypatch):
    with lines(serving.port, 1, STREAM) as (line,):
        assert line.recv(12) == b"HTTP/1.1 200"
        monkeypatch.setattr(limits, "IDLE_TIMEOUT_S", 0.2)
        time.sleep(2)
        assert not is_closed(line)


@pytest.mark.parametrize("length", [9, 16 * 1024, 16 * 1024 + 1, 64 * 1024 * 1024])
def test_a_watcher_is_refused_before_the_body_comes(serving, phone, length):
    sent = POST + f"Content-Length: {length}\r\n\r\n".encode()
    assert answer(serving.port, sent) == (403 if length <= 16 * 1024 else 413)
    assert answer(serving.port, sent.replace(b"localhost", b"evil.example")) == 421
    assert answer(serving.port, sent + b"x" * min(length, 100_000)) in (403, 413)


def test_of_bodies_that_are_refused_nothing_is_kept(serving, until):
    """Hundreds of watchers send bodies without an end."""
    before = _memory_kib()
    chunk = b"3fff\r\n" + b"x" * 0x3FFF + b"\r\n"
    with lines(serving.port, 150, POST + b"Transfer-Encoding: chunked\r\n\r\n" + chunk) as slow:
        assert until(lambda: sum(map(len, bodies(serving))) == 150 * 0x3FFF)
        assert {body.getbuf().buf for body in bodies(serving)} == {None}
        with lines(serving.port, 50, POST + b"Content-Length: 67108864\r\n\r\n" + b"x" * 60_000):
            assert _memory_kib() - before < 8 * 1024  # all of it, connections included
        for line in slow[:3]:
            line.sendall(chunk)
            assert line.recv(12) == b"HTTP/1.1 413"


def test_who_still_sends_hears_the_refusal(serving, phone):
    """Browsers send the whole body before they read the answer."""
    for size in (17 * 1024, 3_000_000):
        status, _, body = phone.ask("POST", "/api/moves", b"x" * size, {"Content-Type": "application/json"})
        assert (status, list(json.loads(body))) == (413, ["error"])


def test_bytes_after_a_refused_body_are_no_request(serving, table, phone):
    inner = POST + f"Cookie: {phone.cookie['Cookie']}\r\nContent-Length: 31\r\n\r\n".encode()
    inner += b'{"type":"starter","card":"5D"} '
    with lines(serving.port, 1, POST + b"Content-Length: 9000\r\n\r\n" + inner * 2) as (line,):
        assert len(re.findall(rb"HTTP/1\.1 \d+", line.makefile("rb").read())) == 1
    assert table.snapshot.moves == 0


def test_one_address_does_not_have_all_the_streams(serving):
    with lines(serving.port, 84, STREAM, of="127.0.0.2") as theirs:
        told = [line.recv(12) for line in theirs]
        assert told.count(b"HTTP/1.1 200") == sse.MAX_STREAMS_PER_ADDRESS >= 24
        assert told.count(b"HTTP/1.1 503") == 84 - sse.MAX_STREAMS_PER_ADDRESS
        with lines(serving.port, sse.MAX_STREAMS - sse.MAX_STREAMS_PER_ADDRESS, STREAM) as others:
            assert {line.recv(12) for line in others} == {b"HTTP/1.1 200"}


def stalled_line(port, sent, of="127.0.0.2"):
    """Return a connection that sends as much of its requests as the server takes, and reads nothing."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.bind((of, 0))
    line.connect(("127.0.0.1", port))
    line.setblocking(False)
    with contextlib.suppress(OSError):
        line.send(sent)
    return line


@pytest.fixture
def large_request(app):
    """Return a request for a response that no socket buffer holds."""
    body = b"x" * 16_000_000
    app.add_url_rule("/large", "large", lambda: body)
    return b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_a_client_that_reads_nothing_needs_no_worker(large_request, serving, until, monkeypatch):
    with contextlib.ExitStack() as stack:
        channels = serving._server.active_channels
        with monkeypatch.context() as patch:
            patch.setattr(limits, "STALL_TIMEOUT_S", 3600.0)  # none is hung up on before all are there
            for _ in range(server.WORKER_THREADS + 10):
                stack.enter_context(stalled_line(serving.port, large_request * 3))
            assert until(
                lambda: sum(each.total_outbufs_len > 0 for each in list(channels.values())) > server.WORKER_THREADS
            )
            assert answer(serving.port, PAGE) == 200
            assert answer(serving.port, PAGE, of="127.0.0.2") == 200
        assert until(lambda: not channels)
        assert answer(serving.port, PAGE) == 200


def test_a_slow_reader_is_not_hung_up_on(large_request, serving, until, monkeypatch):
    monkeypatch.setattr(limits, "STALL_TIMEOUT_S", 3600.0)  # a busy machine is slow too
    with stalled_line(serving.port, large_request) as line:
        channel = wait_for_channel(serving)
        assert until(lambda: channel.total_outbufs_len)
        line.settimeout(PATIENCE_S)
        sent_at = channel._sent_at
        while channel._sent_at == sent_at:
            line.recv(65536)
        assert not channel.is_stalled(channel._sent_at + limits.STALL_TIMEOUT_S - 1)  # floats round
        assert until(lambda: channel.is_stalled(channel._sent_at + limits.STALL_TIMEOUT_S + 0.1))


def test_a_busy_server_hangs_up_on_nobody():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        channel = SimpleNamespace(total_outbufs_len=1, _sent_at=0.0, socket=ours)
        assert not limits.LimitedChannel.is_stalled(channel, limits.STALL_TIMEOUT_S + 1)
        with contextlib.suppress(BlockingIOError):
            while True:
                ours.send(bytes(65536))
        assert limits.LimitedChannel.is_stalled(channel, limits.STALL_TIMEOUT_S + 1)


def test_a_stalled_stream_gives_its_thread_back(serving, table, until):
    with stalled_line(serving.port, STREAM):
        channel = wait_for_channel(serving)
        channel.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)

        def moved():
            table.submit(Starter(parse_card("5D")))
            table.submit(Undo())
            return not serving._server.active_channels

        assert until(moved)
        assert until(lambda: not serving._server.task_dispatcher.queue._running)


def test_pipelined_requests_are_parsed_one_at_a_time(large_request, serving, until, monkeypatch):
    """Each parsed request holds its head and, when answered, its whole response."""
    monkeypatch.setattr(limits, "STALL_TIMEOUT_S", 3600.0)  # a busy machine is slow too
    with stalled_line(serving.port, large_request + ANOTHER_PAGE * 100) as line:
        channel = wait_for_channel(serving)
        assert until(lambda: channel.backlog)
        assert len(channel.requests) <= 1
        line.settimeout(PATIENCE_S)
        ended, tail = 0, b""
        while ended < 100 and (received := line.recv(1 << 20)):
            ended += (tail + received).count(b"</html>") - tail.count(b"</html>")
            tail = received[-10:]
            assert len(channel.requests) <= 1
        assert ended == 100


def test_addresses_take_turns_with_a_few_threads_each():
    queue = RequestQueue()
    for host in "aaaaaaab":
        queue.append(RequestTurn(None, host, None))
    taken = [queue.popleft() for _ in range(5)]
    assert [each.host for each in taken] == ["a", "b", "a", "a", "a"]
    assert (len(queue), MAX_THREADS_PER_CLIENT) == (0, 4)
    queue.release(taken[0])
    queue.release(taken[0])
    assert [len(queue), queue.popleft().host, len(queue)] == [1, "a", 0]


def bodies(serving):
    """Return the bodies that are being received."""
    every = [each.request for each in list(serving._server.active_channels.values())]
    return [request.body_rcv for request in every if request and request.body_rcv is not None]


def _memory_kib():
    with Path("/proc/self/status").open() as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])


def test_answers_are_sent_without_delay(serving):
    with lines(serving.port, 1, HEAD) as (line,):
        channel = wait_for_channel(serving)
        assert channel.addr == line.getsockname()
        assert channel.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
