"""One session with one broker over MQTT 3.1.1, which Mosquitto and NATS support. For one thread.

paho-mqtt implements the protocol; this module adds timeouts for the broker's answers. A session keeps no state: callers
send unconfirmed messages again from their own storage.
"""

import random
import secrets
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode

from companion.common.errors import CompanionError
from companion.plugins.mqtt.broker_url import BrokerAddress, Credentials

ANSWER_TIMEOUT_S = 15.0
"""Longest wait in s for an answer of the broker."""
KEEPALIVE_S = 15
"""MQTT keep-alive in s. The broker publishes the last will after one and a half times as long."""
INITIAL_RETRY_S, MAX_RETRY_S = 0.5, 30.0
"""First and longest pause in s before the next broker is tried; it doubles after each round of all brokers."""
STABLE_SESSION_S = 60.0
"""A session that lasted this long in s counts as successful and resets the pause."""


MAX_PACKET_BYTES = 2**20
"""What exceeds this size of a packet in bytes is not kept. No message that is used is nearly as long."""


MAX_MESSAGES_PER_POLL = 16
"""Maximum number of messages that are read before the caller gets them: the caller's own work is done once for all."""


class BrokerLost(CompanionError, OSError):
    """The session has ended: the broker was disconnected, does not answer, or refused it."""


class LastWill(NamedTuple):
    """A retained message that the broker publishes if the session ends without DISCONNECT."""

    topic: str
    payload: str


class ReceivedMessage(NamedTuple):
    """A message from the broker. `is_retained`: the broker had stored it."""

    topic: str
    payload: bytes
    is_retained: bool


class BoundedClient(Client):
    """A client whose memory a broker, or anybody who publishes there, cannot fill."""

    def _sock_recv(self, bufsize: int) -> bytes:
        return bytes(super()._sock_recv(min(bufsize, 2**16)))

    def _packet_read(self) -> MQTTErrorCode:
        """Read a part of a packet. Overrides paho, which would keep up to 256 MiB.

        Of a packet that is too large, the message remains too long for its readers, so they refuse it.
        """
        result = super()._packet_read()
        del self._in_packet["packet"][MAX_PACKET_BYTES:]
        if self._in_messages:  # of QoS 2, which is never subscribed to; paho keeps them until the broker releases them
            return MQTTErrorCode.MQTT_ERR_PROTOCOL
        return result

    def close_sockets(self) -> None:
        """Close the connection, and the pair of sockets that wakes the client, without a message to the broker."""
        self._reset_sockets()


class MqttConnection:
    """A session; a context manager that closes it. All methods but `close` raise BrokerLost once it has ended."""

    def __init__(self, address: BrokerAddress, credentials: Credentials, will: LastWill | None = None) -> None:
        """Connect, and wait for the broker's CONNACK."""
        self.received: list[ReceivedMessage] = []
        self.unanswered = 0
        self._welcome: Any = None
        self._subscribing = 0
        self._asked_s = time.monotonic()
        self._client = BoundedClient(CallbackAPIVersion.VERSION2, client_id=f"cribbage-{secrets.token_hex(8)}")
        self._client.connect_timeout = ANSWER_TIMEOUT_S
        self._client.max_inflight_messages_set(0)  # no limit: the publisher has its own
        self._client.on_connect = self._on_connect
        self._client.on_publish = self._on_publish
        self._client.on_subscribe = self._on_subscribe
        self._client.on_message = self._on_message
        if will:
            self._client.will_set(will.topic, will.payload, qos=1, retain=True)
        if credentials.user:
            self._client.username_pw_set(credentials.user, credentials.password)
        try:
            if address.tls:
                self._client.tls_set_context(ssl.create_default_context(cafile=credentials.ca_file or None))
            self._client.connect(address.host, address.port, keepalive=KEEPALIVE_S)
        except (OSError, ValueError, UnicodeError) as error:
            raise BrokerLost(f"Cannot reach the broker {address}.") from error
        try:
            while self._welcome is None:
                self.poll_messages(0.1)
        except BaseException:
            self._drop_connection()
            raise
        if self._welcome.is_failure:
            self._drop_connection()
            raise BrokerLost(f"The broker {address} refused the user or password.")

    def __enter__(self) -> "MqttConnection":
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        self.close() if error is None else self._drop_connection()

    def subscribe(self, *topics: str, is_acknowledged: bool = True) -> None:
        """Subscribe to topics; returns once the broker has confirmed.

        :param is_acknowledged: use QoS 1. Use QoS 0 for messages that are requested again anyway: in a clustered broker
            the session state of QoS 1 may be lost with a node, and then no message arrives.
        """
        self._start_waiting()
        self._subscribing += 1
        self._client.subscribe([(topic, int(is_acknowledged)) for topic in topics])
        while self._subscribing:
            self.poll_messages(0.1)

    def publish(self, topic: str, payload: str, *, is_retained: bool = False, is_acknowledged: bool = True) -> None:
        """Publish a message, retained if `is_retained`.

        :param is_acknowledged: use QoS 1; the message counts in `unanswered` until the broker confirms it.
        """
        result = self._client.publish(topic, payload, qos=1 if is_acknowledged else 0, retain=is_retained)
        if result.rc != MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise BrokerLost("The broker was disconnected.")
        if is_acknowledged:
            self._start_waiting()
            self.unanswered += 1

    def poll_messages(self, wait_s: float) -> list[ReceivedMessage]:
        """Return the messages received, waiting up to `wait_s` for the first."""
        count = -1
        while count < len(self.received) < MAX_MESSAGES_PER_POLL:  # the client reads one at a time
            count = len(self.received)
            if self._client.loop(0 if count else wait_s) != MQTTErrorCode.MQTT_ERR_SUCCESS:
                if count:  # these are confirmed already; the next call raises
                    break
                raise BrokerLost("The broker was disconnected.")
        is_asked = self.unanswered or self._subscribing or self._welcome is None
        if is_asked and time.monotonic() - self._asked_s > ANSWER_TIMEOUT_S:
            raise BrokerLost("The broker does not answer.")
        messages, self.received = self.received, []
        return messages

    def close(self) -> None:
        """Send DISCONNECT, so that the broker does not publish the last will. May be called twice."""
        with suppress(OSError, ValueError):
            self._client.disconnect()
            self._client.loop(0)
        self._drop_connection()

    def _drop_connection(self) -> None:
        """Drop the connection without DISCONNECT, so that the broker publishes the last will."""
        with suppress(OSError):
            self._client.close_sockets()

    def _start_waiting(self) -> None:
        """Start the answer timeout, unless an answer is already pending."""
        if not self.unanswered and not self._subscribing:
            self._asked_s = time.monotonic()

    def _on_connect(self, _client: Any, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        self._welcome = reason

    def _on_subscribe(self, *_: Any) -> None:
        self._subscribing -= 1

    def _on_publish(self, _client: Any, _data: Any, _mid: int, *_: Any) -> None:
        self.unanswered = max(0, self.unanswered - 1)
        self._asked_s = time.monotonic()

    def _on_message(self, _client: Any, _data: Any, message: Any) -> None:
        with suppress(UnicodeDecodeError):  # no topic of ours, so the session goes on
            self.received.append(ReceivedMessage(message.topic, message.payload, message.retain))


def iterate_brokers(brokers: Sequence[BrokerAddress], closed: threading.Event) -> Iterator[BrokerAddress]:
    """Yield the broker to try next until `closed`: each in turn, with a growing pause while sessions fail or are short.

    Pauses are random, so that the boards of a club do not all reconnect at the same moment.
    """
    pause_s, number = INITIAL_RETRY_S, 0
    while not closed.is_set():
        started_s = time.monotonic()
        yield brokers[number % len(brokers)]
        number += 1
        if time.monotonic() - started_s > STABLE_SESSION_S:
            pause_s = INITIAL_RETRY_S
        closed.wait(pause_s * random.uniform(0.5, 1))
        if number % len(brokers) == 0:
            pause_s = min(2 * pause_s, MAX_RETRY_S)
