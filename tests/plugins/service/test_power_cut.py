"""A power cut at any moment of an installation or an update: a complete version starts, and the next step works."""

import random
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from companion.common.errors import CompanionError
from companion.plugins.service import installer, launcher

from .test_installer import ROOT, FakeMachine

PROGRAM = "#!/bin/sh\necho {version} runs: $@\n"
ENABLED = "etc/systemd/system/multi-user.target.wants/companion.service"


class PowerCut(BaseException):
    """The power is gone: nothing of the program goes on."""


class VolatileMachine(FakeMachine):
    """A machine whose disk has, after a power cut, only what was synced.

    A change of a name or a link may be lost, and a new file may be empty. Without `chance` that is the worst for an
    installation, as on ext4: names and links are there and what is in the files is not. `cut_at` is the number of the
    step before which the power goes.
    """

    def __init__(self, root, chance=None):
        root.mkdir(exist_ok=True)
        super().__init__(root)
        self.steps, self.cut_at, self.chance, self.kept = 0, None, chance, self.files()

    def step(self):
        self.steps += 1
        if self.steps == self.cut_at:
            raise PowerCut

    def run(self, *command):
        self.step()
        said = super().run(*command)
        if command[1:2] == ("install",):
            folder = Path(command[0]).parents[1]
            (folder / "bin/companion").write_text(PROGRAM.format(version=folder.name))
            (folder / "bin/companion").chmod(0o755)
            (folder / "lib").mkdir(exist_ok=True)
            (folder / "lib/rules.py").write_text("MAX_COUNT = 31\n")
        if command[:2] == ("systemctl", "enable"):
            link = self.root / ENABLED
            link.parent.mkdir(parents=True, exist_ok=True)
            link.unlink(missing_ok=True)
            link.symlink_to("/etc/systemd/system/companion.service")
        if command[0] == "useradd":  # it syncs its files itself
            self.kept = {**self.kept, **{path: each for path, each in self.files().items() if path.name == "passwd"}}
        self.step()
        return said

    def sync(self):
        self.step()
        self.kept = self.files()
        self.step()

    def files(self):
        """Return each file and link below the root: its number and mode, and its content or target."""
        found = (path for path in self.root.rglob("*") if path.is_symlink() or path.is_file())
        return {path: self.describe(path) for path in found}

    @staticmethod
    def describe(path):
        if path.is_symlink():
            return (0, 0, str(path.readlink()))
        return (path.stat().st_ino, path.stat().st_mode, path.read_bytes())

    def lose_power(self):
        now = self.files()
        on_disk = set(self.kept.values())  # a synced file may have got another name since
        for path in sorted({*now, *self.kept}):
            old, new = self.kept.get(path), now.get(path)
            if old == new:
                continue
            if self.chance and self.chance.random() < 0.5:
                self.put(path, old)
            elif new and new not in on_disk and isinstance(new[2], bytes):
                path.write_bytes(b"")
        self.cut_at, self.kept = None, self.files()

    @staticmethod
    def put(path, what):
        path.unlink(missing_ok=True)
        if what is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(what[2], str):
            path.symlink_to(what[2])
        else:
            path.write_bytes(what[2])
            path.chmod(what[1])

    def launch(self):
        """What the service's program prints, as the unit starts it."""
        command = [self.root / "opt/companion/launch", "play"]
        return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def machine(tmp_path):
    return VolatileMachine(tmp_path)


def update(machine, cut_at):
    """Update with a cut before this step; return whether there was one."""
    machine.steps, machine.cut_at = 0, cut_at
    try:
        machine.installation().update(None)
    except PowerCut:
        machine.lose_power()
        return True
    return False


def test_a_complete_version_starts_after_any_cut(machine):
    machine.installation().install(ROOT)
    assert machine.launch().stdout == "v1 runs: play\n"
    cuts, ran = 0, set()
    while update(machine, cuts + 1):
        cuts += 1
        done = machine.launch()
        assert (done.returncode, done.stdout[-12:]) == (0, " runs: play\n"), (cuts, done)
        version = done.stdout.split()[0]
        assert not launcher.find_damage(machine.root / "opt/companion" / version)
        assert version == machine.runs() or f"Version {version} runs instead." in done.stderr
        ran.add(version)
        assert len(list((machine.root / "opt/companion").glob("v*"))) <= 5
    assert cuts > 20
    assert len(ran) > 2
    assert machine.launch().stdout.startswith(machine.runs())


@pytest.mark.parametrize("number", [30, pytest.param(100, marks=pytest.mark.long)])
def test_the_service_survives_many_random_cuts(tmp_path, number):
    chance = random.Random(25)
    machine = VolatileMachine(tmp_path, chance)
    machine.installation().install(ROOT)
    cuts, came_up = 0, Counter()
    while cuts < number:
        before = {path.name for path in (machine.root / "opt/companion").glob("v*")}
        if not update(machine, chance.randint(1, 60)):
            continue
        cuts += 1
        done = machine.launch()
        assert (done.returncode, done.stdout[-12:]) == (0, " runs: play\n"), (cuts, done)
        version = done.stdout.split()[0]
        assert not installer.check_manifest(machine.root / "opt/companion" / version), cuts
        assert f"version   {version}" in machine.installation().status(), cuts
        assert version == machine.runs() or f"Version {version} runs instead." in done.stderr
        came_up["new" if version not in before else "old"] += 1
        check_entry_points(machine)
        if chance.random() < 0.2 and (machine.root / "opt/companion/previous").exists():
            machine.installation().rollback()
    assert came_up.keys() == {"old", "new"}
    machine.installation().update(None)
    assert machine.launch().stdout.startswith(machine.runs())


def check_entry_points(machine):
    """Check that rules, settings, unit, command and its start at boot are whole, whatever version runs."""
    assert machine.text("etc/udev/rules.d/60-companion.rules") == installer.UDEV_RULES
    assert machine.text("etc/companion/companion.toml") == installer.DEFAULT_SETTINGS
    assert "ExecStart=/opt/companion/launch play" in machine.text("etc/systemd/system/companion.service")
    assert (machine.root / "usr/local/bin/companion").readlink() == Path("/opt/companion/launch")
    assert (machine.root / ENABLED).is_symlink()


@pytest.mark.parametrize("seed", range(5))
def test_a_cut_after_an_installation_loses_nothing(tmp_path, seed):
    machine = VolatileMachine(tmp_path, random.Random(seed))
    machine.installation().install(ROOT)
    machine.lose_power()
    assert machine.launch().stdout == "v1 runs: play\n"
    check_entry_points(machine)


@pytest.mark.parametrize("manifest_text", ["\0" * 200 + "\nend\n", "5 abc\nend\n", "x abc lib/rules.py\nend\n"])
def test_a_damaged_manifest_does_not_prevent_a_start(machine, manifest_text):
    machine.installation().install(ROOT)
    machine.installation().update(None)
    (machine.root / "opt/companion/v2/MANIFEST").write_text(manifest_text)
    done = machine.launch()
    assert (done.returncode, done.stdout) == (0, "v1 runs: play\n")
    assert "Version v2 is damaged: its manifest cannot be read.\n" in done.stderr
    assert machine.installation().status().splitlines()[3] == "version   v1 (v2 is damaged)"


def test_a_cut_first_installation_is_completed_later(tmp_path):
    for cut_at in range(1, 200):
        machine = VolatileMachine(tmp_path / str(cut_at))
        machine.cut_at = cut_at
        try:
            machine.installation().install(ROOT)
        except PowerCut:
            machine.lose_power()
            machine.installation().install(ROOT)
            assert machine.launch().stdout.endswith("runs: play\n"), cut_at
            check_entry_points(machine)
            continue
        break
    assert cut_at > 20


def test_a_damaged_version_is_never_rolled_back_to(machine):
    machine.installation().install(ROOT)
    for _ in range(3):
        machine.installation().update(None)
    (machine.root / "opt/companion/v3/bin/companion").write_bytes(b"")
    with pytest.raises(CompanionError, match=r"v3 is damaged: bin/companion has 0 bytes instead of \d+"):
        machine.installation().rollback()
    assert machine.runs() == "v4"
    machine.installation().update(None)
    assert machine.launch().stdout == "v5 runs: play\n"
    assert sorted(path.name for path in (machine.root / "opt/companion").glob("v*")) == ["v2", "v4", "v5"]


def test_a_changed_file_is_found_by_its_hash(machine):
    machine.installation().install(ROOT)
    folder = machine.root / "opt/companion/v1"
    (folder / "lib/rules.py").write_text("MAX_COUNT = 13\n")
    assert (launcher.find_damage(folder), installer.check_manifest(folder)) == ("", "lib/rules.py has changed")


def test_without_a_complete_version_the_command_is_named(machine):
    machine.installation().install(ROOT)
    (machine.root / "opt/companion/v1/MANIFEST").write_text("")
    done = machine.launch()
    assert done.returncode == 1
    assert "companion: Version v1 is damaged: its manifest is not complete.\n" in done.stderr
    assert "sudo python3 -m companion service install" in done.stderr


def test_a_manifest_that_cannot_be_written_changes_nothing(machine):
    machine.installation().install(ROOT)
    (machine.root / "opt/companion/v1/MANIFEST").unlink()

    def full():
        raise OSError(28, "No space left on device")

    machine.sync = full
    with pytest.raises(CompanionError, match=r"v1 cannot be written: No space left on device\. The version that runs"):
        machine.installation().update(None)
    assert machine.runs() == "v1"
    assert not (machine.root / "opt/companion/v2").exists()


def test_a_version_without_a_manifest_can_be_restored(machine):
    machine.installation().install(ROOT)
    (machine.root / "opt/companion/v1/MANIFEST").unlink()
    machine.installation().update(None)
    machine.installation().rollback()
    assert machine.launch().stdout == "v1 runs: play\n"
