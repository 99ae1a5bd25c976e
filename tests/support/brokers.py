"""A real Mosquitto at a port of its own, that can be killed and started again, and who listens there."""

import contextlib
import json
import shutil
import socket
import subprocess
import threading

import paho.mqtt.client as mqtt
import pytest

from tests.support.waiting import wait_until

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")


def free_port():
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as taken:
        return taken.getsockname()[1]


class Broker:
    """A Mosquitto that keeps nothing over its end. `lines` are further lines of its configuration."""

    def __init__(self, folder, *lines):
        self.port = free_port()
        self.url = f"mqtt://127.0.0.1:{self.port}"
        self._file = folder / f"mosquitto-{self.port}.conf"
        allowed = () if any(line.startswith("allow_anonymous") for line in lines) else ("allow_anonymous true",)
        self._file.write_text("\n".join([f"listener {self.port} 127.0.0.1", "user root", *allowed, *lines]) + "\n")
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [MOSQUITTO, "-c", self._file],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(self._answers)

    def _answers(self):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def kill(self):
        """As kill -9 does."""
        self.process.kill()
        self.process.wait()

    close = kill


class Ear:
    """Who hears all that is published below a topic, also after the broker was killed, and may publish too."""

    def __init__(self, broker, below="cribbage/1/#", user=None, password=None):
        self.heard, self.lock = [], threading.Lock()
        self._client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        self._client.reconnect_delay_set(1, 1)
        if user:
            self._client.username_pw_set(user, password)
        self._client.on_message = self._on_message
        ready = threading.Event()
        self._client.on_connect = lambda client, *_: client.subscribe(below, qos=1)
        self._client.on_subscribe = lambda *_: ready.set()
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()
        assert ready.wait(10)

    def _on_message(self, client, data, message):
        with self.lock:
            self.heard.append((message.topic, message.payload.decode(), message.retain))

    def publish(self, topic, payload, retain=True):
        text = payload if isinstance(payload, str) else json.dumps(payload)
        self._client.publish(topic, text, qos=1, retain=retain).wait_for_publish(10)

    def told(self, end):
        """The payloads, read, of the topics that end so."""
        with self.lock:
            return [json.loads(text) for topic, text, _ in self.heard if topic.endswith(end)]

    def moves(self, board="b"):
        """What was told of a board by run and number; each copy the same."""
        found = {}
        with self.lock:
            for topic, text, _ in self.heard:
                parts = topic.split("/")
                if parts[3] == board and parts[4] == "move":
                    assert found.setdefault((parts[5], int(parts[6])), text) == text
        return found

    def close(self):
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def broker(tmp_path):
    """Makes brokers; further lines of configuration may be given."""
    if not MOSQUITTO:
        pytest.skip("mosquitto is not installed")
    with contextlib.ExitStack() as closing:

        def made(*lines):
            one = Broker(tmp_path, *lines)
            closing.callback(one.close)
            return one

        yield made


@pytest.fixture
def listens():
    """Makes ears."""
    with contextlib.ExitStack() as closing:

        def made(*given, **named):
            ear = Ear(*given, **named)
            closing.callback(ear.close)
            return ear

        yield made
