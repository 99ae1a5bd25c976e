"""Draws the breadboard of the strip of ten holes: `python -m docs.pictures.draw_strip` writes strip.svg beside it."""

from pathlib import Path

from companion.boards.geometry import Point
from companion.plugins.drawing.template import Element, add_circle, add_element, add_text, create_svg, format_svg

COLUMNS = 63
"""Of a breadboard of 830 points."""
PITCH_MM = 2.54
ROW_NAMES = "jihgfedcba"
SWITCHES, COLUMNS_PER_SWITCH = 10, 3
FIRST_SWITCH_COLUMN = 2
LEGS = ("VCC", "GND", "OUT")
"""From the left, seen from the marked face."""
CHIPS = (("U1 74HC165", 34, 8), ("U2 74HC165", 43, 8), ("74AHCT125", 53, 7))
"""Name, first column and pins on each side; pin 1 is at the lower left."""
NETWORKS = (("8 x 10k", 3, 9), ("8 x 10k", 15, 9))
"""Name, first column (the common pin) and pins."""
LEFT_MM, TOP_MM, CHANNEL_MM = 8.0, 24.0, 7.62


def column_x(column: int) -> float:
    """Return where a column is, 1 to COLUMNS."""
    return LEFT_MM + PITCH_MM * (column - 1)


def list_taken_columns() -> tuple[list[range], list[range]]:
    """Return the columns of each part in the upper and in the lower half, whose five holes each are joined."""
    chips, networks = ([range(first, first + pins) for _, first, pins in kind] for kind in (CHIPS, NETWORKS))
    starts = (FIRST_SWITCH_COLUMN + COLUMNS_PER_SWITCH * n for n in range(SWITCHES))
    return [*(range(start, start + COLUMNS_PER_SWITCH) for start in starts), *chips], [*networks, *chips]


def draw_strip() -> Element:
    """Return the picture: one breadboard, switches in its upper half, chips across its channel."""
    width, height = column_x(COLUMNS) + LEFT_MM, TOP_MM + 46
    drawing = create_svg(Point(0, 0), Point(width, height), scale=1.5)
    drawing.set("font-family", "sans-serif")
    add_element(drawing, "rect", x=0, y=0, width=f"{width:g}", height=f"{height:g}", fill="#ffffff")
    add_element(
        drawing, "rect", x=2, y=TOP_MM - 4, width=f"{width - 4:g}", height=38, rx=2, fill="#f3efe3", stroke="#999999",
        stroke_width=0.3,
    )  # fmt: skip
    for column in range(1, COLUMNS + 1):
        for row in range(len(ROW_NAMES)):
            add_circle(drawing, Point(round(column_x(column), 2), _row_y(row)), 0.9, fill="#bbbbbb")
        if column == 1 or column % 5 == 0:
            add_text(drawing, str(column), round(column_x(column), 2), TOP_MM + 33, font_size=1.8, text_anchor="middle")
    for n in range(SWITCHES):
        _draw_switch(drawing, n)
    for name, first, pins in CHIPS:
        _draw_body(drawing, name, first, pins, _row_y(4) + 0.6, _row_y(5) - 0.6, "#333333")
        for k in range(pins):
            for row in (4, 5):
                add_circle(drawing, Point(round(column_x(first + k), 2), _row_y(row)), 1.1, fill="#888888")
        add_circle(drawing, Point(round(column_x(first) + 0.2, 2), _row_y(5) - 1.4), 0.9, fill="#ffffff")
    for name, first, pins in NETWORKS:
        _draw_body(drawing, name, first, pins, _row_y(8) - 1, _row_y(8) + 1, "#7a4a1e")
        add_circle(drawing, Point(round(column_x(first), 2), _row_y(8)), 0.8, fill="#ffffff")
    notes = (
        f"Ten switches, {COLUMNS_PER_SWITCH} columns each: {COLUMNS_PER_SWITCH * PITCH_MM:g} mm from hole to hole. "
        "The legs of each from the left: VCC, GND, output.",
        "A white dot is pin 1 of a chip, or the common pin of a network. Wires are in the table and the steps.",
    )
    for n, note in enumerate(notes):
        add_text(drawing, note, 4, 5 + 4 * n, font_size=2.8)
    return drawing


def _row_y(row: int) -> float:
    return round(TOP_MM + PITCH_MM * row + (CHANNEL_MM - PITCH_MM if row > 4 else 0), 2)


def _draw_switch(drawing: Element, n: int) -> None:
    first = FIRST_SWITCH_COLUMN + COLUMNS_PER_SWITCH * n
    x, y = column_x(first + 1), TOP_MM - 8
    add_element(
        drawing, "rect", x=f"{x - 2:.2f}", y=f"{y:.2f}", width=4, height=3.2, rx=0.5, fill="#222222",
    )  # fmt: skip
    add_text(drawing, str(n + 1), f"{x:.2f}", f"{y + 2.3:.2f}", font_size=2, text_anchor="middle", fill="#ffffff")  # type: ignore[arg-type]
    for k, leg in enumerate(LEGS):
        column, colour = column_x(first + k), {"VCC": "#c0392b", "GND": "#222222", "OUT": "#1f7a3a"}[leg]
        add_element(
            drawing, "line", x1=f"{x + 1.27 * (k - 1):.2f}", y1=f"{y + 3.2:.2f}", x2=f"{column:.2f}", y2=_row_y(0),
            stroke=colour, stroke_width=0.5,
        )  # fmt: skip
        add_circle(drawing, Point(round(column, 2), _row_y(0)), 1.1, fill=colour)


def _draw_body(drawing: Element, name: str, first: int, pins: int, top: float, bottom: float, fill: str) -> None:
    left, right = column_x(first) - 1, column_x(first + pins - 1) + 1
    add_element(
        drawing, "rect", x=f"{left:.2f}", y=f"{top:.2f}", width=f"{right - left:.2f}", height=f"{bottom - top:.2f}",
        rx=0.6, fill=fill,
    )  # fmt: skip
    middle = (left + right) / 2, (top + bottom) / 2 + 0.8
    add_text(drawing, name, f"{middle[0]:.2f}", f"{middle[1]:.2f}", font_size=2.2, text_anchor="middle", fill="#ffffff")  # type: ignore[arg-type]


def main() -> None:
    """Write the picture."""
    Path(__file__).with_name("strip.svg").write_bytes(format_svg(draw_strip()))


if __name__ == "__main__":
    main()
