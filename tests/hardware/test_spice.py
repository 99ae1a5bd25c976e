"""What ngspice computes of the stored boards: 5 V at the lowest light, and the clock at the last register."""

import re
from dataclasses import replace
from math import ceil
from pathlib import Path

import pytest

from companion.boards.catalog import load_board
from companion.plugins.drawing import bill_of_materials
from hardware.pcb import given
from hardware.pcb.boardfile import read
from hardware.pcb.circuit import LONG_CHAIN_HEADS, circuit
from hardware.pcb.laying import given as as_given
from hardware.spice import clock, supply
from hardware.spice.measure import (
    HYSTERESIS_V,
    LONG_CHAIN_OHM,
    LONGEST_CHAIN,
    LOOP_CHAIN,
    SMOOTH_OHM,
    SMOOTH_PF,
    find_clock_edge,
    find_lowest_voltage,
    find_lowest_voltage_of_feed,
)
from hardware.spice.run import SpiceError, has_ngspice, run_ngspice

ROOT = Path(__file__).parents[2]
BOARDS = ROOT / "hardware" / "pcb" / "boards"
TOLD = {told["name"]: told for told in given.all_told()}
LEAST_V = 4.3

needs_ngspice = pytest.mark.skipif(not has_ngspice(), reason="needs ngspice: sudo apt-get install ngspice")


def _drawn(name):
    return read((BOARDS / name / f"{name}.kicad_pcb").read_text("utf-8"))


def _clock_resistor(name):
    return circuit(as_given(TOLD[name]).pattern)["R1"].kind.value


@needs_ngspice
@pytest.mark.parametrize("name", given.STORED)
def test_each_light_has_4_3_v_with_all_lit_within_the_limit(name):
    light, volts = find_lowest_voltage(_drawn(name))
    assert LEAST_V <= volts < supply.SUPPLY_V, light


@needs_ngspice
def test_the_last_tile_of_a_pair_of_wires_of_classic_has_4_3_v_too():
    board = load_board("classic")
    (feeds,) = (row for row in bill_of_materials.list_parts(board) if row["part"] == "injection point")
    tiles = ceil(len(board.wiring.tiles) / int(feeds["quantity"]))
    light, volts = find_lowest_voltage_of_feed(_drawn("straight"), tiles, len(board.wiring.pixels))
    alone = find_lowest_voltage_of_feed(_drawn("straight"), 1, len(board.wiring.pixels))[1]
    assert LEAST_V <= volts < alone, light


@needs_ngspice
def test_thinner_copper_is_a_lower_voltage(monkeypatch):
    drawn = _drawn("end")
    sound = find_lowest_voltage(drawn)[1]
    monkeypatch.setattr(supply, "THICKNESS_MM", supply.THICKNESS_MM / 10)
    assert find_lowest_voltage(drawn)[1] < sound - 0.02


@needs_ngspice
def test_a_light_without_copper_from_the_supply_is_found():
    drawn = _drawn("end")
    cut = tuple(each for each in drawn.tracks if each.net != "5V")
    assert find_lowest_voltage(replace(drawn, tracks=cut))[1] < 0


@needs_ngspice
def test_a_divider_has_the_voltage_of_ohms_law():
    lines = ["divider", "v1 a 0 5", "r1 a b 1k", "r2 b 0 3k", ".control", "op", "let volts = v(b)", "print volts"]
    assert run_ngspice([*lines, ".endc", ".end"])["volts"] == pytest.approx(3.75)
    with pytest.raises(SpiceError):
        run_ngspice(["no circuit", "r1 a", ".control", "op", "print v(b)", ".endc", ".end"])


@needs_ngspice
def test_the_clock_of_loop_rises_once_within_100_ns():
    edge = find_clock_edge(*LOOP_CHAIN)
    assert edge.rise_ns < 100
    assert edge.dip_v < 0.02


@needs_ngspice
@pytest.mark.parametrize("name", ["classic", "classic-61", "pursuit", "bases"])
def test_the_clock_of_each_board_of_several_tiles_dips_by_less_than_the_hysteresis_as_drawn(name):
    tiles = load_board(name).wiring.tiles
    ohm = float(_clock_resistor(tiles[0].part).removesuffix("R"))
    for node in ("tile0", f"track{len(tiles) // 2}e0", f"track{len(tiles) - 1}e0", "last"):
        edge = find_clock_edge(len(tiles), ceil(max(tile.count for tile in tiles) / 8), ohm, node=node)
        assert edge.dip_v < HYSTERESIS_V, node
        assert edge.rise_ns < 400, node  # half a period at 1 MHz is 500


@needs_ngspice
def test_the_clock_of_a_long_chain_would_dip_by_more_with_the_resistor_of_loop():
    assert find_clock_edge(*LONGEST_CHAIN).dip_v > HYSTERESIS_V


@needs_ngspice
def test_the_remedy_of_the_guide_leaves_no_dip():
    for node in ("tile0", "track12e0", "last"):
        edge = find_clock_edge(*LONGEST_CHAIN, SMOOTH_OHM, SMOOTH_PF, node)
        assert edge.dip_v < 0.1, node
        assert edge.rise_ns < 400, node


def test_the_edge_is_measured_from_low_to_where_it_stays_high():
    volts = [0.0, 0.5, 1.0, 1.8, 1.2, 1.9, 2.5, 1.9, 2.2, 3.0]
    edge = clock.find_edge([(n * 1e-9, each) for n, each in enumerate(volts)])
    assert edge.rise_ns == pytest.approx(8 - 2)
    assert edge.dip_v == pytest.approx(0.6)


def test_the_circuit_has_the_values_of_the_parts():
    firmware = (ROOT / "firmware/boards/pico.py").read_text("utf-8")
    assert "SPI_HZ = 1_000_000" in firmware
    page = (ROOT / "docs/build/5-chain.md").read_text("utf-8")
    assert re.search(rf"{SMOOTH_OHM} Ω .* {SMOOTH_PF // 1000} nF", page)
    assert f"{LONG_CHAIN_OHM} Ω" in page
    for name in LONG_CHAIN_HEADS:
        assert _clock_resistor(name) == f"{LONG_CHAIN_OHM}R"
    assert bill_of_materials.LONG_CHAIN_HEADS == LONG_CHAIN_HEADS
    assert _drawn("loop").parts["R1"].value == f"{clock.SERIES_OHM:.0f}R"
