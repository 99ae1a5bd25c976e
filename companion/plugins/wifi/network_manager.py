"""NetworkManager over D-Bus: the networks in sight, our own network, and the attempt to join another one.

The interface is described at networkmanager.dev/docs/api/latest/spec.html. The library is jeepney (extra [wifi]), which
is plain Python, so that every Pi can install it.
"""

import importlib
import uuid
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from companion.common.errors import CompanionError
from companion.common.process import missing_extra
from companion.plugins.wifi.hotspot import HOTSPOT_ADDRESS, JoinResult, is_network_name

MAX_NETWORKS = 40
"""Most networks that are listed. A sender in the neighbourhood can pretend thousands, with new names each time."""

_NAME = "org.freedesktop.NetworkManager"
_ROOT = "/org/freedesktop/NetworkManager"
_SETTINGS = f"{_ROOT}/Settings"
_HOTSPOT_UUID = "5b1c9f3e-7c1d-4e0b-9a52-c71bba9e0a11"
"""Always the same, so that a hotspot that an earlier run left behind is found."""
_CALL_TIMEOUT_S = 20.0

_WIFI, _ETHERNET = "802-11-wireless", "802-3-ethernet"
_SECURITY = "802-11-wireless-security"
_WIFI_DEVICE = 2
_CAN_BE_ACCESS_POINT = 0x40
_ACTIVATING, _ACTIVATED = 1, 2
_UNKNOWN_OBJECT = "org.freedesktop.DBus.Error.Unknown"
_PSK, _ENTERPRISE, _SAE = 0x100, 0x200, 0x400
"""Flags of an access point: kinds of its keys."""

ConnectionSettings = dict[str, dict[str, tuple[str, Any]]]
"""Settings of a connection: sections of values, each with its D-Bus signature."""


class WifiError(CompanionError, OSError):
    """NetworkManager does not answer or refuses."""


class WifiNetwork(NamedTuple):
    """A Wi-Fi network in sight. `strength` is 0 to 100."""

    name: str
    strength: int
    has_password: bool


class NetworkManager:
    """A connection to NetworkManager, opened at the first call. For one thread. Every method raises WifiError."""

    def __init__(self) -> None:
        self._bus: Any = None
        self._joining: tuple[str, str] | None = None
        """Paths of the settings and of the active connection of the network that is being joined."""
        self._key_kinds: dict[str, int] = {}

    def close(self) -> None:
        """Close the connection to D-Bus. The next call opens another one."""
        if self._bus:
            with suppress(OSError):
                self._bus.close()
        self._bus = None

    def is_connected(self) -> bool:
        """Return whether a network other than our own is connected, by Wi-Fi or by cable."""
        for path in self._read(_ROOT, "", "ActiveConnections"):
            with suppress(_VanishedError):
                connection = self._read_all(path, "Connection.Active")
                is_up = connection["State"] == _ACTIVATED and connection["Type"] in (_WIFI, _ETHERNET)
                if is_up and connection["Uuid"] != _HOTSPOT_UUID:
                    return True
        return False

    def list_networks(self) -> tuple[WifiNetwork, ...]:
        """Return the strongest networks in sight, without those that need a user's name or have an invalid name."""
        device = self._find_device()
        with suppress(WifiError):  # refused if it has just searched, or while our own network is open
            self._call(device, "Device.Wireless", "RequestScan", "a{sv}", ({},))
        networks: dict[str, WifiNetwork] = {}
        key_kinds: dict[str, int] = {}
        for path in self._call(device, "Device.Wireless", "GetAllAccessPoints")[0]:
            with suppress(_VanishedError):
                point = self._read_all(path, "AccessPoint")
                flags = point["RsnFlags"] | point["WpaFlags"]
                name = bytes(point["Ssid"]).decode("utf-8", "replace")
                if not is_network_name(name) or (flags & _ENTERPRISE and not flags & (_PSK | _SAE)):
                    continue
                key_kinds[name] = flags
                if name not in networks or networks[name].strength < point["Strength"]:
                    networks[name] = WifiNetwork(name, point["Strength"], bool(point["Flags"] & 1 or flags))
        nearest = sorted(networks.values(), key=lambda network: -network.strength)[:MAX_NETWORKS]
        if nearest:  # while our own network is open, the radio may see no other
            self._key_kinds = {network.name: key_kinds[network.name] for network in nearest}
        return tuple(nearest)

    def open_hotspot(self, name: str, password: str) -> None:
        """Open our own network, which is gone after a restart of the machine."""
        device = self._find_device()
        self.close_hotspot()
        path = self._call(_SETTINGS, "Settings", "AddConnectionUnsaved", "a{sa{sv}}", (_hotspot(name, password),))[0]
        self._call(_ROOT, "", "ActivateConnection", "ooo", (path, device, "/"))

    def close_hotspot(self) -> None:
        try:
            path = self._call(_SETTINGS, "Settings", "GetConnectionByUuid", "s", (_HOTSPOT_UUID,))[0]
        except _RefusedError:
            return
        self._call(path, "Settings.Connection", "Delete")

    def join(self, name: str, password: str) -> None:
        """Begin to join a network, and remember it. It closes our own one, because there is one radio."""
        self._joining = None
        device = self._find_device()
        self.close_hotspot()
        settings = _home_network(name, password, self._key_kinds.get(name))
        path = self._call(_SETTINGS, "Settings", "AddConnection", "a{sa{sv}}", (settings,))[0]
        self._joining = path, ""
        self._joining = path, self._call(_ROOT, "", "ActivateConnection", "ooo", (path, device, "/"))[0]

    def read_join_result(self) -> JoinResult:
        if not self._joining:
            return JoinResult.FAILED
        try:
            state = self._read(self._joining[1], "Connection.Active", "State")
        except _VanishedError:  # NetworkManager has given up
            return JoinResult.FAILED
        return {_ACTIVATING: JoinResult.PENDING, _ACTIVATED: JoinResult.JOINED}.get(state, JoinResult.FAILED)

    def forget_join(self) -> None:
        """Forget the network that could not be joined, so that its wrong password is not tried again."""
        if self._joining:
            path, self._joining = self._joining[0], None
            with suppress(_VanishedError):
                self._call(path, "Settings.Connection", "Delete")

    def _find_device(self) -> str:
        """Return the path of the first Wi-Fi device that can be an access point."""
        for path in self._call(_ROOT, "", "GetDevices")[0]:
            device = self._read_all(path, "Device")
            if device["DeviceType"] != _WIFI_DEVICE or not device["Managed"]:
                continue
            if self._read(path, "Device.Wireless", "WirelessCapabilities") & _CAN_BE_ACCESS_POINT:
                return str(path)
        raise WifiError("This machine has no Wi-Fi that can open a network of its own.")

    def _read(self, path: str, interface: str, name: str) -> Any:
        signature_and_value = self._call(path, None, "Get", "ss", (_full_name(interface), name))[0]
        return signature_and_value[1]

    def _read_all(self, path: str, interface: str) -> Mapping[str, Any]:
        values = self._call(path, None, "GetAll", "s", (_full_name(interface),))[0]
        return {name: value for name, (_, value) in values.items()}

    def _call(
        self, path: str, interface: str | None, method: str, signature: str = "", arguments: tuple[Any, ...] = ()
    ) -> Any:
        """Return the reply to a call; without an interface it is one of those for properties."""
        jeepney = _load_library()
        if not path.startswith("/"):
            raise _VanishedError("The Wi-Fi refuses: {reason}.", reason=method)
        full_name = "org.freedesktop.DBus.Properties" if interface is None else _full_name(interface)
        address = jeepney.DBusAddress(path, bus_name=_NAME, interface=full_name)
        message = jeepney.new_method_call(address, method, signature or None, arguments)
        try:
            if self._bus is None:
                self._bus = importlib.import_module("jeepney.io.blocking").open_dbus_connection(bus="SYSTEM")
            reply = self._bus.send_and_get_reply(message, timeout=_CALL_TIMEOUT_S)
        except (OSError, ValueError, jeepney.AuthenticationError) as error:
            self.close()
            raise WifiError("NetworkManager does not answer ({reason}).", reason=error) from error
        if reply.header.message_type is jeepney.MessageType.error:
            name = reply.header.fields[jeepney.HeaderFields.error_name]
            reason = reply.body[0] if reply.body and isinstance(reply.body[0], str) else name
            refusal = _VanishedError if name.startswith(_UNKNOWN_OBJECT) else _RefusedError
            raise refusal("The Wi-Fi refuses: {reason}.", reason=reason.rstrip("."))
        return reply.body


class _RefusedError(WifiError):
    """NetworkManager refuses a call."""


class _VanishedError(_RefusedError):
    """The object is gone: networks come and go between two calls."""


def _full_name(interface: str) -> str:
    return f"{_NAME}.{interface}" if interface else _NAME


def _load_library() -> Any:
    try:
        return importlib.import_module("jeepney")
    except ImportError as error:
        raise WifiError(missing_extra("wifi")) from error


def _hotspot(name: str, password: str) -> ConnectionSettings:
    """Return the settings of our own network: WPA2, 2.4 GHz, and addresses from this machine."""
    own_address = {"address": ("s", HOTSPOT_ADDRESS), "prefix": ("u", 24)}
    return {
        "connection": _connection(name, _HOTSPOT_UUID, is_automatic=False),
        _WIFI: {"ssid": ("ay", name.encode()), "mode": ("s", "ap"), "band": ("s", "bg")},
        _SECURITY: {
            "key-mgmt": ("s", "wpa-psk"),
            "psk": ("s", password),
            "proto": ("as", ["rsn"]),
            "pairwise": ("as", ["ccmp"]),
            "group": ("as", ["ccmp"]),
        },
        "ipv4": {"method": ("s", "shared"), "address-data": ("aa{sv}", [own_address])},
        "ipv6": {"method": ("s", "ignore")},
    }


def _home_network(name: str, password: str, key_kinds: int | None) -> ConnectionSettings:
    """Return the settings of a network to join. `key_kinds` are its flags, None for one that is not in sight."""
    radio = {"ssid": ("ay", name.encode()), "mode": ("s", "infrastructure"), "hidden": ("b", key_kinds is None)}
    needs_sae = key_kinds is not None and key_kinds & _SAE and not key_kinds & _PSK
    key = {"key-mgmt": ("s", "sae" if needs_sae else "wpa-psk"), "psk": ("s", password)}
    return {
        "connection": _connection(name, str(uuid.uuid4()), is_automatic=True),
        _WIFI: radio,
        **({_SECURITY: key} if password else {}),
        "ipv4": {"method": ("s", "auto")},
        "ipv6": {"method": ("s", "auto")},
    }


def _connection(name: str, identifier: str, *, is_automatic: bool) -> dict[str, tuple[str, Any]]:
    return {
        "id": ("s", name),
        "uuid": ("s", identifier),
        "type": ("s", _WIFI),
        "autoconnect": ("b", is_automatic),
        "autoconnect-priority": ("i", 10 if is_automatic else 0),
    }
