"""A power cut at any moment of an installation or an update: a complete version starts, and the next step works."""

import subprocess
from pathlib import Path

import pytest

from companion.common.errors import CompanionError
from companion.install import launcher, manifest

from .test_installer import ROOT, FakeMachine

PROGRAM = "#!/bin/sh\necho {version} runs: $@\n"


class PowerCut(BaseException):
    """The power is gone: nothing of the program goes on."""


class VolatileMachine(FakeMachine):
    """A machine whose disk forgets the content of files, but neither names nor links, if it was not synced.

    That is what a power cut leaves on ext4. `cut_at` is the number of the step before which the power goes.
    """

    def __init__(self, root):
        root.mkdir(exist_ok=True)
        super().__init__(root)
        self.steps, self.cut_at, self.kept = 0, None, {}

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
        self.step()
        return said

    def sync(self):
        self.step()
        self.kept = self.files()
        self.step()

    def files(self):
        every = (path for path in self.root.rglob("*") if path.is_file() and not path.is_symlink())
        return {path: path.read_bytes() for path in every}

    def lose_power(self):
        for path, content in self.files().items():
            if self.kept.get(path) != content:
                path.write_bytes(b"")
        self.cut_at = None

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


def test_after_a_cut_at_any_moment_of_an_update_a_complete_version_starts_and_says_which(machine):
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


def test_a_first_installation_that_was_cut_is_completed_by_the_next(tmp_path):
    for cut_at in range(1, 200):
        machine = VolatileMachine(tmp_path / str(cut_at))
        machine.cut_at = cut_at
        try:
            machine.installation().install(ROOT)
        except PowerCut:
            machine.lose_power()
            machine.installation().install(ROOT)
            assert machine.launch().stdout.endswith("runs: play\n"), cut_at
            continue
        break
    assert cut_at > 20


def test_a_damaged_version_is_not_gone_back_to_and_does_not_count_among_those_kept(machine):
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


def test_a_changed_file_of_the_same_size_is_found_by_its_hash(machine):
    machine.installation().install(ROOT)
    folder = machine.root / "opt/companion/v1"
    (folder / "lib/rules.py").write_text("MAX_COUNT = 13\n")
    assert (launcher.find_damage(folder), manifest.check_manifest(folder)) == ("", "lib/rules.py has changed")


def test_without_a_complete_version_it_says_what_to_type(machine):
    machine.installation().install(ROOT)
    (machine.root / "opt/companion/v1/MANIFEST").write_text("")
    done = machine.launch()
    assert done.returncode == 1
    assert "companion: Version v1 is damaged: its manifest is not complete.\n" in done.stderr
    assert "sudo python3 -m companion service install" in done.stderr


def test_a_manifest_that_cannot_be_written_is_a_sentence_and_changes_nothing(machine):
    machine.installation().install(ROOT)
    (machine.root / "opt/companion/v1/MANIFEST").unlink()

    def full():
        raise OSError(28, "No space left on device")

    machine.sync = full
    with pytest.raises(CompanionError, match=r"v1 cannot be written: No space left on device\. The version that runs"):
        machine.installation().update(None)
    assert machine.runs() == "v1"
    assert not (machine.root / "opt/companion/v2").exists()


def test_a_version_from_before_there_were_manifests_can_be_gone_back_to(machine):
    machine.installation().install(ROOT)
    (machine.root / "opt/companion/v1/MANIFEST").unlink()
    machine.installation().update(None)
    machine.installation().rollback()
    assert machine.launch().stdout == "v1 runs: play\n"
