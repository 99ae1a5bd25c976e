"""Labels for a deck of cards by reportlab: each card's name as a code that a scanner sends like a line of text."""

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from companion.plugins.drawing.formats import FONT, POINTS_PER_MM
from companion.plugins.drawing.template import PAPER_SIZES_MM
from companion.rules.cards import PACK


@dataclass(frozen=True)
class LabelSheet:
    """A sheet of labels, in millimetres: columns, rows, the first label's upper left corner, label size and pitch."""

    columns: int
    rows: int
    left: float
    top: float
    width: float
    height: float
    column_pitch: float
    row_pitch: float


LABEL_SHEETS = {
    "a4": LabelSheet(5, 13, 4.65, 10.75, 38.1, 21.2, 40.65, 21.2),
    "letter": LabelSheet(4, 20, 7.62, 12.7, 44.45, 12.7, 52.07, 12.7),
}
"""Common products: Avery L7651 and compatible on A4, 5167 and compatible on letter."""
MODULE_MM = 0.6
"""Side of a Data Matrix module: 10 by 10 of them are 6 mm, small enough for the corner of a card."""
BAR_MM = 0.33
"""Width of the narrowest bar of Code 128."""


def card_labels_pdf(paper: str, code: str) -> bytes:
    """Return the PDF file with labels for the 52 cards, by rank."""
    from reportlab.pdfgen.canvas import Canvas

    sheet, (width, height) = LABEL_SHEETS[paper], PAPER_SIZES_MM[paper]
    written = BytesIO()
    canvas = Canvas(written, pagesize=(width * POINTS_PER_MM, height * POINTS_PER_MM), invariant=1)
    canvas.setTitle("labels for a deck of cards")
    for n, card in enumerate(PACK):
        row, column = divmod(n, sheet.columns)
        left = sheet.left + column * sheet.column_pitch
        middle = height - (sheet.top + row * sheet.row_pitch + sheet.height / 2)
        canvas.setFillColorRGB(0, 0, 0)
        code_width = CODE_DRAWERS[code](canvas, str(card), left + 4, middle)
        canvas.setFont(FONT, 3.5 * POINTS_PER_MM)
        canvas.drawString((left + 4 + code_width + 3) * POINTS_PER_MM, (middle - 1.2) * POINTS_PER_MM, str(card))
    canvas.showPage()
    canvas.save()
    return written.getvalue()


def _draw_data_matrix(canvas: Any, text: str, left: float, middle: float) -> float:
    """Draw the code to the right of `left`. Return its width in millimetres."""
    from ppf.datamatrix import DataMatrix

    rows = DataMatrix(text).matrix
    for n, row in enumerate(rows):
        y = middle + (len(rows) / 2 - n - 1) * MODULE_MM
        for column, dark in enumerate(row):
            if dark:
                place = (left + column * MODULE_MM, y, MODULE_MM, MODULE_MM)
                canvas.rect(*(side * POINTS_PER_MM for side in place), stroke=0, fill=1)
    return len(rows) * MODULE_MM


def _draw_code_128(canvas: Any, text: str, left: float, middle: float) -> float:
    """Draw the code to the right of `left`. Return its width in millimetres."""
    from reportlab.graphics.barcode.code128 import Code128

    bars = Code128(text, barWidth=BAR_MM * POINTS_PER_MM, barHeight=8 * POINTS_PER_MM, quiet=False)
    bars.drawOn(canvas, left * POINTS_PER_MM, (middle - 4) * POINTS_PER_MM)
    return float(bars.width) / POINTS_PER_MM


CODE_DRAWERS: dict[str, Callable[[Any, str, float, float], float]] = {
    "datamatrix": _draw_data_matrix,
    "code128": _draw_code_128,
}
