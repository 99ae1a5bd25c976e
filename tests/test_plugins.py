"""Plugins: a stranger's is loaded like a bundled one, a faulty one is named, and the core needs none."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import click
import pytest

from companion.plugin import InstalledPlugin, find_plugins, load_plugins
from companion.plugins.doctor.checks import check_plugins
from companion.plugins.doctor.machine import this_machine
from companion.settings import Settings

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/how-to/write-a-plugin.md"
BUNDLED = {
    "arena", "cards", "club", "doctor", "drawing", "mqtt", "peg_photos", "remote", "service", "wifi",
    "wiring_wizard",
}  # fmt: skip
USES_CORE_ONLY = """
import sys
from companion.cli import main
from companion.plugin import load_plugins
assert load_plugins() == (), load_plugins()
from tests.support.table_driver import Hands
hands = Hands("six-card")
for code in ("JD", "TH", "5H"):
    hands.scan(code)
hands.peg("red-start-2", "red-4")
hands.rest()
from companion.display.lights import paint_frame
assert any(max(colour) for colour in paint_frame(hands.core.plan.board, hands.snapshot, hands.ms))
assert (hands.snapshot.view["scores"], hands.snapshot.dues) == ([4, 0], ()), hands.snapshot.view["scores"]
from companion.app.program import Program
from companion.app.launch import LaunchOptions
from pathlib import Path
from urllib.request import urlopen
from companion.settings import Settings
program = Program(LaunchOptions(journal=Path(sys.argv[1]), settings=Settings(port=0, host="127.0.0.1")))
with urlopen(program.addresses[0] + "api/state") as answer:
    assert answer.status == 200
program.close()
assert not [name for name in sys.modules if name.startswith("companion.plugins")]
print("done")
"""


def test_the_bundled_plugins_are_found():
    """Each is one object with its name, and none of them has a fault."""
    assert {plugin.name for plugin in load_plugins()} == BUNDLED, "pip install --no-deps --no-build-isolation -e ."
    assert [plugin.fault for plugin in find_plugins() if plugin.fault] == []


def test_an_uninstalled_checkout_has_its_plugins(tmp_path):
    """`sudo python3 -m companion service install` runs in a clone with Debian's Click and no other package."""
    (tmp_path / "click").symlink_to(Path(click.__file__).parent)
    env = {"PYTHONPATH": f"{ROOT}:{tmp_path}", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-S", "-m", "companion", "service", "install", "--help"]
    done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "--extras" in done.stdout


def test_a_plugin_imports_little():
    """Finding all plugins imports none of the modules in which they do their work."""
    script = "import sys; from companion.plugin import load_plugins as f; f(); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    heavy = {"flask", "paho", "numpy", "cv2", "sqlite3", "waitress", "companion.plugins.club.app"}
    assert heavy.isdisjoint(run.stdout.split())


@pytest.fixture
def stranger(tmp_path):
    """Return the environment of a program beside which the plugin of the page is installed."""
    text = PAGE.read_text("utf-8")
    module, project = re.search(r"```python\n(.*?)```", text, re.S), re.search(r"```toml\n(.*?)```", text, re.S)
    assert module
    assert project
    points = project.group(1).partition('[project.entry-points."companion.plugins"]')[2].strip().replace('"', "")
    (tmp_path / "chime.py").write_text(module.group(1), "utf-8")
    (tmp_path / "broken.py").write_text("raise OSError('no bell')")
    info = tmp_path / "companion_chime-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: companion-chime\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text(f"[companion.plugins]\n{points}\nbroken = broken:PLUGIN\n")
    return {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}


def run_command(env, *words):
    return subprocess.run(
        [sys.executable, "-m", "companion", *words], env=env, capture_output=True, text=True, check=False
    )


def test_the_plugin_of_the_page_works(stranger, tmp_path):
    """Its command runs, its settings are checked, doctor names it and the broken one, and its route answers."""
    assert run_command(stranger, "chime").stdout == "ding\n"
    refused = run_command(stranger, "play", "--set", "chime.strokes=13")
    assert (refused.returncode, "'chime.strokes' must be a whole number from 1 to 12" in refused.stderr) == (2, True)
    checks = json.loads(run_command(stranger, "doctor", "--json").stdout)["checks"]
    (plugins,) = [check for check in checks if check["name"] == "plugins"]
    assert checks[-1] == {"name": "chime", "ok": True, "say": "The bell rings 1 times.", "fix": ""}
    assert plugins["say"].startswith("broken cannot be loaded (OSError: no bell).")
    assert "--safe" in plugins["fix"]
    words = [sys.executable, "-m", "companion", "play", "--port", "0", "--host", "127.0.0.1"]
    words += ["--journal", str(tmp_path / "journal.sqlite3"), "--set", "chime.strokes=2"]
    with subprocess.Popen(words, env=stranger, stdout=subprocess.PIPE, text=True) as table:
        assert table.stdout
        address = table.stdout.readline().split()[-1]
        with urlopen(f"{address}api/chime") as answer:
            assert json.load(answer) == {"strokes": 0}
        table.terminate()
    assert table.returncode == 0


def test_doctor_names_plugins_and_faults():
    """A plugin that fails is named with its reason; without faults all are listed with their versions."""
    machine = this_machine(Settings(), ROOT / "none")
    good = InstalledPlugin(name="chime", version="1.2")
    broken = InstalledPlugin(name="bell", version="", fault="ImportError: no gong")
    for plugins, ok, say in (([good], True, "chime 1.2."), ([good, broken], False, "bell cannot be loaded")):
        object.__setattr__(machine, "find_plugins", lambda plugins=plugins: plugins)
        sentence, fix = check_plugins(machine)
        assert (not fix, sentence.startswith(say)) == (ok, True)


def test_the_core_plays_without_plugins(tmp_path):
    """A copy without `plugins/` plays a deal, scans, pegs, lights and serves, and imports none of them."""
    shutil.copytree(ROOT / "companion", tmp_path / "companion", ignore=shutil.ignore_patterns("plugins", "__pycache__"))
    for name in ("web", "hardware/boards", "firmware", "tests/support"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    words = [sys.executable, "-c", USES_CORE_ONLY, str(tmp_path / "journal.sqlite3")]
    run = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert (run.stdout, run.returncode) == ("done\n", 0), run.stderr
