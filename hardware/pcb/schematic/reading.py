"""Reads the nets of a schematic back from its SVG: what its lines and names show, and nothing else. Pure."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from xml.etree import ElementTree

Place = tuple[float, float]
NAMESPACE = "{http://www.w3.org/2000/svg}"


class SchematicError(ValueError):
    """A drawing with a net that has no name or two."""


def read_nets(sheets: Iterable[bytes]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the value of each part, and the net of each pin (`S1.2`); a pin with a cross has "".

    Raises SchematicError if a net has two names, or none and no cross, or if a part is drawn twice.
    """
    values: dict[str, str] = {}
    nets: dict[str, str] = {}
    for text in sheets:
        root = ElementTree.fromstring(text)
        pins: dict[str, Place] = {}
        for part in _groups(root, "part"):
            ref, value = _words(part, "ref"), _words(part, "value")
            if ref in values:
                raise SchematicError(f"{ref} is drawn twice.")
            values[ref] = value
            for pin in _groups(part, "pin-of-part"):
                (line,) = _lines(pin, "pin")
                pins[f"{ref}.{_words(pin, 'number')}"] = line[-1]
        marks = [(_lines(mark, "mark")[0][0], _words(mark, "net")) for mark in _groups(root, "net-mark")]
        crosses = {((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in _lines(root, "cross")}
        nets |= _join(pins, _lines(root, "wire"), marks, crosses)
    return values, nets


def _join(
    pins: dict[str, Place], wires: list[list[Place]], marks: list[tuple[Place, str]], crosses: set[Place]
) -> dict[str, str]:
    ends = [*pins.values(), *(at for at, _ in marks), *(end for wire in wires for end in (wire[0], wire[-1]))]
    root_of = {end: end for end in ends}

    def find(end: Place) -> Place:
        while root_of[end] != end:
            end = root_of[end]
        return end

    for wire in wires:
        for end in ends:
            if any(_is_on(end, a, b) for a, b in pairwise(wire)):
                root_of[find(end)] = find(wire[0])
    names: dict[Place, set[str]] = defaultdict(set)
    for at, name in marks:
        names[find(at)].add(name)
    sizes: dict[Place, int] = defaultdict(int)
    for end in ends:
        sizes[find(end)] += 1
    found = {}
    for pin, at in pins.items():
        its = names.get(find(at), set())
        if len(its) > 1 or (not its and (sizes[find(at)] > 1 or not any(_is_on(at, one, one) for one in crosses))):
            raise SchematicError(f"The net at {pin} has the names {sorted(its)}.")
        found[pin] = next(iter(its), "")
    return found


def _is_on(point: Place, a: Place, b: Place) -> bool:
    """Return whether a point is on an upright or level line."""
    return all(min(a[n], b[n]) - 1e-6 <= point[n] <= max(a[n], b[n]) + 1e-6 for n in (0, 1))


def _groups(parent: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return [each for each in parent.iter(f"{NAMESPACE}g") if each.get("class") == kind]


def _words(parent: ElementTree.Element, kind: str) -> str:
    return next(each.text or "" for each in parent.iter(f"{NAMESPACE}text") if each.get("class") == kind)


def _lines(parent: ElementTree.Element, kind: str) -> list[list[Place]]:
    return [
        [(float(x), float(y)) for x, y in (pair.split(",") for pair in (each.get("points") or "").split())]
        for each in parent.iter(f"{NAMESPACE}polyline")
        if each.get("class") == kind
    ]
