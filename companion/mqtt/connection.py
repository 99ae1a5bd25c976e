"""One session with one broker, over MQTT 3.1.1: what NATS and every Mosquitto understand. For one thread.

paho-mqtt does the protocol; this asks that the broker answers in time, and gives up when it does not. Nothing of a
session outlives it: what was not stored elsewhere is sent again from where it came.
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
from companion.mqtt.broker_url import Address, Identity

ANSWER_S = 15.0
"""A broker that is silent for so long after it was asked is given up."""
KEEPALIVE_S = 15
"""So often a broker hears of us; it tells the last will after one and a half times as long."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0
"""The pause before a broker is tried again; it doubles as long as none is there."""
SOUND_S = 10.0
"""A session that lasted so long was no failure: the next is begun without a long pause."""


class BrokerLost(CompanionError, OSError):
    """The session is over: the broker is gone, silent or refuses us. The message says which."""


class Will(NamedTuple):
    """A retained message that the broker tells when we are gone without a word."""

    topic: str
    payload: str


class Message(NamedTuple):
    """What somebody published. `is_kept`: the broker had retained it."""

    topic: str
    payload: bytes
    is_kept: bool


class Connection:
    """A session. Every method but `close` raises BrokerLost once it is over."""

    def __init__(self, address: Address, who: Identity, will: Will | None = None) -> None:
        """Begin it, and wait for the broker's welcome. A context manager: closed at the end."""
        self.heard: list[Message] = []
        self.unanswered = 0
        self._welcome: Any = None
        self._subscribing = 0
        self._asked_s = time.monotonic()
        self._client = Client(CallbackAPIVersion.VERSION2, client_id=f"cribbage-{secrets.token_hex(8)}")
        self._client.connect_timeout = ANSWER_S
        self._client.max_inflight_messages_set(0)  # we count ourselves
        self._client.on_connect = self._on_connect
        self._client.on_publish = self._on_publish
        self._client.on_subscribe = self._on_subscribe
        self._client.on_message = self._on_message
        if will:
            self._client.will_set(will.topic, will.payload, qos=1, retain=True)
        if who.user:
            self._client.username_pw_set(who.user, who.password)
        try:
            if address.tls:
                self._client.tls_set_context(ssl.create_default_context(cafile=who.ca_file or None))
            self._client.connect(address.host, address.port, keepalive=KEEPALIVE_S)
        except (OSError, ValueError, UnicodeError) as error:
            raise BrokerLost(f"The broker {address} cannot be reached.") from error
        try:
            while self._welcome is None:
                self.turn(0.1)
        except BaseException:
            self._drop()
            raise
        if self._welcome.is_failure:
            self._drop()
            raise BrokerLost(f"The broker {address} refuses this credential.")

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        self.close() if error is None else self._drop()

    def subscribe(self, *topics: str, is_sure: bool = True) -> None:
        """Hear what is published there; returns once the broker has agreed.

        `is_sure`: the broker holds what it passes on until we have it. Without, it keeps no account of us: what is
        asked for again anyway needs none, and in a league such an account may be lost with a node, and nothing comes.
        """
        self._ask()
        self._subscribing += 1
        self._client.subscribe([(each, int(is_sure)) for each in topics])
        while self._subscribing:
            self.turn(0.1)

    def publish(self, topic: str, payload: str, *, is_kept: bool = False, is_sure: bool = True) -> None:
        """Tell it; `is_sure`: the broker says that it has it, till then it is `unanswered`."""
        done = self._client.publish(topic, payload, qos=1 if is_sure else 0, retain=is_kept)
        if done.rc != MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise BrokerLost("The broker is gone.")
        if is_sure:
            self._ask()
            self.unanswered += 1

    def turn(self, wait_s: float) -> list[Message]:
        """What has been heard, within this time: returns at once where there is something."""
        if self._client.loop(wait_s) != MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise BrokerLost("The broker is gone.")
        is_asked = self.unanswered or self._subscribing or self._welcome is None
        if is_asked and time.monotonic() - self._asked_s > ANSWER_S:
            raise BrokerLost("The broker does not answer.")
        heard, self.heard = self.heard, []
        return heard

    def close(self) -> None:
        """End it with a word, so that no last will is told. May be called twice."""
        with suppress(OSError, ValueError):
            self._client.disconnect()
            self._client.loop(0)

    def _drop(self) -> None:
        """Go without a word: the broker tells the last will."""
        if (line := self._client.socket()) is not None:
            with suppress(OSError):
                line.close()

    def _ask(self) -> None:
        """From now on an answer is awaited, if none was before."""
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
        self.heard.append(Message(message.topic, message.payload, message.retain))


def tries(brokers: Sequence[Address], closed: threading.Event) -> Iterator[Address]:
    """Which broker to try next, for ever, until `closed`: each in turn, and a pause that grows while none is there.

    The pauses are uneven, so that a whole club does not come back in the same moment.
    """
    pause_s, failed = FIRST_PAUSE_S, 0
    number = 0
    while not closed.is_set():
        begun_s = time.monotonic()
        yield brokers[number % len(brokers)]
        number += 1
        failed = 0 if time.monotonic() - begun_s > SOUND_S else failed + 1
        if not failed:
            pause_s = FIRST_PAUSE_S
        elif failed % len(brokers) == 0:
            closed.wait(pause_s * random.uniform(0.5, 1))
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
