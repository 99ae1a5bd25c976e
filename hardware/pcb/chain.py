"""Reads the wiring map back from a drawn board, by following its copper's nets from the ribbon on. Pure."""

from collections.abc import Iterator
from math import hypot

from hardware.pcb.boardfile import Drawn, Part
from hardware.pcb.parts import INPUTS, LIGHT, REGISTER, SENSOR
from hardware.pcb.shapes import Point

Read = Point | int | None
"""What an input tells: the place of a sensor, a level (1 is what a peg gives), or nothing that could be read."""


def _of(drawn: Drawn, value: str) -> list[Part]:
    return [part for part in drawn.parts.values() if part.value == value]


def inputs(drawn: Drawn) -> list[Read]:
    """What each bit tells, that which is clocked in first first, and last the level at the far end if it is tied."""
    sensors = {part.pins.get("2"): part.at for part in _of(drawn, SENSOR.value)}
    levels = {"GND": 1, "3V3": 0}
    registers = {part.pins.get("9"): part for part in _of(drawn, REGISTER.value)}
    found: list[Read] = []
    net = drawn.parts["J1"].pins["7"] if "J1" in drawn.parts else ""
    while net in registers:
        register = registers.pop(net)
        for name in "HGFEDCBA":
            its = register.pins.get(INPUTS[name], "")
            found.append(sensors.get(its, levels.get(its)))
        net = register.pins.get("10", "")
    return [*found, levels[net]] if net in levels else found


def lights(drawn: Drawn) -> list[Point]:
    """The places of the lights, in the order in which the pixels' line passes them."""
    by_input = {part.pins.get("3"): part for part in _of(drawn, LIGHT.value)}
    net = drawn.parts["J1"].pins["8"] if "J1" in drawn.parts else ""
    while net and net not in by_input:
        net = next(_onward(drawn, net), "")
    found = []
    while net in by_input:
        light = by_input.pop(net)
        found.append(light.at)
        net = light.pins.get("1", "")
    return found


def _onward(drawn: Drawn, net: str) -> Iterator[str]:
    """The net behind the level shifter or the resistor that this net goes into."""
    shifter = drawn.parts.get("U90")
    if shifter and shifter.pins.get("2") == net:
        yield shifter.pins.get("3", "")
    resistor = drawn.parts.get("R3")
    if resistor and resistor.pins.get("1") == net:
        yield resistor.pins.get("2", "")


def nearest(at: Point, places: dict[str, Point], within: float) -> str | None:
    """The hole whose place it is."""
    hole = min(places, key=lambda each: hypot(places[each][0] - at[0], places[each][1] - at[1]))
    return hole if hypot(places[hole][0] - at[0], places[hole][1] - at[1]) <= within else None
