"""The sheets of a board's schematic, one for each function. Pure."""

from collections.abc import Iterator, Mapping

from companion.boards.geometry import Point
from hardware.pcb.circuit import Pattern, Placed, circuit
from hardware.pcb.papers import FIRST_BOARD
from hardware.pcb.parts import (
    BULK,
    FEED,
    KEYED_RIBBON,
    LARGE,
    LIGHT,
    PANEL,
    PICO_PINS,
    POWER,
    REGISTER,
    RIBBON,
    SENSOR,
    SHIFTER,
)
from hardware.pcb.schematic.symbols import A4_MM, PITCH_MM, PinSpot, Sheet

MARGIN_MM = 10
FIRST_ROW_MM = 34.0
"""Where a sheet's symbols begin, below its title."""
HOLE_CELL_MM = (56.0, 33.0)
HOLES_PER_ROW, ROWS_OF_HOLES = 7, 7
REGISTER_CELL_MM = (98.0, 112.0)
REGISTERS_PER_ROW, ROWS_OF_REGISTERS = 4, 2

Parts = Mapping[str, Placed]


def draw_sheets(pattern: Pattern) -> list[Sheet]:
    """Return the sheets of a pattern's schematic."""
    parts = circuit(pattern)
    sheets = [
        _draw_supply(parts), _draw_plugs(parts, pattern), *_draw_registers(parts), *_draw_sensors(parts),
        *_draw_lights(parts),
    ]  # fmt: skip
    for n, sheet in enumerate(sheets, 1):
        _add_frame(sheet, pattern.name, n, len(sheets))
    return sheets


def _add_frame(sheet: Sheet, board: str, number: int, count: int) -> None:
    width, height = sheet.width - 2 * MARGIN_MM, sheet.height - 2 * MARGIN_MM
    sheet.add_rectangle(Point(MARGIN_MM, MARGIN_MM), width, height, sheet.drawing, "frame")
    sheet.add_words(f"{board}: {sheet.title}", Point(MARGIN_MM + 5, MARGIN_MM + 9), "title", 6)
    proven = "" if board == FIRST_BOARD else "drawn, not proven; "
    foot = f"{proven}from the netlist of the circuit board; licence CERN-OHL-P-2.0"
    at = Point(sheet.width - MARGIN_MM - 4, sheet.height - MARGIN_MM - 4)
    sheet.add_words(f"sheet {number} of {count}, {foot}", at, "note", 2.6, anchor="end")


def _belongings(parts: Parts, owner: str, letter: str) -> Placed:
    """Return the one part with this letter that belongs to another."""
    return next(part for part in parts.values() if part.of == owner and part.ref.startswith(letter))


def _of_kind(parts: Parts, *kinds: object) -> list[Placed]:
    return [part for part in parts.values() if part.kind in kinds]


def _note(sheet: Sheet, *lines: str) -> None:
    for n, line in enumerate(lines):
        sheet.add_words(line, Point(MARGIN_MM + 5, MARGIN_MM + 14 + 4 * n), "note", 2.6)


# Supply.


def _draw_supply(parts: Parts) -> Sheet:
    sheet = Sheet("supply", A4_MM)
    _note(sheet, "A fuse of 2 A, slow, belongs in the red wire to J3. 3.3 V comes from the Pico (its pin 36).")
    plug = _of_kind(parts, POWER, FEED)[0]
    guard, clamp = parts.get("Q1"), parts.get("Z1")
    left, top = 60.0, 80.0
    ends = sheet.add_box(
        plug, Point(left - 20, top - 5), 12, 15, [PinSpot("1", "right", 5), PinSpot("2", "right", 10)], names=False
    )
    high, low = ends["1"], ends["2"]
    ground = Point(low.x + 6, top + 30)
    sheet.add_wire(low, Point(ground.x, low.y), ground)
    sheet.name_net("GND", ground, "bottom")
    x = high.x + 20
    sheet.add_wire(high, Point(x, top))
    if guard and clamp:
        sheet.name_net("5V IN", Point(x, top), "top")
        sheet.add_dot(Point(x, top))
        sheet.add_wire(Point(x, top), Point(x + 20, top))
        ends = sheet.add_p_channel(guard, Point(x + 20, top))
        sheet.name_net(guard.nets["1"], ends["1"], "bottom")
        x = ends["2"].x + 20
        sheet.add_wire(ends["2"], Point(x, top))
        sheet.add_dot(Point(x, top))
        ends = sheet.add_clamp(clamp, Point(x, top), 20)
        sheet.name_net(clamp.nets["2"], ends["2"], "bottom")
        sheet.add_wire(Point(x, top), Point(x + 20, top))
        x += 20
        sheet.add_words("A reversed supply turns Q1 off. Z1 clamps static and surges.",
                        Point(left, top + 50), "note", 2.6)  # fmt: skip
    sheet.name_net("5V", Point(x, top), "top")
    for cap in _of_kind(parts, LARGE, BULK):
        sheet.add_dot(Point(x, top))
        sheet.add_wire(Point(x, top), Point(x + 25, top))
        x += 25
        ends = sheet.add_capacitor(cap, Point(x, top), 20, plus=cap.kind is BULK)
        sheet.name_net(cap.nets["2"], ends["2"], "bottom")
    return sheet


# Plugs, Pico and level shifter.


def _draw_plugs(parts: Parts, pattern: Pattern) -> Sheet:
    sheet = Sheet("Pico and plugs" if pattern.head else "plugs")
    _note(sheet, *(["Fit the Pico in J4 and J5 or a ribbon at J1, never both."] if "J4" in parts else []))
    for n, plug in enumerate(_of_kind(parts, RIBBON, KEYED_RIBBON)):
        _draw_ribbon(sheet, plug, Point(75.0 + 100 * n, 50))
    if "J4" in parts:
        _draw_pico(sheet, parts, Point(90, 125))
    for panel in _of_kind(parts, PANEL):
        pins = [PinSpot(pin, "left", PITCH_MM * int(pin)) for pin in panel.nets]
        _name_pins(sheet, panel, sheet.add_box(panel, Point(260, 215), 16, 55, pins, names=False), "left")
        for n, word in enumerate(("buttons, buzzer", "display")):
            sheet.add_words(word, Point(280, 233 + 22.5 * n), "note", 2.6)
    resistors = [part for part in parts.values() if part.ref in ("R1", "R2", "R3", "R4", "R5", "R6")]
    for n, part in enumerate(sorted(resistors, key=lambda part: part.ref)):
        ends = sheet.add_resistor(part, Point(340, 50 + 12 * n), 12, flat=True)
        sheet.name_net(part.nets["1"], ends["1"], "left")
        sheet.name_net(part.nets["2"], ends["2"], "right")
    for chip in _of_kind(parts, SHIFTER):
        _draw_shifter(sheet, parts, chip, Point(305, 125))
    return sheet


def _name_pins(sheet: Sheet, part: Placed, ends: Mapping[str, Point], side: str) -> None:
    for pin, at in ends.items():
        sheet.name_net(part.nets.get(pin, ""), at, side)


def _draw_ribbon(sheet: Sheet, plug: Placed, corner: Point) -> None:
    odd = [PinSpot(str(n), "left", PITCH_MM * (n + 1) / 2) for n in range(1, 11, 2)]
    even = [PinSpot(str(n), "right", PITCH_MM * n / 2) for n in range(2, 11, 2)]
    ends = sheet.add_box(plug, corner, 20, 30, [*odd, *even], names=False)
    for pin in odd + even:
        sheet.name_net(plug.nets[pin.number], ends[pin.number], pin.side)


def _draw_pico(sheet: Sheet, parts: Parts, corner: Point) -> None:
    """Draw both sockets as they meet the Pico, with its own names and numbers between them."""
    names = dict(enumerate(PICO_PINS, 1))
    high = 21 * PITCH_MM
    sheet.add_words("Raspberry Pi Pico, USB up", Point(corner.x + 45, corner.y - 6), "note", 2.6, anchor="middle")
    for ref, x, side in (("J4", corner.x, "left"), ("J5", corner.x + 80, "right")):
        part = parts[ref]
        pins = [PinSpot(pin, side, PITCH_MM * int(pin)) for pin in part.kind.pins]
        ends = sheet.add_box(part, Point(x, corner.y), 10, high, pins, names=False)
        _name_pins(sheet, part, ends, side)
        for n in range(1, 21):
            own = n if side == "left" else 41 - n
            at = Point(x + (14 if side == "left" else -4), corner.y + PITCH_MM * n + 0.7)
            text = f"{own} {names[own]}" if side == "left" else f"{names[own]} {own}"
            sheet.add_words(text, at, "note", 2, anchor="start" if side == "left" else "end")


def _draw_shifter(sheet: Sheet, parts: Parts, chip: Placed, corner: Point) -> None:
    left = ["1", "2", "4", "5", "10", "9", "13", "12"]
    right = {"3": 7.5, "6": 22.5, "8": 37.5, "11": 52.5}
    spots = [PinSpot(pin, "left", 5 + 7.5 * n) for n, pin in enumerate(left)]
    spots += [PinSpot(pin, "right", along) for pin, along in right.items()]
    spots += [PinSpot("14", "top", 15), PinSpot("7", "bottom", 15)]
    ends = sheet.add_box(chip, corner, 30, 65, spots)
    for pin in spots:
        sheet.name_net(chip.nets[pin.number], ends[pin.number], pin.side)
    _add_own_capacitor(sheet, _belongings(parts, chip.ref, "C"), Point(corner.x + 55, corner.y))


def _add_own_capacitor(sheet: Sheet, cap: Placed, top: Point) -> None:
    """Draw the capacitor of a chip beside it."""
    ends = sheet.add_capacitor(cap, top, 14)
    sheet.name_net(cap.nets["1"], ends["1"], "top")
    sheet.name_net(cap.nets["2"], ends["2"], "bottom")


# The chain of registers.


def _draw_registers(parts: Parts) -> Iterator[Sheet]:
    chips = _of_kind(parts, REGISTER)
    page = REGISTERS_PER_ROW * ROWS_OF_REGISTERS
    for first in range(0, len(chips), page):
        sheet = Sheet("chain of registers" + _page_of(first, page, len(chips)))
        _note(sheet, "QH of each register goes to SER of the one before. Input H is clocked out first.")
        for n, chip in enumerate(chips[first : first + page]):
            wide, high = REGISTER_CELL_MM
            at = Point(45 + wide * (n % REGISTERS_PER_ROW), FIRST_ROW_MM + 14 + high * (n // REGISTERS_PER_ROW))
            left = ["10", "2", "1", "15", *(str(pin) for pin in (11, 12, 13, 14, 3, 4, 5, 6))]
            spots = [PinSpot(pin, "left", PITCH_MM * (n + 1)) for n, pin in enumerate(left)]
            spots += [PinSpot("9", "right", 25), PinSpot("7", "right", 35)]
            spots += [PinSpot("16", "top", 14), PinSpot("8", "bottom", 14)]
            ends = sheet.add_box(chip, at, 28, 65, spots)
            for pin in spots:
                sheet.name_net(chip.nets[pin.number], ends[pin.number], pin.side)
            _add_own_capacitor(sheet, _belongings(parts, chip.ref, "C"), Point(at.x + 36, at.y + 50))
        yield sheet


# Sensors and lights.


def _draw_sensors(parts: Parts) -> Iterator[Sheet]:
    sensors = _of_kind(parts, SENSOR)
    for first, n, at, sheet in _cells("sensors", sensors, "A peg pulls the output low: it is an open drain."):
        sensor = sensors[first + n]
        cap, pull = _belongings(parts, sensor.ref, "C"), _belongings(parts, sensor.ref, "R")
        x, y = at
        ends = sheet.add_box(
            sensor, Point(x + 9, y + 9), 14, 10,
            [PinSpot("1", "top", 10), PinSpot("2", "right", 5), PinSpot("3", "bottom", 10)], words="right",
        )  # fmt: skip
        high, out, low = ends["1"], ends["2"], ends["3"]
        sheet.add_capacitor(cap, Point(x + 2, high.y), low.y - high.y)
        sheet.add_wire(Point(x + 2, high.y), high)
        sheet.add_wire(Point(x + 2, low.y), low)
        sheet.add_resistor(pull, Point(x + 31, high.y), out.y - high.y)
        sheet.add_wire(high, Point(x + 31, high.y))
        sheet.add_wire(out, Point(x + 31, out.y))
        sheet.add_wire(Point(x + 31, out.y), Point(x + 33, out.y))
        for dot in (high, low, Point(x + 31, out.y)):
            sheet.add_dot(dot)
        sheet.name_net(sensor.nets["1"], high, "top")
        sheet.name_net(sensor.nets["3"], low, "bottom")
        sheet.name_net(sensor.nets["2"], Point(x + 33, out.y), "right")
        if n == _last_cell(first, len(sensors)):
            yield sheet


def _draw_lights(parts: Parts) -> Iterator[Sheet]:
    lights = _of_kind(parts, LIGHT)
    for first, n, at, sheet in _cells("lights", lights, "Each light passes the data on to the next."):
        light = lights[first + n]
        cap = _belongings(parts, light.ref, "C")
        x, y = at
        ends = sheet.add_box(
            light, Point(x + 16, y + 9), 14, 10,
            [PinSpot("4", "top", 10), PinSpot("3", "left", 5), PinSpot("1", "right", 5), PinSpot("2", "bottom", 10)],
            words="left",
        )  # fmt: skip
        high, low = ends["4"], ends["2"]
        sheet.add_capacitor(cap, Point(x + 46, high.y), low.y - high.y)
        sheet.add_wire(high, Point(x + 46, high.y))
        sheet.add_wire(low, Point(x + 46, low.y))
        sheet.add_dot(high)
        sheet.add_dot(low)
        sheet.name_net(light.nets["4"], high, "top")
        sheet.name_net(light.nets["2"], low, "bottom")
        sheet.name_net(light.nets["3"], ends["3"], "left")
        sheet.name_net(light.nets["1"], ends["1"], "right")
        if n == _last_cell(first, len(lights)):
            yield sheet


def _cells(title: str, parts: list[Placed], note: str) -> Iterator[tuple[int, int, Point, Sheet]]:
    """For each part: the first part of its sheet, its number there, the corner of its cell, and the sheet."""
    page = HOLES_PER_ROW * ROWS_OF_HOLES
    wide, high = HOLE_CELL_MM
    for first in range(0, len(parts), page):
        sheet = Sheet(title + _page_of(first, page, len(parts)))
        _note(sheet, note)
        for n in range(len(parts[first : first + page])):
            at = Point(MARGIN_MM + 6 + wide * (n % HOLES_PER_ROW), FIRST_ROW_MM + high * (n // HOLES_PER_ROW))
            yield first, n, at, sheet


def _last_cell(first: int, count: int) -> int:
    return min(count - first, HOLES_PER_ROW * ROWS_OF_HOLES) - 1


def _page_of(first: int, page: int, count: int) -> str:
    return f" {first // page + 1}" if count > page else ""
