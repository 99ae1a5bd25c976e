"""A flood of connections, and many addresses of one IPv6 network: other clients get their turn."""

import contextlib
import itertools
import socket

import pytest
from waitress.adjustments import Adjustments

from companion.common.errors import CompanionError
from companion.http.client_address import client_network, normalize_ip
from companion.http.wsgi import limits
from companion.http.wsgi.fair_queue import MAX_THREADS_PER_CLIENT, FairDispatcher, RequestQueue, RequestTurn
from companion.http.wsgi.limits import MAX_ARRIVALS, MAX_OPENED_AT_ONCE, LimitedServer
from companion.http.wsgi.server import ServerThread, listen
from companion.server import sse
from companion.server.sse import EventStreams
from tests.support.waiting import PATIENCE_S


@pytest.mark.parametrize(("address", "host", "network"), [
    ("192.168.1.7", "192.168.1.7", "192.168.1.7"), ("::ffff:192.168.1.7", "192.168.1.7", "192.168.1.7"),
    ("::ffff:c0a8:107", "192.168.1.7", "192.168.1.7"), ("fe80::12%wlan0", "fe80::12", "fe80::/64"),
    ("2001:DB8:0:1:ffff::7", "2001:db8:0:1:ffff::7", "2001:db8:0:1::/64"),
    ("2001:db8:0:1::8", "2001:db8:0:1::8", "2001:db8:0:1::/64"),
    ("2001:db8:0:2::8", "2001:db8:0:2::8", "2001:db8:0:2::/64"), ("", "", ""),
    ("a proxy's nonsense: 1", "a proxy's nonsense: 1", "a proxy's nonsense: 1"),
])  # fmt: skip
def test_a_client_counts_by_address_and_network(address, host, network):
    assert (normalize_ip(address), client_network(address)) == (host, network)


def test_addresses_of_one_network_share_its_threads():
    queue = RequestQueue()
    turns = [RequestTurn(None, host, None) for host in [f"2001:db8::{n}" for n in range(1, 9)] * 3 + ["192.168.1.7"]]
    for turn in turns:
        queue.append(turn)
    taken = [queue.popleft() for _ in range(len(queue))]
    assert len(taken) == MAX_THREADS_PER_CLIENT + 1
    assert [each.host for each in taken[:4]] == ["2001:db8::1", "192.168.1.7", "2001:db8::2", "2001:db8::3"]
    queue.release(taken[0])
    queue.release(taken[1])
    assert (len(queue), queue.popleft().host) == (1, "2001:db8::5")


def test_one_network_leaves_streams_for_others():
    streams = EventStreams(None, None)
    opened = [streams.reserve(f"2001:db8::{n}") for n in range(sse.MAX_STREAMS)]
    assert opened.count(True) == sse.MAX_STREAMS_PER_ADDRESS < sse.MAX_STREAMS
    assert streams.reserve("2001:db8:0:1::1")
    streams.release("2001:db8::5")
    assert streams.reserve("2001:db8::99")


@pytest.mark.parametrize(("address", "is_visitor"), [("::1", False), ("::ffff:127.0.0.1", False), ("fe80::1%e0", True)])
def test_a_page_on_this_machine_is_no_visitor(address, is_visitor):
    streams = EventStreams(None, None)
    assert streams.reserve(address)
    assert streams.has_visitors() == is_visitor


@pytest.fixture
def still_server(app):
    """A server that nobody runs, so that the test does each step. `accept` gives what the test puts there."""
    with listen("127.0.0.1", 0) as listening:
        found = LimitedServer(
            app, map={}, _sock=listening, dispatcher=FairDispatcher(), adj=Adjustments(sockets=[listening]),
            bind_socket=False, sockinfo=(listening.family, listening.type, listening.proto, listening.getsockname()),
        )  # fmt: skip
        yield found
        for each in [*found._map.values(), *found.ends]:
            each.close()


def arrive(server, monkeypatch, *hosts):
    """Let connections from these addresses arrive; the server closes their other ends at the end of the test."""
    pairs = [socket.socketpair() for _ in hosts]
    waiting = [(own, (host, 1)) for (own, _), host in zip(pairs, hosts, strict=True)]
    monkeypatch.setattr(server, "accept", lambda: waiting.pop(0) if waiting else None)
    monkeypatch.setattr(server, "set_socket_options", lambda _: None)
    while waiting:
        server.handle_accept()
    server.ends = [other for _, other in pairs]


def opened_hosts(server):
    return [each.host for each in server.active_channels.values()]


def test_a_flood_does_not_delay_another_client(still_server, monkeypatch):
    flood = [f"2001:db8::{n % 9:x}" for n in range(MAX_ARRIVALS + 100)]
    arrive(still_server, monkeypatch, *flood, "192.168.1.7")
    still_server.readable()
    assert "192.168.1.7" in opened_hosts(still_server)
    assert len(opened_hosts(still_server)) == 2 * MAX_OPENED_AT_ONCE
    for _ in range(MAX_ARRIVALS // MAX_OPENED_AT_ONCE):
        still_server.readable()
    assert len(opened_hosts(still_server)) in range(MAX_ARRIVALS, MAX_ARRIVALS + 2 * MAX_OPENED_AT_ONCE)


def test_connections_that_arrive_together_are_all_opened(app, table, until):
    server = ServerThread(app, listen("127.0.0.1", 0))
    with contextlib.ExitStack() as stack:
        for _ in range(5 * MAX_OPENED_AT_ONCE):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_S))
        assert until(lambda: len(server._server.active_channels) == 5 * MAX_OPENED_AT_ONCE)
    table.close()
    server.close()


def test_one_network_has_limited_connections(still_server, monkeypatch):
    monkeypatch.setattr(limits, "MAX_CONNECTIONS_PER_CLIENT", 6)
    arrive(still_server, monkeypatch, "192.168.1.7", *(f"2001:db8::{n:x}" for n in range(1, 30)), "2001:db8:1::")
    for _ in range(10):
        still_server.readable()
    kept = [each.network for each in still_server.active_channels.values() if not each.will_close]
    assert [kept.count(each) for each in ("2001:db8::/64", "192.168.1.7", "2001:db8:1::/64")] == [6, 1, 1]


def test_a_network_makes_room_for_another(still_server, monkeypatch):
    monkeypatch.setattr(limits, "MAX_CONNECTIONS", 12)
    several = itertools.chain.from_iterable([f"192.168.1.{n}", f"2001:db8::{n}", f"2001:db8::1:{n}"] for n in range(4))
    arrive(still_server, monkeypatch, *several, "192.168.1.99")
    for _ in range(5):
        still_server.readable()
    closed = [each.network for each in still_server.active_channels.values() if each.will_close]
    assert closed == ["2001:db8::/64"]


@pytest.mark.parametrize("host", ["192.0.2.77", "no-such-host.invalid", "256.1.1.1"])
def test_an_address_of_another_machine(host):
    with pytest.raises(CompanionError, match=f"no address {host}. Leave out --host"):
        listen(host, 0)


def test_a_port_that_is_taken():
    with contextlib.closing(listen("127.0.0.1", 0)) as first:
        port = first.getsockname()[1]
        with pytest.raises(CompanionError, match=f"Port {port} of the address 127.0.0.1 is taken"):
            listen("127.0.0.1", port)
