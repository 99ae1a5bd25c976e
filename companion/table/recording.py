"""Run a table on recorded inputs without hardware: `companion trace` (docs/reference/trace.md). Pure.

Lines are applied in order, but of several levels in one millisecond only the last count: levels, and the lines after
them, wait until the end of their millisecond. What is due at T is concluded before the first line at or after T.

The inputs of the last ten minutes are kept as such a recording, to attach to a bug report. It begins at a moment when
nothing was pending, so that a replay gives the same results, and contains no names, no keys and no hidden cards.
"""

import json
import re
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from companion.common.errors import BadMove, CompanionError
from companion.common.snapshot import Advice
from companion.journal.journal import JournalEntry
from companion.pegs.events import encode_event
from companion.protocol.json_codec import dump_json, encode_advice, parse_json, read_move, to_json_value
from companion.rules.cards import parse_card
from companion.rules.engine import Award
from companion.settings import Settings, apply_values
from companion.table import inputs
from companion.table.setup import TablePlan, create_plan
from companion.table.state import (
    DeviceEvent,
    RefusedInput,
    TableCore,
    Transition,
    apply_entry,
    create_core,
    next_deadline_ms,
    on_levels,
    on_tick,
    parse_recorded_dice,
    restore_pegs,
)

if TYPE_CHECKING:
    from companion.table.table import Table

LineWriter = Callable[[Mapping[str, Any]], None]

DEVICE_NAMES = ("sensors", "lights", "cards", "buttons", "remote")


def run_recording(lines: Iterable[bytes], write: LineWriter) -> None:
    """Run a recording and pass every conclusion to `write`. A wrong line is reported and skipped."""
    run, waiting, now_ms = _RecordingRun(write), list[_Line](), -1
    for ms, line in _read_lines(lines):
        if ms != now_ms:
            run.apply_lines(now_ms, waiting)
            run.conclude_until(ms)
            waiting, now_ms = [], ms
        if waiting or _are_levels(line):
            waiting.append(line)
        else:
            run.apply_line(ms, line)
    run.apply_lines(now_ms, waiting)
    run.conclude_until(now_ms)


_Line = Mapping[str, Any] | CompanionError
"""A line, or the error in it."""
_HEXADECIMAL = re.compile("[0-9a-fA-F]+").fullmatch


def _are_levels(line: _Line) -> bool:
    text = None if isinstance(line, CompanionError) else line.get("holes")
    return isinstance(text, str) and _HEXADECIMAL(text) is not None


def _read_lines(lines: Iterable[bytes]) -> Iterator[tuple[int, _Line]]:
    """Yield each line with its time; a wrong line gets the time of the line before it."""
    newest = 0
    for text in lines:
        if not text.strip():
            continue
        try:
            line = parse_json(text)
            if not isinstance(line, dict) or type(line.get("ms")) is not int or line["ms"] < 0:
                raise BadMove('A line of a trace must be an object with "ms", whole milliseconds from 0.')
            if line["ms"] < newest:
                raise BadMove(f"Time runs backwards: {line['ms']} ms after {newest} ms.")
        except CompanionError as error:
            yield newest, error
            continue
        newest = line["ms"]
        yield newest, line


class _RecordingRun:
    """One run: the state since the last `table` line, the advice last reported, and the time of the last input."""

    def __init__(self, write: LineWriter) -> None:
        self._write = write
        self._core: TableCore | None = None
        self._advice: tuple[Advice, ...] = ()
        self._last_ms = 0

    def conclude_until(self, ms: int) -> None:
        """Draw all conclusions that are due by `ms`, each at its own time."""
        while self._core is not None and (due := next_deadline_ms(self._core)) is not None and due <= ms:
            at = max(due, self._last_ms)
            self._report_transition(at, on_tick(self._core, at))

    def apply_lines(self, ms: int, lines: Sequence[_Line]) -> None:
        """Apply the lines of one millisecond, and only the last of the levels among them."""
        outdated = [i for i, line in enumerate(lines) if _are_levels(line)][:-1] if len(lines) > 1 else []
        for i, line in enumerate(lines):
            if i not in outdated:
                self.apply_line(ms, line)

    def apply_line(self, ms: int, line: _Line) -> None:
        self._last_ms = ms
        try:
            if isinstance(line, CompanionError):
                raise line
            if "table" in line:
                self._core, self._advice = None, ()
                self._report_transition(ms, on_tick(_parse_table(line["table"]), ms))
            elif self._core is None:
                raise BadMove("The first line of a trace must have the table.")
            else:
                self._report_transition(ms, _apply_input(self._core, line, ms))
        except CompanionError as error:
            self._write({"ms": ms, "error": str(error)})

    def _report_transition(self, ms: int, transition: Transition) -> None:
        self._last_ms = ms
        if transition.core is self._core and not transition.events:
            return
        core = self._core = transition.core
        for event in transition.events:
            if isinstance(event, Award):
                self._write({"ms": ms, "award": to_json_value(event)})
            elif isinstance(event, RefusedInput):
                self._write({"ms": ms, "error": event.say})
            elif isinstance(event, DeviceEvent):
                self._write({"ms": ms, "event": event.event, "device": event.device})
            else:
                self._write({"ms": ms, **encode_event(event)})
        advice = core.course.advice()
        if advice != self._advice:
            self._advice = advice
            self._write({"ms": ms, "advice": [encode_advice(each) for each in advice]})


def parse_shared_plan(given: object) -> TablePlan:
    """Parse the `table` of a recording or an export, which other people may have written. Raises CompanionError."""
    if not isinstance(given, Mapping):
        raise BadMove('"table" must be an object with a game.')
    key, board, seats, dealer = (given.get(name) for name in ("game", "board", "seats", "dealer"))
    options = given.get("options") or {}
    kinds = ((key, str), (board, str), (seats, int), (dealer, int))
    if not all(value is None or type(value) is kind for value, kind in kinds) or not isinstance(options, Mapping):
        raise BadMove(
            "A table must have texts for game and board, whole numbers for seats and dealer, and an object of options."
        )
    texts = {str(name): str(value) for name, value in options.items()}
    return create_plan(key or "six-card", seats, dealer, texts, board)


def _parse_table(given: Any) -> TableCore:
    plan = parse_shared_plan(given)
    settings, moves = given.get("settings") or {}, given.get("moves") or []
    if not isinstance(settings, dict) or not isinstance(moves, list):
        raise BadMove("A table must have an object for settings, and a list of moves.")
    core = create_core(plan, apply_values(Settings(), settings))
    for move in moves:
        core = apply_entry(core, JournalEntry("move", "phone", move), read_move(move, plan.setup.seats))
    return restore_pegs(core, _parse_known_pegs(given))


def _parse_known_pegs(given: Mapping[str, Any]) -> Any:
    """Return the pegs of a `table` line: a dump (`known`, formerly `markers`) or the holes of each side (`pegs`)."""
    known = given.get("markers") if given.get("known") is None else given["known"]
    return {"pegs": given["pegs"]} if known is None and given.get("pegs") is not None else known


def _apply_input(core: TableCore, line: Mapping[str, Any], ms: int) -> Transition:
    """Apply one input line. Raises CompanionError with a sentence."""
    if "holes" in line:
        return on_levels(core, _parse_bits(core, line["holes"]), ms)
    if "scan" in line:
        return _apply_scan(core, line, ms)
    if "press" in line:
        return inputs.on_press(core, str(line["press"]), ms, parse_recorded_dice(line.get("dice"), ms))
    if "move" in line:
        return inputs.on_move(core, read_move(line["move"], core.plan.setup.seats), "phone", ms)
    if "device" in line:
        if line["device"] not in DEVICE_NAMES or not isinstance(line.get("ok"), bool):
            raise BadMove(f"A device must be one of {', '.join(DEVICE_NAMES)}, with ok true or false.")
        return inputs.on_device(core, line["device"], ms, ok=line["ok"], say="")
    if line.get("tick") is True:
        return Transition(core)
    raise BadMove("A line of a trace must have table, holes, scan, press, move, device or tick.")


def _apply_scan(core: TableCore, line: Mapping[str, Any], ms: int) -> Transition:
    """Apply a card that a reader saw, which may belong to a seat, or that was tapped on a page."""
    code, seat = line["scan"], line.get("seat")
    if not isinstance(code, str) or not (seat is None or (type(seat) is int and 0 <= seat < core.plan.setup.seats)):
        raise BadMove("A scan must be a text, and its seat one of this table.")
    tapped = line.get("tapped") is True
    return inputs.on_card_tap(core, parse_card(code), ms) if tapped else inputs.on_scan(core, code, seat, ms)


def _parse_bits(core: TableCore, text: Any) -> int:
    bits = int(text, 16) if _are_levels({"holes": text}) else -1
    holes = len(core.plan.board.holes)
    if not 0 <= bits < 1 << holes:
        raise BadMove(f"Holes must be a hexadecimal text of {holes} bits, hole 0 the lowest.")
    return bits


def recording_start(core: TableCore, entries: Iterable[JournalEntry]) -> list[Mapping[str, Any]]:
    """Return the lines, without their time, that begin a recording of a game with these entries."""
    pending = [{"scan": str(card), "tapped": True} for card in core.pending_cards]  # they are not part of the moves
    return insert_moves([{"table": describe_table(core)}, *pending], entries)


def insert_moves(setup_lines: Sequence[Mapping[str, Any]], entries: Iterable[JournalEntry]) -> list[Mapping[str, Any]]:
    """Return the lines with the moves of these entries in the `table` line."""
    moves = [entry.body for entry in entries if entry.kind == "move"]
    if not moves:
        return list(setup_lines)
    return [{**line, "table": {**line["table"], "moves": moves}} if "table" in line else line for line in setup_lines]


def describe_table(core: TableCore) -> dict[str, Any]:
    """Return the `table` line that begins a recording of this state."""
    settings = {k: getattr(core.settings, k) for k in ("quiet_ms", "doubt_ms", "missing_ms", "repeat_ms")}
    settings |= {} if core.reads_pegs else {"sensors": "none:"}
    line: dict[str, Any] = {**replace(core.plan, is_plain=False, against=None).journal_json, "settings": settings}
    if core.course.placement is not None:
        line["known"] = core.course.dump()
    standing = {
        pegs.seat: [core.plan.board.by_id[hole].bit for hole in (pegs.back, pegs.front)]
        for pegs in core.course.describe_pegs().pegs
    }
    if standing:
        line["pegs"] = [standing.get(seat) for seat in range(core.plan.sides)]
    return json.loads(dump_json(line))  # type: ignore[no-any-return]


KEEP_MS = 600_000
"""How long inputs are kept."""
MIN_PART_MS = 60_000
"""Minimum length of a part. Old lines are dropped by whole parts."""
MAX_LINES = 20_000
"""Maximum number of lines, in one part and in all."""


@dataclass
class _Part:
    """Lines since a moment. `setup_lines` set the table up as it was then, without its moves, which are read from the
    journal up to the entry `last_entry_id`. They are empty if the first line is itself a `table` line.
    """

    ms: int
    setup_lines: Sequence[Mapping[str, Any]]
    game: int
    last_entry_id: int
    lines: list[str] = field(default_factory=list)


class RecentInputs:
    """Keeps the recent input lines. Lines are added under the table's lock and read from any thread."""

    def __init__(self) -> None:
        self._table: Table | None = None
        self._parts: deque[_Part] = deque()
        self._scans_and_presses: deque[Mapping[str, Any]] = deque(maxlen=20)
        self._lock = threading.Lock()

    def attach(self, table: "Table") -> None:
        """Keep the inputs of this table from now on."""
        self._table = table

    def __call__(self, line: Mapping[str, Any]) -> None:
        """Add a line that the table is about to apply."""
        if self._table is None:
            return
        with self._lock:
            self._rotate_parts(self._table, line)
            self._parts[-1].lines.append(dump_json(line))
            if "scan" in line or "press" in line:
                self._scans_and_presses.append(line)

    def list_scans_and_presses(self) -> list[dict[str, Any]]:
        """Return the last scans and button presses, newest first."""
        with self._lock:
            return [dict(each) for each in self._scans_and_presses][::-1]

    def recording_lines(self) -> list[str]:
        """Return the lines of the recording as JSON texts; empty if there were no inputs. Raises JournalError."""
        with self._lock:
            parts = [(part, list(part.lines)) for part in self._parts]
        if not parts or self._table is None:
            return []
        return _build_start_lines(self._table, parts[0][0]) + [line for _, lines in parts for line in lines]

    def _rotate_parts(self, table: "Table", line: Mapping[str, Any]) -> None:
        """Begin another part if it is time and nothing is pending, and drop parts that are too old."""
        ms, core, journal = line["ms"], table.core, table.journal
        if "table" in line:
            self._parts.clear()
            self._parts.append(_Part(ms, (), journal.game_id or 0, journal.last_entry_id))
            return
        newest = self._parts[-1] if self._parts else None
        is_full = newest is not None and len(newest.lines) >= MAX_LINES
        if newest is None or (ms - newest.ms >= MIN_PART_MS and next_deadline_ms(core) is None) or is_full:
            if is_full:
                self._parts.clear()
            self._parts.append(_Part(ms, _build_setup_lines(core), journal.game_id or 0, journal.last_entry_id))
        while len(self._parts) > 1 and (self._parts[1].ms <= ms - KEEP_MS or self._count_lines() > MAX_LINES):
            self._parts.popleft()

    def _count_lines(self) -> int:
        return sum(len(part.lines) for part in self._parts)


def _build_setup_lines(core: TableCore) -> list[Mapping[str, Any]]:
    """Return the lines that set up a table like this one, including the occupied holes."""
    bits = getattr(core.course, "bits", None)
    return [*recording_start(core, ()), *([] if bits is None else [{"holes": f"{bits:x}"}])]


def _build_start_lines(table: "Table", part: _Part) -> list[str]:
    """Return the lines that set up the table as it was when the part began. Raises JournalError."""
    stored = table.journal.read_entries(part.game) if part.setup_lines else ()
    entries = [each.entry for each in stored if each.id <= part.last_entry_id]
    return [dump_json({"ms": part.ms, **line}) for line in insert_moves(part.setup_lines, entries)]
