"""The nodes of a league: real servers of NATS, that can be killed and started again."""

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
    """One node of a league, by docs/how-to/league/nats.conf, without TLS and at ports of its own."""

    def __init__(self, folder, name, ports, routes, *lines):
        """`routes` has the port of each node for the others; `lines` are further lines of its configuration."""
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

    def welcomes(self):
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
        """As kill -9 does."""
        self.process.kill()
        self.process.wait()
