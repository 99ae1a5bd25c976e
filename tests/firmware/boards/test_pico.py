"""The firmware on a simulated Pico: the order of the holes, when Ctrl-C is data, and failures."""

import json
from itertools import pairwise

import pytest

from firmware import wire
from firmware.wire import Decoder, Failed, Fault, Hello, Holes
from tests.support.simulated_pico import Pico, PowerOff

BOARD = {
    "board": "small",
    "chain": [f"h{n}" for n in range(9)] + [None, 1] + [f"h{n}" for n in range(9, 20)] + [0],
    "tiles": ["near", "far"],
}


@pytest.fixture
def pico(monkeypatch, tmp_path):
    (tmp_path / "board.json").write_text(json.dumps(BOARD))
    made = Pico(monkeypatch, tmp_path)
    made.chain.inputs[10] = 0  # the sentinel 1 is tied to ground
    return made


def until(ms, also=lambda now_ms: None):
    """A script that ends the run then."""

    def script(now_ms):
        also(now_ms)
        if now_ms >= ms:
            raise PowerOff

    return script


def heard(pico):
    return Decoder().feed(pico.said)


def test_the_bit_that_is_clocked_in_first_is_the_lowest_and_a_contact_at_ground_a_one(pico):
    registers = pico.program.ShiftRegisters(23)
    assert registers.read() == 1 << 10
    for bit in range(23):
        pico.chain.inputs[bit] = 0
        assert registers.read() == 1 << bit | 1 << 10
        pico.chain.inputs[bit] = int(bit != 10)


def test_every_pin_is_named_and_the_data_has_a_pull_up(pico):
    pico.program.ShiftRegisters(20)
    assert pico.pins["spi"] == {"baudrate": 1_000_000, "polarity": 1, "phase": 0, "sck": 2, "mosi": 3, "miso": 4}
    assert pico.pins[4] == ("in", "pull-up")


def test_it_reads_its_board_json_and_reports_the_holes_of_its_chain(pico):
    pico.chain.inputs[21] = 0
    pico.script = until(100)
    assert not pico.run()
    hello, holes, *_ = heard(pico)
    assert hello == Hello(2, 20, "0.1.0", "e661", "small", 0, "")
    assert (type(holes), holes.bits) == (Holes, 1 << 19)


def test_a_cable_that_is_out_is_a_broken_chain_and_no_peg(pico):
    pico.chain.inputs = [1] * 24  # nothing drives the data line but its pull-up
    pico.script = until(100)
    pico.run()
    assert [type(each) for each in heard(pico)] == [Hello, Fault]


def test_ctrl_c_is_data_only_while_a_companion_is_there(pico):
    said = {100: wire.ASK + b"\x03\n", 200: b"", 30_000: wire.HERE, 31_000: wire.BYE}
    seen = {}

    def also(now_ms):
        pico.send_data(said.get(now_ms, b""))
        seen[now_ms] = list(pico.kbd_intr)

    pico.script = until(32_000, also)
    pico.run()
    assert seen[99] == []
    assert seen[200] == [-1]
    assert seen[25_000] == [-1]
    assert seen[25_300] == [-1, 3]
    assert seen[30_500] == [-1, 3, -1]
    assert seen[31_500] == [-1, 3, -1, 3]


def test_the_word_quit_ends_it_with_ctrl_c_and_watchdog_as_they_were(pico):
    pico.script = until(5000, lambda now_ms: pico.send_data(b"?\nquit\n" if now_ms == 1000 else b""))
    assert pico.run()
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


def test_a_failure_is_reported_and_the_program_starts_again(pico):
    whole = pico.chain.readinto

    def fails(octets):
        if pico.now_ms == 200:
            pico.now_ms += 1
            raise OSError(5, "bus")
        whole(octets)

    pico.chain.readinto = fails
    pico.script = until(3000)
    pico.run()
    told = heard(pico)
    failed = next(each for each in told if isinstance(each, Failed))
    assert failed.why == "OSError: [Errno 5] bus"
    after = told[told.index(failed) + 1 :]
    assert isinstance(after[0], Hello)
    assert after[1].number == 0


@pytest.mark.parametrize("given", [None, "{", "[]", "{}", '{"chain": ["a", "a"]}'])
def test_a_missing_or_invalid_board_json_is_reported_each_second_until_it_is_corrected(pico, tmp_path, given):
    (tmp_path / "board.json").unlink()
    if given:
        (tmp_path / "board.json").write_text(given)

    def also(now_ms):
        if now_ms == 3500:
            (tmp_path / "board.json").write_text(json.dumps(BOARD))

    pico.script = until(5000, also)
    pico.run()
    told = heard(pico)
    assert [type(each) for each in told[:4]] == [Failed] * 4
    assert all(isinstance(each, Hello | Holes) for each in told[4:])
    assert heard(pico)[4:]


def test_it_can_be_asked_to_quit_while_it_fails(pico, tmp_path):
    (tmp_path / "board.json").unlink()
    pico.script = until(5000, lambda now_ms: pico.send_data(b"quit\n" if now_ms == 1500 else b""))
    assert pico.run()
    assert pico.now_ms < 1600


def test_much_that_arrives_at_once_delays_no_scan(pico):
    scans = []
    whole = pico.chain.readinto
    pico.chain.readinto = lambda octets: (scans.append(pico.now_ms), whole(octets))
    pico.script = until(500, lambda now_ms: pico.send_data(b"x" * 5000 if now_ms == 200 else b""))
    pico.run()
    assert max(after - before for before, after in pairwise(scans)) <= 5
