"""Labels for a deck of cards by reportlab: each card's own name, as a code that a reader sends like a line of text."""

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from companion.drawing.formats import FONT, MM
from companion.drawing.template import PAPERS
from companion.rules.cards import PACK


@dataclass(frozen=True)
class Labels:
    """A sheet of labels: columns and rows, the first label's corner from the paper's upper left, size and pitch."""

    columns: int
    rows: int
    left: float
    top: float
    wide: float
    high: float
    across: float
    down: float


SHEETS = {
    "a4": Labels(5, 13, 4.65, 10.75, 38.1, 21.2, 40.65, 21.2),
    "letter": Labels(4, 20, 7.62, 12.7, 44.45, 12.7, 52.07, 12.7),
}
"""As they are sold: Avery L7651 and its like on A4, 5167 and its like on letter."""
MODULE_MM = 0.6
"""A square of the Data Matrix: 10 by 10 of them are 6 mm, small enough for a card's corner."""
BAR_MM = 0.33


def labels_pdf(paper: str, code: str) -> bytes:
    """The file's bytes: the 52 cards, rank by rank."""
    from reportlab.pdfgen.canvas import Canvas

    sheet, (wide, high) = SHEETS[paper], PAPERS[paper]
    written = BytesIO()
    canvas = Canvas(written, pagesize=(wide * MM, high * MM), invariant=1)
    canvas.setTitle("labels for a deck of cards")
    for n, card in enumerate(PACK):
        row, column = divmod(n, sheet.columns)
        left = sheet.left + column * sheet.across
        middle = high - (sheet.top + row * sheet.down + sheet.high / 2)
        canvas.setFillColorRGB(0, 0, 0)
        used = CODES[code](canvas, str(card), left + 4, middle)
        canvas.setFont(FONT, 3.5 * MM)
        canvas.drawString((left + 4 + used + 3) * MM, (middle - 1.2) * MM, str(card))
    canvas.showPage()
    canvas.save()
    return written.getvalue()


def _data_matrix(canvas: Any, text: str, left: float, middle: float) -> float:
    """Draw the squares from `left` on; how wide they are."""
    from ppf.datamatrix import DataMatrix

    rows = DataMatrix(text).matrix
    for n, row in enumerate(rows):
        y = middle + (len(rows) / 2 - n - 1) * MODULE_MM
        for column, dark in enumerate(row):
            if dark:
                x = left + column * MODULE_MM
                canvas.rect(x * MM, y * MM, MODULE_MM * MM, MODULE_MM * MM, stroke=0, fill=1)
    return len(rows) * MODULE_MM


def _code_128(canvas: Any, text: str, left: float, middle: float) -> float:
    """Draw the bars from `left` on; how wide they are."""
    from reportlab.graphics.barcode.code128 import Code128

    bars = Code128(text, barWidth=BAR_MM * MM, barHeight=8 * MM, quiet=False)
    bars.drawOn(canvas, left * MM, (middle - 4) * MM)
    return float(bars.width) / MM


CODES: dict[str, Callable[[Any, str, float, float], float]] = {"datamatrix": _data_matrix, "code128": _code_128}
