"""The firmware on a simulated Pico: pins, Ctrl-C, failures; and its modules against the published types."""

import json
import shutil
import subprocess
import sys
from importlib.metadata import files
from itertools import pairwise
from pathlib import Path

import pytest

from firmware import wire
from firmware.wire import ButtonStates, Failed, Fault, Hello, Holes, ShownTexts
from tests.support.simulated_pico import Pico
from tests.support.waiting import PATIENCE_S

BOARD = {
    "board": "small",
    "chain": [f"h{n}" for n in range(9)] + [None, 1] + [f"h{n}" for n in range(9, 20)] + [0],
    "tiles": ["near", "far"],
}


@pytest.fixture
def start(monkeypatch, tmp_path):
    """Return a function that prepares a Pico with a board.json."""

    def prepare_pico(board, registers=1):
        (tmp_path / "board.json").write_text(json.dumps(board))
        return Pico(monkeypatch, tmp_path, registers)

    return prepare_pico


@pytest.fixture
def pico(start):
    made = start(BOARD, 3)
    made.chain.inputs[10] = 0  # the sentinel 1 is tied to ground
    return made


def test_the_first_bit_is_the_lowest(pico):
    registers = pico.program.ShiftRegisters(23)
    assert registers.read() == 1 << 10
    for bit in range(23):
        pico.chain.inputs[bit] = 0
        assert registers.read() == 1 << bit | 1 << 10
        pico.chain.inputs[bit] = int(bit != 10)


def test_every_pin_is_named(pico):
    pico.program.ShiftRegisters(20)
    assert pico.pins["spi"] == {"baudrate": 1_000_000, "polarity": 1, "phase": 0, "sck": 2, "mosi": 3, "miso": 4}
    assert pico.pins[4] == ("in", "pull-up")


def test_it_reports_the_holes_of_its_chain(pico):
    pico.chain.inputs[21] = 0
    hello, holes, *_ = pico.run_for(100)
    assert not pico.has_quit
    assert hello == Hello(2, 20, "0.1.0", "e661", "small", 0, "")
    assert (type(holes), holes.bits) == (Holes, 1 << 19)


def test_a_missing_cable_is_a_broken_chain(pico):
    pico.chain.inputs = [1] * 24  # nothing drives the data line but its pull-up
    assert [type(message) for message in pico.run_for(100)] == [Hello, Fault]


def test_ctrl_c_is_data_for_a_companion(pico):
    said = {100: wire.ASK + b"\x03\n", 200: b"", 30_000: wire.HERE, 31_000: wire.BYE}
    seen = {}

    def also(now_ms):
        pico.send_data(said.get(now_ms, b""))
        seen[now_ms] = list(pico.kbd_intr)

    pico.run_for(32_000, also)
    assert seen[99] == []
    assert seen[200] == [-1]
    assert seen[25_000] == [-1]
    assert seen[25_300] == [-1, 3]
    assert seen[30_500] == [-1, 3, -1]
    assert seen[31_500] == [-1, 3, -1, 3]


def test_quit_restores_ctrl_c_and_watchdog(pico):
    pico.run_for(5000, lambda now_ms: pico.send_data(b"?\nquit\n" if now_ms == 1000 else b""))
    assert pico.has_quit
    assert pico.now_ms < 1100
    assert pico.kbd_intr[-1] == 3
    assert pico.memory == {0x40058000 + 0x3000: 1 << 30}


def test_ctrl_c_stops_the_watchdog_too(pico):
    def ctrl_c(now_ms):
        if now_ms > 100:
            raise KeyboardInterrupt

    pico.script = ctrl_c
    with pytest.raises(KeyboardInterrupt):
        pico.run()
    assert pico.memory == {0x40058000 + 0x3000: 1 << 30}


def test_after_a_failure_the_program_restarts(pico):
    whole = pico.chain.readinto

    def fails(octets):
        if pico.now_ms == 200:
            pico.now_ms += 1
            raise OSError(5, "bus")
        whole(octets)

    pico.chain.readinto = fails
    told = pico.run_for(3000)
    failed = next(each for each in told if isinstance(each, Failed))
    assert failed.why == "OSError: [Errno 5] bus"
    after = told[told.index(failed) + 1 :]
    assert isinstance(after[0], Hello)
    assert after[1].number == 0


@pytest.mark.parametrize("given", [None, "{", "[]", "{}", '{"chain": ["a", "a"]}'])
def test_an_invalid_board_json_is_reported_each_second(pico, tmp_path, given):
    (tmp_path / "board.json").unlink()
    if given:
        (tmp_path / "board.json").write_text(given)

    def also(now_ms):
        if now_ms == 3500:
            (tmp_path / "board.json").write_text(json.dumps(BOARD))

    told = pico.run_for(5000, also)
    assert [type(each) for each in told[:4]] == [Failed] * 4
    assert "JSON" not in told[0].why
    assert "run companion flash" in told[0].why
    assert all(isinstance(each, Hello | Holes) for each in told[4:])
    assert told[4:]


def test_it_quits_also_while_it_fails(pico, tmp_path):
    (tmp_path / "board.json").unlink()
    pico.run_for(5000, lambda now_ms: pico.send_data(b"quit\n" if now_ms == 1500 else b""))
    assert pico.has_quit
    assert pico.now_ms < 1600


def test_much_that_arrives_at_once_delays_no_scan(pico):
    scans = pico.record_scans()
    pico.run_for(500, lambda now_ms: pico.send_data(b"x" * 5000 if now_ms == 200 else b""))
    assert max(after - before for before, after in pairwise(scans)) <= 5


PANEL = {"chain": ["a", "b"], "buttons": {"undo": 11, "dice": 10, "go:0": 12}, "buzzer": 15, "display": 22}


def run(pico, ms, at):
    return pico.run_for(ms, lambda now_ms: at.get(now_ms, bool)())


def test_a_grounded_button_is_its_press(start):
    pico = start(PANEL)
    at = {200: lambda: pico.grounded.add(12), 300: lambda: pico.grounded.discard(12)}
    told = run(pico, 1500, at)
    assert [pico.pins[pin] for pin in (10, 11, 12)] == [("in", "pull-up")] * 3
    states = [each for each in told if isinstance(each, ButtonStates)]
    assert states[0].buttons == (("dice", 0, False), ("go:0", 0, False), ("undo", 0, False))
    assert (("dice", 0, False), ("go:0", 1, True), ("undo", 0, False)) in [each.buttons for each in states]
    assert states[-1].buttons == (("dice", 0, False), ("go:0", 1, False), ("undo", 0, False))


def test_a_tune_is_heard_at_the_buzzers_pin(start):
    pico = start(PANEL)
    run(pico, 400, {100: lambda: pico.send_data(wire.encode_tune([(659, 70), (880, 90)]))})
    (_, silent), (first_ms, first), (second_ms, second), (end_ms, end) = pico.tones
    assert (silent, first, second, end) == (0, 659, 880, 0)
    assert 70 <= second_ms - first_ms <= 72
    assert 90 <= end_ms - second_ms <= 92


def test_the_display_at_its_bus_delays_no_scan(start):
    pico = start(PANEL)
    scans = pico.record_scans()
    told = run(pico, 1200, {100: lambda: pico.send_data(wire.encode_text_row(0, 2, "21    34"))})
    assert pico.bus.ids == (1, 22, 23)
    assert max(after - before for before, after in pairwise(scans)) <= 5
    assert [each for each in told if isinstance(each, ShownTexts)]
    assert sum(data[0] == 0x40 for data in pico.bus.written) >= 64 + 16


def test_a_missing_display_stops_nothing(start):
    pico = start(PANEL)
    pico.bus.answers = False
    told = run(pico, 2500, {})
    assert not [each for each in told if isinstance(each, ShownTexts | Failed)]
    assert [each for each in told if isinstance(each, ButtonStates)]


def test_a_button_that_is_held_at_the_start_is_no_press(start):
    pico = start(PANEL)
    pico.grounded.add(12)
    states = [each.buttons for each in run(pico, 1500, {}) if isinstance(each, ButtonStates)]
    assert set(states) == {(("dice", 0, False), ("go:0", 0, True), ("undo", 0, False))}


@pytest.mark.parametrize(("part", "pins"), [("buttons", {"undo": 11, "dice": 40}), ("buzzer", 40), ("display", 40)])
def test_a_wrong_pin_is_told_once_and_the_pegs_are_read(start, part, pins):
    pico = start({**PANEL, part: pins})
    pico.chain.inputs[0] = 0
    told = run(pico, 3000, {100: lambda: pico.send_data(wire.ASK)})
    (failed,) = (each.why for each in told if isinstance(each, Failed))
    assert failed.startswith(f"no {'button dice' if part == 'buttons' else part} at 40: invalid pin")
    assert {each.bits for each in told if isinstance(each, Holes)} == {1}
    states = [each for each in told if isinstance(each, ButtonStates)]
    assert [name for name, *_ in states[-1].buttons] == (["undo"] if part == "buttons" else ["dice", "go:0", "undo"])


@pytest.mark.parametrize("part", ["buttons", "buzzer", "display"])
def test_each_part_may_be_the_only_one(start, part):
    pico = start({"chain": ["a"], part: PANEL[part]})
    told = run(pico, 300, {})
    assert not [each for each in told if isinstance(each, Failed)]
    assert bool([each for each in told if isinstance(each, ButtonStates)]) == (part == "buttons")


def test_without_parts_no_pin_is_touched(start):
    pico = start({"chain": ["a"]})
    run(pico, 300, {})
    assert set(pico.pins) == {2, 3, 4, 5, "spi"}
    assert not pico.bus.written


BOARDS = Path(__file__).parents[3] / "firmware/boards"


@pytest.fixture
def checked(tmp_path):
    """Return mypy's errors in a file. The stubs have a folder of their own, as they hide Python's `time` and others."""
    for file in files("micropython-rp2-stubs") + files("micropython-stdlib-stubs"):
        if file.parts[0] in ("machine.pyi", "micropython.pyi", "framebuf.pyi", "rp2", "_mpy_shed", "vfs.pyi"):
            place = tmp_path / "types" / file
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file.locate(), place)

    def check(*paths):
        command = [sys.executable, "-m", "mypy", "--config-file=", "--explicit-package-bases"]
        command += ["--follow-imports=silent", "--disable-error-code=name-defined", f"--cache-dir={tmp_path / 'cache'}"]
        around = {"MYPYPATH": str(tmp_path / "types"), "PATH": ""}
        done = subprocess.run(
            [*command, *map(str, paths)], cwd=BOARDS.parents[1], env=around, capture_output=True, text=True,
            timeout=PATIENCE_S, check=False,
        )  # fmt: skip
        return [line for line in done.stdout.splitlines() if line.startswith(("firmware/", str(tmp_path / "own")))]

    return check


def test_parts_are_used_as_micropython_has_them(checked, tmp_path):
    assert checked(*sorted(BOARDS.glob("*.py"))) == []
    wrong = (BOARDS / "pico.py").read_text().replace("baudrate=SPI_HZ", "speed=SPI_HZ").replace("PULL_UP", "PULLUP")
    (tmp_path / "own.py").write_text(wrong)
    said = "\n".join(checked(tmp_path / "own.py"))
    assert '"PULLUP"' in said
    assert "SPI" in said
