"""Where everything lies on the patterns of `bases`: both sides, the diamond, and what stands above it. Pure.

The holes lie 12 to 14 mm from one another: registers and plugs find room between them, and places are those of the
board file's millimetres as they stand there.
"""

from itertools import pairwise

from hardware.pcb.boardfile import Copper
from hardware.pcb.cells import Spot, track, via
from hardware.pcb.laying import Given, Layout, cap_numbers, chip, frames_of, spots_of_holes, spots_of_pips
from hardware.pcb.shapes import Point

WIDE_5V, WIDE_3V3 = 0.9, 0.4
"""5 V runs 5 mm beside the holes, beyond their lights, 3.3 V 2.35 mm beside them on the other side."""


def _supply(net: str, *corners: Point, layer: str = "F.Cu") -> list[Copper]:
    """A supply from corner to corner; on the lower side with a via at either end."""
    wide = WIDE_5V if net == "5V" else WIDE_3V3
    ends = [via(corner, net) for corner in (corners[0], corners[-1]) if layer == "B.Cu"]
    return ends + [track(each, wide, net, layer) for each in pairwise(corners)]


def above(given: Given) -> Layout:
    """Outs over innings, both played from left to right; registers between them, ribbons at the sides."""
    first, after = cap_numbers(given)
    copper = [
        *_supply("5V", (129.5, 45), (209, 45), (209, 75), (206.5, 75)),
        *_supply("5V", (206.5, 75), (98.5, 75)),
        *_supply("3V3", (170.6, 37.65), (90.5, 37.65), (90.5, 67.65), (206.6, 67.65)),
        *_supply("5V", (150, 57), (150, 45)),
        *_supply("5V", (99, 60.66), (102, 63.66), (102, 75), layer="B.Cu")[1:],
        *_supply("5V", (201, 60.66), (198, 63.66), (198, 75), layer="B.Cu")[1:],
        *_supply("5V", (99, 60.66), (96.46, 60.66)),
        *_supply("5V", (201, 60.66), (198.46, 60.66)),
    ]
    spots = spots_of_holes(given, frames_of(given)) | {
        "J1": Spot((99, 50.5), 0, top=False),
        "J2": Spot((201, 50.5), 0, top=False),
        "J3": Spot((150, 57), 0, top=False),
        **chip(1, (172, 56), 0, f"C{first}"),
        **chip(2, (122, 56), 0, f"C{first + 1}"),
        f"C{after}": Spot((155, 55), 0),
        "R5": Spot((205.5, 57.5), 0),
    }
    words = [
        ("above, 1", (136, 57), True),
        ("J1 Pico", (104.5, 51), False),
        ("J2 onward", (201, 47.5), False),
        ("J3 5V", (150, 60), False),
    ]
    edge = [(88.5, 34.0), (211.5, 34.0), (211.5, 79.0), (88.5, 79.0)]
    return Layout(spots, copper, edge, [(100, 41), (200, 40.5)], small_screws=True, words=words)


def red_side(given: Given) -> Layout:
    """Two columns played upwards over a row of pegs; the Pico below, registers between the columns."""
    first, after = cap_numbers(given)
    copper = [
        *_supply("5V", (33, 44.5), (33, 255), (75, 255), (75, 283), (19.5, 283)),
        *_supply("5V", (51, 49.5), (51, 255)),
        *_supply("3V3", (25.65, 44.4), (25.65, 275.65)),
        *_supply("3V3", (19.4, 275.65), (72.6, 275.65)),
        *_supply("3V3", (43.65, 44.4), (43.65, 246)),
        *_supply("3V3", (43.65, 246), (25.65, 246), layer="B.Cu"),
        *_supply("5V", (39.7, 62.16), (33, 62.16)),
        *_supply("5V", (61.84, 270), (61.84, 255)),
        *_supply("5V", (56, 262), (56, 255)),
        *_supply("5V", (44, 260), (44, 255)),
    ]
    spots = spots_of_holes(given, frames_of(given)) | {
        "J1": Spot((72, 270), 90, top=False),
        "J2": Spot((39.7, 52), 0, top=False),
        "J3": Spot((56, 262), 0, top=False),
        **chip(1, (50, 269.6), 0, f"C{first}"),
        **chip(2, (38.4, 160), 0, f"C{first + 1}"),
        **chip(3, (38.4, 112), 0, f"C{first + 2}"),
        **chip(4, (38.4, 83), 0, f"C{first + 3}"),
        f"C{after}": Spot((38.4, 125), 0),
        f"C{after + 1}": Spot((44, 260), -90, top=False),
        f"C{after + 2}": Spot((37.3, 258.1), 0),
        "R1": Spot((66, 262.5), 0),
        "R2": Spot((70, 262.5), 0),
        "R3": Spot((30, 269), 0),
        "R4": Spot((66, 259.5), 0),
        "R5": Spot((38.4, 71), 0),
        "U90": Spot((34, 262), 0),
    }
    words = [
        ("red-side, 1", (67, 273), True),
        ("J1 Pico", (67, 265), False),
        ("J2 onward", (38.4, 47.8), False),
        ("J3 5V", (56, 264.6), False),
    ]
    edge = [(22.6, 41), (54.6, 41), (54.6, 251), (78, 251), (78, 286), (15, 286), (15, 258), (22.6, 258)]
    screws = [(38.5, 45), (38.5, 140), (38.5, 195), (19, 264)]
    return Layout(spots, copper, [(float(x), float(y)) for x, y in edge], screws, small_screws=True, words=words)


def blue_side(given: Given) -> Layout:
    """The same with the columns changed over: each light stays to the right of its play, so this is no mirror image."""
    first, after = cap_numbers(given)
    copper = [
        *_supply("5V", (277, 49.5), (277, 255)),
        *_supply("5V", (259, 44.5), (259, 255), (283, 255), (283, 283), (232.5, 283)),
        *_supply("3V3", (251.65, 44.4), (251.65, 275.65)),
        *_supply("3V3", (227.4, 275.65), (280.6, 275.65)),
        *_supply("3V3", (269.65, 44.4), (269.65, 246)),
        *_supply("3V3", (269.65, 246), (251.65, 246), layer="B.Cu"),
        *_supply("5V", (265.8, 62.16), (259, 62.16)),
        *_supply("5V", (264, 265), (264, 255)),
        *_supply("5V", (229.84, 267.46), (229.84, 270)),
        *_supply("5V", (229.84, 270), (236, 276.16), (236, 283), layer="B.Cu")[1:],
    ]
    spots = spots_of_holes(given, frames_of(given)) | {
        "J1": Spot((265.8, 52), 0, top=False),
        "J2": Spot((240, 270), 90, top=False),
        "J3": Spot((264, 265), 0, top=False),
        **chip(1, (264.5, 77), 0, f"C{first}"),
        **chip(2, (264.5, 165), 0, f"C{first + 1}"),
        **chip(3, (264.5, 215), 0, f"C{first + 2}"),
        **chip(4, (246, 262), 0, f"C{first + 3}"),
        f"C{after}": Spot((264.5, 120), 0),
        "R5": Spot((236, 263), 0),
    }
    words = [
        ("blue-side, 1", (273, 271), True),
        ("J1 Pico", (264.5, 47.8), False),
        ("J2 onward", (235, 264.8), False),
        ("J3 5V", (264, 268), False),
    ]
    edge = [(250, 41), (280, 41), (280, 251), (286, 251), (286, 286), (222, 286), (222, 257), (250, 257)]
    screws = [(264.5, 45), (264.5, 140), (264.5, 195), (226, 262)]
    return Layout(spots, copper, [(float(x), float(y)) for x, y in edge], screws, small_screws=True, words=words)


def diamond(given: Given) -> Layout:
    """Four rows of six round two dice, lights outwards, and below them batter and runners; the chain ends here."""
    first, after = cap_numbers(given)
    outer, inner = 67.07, 56.68

    def ring(reach: float) -> list[Point]:
        return [(150, 190 + reach), (150 + reach, 190), (150, 190 - reach), (150 - reach, 190), (150, 190 + reach)]

    copper = [
        *_supply("5V", *ring(outer)),
        *_supply("3V3", *ring(inner)),
        *_supply("5V", (126, 233.07), (126, 283), (174, 283), (174, 259), (170.5, 259)),
        *_supply("3V3", (129.4, 275.65), (170.6, 275.65)),
        *_supply("3V3", (135, 231.68), (135, 275.65), layer="B.Cu"),
        *_supply("5V", (150, 206), (150, 178.5)),
        *(piece for y in (178.5, 186.5, 194.5) for piece in _supply("5V", (125.5, y), (177.5, y))),
        *_supply("5V", (150, 206), (155, 211), (155, 252.07), layer="B.Cu")[1:],
        *_supply("5V", (154.6, 252.47), (155.4, 251.67), layer="B.Cu"),
        *_supply("5V", (144.84, 157.46), (144.84, 178.5)),
    ]
    spots = spots_of_holes(given, frames_of(given)) | spots_of_pips(given) | {
        "J1": Spot((155, 160), 90, top=False),
        "J3": Spot((150, 206), 0, top=False),
        **chip(1, (160, 219), 0, f"C{first}"),
        **chip(2, (188, 190), 0, f"C{first + 1}"),
        **chip(3, (132, 166), 0, f"C{first + 2}"),
        **chip(4, (137, 217), 0, f"C{first + 3}"),
        f"C{after}": Spot((157, 201), 0),
    }  # fmt: skip
    words = [
        ("diamond, 1", (150, 152), True),
        ("J1 Pico", (150, 163), False),
        ("J3 5V", (150, 212), False),
        ("GND", (144.5, 212), False),
    ]
    edge = [(220, 190), (178, 232), (178, 286), (122, 286), (122, 232), (80, 190), (150, 120)]
    screws = [(168, 164), (128, 206), (150, 267)]
    return Layout(spots, copper, [(float(x), float(y)) for x, y in edge], screws, small_screws=True, words=words)
