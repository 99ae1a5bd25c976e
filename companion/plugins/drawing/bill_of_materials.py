"""Bill of materials of a board, counted from its wiring map, with order numbers. `parts.toml` has the parts.

Each number at LCSC, which also supplies the assembly house JLCPCB, or at another distributor was found beside the
manufacturer's number in the public source named. Stock and prices were not looked up. A part without an entry has no
confirmed number: search for the manufacturer's number when you order.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from math import ceil
from typing import Any

from companion.boards.board import Board

LCSC = {
    "CL05B104KO5NNNC": ("C1525", "several public parts lists, one with its JLCPCB class (Basic)"),
    "CL10A106KP8NNNC": ("C19702", "address of the page at lcsc.com: SAMSUNG_CL10A106KP8NNNC_…_C19702"),
    "RC0402FR-0710KL": ("C60490", "public parts list that compares the code with JLCPCB's catalogue"),
    "RC0402FR-07100RL": ("C106232", "public parts list with the page lcsc.com/product-detail/C106232"),
    "0402WGF4700TCE": ("C25117", "several public parts lists, with its JLCPCB class (Basic)"),
    "RC0402FR-07330RL": ("C105875", "public parts list with the page jlcpcb.com/partdetail/C105875"),
    "SN74AHCT125PWR": ("C36365", "five public parts lists"),
    "AO3401A": ("C15127", "several public parts lists, one with its JLCPCB class (Basic)"),
    "SMF5.0A": ("C19077497", "public notes with the page jlcpcb.com/partdetail/hongjiacheng-SMF50A/C19077497"),
    "WS2812B-2020": ("C965555", "flux.ai/lcsc/ws2812b-2020~kra3, and the footprint of EasyEDA, which names it"),
}
"""By the manufacturer's number: the number at LCSC, and where it was found (November 2026)."""

ELSEWHERE = {
    "PPTC201LFBN-RC": (
        "Digi-Key 810158",
        "page digikey.com/en/products/detail/…/PPTC201LFBN-RC/810158, in two public projects",
    ),
    "PRPC040SAAN-RC": (
        "Digi-Key S1011EC-40-ND",
        "several public parts lists, one with the page …/PRPC040SAAN-RC/S1011EC-40-ND/2775214",
    ),
    "PRPC005DAAN-RC": (
        "Digi-Key S2011EC-05-ND",
        "several public parts lists, one with the page …/PRPC005DAAN-RC/S2011EC-05-ND/2775289",
    ),
    "SBH11-PBPC-D05-ST-BK": ("Digi-Key 1990062", "page digikey.com/en/products/detail/…/SBH11-PBPC-D05-ST-BK/1990062"),
    "1715721": (
        "Mouser 651-1715721",
        "public parts list; another compares the maker's drawing (5.08 mm) and names LCSC C5183929",
    ),
    "01500274Z": ("Mouser 576-01500274Z", "public parts list, as in-line holder for 5 x 20 mm"),
    "PS1240P02BT": (
        "Digi-Key 935924",
        "page digikey.com/en/products/detail/tdk-corporation/PS1240P02BT/935924, in two public projects",
    ),
    "B3F-1000": ("Digi-Key SW400-ND", "several public parts lists and schematics"),
    "EEUFR1C471": ("RS 7083620", "public parts list with the page uk.rs-online.com/web/p/aluminium-capacitors/7083620"),
    "SC0915": ("Digi-Key 13624793", "number of the page digikey.ca/en/products/detail/raspberry-pi/SC0915/13624793"),
    "S-02-03-N": ("supermagnete S-02-03-N", "page supermagnete.de/…/stabmagnet-2mm-3mm_S-02-03-N, cited as N45"),
}
"""Parts that the assembly house does not fit: distributor and number, and where it was found (November 2026)."""

UNCONFIRMED = {
    "DRV5032AJDBZR": "only one public design names a number (C266120): compare the name that the house shows for it",
    "SN74HCS165PWR": "no public source was found (searched again in November 2026)",
}
"""Parts that the assembly house fits and whose number is not confirmed, with the reason."""


def find_lcsc_number(mpn: str) -> str:
    """Return the number at LCSC of a manufacturer's number, or "" if none is confirmed."""
    return LCSC.get(mpn, ("", ""))[0]


CANDIDATES = {"DRV5032AJDBZR": "LCSC C266120 (compare the name)"}
"""Numbers from a single public design."""


def find_order_number(mpn: str) -> str:
    """Return a distributor and its number, such as `LCSC C1525`, or "" if none was found."""
    lcsc = find_lcsc_number(mpn)
    return f"LCSC {lcsc}" if lcsc else ELSEWHERE.get(mpn, (CANDIDATES.get(mpn, ""), ""))[0]


COLUMNS = ("quantity", "part", "value", "package", "number", "alternate", "note")
PRICE_COLUMNS = (
    *("quantity", "part", "value", "fitted_by", "number", "order_number"),
    *("estimate_eur_each", "estimate_eur_sum"),
)
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
    parts, quantities, facts = _load_parts(), _count_quantities(board), _describe_board(board)

    def rows(section: str) -> list[Row]:
        return [
            _part_row(quantities.get(count, count), texts, price, facts)
            for count, *texts, price in parts[section]
            if quantities.get(count, count)
        ]

    return [
        *rows("per_hole"), *rows("chips"), *rows("sockets" if carries_pico else "plugs"), *_circuit_board_rows(board),
        *rows("others"),
    ]  # fmt: skip


def add_sum(rows: list[Row]) -> list[Row]:
    """Return the rows of the price list and the sums of what the house fits, what you do, and all, for one board."""
    sums = {
        by: sum(float(row["estimate_eur_sum"] or 0) for row in rows if by in ("", row["fitted_by"]))
        for by in ("house", "you", "")
    }
    blank = dict.fromkeys(PRICE_COLUMNS, "")
    return rows + [
        blank | {"part": "sum", "fitted_by": by, "estimate_eur_sum": f"{total:.2f}"} for by, total in sums.items()
    ]


@cache
def _load_parts() -> dict[str, Any]:
    return tomllib.loads(files("companion.plugins.drawing").joinpath("parts.toml").read_text("utf-8"))


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
