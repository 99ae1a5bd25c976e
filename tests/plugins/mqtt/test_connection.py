"""What a broker, or somebody who publishes there, sends without end or without need."""

import contextlib
import socket
import struct
import threading

import pytest

from companion.plugins.mqtt.broker_url import BrokerAddress, Credentials
from companion.plugins.mqtt.connection import MAX_MESSAGES_PER_POLL, MAX_PACKET_BYTES, BrokerLost, MqttConnection
from tests.support.waiting import PATIENCE_S, wait_until

CONNACK = b"\x20\x02\x00\x00"


def publish_packet(length, payload, qos=0):
    """Return a PUBLISH packet of this length whose payload begins like this."""
    head = struct.pack(">H", 1) + b"t" + (b"\x00\x07" if qos else b"")
    size, left = b"", length
    while left:
        left, digit = divmod(left, 128)
        size += bytes([digit | (128 if left else 0)])
    return bytes([0x30 | qos << 1]) + size + head + payload


@pytest.fixture
def hostile():
    """A broker that welcomes each client and then sends what it is told to. Return its address."""
    listening = socket.create_server(("127.0.0.1", 0))
    threads = []

    def serve(*parts):
        def send():
            client, _ = listening.accept()
            with client, contextlib.suppress(OSError):
                client.recv(65536)
                for each in (CONNACK, *parts):
                    client.sendall(each)
                while client.recv(65536):
                    pass

        threads.append(threading.Thread(target=send, daemon=True))
        threads[-1].start()
        return BrokerAddress(*listening.getsockname(), tls=False)

    yield serve
    listening.close()
    for each in threads:
        each.join(PATIENCE_S)


def test_of_a_huge_message_only_the_beginning_is_kept(hostile):
    length = 40 * MAX_PACKET_BYTES
    huge = publish_packet(length, b"huge")
    chunk = bytes(MAX_PACKET_BYTES)
    parts = [huge, *[chunk] * 39, chunk[: length - 39 * MAX_PACKET_BYTES - 7]]
    with MqttConnection(hostile(*parts, publish_packet(7, b"next")), Credentials()) as line:
        longest, heard = 0, []
        while not heard or heard[-1].payload != b"next":
            heard += line.poll_messages(0.1)
            longest = max(longest, len(line._client._in_packet["packet"]))
    assert longest <= MAX_PACKET_BYTES
    assert heard[0].payload.startswith(b"huge")
    assert MAX_PACKET_BYTES / 2 < len(heard[0].payload) < 10 * MAX_PACKET_BYTES


def test_messages_that_a_broker_never_releases_end_the_session(hostile):
    kept = publish_packet(9, b"kept", qos=2)
    broker = hostile(kept, publish_packet(7, b"next"))
    with MqttConnection(broker, Credentials()) as line, pytest.raises(BrokerLost):
        wait_until(lambda: line.poll_messages(0.1))


def test_a_message_whose_topic_is_not_utf_8_is_ignored(hostile):
    odd, usual = publish_packet(5, b"").replace(b"\0\1t", b"\0\3\xff\xfet"), publish_packet(5, b"ok")
    with MqttConnection(hostile(odd, usual), Credentials()) as connection:
        (message,) = wait_until(lambda: connection.poll_messages(0.1))
    assert message[:2] == ("t", b"ok")


@pytest.mark.parametrize("count", [2, MAX_MESSAGES_PER_POLL + 1])
def test_messages_that_wait_are_read_together(hostile, count):
    """None is lost, also if the broker closes the connection after them."""
    with MqttConnection(hostile(publish_packet(5, b"ok") * count), Credentials()) as connection:
        first = wait_until(lambda: connection.poll_messages(0.1))
        rest = [] if len(first) == count else wait_until(lambda: connection.poll_messages(0.1))
    assert (len(first), len(rest)) == (min(count, MAX_MESSAGES_PER_POLL), max(0, count - MAX_MESSAGES_PER_POLL))
