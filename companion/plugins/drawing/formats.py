"""Write a drilling template as SVG, DXF or PDF at 1:1, in millimetres."""

from io import BytesIO, StringIO
from typing import Any

from companion.boards.geometry import Point
from companion.plugins.drawing.template import (
    FOOTER_MM,
    PAPER_MARGIN_MM,
    PAPER_SIZES_MM,
    SHEET_OVERLAP_MM,
    CircleMark,
    DrillingTemplate,
    TemplateMark,
    TextMark,
    add_circle,
    add_element,
    add_text,
    check_line,
    create_svg,
    format_svg,
    tile_template,
)

LAYER_COLOURS: dict[str, tuple[str, int, tuple[float, float, float]]] = {
    "drill": ("black", 7, (0, 0, 0)),
    "lights": ("gray", 8, (0.45, 0.45, 0.45)),
    "screws": ("green", 3, (0, 0.5, 0)),
    "engrave": ("blue", 5, (0, 0.2, 0.8)),
    "cut": ("red", 1, (0.8, 0, 0)),
    "check": ("black", 7, (0, 0, 0)),
}
"""The colour of each layer in SVG, in DXF and in PDF."""


def template_svg(template: DrillingTemplate) -> bytes:
    """Return the template as an SVG file with one Inkscape layer per layer."""
    drawing = create_svg(*template.frame)
    for layer, marks in template.layers.items():
        colour, _, _ = LAYER_COLOURS[layer]
        inkscape = {"inkscape:groupmode": "layer", "inkscape:label": layer}
        group = add_element(drawing, "g", id=layer, fill="none", stroke=colour, stroke_width=0.1, **inkscape)
        for mark in marks:
            if isinstance(mark, CircleMark):
                name = {"id": mark.name if layer == "drill" else f"light-of-{mark.name}"} if mark.name else {}
                add_circle(group, mark.at, mark.diameter, **name)
            elif isinstance(mark, TextMark):
                font = {"text_anchor": "middle", "font_size": mark.height, "font_family": "sans-serif"}
                x, y = mark.at.x, mark.at.y + 0.35 * mark.height
                add_text(group, mark.text, x, y, fill=colour, stroke="none", **font)
            else:
                add_element(group, "line", x1=mark.start.x, y1=mark.start.y, x2=mark.end.x, y2=mark.end.y)
    return format_svg(drawing)


def template_dxf(template: DrillingTemplate) -> bytes:
    """Return the template as a DXF file. Its y axis points up from the lower edge of the wood."""
    import ezdxf
    from ezdxf.enums import TextEntityAlignment

    drawing = ezdxf.new("R2010")  # type: ignore[attr-defined]
    drawing.units = ezdxf.units.MM
    space = drawing.modelspace()

    def at(point: Point) -> tuple[float, float]:
        return point.x, template.far.y - point.y

    for layer, marks in template.layers.items():
        drawing.layers.add(layer, color=LAYER_COLOURS[layer][1])
        layer_attributes = {"layer": layer}
        for mark in marks:
            if isinstance(mark, CircleMark):
                space.add_circle(at(mark.at), mark.diameter / 2, dxfattribs=layer_attributes)
            elif isinstance(mark, TextMark):
                text = space.add_text(mark.text, height=mark.height * 0.7, dxfattribs=layer_attributes)
                text.set_placement(at(mark.at), align=TextEntityAlignment.MIDDLE_CENTER)
            else:
                space.add_line(at(mark.start), at(mark.end), dxfattribs=layer_attributes)
    written = StringIO()
    drawing.write(written)
    return written.getvalue().encode()


POINTS_PER_MM = 72 / 25.4
FONT = "Helvetica"


def template_pdf(template: DrillingTemplate, paper: str) -> bytes:
    """Return the template as a PDF file: sheets of `paper` with alignment marks, then the whole on one page."""
    from reportlab.pdfgen.canvas import Canvas

    written = BytesIO()
    canvas = Canvas(written, invariant=1)
    canvas.setTitle(f"{template.name}, template at 1:1")
    sheets = list(tile_template(template, paper))
    width, height = PAPER_SIZES_MM[paper]
    for n, sheet in enumerate(sheets, 1):
        canvas.setPageSize((width * POINTS_PER_MM, height * POINTS_PER_MM))
        pen = _PdfPen(canvas, Point(sheet.corner.x - PAPER_MARGIN_MM, sheet.corner.y - PAPER_MARGIN_MM), height)
        canvas.saveState()
        pen.clip_to(sheet.corner, sheet.far, SHEET_OVERLAP_MM)
        for layer, marks in template.layers.items():
            if layer != "check":
                pen.draw_layer(layer, [mark for mark in marks if sheet.owns_mark(mark)])
        canvas.restoreState()
        for x in (sheet.corner.x, sheet.far.x):
            for y in (sheet.corner.y, sheet.far.y):
                pen.draw_register_mark(Point(x, y))
        foot = Point(sheet.corner.x + 10, sheet.far.y + FOOTER_MM - 16)
        pen.draw_layer(
            "check", [*check_line(foot), TextMark(Point(foot.x + 145, foot.y), f"{template.name} {n}/{len(sheets)}", 4)]
        )
        place = f"column {sheet.column}, row {sheet.row}"
        pen.draw_layer("check", [TextMark(Point(foot.x + 145, foot.y + 4.5), place)])
        canvas.showPage()
    corner, far = template.frame
    canvas.setPageSize(((far.x - corner.x) * POINTS_PER_MM, (far.y - corner.y) * POINTS_PER_MM))
    pen = _PdfPen(canvas, corner, far.y - corner.y)
    for layer, marks in template.layers.items():
        pen.draw_layer(layer, marks)
    canvas.showPage()
    canvas.save()
    return written.getvalue()


class _PdfPen:
    """Draws in the board's millimetres on a page of height `height`, with `origin` at its upper left corner."""

    def __init__(self, canvas: Any, origin: Point, height: float) -> None:
        self._canvas = canvas
        self._origin = origin
        self._height = height

    def _to_page(self, point: Point) -> tuple[float, float]:
        return (point.x - self._origin.x) * POINTS_PER_MM, (self._height - (point.y - self._origin.y)) * POINTS_PER_MM

    def clip_to(self, corner: Point, far: Point, reach: float) -> None:
        """Clip drawing to the rectangle of these corners, plus `reach` on each side."""
        x, y = self._to_page(Point(corner.x - reach, far.y + reach))
        path = self._canvas.beginPath()
        path.rect(x, y, (far.x - corner.x + 2 * reach) * POINTS_PER_MM, (far.y - corner.y + 2 * reach) * POINTS_PER_MM)
        self._canvas.clipPath(path, stroke=0)

    def draw_layer(self, layer: str, marks: list[TemplateMark] | tuple[TemplateMark, ...]) -> None:
        _, _, colour = LAYER_COLOURS[layer]
        self._canvas.setStrokeColorRGB(*colour)
        self._canvas.setFillColorRGB(*colour)
        self._canvas.setLineWidth(0.1 * POINTS_PER_MM)
        for mark in marks:
            if isinstance(mark, CircleMark):
                x, y = self._to_page(mark.at)
                self._canvas.circle(x, y, mark.diameter / 2 * POINTS_PER_MM)
                if layer in ("drill", "screws"):
                    self._draw_cross(mark.at, 0.8)
            elif isinstance(mark, TextMark):
                x, y = self._to_page(mark.at)
                self._canvas.setFont(FONT, mark.height * POINTS_PER_MM)
                self._canvas.drawCentredString(x, y - 0.35 * mark.height * POINTS_PER_MM, mark.text)
            else:
                self._canvas.line(*self._to_page(mark.start), *self._to_page(mark.end))

    def draw_register_mark(self, at: Point) -> None:
        self._canvas.setStrokeColorRGB(0, 0, 0)
        self._canvas.setLineWidth(0.1 * POINTS_PER_MM)
        self._canvas.circle(*self._to_page(at), 2 * POINTS_PER_MM)
        self._draw_cross(at, 4)

    def _draw_cross(self, at: Point, arm: float) -> None:
        self._canvas.line(*self._to_page(Point(at.x - arm, at.y)), *self._to_page(Point(at.x + arm, at.y)))
        self._canvas.line(*self._to_page(Point(at.x, at.y - arm)), *self._to_page(Point(at.x, at.y + arm)))
