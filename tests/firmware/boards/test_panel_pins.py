"""Buttons, buzzer and display at the pins of a simulated Pico that `board.json` names."""

import json
from itertools import pairwise

import pytest

from firmware import wire
from firmware.wire import ButtonStates, Decoder, Failed, ShownTexts
from tests.support.simulated_pico import Pico, PowerOff

BOARD = {"chain": ["a", "b"], "buttons": {"undo": 11, "dice": 10, "go:0": 12}, "buzzer": 15, "display": 22}


def start(monkeypatch, folder, board=BOARD):
    (folder / "board.json").write_text(json.dumps(board))
    return Pico(monkeypatch, folder, registers=1)


def run(pico, ms, at):
    """Run for this time in ms, and call the functions of `at` at their moments. Returns the messages."""

    def script(now_ms):
        if now_ms in at:
            at[now_ms]()
        if now_ms >= ms:
            raise PowerOff

    pico.script = script
    pico.run()
    return Decoder().feed(pico.said)


def test_a_button_to_ground_is_a_press_of_its_name(monkeypatch, tmp_path):
    pico = start(monkeypatch, tmp_path)
    at = {200: lambda: pico.grounded.add(12), 300: lambda: pico.grounded.discard(12)}
    told = run(pico, 1500, at)
    assert [pico.pins[pin] for pin in (10, 11, 12)] == [("in", "pull-up")] * 3
    states = [each for each in told if isinstance(each, ButtonStates)]
    assert states[0].buttons == (("dice", 0, False), ("go:0", 0, False), ("undo", 0, False))
    assert (("dice", 0, False), ("go:0", 1, True), ("undo", 0, False)) in [each.buttons for each in states]
    assert states[-1].buttons == (("dice", 0, False), ("go:0", 1, False), ("undo", 0, False))


def test_a_tune_is_heard_at_the_buzzers_pin(monkeypatch, tmp_path):
    pico = start(monkeypatch, tmp_path)
    run(pico, 400, {100: lambda: pico.send_data(wire.encode_tune([(659, 70), (880, 90)]))})
    (_, silent), (first_ms, first), (second_ms, second), (end_ms, end) = pico.tones
    assert (silent, first, second, end) == (0, 659, 880, 0)
    assert 70 <= second_ms - first_ms <= 72
    assert 90 <= end_ms - second_ms <= 92


def test_the_display_is_at_the_bus_of_its_pin_and_delays_no_scan(monkeypatch, tmp_path):
    pico = start(monkeypatch, tmp_path)
    scans, whole = [], pico.chain.readinto
    pico.chain.readinto = lambda octets: (scans.append(pico.now_ms), whole(octets))
    told = run(pico, 1200, {100: lambda: pico.send_data(wire.encode_text_row(0, 2, "21    34"))})
    assert pico.bus.ids == (1, 22, 23)
    assert max(after - before for before, after in pairwise(scans)) <= 5
    assert [each for each in told if isinstance(each, ShownTexts)]
    assert sum(data[0] == 0x40 for data in pico.bus.written) >= 64 + 16


def test_a_missing_display_stops_nothing(monkeypatch, tmp_path):
    pico = start(monkeypatch, tmp_path)
    pico.bus.answers = False
    told = run(pico, 2500, {})
    assert not [each for each in told if isinstance(each, ShownTexts | Failed)]
    assert [each for each in told if isinstance(each, ButtonStates)]


@pytest.mark.parametrize("part", ["buttons", "buzzer", "display"])
def test_each_part_may_be_the_only_one(monkeypatch, tmp_path, part):
    pico = start(monkeypatch, tmp_path, {"chain": ["a"], part: BOARD[part]})
    told = run(pico, 300, {})
    assert not [each for each in told if isinstance(each, Failed)]
    assert bool([each for each in told if isinstance(each, ButtonStates)]) == (part == "buttons")


def test_a_board_without_parts_touches_no_pin_of_theirs(monkeypatch, tmp_path):
    pico = start(monkeypatch, tmp_path, {"chain": ["a"]})
    run(pico, 300, {})
    assert set(pico.pins) == {2, 3, 4, 5, "spi"}
    assert not pico.bus.written
