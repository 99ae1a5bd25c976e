"""Where everything lies on each pattern: outline, registers, ribbons, supplies. Millimetres of the board file. Pure."""

from math import atan2, cos, degrees, sin

from hardware.pcb.bases import above, blue_side, diamond, red_side
from hardware.pcb.cells import SUPPLY_3V3, SUPPLY_5V, WIDE_5V, Spot, supply, track
from hardware.pcb.laying import Given, Layout, across, cap_numbers, chip, frames_of, spots_of_holes, up_and_down
from hardware.pcb.parts import PANEL_USES
from hardware.pcb.pursuit import arc, first_pair, pair, strip
from hardware.pcb.shapes import Point
from hardware.pcb.turns import half, quarter, short_quarter

DRAWN = "November 2026"
"""Printed on each board. A board whose copper or parts change gets a new revision."""

NUMBER_BESIDE = 8.2
"""From a hole's centre to its number, beyond its light and the 5 V."""

START_NAME_BESIDE = 8.0


def loop(given: Given) -> Layout:
    """One ring of 60 and two pairs of start holes; registers within the ring, the Pico's ribbon in the middle."""
    found = frames_of(given)
    lane = max(given.lanes, key=len)
    ring = [found[hole] for hole in lane]
    middle = (sum(f.at[0] for f in ring) / len(ring), sum(f.at[1] for f in ring) / len(ring))
    copper = [*supply([*ring, ring[0]], 5.4, 1.6, "5V"), *supply([*ring, ring[0]], SUPPLY_3V3, 0.5, "3V3")]
    spots = spots_of_holes(given, found)
    first, after = cap_numbers(given)
    wires = given.pattern.wires
    for n in range(len(wires) // 8):
        angles = [
            atan2(given.places[w][1] - middle[1], given.places[w][0] - middle[0])
            for w in wires[8 * n : 8 * n + 8]
            if isinstance(w, str) and w in lane
        ]
        angle = atan2(sum(map(sin, angles)), sum(map(cos, angles)))
        at = (round(middle[0] + 46 * cos(angle), 1), round(middle[1] + 46 * sin(angle), 1))
        spots |= chip(n + 1, at, -90 * round((degrees(angle) + 90) / 90) % 360, f"C{first + n}")
    x, y = middle
    spots |= {
        "J1": Spot((x + 1.27, y - 10), 0, top=False),
        "J3": Spot((x + 8, y + 52), 0, top=False),
        "J4": Spot((x - 8, y - 24.13), 0, top=False),
        "J5": Spot((x - 25.78, y - 24.13), 0, top=False),
        "J6": Spot((x + 22, y - 11.43), 0, top=False),
        "Q1": Spot((x + 4.5, y + 45), 0),
        "Z1": Spot((x - 3, y + 47), 180),
        f"C{after}": Spot((x + 3.5, y + 24), 0),
        f"C{after + 1}": Spot((x + 4, y + 34), 180, top=False),
        "U90": Spot((x + 14, y - 4), 0),
        f"C{after + 2}": Spot((x + 17, y - 7.6), 0),
        "R1": Spot((x + 6, y - 10), 0),
        "R2": Spot((x + 6, y - 7), 0),
        "R3": Spot((x + 8, y - 1), 180),
        "R4": Spot((x - 4.5, y - 7), 180),
        "R6": Spot((x + 6, y - 4), 180),
    }
    copper += [
        track(((x - 1.27, y + 0.16), (x + 1.27, y + 0.16)), 1.6, "5V"),
        track(((x, y + 0.16), (x, y + 62.6)), 1.6, "5V"),
        track(((x, y + 34), (x + 4, y + 34)), 1.6, "5V"),
        track(((x, y + 24), (x + 2.5, y + 24)), 1.0, "5V"),
        track(((x, y + 45.95), (x + 3.56, y + 45.95)), 1.6, "5V"),
        track(((x + 5.44, y + 45), (x + 8, y + 45)), 1.6, "5V IN"),
        track(((x + 8, y + 45), (x + 8, y + 52)), 1.6, "5V IN"),
        track(((x, y + 47), (x - 1.6, y + 47)), 1.0, "5V"),
    ]
    left, top, right, bottom = x - 90, y - 75, x + 90, y + 75
    edge = [(left + 4, top), (right - 4, top), (right, top + 4), (right, bottom - 4)]
    edge += [(right - 4, bottom), (left + 4, bottom), (left, bottom - 4), (left, top + 4)]
    screws = [(left + 6, top + 6), (right - 6, top + 6), (right - 6, bottom - 6), (left + 6, bottom - 6)]
    words = [
        (f"cribbage loop-60, revision 3, {DRAWN}", (x, y - 32), True),
        ("J3  + 5 V", (x + 10, y + 46.5), False),
        ("- GND", (x + 2.4, y + 46.5), False),
        ("fuse 2 A slow, at the supply", (x + 6, y + 44), False),
        ("J1: leave empty", (x, y - 19), False),
        ("Pico, USB at this end", (x - 16.9, y - 28), False),
        ("J4", (x - 8, y + 27), False),
        ("J5", (x - 25.78, y + 27), False),
        ("1", (x - 5.4, y - 24.13), False),
        ("40", (x - 28.6, y - 24.13), False),
        ("J6", (x + 22, y - 14), False),
        *((use, (x + 14.6, y - 11.43 + 2.54 * n), False) for n, use in enumerate(PANEL_USES)),
        *((str(n + 1), ring[n].spot(NUMBER_BESIDE, 0), True) for n in range(4, len(ring), 5)),
        *_name_starts(given),
    ]
    marks = [(x + 84, y - 58), (x - 84, y - 58), (x - 84, y + 58)]
    return Layout(spots, copper, edge, [*screws, (x - 33, y), (x + 33, y + 8)], words=words, fiducials=marks)


def _name_starts(given: Given) -> list[tuple[str, Point, bool]]:
    """The name of each start hole, above or below it, where no part lies."""
    starts = [lane for lane in given.lanes if len(lane) == 2]
    return [
        (hole.replace("-start-", " "), (given.places[hole][0], given.places[hole][1] + side * START_NAME_BESIDE), True)
        for lane in starts
        for hole, side in zip(lane, (-1, 1), strict=True)
    ]


def straight(given: Given) -> Layout:
    """Three lanes of five holes, the race going up the page; registers and ribbons in a strip to their right."""
    found = frames_of(given)
    lanes = [[found[hole] for hole in lane] for lane in given.lanes]
    x, y = lanes[0][0].at
    spots = spots_of_holes(given, found)
    first, after = cap_numbers(given)
    copper = up_and_down(lanes)
    copper += across([lane[0].at[0] + SUPPLY_5V for lane in lanes], y - 3.5, 0.0, 0.6, "5V")
    copper += across([lane[0].at[0] + SUPPLY_3V3 for lane in lanes], y - 17.5, 0.25, 0.4, "3V3")
    bus, plug = x + 16 + SUPPLY_5V, x + 23.94
    copper += [track(((bus, y + d), (plug, y + d)), 1.0, "5V") for d in (0.5, -25.96)]
    copper += [track(((plug, y + d), (plug, y + d - 2.54)), 1.0, "5V") for d in (0.5, -25.96)]
    copper.append(track(((bus, y - 25.5), (bus, y - 25.96)), WIDE_5V, "5V"))
    copper += [track(((bus, y - 14), (x + 23.3, y - 14)), 0.7, "5V")]
    spots |= {
        "J1": Spot((x + 34.1, y + 0.5), 90, top=False),
        "J2": Spot((x + 34.1, y - 25.96), 90, top=False),
        "J3": Spot((x + 23.3, y - 14), 90, top=False),
        **chip(1, (x + 29, y - 8), 0, f"C{first}"),
        **chip(2, (x + 29, y - 19.5), 0, f"C{first + 1}"),
        f"C{after}": Spot((x + 26, y - 3.9), 0),
        "R5": Spot((x + 26.5, y - 23.9), 0),
    }
    left, top, right, bottom = x - 3.5, y - 31.4, x + 35.9, y + 3.4
    words = [
        ("straight, 1", (x + 29.2, y - 13.9), True),
        ("J1 to the Pico", (x + 29, y + 2.7), False),
        ("J2 onward", (x + 29, y - 30.7), False),
        ("J3 5V", (x + 27, y - 14), False),
    ]
    edge = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return Layout(spots, copper, edge, [(x + 34.2, y - 14.4)], small_screws=True, words=words)


def end(given: Given) -> Layout:
    """Two rows of three holes and what meets the Pico; where the race ends the same parts do no harm."""
    found = frames_of(given)
    lanes = [[found[hole] for hole in lane] for lane in given.lanes]
    x, y = lanes[0][0].at
    spots = spots_of_holes(given, found)
    first, after = cap_numbers(given)
    copper = up_and_down(lanes)
    copper += across([lane[0].at[0] + SUPPLY_5V for lane in lanes], y - 3.6, 0.0, 0.6, "5V")
    copper += across([lane[0].at[0] + SUPPLY_3V3 for lane in lanes], y - 4.6, 0.25, 0.4, "3V3")
    bus, plug = x + 16 + SUPPLY_5V, x + 23.94
    feed, narrow, corner, bulk = (x + 19.5, y - 13), (bus, y - 10.5), (x + 11.5, y - 13), (x + 11.5, y - 15)
    copper += [track(((bus, y - 5.5), narrow), WIDE_5V, "5V"), track(((bus, y + 0.5), (plug, y + 0.5)), 1.0, "5V")]
    ways = ((narrow, feed), (feed, (plug, y - 14.46)), (feed, corner), (corner, bulk))
    copper += [track(way, 1.0, "5V") for way in ways]
    copper += [track(((plug, y + d), (plug, y + d - 2.54)), 1.0, "5V") for d in (0.5, -14.46)]
    spots |= {
        "J1": Spot((x + 34.1, y + 0.5), 90, top=False),
        "J2": Spot((x + 34.1, y - 14.46), 90, top=False),
        "J3": Spot(feed, 90, top=False),
        **chip(1, (x + 27.5, y - 8), 0, f"C{first}"),
        f"C{after}": Spot((x + 15.5, y - 18), 0),
        f"C{after + 1}": Spot(bulk, 180, top=False),
        "U90": Spot((x + 3, y - 15.8), 0),
        f"C{after + 2}": Spot((x + 7.7, y - 17.5), 90),
        "R1": Spot((x + 31.5, y - 4.2), 0),
        "R2": Spot((x + 27.8, y - 4.2), 0),
        "R3": Spot((x - 2, y - 15.5), 90),
        "R4": Spot((x + 24.4, y - 4.2), 0),
        "R5": Spot((x + 24.2, y - 12.2), 0),
    }
    left, top, right, bottom = x - 3.5, y - 19.8, x + 35.9, y + 3.4
    edge = [(left, top), (right, top), (right, bottom), (left, bottom)]
    words = [
        ("end, 1", (x + 10.8, y - 18.9), True),
        ("J1 Pico", (x + 29, y + 2.7), False),
        ("J2 onward", (x + 29, y - 11.9), False),
        ("J3 5V", (x + 19.5, y - 10.6), False),
    ]
    return Layout(spots, copper, edge, [(x + 34, y - 8.6)], small_screws=True, words=words)


LAYOUTS = {
    "loop": loop,
    "straight": straight,
    "end": end,
    "half": half,
    "quarter": quarter,
    "short-quarter": short_quarter,
    "strip": strip,
    "arc": arc,
    "pair": pair,
    "first-pair": first_pair,
    "above": above,
    "red-side": red_side,
    "blue-side": blue_side,
    "diamond": diamond,
}
