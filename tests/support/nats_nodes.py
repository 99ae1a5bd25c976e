"""The nodes of a league: real NATS servers, which can be killed and started again."""

import contextlib
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

import paho.mqtt.client as mqtt

HOW_TO = Path(__file__).parents[2] / "docs/how-to"
NATS = shutil.which("nats-server", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")


class Node:
    """One node of a league, configured by docs/how-to/league/nats.conf, without TLS and at its own ports."""

    def __init__(self, folder, name, ports, routes, *lines):
        """Start a node.

        :param ports: ports for MQTT and for NATS clients.
        :param routes: port of each node for the other nodes, by the node's name.
        :param lines: further lines of its configuration.
        """
        self.name, (self.port, client) = name, ports
        text = (HOW_TO / "league/nats.conf").read_text()
        text = text.replace("server_name: a", f"server_name: {name}").replace("/var/lib/nats", str(folder / name))
        text = text.replace("127.0.0.1:4222", f"127.0.0.1:{client}").replace("0.0.0.0:8883", f"127.0.0.1:{self.port}")
        text = text.replace("0.0.0.0:6222", f"127.0.0.1:{routes[name]}").replace("max_file: 20G", "max_file: 200M")
        text = re.sub(
            r"routes: \[.*\]", f"routes: [{', '.join(f'nats://127.0.0.1:{each}' for each in routes.values())}]", text
        )
        text = re.sub(r"  tls \{.*\}\n", "", text)
        text = text.replace("include nats/users.conf", "include users.conf")
        self._file = folder / f"{name}.conf"
        self._file.write_text("\n".join([text, *lines, ""]))
        if not (folder / "users.conf").exists():
            shutil.copy(HOW_TO / "league/users.conf", folder)
        self.url = f"mqtt://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        self.process = subprocess.Popen([NATS, "-c", self._file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def accepts_clients(self):
        """Return whether a client can log in within three seconds."""
        client, welcome = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2), []
        client.username_pw_set("archive", "REPLACE-archive")
        client.on_connect = lambda *args: welcome.append(args[3])
        with contextlib.suppress(OSError, socket.timeout):
            client.connect("127.0.0.1", self.port)
            end = time.monotonic() + 3
            while not welcome and time.monotonic() < end:
                client.loop(0.2)
            client.disconnect()
        return bool(welcome) and not welcome[0].is_failure

    def kill(self):
        """Kill the node with SIGKILL."""
        self.process.kill()
        self.process.wait()
