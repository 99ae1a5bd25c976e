"""Symbols of parts, wires and names of nets on a sheet. Pure; millimetres, y downwards.

What is connected is what can be seen: a wire joins whatever its ends or a dot touch, and a name joins its net.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.boards.geometry import Point
from companion.plugins.drawing.template import Element, add_element, add_text, create_svg
from hardware.pcb.circuit import Placed

A3_MM, A4_MM = (420, 297), (297, 210)
"""Landscape."""
STUB_MM = 4.0
"""Length of the line that is a pin."""
PITCH_MM = 5.0
"""From pin to pin of a chip or plug."""

STYLES = {
    "frame": ("#222222", 0.35, None),
    "body": ("#8a1c1c", 0.3, "#fffbe6"),
    "shape": ("#8a1c1c", 0.3, None),
    "solid": ("#8a1c1c", 0.3, "#8a1c1c"),
    "pin": ("#8a1c1c", 0.2, None),
    "wire": ("#00713a", 0.25, None),
    "dot": ("#00713a", 0.1, "#00713a"),
    "mark": ("#1f4fa0", 0.2, None),
    "cross": ("#666666", 0.2, None),
}
"""Stroke, its width in millimetres, and fill of each class of shape."""
TEXT_COLOURS = {
    "ref": "#111111", "value": "#444444", "number": "#8a1c1c", "name": "#8a1c1c", "net": "#1f4fa0", "title": "#111111",
    "note": "#333333",
}  # fmt: skip


class PinSpot(NamedTuple):
    """A pin of a box: its number, the side it is on (`left`, `right`, `top`, `bottom`), and how far along, in mm."""

    number: str
    side: str
    along: float


DIRECTIONS = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}
ANCHORS = {"left": "end", "right": "start", "top": "middle", "bottom": "middle"}


class Sheet:
    """A sheet that is being drawn. `drawing` is its SVG."""

    def __init__(self, title: str, size: tuple[int, int] = A3_MM) -> None:
        self.title = title
        self.width, self.height = size
        self.drawing = create_svg(Point(0, 0), Point(self.width, self.height))
        self.drawing.set("font-family", "Helvetica, Arial, sans-serif")
        add_element(self.drawing, "style", _format_styles())
        add_element(self.drawing, "rect", width=self.width, height=self.height, fill="#ffffff")

    def add_line(self, points: Iterable[Point], kind: str, parent: Element | None = None) -> None:
        """Draw a line through points."""
        text = " ".join(f"{x:g},{y:g}" for x, y in points)
        add_element(self.drawing if parent is None else parent, "polyline", None, points=text, **{"class": kind})

    def add_rectangle(self, corner: Point, width: float, height: float, parent: Element, kind: str = "body") -> None:
        """Draw a rectangle."""
        size = {"width": f"{width:g}", "height": f"{height:g}", "class": kind}
        add_element(parent, "rect", None, x=f"{corner.x:g}", y=f"{corner.y:g}", **size)

    def add_words(
        self, text: str, at: Point, kind: str, size: float, parent: Element | None = None, anchor: str = "start"
    ) -> None:
        """Write a text of `size` millimetres."""
        add_text(
            self.drawing if parent is None else parent, text, f"{at.x:g}", f"{at.y:g}",  # type: ignore[arg-type]
            font_size=f"{size:g}", text_anchor=anchor, **{"class": kind},
        )  # fmt: skip

    def add_wire(self, *points: Point) -> None:
        """Join points with a wire. Its corners connect nothing."""
        self.add_line(points, "wire")

    def add_dot(self, at: Point) -> None:
        """Mark a place where three wires or pins meet."""
        add_element(self.drawing, "circle", None, cx=f"{at.x:g}", cy=f"{at.y:g}", r="0.5", **{"class": "dot"})

    def name_net(self, net: str, at: Point, side: str) -> None:
        """Write the name of a net at the end of a wire or pin that leaves to this side; no net is a cross."""
        x, y = at
        if not net:
            for slope in (-1, 1):
                self.add_line([Point(x - 0.8, y - 0.8 * slope), Point(x + 0.8, y + 0.8 * slope)], "cross")
            return
        mark = add_element(self.drawing, "g", None, **{"class": "net-mark"})
        dx, dy = DIRECTIONS[side]
        if dx:
            tip, back = Point(x + 1.2 * dx, y - 1.2), Point(x + 1.2 * dx, y + 1.2)
            self.add_line([at, tip, back, at], "mark", mark)
            self.add_words(net, Point(x + 1.8 * dx, y + 0.6), "net", 1.8, mark, ANCHORS[side])
        elif net == "GND":
            self.add_line([at, Point(x, y + 1.5 * dy)], "mark", mark)
            for n, half in enumerate((1.8, 1.2, 0.6)):
                level = y + (1.5 + 0.6 * n) * dy
                self.add_line([Point(x - half, level), Point(x + half, level)], "mark", mark)
            self.add_words(net, Point(x, y + dy * 4.0 + (1.4 if dy > 0 else 0)), "net", 1.6, mark, "middle")
        else:
            self.add_line([at, Point(x, y + 1.5 * dy)], "mark", mark)
            self.add_line([Point(x - 1.5, y + 1.5 * dy), Point(x + 1.5, y + 1.5 * dy)], "mark", mark)
            self.add_words(net, Point(x, y + dy * 2.1 + (1.4 if dy > 0 else 0)), "net", 1.8, mark, "middle")

    def _start_part(self, part: Placed, ref_at: Point, value_at: Point, anchor: str) -> Element:
        group = add_element(self.drawing, "g", None, **{"class": "part"})
        self.add_words(part.ref, ref_at, "ref", 2.2, group, anchor)
        self.add_words(part.kind.value, value_at, "value", 1.8, group, anchor)
        return group

    def _add_pin(self, number: str, inner: Point, outer: Point, group: Element) -> None:
        """Draw a pin from the symbol to where it is connected, with its number."""
        pin = add_element(group, "g", None, **{"class": "pin-of-part"})
        self.add_line([inner, outer], "pin", pin)
        middle = Point((inner.x + outer.x) / 2, (inner.y + outer.y) / 2)
        at = Point(middle.x, middle.y - 0.5) if inner.y == outer.y else Point(middle.x + 0.5, middle.y + 0.6)
        self.add_words(number, at, "number", 1.6, pin, "middle" if inner.y == outer.y else "start")

    def add_box(
        self,
        part: Placed,
        corner: Point,
        width: float,
        height: float,
        pins: Sequence[PinSpot],
        *,
        names: bool = True,
        words: str = "above",
    ) -> dict[str, Point]:
        """Draw a part as a box with its pins. Return where each pin is connected.

        `words` puts its name and value `above`, or below and to the `left` or `right`.
        """
        x, y = corner
        if words == "above":
            at, anchor = Point(x, y - 3.6), "start"
        else:
            anchor = ANCHORS[words]
            at = Point(x + width + 2, y + height + 2) if words == "right" else Point(x + 7, y + height + 2.4)
        group = self._start_part(part, at, Point(at.x, at.y + 2.4), anchor)
        self.add_rectangle(corner, width, height, group)
        ends = {}
        for number, side, along in pins:
            dx, dy = DIRECTIONS[side]
            inner = Point(x + (width if dx > 0 else 0 if dx else along), y + (height if dy > 0 else 0 if dy else along))
            ends[number] = Point(inner.x + dx * STUB_MM, inner.y + dy * STUB_MM)
            self._add_pin(number, inner, ends[number], group)
            if names:
                at = Point(inner.x - dx, inner.y + 0.6) if dx else Point(inner.x, inner.y + (2.2 if dy < 0 else -0.8))
                anchor = {1: "end", -1: "start", 0: "middle"}[dx]
                self.add_words(part.kind.pins[number][0], at, "name", 1.6, group, anchor)
        return ends

    def add_resistor(self, part: Placed, top: Point, length: float = 10.0, *, flat: bool = False) -> dict[str, Point]:
        """Draw a resistor downwards from `top`, or to the right if `flat`. Return its ends, pin 1 first."""
        x, y = top
        if flat:
            group = self._start_part(part, Point(x + length / 2, y - 2.2), Point(x + length / 2, y + 3.4), "middle")
            self.add_rectangle(Point(x + length / 2 - 2.5, y - 1), 5, 2, group)
            inner, far = (Point(x + length / 2 - 2.5, y), Point(x + length / 2 + 2.5, y)), Point(x + length, y)
        else:
            group = self._start_part(
                part, Point(x + 1.6, y + length / 2 - 0.4), Point(x + 1.6, y + length / 2 + 1.8), "start"
            )
            self.add_rectangle(Point(x - 1, y + length / 2 - 2), 2, 4, group)
            inner, far = (Point(x, y + length / 2 - 2), Point(x, y + length / 2 + 2)), Point(x, y + length)
        self._add_pin("1", inner[0], top, group)
        self._add_pin("2", inner[1], far, group)
        return {"1": top, "2": far}

    def add_capacitor(self, part: Placed, top: Point, length: float, *, plus: bool = False) -> dict[str, Point]:
        """Draw a capacitor downwards from `top`; `plus` marks pin 1 of one with a polarity."""
        x, y = top
        middle = y + length / 2
        group = self._start_part(part, Point(x + 2.4, middle - 0.4), Point(x + 2.4, middle + 1.9), "start")
        for level in (middle - 0.6, middle + 0.6):
            self.add_line([Point(x - 2, level), Point(x + 2, level)], "shape", group)
        if plus:
            self.add_words("+", Point(x - 2.6, middle - 1), "number", 2, group, "end")
        far = Point(x, y + length)
        self._add_pin("1", Point(x, middle - 0.6), top, group)
        self._add_pin("2", Point(x, middle + 0.6), far, group)
        return {"1": top, "2": far}

    def add_clamp(self, part: Placed, top: Point, length: float) -> dict[str, Point]:
        """Draw a diode that clamps, cathode (pin 1) up."""
        x, y = top
        middle = y + length / 2
        group = self._start_part(part, Point(x + 3, middle - 0.4), Point(x + 3, middle + 1.9), "start")
        triangle = [Point(x, middle - 1.5), Point(x - 1.8, middle + 1.5), Point(x + 1.8, middle + 1.5)]
        self.add_line([*triangle, triangle[0]], "solid", group)
        bar = [(-2.4, -0.7), (-1.8, -1.5), (1.8, -1.5), (2.4, -2.3)]
        self.add_line([Point(x + dx, middle + dy) for dx, dy in bar], "shape", group)
        far = Point(x, y + length)
        self._add_pin("1", Point(x, middle - 1.5), top, group)
        self._add_pin("2", Point(x, middle + 1.5), far, group)
        return {"1": top, "2": far}

    def add_p_channel(self, part: Placed, left: Point) -> dict[str, Point]:
        """Draw a P-channel MOSFET: drain (pin 3) to the left, source (pin 2) to the right, gate below."""
        x, y = left
        group = self._start_part(part, Point(x + 10, y - 6.6), Point(x + 10, y - 4.4), "middle")
        channel, gate = y + 2, y + 3.2
        for start in (5.5, 8.5, 11.5):
            self.add_line([Point(x + start, channel), Point(x + start + 3, channel)], "shape", group)
        self.add_line([Point(x + 5.5, gate), Point(x + 14.5, gate)], "shape", group)
        for at in (6, 14):
            self.add_line([Point(x + at, channel), Point(x + at, y)], "shape", group)
        for ends in ([(6, 0), (6, -3), (8.8, -3)], [(11.2, -3), (14, -3), (14, 0)], [(11.2, -4.2), (11.2, -1.8)]):
            self.add_line([Point(x + dx, y + dy) for dx, dy in ends], "shape", group)
        self.add_line(
            [Point(x + dx, y + dy) for dx, dy in ((8.8, -4.2), (11.2, -3), (8.8, -1.8), (8.8, -4.2))], "solid", group
        )
        ends = {"3": left, "2": Point(x + 20, y), "1": Point(x + 10, y + 8)}
        self._add_pin("3", Point(x + 6, y), ends["3"], group)
        self._add_pin("2", Point(x + 14, y), ends["2"], group)
        self._add_pin("1", Point(x + 10, gate), ends["1"], group)
        for text, at in (("D", Point(x + 4.6, y + 2)), ("S", Point(x + 15.4, y + 2)), ("G", Point(x + 8.4, y + 6))):
            self.add_words(text, at, "name", 1.6, group, "middle")
        return ends


def _format_styles() -> str:
    shapes = [
        f".{kind}{{stroke:{stroke};stroke-width:{width};fill:{fill or 'none'}}}"
        for kind, (stroke, width, fill) in STYLES.items()
    ]
    return "".join([*shapes, *(f".{kind}{{fill:{colour}}}" for kind, colour in TEXT_COLOURS.items())])
