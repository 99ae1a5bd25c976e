"""The monitor with NetworkManager's mock, step by step with a clock of the test."""

import http.client
import json
import stat
from contextlib import closing

import pytest

from companion.app.launch import LaunchOptions
from companion.app.program import Program
from companion.plugins.wifi import PLUGIN
from companion.plugins.wifi.hotspot import OPEN_AFTER_MS, RETRY_AFTER_MS, Phase
from companion.plugins.wifi.monitor import WifiCredentials, WifiMonitor, load_credentials
from companion.plugins.wifi.network_manager import NetworkManager
from companion.settings import Settings
from tests.support.network_manager import ROOT
from tests.support.waiting import PATIENCE_S, wait_until

PSK = 0x100
OWN = WifiCredentials("Cribbage-ab12", "a password")
PAGE = "http://10.42.0.1:8123/wifi"


class Table:
    """A monitor with a clock that the test moves, and what it reported."""

    def __init__(self):
        self.now_ms, self.reports = 0, []
        report = lambda ok, say: self.reports.append((ok, str(say)))  # noqa: E731
        self.monitor = WifiMonitor(OWN, NetworkManager(), lambda: self.now_ms, report, lambda: PAGE)

    def wait(self, ms):
        """Let time pass, then look once."""
        self.now_ms += ms
        self.monitor.step()
        return self.monitor.read_status().phase


@pytest.fixture
def device(mock):
    found = mock.add_wifi()
    mock.add_network(found, "Home", 70, PSK)
    return found


@pytest.fixture
def table(device):
    made = Table()
    yield made
    made.monitor.close()


@pytest.fixture
def open_table(table):
    table.wait(0)
    assert table.wait(OPEN_AFTER_MS) is Phase.OPEN
    return table


def refuse_to_activate(mock, name):
    """Make NetworkManager give up on every network but this one, as with a wrong password."""
    code = f"""
settings = dbusmock.get_object(args[0]).settings
ret = dbus.ObjectPath('{ROOT}/ActiveConnection/9')
if settings['connection']['id'] == '{name}':
    ret = self.activate_connection(self, args[0], args[1], args[2])
"""
    mock.set_method("ActivateConnection", "ooo", "o", f"import dbusmock\n{code}")


def test_the_display_names_network_password_and_page(mock, open_table):
    assert mock.list_active() == [OWN.name]
    assert [each.name for each in open_table.monitor.read_status().networks] == ["Home"]
    say = f"No known Wi-Fi. Join {OWN.name} with the password {OWN.password}, then open {PAGE}."
    assert open_table.reports == [(False, "No known Wi-Fi. The table opens its own in a minute."), (False, say)]


def test_the_chosen_network_replaces_the_own_one(mock, open_table):
    open_table.monitor.join("Home", "home password")
    assert open_table.wait(10) is Phase.JOINING
    assert open_table.wait(3000) is Phase.CONNECTED
    assert list(mock.list_connections()) == mock.list_active() == ["Home"]
    assert open_table.reports[-2:] == [(False, "Joining the Wi-Fi Home."), (True, "")]


def test_a_wrong_password_brings_the_own_network_back(mock, open_table):
    refuse_to_activate(mock, OWN.name)
    open_table.monitor.join("Home", "wrong password")
    assert open_table.wait(10) is Phase.JOINING
    assert open_table.wait(3000) is Phase.OPEN
    assert list(mock.list_connections()) == mock.list_active() == [OWN.name]
    assert open_table.monitor.read_status().problem == "Home could not be joined. Check the password."


def test_a_failed_change_does_not_lose_the_network(mock, table):
    with closing(NetworkManager()) as manager:
        manager.join("Home", "home password")
    assert table.wait(0) is Phase.CONNECTED
    refuse_to_activate(mock, OWN.name)
    table.monitor.join("Elsewhere", "wrong password")
    table.wait(10)
    assert table.wait(3000) is not Phase.JOINING
    assert "Elsewhere" not in mock.list_connections()
    assert table.monitor.read_status().problem.startswith("Elsewhere could not be joined.")


def test_an_unused_own_network_closes_to_look_again(mock, open_table):
    open_table.monitor.has_visitors = lambda: True
    assert open_table.wait(RETRY_AFTER_MS) is Phase.OPEN
    open_table.monitor.has_visitors = lambda: False
    assert open_table.wait(RETRY_AFTER_MS) is Phase.SEARCHING
    assert mock.list_active() == []


def test_a_missing_network_manager_is_reported_once(monkeypatch, caplog):
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent")
    table = Table()
    for _ in range(3):
        table.wait(3000)
    assert len(table.reports) == len(caplog.records) == 1
    assert table.reports[0][1].startswith("NetworkManager does not answer")


def test_the_thread_joins_and_closes_at_its_end(mock, table):
    table.monitor.start()
    table.monitor.join("Home", "home password")
    wait_until(lambda: mock.list_active() == ["Home"])
    table.monitor.close()
    table.monitor.close()


def test_name_and_password_are_chosen_once_and_private(tmp_path):
    path = tmp_path / "journal.wifi"
    first = load_credentials(path)
    assert load_credentials(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_text(json.dumps({"name": "Board", "password": "short"}))
    assert load_credentials(path) != ("Board", "short")


def test_a_table_has_the_page_only_if_set(mock, tmp_path):
    for hotspot, code in (("off", 404), ("on", 200)):
        settings = Settings(port=0, host="127.0.0.1", hotspot=hotspot)
        options = LaunchOptions(journal=tmp_path / "journal.sqlite3", settings=settings, plugins=(PLUGIN,))
        with closing(Program(options)) as program:
            url = f"{program.addresses[0]}wifi"
            with closing(http.client.HTTPConnection("127.0.0.1", program.serving.port, timeout=PATIENCE_S)) as line:
                line.request("GET", url)
                assert line.getresponse().status == code
            if hotspot == "on":
                wait_until(lambda: "wifi" in program.table.snapshot.devices)
        assert (tmp_path / "journal.wifi").exists() == (hotspot == "on")
