"""The installer on a machine that is a folder: each step works, can be repeated and loses nothing."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.common.errors import CompanionError
from companion.plugins.service import installer
from companion.plugins.service import service_command as service
from companion.plugins.service.installer import HostMachine, Installer

ROOT = Path(__file__).parents[3]


class FakeMachine:
    """A Debian machine below a folder. It records commands; those that start with `fails` fail."""

    def __init__(self, root):
        self.root, self.ran, self.said, self.fails, self.well = root, [], [], (), [True]
        self.free_bytes = 10**9
        (root / "etc").mkdir()
        (root / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\n")
        (root / "etc/group").write_text("root:x:0:\ndialout:x:20:\nvideo:x:44:\nspi:x:999:\n")

    def run(self, *command):
        line = " ".join(command)
        self.ran.append(line)
        if self.fails and line.startswith(self.fails):
            raise CompanionError(f"{command[0]} failed: no room")
        if command[0] == "useradd":
            with (self.root / "etc/passwd").open("a") as out:
                out.write(f"{command[-1]}:x:990:990::/var/lib/companion:/usr/sbin/nologin\n")
        if command[1:3] == ("-m", "venv"):
            (Path(command[-1]) / "bin").mkdir(parents=True)
        if command[1:2] == ("install",):
            Path(command[0]).with_name("companion").write_text("#!/bin/sh\necho it runs\n")
        if command[:2] == ("systemctl", "show"):
            since = "Sun 2026-11-22 12:00:00 UTC"
            return f"ActiveState=active\nSubState=running\nNRestarts=2\nActiveEnterTimestamp={since}\n"
        return ""

    def installation(self, uid=0):
        answers = lambda _: self.well.pop(0) if len(self.well) > 1 else self.well[0]  # noqa: E731
        machine = HostMachine(self.root, uid, self.run, answers, self.sync, lambda _: self.free_bytes)
        return Installer(machine, self.said.append)

    def sync(self):
        """Wait until everything is on the disk, which a folder of a test does not need."""

    def runs(self):
        """Return the version that is linked as current."""
        return (self.root / "opt/companion/current").readlink().name

    def text(self, name):
        return (self.root / name).read_text()


@pytest.fixture
def machine(tmp_path):
    return FakeMachine(tmp_path)


def read_section(page, heading):
    return (ROOT / "docs" / page).read_text("utf-8").partition(heading)[2].partition("\n## ")[0]


def test_the_threats_page_names_all_roots_work(machine):
    machine.installation().install(ROOT, "pi")
    page = read_section("explanation/threats.md", "## What runs as root")
    files = read_section("how-to/run-as-a-service.md", "## Files and folders")
    assert "run-as-a-service.md#files-and-folders" in page
    assert {Path(line.split()[0]).name for line in machine.ran} == {"useradd", "python3", "pip", "udevadm", "systemctl"}
    for word in ("useradd", "python3 -m venv", "pip", "udevadm", "systemctl"):
        assert f"`{word}`" in page
    unit = "etc/systemd/system/companion.service"
    files = (ROOT / "docs/how-to/run-as-a-service.md").read_text().partition("## Files and folders")[2]
    for name in ("opt/companion", unit, "etc/udev/rules.d", "etc/companion", "usr/local/bin"):
        assert (machine.root / name).exists()
        assert f"`/{name}" in files


def test_an_installation_runs_exactly_these_commands(machine):
    machine.installation().install(ROOT, "pi")
    venv = machine.root / "opt/companion/v1"
    pip = f"{venv}/bin/pip install --quiet --disable-pip-version-check"
    assert machine.ran == [
        "useradd --system --home-dir /var/lib/companion --shell /usr/sbin/nologin --groups dialout,spi,video companion",
        f"python3 -m venv --system-site-packages {venv}",
        f"{pip} --require-hashes --requirement {ROOT}/requirements/base.txt --requirement {ROOT}/requirements/pi.txt",
        f"{pip} --no-build-isolation {ROOT}[pi]",
        "udevadm control --reload",
        "udevadm trigger",
        "systemctl daemon-reload",
        "systemctl enable companion",
        "systemctl restart companion",
    ]
    unit = machine.text("etc/systemd/system/companion.service")
    assert "User=companion\nSupplementaryGroups=dialout spi video\n" in unit
    assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in machine.text("etc/udev/rules.d/60-companion.rules")
    assert (machine.root / "usr/local/bin/companion").readlink() == Path("/opt/companion/launch")
    assert machine.runs() == "v1"


def test_installing_again_keeps_the_settings_and_the_user(machine):
    machine.installation().install(ROOT)
    (machine.root / "etc/companion/companion.toml").write_text("quiet_ms = 300\n")
    machine.installation().install(ROOT)
    assert machine.text("etc/companion/companion.toml") == "quiet_ms = 300\n"
    assert sum(line.startswith("useradd") for line in machine.ran) == 1
    assert machine.runs() == "v2"


@pytest.mark.parametrize("step", ["useradd", "python3 -m venv", "/", "systemctl daemon-reload", "systemctl restart"])
def test_a_broken_off_installation_is_completed_later(machine, step):
    machine.fails = str(machine.root / "opt") if step == "/" else step
    with pytest.raises(CompanionError, match="no room"):
        machine.installation().install(ROOT)
    machine.fails = ()
    machine.installation().install(ROOT)
    assert (machine.root / "opt/companion" / machine.runs() / "bin/companion").exists()
    assert machine.ran[-1] == "systemctl restart companion"


def test_a_machine_without_udev_is_reported_and_supported(machine):
    machine.fails = "udevadm"
    machine.installation().install(ROOT)
    assert any("udevadm" in line for line in machine.said)


def test_a_newer_version_can_be_rolled_back(machine):
    machine.installation().install(ROOT, "pi")
    machine.installation().update(None)
    assert machine.runs() == "v2"
    assert machine.ran[-3].endswith(f"{ROOT}[pi]")
    machine.installation().rollback()
    assert machine.runs() == "v1"
    machine.installation().rollback()
    assert machine.runs() == "v2"


def test_without_room_nothing_is_changed(machine):
    machine.free_bytes = 199_000_000
    needed = r"/opt/companion has 199 MB left; a version needs 200 MB\. Free some space"
    with pytest.raises(CompanionError, match=needed):
        machine.installation().install(ROOT)
    machine.free_bytes = 200_000_000
    machine.installation().install(ROOT)
    with (machine.root / "opt/companion/v1/camera.so").open("wb") as large:
        large.truncate(400_000_000)
    ran = list(machine.ran)
    with pytest.raises(CompanionError, match=r"has 200 MB left; a version needs 500 MB\. .* goes on, unchanged"):
        machine.installation().update(None)
    assert machine.ran == ran
    machine.free_bytes = 501_000_000
    (machine.root / "opt/companion/v1/camera.so").unlink()
    machine.installation().update(None)


def test_a_silent_newer_version_is_put_back(machine):
    machine.installation().install(ROOT)
    machine.well = [False, True]
    with pytest.raises(CompanionError, match=r"The previous version runs again, and no data is lost\."):
        machine.installation().update(None)
    assert machine.runs() == "v1"
    assert machine.ran[-1] == "systemctl restart companion"


def test_a_version_that_cannot_be_installed_changes_nothing(machine):
    machine.installation().install(ROOT)
    machine.fails = str(machine.root / "opt/companion/v2")
    with pytest.raises(CompanionError, match="no room"):
        machine.installation().update(None)
    assert machine.runs() == "v1"
    assert not (machine.root / "opt/companion/v2").exists()


def test_more_extras_are_installed_from_the_same_source_and_none_is_lost(machine):
    machine.installation().install(ROOT, "pi")
    for extras in ("mqtt, flash", "", "flash"):
        machine.installation().install(None, extras)
        assert machine.ran[-6].endswith(f"{ROOT}[pi,mqtt,flash]")
        assert machine.text("opt/companion/source") == f"{ROOT}\npi,mqtt,flash\n"


def test_a_mistyped_extra_is_refused_and_the_real_ones_are_pinned(machine):
    with pytest.raises(CompanionError, match=r"^There is no extra keybord\. Those that there are: camera, club, "):
        machine.installation().install(ROOT, "wifi,keybord")
    assert machine.ran == []
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(installer.EXTRAS) == set(extras) - {"dev", "hardware"}
    assert all((ROOT / f"requirements/{extra}.txt").exists() for extra in installer.EXTRAS)


def test_the_source_is_the_checkout_or_its_wheel(monkeypatch, tmp_path):
    assert service._find_source() == ROOT
    wheel, origin = tmp_path / "a wheel.whl", {}
    monkeypatch.setattr(service, "resource_folder", lambda _: tmp_path / "site-packages/firmware")
    monkeypatch.setattr(service, "distribution", lambda _: SimpleNamespace(read_text=lambda _: json.dumps(origin)))
    assert service._find_source() is None
    origin["url"] = wheel.as_uri()
    assert service._find_source() is None
    wheel.touch()
    assert service._find_source() == wheel
    origin["url"] = "https://example.org" + wheel.as_uri().removeprefix("file://")
    assert service._find_source() is None


def test_without_a_known_source_nothing_is_installed(machine):
    with pytest.raises(CompanionError, match=r"Pass one, or a wheel, with --from\.$"):
        machine.installation().install(None)
    assert machine.ran == []


def test_only_old_versions_are_removed(machine):
    machine.installation().install(ROOT)
    for _ in range(5):
        machine.installation().update(None)
    kept = sorted(path.name for path in (machine.root / "opt/companion").glob("v?"))
    assert kept == ["v4", "v5", "v6"]


def test_it_is_removed_and_what_was_played_stays(machine):
    machine.installation().install(ROOT)
    played = machine.root / "var/lib/companion/journal.sqlite3"
    played.parent.mkdir(parents=True)
    played.touch()
    machine.installation().remove()
    assert not machine.installation().is_installed
    assert not (machine.root / "opt/companion").exists()
    assert not (machine.root / "usr/local/bin/companion").is_symlink()
    assert played.exists()
    assert (machine.root / "etc/companion/companion.toml").exists()


def test_the_status_is_printed_in_lines(machine):
    machine.installation().install(ROOT)
    assert machine.installation(uid=1000).status().splitlines()[:4] == [
        "state     active (running)",
        "since     Sun 2026-11-22 12:00:00 UTC",
        "restarts  2",
        "version   v1",
    ]


@pytest.mark.parametrize("step", ["update", "rollback", "remove", "status"])
def test_without_a_service_each_step_says_so(machine, step):
    steps, given = machine.installation(), (None,) if step == "update" else ()
    told = r"^The service is not installed\. To install it, run companion service install\.$"
    with pytest.raises(CompanionError, match=told):
        getattr(steps, step)(*given)
    assert machine.ran == []


@pytest.mark.parametrize("step", ["install", "update", "rollback", "remove"])
def test_without_root_each_step_names_the_command(machine, step):
    given = {"install": (ROOT,), "update": (None,)}.get(step, ())
    with pytest.raises(CompanionError, match=f"companion service {step} needs root. Run the same command with sudo"):
        getattr(machine.installation(uid=1000), step)(*given)
    assert machine.ran == []


def test_impossible_rollbacks_and_sources_are_sentences(machine, tmp_path):
    with pytest.raises(CompanionError, match="is neither a checkout nor a wheel"):
        machine.installation().install(tmp_path)
    machine.installation().install(ROOT)
    with pytest.raises(CompanionError, match="There is no previous version"):
        machine.installation().rollback()


def test_a_wheel_brings_its_pinned_packages(machine, tmp_path):
    wheel, wheels = tmp_path / "companion-0.1.0.whl", tmp_path / "wheels"
    with zipfile.ZipFile(wheel, "w") as file:
        for name in ("base", "wifi", "club"):
            file.writestr(f"{installer.WHEEL_REQUIREMENTS}{name}.txt", f"pins of {name}")
    machine.installation().install(wheel, "wifi", wheels)
    folder = machine.root / "opt/companion/v1"
    pip = f"{folder}/bin/pip install --quiet --disable-pip-version-check --no-index --find-links {wheels}"
    files = f"--requirement {folder}/requirements/base.txt --requirement {folder}/requirements/wifi.txt"
    assert f"{pip} --require-hashes {files}" in machine.ran
    assert f"{pip} --no-build-isolation {wheel}[wifi]" in machine.ran
    assert (folder / "requirements/wifi.txt").read_text() == "pins of wifi"


def test_without_systemd_there_is_one_sentence_about_it():
    told = CliRunner().invoke(main, ["service", "status"])
    assert told.exit_code == 1
    assert told.stderr.count("\n") == 1
    assert told.stderr.startswith("companion: The service is not installed")


def test_a_failing_or_missing_command_is_a_sentence():
    assert installer.run_command("echo", "5H") == "5H\n"
    with pytest.raises(CompanionError, match=r"^sh -c .* failed: no room$"):
        installer.run_command("sh", "-c", "echo trying; echo no room >&2; exit 3")
    with pytest.raises(CompanionError, match="Cannot run no-such-command"):
        installer.run_command("no-such-command")


RETRYING = (
    "WARNING: Retrying (Retry(total={n}, connect=None)) after connection broken by 'NewConnectionError('<pip._vendor."
    "urllib3.connection.HTTPSConnection object>: Failed to establish a new connection: [Errno -3] Temporary failure in "
    "name resolution')': /simple/adafruit-blinka/\n"
)
NOT_FOUND = """\
ERROR: Could not find a version that satisfies the requirement adafruit-blinka==10.0.0 (from versions: none)
ERROR: No matching distribution found for adafruit-blinka==10.0.0
"""
FULL = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"
SLOW = (
    "ERROR: Could not install packages due to an OSError: "
    "HTTPSConnectionPool(host='files.pythonhosted.org', port=443): Read timed out.\n"
)
HINT = "HINT: You are facing an issue with connectivity. Try again later.\n"
NO_COMPILER = """\
      error: [Errno 2] No such file or directory: 'aarch64-linux-gnu-gcc'
  ERROR: Failed building wheel for evdev
error: failed-wheel-build-for-install
"""
NO_HEADERS = """\
      src/evdev/input.c:10:10: fatal error: Python.h: No such file or directory
ERROR: Failed to build installable wheels for some pyproject.toml based projects (evdev)
"""
NO_VENV = """\
The virtual environment was not created successfully because ensurepip is not
available. On Debian/Ubuntu systems, you need to install the python3-venv

Failing command: /opt/companion/v2/bin/python3
"""
MISSING = "a part of Debian is missing. Run sudo apt-get install {}, then the command again."
OFFLINE = "the packages could not be downloaded. Check the network, then run the command again."


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("".join(RETRYING.format(n=n) for n in (1, 0)) + NOT_FOUND, OFFLINE),
        (SLOW + HINT, OFFLINE),
        (NOT_FOUND, NOT_FOUND.splitlines()[0].removeprefix("ERROR: ")),
        (RETRYING.format(n=4) + FULL + "\n" + HINT, FULL.removeprefix("ERROR: ")),
        (NO_COMPILER, MISSING.format("gcc python3-dev")),
        (NO_HEADERS, MISSING.format("gcc python3-dev")),
        (NO_VENV, MISSING.format("python3-venv")),
    ],
    ids=[
        "no network",
        "a bad network",
        "a package that does not exist",
        "a full disk",
        "no gcc",
        "no headers",
        "no venv",
    ],
)
def test_an_update_without_its_packages_says_why(machine, tmp_path, output, reason):
    machine.installation().install(ROOT)
    printed, pip = tmp_path / "printed", tmp_path / "pip"
    printed.write_text(output)
    pip.write_text(f"#!/bin/sh\ncat {printed} >&2\nexit 1\n")
    pip.chmod(0o755)
    run = machine.run
    machine.run = lambda *words: installer.run_command(pip, *words[1:]) if words[0].endswith("/pip") else run(*words)
    with pytest.raises(CompanionError) as failed:
        machine.installation().update(None)
    unchanged = "The version that runs now goes on, unchanged."
    assert str(failed.value) == f"pip install failed: {reason.rstrip('.')}. {unchanged}"
    assert machine.runs() == "v1"
    assert not (machine.root / "opt/companion/v2").exists()
    assert not any(line.startswith("systemctl restart") for line in machine.ran[10:])


def can_leave_the_network():
    return os.geteuid() == 0 and subprocess.run(["unshare", "--net", "true"], check=False).returncode == 0


@pytest.mark.namespaces
@pytest.mark.skipif(not can_leave_the_network(), reason="root and unshare are needed to run pip without a network")
def test_pip_without_a_network_is_recognised(tmp_path):
    pip = [sys.executable, "-m", "pip", "install", "--isolated", "--no-cache-dir", "--quiet", "--retries", "1"]
    with pytest.raises(CompanionError, match=f"failed: {re.escape(OFFLINE)}$"):
        installer.run_command("unshare", "--net", *pip, "--target", str(tmp_path / "packages"), "click==8.1.8")


def verify_unit(tmp_path, text, *words):
    """Return what systemd-analyze says about a unit."""
    unit = tmp_path / "companion.service"
    unit.write_text(text.replace("/opt/companion/launch", "/bin/true"))
    return subprocess.run(["systemd-analyze", *words, unit], capture_output=True, text=True, check=False)


needs_systemd = pytest.mark.skipif(
    not Path("/usr/bin/systemd-analyze").exists(), reason="systemd-analyze is not installed"
)


@needs_systemd
@pytest.mark.parametrize(
    "text", [installer.format_unit(["dialout"]), installer.format_club_unit()], ids=["table", "club"]
)
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path, text):
    checked = verify_unit(tmp_path, text, "verify")
    assert (checked.returncode, checked.stderr) == (0, "")


@needs_systemd
def test_the_unit_grants_only_what_is_needed(tmp_path):
    words = ("security", "--offline=yes", "--json=short")
    checks = json.loads(verify_unit(tmp_path, installer.format_unit(["dialout"]), *words).stdout)
    needed = {
        "RestrictAddressFamilies_AF_INET_INET6", "RestrictAddressFamilies_AF_UNIX", "PrivateDevices", "DeviceAllow",
        "RestrictAddressFamilies_AF_NETLINK", "PrivateNetwork", "IPAddressDeny", "SupplementaryGroups",
    }  # fmt: skip
    left = {check["json_field"] for check in checks if check["set"] is False} - needed
    assert left <= {
        "RemoveIPC", "RootDirectoryOrRootImage", "PrivateMounts", "MemoryDenyWriteExecute", "ProcSubset",
        "SystemCallFilter_resources", "PrivateUsers",
    }  # fmt: skip
    fields = {check["json_field"]: check for check in checks}
    assert fields["ProtectClock"]["set"]
    devices = re.findall("^DeviceAllow=(char-.+) rw$", installer.format_unit(()), re.MULTILINE)
    assert len(devices) == 9
    assert all(f"{device}:rw" in fields["DeviceAllow"]["description"] for device in devices)


def test_a_club_has_a_service_of_its_own(machine):
    machine.installation().install(ROOT, "club")
    unit = machine.text("etc/systemd/system/companion-club.service")
    line = next(line for line in unit.splitlines() if line.startswith("ExecStart="))
    flags = {word for word in line.split() if word.startswith("--")}
    assert flags <= {name for option in main.get_command(click.Context(main), "club").params for name in option.opts}
    assert "StateDirectory=companion-club\n" in unit
    assert "User=companion\n" in unit
    assert any("requirements/club.txt" in line for line in machine.ran)
    machine.installation().update(None)
    assert "systemctl try-restart companion-club" in machine.ran
    machine.installation().remove()
    assert not (machine.root / "etc/systemd/system/companion-club.service").exists()
    machine.installation().install(ROOT, "mqtt")
    assert not (machine.root / "etc/systemd/system/companion-club.service").exists()
    assert any("requirements/mqtt.txt" in line for line in machine.ran)


POLKIT_STUB = """
let rule; const polkit = { addRule: (each) => (rule = each), Result: { YES: "yes" } };
RULES
const ask = (user, id) => rule({ id: "org.freedesktop." + id }, { user }) ?? "ask";
console.log(JSON.stringify([
  ...["network-control", "settings.modify.system", "wifi.share.protected", "wifi.scan"].map(
    (id) => ask("companion", "NetworkManager." + id)),
  ask("companion", "login1.power-off"), ask("companion", "NetworkManager.reload"),
  ask("companion", "systemd1.manage-units"), ask("guest", "NetworkManager.wifi.scan")]));
"""


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_the_service_may_shut_down_and_use_wifi(machine):
    rules = machine.root / "etc/polkit-1/rules.d/60-companion.rules"
    for extras, wifi in (("mqtt", "ask"), ("mqtt,wifi", "yes")):
        machine.installation().install(ROOT, extras)
        program = POLKIT_STUB.replace("RULES", rules.read_text())
        done = subprocess.run(["node", "-e", program], capture_output=True, text=True, check=True)
        assert json.loads(done.stdout) == [wifi] * 4 + ["yes"] + ["ask"] * 3
    assert any("requirements/wifi.txt" in line for line in machine.ran)
    machine.installation().remove()
    assert not rules.exists()


def test_a_slow_start_is_not_ended():
    """On a busy machine a start took longer than systemd's 90 s, and the next one was ended as well."""
    assert "\nTimeoutStartSec=5min\n" in installer.format_unit(())


def test_the_unit_runs_flags_that_the_command_has():
    line = next(line for line in installer.format_unit(()).splitlines() if line.startswith("ExecStart="))
    flags = [word for word in line.split() if word.startswith("--")]
    known = {name for option in main.get_command(click.Context(main), "play").params for name in option.opts}
    assert set(flags) <= known
    assert len(flags) == 2
