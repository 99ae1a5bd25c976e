"""The labels of a deck, read by a decoder that has nothing to do with what wrote them."""

import re
from io import BytesIO

import numpy
import pytest
import zxingcpp
from pypdf import PdfReader

from companion.drawing.card_labels import SHEETS, labels_pdf
from companion.drawing.template import PAPERS
from companion.rules.cards import PACK

DOTS = 20
"""A millimetre, when the page is looked at."""
MM = 25.4 / 72


def looked_at(pdf):
    """The page's filled rectangles as a picture, from the operators of its content stream."""
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


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("code", "kind"), [("datamatrix", "DataMatrix"), ("code128", "Code128")])
def test_a_reader_sees_each_card_once_each_on_its_own_label(paper, code, kind):
    picture = looked_at(labels_pdf(paper, code))
    sheet = SHEETS[paper]
    for n, card in enumerate(PACK):
        row, column = divmod(n, sheet.columns)
        left, top = (sheet.left + column * sheet.across) * DOTS, (sheet.top + row * sheet.down) * DOTS
        label = picture[round(top) : round(top + sheet.high * DOTS), round(left) : round(left + sheet.wide * DOTS)]
        seen = zxingcpp.read_barcodes(label)
        assert [(one.text, one.format.name) for one in seen] == [(str(card), kind)]


def test_all_labels_lie_on_the_paper():
    for paper, sheet in SHEETS.items():
        wide, high = PAPERS[paper]
        assert sheet.left + (sheet.columns - 1) * sheet.across + sheet.wide <= wide - 4
        assert sheet.top + (sheet.rows - 1) * sheet.down + sheet.high <= high - 10
        assert sheet.columns * sheet.rows >= 52
