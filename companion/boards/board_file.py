"""Parser of board files: tracks first, then ways and routes over their holes, then `[wiring]`. Pure.

Everything raises BoardError. Its message continues the sentence "The board file NAME: …", so it begins in lower case.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from companion.boards.board import (
    Board,
    Hole,
    Pip,
    Route,
    Tile,
    Wire,
    Wiring,
    create_plain_wiring,
    name_pips,
    validate_wiring,
)
from companion.boards.geometry import Arc, LineSegment, Point, spread_points
from companion.common.errors import BoardError

MAX_COORDINATE = 10_000
"""Maximum absolute value of a number in a board file, in millimetres or degrees."""


def require_table(table: Any, what: str, keys: set[str], *needed: str) -> Mapping[str, Any]:
    """Return the table. Requires all `needed` keys, and no keys other than `keys`."""
    if not isinstance(table, dict):
        raise BoardError(f"{what} must be a table.")
    for key in table:
        if key not in keys:
            near = get_close_matches(key, sorted(keys), n=1, cutoff=0)[0]
            raise BoardError(f"{what} has no {key!r}; the nearest is {near!r}.")
    missing = next((key for key in needed if key not in table), None)
    if missing:
        raise BoardError(f"{what} needs its {missing}.")
    return table


def require_list(given: Any, what: str) -> list[Any]:
    if not isinstance(given, list) or not given:
        raise BoardError(f"{what} must be a list with at least one element.")
    return given


def require_int(table: Mapping[str, Any], key: str, low: int, high: int, default: int | None = None) -> int:
    """Return the whole number under this key, from `low` to `high`."""
    value = table.get(key, default)
    if type(value) is not int or not low <= value <= high:
        raise BoardError(f"{key} must be a whole number from {low} to {high}.")
    return value


def require_number(value: Any, what: str) -> float:
    """Return a number up to `MAX_COORDINATE`. NaN is not allowed."""
    if type(value) not in (int, float) or not abs(value) <= MAX_COORDINATE:
        raise BoardError(f"{what} must be a number from {-MAX_COORDINATE} to {MAX_COORDINATE}.")
    return float(value)


def parse_point(given: Any) -> Point:
    """Return a point from two numbers in millimetres."""
    x, y = require_pair(given, "a point must be two numbers, in millimetres.")
    return Point(require_number(x, "an x"), require_number(y, "a y"))


def require_pair(given: Any, message: str) -> list[Any]:
    """Return a list of two elements. `message` is the error otherwise."""
    if not isinstance(given, list) or len(given) != 2:
        raise BoardError(message)
    return given


TILE_NAME = re.compile(r"[a-z0-9.-]{1,24}")
"""Pattern of a tile's name, which the board protocol sends between spaces."""

MAX_WIRES = 4096
"""Maximum number of bits of a chain, and of pixels of a strip."""

MAX_HOLES = 4096
"""Maximum number of holes of a board, and of a way."""
MAX_TITLE_LENGTH = 40
MAX_WAYS = 64
MAX_ROUTES = 5
"""Maximum number of routes of one game: one for each seat."""
TRACK_NAME = re.compile(r"[^\W_][\w -]{0,39}")
"""Names of tracks. They occur in pages, drawings and tables, where other characters could be markup or formulas."""

PANEL_BUTTONS = {"dice", "undo", "go0", "go1", "go2", "go3", "go4"}
PANEL_PINS = frozenset((0, 1, *range(7, 23), 26, 27, 28))
"""The GPIO pins of a Pico's header without those of the chain and of the strip."""

NamesByNumber = Mapping[str, Mapping[int, str]]
"""By track or die: the ids of its holes or pips by number, in the order of play."""


def parse_wiring(given: Any, holes: NamesByNumber, pips: NamesByNumber) -> Wiring:
    """Parse `[wiring]`. Without `pixels` the strip follows the chain, with dice and display at its end.

    A run of holes goes from one number of a track to another, also backwards. A tile may lie over several lanes; then
    its chain runs up the first lane and down the second, as a ribbon cable would. With `gap_pixels` a tile has a pixel
    at each gap too, which is never lit.
    """
    given = require_table(given, "the wiring", {"tiles", "end", "pixels", "panel"}, "tiles")
    chain: list[Wire] = []
    tiles: list[Tile] = []
    pixels: list[str | None] = []
    for each in require_list(given["tiles"], "the tiles of the wiring"):
        for name, part, wires in _parse_tile_entry(each, holes):
            tiles.append(Tile(name, part, len(chain), len(wires)))
            chain += wires
            pixels += [w for w in wires if isinstance(w, str) or (w is None and each.get("gap_pixels") is True)]
            _limit_wires(chain, "the chain")
    if "end" in given:
        chain.append(require_int(given, "end", 0, 1))
    _limit_wires(chain, "the chain")
    bare = [name for group in pips.values() for name in group.values()]
    if "pixels" in given:
        pixels = [
            _require_name(wire) for wire in _parse_wires(given["pixels"], {**holes, **pips}, "the pixels of the wiring")
        ]
    else:
        pixels += bare
    ids = [name for track in holes.values() for name in track.values()]
    panel = _parse_panel(given.get("panel", {}))
    return validate_wiring(Wiring(tuple(chain), tuple(pixels), tuple(tiles), "end" in given, panel), ids, [*ids, *bare])


def _parse_panel(given: Any) -> dict[str, Any]:
    """Return the pins of the parts at the Pico as `board.json` has them."""
    panel = dict(require_table(given, "the panel", {"buttons", "buzzer", "display"}))
    pins = [panel[part] for part in ("buzzer", "display") if part in panel]
    if "buttons" in panel:
        buttons = require_table(panel["buttons"], "buttons", PANEL_BUTTONS)
        pins += buttons.values()
        panel["buttons"] = {name.replace("go", "go:"): pin for name, pin in buttons.items()}
    if "display" in panel:
        sda = require_int(panel, "display", 0, 28)
        pins.append(sda + 1 if sda % 2 == 0 else None)  # SCL
    if any(type(pin) is not int or pin not in PANEL_PINS for pin in pins) or len(set(pins)) < len(pins):
        raise BoardError(
            "each part of the panel needs a pin of its own: a GPIO of the Pico that chain and strip do not use; the "
            "display needs an even one and the next."
        )
    return panel


def _limit_wires(wires: Sequence[Wire], what: str) -> None:
    """Raise BoardError for too many wires. Call it while they are added, because a short entry may stand for many."""
    if len(wires) > MAX_WIRES:
        raise BoardError(f"{what} has more than {MAX_WIRES} bits.")


def _require_name(wire: Wire) -> str | None:
    if isinstance(wire, int):
        raise BoardError("a pixel must be a hole, a pip or a gap; it has no level.")
    return wire


def _parse_tile_entry(given: Any, holes: NamesByNumber) -> Iterable[tuple[str, str, list[Wire]]]:
    """Yield the name, design and wires of the tile, or of each tile of a row, that an entry describes."""
    given = require_table(
        given, "a tile", {"name", "part", "chain", "lanes", "holes", "tiles", "sentinel", "gap_pixels"}, "name"
    )
    name = str(given["name"])
    if not TILE_NAME.fullmatch(name):
        raise BoardError(
            f"a tile's name must be 1 to 24 lower-case letters, digits, dots or hyphens, not {name[:40]!r}."
        )
    if not isinstance(given.get("gap_pixels", False), bool):
        raise BoardError(f"gap_pixels of {name} must be true or false.")
    part = str(given.get("part", name))
    last: list[Wire] = [require_int(given, "sentinel", 0, 1)] if "sentinel" in given else []
    if "chain" in given:
        yield name, part, _parse_wires(given["chain"], holes, f"the chain of {name}") + last
        return
    require_table(given, f"the tile {name}, which has no chain,", set(given), "lanes", "holes")
    count = require_int(given, "tiles", 1, MAX_WIRES, 1)
    names = require_list(given["lanes"], f"the lanes of {name}")
    if len(names) > MAX_WIRES // 8:
        raise BoardError(f"{name} has more than {MAX_WIRES // 8} lanes.")
    lanes = [_parse_run([lane, *require_list(given["holes"], f"the holes of {name}")], holes) for lane in names]
    each = len(lanes[0]) // count
    if len(lanes[0]) != each * count:
        raise BoardError(f"the {len(lanes[0])} holes of {name} cannot be divided among {count} tiles.")
    for n in range(count):
        parts = [lane[n * each : (n + 1) * each] for lane in lanes]
        wires: list[Wire] = [hole for i, run in enumerate(parts) for hole in (run[::-1] if i % 2 else run)]
        yield f"{name}.{n + 1}" if count > 1 else name, part, wires + last


def _parse_wires(given: Any, holes: NamesByNumber, what: str) -> list[Wire]:
    """Parse a list of runs, hole ids, `["gap", count]` and levels (0 and 1)."""
    found: list[Wire] = []
    for each in require_list(given, what):
        if isinstance(each, str) or (type(each) is int and each in (0, 1)):
            found.append(each)
        elif isinstance(each, list) and len(each) == 2 and each[0] == "gap":
            found += [None] * require_int({"a gap": each[1]}, "a gap", 1, MAX_WIRES)
        else:
            found += _parse_run(each, holes)
        _limit_wires(found, what)
    return found


def _parse_run(given: Any, holes: NamesByNumber) -> Sequence[str]:
    """Return the holes of a track from one number to another, both included."""
    if not isinstance(given, list) or len(given) != 3 or str(given[0]) not in holes:
        raise BoardError("a run of holes must be a track, the number of its first hole and that of its last.")
    track = holes[str(given[0])]
    if not all(type(n) is int and n in track for n in given[1:]):
        raise BoardError(f"a run of {given[0]} goes from {given[1]} to {given[2]}, but these holes do not exist.")
    first, last = (list(track).index(n) for n in given[1:])
    ids = list(track.values())
    return ids[first : last + 1] if first <= last else ids[last : first + 1][::-1]


SHARED_KEYS = ("track", "start", "ways", "wiring", "screws")
"""The keys of holes and wiring, which a board file takes over from the file that its `holes_of` names."""


def parse_board(name: str, data: Mapping[str, Any]) -> Board:
    return _validate_board(_BoardParser(name, data).parse_board())


class _BoardParser:
    """Parses one board file: tracks first, then routes over their holes."""

    def __init__(self, name: str, data: Mapping[str, Any]) -> None:
        self._name = name
        keys = {*SHARED_KEYS, "title", "routes", "dice", "display", "spaces", "wood"}
        self._data = require_table(data, "the file", keys)
        self._holes: list[Hole] = []

    def parse_board(self) -> Board:
        """Return the board before `_validate_board`."""
        for track in self._get_tables("track"):
            keys = {"name", "seat", "path", "numbers", "start", "bit", "pixel"}
            self._add_track(require_table(track, "a track", keys, "name", "path"))
        for start in self._get_tables("start", needed=False):
            self._add_start(require_table(start, "a start", {"name", "seat", "at", "bit", "pixel"}, "name", "at"))
        by_id = {hole.id: hole.bit for hole in self._holes}
        lanes = _parse_lanes(self._holes, self._data.get("ways", {}))
        routes = self._data.get("routes", {})
        if not isinstance(routes, dict) or not {"routes", "spaces"} & self._data.keys():
            raise BoardError("it has no routes.")
        if not routes.keys() <= set("12345"):
            raise BoardError("the keys of routes must be numbers of seats from 1 to 5.")
        ways = {
            int(seats): tuple(
                _parse_route(by_id, lanes, each, i) for i, each in enumerate(_require_routes(many, seats))
            )
            for seats, many in routes.items()
        }
        holes = tuple(sorted(self._holes, key=lambda hole: hole.bit))
        dice = tuple(
            _parse_pips(die, "a die", DIE_PIP_OFFSETS, len(holes) + n * len(DIE_PIP_OFFSETS))
            for n, die in enumerate(self._get_tables("dice", needed=False))
        )
        first = len(holes) + len(dice) * len(DIE_PIP_OFFSETS)
        display = (
            _parse_pips(self._data["display"], "the display", DISPLAY_OFFSETS, first) if "display" in self._data else ()
        )
        return Board(
            self._name,
            holes,
            ways,
            _parse_or_default_wiring(self._data.get("wiring"), holes, dice, display),
            dice,
            display,
            parse_point(self._data["wood"]) if "wood" in self._data else None,
            tuple(parse_point(point) for point in self._get_tables("screws", needed=False)),
            self._parse_title(),
        )

    def _parse_title(self) -> str:
        title = self._data.get("title", self._name)
        if not isinstance(title, str) or not 0 < len(title) <= MAX_TITLE_LENGTH:
            raise BoardError(f"its title must be a text of at most {MAX_TITLE_LENGTH} characters.")
        return title

    def _get_tables(self, key: str, *, needed: bool = True) -> list[Any]:
        found = self._data.get(key, [])
        if not isinstance(found, list) or (needed and not found):
            raise BoardError(f"it has no {key}.")
        return found

    def _add_track(self, track: Mapping[str, Any]) -> None:
        """Add a track: its two start holes, if it has its own, then its holes in the order of play."""
        name = _require_track_name(track["name"])
        if "start" in track:
            self._add_start(
                {key: track[key] for key in ("name", "seat", "bit", "pixel") if key in track} | {"at": track["start"]}
            )
            track = {k: v for k, v in track.items() if k not in ("bit", "pixel")}
        points: list[Point] = []
        for part in require_list(track["path"], f"the path of {name}"):
            points += _parse_segment(part)
            if len(self._holes) + len(points) > MAX_HOLES:
                raise BoardError(f"it has more than {MAX_HOLES} holes.")
        numbers = track.get("numbers", list(range(1, len(points) + 1)))
        if not isinstance(numbers, list) or len(numbers) != len(points) or any(type(n) is not int for n in numbers):
            raise BoardError(f"the numbers of {name} must be whole numbers, one for each hole.")
        self._add_holes([f"{name}-{n}" for n in numbers], name, numbers, points, track)

    def _add_start(self, start: Mapping[str, Any]) -> None:
        name = _require_track_name(start["name"])
        points = [
            parse_point(at)
            for at in require_pair(start["at"], f"the start of {name} must be two holes, the nearer first.")
        ]
        self._add_holes((f"{name}-start-1", f"{name}-start-2"), name, (0, -1), points, start)

    def _add_holes(
        self, ids: Sequence[str], track: str, numbers: Sequence[int], points: Sequence[Point], wired: Mapping[str, Any]
    ) -> None:
        """Add a row of holes. Bits and pixels continue the previous ones unless the file gives the first."""
        bit = require_int(wired, "bit", 0, 4095, len(self._holes))
        pixel = require_int(wired, "pixel", 0, 4095, len(self._holes))
        seat = require_int(wired, "seat", 0, 4) if "seat" in wired else None
        for n, (hole_id, called, at) in enumerate(zip(ids, numbers, points, strict=True)):
            self._holes.append(Hole(bit + n, pixel + n, hole_id, track, seat, called, round(at.x, 2), round(at.y, 2)))


def _require_track_name(given: Any) -> str:
    name = str(given)
    if not TRACK_NAME.fullmatch(name):
        raise BoardError(
            "the name of a track must have 1 to 40 letters, digits, blanks, - and _, a letter or digit first."
        )
    return name


def _parse_lanes(holes: Sequence[Hole], ways: Any) -> dict[str, list[int]]:
    """Return the holes of each track, and of each way made of parts of tracks (`["roof", 1, 60]`; backwards 60, 1)."""
    lanes: dict[str, list[int]] = {}
    for hole in holes:
        if hole.number > 0:
            lanes.setdefault(hole.track, []).append(hole.bit)
    if not isinstance(ways, dict):
        raise BoardError("the ways must be a table.")
    if len(ways) > MAX_WAYS:
        raise BoardError(f"it has more than {MAX_WAYS} ways.")
    return lanes | {name: _parse_way(lanes, name, way) for name, way in ways.items()}


def _parse_way(lanes: Mapping[str, list[int]], name: str, given: Any) -> list[int]:
    bits: list[int] = []
    for part in require_list(given, f"the way {name}"):
        bits += _parse_way_part(lanes, part)
        if len(bits) > MAX_HOLES:
            raise BoardError(f"the way {name} has more than {MAX_HOLES} holes.")
    return bits


def _parse_way_part(lanes: Mapping[str, list[int]], given: Any) -> list[int]:
    """Return the holes from one number of a track to another, both included."""
    if not isinstance(given, list) or len(given) != 3 or str(given[0]) not in lanes:
        raise BoardError("a part of a way must be a track, the number of its first hole and that of its last.")
    lane = lanes[str(given[0])]
    first, last = (require_int({"a hole's number": n}, "a hole's number", 1, len(lane)) for n in given[1:])
    return lane[first - 1 : last] if first <= last else lane[last - 1 : first][::-1]


def _require_routes(given: Any, seats: str) -> list[Any]:
    routes = require_list(given, f"the routes of {seats}")
    if len(routes) > MAX_ROUTES:
        raise BoardError(f"the routes of {seats} must be at most {MAX_ROUTES}.")
    return routes


def _parse_route(by_id: Mapping[str, int], lanes: Mapping[str, list[int]], given: Any, seat: int) -> Route:
    """Return a route: a whole track or way, or a loop entered at a hole. `start` names the track of its start holes."""
    given = require_table(given, "a route", {"track", "start", "from", "loop"}, "track")
    track, start = str(given["track"]), str(given.get("start", given["track"]))
    if track not in lanes:
        raise BoardError(f"a route goes over the track {track!r}, which does not exist.")
    lane = lanes[track]
    first = require_int(given, "from", 1, len(lane), 1)
    ids = (f"{start}-start-1", f"{start}-start-2")
    missing = next((hole for hole in ids if hole not in by_id), None)
    if missing:
        raise BoardError(f"a route goes through the hole {missing}, which does not exist.")
    bits = (*lane[first - 1 :], *lane[: first - 1])
    return Route(seat, (by_id[ids[0]], by_id[ids[1]]), bits, given.get("loop") is True)


DIE_PIP_OFFSETS = ((-1, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (1, 1))
"""Offsets of the pips of a die from its centre, in pitches."""
DISPLAY_OFFSETS = tuple((column - 2, row - 2) for row in range(5) for column in range(5))
"""Offsets of the five by five pixels of a display from its centre, row by row, in pitches."""


def _parse_pips(given: Any, what: str, places: Sequence[tuple[int, int]], first: int) -> tuple[Pip, ...]:
    """Return a die or a display. Its pixels are consecutive from `first`, unless the file gives another one."""
    given = require_table(given, what, {"centre", "pitch", "pixel"})
    centre, pitch = parse_point(given.get("centre")), require_number(given.get("pitch"), "pitch")
    first = require_int(given, "pixel", 0, 4095, first)
    return tuple(Pip(first + n, centre.x + x * pitch, centre.y + y * pitch) for n, (x, y) in enumerate(places))


def _parse_or_default_wiring(
    given: Any, holes: Sequence[Hole], dice: Sequence[tuple[Pip, ...]], display: Sequence[Pip]
) -> Wiring:
    bare = name_pips(dice, display)
    if given is None:
        pixels = {hole.id: hole.pixel for hole in holes} | {name: pip.pixel for name, pip in bare.items()}
        return create_plain_wiring([hole.id for hole in holes], pixels)
    tracks: dict[str, dict[int, str]] = {}
    for hole in sorted(holes, key=lambda hole: (hole.number if "-start-" in hole.id else 1, hole.bit)):
        tracks.setdefault(hole.track, {})[hole.number] = hole.id
    pips: dict[str, dict[int, str]] = {}
    for name in bare:
        group, place = name.rsplit("-", 1)
        pips.setdefault(group, {})[int(place)] = name
    return parse_wiring(given, tracks, pips)


def _validate_board(board: Board) -> Board:
    """Return the board. Requires that bits, pixels and ids are unique and that the bits have no gap."""
    for what in ("bit", "pixel", "id"):
        seen: dict[object, Hole] = {}
        for hole in board.holes:
            other = seen.setdefault(getattr(hole, what), hole)
            if other is not hole:
                raise BoardError(f"the holes {other.id} and {hole.id} have the same {what} {getattr(hole, what)}.")
    taken = {hole.pixel for hole in board.holes}
    for what, pips in (*(("a die", die) for die in board.dice), ("the display", board.display)):
        own = {pip.pixel for pip in pips}
        if own & taken:
            raise BoardError(f"{what} has a pixel that is used elsewhere.")
        taken |= own
    if board.holes[-1].bit != len(board.holes) - 1:
        raise BoardError(f"the bits leave a gap: {len(board.holes)} holes, and the last has bit {board.holes[-1].bit}.")
    return board


def _parse_segment(given: Any) -> list[Point]:
    """Return the points of the holes on one line or arc."""
    given = require_table(given, "a segment of a path", {"holes", "line", "arc", "radius", "from", "to"})
    count = require_int(given, "holes", 1, 1000)
    if "line" in given:
        return spread_points(
            LineSegment(*map(parse_point, require_pair(given["line"], "a line must be two points."))), count
        )
    if "arc" in given:
        turn = (require_number(given.get(key), key) for key in ("radius", "from", "to"))
        return spread_points(Arc(parse_point(given["arc"]), *turn), count)
    raise BoardError("a segment of a path must be a line or an arc.")
