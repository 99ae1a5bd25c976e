"""The calls to NetworkManager, against python-dbusmock's."""

import contextlib

import pytest

from companion.plugins.wifi import network_manager
from companion.plugins.wifi.hotspot import HOTSPOT_ADDRESS, JoinResult
from companion.plugins.wifi.network_manager import MAX_NETWORKS, NetworkManager, WifiError, WifiNetwork
from tests.support.network_manager import ROOT

PSK, ENTERPRISE, SAE = 0x100, 0x200, 0x400


@pytest.fixture
def manager(mock):
    with contextlib.closing(NetworkManager()) as opened:
        yield opened


def test_networks_are_listed_once_by_strength(mock, manager):
    device = mock.add_wifi()
    for name, strength, key_kinds in (("Home", 40, PSK), ("Home", 70, PSK), ("Café", 90, 0), ("Work", 95, ENTERPRISE)):
        mock.add_network(device, name, strength, key_kinds)
    mock.add_network(device, "", 99, PSK)
    assert manager.list_networks() == (WifiNetwork("Café", 90, False), WifiNetwork("Home", 70, True))


def test_many_networks_and_odd_names_fill_nothing(mock, manager):
    device = mock.add_wifi()
    for strength in range(1, MAX_NETWORKS + 5):
        mock.add_network(device, f"Beacon {strength}", strength, PSK)
    for strength, name in enumerate(("\u202eemoH", "a\x07b", "\u200b"), 97):
        mock.add_network(device, name, strength, PSK)
    mock.add_network(device, "Home", 90, SAE)

    listed = manager.list_networks()

    assert (len(listed), listed[0]) == (MAX_NETWORKS, WifiNetwork("Home", 90, True))
    assert manager._key_kinds.keys() == {each.name for each in listed}


def test_the_own_network_opens_with_wpa2(mock, manager):
    mock.add_wifi()
    manager.open_hotspot("Cribbage-ab12", "a password")
    settings = mock.list_connections()["Cribbage-ab12"]
    assert bytes(settings["802-11-wireless"]["ssid"]) == b"Cribbage-ab12"
    assert settings["802-11-wireless"]["mode"] == "ap"
    assert settings["802-11-wireless-security"] | {"proto": 0} == {
        "key-mgmt": "wpa-psk", "psk": "a password", "proto": 0, "pairwise": ["ccmp"], "group": ["ccmp"],
    }  # fmt: skip
    assert settings["ipv4"]["method"] == "shared"
    assert settings["ipv4"]["address-data"][0]["address"] == ("s", HOTSPOT_ADDRESS)
    assert not settings["connection"]["autoconnect"]
    assert mock.list_active() == ["Cribbage-ab12"]
    assert not manager.is_connected()

    manager.close_hotspot()
    manager.close_hotspot()
    assert (mock.list_active(), mock.list_connections()) == ([], {})


def test_opening_twice_leaves_one_own_network(mock, manager):
    mock.add_wifi()
    manager.open_hotspot("Cribbage-ab12", "a password")
    manager.open_hotspot("Cribbage-cd34", "a password")
    assert list(mock.list_connections()) == ["Cribbage-cd34"]


@pytest.mark.parametrize(
    ("key_kinds", "password", "key"),
    [(PSK, "a secret", "wpa-psk"), (PSK | SAE, "a secret", "wpa-psk"), (SAE, "a secret", "sae"), (0, "", None)],
    ids=["wpa2", "both", "wpa3", "open"],
)
def test_a_network_is_joined_with_its_key_kind(mock, manager, key_kinds, password, key):
    mock.add_network(mock.add_wifi(), "Home", 70, key_kinds)
    manager.list_networks()
    manager.open_hotspot("Cribbage-ab12", "a password")
    manager.join("Home", password)
    assert manager.read_join_result() is JoinResult.JOINED
    assert manager.is_connected()
    settings = mock.list_connections()
    assert list(settings) == ["Home"]
    assert settings["Home"].get("802-11-wireless-security", {}).get("key-mgmt") == key
    assert settings["Home"]["connection"]["autoconnect"]
    assert not settings["Home"]["802-11-wireless"]["hidden"]


def test_a_hidden_network_is_joined_by_name(mock, manager):
    mock.add_wifi()
    manager.join("Hidden", "home password")
    assert mock.list_connections()["Hidden"]["802-11-wireless"]["hidden"]


REFUSAL = "raise dbus.exceptions.DBusException('No rights.', name='a.b')"
WRONG_PASSWORD = f"ret = dbus.ObjectPath('{ROOT}/ActiveConnection/9')"


@pytest.mark.parametrize("answer", [WRONG_PASSWORD, REFUSAL], ids=["wrong password", "refused"])
def test_an_attempt_that_fails_is_not_kept(mock, manager, answer):
    mock.add_network(mock.add_wifi(), "Home", 70, PSK)
    mock.set_method("ActivateConnection", "ooo", "o", answer)
    refused = pytest.raises(WifiError, match=r"^The Wi-Fi refuses: No rights\.$")
    with refused if answer == REFUSAL else contextlib.nullcontext():
        manager.join("Home", "home password")
    assert manager.read_join_result() is JoinResult.FAILED
    manager.forget_join()
    manager.forget_join()
    assert "Home" not in mock.list_connections()


def test_a_machine_without_wifi_says_so(mock, manager):
    with pytest.raises(WifiError, match="has no Wi-Fi"):
        manager.open_hotspot("Cribbage-ab12", "a password")


def test_without_network_manager_the_next_call_retries(mock, manager, monkeypatch):
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent")
    with pytest.raises(WifiError, match="NetworkManager does not answer"):
        manager.is_connected()
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", mock.address)
    assert not manager.is_connected()


def test_without_the_library_the_error_names_the_extra(monkeypatch):
    def fail(name):
        raise ImportError(name)

    monkeypatch.setattr(network_manager.importlib, "import_module", fail)
    with pytest.raises(WifiError, match=r"extra \[wifi\]"):
        NetworkManager().is_connected()
