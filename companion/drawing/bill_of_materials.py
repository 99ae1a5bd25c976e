"""Bill of materials of a board, counted from its wiring map. Pure."""

from math import ceil

from companion.boards.board import Board
from companion.drawing.part_numbers import find_order_number
from companion.settings import Settings

COLUMNS = ("quantity", "part", "value", "package", "number", "alternate", "note")
PRICE_COLUMNS = ("quantity", "part", "value", "number", "order_number", "estimate_eur_each", "estimate_eur_sum")
"""Prices are estimates of November 2026 for 100 pieces, not quotes. Ask a supplier before you order."""

PIXELS_PER_FEED = 100
"""Pixels per injection point: at 2 A in all, their share over 1 m of 0.75 mm² loses less than 0.1 V."""
PICO_CURRENT_MA = 100
MARKER_PEGS = 16
"""Pegs of a board without a race: docs/reference/games/bases.md."""
REGISTER_INPUTS = 8
BOARDS_WITH_PICO = ("loop",)
"""Circuit boards that carry the Pico in sockets, and protect their 5 V input."""
LONG_CHAIN_HEADS = ("end", "first-pair")
"""Circuit boards at which long chains begin: a larger resistor slows their clock down."""

Row = dict[str, str]


def list_parts(board: Board) -> list[Row]:
    """Return the rows of the parts list."""
    tiles = board.wiring.tiles
    holes, registers = len(board.holes), sum(ceil(tile.count / REGISTER_INPUTS) for tile in tiles)
    return [
        *_rows_per_hole(holes),
        *_chip_rows(holes, registers, len(tiles), is_long=tiles[0].part in LONG_CHAIN_HEADS),
        *(_socket_rows() if _carries_pico(board) else _plug_rows(len(tiles))),
        *_circuit_board_rows(board),
        *_supply_rows(board),
        *_peg_rows(board),
        *_wood_rows(board),
        *_panel_rows(board),
    ]


def add_sum(rows: list[Row]) -> list[Row]:
    """Return the rows of the price list with a last one for the sum of all prices."""
    total = sum(float(row["estimate_eur_sum"] or 0) for row in rows)
    return [*rows, dict.fromkeys(PRICE_COLUMNS, "") | {"part": "sum", "estimate_eur_sum": f"{total:.2f}"}]


def _part_row(quantity: int, *texts: str, eur: float | None = None) -> Row:
    prices = ("", "") if eur is None else (f"{eur:.2f}", f"{quantity * eur:.2f}")
    number = find_order_number(texts[COLUMNS.index("number") - 1])
    row = dict(zip(COLUMNS, (str(quantity), *texts), strict=True))
    return row | dict(zip(PRICE_COLUMNS[-3:], (number, *prices), strict=True))


def _spares_note(count: int) -> str:
    return f"and {max(3, ceil(count / 20))} spare"


def _rows_per_hole(holes: int) -> list[Row]:
    return [
        _part_row(holes, "hall switch", "DRV5032AJ", "SOT-23", "DRV5032AJDBZR", "DRV5032AJLPG (TO-92, wired by hand)",
             f"one per hole; open drain, low at a peg; {_spares_note(holes)}", eur=0.30),
        _part_row(holes, "pixel", "WS2812B-2020", "2.0 x 2.0 mm", "WS2812B-2020", "WS2812B strip, wired by hand",
             f"one per hole; {_spares_note(holes)}", eur=0.10),
        _part_row(holes, "pull-up", "10k", "0402", "RC0402FR-0710KL", "resistor network 8 x 10k, one per register",
             f"from each switch's output to 3V3; {_spares_note(holes)}", eur=0.01),
    ]  # fmt: skip


def _chip_rows(holes: int, registers: int, tiles: int, *, is_long: bool) -> list[Row]:
    small = 2 * holes + registers + 1
    return [
        _part_row(registers, "shift register", "74HCS165", "TSSOP-16", "SN74HCS165PWR",
             "74HC165PW (Mouser 771-74HC165PW-T), on one tile only; 74HC165 in DIP-16",
             f"Schmitt inputs; {_spares_note(registers)}", eur=0.30),
        _part_row(1, "level shifter", "74AHCT125", "TSSOP-14", "SN74AHCT125PWR", "74AHCT125 in DIP-14",
             "for the pixels' line, from 3.3 to 5 V, on the tile next to the Pico", eur=0.30),
        _part_row(small, "capacitor", "100nF", "0402", "CL05B104KO5NNNC", "any X7R of 16 V",
             f"at each switch, pixel and chip; {_spares_note(small)}", eur=0.01),
        _part_row(tiles, "capacitor", "10uF", "0603", "CL10A106KP8NNNC", "any X5R of 10 V, 0.8 mm high", "one per tile",
             eur=0.05),
        _part_row(1, "capacitor", "470uF", "radial 8 mm", "EEUFR1C471", "1000uF 10 V", "at the 5 V input", eur=0.40),
        _part_row(tiles, "resistor", "10k", "0402", "RC0402FR-0710KL", "",
             "pull-up of the data line, at the Pico and at each tile that another follows", eur=0.01),
        *_clock_resistor_rows(is_long),
        _part_row(1, "resistor", "330R", "0402", "RC0402FR-07330RL", "", "in the pixels' line", eur=0.01),
        _part_row(tiles, "terminal", "5V", "2 poles, 5.08 mm", "1715721", "any 2 poles, 5.08 mm",
             "5 V of each tile", eur=0.20),
        _part_row(1, "microcontroller", "Raspberry Pi Pico", "module", "SC0915", "Pico 2 (SC1631)",
             "on a USB cable to the Pi", eur=4.50),
    ]  # fmt: skip


def _clock_resistor_rows(is_long: bool) -> list[Row]:
    small = ("resistor", "100R", "0402", "RC0402FR-07100RL", "")
    if not is_long:
        return [_part_row(2, *small, "in CLK and LOAD, at the Pico", eur=0.01)]
    return [
        _part_row(1, *small, "in LOAD, at the Pico", eur=0.01),
        _part_row(1, "resistor", "470R", "0402", "0402WGF4700TCE", "", "in CLK, at the Pico", eur=0.01),
    ]


def _carries_pico(board: Board) -> bool:
    return any(tile.part in BOARDS_WITH_PICO for tile in board.wiring.tiles)


def _plug_rows(tiles: int) -> list[Row]:
    return [
        _part_row(2 * tiles - 1, "ribbon pins", "ribbon", "2x5 pins, 2.54 mm", "PRPC005DAAN-RC",
             "any 2x5 pins, 2.54 mm", "from below", eur=0.20),
        _part_row(tiles, "ribbon cable", "10 wires", "2 x 5, 2.54 mm", "", "", "to the Pico, and between tiles"),
    ]  # fmt: skip


def _socket_rows() -> list[Row]:
    """Return the parts of a board that carries the Pico: no ribbon is needed."""
    return [
        _part_row(2, "Pico socket", "1x20 sockets", "2.54 mm", "PPTC201LFBN-RC", "any 1x20 sockets, 8.5 mm high",
             "from below", eur=0.50),
        _part_row(1, "pins of the Pico", "1x40 pins", "2.54 mm", "PRPC040SAAN-RC", "a Pico H has them",
             "broken into two of 20, soldered into the Pico", eur=0.40),
        _part_row(1, "panel pins", "1x10 pins", "2.54 mm", "PRPC040SAAN-RC", "any 1x10 pins, 2.54 mm",
             "ten of the 40, from below; for buttons, buzzer and display", eur=0.20),
        _part_row(1, "MOSFET", "AO3401A", "SOT-23", "AO3401A", "", "blocks a reversed supply", eur=0.10),
        _part_row(1, "clamping diode", "SMF5.0A", "SOD-123FL", "SMF5.0A", "", "clamps static and surges", eur=0.10),
    ]  # fmt: skip


def _circuit_board_rows(board: Board) -> list[Row]:
    patterns: dict[str, list[str]] = {}
    for tile in board.wiring.tiles:
        patterns.setdefault(tile.part, []).append(tile.name)
    return [
        _part_row(len(names), "circuit board", part, "", "", "",
             "; ".join(([f"{names[0]} to {names[-1]}"] if len(names) > 1 else [])
                       + ([] if part in BOARDS_WITH_PICO else ["drawn, not proven: build loop-60 first"])))
        for part, names in patterns.items()
    ]  # fmt: skip


def _supply_rows(board: Board) -> list[Row]:
    limit = Settings().limit_ma
    bare = len(board.holeless_pixels)
    feeds = ceil(board.pixel_count / PIXELS_PER_FEED)
    draws = limit + PICO_CURRENT_MA
    dice = [
        _part_row(
            bare,
            "bare pixel",
            "SK6812",
            "5.0 x 5.0 mm",
            "SK6812",
            "any with the strip's protocol",
            "dice and display",
        )
    ]
    return [
        *(dice if bare else []),
        _part_row(1, "supply", "5 V 4 A", "", "GST25E05-P1J", "any of 5 V and 4 A, such as Adafruit 1466",
             f"limit_ma={limit} keeps the pixels below {limit} mA; everything draws at most {draws} mA"),
        _part_row(1, "fuse", "3.15 A slow", "5 x 20 mm", "02183.15MXP", "a resettable one of 3 A",
             "in the 5 V line, at the supply"),
        _part_row(1, "fuse holder", "in line", "5 x 20 mm", "01500274Z", "any for 5 x 20 mm", "for the fuse"),
        _part_row(feeds, "injection point", "5 V and ground", "", "", "",
             f"a pair of wires from the supply for about {PIXELS_PER_FEED} pixels, from tile to tile; a pair begins at "
             f"{_feed_tiles(board, feeds)}"),
        _part_row(feeds, "metre of wire", "0.75 mm2, red and black", "", "", "AWG 18",
             "1 m each; 2 A lose 0.09 V over 1 m and back"),
    ]  # fmt: skip


def _feed_tiles(board: Board, feeds: int) -> str:
    tiles = board.wiring.tiles
    return ", ".join(tiles[n * len(tiles) // feeds].name for n in range(feeds))


def _peg_rows(board: Board) -> list[Row]:
    pegs = 2 * max((len(routes) for routes in board.routes.values()), default=MARKER_PEGS // 2)
    return [
        _part_row(pegs, "peg", "3.0 mm", "printed", "hardware/solids/peg.stl", "turned of wood", "and 4 spare"),
        _part_row(pegs, "magnet", "N42 2 x 3 mm", "cylinder, magnetised along", "S-02-03-N", "N42 2 x 4 mm",
             "in the foot of each peg, set back 0.85 mm by the jig; and 4 spare", eur=0.06),
    ]  # fmt: skip


def _wood_rows(board: Board) -> list[Row]:
    return [
        _part_row(1, "wood", "10 mm + 0.2 - 1", "", "", "plywood of beech or birch",
             f"see {board.name}-template; {len(board.holes)} holes of 3.2 mm, through"),
        _part_row(1, "sheet", "1.0 mm, opal", "", "", "polycarbonate or acrylic",
             "floor of the holes, as large as the wood"),
    ]  # fmt: skip


def _panel_rows(board: Board) -> list[Row]:
    """Return the parts at free pins of the Pico, all of them optional."""
    panel = board.wiring.panel
    buttons, buzzer, sda = panel.get("buttons", {}), panel.get("buzzer"), panel.get("display")
    pins = ", ".join(f"{name} at GP{pin}" for name, pin in buttons.items())
    rows = [
        (len(buttons), "button", "normally open", "6 x 6 mm", "B3F-1000", "any for a panel",
         f"optional; {pins}; each to ground"),
        (buzzer is not None, "buzzer", "passive piezo", "12 mm", "PS1240P02BT", "any passive one",
         f"optional; from GP{buzzer} to ground"),
        (sda is not None, "display", "SSD1306 128 x 64", "module with four pins, 3.3 V", "", "",
         f"optional; SDA at GP{sda}, SCL at GP{(sda or 0) + 1}, VCC at 3V3"),
    ]  # fmt: skip
    return [_part_row(int(count), *texts) for count, *texts in rows if count]
