"""Reads what a board file says: tracks first, then the ways and routes over their holes. Pure; raises BoardError."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from companion.board.geometry import Arc, Line, Point, spread
from companion.board.wood import Board, Hole, Pip, Route
from companion.errors import BoardError


def board(name: str, data: Mapping[str, Any]) -> Board:
    """The board that a parsed file describes. Raises BoardError where it contradicts itself."""
    return _checked(_Reader(name, data).board())


class _Reader:
    """Reads one board file: tracks first, then routes over their holes."""

    def __init__(self, name: str, data: Mapping[str, Any]) -> None:
        self._name = name
        self._data = _known(
            data, "the file", {"title", "track", "start", "ways", "routes", "dice", "display", "spaces"}
        )
        self._holes: list[Hole] = []

    def board(self) -> Board:
        """The board, not yet checked."""
        for track in self._tables("track"):
            self._track(_known(track, "a track", {"name", "seat", "path", "numbers", "start", "bit", "pixel"}))
        for start in self._tables("start", needed=False):
            self._start(_known(start, "a start", {"name", "seat", "at", "bit", "pixel"}))
        by_id = {hole.id: hole.bit for hole in self._holes}
        lanes = _lanes(self._holes, self._data.get("ways", {}))
        routes = self._data.get("routes", {})
        if not isinstance(routes, dict) or not (routes or "spaces" in self._data):
            raise BoardError("it has no routes.")
        ways = {
            int(seats): tuple(_route(by_id, lanes, each, i) for i, each in enumerate(many))
            for seats, many in routes.items()
        }
        holes = tuple(sorted(self._holes, key=lambda hole: hole.bit))
        dice = tuple(_die(die, len(holes) + n * len(PIPS)) for n, die in enumerate(self._tables("dice", needed=False)))
        first = len(holes) + len(dice) * len(PIPS)
        display = _display(self._data["display"], first) if "display" in self._data else ()
        return Board(self._name, holes, ways, dice, display)

    def _tables(self, key: str, *, needed: bool = True) -> list[Any]:
        found = self._data.get(key, [])
        if not isinstance(found, list) or (needed and not found):
            raise BoardError(f"it has no {key} in it.")
        return found

    def _track(self, track: Mapping[str, Any]) -> None:
        """A lane: its two start holes, if it has its own, then its holes in the order of play."""
        name, seat = str(track["name"]), track.get("seat")
        if "start" in track:
            self._start({"name": name, "seat": seat, "at": track["start"], **_wiring(track)})
            track = {k: v for k, v in track.items() if k not in ("bit", "pixel")}
        points = [at for part in track["path"] for at in _stretch(part)]
        numbers = track.get("numbers", range(1, len(points) + 1))
        if len(numbers) != len(points) or any(type(n) is not int for n in numbers):
            raise BoardError(f"the numbers of {name} are whole numbers, one a hole.")
        self._add([f"{name}-{n}" for n in numbers], name, seat, numbers, points, track)

    def _start(self, start: Mapping[str, Any]) -> None:
        name = str(start["name"])
        points = [_point(each) for each in start["at"]]
        if len(points) != 2:
            raise BoardError(f"the start of {name} has two holes, the nearer first.")
        self._add((f"{name}-start-1", f"{name}-start-2"), name, start.get("seat"), (0, -1), points, start)

    def _add(
        self,
        ids: Sequence[str],
        track: str,
        seat: int | None,
        numbers: Sequence[int],
        points: Sequence[Point],
        wired: Mapping[str, Any],
    ) -> None:
        """Holes in a row: bits and pixels go on where the last ended, unless the file says where they begin."""
        bit = _whole(wired, "bit", 0, 4095, len(self._holes))
        pixel = _whole(wired, "pixel", 0, 4095, len(self._holes))
        for n, (hole_id, number, at) in enumerate(zip(ids, numbers, points, strict=True)):
            self._holes.append(Hole(bit + n, pixel + n, hole_id, track, seat, number, round(at.x, 2), round(at.y, 2)))


def _wiring(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: table[key] for key in ("bit", "pixel") if key in table}


def _lanes(holes: Sequence[Hole], ways: Any) -> dict[str, list[int]]:
    """The bits of every track, and of every way over stretches of tracks (`["roof", 1, 60]`; backwards 60, 1)."""
    lanes: dict[str, list[int]] = {}
    for hole in holes:
        if hole.number > 0:
            lanes.setdefault(hole.track, []).append(hole.bit)
    if not isinstance(ways, dict):
        raise BoardError("the ways are a table.")
    parts = {name: [_part(lanes, part) for part in way] for name, way in ways.items()}
    return lanes | {name: [bit for part in way for bit in part] for name, way in parts.items()}


def _part(lanes: Mapping[str, list[int]], given: Any) -> list[int]:
    """The holes from one number of a track to another, both included."""
    if not isinstance(given, list) or len(given) != 3 or given[0] not in lanes:
        raise BoardError("a part of a way is a track, the number of its first hole and that of its last.")
    lane = lanes[given[0]]
    first, last = (_whole({"a hole's number": n}, "a hole's number", 1, len(lane)) for n in given[1:])
    return lane[first - 1 : last] if first <= last else lane[last - 1 : first][::-1]


def _route(by_id: Mapping[str, int], lanes: Mapping[str, list[int]], given: Any, seat: int) -> Route:
    """A route: a whole track or way, or a loop of it entered at a hole; `start` names whose start holes."""
    given = _known(given, "a route", {"track", "start", "from", "holes", "loop"})
    track, start = str(given["track"]), str(given.get("start", given["track"]))
    if track not in lanes:
        raise BoardError(f"a route goes over the track {track!r}, which does not exist.")
    lane = lanes[track]
    first, count = _whole(given, "from", 1, len(lane), 1), _whole(given, "holes", 1, len(lane), len(lane))
    ids = (f"{start}-start-1", f"{start}-start-2")
    missing = next((hole for hole in ids if hole not in by_id), None)
    if missing:
        raise BoardError(f"a route goes through the hole {missing}, which does not exist.")
    bits = (*lane[first - 1 :], *lane[: first - 1])[:count]
    return Route(seat, (by_id[ids[0]], by_id[ids[1]]), bits, given.get("loop") is True)


PIPS = ((-1, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (1, 1))
"""Where the pips of a die lie, in pitches from its centre."""


def _die(given: Any, first: int) -> tuple[Pip, ...]:
    """A die, its pixels in a row from `first` unless the file says where."""
    given = _known(given, "a die", {"centre", "pitch", "pixel"})
    centre, pitch = _point(given.get("centre")), _number(given, "pitch")
    first = _whole(given, "pixel", 0, 4095, first)
    return tuple(Pip(first + n, centre.x + x * pitch, centre.y + y * pitch) for n, (x, y) in enumerate(PIPS))


def _display(given: Any, first: int) -> tuple[Pip, ...]:
    """The five by five pixels that show a display, row by row from `first` unless the file says where."""
    given = _known(given, "the display", {"centre", "pitch", "pixel"})
    centre, pitch = _point(given.get("centre")), _number(given, "pitch")
    first = _whole(given, "pixel", 0, 4095, first)
    cells = [(column - 2, row - 2) for row in range(5) for column in range(5)]
    return tuple(Pip(first + n, centre.x + x * pitch, centre.y + y * pitch) for n, (x, y) in enumerate(cells))


def _checked(board: Board) -> Board:
    """The board, if its holes do not contradict each other. Raises BoardError."""
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
            raise BoardError(f"{what} has a pixel that is another's.")
        taken |= own
    if board.holes[-1].bit != len(board.holes) - 1:
        raise BoardError(f"the bits leave a gap: {len(board.holes)} holes, and the last has bit {board.holes[-1].bit}.")
    return board


def _known(table: Any, what: str, keys: set[str]) -> Mapping[str, Any]:
    if not isinstance(table, dict):
        raise BoardError(f"{what} is a table.")
    for key in table:
        if key not in keys:
            near = get_close_matches(key, keys, n=1, cutoff=0)[0]
            raise BoardError(f"{what} has no {key!r}; the nearest is {near!r}.")
    return table


def _whole(table: Mapping[str, Any], key: str, low: int, high: int, default: int | None = None) -> int:
    value = table.get(key, default)
    if type(value) is not int or not low <= value <= high:
        raise BoardError(f"{key} is a whole number from {low} to {high}.")
    return value


def _point(given: Any) -> Point:
    if not isinstance(given, list) or len(given) != 2 or not all(isinstance(n, int | float) for n in given):
        raise BoardError("a point is two numbers, in millimetres.")
    return Point(float(given[0]), float(given[1]))


def _stretch(given: Any) -> list[Point]:
    """The holes of one line or arc."""
    given = _known(given, "a stretch of a path", {"holes", "line", "arc", "radius", "from", "to"})
    count = _whole(given, "holes", 1, 1000)
    if "line" in given:
        return spread(Line(_point(given["line"][0]), _point(given["line"][-1])), count)
    if "arc" in given:
        return spread(Arc(_point(given["arc"]), *(_number(given, key) for key in ("radius", "from", "to"))), count)
    raise BoardError("a stretch of a path is a line or an arc.")


def _number(table: Mapping[str, Any], key: str) -> float:
    value = table.get(key)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise BoardError(f"{key} is a number.")
    return float(value)
