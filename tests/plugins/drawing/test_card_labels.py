"""The labels of a deck, read by an independent barcode decoder."""

import re
from io import BytesIO

import numpy
import pytest
import zxingcpp
from pypdf import PdfReader

from companion.plugins.drawing.card_labels import LABEL_SHEETS, card_labels_pdf
from companion.plugins.drawing.template import PAPER_SIZES_MM
from companion.rules.cards import PACK

DOTS = 20
"""Pixels per millimetre of the rendered page."""
MM = 25.4 / 72


def render_page(pdf):
    """Return the filled rectangles of the page as a picture, from its content stream."""
    (page,) = PdfReader(BytesIO(pdf)).pages
    wide, high = (float(side) * MM for side in (page.mediabox.width, page.mediabox.height))
    picture = numpy.full((round(high * DOTS), round(wide * DOTS)), 255, numpy.uint8)
    left = bottom = 0.0
    text = page.get_contents().get_data().decode("latin-1")
    for moved, drawn in re.findall(r"^1 0 0 1 (\S+ \S+) cm|^n (\S+ \S+ \S+ \S+) re f", text, re.MULTILINE):
        if moved:  # each row of bars has its own corner
            left, bottom = (float(n) * MM * DOTS for n in moved.split())
        else:
            x, y, across, up = (float(n) * MM * DOTS for n in drawn.split())
            top = len(picture) - bottom - y - up
            picture[round(top) : round(top + up), round(left + x) : round(left + x + across)] = 0
    return picture


@pytest.mark.parametrize("paper", PAPER_SIZES_MM)
@pytest.mark.parametrize(("code", "kind"), [("datamatrix", "DataMatrix"), ("code128", "Code128")])
def test_a_reader_sees_each_card_once_each_on_its_own_label(paper, code, kind):
    picture = render_page(card_labels_pdf(paper, code))
    sheet = LABEL_SHEETS[paper]
    for n, card in enumerate(PACK):
        row, column = divmod(n, sheet.columns)
        left, top = (sheet.left + column * sheet.column_pitch) * DOTS, (sheet.top + row * sheet.row_pitch) * DOTS
        label = picture[round(top) : round(top + sheet.height * DOTS), round(left) : round(left + sheet.width * DOTS)]
        seen = zxingcpp.read_barcodes(label)
        assert [(one.text, one.format.name) for one in seen] == [(str(card), kind)]


def test_all_labels_lie_on_the_paper():
    for paper, sheet in LABEL_SHEETS.items():
        wide, high = PAPER_SIZES_MM[paper]
        assert sheet.left + (sheet.columns - 1) * sheet.column_pitch + sheet.width <= wide - 4
        assert sheet.top + (sheet.rows - 1) * sheet.row_pitch + sheet.height <= high - 10
        assert sheet.columns * sheet.rows >= 52
