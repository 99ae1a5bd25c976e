"""A NetworkManager on a D-Bus of its own: that of python-dbusmock, which Debian packages for the system's Python."""

import os
import shutil
import subprocess

import jeepney
from jeepney.io.blocking import open_dbus_connection

from tests.support.waiting import wait_until

NAME, ROOT = "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager"
DBUS_DAEMON = shutil.which("dbus-daemon")
DBUSMOCK = "/usr/lib/python3/dist-packages/dbusmock"
ACTIVATED, DISCONNECTED = 100, 30


class MockNetworkManager:
    """The mock and the bus. `address` is that of the bus, for DBUS_SYSTEM_BUS_ADDRESS."""

    def __init__(self):
        self._daemon = subprocess.Popen(
            [DBUS_DAEMON, "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE, text=True
        )
        self.address = self._daemon.stdout.readline().strip()
        environment = os.environ | {"DBUS_SYSTEM_BUS_ADDRESS": self.address}
        command = ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "networkmanager"]
        self._mock = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        self._bus = open_dbus_connection(bus=self.address)
        wait_until(self._is_ready)

    def close(self):
        """Stop both."""
        self._bus.close()
        for each in (self._mock, self._daemon):
            each.kill()
            each.wait()
        self._daemon.stdout.close()

    def _is_ready(self):
        bus = jeepney.DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
        return self._send(bus, "NameHasOwner", "s", NAME)[0] and self.list_methods()

    def list_methods(self):
        """Return the description of the manager's object; empty until there is one."""
        address = jeepney.DBusAddress(ROOT, NAME, "org.freedesktop.DBus.Introspectable")
        return "GetDevices" in self._send(address, "Introspect")[0]

    def _send(self, address, method, signature=None, *arguments):
        reply = self._bus.send_and_get_reply(jeepney.new_method_call(address, method, signature, arguments))
        if reply.header.message_type is jeepney.MessageType.error:
            return (f"{reply.body}",)
        return reply.body

    def control(self, method, signature, *arguments, path=ROOT):
        """Call a method of the mock, such as AddWiFiDevice."""
        return self._send(jeepney.DBusAddress(path, NAME, "org.freedesktop.DBus.Mock"), method, signature, *arguments)

    def call(self, path, interface, method, signature=None, *arguments):
        """Call a method of NetworkManager."""
        return self._send(jeepney.DBusAddress(path, NAME, interface), method, signature, *arguments)

    def read(self, path, interface, name):
        """Return a property."""
        return self.call(path, "org.freedesktop.DBus.Properties", "Get", "ss", interface, name)[0][1]

    def set_method(self, name, signature, reply_signature, code):
        """Replace a method of the manager by Python code of the mock."""
        self.control("AddMethod", "sssss", NAME, name, signature, reply_signature, code)

    def add_wifi(self):
        """Add a Wi-Fi device that is not connected; return its path."""
        return self.control("AddWiFiDevice", "ssi", "wifi", "wlan0", DISCONNECTED)[0]

    def add_network(self, device, name, strength, key_kinds):
        """Add a network in sight."""
        at = f"{strength}", name, f"00:11:22:33:44:{strength:02d}", 2, 2425, 5400, strength, key_kinds
        return self.control("AddAccessPoint", "ssssuuuyu", device, *at)[0]

    def list_connections(self):
        """Return the settings of every connection by its name, without signatures."""
        found = {}
        for path in self.call(f"{ROOT}/Settings", f"{NAME}.Settings", "ListConnections")[0]:
            settings = self.call(path, f"{NAME}.Settings.Connection", "GetSettings")[0]
            plain = {part: {key: value for key, (_, value) in values.items()} for part, values in settings.items()}
            found[plain["connection"]["id"]] = plain
        return found

    def list_active(self):
        """Return the names of the active connections, each once: the mock activates a new connection twice."""
        paths = self.read(ROOT, NAME, "ActiveConnections")
        return sorted({self.read(path, f"{NAME}.Connection.Active", "Id") for path in paths})
