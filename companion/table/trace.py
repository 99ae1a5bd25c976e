"""The whole table without hardware, on recorded inputs (interfaces.md 5). Pure but for its two streams.

The lines of one millisecond are taken together, for only their last levels count; what falls due at T is told
before the first line at or after T, and carries T.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from companion.board.events import event_json
from companion.codec import dumps, parse, plain, read_move
from companion.errors import BadMove, CompanionError, IllegalMove
from companion.rules.engine import Award
from companion.settings import Settings, changed
from companion.table import core as begun
from companion.table import dice, moving, pegging, showing
from companion.table.core import Core, DeviceTold, Happened, Refused
from companion.table.journal import Entry
from companion.table.plan import plan
from companion.table.referee import stands_of

Say = Callable[[Mapping[str, Any]], None]


def trace(lines: Iterable[bytes], say: Say) -> None:
    """Run a recording; every conclusion is said as it is made. A line that is wrong is said and left out."""
    tracing = _Tracing(say)
    for ms, group in groupby(_read(lines, tracing), key=lambda line: line["ms"]):
        tracing.until(ms)
        together = list(group)
        last_levels = max((i for i, line in enumerate(together) if _are_levels(line)), default=-1)
        for i, line in enumerate(together):
            if i == last_levels or not _are_levels(line):
                tracing.take(ms, line)


def _are_levels(line: Mapping[str, Any]) -> bool:
    text = line.get("holes")
    return isinstance(text, str) and text != "" and not text.strip("0123456789abcdefABCDEF")


def _read(lines: Iterable[bytes], tracing: "_Tracing") -> Iterator[dict[str, Any]]:
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
            tracing.error(newest, error)
            continue
        newest = line["ms"]
        yield line


class _Tracing:
    """The table of the last `table` line, and what was last advised."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._core: Core | None = None
        self._advice: list[Any] = []
        self._told_ms = 0

    def until(self, ms: int) -> None:
        """Conclude all that falls due by `ms`, each at its own time."""
        while self._core is not None and (due := pegging.deadline(self._core)) is not None and due <= ms:
            at = max(due, self._told_ms)
            self._tell(at, pegging.ticked(self._core, at))

    def take(self, ms: int, line: Mapping[str, Any]) -> None:
        """Apply one line."""
        self._told_ms = ms
        try:
            if "table" in line:
                self._core, self._advice = None, []
                self._core = _table(line["table"])
                self._tell(ms, pegging.ticked(self._core, ms))
            elif self._core is None:
                raise BadMove("The first line of a trace names the table.")
            else:
                self._tell(ms, _react(self._core, line, ms))
        except CompanionError as error:
            self.error(ms, error)

    def error(self, ms: int, error: CompanionError) -> None:
        """Say what is wrong with a line."""
        self._say({"ms": ms, "error": str(error)})

    def _tell(self, ms: int, happened: Happened) -> None:
        core = self._core = happened.core
        self._told_ms = ms
        for told in happened.told:
            if isinstance(told, Award):
                self._say({"ms": ms, "award": plain(told)})
            elif isinstance(told, Refused):
                self._say({"ms": ms, "error": told.say})
            elif isinstance(told, DeviceTold):
                self._say({"ms": ms, "event": told.event, "device": told.device})
            else:
                self._say({"ms": ms, **event_json(told)})
        advice = plain(showing.advice(core))
        if advice != self._advice:
            self._advice = advice
            self._say({"ms": ms, "advice": advice})


def _table(given: Any) -> Core:
    if not isinstance(given, dict):
        raise BadMove('"table" is an object with a game.')
    key, seats = given.get("game", "six-card"), given.get("seats", 2)
    dealer, options, board = given.get("dealer"), given.get("options") or {}, given.get("board")
    if type(seats) is not int or not (dealer is None or type(dealer) is int) or not isinstance(options, dict):
        raise BadMove("A table has whole numbers for seats and dealer and an object of options.")
    made = plan(str(key), seats, dealer, {k: str(v) for k, v in options.items()}, board and str(board))
    settings = changed(Settings(), given.get("settings") or {})
    core = begun.begin(made, settings)
    for move in given.get("moves") or []:
        core = begun.fold(core, Entry("move", "phone", move), read_move(move, seats))
    if given.get("pegs") is None:
        return core
    stands = stands_of(made, given["pegs"], core.past.state.scores)
    return begun.placed(core, stands)


def _react(core: Core, line: Mapping[str, Any], ms: int) -> Happened:
    """What one line makes of the table. Raises a CompanionError with a sentence."""
    if "holes" in line:
        return pegging.levels(core, _bits(core, line["holes"]), ms)
    if "scan" in line:
        seat = line.get("seat")
        return moving.scanned(core, str(line["scan"]), seat if type(seat) is int else None, ms)
    if "press" in line:
        return moving.pressed(core, str(line["press"]), ms, dice.recorded(line.get("dice"), ms))
    if "move" in line:
        return _move(core, line["move"], ms)
    if "device" in line:
        return moving.device(core, str(line["device"]), ok=line.get("ok") is True, say="")
    if line.get("tick") is True:
        return Happened(core)
    raise BadMove("A line of a trace is a table, holes, scan, press, move, device or tick.")


def _move(core: Core, given: Any, ms: int) -> Happened:
    move = read_move(given, core.plan.setup.seats)
    try:
        return moving.moved(core, move, "phone", ms)
    except IllegalMove as error:
        return Happened(core, (), (Refused(str(error)),))


def _bits(core: Core, text: Any) -> int:
    bits = int(text, 16) if _are_levels({"holes": text}) else -1
    holes = len(core.plan.board.holes)
    if not 0 <= bits < 1 << holes:
        raise BadMove(f"Holes are a hexadecimal text of {holes} bits, hole 0 the lowest.")
    return bits


def recording_table(core: Core) -> dict[str, Any]:
    """The `table` line that begins a recording of this table."""
    settings = {k: getattr(core.settings, k) for k in ("quiet_ms", "doubt_ms", "missing_ms", "repeat_ms")}
    line: dict[str, Any] = {**core.plan.given, "settings": settings}
    if core.watch.stands is not None:
        line["pegs"] = [[stand.back, stand.front] for stand in core.watch.stands]
    return json.loads(dumps(line))  # type: ignore[no-any-return]
