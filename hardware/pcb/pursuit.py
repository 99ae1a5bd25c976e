"""Where everything lies on the patterns of `pursuit`: strips, arcs, and the start pairs beside them. Pure.

All carry the chain and the lights with the play: J1, towards the Pico, lies where play comes from, J2 where it goes.
"""

from math import cos, radians, sin

from hardware.pcb.boardfile import Copper
from hardware.pcb.cells import SUPPLY_3V3, SUPPLY_5V, WIDE_3V3, WIDE_5V, Frame, Spot, supply, track, via
from hardware.pcb.laying import Given, Layout, cap_numbers, chip, frames_of, spots_of_holes
from hardware.pcb.shapes import Point

NEAR_3V3 = -2.1
"""The supply on the sensors' side of a strip: nearer than elsewhere, for at the roof's corners strips meet."""


def strip(given: Given) -> Layout:
    """Fifteen holes in a row, from left to right; below their lights two registers and the ribbons.

    The corners are cut as two strips want it that meet at 60 degrees, at the top of the roof.
    """
    run = [frames_of(given)[hole] for hole in given.lanes[0]]
    left, y = run[0].at[0] - 3.5, run[0].at[1]

    def at(s: float, t: float) -> Point:
        return left + s, y + t

    first, after = cap_numbers(given)
    copper = [
        *supply(run, SUPPLY_5V, WIDE_5V, "5V", before=-0.5, after=-2.5),
        *supply(run, NEAR_3V3, WIDE_3V3, "3V3", before=2.6, after=2.6),
        track((at(54.9, 10), at(54.9, SUPPLY_5V + 0.2)), 1.0, "5V"),
        *(track((at(s, 12.6), at(s, SUPPLY_5V + 0.2)), 1.0, "5V") for s in (20.34, 74.74)),
    ]
    spots = spots_of_holes(given, frames_of(given)) | {
        "C16": _cap_ahead(run[0]),
        "J1": Spot(at(30.5, 12.6), 90, top=False),
        "J2": Spot(at(84.9, 12.6), 90, top=False),
        "J3": Spot(at(54.9, 10), 0, top=False),
        **chip(1, at(37.5, 10), 0, f"C{first}"),
        **chip(2, at(67.5, 10), 0, f"C{first + 1}"),
        f"C{after}": Spot(at(59.5, 7), 0),
        "R5": Spot(at(79.5, 7.6), 0),
    }
    edge = [at(0.1, -2.6), at(104.9, -2.6), at(104.9, 2), at(103.4, 4.6), at(86.8, 14.2)]
    edge += [at(18.2, 14.2), at(1.6, 4.6), at(0.1, 2)]
    words = [
        ("strip, 1", at(14, 8), True),
        ("J1 Pico", at(25.4, 8), False),
        ("J2 onward", at(79.8, 8), False),
        ("J3 5V", at(54.9, 12.8), False),
    ]
    return Layout(spots, copper, edge, [at(44.8, 11.6), at(60.3, 11.6)], small_screws=True, words=words)


def arc(given: Given) -> Layout:
    """Fifteen holes round a quarter of the circle, clockwise from the right; registers and ribbons within it."""
    run = [frames_of(given)[hole] for hole in given.lanes[0]]
    radius = 68.0
    x, y = run[0].at[0] - radius * cos(radians(3)), run[0].at[1] - radius * sin(radians(3))

    def at(right: float, down: float) -> Point:
        return x + right, y + down

    first, after = cap_numbers(given)
    copper = [
        *supply(run, SUPPLY_5V, WIDE_5V, "5V", before=2.5, after=-2.5),
        *supply(run, SUPPLY_3V3, WIDE_3V3, "3V3", before=1.5, after=1.5),
        track((at(41, 37.5), at(46.6, 42.55)), 1.0, "5V"),
        track((at(53.96, 3.04), at(63.0, 3.04)), 1.0, "5V"),
        track((at(3.04, 63.0), at(3.04, 53.96)), 1.0, "5V"),
    ]
    spots = spots_of_holes(given, frames_of(given)) | {
        "J1": Spot(at(53.96, 13.2), 180, top=False),
        "J2": Spot(at(13.2, 56.5), 90, top=False),
        "J3": Spot(at(41, 37.5), 0, top=False),
        **chip(1, at(47, 21), 0, f"C{first}"),
        **chip(2, at(21, 47), 0, f"C{first + 1}"),
        f"C{after}": Spot(at(33, 45), 0),
        "R5": Spot(at(18.5, 52.8), 0),
    }
    rim = [at(71 * cos(radians(a)), 71 * sin(radians(a))) for a in (0.1, *range(3, 90, 3), 89.9)]
    edge = [*rim, at(0.1, 52), at(52, 0.1)]
    words = [
        ("arc, 1", at(34, 25), True),
        ("J1 Pico", at(49.5, 14.4), False),
        ("J2 onward", at(9, 51.3), False),
        ("J3 5V", at(41, 34.8), False),
    ]
    return Layout(spots, copper, edge, [at(47.5, 10), at(10, 47.5)], small_screws=True, words=words)


def pair(given: Given) -> Layout:
    """Two start holes, played from left to right; a register, and a ribbon on either side of them.

    Cut for the square's lower corners, where it lies on the diagonal and the edge of the wood is near.
    """
    x, y = given.places[given.lanes[0][1]]

    def at(back: float, down: float) -> Point:
        return x - back, y + down

    _, after = cap_numbers(given)
    spots, copper = _pair(given)
    spots[f"C{after}"], spots["R5"] = Spot(at(8.6, 7.6), 0), Spot(at(8.6, 9.6), 0)
    edge = [at(-3.5, -23.7), at(-3.5, 23.7), at(16, 4.2), at(16, -4.2)]
    words = [
        ("pair, 1", at(6.4, -7), False),
        ("J1 Pico", at(5.8, -10.7), False),
        ("J2", at(-1.7, 19.4), False),
        ("J3 5V", at(9, 6.1), False),
    ]
    return Layout(spots, copper, edge, [at(13.6, 0)], small_screws=True, words=words)


def first_pair(given: Given) -> Layout:
    """The same where the Pico is plugged in, with the level shifter; here is room for a whole rectangle."""
    x, y = given.places[given.lanes[0][1]]

    def at(back: float, down: float) -> Point:
        return x - back, y + down

    _, after = cap_numbers(given)
    spots, copper = _pair(given)
    copper.append(track((at(4.4, 8), at(11, 14)), 1.0, "5V"))
    spots |= {
        f"C{after}": Spot(at(8.6, 7.6), 0),
        f"C{after + 1}": Spot(at(11, 14), -90, top=False),
        f"C{after + 2}": Spot(at(6.9, -18.1), 0),
        "R1": Spot(at(3.8, -12.6), 0),
        "R2": Spot(at(3.8, -14.2), 0),
        "R3": Spot(at(12.6, -8.6), 90),
        "R4": Spot(at(3.8, -17.4), 0),
        "R5": Spot(at(8.6, 9.6), 0),
        "U90": Spot(at(10.2, -14.2), 0),
    }
    edge = [at(-3.5, -21), at(-3.5, 24), at(16, 24), at(16, -21)]
    words = [
        ("first-pair, 1", at(9, 20), True),
        ("J1 Pico", at(5.8, -10.7), False),
        ("J2 onward", at(4, 20.3), False),
        ("J3 5V", at(9, 6.1), False),
    ]
    return Layout(spots, copper, edge, [at(13.6, 2)], small_screws=True, words=words)


def _pair(given: Given) -> tuple[dict[str, Spot], list[Copper]]:
    """What both have alike: cells, register, plugs, and 5 V from one plug below the holes to the other."""
    run = [frames_of(given)[hole] for hole in given.lanes[0]]
    x, y = run[1].at

    def at(back: float, down: float) -> Point:
        return x - back, y + down

    first, _ = cap_numbers(given)
    bus = SUPPLY_5V + 0.2
    copper = [
        *supply(run, SUPPLY_5V, WIDE_5V, "5V", before=2.5, after=-0.5),
        *supply(run, SUPPLY_3V3, WIDE_3V3, "3V3", before=2.6, after=1.5),
        *(track((a, b), 1.0, "5V", "B.Cu") for a, b in (
            (at(0.54, -6.54), at(4, -5.5)), (at(4, -5.5), at(4, bus)), (at(3.6, bus), at(4.4, bus)),
        )),
        via(at(3.6, bus), "5V"),
        via(at(4.4, bus), "5V"),
        track((at(0.54, -6.54), at(-2, -6.54)), 1.0, "5V"),
        track((at(0.54, 6.4), at(-2, 6.4)), 1.0, "5V"),
        track((at(0.54, 6.4), at(0.54, bus)), 1.0, "5V"),
        track((at(4.4, 8), at(4.4, bus)), 1.0, "5V"),
    ]  # fmt: skip
    spots = spots_of_holes(given, frames_of(given)) | {
        "J1": Spot(at(-2, -16.7), 0, top=False),
        "J2": Spot(at(0.54, 16.56), 180, top=False),
        "J3": Spot(at(4.4, 8), -90, top=False),
        **chip(1, at(6.4, -7), 0, f"C{first}"),
    }
    return spots, copper


def _cap_ahead(frame: Frame) -> Spot:
    """The first light's capacitor, where the corner that is cut leaves room for it."""
    return Spot(frame.spot(4.1, -2.5), frame.turn(180))
