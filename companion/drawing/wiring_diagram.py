"""The wiring of a board as a table and as a picture: which hole is which bit and pixel, and where it enters."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import Any

from companion.boards.board import Board
from companion.boards.geometry import Point
from companion.boards.light_positions import lights
from companion.boards.wiring import Tile
from companion.drawing.template import EDGE_MM, HOLE_MM, LIGHT_HOLE_MM

COLUMNS = ("bit", "pixel", "hole", "tile", "pin")
COLOURS = ("#b00020", "#00508f", "#2e7d32", "#8a4b00", "#6a1b9a")


def rows(board: Board) -> list[dict[str, str]]:
    """A row for each bit of the chain, the one clocked in first first. What is tied has no hole; it says to what."""
    pixel = {name: str(at) for at, name in enumerate(board.wiring.pixels) if name is not None}
    found = []
    for bit, wire in enumerate(board.wiring.chain):
        hole = wire if isinstance(wire, str) else ""
        tied = {0: " to 3V3", 1: " to GND"}.get(wire, "") if isinstance(wire, int) else ""
        pin = board.wiring.pin(bit) + (tied if not hole else "")
        found.append(
            dict(zip(COLUMNS, (str(bit), pixel.get(hole, ""), hole, board.wiring.tile(bit).name, pin), strict=True))
        )
    return found


def as_csv(columns: Sequence[str], table: Iterable[Mapping[str, str]]) -> bytes:
    """A table with a head."""
    written = StringIO()
    writer = csv.DictWriter(written, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return written.getvalue().encode()


def wiring_svg(board: Board) -> bytes:
    """The holes with the number of their bit, the lights with that of their pixel; each tile's chain as a line."""
    import svgwrite

    xs, ys = [hole.x_mm for hole in board.holes], [hole.y_mm for hole in board.holes]
    left, top = min(xs) - EDGE_MM, min(ys) - EDGE_MM
    wide, high = max(xs) + EDGE_MM - left, max(ys) + EDGE_MM - top
    box = f"{left:g} {top:g} {wide:g} {high:g}"
    drawing = svgwrite.Drawing(size=(f"{3 * wide:g}mm", f"{3 * high:g}mm"), viewBox=box, debug=False)
    at = {hole.id: Point(hole.x_mm, hole.y_mm) for hole in board.holes}
    beside = lights(board)
    for n, tile in enumerate(board.wiring.tiles):
        group = drawing.add(drawing.g(id=f"tile-{tile.name}", fill="none", stroke=COLOURS[n % len(COLOURS)]))
        group.update({"stroke-width": 0.3})
        _tile(drawing, group, board, tile, at)
    words = drawing.add(drawing.g(text_anchor="middle", font_family="sans-serif", font_size=1.5))
    pixels = {name: number for number, name in enumerate(board.wiring.pixels) if name is not None}
    bits = {wire: bit for bit, wire in enumerate(board.wiring.chain) if isinstance(wire, str)}
    for hole, place in at.items():
        words.add(drawing.text(str(bits[hole]), (place.x, place.y + 0.5)))
        light = beside[hole]
        words.add(drawing.text(str(pixels[hole]), (light.x, light.y + 0.4), font_size=1.1, fill="gray"))
    for name, pip in board.bare.items():
        place = Point(pip.x_mm, pip.y_mm)
        drawing.add(drawing.circle(tuple(place), LIGHT_HOLE_MM / 2, fill="none", stroke="gray", stroke_width=0.1))
        words.add(drawing.text(str(pixels[name]), (place.x, place.y + 0.4), font_size=1.1, fill="gray"))
    written = StringIO()
    drawing.write(written, pretty=True, indent=1)
    return written.getvalue().encode()


def _tile(drawing: Any, group: Any, board: Board, tile: Tile, at: Mapping[str, Point]) -> None:
    wires = board.wiring.chain[tile.first : tile.first + tile.count]
    places = [at[wire] for wire in wires if isinstance(wire, str)]
    group.add(drawing.polyline([tuple(place) for place in places], stroke_opacity=0.4))
    for wire in wires:
        if isinstance(wire, str):
            group.add(drawing.circle(tuple(at[wire]), HOLE_MM / 2, id=f"hole-{wire}", fill="white"))
    name = drawing.text(tile.name, (places[0].x, places[0].y + 4), font_size=2, font_family="sans-serif")
    group.add(name.update({"stroke": "none", "fill": group["stroke"], "text-anchor": "middle"}) or name)
