"""The routes of the Wi-Fi: who may see the password and choose a network, and when."""

import pytest

from companion.plugins.wifi.hotspot import Hotspot, Phase
from companion.plugins.wifi.network_manager import WifiNetwork
from companion.table.game_switcher import GameSwitcher
from tests.server.conftest import Phone, create_table_app, join_table
from tests.support.plugin_app import add_wifi

HOME = {"network": "Home", "password": "home password"}


@pytest.fixture
def app(table):
    return create_table_app(GameSwitcher(table))


@pytest.fixture
def wifi(app, table):
    made = add_wifi(app, GameSwitcher(table))
    made._networks = (WifiNetwork("Home", 70, True),)
    return made


def open_hotspot(wifi):
    wifi._state = Hotspot(Phase.OPEN, 0)


def test_a_watcher_sees_no_password_and_changes_nothing(watcher, wifi):
    networks = [{"name": "Home", "strength": 70, "has_password": True}]
    assert watcher.get("/api/wifi").json == {
        "phase": "connected", "networks": networks, "network": "", "problem": "", "hotspot": None,
    }  # fmt: skip
    assert watcher.get("/api/wifi.svg").status_code == 403
    assert watcher.post("/api/wifi", json=HOME).status_code == 403
    assert wifi._wanted is None


def test_a_player_prints_labels_and_chooses_networks(app, wifi):
    player = join_table(app.test_client())
    assert player.get("/api/wifi").json["hotspot"] == {"name": "Cribbage-ab12", "password": "a password"}
    assert player.get("/api/wifi.svg").mimetype == "image/svg+xml"
    assert player.post("/api/wifi", json=HOME).status_code == 202
    assert wifi._wanted == ("Home", "home password")


def test_whoever_is_in_the_own_network_chooses(watcher, wifi):
    open_hotspot(wifi)
    assert watcher.get("/api/wifi").json["hotspot"]["name"] == "Cribbage-ab12"
    assert watcher.get("/api/wifi.svg").status_code == 200
    assert watcher.post("/api/wifi", json=HOME).status_code == 202
    assert watcher.post("/api/moves", json={"type": "go", "seat": 0}).status_code == 403


def test_the_server_reads_what_such_a_phone_sends(serving, wifi):
    open_hotspot(wifi)
    assert Phone(serving.port).post("/api/wifi", HOME)[0] == 202
    assert wifi._wanted == ("Home", "home password")
    assert Phone(serving.port).post("/api/moves", {"type": "go", "seat": 0})[0] == 403


def test_a_foreign_page_cannot_choose_even_then(watcher, wifi):
    open_hotspot(wifi)
    reply = watcher.post("/api/wifi", json=HOME, headers={"Origin": "http://evil.example"})
    assert reply.status_code == 403
    assert watcher.post("/api/wifi", data=b"{}", content_type="text/plain").status_code == 415
    assert wifi._wanted is None


@pytest.mark.parametrize(("body", "reason"), [
    ({"network": "", "password": ""}, "name"), ({"network": "x" * 33, "password": ""}, "name"),
    ({"network": "Home", "password": "short"}, "password"), ({"network": "Home"}, "password"),
    ({"network": 5, "password": ""}, "name"),
])  # fmt: skip
def test_what_no_wifi_has_is_refused(watcher, wifi, body, reason):
    open_hotspot(wifi)
    reply = watcher.post("/api/wifi", json=body)
    assert reply.status_code == 400
    assert f"The {reason} of a Wi-Fi" in reply.json["error"]


def test_the_page_and_its_routes_need_the_setting(table, watcher, wifi):
    assert watcher.get("/wifi").status_code == 200
    client = create_table_app(GameSwitcher(table)).test_client()
    assert [client.get(path).status_code for path in ("/wifi", "/api/wifi", "/api/wifi.svg")] == [404] * 3
