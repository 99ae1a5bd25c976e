"""The colours of seats, lanes and suits are distinguishable with any kind of colour blindness.

Colour vision without one kind of cone is simulated as in Machado, Oliveira and Fernandes (2009). The difference of two
colours is their distance in CIE Lab: 2 is just noticeable, 10 is obvious.
"""

import re
from itertools import combinations
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
EYES = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE = (0.9505, 1.0, 1.089)
WOOD = "#b57d45"


def multiply(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def lab(colour, eye):
    light = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    light = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in light]
    seen = [min(1, max(0, each)) for each in multiply(EYES[eye], light)]
    x, y, z = (each / white for each, white in zip(multiply(TO_XYZ, seen), WHITE, strict=True))
    x, y, z = (each ** (1 / 3) if each > 0.008856 else 7.787 * each + 16 / 116 for each in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one, other, eye):
    return sum((a - b) ** 2 for a, b in zip(lab(one, eye), lab(other, eye), strict=True)) ** 0.5


def find_colours(sheet, pattern):
    return dict(re.findall(pattern, (WEB / sheet).read_text("utf-8")))


@pytest.mark.parametrize("eye", EYES)
def test_lanes_differ_from_each_other_and_wood(eye):
    lanes = find_colours("board/board.css", r"\.lane\.seat-(\d) \{ stroke: (#\w{6})")
    assert len(lanes) == 5
    for (one, colour), (other, another) in combinations([*lanes.items(), ("wood", WOOD)], 2):
        assert (one, other, distance(colour, another, eye) > 12) == (one, other, True)


@pytest.mark.parametrize("eye", EYES)
def test_pegs_differ_from_each_other(eye):
    pegs = find_colours("core/core.css", r" --seat-(\d): (#\w{6})")
    assert len(pegs) == 5
    for (one, colour), (other, another) in combinations(pegs.items(), 2):
        assert (one, other, distance(colour, another, eye) > 12) == (one, other, True)


@pytest.mark.parametrize("eye", EYES)
def test_four_suits_differ_in_four_colours(eye):
    two = find_colours("core/core.css", r"--(red|black)-suit: (#\w{6})")
    four = find_colours("core/core.css", r"(?<=[{;] )--(diamond|club): (#\w{6})")
    assert len(two) == len(four) == 2
    for (one, colour), (other, another) in combinations((two | four).items(), 2):
        assert (one, other, distance(colour, another, eye) > 12) == (one, other, True)
