"""The drop of 5 V from the supply to the farthest light, over the copper of a stored board. Pure.

Tracks are resistors of their length and width. Ground is a sheet on both sides, at twice its resistance
because tracks cut it.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import dist

from hardware.pcb.boardfile import Copper, Drawn
from hardware.pcb.parts import FEED, GUARD, LIGHT, POWER
from hardware.pcb.shapes import Point, Shape, apart

COPPER_OHM_MM = 2.0e-5
"""Resistivity of copper at 60 °C: 2.0e-8 Ω m."""
THICKNESS_MM = 0.035
VIA_OHM = 0.001
GROUND_OHM_PER_SQUARE = COPPER_OHM_MM / THICKNESS_MM
"""Of one side; both sides halve it, cuts double it again."""
GRID_MM = 5.0

SUPPLY_V = 4.9
"""The lowest voltage at the supply's plug that the guide accepts."""
FUSE_OHM = 0.04
WIRE_OHM = 2 * 0.0239
"""A metre of 0.75 mm², there and back."""
HOP_OHM = 0.2 * WIRE_OHM
"""From tile to tile, 20 cm."""
GUARD_OHM = 0.075
"""AO3401A at 4.5 V is below 60 mΩ (data sheet); hot it is 25 % more."""

MAX_SNAP_MM = 0.001
JOINT_OHM = 1e-5


def build_circuit(
    drawn: Drawn, light_ma: float, *, tiles_before: int = 0, elsewhere_ma: float = 0
) -> tuple[list[str], list[str]]:
    """Return the lines of a circuit, and the names of its lights. Each light draws `light_ma` from 5 V to ground.

    `tiles_before` of the same kind are on the pair of wires before this one; the rest of the board draws `elsewhere_ma`
    through the same fuse.

    `print v(p_D1,g_D1)` then gives the voltage at D1.
    """
    plug = next(part for part in drawn.parts.values() if part.value in (POWER.value, FEED.value))
    guard = next((part for part in drawn.parts.values() if part.value == GUARD.value), None)
    lights = sorted(part.ref for part in drawn.parts.values() if part.value == LIGHT.value)
    lines = [
        f"vsupply plus 0 {SUPPLY_V}", f"rfuse plus fused {FUSE_OHM}", f"ielsewhere fused 0 {elsewhere_ma / 1000:g}",
        f"rwire fused hop0 {WIRE_OHM}",
    ]  # fmt: skip
    for n in range(tiles_before):
        lines.append(f"itile{n} hop{n} 0 {len(lights) * light_ma / 1000:g}")
        lines.append(f"rhop{n} hop{n} hop{n + 1} {HOP_OHM}")
    lines.append(f"rplug hop{tiles_before} {plug.ref}_1 {JOINT_OHM}")
    names = {f"{plug.ref}.1": f"{plug.ref}_1"} | {f"{ref}.4": f"p_{ref}" for ref in lights}
    nets = ["5V"]
    if guard:
        names |= {f"{guard.ref}.3": "guard_in", f"{guard.ref}.2": "guard_out"}
        lines.append(f"rguard guard_in guard_out {GUARD_OHM}")
        nets.append("5V IN")
    for net in nets:
        lines += list(_track_resistors(drawn, net, names))
    lines += list(_ground_resistors(drawn, f"{plug.ref}.2", {f"{ref}.2": f"g_{ref}" for ref in lights}))
    lines += [f"i{ref} p_{ref} g_{ref} {light_ma / 1000:g}" for ref in lights]
    return lines, lights


def _track_resistors(drawn: Drawn, net: str, names: Mapping[str, str]) -> Iterator[str]:
    """Return the tracks of a net as resistors between the points where something joins them."""
    tracks = [each for each in drawn.tracks if each.net == net and each.owner == "track"]
    vias = [each for each in drawn.tracks if each.net == net and each.owner == "via"]
    pads = [each for each in drawn.pads if each.net == net]
    suffix = net.replace(" ", "")
    spots: dict[tuple[float, float, str], str] = {}

    def node(at: Point, layer: str) -> str:
        key = (round(at[0], 2), round(at[1], 2), layer)
        return spots.setdefault(key, f"n{len(spots)}_{suffix}")

    joints: list[tuple[Point, str, str, float]] = []
    for n, via in enumerate(vias):
        (at,) = via.shape.points
        joints += [(at, layer, node(at, layer), via.shape.radius) for layer in via.layers]
        yield f"rvia{n}{suffix} {node(at, via.layers[0])} {node(at, via.layers[1])} {VIA_OHM}"
    joints += [
        (end, each.layers[0], node(end, each.layers[0]), each.shape.radius)
        for each in tracks
        for end in (each.shape.points[0], each.shape.points[-1])
    ]
    touched: list[set[str]] = []
    for pad in pads:
        inside = {
            name
            for at, layer, name, _ in joints
            if layer in pad.layers and apart(pad.shape, Shape((at,), 0)) < MAX_SNAP_MM
        }
        if not inside:  # the middle of a track passes the pad
            passing = [
                each for each in tracks if each.layers[0] in pad.layers and apart(pad.shape, each.shape) < MAX_SNAP_MM
            ]
            spots_beside = [(_project(_middle(pad), each), each.layers[0]) for each in passing]
            inside = {node(at, layer) for at, layer in spots_beside}
            joints += [(at, layer, node(at, layer), 0.0) for at, layer in spots_beside]
        touched.append(inside)
    count = 0
    for each in tracks:
        for (a, near), (b, far) in pairwise(_points_along(each, joints)):
            ohm = COPPER_OHM_MM * max(dist(a, b), 0.001) / (2 * each.shape.radius * THICKNESS_MM)
            if near != far:
                count += 1
                yield f"r{count}{suffix} {near} {far} {ohm:.6g}"
    for n, (pad, inside) in enumerate(zip(pads, touched, strict=True)):
        name = names.get(pad.owner, f"pad{n}_{suffix}")
        for k, joint in enumerate(sorted(inside)):
            yield f"rpad{n}x{k}{suffix} {name} {joint} {JOINT_OHM}"


def _middle(pad: Copper) -> Point:
    xs, ys = zip(*pad.shape.points, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def _project(at: Point, track: Copper) -> Point:
    """Return the point of a track's middle line that is nearest to a place."""
    a, b = track.shape.points[0], track.shape.points[-1]
    dx, dy = b[0] - a[0], b[1] - a[1]
    share = ((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / (dx * dx + dy * dy or 1)
    share = max(0.0, min(1.0, share))
    return a[0] + share * dx, a[1] + share * dy


def _points_along(track: Copper, joints: list[tuple[Point, str, str, float]]) -> list[tuple[Point, str]]:
    """Return the joints whose copper touches a track, from its one end to the other."""
    a = track.shape.points[0]
    found: dict[str, tuple[float, Point]] = {}
    for at, layer, name, radius in joints:
        if layer == track.layers[0]:
            beside = _project(at, track)
            if dist(at, beside) < track.shape.radius + radius:
                known = found.get(name)
                if known is None or dist(at, beside) < dist(known[1], _project(known[1], track)):
                    found[name] = dist(a, beside), beside
    return [(at, name) for name, (_, at) in sorted(found.items(), key=lambda each: each[1][0])]


def _ground_resistors(drawn: Drawn, sink: str, names: Mapping[str, str]) -> Iterator[str]:
    """Return ground as a grid of resistors over the board's outline."""
    points = [end for line in drawn.edge for end in line]
    left, top = min(x for x, _ in points), min(y for _, y in points)
    columns, rows = (int((max(p[n] for p in points) - (left, top)[n]) // GRID_MM) for n in (0, 1))
    for column in range(columns + 1):
        for row in range(rows + 1):
            if column < columns:
                yield f"rgx{column}_{row} g{column}_{row} g{column + 1}_{row} {GROUND_OHM_PER_SQUARE:.6g}"
            if row < rows:
                yield f"rgy{column}_{row} g{column}_{row} g{column}_{row + 1} {GROUND_OHM_PER_SQUARE:.6g}"

    def nearest(pad: Copper) -> str:
        x, y = pad.shape.points[0]
        return f"g{min(columns, max(0, round((x - left) / GRID_MM)))}_{min(rows, max(0, round((y - top) / GRID_MM)))}"

    for pad in drawn.pads:
        if pad.owner == sink:
            yield f"rsink {nearest(pad)} 0 {JOINT_OHM}"
        elif pad.owner in names:
            yield f"rg{names[pad.owner]} {names[pad.owner]} {nearest(pad)} {JOINT_OHM}"
