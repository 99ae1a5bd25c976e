"""Bill of materials of a board, counted from its wiring map. `parts.toml` has the parts and their order numbers."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from math import ceil

from companion.boards.board import Board

PARTS = tomllib.loads(files("companion.plugins.drawing").joinpath("parts.toml").read_text("utf-8"))
LCSC: dict[str, list[str]] = PARTS["lcsc"]
ELSEWHERE: dict[str, list[str]] = PARTS["elsewhere"]
UNCONFIRMED: dict[str, str] = PARTS["unconfirmed"]
CANDIDATES: dict[str, str] = PARTS["candidates"]
"""Order numbers by the manufacturer's number; `parts.toml` says what each table is."""


def find_lcsc_number(mpn: str) -> str:
    """Return the number at LCSC of a manufacturer's number, or "" if none is confirmed."""
    return LCSC.get(mpn, ("", ""))[0]


def find_order_number(mpn: str) -> str:
    """Return a distributor and its number, such as `LCSC C1525`, or "" if none was found."""
    lcsc = find_lcsc_number(mpn)
    return f"LCSC {lcsc}" if lcsc else ELSEWHERE.get(mpn, (CANDIDATES.get(mpn, ""), ""))[0]


COLUMNS = ("quantity", "part", "value", "package", "number", "alternate", "note")
PRICE_COLUMNS = (
    "quantity", "part", "value", "fitted_by", "number", "order_number", "estimate_eur_each", "estimate_eur_sum",
)  # fmt: skip
"""Prices are estimates, not quotes. Ask a supplier before you order."""

PIXELS_PER_FEED = 100
"""Pixels per injection point: at 2 A in all, their share over 1 m of 0.75 mm² loses less than 0.1 V."""
LIMIT_MA = 1500
"""The limit of the guide: with the Pico four fifths of the fuse's 2 A."""
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
    carries_pico = any(tile.part in BOARDS_WITH_PICO for tile in board.wiring.tiles)
    quantities, facts = _count_quantities(board), _describe_board(board)

    def rows(section: str) -> list[Row]:
        return [
            _part_row(quantities.get(count, count), texts, price, facts)
            for count, *texts, price in PARTS[section]
            if quantities.get(count, count)
        ]

    return [
        *rows("per_hole"), *rows("chips"), *rows("sockets" if carries_pico else "plugs"), *_circuit_board_rows(board),
        *rows("others"),
    ]  # fmt: skip


def add_sum(rows: list[Row]) -> list[Row]:
    """Return the rows of the price list and the sums of what the house fits, what you do, and all, for one board."""
    blank, sums = dict.fromkeys(PRICE_COLUMNS, ""), []
    for by in ("house", "you", ""):
        total = sum(float(row["estimate_eur_sum"] or 0) for row in rows if by in ("", row["fitted_by"]))
        sums.append(blank | {"part": "sum", "fitted_by": by, "estimate_eur_sum": f"{total:.2f}"})
    return rows + sums


def _count_quantities(board: Board) -> dict[str, int]:
    """Return the quantities that `parts.toml` names."""
    tiles, panel = board.wiring.tiles, board.wiring.panel
    holes, registers = len(board.holes), sum(ceil(tile.count / REGISTER_INPUTS) for tile in tiles)
    is_long = tiles[0].part in LONG_CHAIN_HEADS
    return {
        "holes": holes,
        "registers": registers,
        "tiles": len(tiles),
        "small_capacitors": 2 * holes + registers + 1,
        "data_resistors": len(tiles) + any(tile.part in BOARDS_WITH_PICO for tile in tiles),
        "short_chain_resistors": 0 if is_long else 2,
        "long_chain": int(is_long),
        "ribbon_pins": 2 * len(tiles) - 1,
        "bare_pixels": len(board.holeless_pixels),
        "feeds": _count_feeds(board),
        "pegs": 2 * max((len(routes) for routes in board.routes.values()), default=MARKER_PEGS // 2),
        "buttons": len(panel.get("buttons", {})),
        "buzzers": int("buzzer" in panel),
        "displays": int("display" in panel),
    }


def _describe_board(board: Board) -> dict[str, object]:
    """Return what the notes of `parts.toml` say of the board."""
    limit, tiles, panel, feeds = LIMIT_MA, board.wiring.tiles, board.wiring.panel, _count_feeds(board)
    return {
        "board": board.name,
        "holes": len(board.holes),
        "limit": limit,
        "draws": limit + PICO_CURRENT_MA,
        "feed_pixels": PIXELS_PER_FEED,
        "feed_tiles": ", ".join(tiles[n * len(tiles) // feeds].name for n in range(feeds)),
        "button_pins": ", ".join(f"{name} at GP{pin}" for name, pin in panel.get("buttons", {}).items()),
        "buzzer": panel.get("buzzer"),
        "sda": panel.get("display"),
        "scl": panel.get("display", 0) + 1,
    }


def _count_feeds(board: Board) -> int:
    return ceil(board.pixel_count / PIXELS_PER_FEED)


def _part_row(quantity: int, texts: list[str], price: float | str, facts: Mapping[str, object]) -> Row:
    *named, note = texts
    note = note.format_map({**facts, "spares": f"and {max(3, ceil(quantity / 20))} spare"})
    prices = (f"{price:.2f}", f"{quantity * price:.2f}") if isinstance(price, float) else ("", "")
    row = dict(zip(COLUMNS, (str(quantity), *named, note), strict=True))
    fitted_by = "house" if row["number"] in LCSC.keys() | UNCONFIRMED.keys() else "you"
    row |= {"fitted_by": fitted_by, "order_number": find_order_number(row["number"])}
    return row | dict(zip(PRICE_COLUMNS[-2:], prices, strict=True))


def _circuit_board_rows(board: Board) -> list[Row]:
    patterns: dict[str, list[str]] = {}
    for tile in board.wiring.tiles:
        patterns.setdefault(tile.part, []).append(tile.name)
    rows = []
    for part, names in patterns.items():
        notes = [f"{names[0]} to {names[-1]}"] if len(names) > 1 else []
        notes += [] if part in BOARDS_WITH_PICO else ["drawn, not proven: build loop-60 first"]
        rows.append(_part_row(len(names), ["circuit board", part, "", "", "", "; ".join(notes)], "", {}))
    return rows
