"""The card that sets itself up: what cloud-init reads from it, and what its script does."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import pytest
import yaml

from companion.plugins.wifi.hotspot import OPEN_AFTER_MS
from companion.plugins.wifi.monitor import WifiCredentials, WifiMonitor
from companion.settings import read_settings
from tests.release.build import CARD_FILES, write_card

ROOT = Path(__file__).parents[2]
CARD = ROOT / "companion/plugins/service/card"
APT_STUB = """\
#!/bin/sh
case "$1 $*" in "update "*) ;; *python3-lgpio*) exit 1;; *) [ -z "${OFFLINE:-}" ];; esac
"""
PYTHON_STUB = """\
#!/bin/sh
if [ "$2" = zipfile ]; then mkdir -p "$5"; touch "$5/unpacked"; else pwd; echo "$@"; echo "${PYTHONPATH:-}"; fi
"""
DPKG_QUERY_STUB = """\
#!/bin/sh
[ -n "${COMPLETE:-}" ]
"""


@pytest.fixture(scope="module")
def user_data():
    return yaml.safe_load((CARD / "user-data").read_text("utf-8"))


@pytest.fixture
def written(user_data, tmp_path):
    """Write the files of user-data below a folder; return them by name."""
    files = {}
    for each in user_data["write_files"]:
        path = files[Path(each["path"]).name] = tmp_path / Path(each["path"]).name
        path.write_text(each["content"])
        path.chmod(int(each.get("permissions", "0644"), 8))
    return files


@pytest.fixture
def set_up(written, tmp_path):
    """Return a function that runs the script of the card with stand-ins for python3, apt-get and dpkg."""
    tools, card, kept = (tmp_path / name for name in ("tools", "card", "kept"))
    tools.mkdir()
    card.mkdir()
    stubs = {"python3": PYTHON_STUB, "apt-get": APT_STUB, "dpkg": "#!/bin/sh\n", "dpkg-query": DPKG_QUERY_STUB}
    for name, text in stubs.items():
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)

    def run(*wheels, offline="", complete=""):
        for each in wheels:
            (card / each).write_text(each)
        env = os.environ | {
            "PATH": f"{tools}:{os.environ['PATH']}",
            "CARD": f"{tmp_path}/none {card}",
            "KEPT": f"{kept}",
            "OFFLINE": offline,
            "COMPLETE": complete,
            "SETTINGS": f"{tmp_path}/etc/companion.toml",
        }
        return subprocess.run([written["cribbage-setup"]], env=env, capture_output=True, text=True, check=False)

    return run


def test_it_is_marked_as_cloud_config_and_names_the_machine(user_data):
    assert (CARD / "user-data").read_text("utf-8").startswith("#cloud-config\n")
    assert user_data["hostname"] == "cribbage"
    assert [each["name"] for each in user_data["users"]] == ["table"]
    assert user_data["users"][0]["lock_passwd"]
    assert not user_data["ssh_pwauth"]


def test_no_wizard_holds_up_the_first_start(user_data, tmp_path):
    """Raspberry Pi OS Lite: userconfig.service delays multi-user.target, and so cloud-final.service with `runcmd`."""
    (tmp_path / "systemctl").write_text(f"#!/bin/sh\necho $* >>{tmp_path}/asked\nexit 5\n")  # Debian has no such unit
    (tmp_path / "systemctl").chmod(0o755)
    for command in user_data["bootcmd"]:
        subprocess.run(command, env={"PATH": f"{tmp_path}:{os.environ['PATH']}"}, check=True)
    assert (tmp_path / "asked").read_text() == "mask --now userconfig.service\n"


def test_its_script_installs_the_service_from_the_wheel_and_may_be_repeated(set_up, tmp_path):
    wheel = "cribbage_companion-0.1.0-py3-none-any.whl"
    for _ in range(2):
        done = set_up(wheel)
        assert (done.returncode, done.stderr) == (0, "")
        folder, command, _ = done.stdout.splitlines()
        assert folder == f"{tmp_path}/kept/program"
        assert command == f"-m companion service install --from {tmp_path}/kept/{wheel} --extras wifi"
    assert (tmp_path / "kept" / wheel).exists()


def test_of_two_releases_on_the_card_the_newer_is_installed(set_up):
    done = set_up("cribbage_companion-0.9.0-py3-none-any.whl", "cribbage_companion-0.10.0-py3-none-any.whl")
    assert "/cribbage_companion-0.10.0-py3-none-any.whl --extras" in done.stdout


def test_without_debian_packages_it_fails_so_that_it_is_tried_again(set_up, tmp_path):
    done = set_up("cribbage_companion-0.1.0-py3-none-any.whl", offline="yes")
    assert (done.returncode, done.stdout) == (1, "")
    assert not (tmp_path / "kept").exists()  # or each of an hour's 120 tries would write the program


def test_a_32_bit_system_is_told_before_anything_is_written(set_up, tmp_path):
    (tmp_path / "tools/dpkg").write_text("#!/bin/sh\necho armhf\n")
    done = set_up("cribbage_companion-0.1.0-py3-none-any.whl")
    assert (done.returncode, done.stdout, "64-bit Raspberry Pi OS" in done.stderr) == (1, "", True)
    assert not (tmp_path / "etc").exists()


def test_cloud_init_installs_no_packages_because_it_would_try_only_once(user_data):
    assert not {"packages", "package_update", "package_upgrade"} & set(user_data)


def test_a_card_without_a_wheel_says_so_and_fails(set_up):
    done = set_up()
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "There is no cribbage_companion-*.whl on the card.\n"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
@pytest.mark.parametrize("name", ["cribbage-setup", "cribbage-link"])
def test_systemd_finds_nothing_wrong_with_its_units(written, name):
    unit = written[f"{name}.service"]
    unit.write_text(unit.read_text().replace(f"/usr/local/sbin/{name}", "/bin/true"))
    checked = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_its_unit_runs_until_it_has_succeeded(user_data, written):
    unit = written["cribbage-setup.service"].read_text()
    done = re.search(r"^ConditionPathExists=!(.*)$", unit, re.MULTILINE)[1]
    assert f"ExecStartPost=/usr/bin/touch {done}\n" in unit
    assert "Restart=on-failure\n" in unit
    assert ["systemctl", "enable", "cribbage-setup.service"] in user_data["runcmd"]


def test_only_its_settings_open_a_network(set_up, tmp_path):
    wheel, settings = "cribbage_companion-0.1.0-py3-none-any.whl", tmp_path / "etc/companion.toml"
    set_up(wheel)
    assert read_settings(settings).hotspot == "on"
    settings.write_text("quiet_ms = 500\n")
    set_up(wheel)
    assert settings.read_text() == "quiet_ms = 500\n"


def test_with_the_cards_wheels_it_needs_no_internet(set_up, tmp_path):
    wheels = tmp_path / "card/wheels"
    wheels.mkdir()
    (wheels / "click-8.5.1-py3-none-any.whl").touch()
    done = set_up("cribbage_companion-0.1.0-py3-none-any.whl", offline="yes", complete="yes")
    _, command, path = done.stdout.splitlines()
    assert (command.split()[-2:], path) == (["--wheels", str(wheels)], f"{wheels}/click-8.5.1-py3-none-any.whl")


def follow(written, tmp_path, *rows):
    """Run the script that keeps the link with a stand-in for journalctl, and return the lines of its file."""
    (tmp_path / "rows").write_text("\n".join(rows) + "\n")
    (tmp_path / "journalctl").write_text(f"#!/bin/sh\ncat {tmp_path}/rows\n")
    (tmp_path / "journalctl").chmod(0o755)
    env = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "CARD": str(tmp_path)}
    subprocess.run([written["cribbage-link"]], env=env, check=True)
    return (tmp_path / "cribbage-link.txt").read_text().splitlines()


def describe_own_network():
    """Return what the log says when the table's own network opens."""
    manager = SimpleNamespace(is_connected=lambda: False, list_networks=tuple, open_hotspot=lambda *_: None)
    clock, said = iter((0, 0, OPEN_AFTER_MS)), []
    own = WifiCredentials("Cribbage-2xyz", "secret")
    page = "http://10.42.0.1:8123/wifi"
    monitor = WifiMonitor(own, manager, lambda: next(clock), lambda _, say: said.append(str(say)), lambda: page)
    monitor.step()
    monitor.step()
    assert own.password in said[-1]
    return said[-1]


def test_the_link_is_kept_where_a_pc_reads_it(written, tmp_path):
    """The newest addresses that other machines reach, and how to join the table's own network."""
    first = ["watchers  http://10.0.0.2:8123/", "players   http://10.0.0.2:8123/join/K"]
    moved = ["watchers  http://10.0.0.9:8123/", "players   http://10.0.0.9:8123/join/K"]
    alone = [line.replace("10.0.0.2", "127.0.0.1") for line in first]
    assert follow(written, tmp_path, *alone, *first, "game      resumed") == first
    assert follow(written, tmp_path, *first, "network   the table has a new address", *moved) == moved
    assert follow(written, tmp_path, *moved, "network   lost", *alone) == moved
    file = tmp_path / "cribbage-link.txt"
    os.utime(file, (1, 1))
    follow(written, tmp_path, *moved)
    assert file.stat().st_mtime == 1
    own = describe_own_network()
    assert follow(written, tmp_path, *alone, own) == [own]
    assert follow(written, tmp_path, *alone, own, *moved) == [*moved, own]


def test_its_network_is_a_cable_and_with_the_marks_removed_a_wifi():
    text = (CARD / "network-config").read_text("utf-8")
    assert set(yaml.safe_load(text)["network"]) == {"version", "renderer", "ethernets"}
    with_wifi = yaml.safe_load(re.sub(r"^#  ", "  ", text, flags=re.MULTILINE))["network"]
    assert with_wifi["wifis"]["wlan0"]["access-points"] == {"the name": {"password": "the password"}}


def read_requirements(name):
    return (ROOT / f"requirements/{name}.txt").read_text("utf-8")


def test_a_release_has_the_card_with_the_wheel(tmp_path):
    (tmp_path / "cribbage_companion-0.1.0-py3-none-any.whl").write_text("a wheel")
    write_card(tmp_path)
    names = {path.name for path in (tmp_path / "card").iterdir()}
    assert names == {*CARD_FILES, "cribbage_companion-0.1.0-py3-none-any.whl", "wheels"}
    pinned = re.findall(r"^([\w-]+)==", "".join(read_requirements(name) for name in ("base", "wifi")), re.MULTILINE)
    wheels = {path.name.partition("-")[0].lower().replace("_", "-") for path in (tmp_path / "card/wheels").iterdir()}
    assert wheels == set(pinned)


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("apt-get"), reason="downloads Debian's package cloud-init")
def test_cloud_init_knows_every_word_of_it(user_data, tmp_path):
    fetched = subprocess.run(["apt-get", "download", "cloud-init"], cwd=tmp_path, capture_output=True, check=False)
    if fetched.returncode:
        pytest.skip("Debian's package cloud-init could not be downloaded: apt-get update")
    (package,) = tmp_path.glob("cloud-init*.deb")
    subprocess.run(["dpkg-deb", "-x", package, tmp_path / "package"], check=True)
    (path,) = (tmp_path / "package").rglob("schema-cloud-config-v1.json")
    schema = json.loads(path.read_text("utf-8"))
    jsonschema.Draft4Validator(schema).validate(user_data)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(schema).validate(user_data | {"packages": 5})
