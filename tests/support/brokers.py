"""A real Mosquitto at its own port, which can be killed and started again, cables and subscribers to it."""

import contextlib
import itertools
import json
import os
import shutil
import socket
import subprocess
import tempfile
import threading
from pathlib import Path

import paho.mqtt.client as mqtt
import pytest

from tests.support.waiting import PATIENCE_S, wait_until

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
POSTGRES_BIN = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)

PORTS = range(15_000, 32_000)
"""Ports below those that the system gives to programs that ask for any."""
_next_port = itertools.count(os.getpid() * 97)


def free_port():
    """Return a TCP port that is free now and that no program is given by the system."""
    for n in _next_port:
        port = PORTS[n % len(PORTS)]
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("unreachable")


@contextlib.contextmanager
def run_postgres():
    """Run a PostgreSQL server of our own; yields the URL of its database."""
    home, port = Path(tempfile.mkdtemp(prefix="postgres-")), free_port()
    as_user = ("runuser", "-u", "postgres", "--") if os.geteuid() == 0 else ()  # it refuses to run as root
    if as_user:
        shutil.chown(home, "postgres")

    def run(program, *words):
        command = [*as_user, POSTGRES_BIN / program, "-D", home / "db", *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")

    run("initdb", "-U", "club", "-A", "trust", "--no-sync")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={home}"
    run("pg_ctl", "-w", "-l", home / "log", "-o", options, "start")
    try:
        yield f"postgresql://club@127.0.0.1:{port}/postgres"
    finally:
        run("pg_ctl", "-m", "immediate", "stop")
        shutil.rmtree(home)


class Cable:
    """Connections to a broker that can be dropped, or cut silently: packets are lost without an error."""

    def __init__(self, port):
        self._port, self._lines, self._lock, self.is_cut = port, [], threading.Lock(), False
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.url = f"mqtt://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                far = socket.create_connection(("127.0.0.1", self._port))
                with self._lock:
                    self._lines += [near, far]
                for source, to in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(source, to), daemon=True).start()

    def _carry(self, source, to):
        was_cut = False
        with contextlib.suppress(OSError):
            while (data := source.recv(65536)) and not (was_cut and not self.is_cut):  # who was cut off must reconnect
                was_cut = self.is_cut
                if not self.is_cut:
                    to.sendall(data)
        _end_lines(source, to)

    def count_connections(self):
        with self._lock:
            return len(self._lines) // 2

    def drop(self):
        """Drop all connections; return their number."""
        with self._lock:
            lines, self._lines = self._lines, []
        _end_lines(*lines)
        for line in lines:
            line.close()
        return len(lines) // 2

    def close(self):
        self._listening.close()
        self.drop()


def _end_lines(*lines):
    for line in lines:
        with contextlib.suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)


class Broker:
    """A Mosquitto without persistence. `lines` are further lines of its configuration."""

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
        """Kill the broker with SIGKILL."""
        self.process.kill()
        self.process.wait()

    close = kill


class Subscriber:
    """A client that records every message below a topic, reconnects after the broker was killed, and can publish.

    `messages` holds (topic, text, is retained), under `lock`.
    """

    def __init__(self, broker, below="cribbage/1/#", user=None, password=None):
        self.messages, self.lock = [], threading.Lock()
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
        assert ready.wait(PATIENCE_S)

    def _on_message(self, client, data, message):
        with self.lock:
            self.messages.append((message.topic, message.payload.decode(), message.retain))

    def publish(self, topic, payload, retain=True):
        text = payload if isinstance(payload, str) else json.dumps(payload)
        self._client.publish(topic, text, qos=1, retain=retain).wait_for_publish(PATIENCE_S)

    def payloads(self, end):
        """Return the parsed payloads of the topics with this ending."""
        with self.lock:
            return [json.loads(text) for topic, text, _ in self.messages if topic.endswith(end)]

    def moves(self, board="b"):
        """Return the published moves of a board by run and number. Checks that repeated messages are equal."""
        found = {}
        with self.lock:
            for topic, text, _ in self.messages:
                parts = topic.split("/")
                if parts[3] == board and parts[4] == "move":
                    assert found.setdefault((parts[5], int(parts[6])), text) == text
        return found

    def close(self):
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def broker(tmp_path):
    """Return a function that starts a broker with further lines of configuration."""
    if not MOSQUITTO:
        pytest.skip("mosquitto is not installed")
    with contextlib.ExitStack() as closing:

        def start_broker(*lines):
            started = Broker(tmp_path, *lines)
            closing.callback(started.close)
            return started

        yield start_broker


@pytest.fixture
def subscribe():
    """Return a function that connects a `Subscriber`; it takes the same arguments."""
    with contextlib.ExitStack() as closing:

        def connect_subscriber(*args, **options):
            subscriber = Subscriber(*args, **options)
            closing.callback(subscriber.close)
            return subscriber

        yield connect_subscriber
