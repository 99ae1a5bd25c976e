"""The announcement of the table's name: it works with multicast, and never delays the program."""

import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import zeroconf

from companion.app.network import MdnsAnnouncer, mdns_name
from tests.support.waiting import wait_until


def test_the_name_is_found_by_number_until_it_is_taken_back():
    told = MdnsAnnouncer("127.0.0.1", 8123)
    asked = ("_http._tcp.local.", "Cribbage companion._http._tcp.local.", 500)
    with ThreadPoolExecutor(1) as apart:  # a browser's test may have left an event loop in this thread, and it is taken
        other = apart.submit(zeroconf.Zeroconf, ["127.0.0.1"]).result()
        wait_until(lambda: apart.submit(other.get_service_info, *asked).result())
        found = apart.submit(other.get_service_info, *asked).result()
        apart.submit(other.close).result()
    assert (found.server, found.parsed_addresses(), found.port) == (f"{mdns_name()}.", ["127.0.0.1"], 8123)
    told.close()
    told.close()


def test_it_begins_and_ends_at_once(monkeypatch):
    closed = threading.Event()

    def slow(*_):
        assert closed.wait(10)
        raise OSError("no such network")

    monkeypatch.setattr(zeroconf, "Zeroconf", slow)
    MdnsAnnouncer("192.0.2.1", 8123).close()
    closed.set()


def test_the_name_is_one_that_the_table_answers_to():
    assert mdns_name() == f"{socket.gethostname().partition('.')[0].lower()}.local"
