"""Writes a template as SVG at 1:1 by svgwrite: a layer a group, in the board's own millimetres."""

from io import BytesIO, StringIO
from typing import Any

from companion.boards.geometry import Point
from companion.drawing.template import FOOT_MM, MARGIN_MM, PAPERS, REACH_MM, Label, Mark, Plan, Ring, check, sheets

SVG_LAYER_COLOURS = {"drill": "black", "lights": "gray", "engrave": "blue", "cut": "red", "check": "black"}


def template_svg(plan: Plan) -> bytes:
    """The file's bytes."""
    import svgwrite
    from svgwrite.extensions import Inkscape

    corner, far = plan.frame
    wide, high = far.x - corner.x, far.y - corner.y
    box = f"{corner.x:g} {corner.y:g} {wide:g} {high:g}"
    drawing = svgwrite.Drawing(size=(f"{wide:g}mm", f"{high:g}mm"), viewBox=box, debug=False)
    layers = Inkscape(drawing)
    for layer, marks in plan.layers.items():
        style = {"fill": "none", "stroke": SVG_LAYER_COLOURS[layer], "stroke_width": 0.1}
        group = drawing.add(layers.layer(label=layer, id=layer, **style))
        for mark in marks:
            if isinstance(mark, Ring):
                name = {"id": mark.name if layer == "drill" else f"light-of-{mark.name}"} if mark.name else {}
                group.add(drawing.circle((mark.at.x, mark.at.y), mark.across / 2, **name))
            elif isinstance(mark, Label):
                style = {"text_anchor": "middle", "font_size": mark.height, "font_family": "sans-serif"}
                at = (mark.at.x, mark.at.y + 0.35 * mark.height)
                group.add(drawing.text(mark.text, at, fill=SVG_LAYER_COLOURS[layer], stroke="none", **style))
            else:
                group.add(drawing.line(tuple(mark.start), tuple(mark.end)))
    written = StringIO()
    drawing.write(written, pretty=True, indent=1)
    return written.getvalue().encode()


DXF_LAYER_COLOURS = {"drill": 7, "lights": 8, "engrave": 5, "cut": 1, "check": 7}


def template_dxf(plan: Plan) -> bytes:
    """The file's bytes."""
    import ezdxf
    from ezdxf.enums import TextEntityAlignment

    drawing = ezdxf.new("R2010")  # type: ignore[attr-defined]
    drawing.units = ezdxf.units.MM
    space = drawing.modelspace()

    def at(point: Point) -> tuple[float, float]:
        return point.x, plan.far.y - point.y

    for layer, marks in plan.layers.items():
        drawing.layers.add(layer, color=DXF_LAYER_COLOURS[layer])
        on = {"layer": layer}
        for mark in marks:
            if isinstance(mark, Ring):
                space.add_circle(at(mark.at), mark.across / 2, dxfattribs=on)
            elif isinstance(mark, Label):
                text = space.add_text(mark.text, height=mark.height * 0.7, dxfattribs=on)
                text.set_placement(at(mark.at), align=TextEntityAlignment.MIDDLE_CENTER)
            else:
                space.add_line(at(mark.start), at(mark.end), dxfattribs=on)
    written = StringIO()
    drawing.write(written)
    return written.getvalue().encode()


MM = 72 / 25.4
PDF_LAYER_COLOURS = {
    "drill": (0, 0, 0),
    "lights": (0.45, 0.45, 0.45),
    "engrave": (0, 0.2, 0.8),
    "cut": (0.8, 0, 0),
    "check": (0, 0, 0),
}
FONT = "Helvetica"


def template_pdf(plan: Plan, paper: str) -> bytes:
    """The file's bytes."""
    from reportlab.pdfgen.canvas import Canvas

    written = BytesIO()
    canvas = Canvas(written, invariant=1)
    canvas.setTitle(f"{plan.name}, template at 1:1")
    laid = list(sheets(plan, paper))
    wide, high = PAPERS[paper]
    for n, sheet in enumerate(laid, 1):
        canvas.setPageSize((wide * MM, high * MM))
        pen = _Pen(canvas, Point(sheet.corner.x - MARGIN_MM, sheet.corner.y - MARGIN_MM), high)
        canvas.saveState()
        pen.clip(sheet.corner, sheet.far, REACH_MM)
        for layer, marks in plan.layers.items():
            if layer != "check":
                pen.layer(layer, [mark for mark in marks if sheet.shows(mark)])
        canvas.restoreState()
        for x in (sheet.corner.x, sheet.far.x):
            for y in (sheet.corner.y, sheet.far.y):
                pen.cross(Point(x, y))
        foot = Point(sheet.corner.x + 10, sheet.far.y + FOOT_MM - 16)
        pen.layer("check", [*check(foot), Label(Point(foot.x + 145, foot.y), f"{plan.name} {n}/{len(laid)}", 4)])
        place = f"column {sheet.column}, row {sheet.row}"
        pen.layer("check", [Label(Point(foot.x + 145, foot.y + 4.5), place)])
        canvas.showPage()
    corner, far = plan.frame
    canvas.setPageSize(((far.x - corner.x) * MM, (far.y - corner.y) * MM))
    pen = _Pen(canvas, corner, far.y - corner.y)
    for layer, marks in plan.layers.items():
        pen.layer(layer, marks)
    canvas.showPage()
    canvas.save()
    return written.getvalue()


class _Pen:
    """Draws in the board's millimetres on a page whose upper left corner is at `origin` and which is `high`."""

    def __init__(self, canvas: Any, origin: Point, high: float) -> None:
        self._canvas = canvas
        self._origin = origin
        self._high = high

    def _at(self, point: Point) -> tuple[float, float]:
        return (point.x - self._origin.x) * MM, (self._high - (point.y - self._origin.y)) * MM

    def clip(self, corner: Point, far: Point, reach: float) -> None:
        """Nothing is drawn beyond these corners and so much more."""
        x, y = self._at(Point(corner.x - reach, far.y + reach))
        path = self._canvas.beginPath()
        path.rect(x, y, (far.x - corner.x + 2 * reach) * MM, (far.y - corner.y + 2 * reach) * MM)
        self._canvas.clipPath(path, stroke=0)

    def layer(self, layer: str, marks: list[Mark] | tuple[Mark, ...]) -> None:
        """All marks of a layer in its colour."""
        self._canvas.setStrokeColorRGB(*PDF_LAYER_COLOURS[layer])
        self._canvas.setFillColorRGB(*PDF_LAYER_COLOURS[layer])
        self._canvas.setLineWidth(0.1 * MM)
        for mark in marks:
            if isinstance(mark, Ring):
                x, y = self._at(mark.at)
                self._canvas.circle(x, y, mark.across / 2 * MM)
                if layer == "drill":
                    self._cross(mark.at, 0.8)
            elif isinstance(mark, Label):
                x, y = self._at(mark.at)
                self._canvas.setFont(FONT, mark.height * MM)
                self._canvas.drawCentredString(x, y - 0.35 * mark.height * MM, mark.text)
            else:
                self._canvas.line(*self._at(mark.start), *self._at(mark.end))

    def cross(self, at: Point) -> None:
        """A mark by which sheets are laid on one another."""
        self._canvas.setStrokeColorRGB(0, 0, 0)
        self._canvas.setLineWidth(0.1 * MM)
        self._canvas.circle(*self._at(at), 2 * MM)
        self._cross(at, 4)

    def _cross(self, at: Point, arm: float) -> None:
        self._canvas.line(*self._at(Point(at.x - arm, at.y)), *self._at(Point(at.x + arm, at.y)))
        self._canvas.line(*self._at(Point(at.x, at.y - arm)), *self._at(Point(at.x, at.y + arm)))
