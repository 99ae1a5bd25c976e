"""One PDF file of the sheets of a schematic, from their SVG elements."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from companion.plugins.drawing.template import Element
from hardware.pcb.schematic.symbols import STYLES, TEXT_COLOURS, Sheet

POINTS_PER_MM = 72 / 25.4
FONT = "Helvetica"


def format_pdf(title: str, sheets: Sequence[Sheet]) -> bytes:
    """Return the PDF file: a page for each sheet. The same sheets give the same bytes."""
    written = BytesIO()
    canvas = Canvas(written, invariant=1)
    canvas.setTitle(title)
    for sheet in sheets:
        canvas.setPageSize((sheet.width * POINTS_PER_MM, sheet.height * POINTS_PER_MM))
        canvas.bookmarkPage(sheet.title)
        canvas.addOutlineEntry(sheet.title, sheet.title)
        canvas.scale(POINTS_PER_MM, POINTS_PER_MM)
        canvas.setLineCap(1)
        for element in sheet.drawing.iter():
            _draw_element(canvas, element, sheet.height)
        canvas.showPage()
    canvas.save()
    return written.getvalue()


def _draw_element(canvas: Any, element: Element, height: float) -> None:
    kind = element.get("class", "")
    if kind in STYLES:
        stroke, width, fill = STYLES[kind]
        canvas.setStrokeColor(stroke)
        canvas.setLineWidth(width)
        if fill:
            canvas.setFillColor(fill)
        filled = int(fill is not None)
        if element.tag == "polyline":
            _draw_line(canvas, element.get("points", ""), filled, height)
        elif element.tag == "rect":
            x, y, wide, high = (float(element.get(name, 0)) for name in ("x", "y", "width", "height"))
            canvas.rect(x, height - y - high, wide, high, stroke=1, fill=filled)
        elif element.tag == "circle":
            x, y, radius = (float(element.get(name, 0)) for name in ("cx", "cy", "r"))
            canvas.circle(x, height - y, radius, stroke=1, fill=filled)
    elif kind in TEXT_COLOURS:
        size, x, y = (float(element.get(name, 0)) for name in ("font-size", "x", "y"))
        canvas.setFillColor(TEXT_COLOURS[kind])
        canvas.setFont(FONT, size)
        draw = {"middle": canvas.drawCentredString, "end": canvas.drawRightString}.get(
            element.get("text-anchor", ""), canvas.drawString
        )
        draw(x, height - y, element.text or "")


def _draw_line(canvas: Any, points: str, filled: int, height: float) -> None:
    path = canvas.beginPath()
    for n, pair in enumerate(points.split()):
        x, y = map(float, pair.split(","))
        (path.lineTo if n else path.moveTo)(x, height - y)
    canvas.drawPath(path, stroke=1, fill=filled)
