"""The whole table without hardware, on recorded inputs: `companion trace` (docs/reference/trace.md). Pure.

Each line is taken as it comes, but of one millisecond only the last levels count: levels wait for its end, and so
does every line after them in the same millisecond. What falls due at T is told before the first line at or after T.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from companion.common.errors import BadMove, CompanionError
from companion.common.snapshot import Advice
from companion.journal.journal import Entry
from companion.pegs.events import event_json
from companion.protocol.json_codec import advice_json, dumps, parse, plain, read_move
from companion.rules.cards import card
from companion.rules.engine import Award
from companion.settings import Settings, changed
from companion.table import dice, inputs
from companion.table.setup import plan
from companion.table.state import (
    Core,
    DeviceTold,
    Happened,
    Refused,
    begin,
    deadline,
    fold,
    levels,
    ticked,
    with_pegs,
)

Say = Callable[[Mapping[str, Any]], None]

DEVICES = ("sensors", "lights", "cards", "buttons", "remote")


def trace(lines: Iterable[bytes], say: Say) -> None:
    """Run a recording; every conclusion is said as it is made. A line that is wrong is said and left out."""
    tracing, waiting, now_ms = _Tracing(say), list[_Line](), -1
    for ms, line in _read(lines):
        if ms != now_ms:
            tracing.take_last(now_ms, waiting)
            tracing.until(ms)
            waiting, now_ms = [], ms
        if waiting or _are_levels(line):
            waiting.append(line)
        else:
            tracing.take(ms, line)
    tracing.take_last(now_ms, waiting)
    tracing.until(now_ms)


_Line = Mapping[str, Any] | CompanionError
"""A line, or what is wrong with it."""
_HEXADECIMAL = re.compile("[0-9a-fA-F]+").fullmatch


def _are_levels(line: _Line) -> bool:
    text = None if isinstance(line, CompanionError) else line.get("holes")
    return isinstance(text, str) and _HEXADECIMAL(text) is not None


def _read(lines: Iterable[bytes]) -> Iterator[tuple[int, _Line]]:
    """Each line with its time; a wrong one has that of the line before it."""
    newest = 0
    for text in lines:
        if not text.strip():
            continue
        try:
            line = parse(text)
            if not isinstance(line, dict) or type(line.get("ms")) is not int or line["ms"] < 0:
                raise BadMove('A line of a trace is an object with "ms", whole milliseconds from 0.')
            if line["ms"] < newest:
                raise BadMove(f"Time runs backwards: {line['ms']} ms after {newest} ms.")
        except CompanionError as error:
            yield newest, error
            continue
        newest = line["ms"]
        yield newest, line


class _Tracing:
    """The table that the last `table` line began, the advice last told, and the time of what was last told."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._core: Core | None = None
        self._advice: tuple[Advice, ...] = ()
        self._told_ms = 0

    def until(self, ms: int) -> None:
        """Conclude all that falls due by `ms`, each at its own time."""
        while self._core is not None and (due := deadline(self._core)) is not None and due <= ms:
            at = max(due, self._told_ms)
            self._tell(at, ticked(self._core, at))

    def take_last(self, ms: int, lines: Sequence[_Line]) -> None:
        """Apply the lines of one millisecond, of the levels among them only the last."""
        outdated = [i for i, line in enumerate(lines) if _are_levels(line)][:-1] if len(lines) > 1 else []
        for i, line in enumerate(lines):
            if i not in outdated:
                self.take(ms, line)

    def take(self, ms: int, line: _Line) -> None:
        """Apply one line."""
        self._told_ms = ms
        try:
            if isinstance(line, CompanionError):
                raise line
            if "table" in line:
                self._core, self._advice = None, ()
                self._tell(ms, ticked(_table(line["table"]), ms))
            elif self._core is None:
                raise BadMove("The first line of a trace names the table.")
            else:
                self._tell(ms, _react(self._core, line, ms))
        except CompanionError as error:
            self._say({"ms": ms, "error": str(error)})

    def _tell(self, ms: int, happened: Happened) -> None:
        self._told_ms = ms
        if happened.core is self._core and not happened.told:
            return
        core = self._core = happened.core
        for told in happened.told:
            if isinstance(told, Award):
                self._say({"ms": ms, "award": plain(told)})
            elif isinstance(told, Refused):
                self._say({"ms": ms, "error": told.say})
            elif isinstance(told, DeviceTold):
                self._say({"ms": ms, "event": told.event, "device": told.device})
            else:
                self._say({"ms": ms, **event_json(told)})
        advice = core.course.advice()
        if advice != self._advice:
            self._advice = advice
            self._say({"ms": ms, "advice": [advice_json(each) for each in advice]})


def _table(given: Any) -> Core:
    if not isinstance(given, dict):
        raise BadMove('"table" is an object with a game.')
    key, board, seats, dealer = (given.get(name) for name in ("game", "board", "seats", "dealer"))
    options, settings, moves = given.get("options") or {}, given.get("settings") or {}, given.get("moves") or []
    kinds = ((key, str), (board, str), (seats, int), (dealer, int))
    if not all(value is None or type(value) is kind for value, kind in kinds):
        raise BadMove("A table has texts for game and board, and whole numbers for seats and dealer.")
    if not isinstance(options, dict) or not isinstance(settings, dict) or not isinstance(moves, list):
        raise BadMove("A table has objects for options and settings, and a list of moves.")
    made = plan(key or "six-card", seats, dealer, {k: str(v) for k, v in options.items()}, board)
    core = begin(made, changed(Settings(), settings))
    for move in moves:
        core = fold(core, Entry("move", "phone", move), read_move(move, made.setup.seats))
    return with_pegs(core, _known(given))


def _known(given: Mapping[str, Any]) -> Any:
    """What a `table` line says of the pegs: all that was known, called `markers` long ago, or where each stands."""
    known = given.get("markers") if given.get("known") is None else given["known"]
    return {"pegs": given["pegs"]} if known is None and given.get("pegs") is not None else known


def _react(core: Core, line: Mapping[str, Any], ms: int) -> Happened:
    """What one line makes of the table. Raises a CompanionError with a sentence."""
    if "holes" in line:
        return levels(core, _bits(core, line["holes"]), ms)
    if "scan" in line:
        return _scan(core, line, ms)
    if "press" in line:
        return inputs.pressed(core, str(line["press"]), ms, dice.recorded(line.get("dice"), ms))
    if "move" in line:
        return inputs.moved(core, read_move(line["move"], core.plan.setup.seats), "phone", ms)
    if "device" in line:
        if line["device"] not in DEVICES or not isinstance(line.get("ok"), bool):
            raise BadMove(f"A device is one of {', '.join(DEVICES)}, with ok true or false.")
        return inputs.device(core, line["device"], ms, ok=line["ok"], say="")
    if line.get("tick") is True:
        return Happened(core)
    raise BadMove("A line of a trace is a table, holes, scan, press, move, device or tick.")


def _scan(core: Core, line: Mapping[str, Any], ms: int) -> Happened:
    """A card on a reader, which may stand at a seat; or a card that was tapped on a page."""
    code, seat = line["scan"], line.get("seat")
    if not isinstance(code, str) or not (seat is None or (type(seat) is int and 0 <= seat < core.plan.setup.seats)):
        raise BadMove("A scan is a text, and its seat one of this table.")
    tapped = line.get("tapped") is True
    return inputs.tapped(core, card(code), ms) if tapped else inputs.scanned(core, code, seat, ms)


def _bits(core: Core, text: Any) -> int:
    bits = int(text, 16) if _are_levels({"holes": text}) else -1
    holes = len(core.plan.board.holes)
    if not 0 <= bits < 1 << holes:
        raise BadMove(f"Holes are a hexadecimal text of {holes} bits, hole 0 the lowest.")
    return bits


def recorded_from(core: Core, entries: Iterable[Entry]) -> list[Mapping[str, Any]]:
    """The lines, without their time, that begin a recording of a game with these entries."""
    lying = [{"scan": str(each), "tapped": True} for each in core.lying]  # cards of an unfinished crib are no moves
    return with_moves([{"table": recording_table(core)}, *lying], entries)


def with_moves(begun: Sequence[Mapping[str, Any]], entries: Iterable[Entry]) -> list[Mapping[str, Any]]:
    """The same lines with the moves of these entries in the `table` line."""
    moves = [entry.body for entry in entries if entry.kind == "move"]
    if not moves:
        return list(begun)
    return [{**line, "table": {**line["table"], "moves": moves}} if "table" in line else line for line in begun]


def recording_table(core: Core) -> dict[str, Any]:
    """The `table` line that begins a recording of this table."""
    settings = {k: getattr(core.settings, k) for k in ("quiet_ms", "doubt_ms", "missing_ms", "repeat_ms")}
    settings |= {} if core.settings.reads_pegs else {"sensors": core.settings.sensors}
    line: dict[str, Any] = {**core.plan.given, "settings": settings}
    if core.course.placement is not None:
        line["known"] = core.course.dump()
    standing = {
        pegs.seat: [core.plan.board.by_id[hole].bit for hole in (pegs.back, pegs.front)]
        for pegs in core.course.pegs().pegs
    }
    if standing:
        line["pegs"] = [standing.get(seat) for seat in range(core.plan.sides)]
    return json.loads(dumps(line))  # type: ignore[no-any-return]
