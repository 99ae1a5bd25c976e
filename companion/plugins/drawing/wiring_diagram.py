"""Wiring of a board as a table and as a picture: bit, pixel, tile and pin of each hole."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO

from companion.boards.board import Board, Tile
from companion.boards.geometry import Point, compute_light_positions
from companion.plugins.drawing.template import (
    EDGE_MARGIN_MM,
    HOLE_DIAMETER_MM,
    LIGHT_HOLE_DIAMETER_MM,
    Element,
    add_circle,
    add_element,
    add_text,
    create_svg,
    format_svg,
)

COLUMNS = ("bit", "pixel", "hole", "tile", "pin")
TILE_COLOURS = ("#b00020", "#00508f", "#2e7d32", "#8a4b00", "#6a1b9a")


def wiring_rows(board: Board) -> list[dict[str, str]]:
    """Return a row for each bit of the chain, first clocked in first.

    A tied input has no hole, and its pin says the level.
    """
    pixel = {name: str(at) for at, name in enumerate(board.wiring.pixels) if name is not None}
    rows = []
    for bit, wire in enumerate(board.wiring.chain):
        hole = wire if isinstance(wire, str) else ""
        tied = {0: " to 3V3", 1: " to GND"}.get(wire, "") if isinstance(wire, int) else ""
        pin = board.wiring.pin_name(bit) + (tied if not hole else "")
        cells = str(bit), pixel.get(hole, ""), hole, board.wiring.find_tile(bit).name, pin
        rows.append(dict(zip(COLUMNS, cells, strict=True)))
    return rows


def format_csv(columns: Sequence[str], table: Iterable[Mapping[str, str]]) -> bytes:
    written = StringIO()
    writer = csv.DictWriter(written, columns, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(table)
    return written.getvalue().encode()


def wiring_svg(board: Board) -> bytes:
    """Return an SVG file with the bit number of each hole, the pixel number of each light and each tile's chain."""
    xs, ys = [hole.x_mm for hole in board.holes], [hole.y_mm for hole in board.holes]
    corner = Point(min(xs) - EDGE_MARGIN_MM, min(ys) - EDGE_MARGIN_MM)
    far = Point(max(xs) + EDGE_MARGIN_MM, max(ys) + EDGE_MARGIN_MM)
    drawing = create_svg(corner, far, scale=3)
    at = {hole.id: Point(hole.x_mm, hole.y_mm) for hole in board.holes}
    light_positions = compute_light_positions(board)
    for n, tile in enumerate(board.wiring.tiles):
        _draw_tile(drawing, board, tile, at, TILE_COLOURS[n % len(TILE_COLOURS)])
    numbers = add_element(drawing, "g", text_anchor="middle", font_family="sans-serif", font_size=1.5)
    pixels = {name: number for number, name in enumerate(board.wiring.pixels) if name is not None}
    bits = {wire: bit for bit, wire in enumerate(board.wiring.chain) if isinstance(wire, str)}
    for hole, place in at.items():
        add_text(numbers, str(bits[hole]), place.x, place.y + 0.5)
        light = light_positions[hole]
        add_text(numbers, str(pixels[hole]), light.x, light.y + 0.4, font_size=1.1, fill="gray")
    for name, pip in board.holeless_pixels.items():
        place = Point(pip.x_mm, pip.y_mm)
        add_circle(drawing, place, LIGHT_HOLE_DIAMETER_MM, fill="none", stroke="gray", stroke_width=0.1)
        add_text(numbers, str(pixels[name]), place.x, place.y + 0.4, font_size=1.1, fill="gray")
    return format_svg(drawing)


def _draw_tile(drawing: Element, board: Board, tile: Tile, at: Mapping[str, Point], colour: str) -> None:
    group = add_element(drawing, "g", id=f"tile-{tile.name}", fill="none", stroke=colour, stroke_width=0.3)
    holes = [wire for wire in board.wiring.chain[tile.first : tile.first + tile.count] if isinstance(wire, str)]
    points = " ".join(f"{at[hole].x},{at[hole].y}" for hole in holes)
    add_element(group, "polyline", points=points, stroke_opacity=0.4)
    for hole in holes:
        add_circle(group, at[hole], HOLE_DIAMETER_MM, id=f"hole-{hole}", fill="white")
    font = {"text_anchor": "middle", "font_size": 2, "font_family": "sans-serif"}
    first = at[holes[0]]
    add_text(group, tile.name, first.x, first.y + 4, fill=colour, stroke="none", **font)
