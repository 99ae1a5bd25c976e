"""Reads a .kicad_pcb without KiCad: parts, pads, tracks, vias and filled areas. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from hardware.pcb.shapes import Point, Shape, turned

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([()])|([^\s()"]+)')
BOTH = ("F.Cu", "B.Cu")


def parse(text: str) -> list[Any]:
    """The file's first expression: lists of strings and lists."""
    stack: list[list[Any]] = [[]]
    for quoted, bracket, word in _TOKEN.findall(text):
        if bracket == "(":
            stack.append([])
        elif bracket == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word or quoted)
    return stack[0][0]  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Copper:
    """A piece of copper: on which layers it is, its net, and whose it is (`U1.9`, a track, a via)."""

    shape: Shape
    layers: tuple[str, ...]
    net: str
    owner: str


@dataclass(frozen=True)
class Part:
    """A part as it is drawn. `pins` gives the net of each pin ("" where none)."""

    ref: str
    value: str
    footprint: str
    at: Point
    turn: float
    top: bool
    pins: dict[str, str]
    drilled: tuple[Shape, ...]


@dataclass(frozen=True)
class Drawn:
    """A drawn board."""

    parts: dict[str, Part]
    pads: tuple[Copper, ...]
    tracks: tuple[Copper, ...]
    fills: tuple[tuple[str, str, tuple[Point, ...]], ...]
    """Layer, net and outline of each filled area."""
    edge: tuple[tuple[Point, Point], ...]


def _all(node: list[Any], name: str) -> Iterator[list[Any]]:
    return (each for each in node if isinstance(each, list) and each and each[0] == name)


def _one(node: list[Any], name: str) -> list[Any]:
    return next(_all(node, name), [name])


def _numbers(node: list[Any]) -> list[float]:
    return [float(each) for each in node[1:] if not isinstance(each, list) and each != "oval"]


def _outline(shape: str, size: list[float], ratio: float) -> tuple[list[Point], float]:
    w, h = size[0] / 2, size[1] / 2
    round_by = {"circle": min(w, h), "oval": min(w, h), "roundrect": 2 * ratio * min(w, h)}.get(shape, 0.0)
    w, h = w - round_by, h - round_by
    if w < 1e-6 and h < 1e-6:
        return [(0.0, 0.0)], round_by
    if w < 1e-6 or h < 1e-6:
        return [(-w, -h), (w, h)], round_by
    return [(-w, -h), (w, -h), (w, h), (-w, h)], round_by


def _pad(node: list[Any], ref: str, at: Point, turn: float) -> tuple[Copper, bool]:
    x, y, *own = _numbers(_one(node, "at"))
    px, py = turned((x, y), turn)
    ratio = _numbers(_one(node, "roundrect_rratio")) or [0.0]
    outline, radius = _outline(node[3], _numbers(_one(node, "size")), ratio[0])
    angle = own[0] if own else 0.0
    points = tuple((at[0] + px + q[0], at[1] + py + q[1]) for q in (turned(p, angle) for p in outline))
    named = _one(node, "layers")[1:]
    layers = BOTH if "*.Cu" in named or "F&B.Cu" in named else tuple(each for each in named if each in BOTH)
    net = _one(node, "net")
    return Copper(Shape(points, radius), layers, net[2] if len(net) > 2 else "", f"{ref}.{node[1]}"), "thru" in node[2]


def _part(node: list[Any]) -> tuple[Part, list[Copper]]:
    x, y, *turn = _numbers(_one(node, "at"))
    angle = turn[0] if turn else 0.0
    texts = {each[1]: each[2] for each in _all(node, "fp_text")}
    ref = texts["reference"]
    read = [_pad(each, ref, (x, y), angle) for each in _all(node, "pad")]
    pins = {pad.owner.split(".", 1)[1]: pad.net for pad, _ in read if not pad.owner.endswith(".")}
    bare = tuple(pad.shape for (pad, _), each in zip(read, _all(node, "pad"), strict=True) if each[2] == "np_thru_hole")
    part = Part(ref, texts["value"], node[1], (x, y), angle, _one(node, "layer")[1] == "F.Cu", pins, bare)
    return part, [pad for (pad, _), each in zip(read, _all(node, "pad"), strict=True) if each[2] != "np_thru_hole"]


def read(text: str) -> Drawn:
    """The board that a .kicad_pcb file describes."""
    tree = parse(text)
    nets = {each[1]: each[2] for each in _all(tree, "net")}
    parts, pads = {}, []
    for part, its in sorted(
        map(_part, _all(tree, "footprint")), key=lambda each: each[0].ref
    ):  # KiCad's order is chance
        parts[part.ref] = part
        pads += its
    tracks = []
    for kind in ("segment", "via"):
        for node in _all(tree, kind):
            net = nets[_one(node, "net")[1]]
            if kind == "segment":
                ends = tuple(tuple(_numbers(_one(node, end))) for end in ("start", "end"))
                shape = Shape(ends, _numbers(_one(node, "width"))[0] / 2)  # type: ignore[arg-type]
                tracks.append(Copper(shape, (_one(node, "layer")[1],), net, "track"))
            else:
                x, y = _numbers(_one(node, "at"))
                tracks.append(Copper(Shape(((x, y),), _numbers(_one(node, "size"))[0] / 2), BOTH, net, "via"))
    fills = tuple(
        (
            _one(fill, "layer")[1],
            _one(zone, "net_name")[1],
            tuple((float(p[1]), float(p[2])) for p in _one(fill, "pts")[1:]),
        )
        for zone in _all(tree, "zone")
        for fill in _all(zone, "filled_polygon")
    )
    tracks.sort(key=lambda each: (each.net, each.layers, each.shape.points))
    return Drawn(parts, tuple(pads), tuple(tracks), fills, tuple(_edge(tree)))


def _edge(tree: list[Any]) -> Iterator[tuple[Point, Point]]:
    for node in _all(tree, "gr_line"):
        if _one(node, "layer")[1] == "Edge.Cuts":
            (ax, ay), (bx, by) = _numbers(_one(node, "start")), _numbers(_one(node, "end"))
            yield (ax, ay), (bx, by)
    for node in _all(tree, "gr_poly"):
        if _one(node, "layer")[1] == "Edge.Cuts":
            points = [(float(p[1]), float(p[2])) for p in _one(node, "pts")[1:]]
            yield from pairwise([*points, points[0]])
