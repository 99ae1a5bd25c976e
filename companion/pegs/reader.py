"""From occupied holes to peg moves. Pure: the time comes in as whole milliseconds.

Pegging is leapfrog: a player lifts the back peg and sets it down ahead of the front one. This module knows no cards,
and of the scores only what is due. Pegs that fit no one clear story are reported as unclear, and a person is asked.
`read` says what the levels mean and when that is certain; at exactly that time it is concluded here.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from companion.boards.board import PegDue, Placement, RaceBoard, bits_of, build_race_board
from companion.boards.catalog import Board, Route
from companion.common.frozen import replace
from companion.common.snapshot import Advice
from companion.pegs import placement
from companion.pegs.events import PegEvent, Resolved, Unclear
from companion.pegs.levels import LevelHistory, PegFacts
from companion.pegs.pipeline import Reading, read_pegs
from companion.pegs.problems import Problem, ProblemKey
from companion.pegs.questions import advise_on_problem, create_question
from companion.pegs.sensor_trust import TrustChange, apply_trust_change, quarantine_flapping_holes
from companion.pegs.thresholds import LONG_AGO_MS, REPORT_INTERVAL_MS, PegTimings
from companion.pegs.timing import PegVerdict

__all__ = [
    "PegDue",
    "PegReader",
    "PegTimings",
    "Placement",
    "Unclear",
    "confirm_pegs",
    "create_reader",
    "dump_reader",
    "list_advice",
    "next_deadline_ms",
    "on_input",
    "on_levels",
    "on_sensors_back",
    "on_tick",
    "restore_reader",
    "set_dues",
    "take_board",
    "take_over_sensors",
]  # fmt: skip

MAX_CONCLUSIONS_AT_ONCE = 1000
"""More conclusions at one time than this would never end: the program is at fault, and stops with an error."""


class OpenQuestion(NamedTuple):
    """An open question."""

    key: ProblemKey
    seats: tuple[int, ...]
    unclear: Unclear


@dataclass(frozen=True, eq=False)
class PegReader:
    """All that is known of the pegs, what was read of it, and what was advised and asked about. Frozen.

    `noticed`: the problems advised about. `asked`: those asked about, which are not asked about again. `open`: the
    questions still open, oldest first. `green`: the dues' own holes in which a peg has been for `GREEN_MS`.
    """

    facts: PegFacts
    reading: Reading
    noticed_keys: frozenset[ProblemKey] = frozenset()
    asked_keys: frozenset[ProblemKey] = frozenset()
    open_questions: tuple[OpenQuestion, ...] = ()
    green_holes: frozenset[int] = frozenset()

    @property
    def placements(self) -> tuple[Placement, ...] | None:
        """Where each seat's pegs are known to stand; None before the pegs were first set up."""
        return self.facts.placements

    @property
    def race_board(self) -> RaceBoard:
        """The board with the lanes of those who race."""
        return self.facts.race_board

    @property
    def routes(self) -> tuple[Route, ...]:
        """Each seat's way."""
        return tuple(lane.route for lane in self.facts.race_board.lanes)

    @property
    def home_bits(self) -> int:
        """Where the pegs are known to stand, as bits; the start holes before they were first set up."""
        return self.facts.home_bits

    @property
    def taken_bits(self) -> int:
        """The holes trusted to be taken, as bits."""
        return self.reading.trusted.taken_bits

    @property
    def quarantined_holes(self) -> tuple[int, ...]:
        """The holes whose sensors are not trusted, rising."""
        return tuple(sorted(self.facts.quarantine))

    @property
    def newest_question(self) -> Unclear | None:
        """What is asked now: the newest question still open."""
        return self.open_questions[-1].unclear if self.open_questions else None


ReadResult = tuple[PegReader, tuple[PegEvent, ...]]
"""The reader, and the events of what was concluded."""


def create_reader(
    board: Board,
    routes: tuple[Route, ...],
    target: int,
    settings: PegTimings,
    *,
    pegs_are_score: bool,
    players_count: bool = False,
    placements: tuple[Placement, ...] | None = None,
) -> PegReader:
    """A reader that has seen nothing yet.

    `claims` (pegs-only): a peg ahead is a claim. `counted`: the players count the cards themselves. `placements`: the
    placement of a game resumed; None before the pegs have been set up.
    """
    facts = PegFacts(
        race_board=build_race_board(board, routes, target),
        settings=settings,
        pegs_are_score=pegs_are_score,
        players_count=pegs_are_score or players_count,
        placements=placements,
        past_placements=((),) * len(routes),
        certain_ms=(LONG_AGO_MS,) * len(routes),
        longest_touches_ms=((),) * len(routes),
    )
    facts = facts.replace(levels=LevelHistory(facts.home_bits if placements is not None else 0))
    return PegReader(facts, read_pegs(facts))


def on_levels(reader: PegReader, bits: int, now_ms: int) -> ReadResult:
    """The sensors report all holes. Gives the reader, and the events of all that is certain by now.

    `bits`: the levels, a set bit where the hole is taken.
    """
    facts = reader.facts
    if facts.sensors_back_ms > now_ms:
        reader = _reread(reader, facts := facts.replace(sensors_back_ms=now_ms))
    changed = bits ^ facts.levels.bits
    if not changed:
        due_ms = next_deadline_ms(reader)
        return (reader, ()) if due_ms is None or due_ms > now_ms else on_tick(reader, now_ms)
    before = reader.reading.trusted
    facts = facts.replace(
        levels=facts.levels.with_report(bits, now_ms, before.reachable_bits),
        left_home_ms=placement.record_left_homes(before, changed & ~bits, now_ms),
        now_ms=max(facts.now_ms, now_ms),
    )
    facts, events = quarantine_flapping_holes(facts, before, changed)
    reader = _reread(reader, facts)
    calmed = placement.record_certain_lanes(reader.reading.trusted)
    reader, later = on_tick(reader if calmed is reader.facts else _reread(reader, calmed), now_ms)
    return reader, events + later


def on_sensors_back(reader: PegReader, now_ms: int) -> PegReader:
    """The sensors are back after they were lost. Anything may have moved: their next report is waited for."""
    return _reread(reader, reader.facts.replace(sensors_back_ms=now_ms + REPORT_INTERVAL_MS))


def on_input(reader: PegReader, now_ms: int) -> ReadResult:
    """A card was put to the reader or a button pressed: a peg that has rested the quiet time is trusted at once."""
    return on_tick(_reread(reader, reader.facts.replace(input_ms=now_ms)), now_ms)


def on_tick(reader: PegReader, now_ms: int) -> ReadResult:
    """Time has passed: all that is certain by now is concluded, in the order of its times."""
    events: tuple[PegEvent, ...] = ()
    if now_ms > reader.facts.now_ms:
        reader = replace(reader, facts=reader.facts.replace(now_ms=now_ms))
    for _ in range(MAX_CONCLUSIONS_AT_ONCE):
        following = _next_conclusion(reader)
        if following is None or following.at_ms > now_ms:
            return reader, events
        reader, more = _apply_conclusion(reader, following)
        events += more
    raise RuntimeError("The pegs are read on and on.")


def next_deadline_ms(reader: PegReader) -> int | None:
    """The next time at which `tick` would conclude something; never before what was last seen."""
    following = _next_conclusion(reader)
    return None if following is None else max(following.at_ms, reader.facts.now_ms)


def set_dues(
    reader: PegReader, dues: tuple[PegDue, ...], now_ms: int, counting: frozenset[int] = frozenset()
) -> ReadResult:
    """The rules say what is due, and that the seats `counting` may claim. What is pegged already is confirmed."""
    return on_tick(_reread(reader, reader.facts.replace(dues=dues, claiming_seats=counting)), now_ms)


def confirm_pegs(reader: PegReader, now_ms: int, points: tuple[int, ...]) -> ReadResult:
    """A person says that the pegs are right as they stand, for these scores, by seat. Questions are closed."""
    return _accept_pegs(reader, now_ms, points)


def take_board(reader: PegReader, now_ms: int) -> ReadResult:
    """A person takes the board as it stands: where the pegs rest becomes their known place. Questions are closed."""
    return _accept_pegs(reader, now_ms, None)


def _accept_pegs(reader: PegReader, now_ms: int, points: tuple[int, ...] | None) -> ReadResult:
    events: tuple[PegEvent, ...] = (Resolved(),) if reader.open_questions else ()
    facts = reader.facts.replace(now_ms=max(now_ms, reader.facts.now_ms))
    for problem in reader.reading.problems:
        facts = placement.settle_problem(facts, reader.reading.trusted, problem, points)
    if points is None:
        facts = facts.replace(is_knocked_over=False)
    reader, more = on_tick(_reread(replace(reader, open_questions=()), facts), now_ms)
    return reader, events + more


def list_advice(reader: PegReader, reasons: Mapping[int, str] | None = None) -> tuple[Advice, ...]:
    """What is amiss now, in players' words, with the holes to light. `reasons`: by seat, why so much is due."""
    reading = reader.reading
    found = [
        advice
        for problem in reading.problems
        if _is_noticed(reader, problem)
        for advice in advise_on_problem(reading.trusted, problem, reading.strays, reasons or {})
    ]
    asks = [Advice("ask", a.unclear.seat, a.unclear.why) for a in reader.open_questions[-1:]]
    return tuple(found + asks)


def dump_reader(reader: PegReader) -> dict[str, Any]:
    """What a restart must know, ready for JSON: where the pegs are known to stand, and where they stood before.

    Also which holes' sensors are not trusted, with the level that each shows.
    """
    facts = reader.facts
    placements = None if facts.placements is None else [list(asdict(s).values()) for s in facts.placements]
    past = [[list(asdict(s).values()) for s in past] for past in facts.past_placements]
    kept = {"stands": placements, "past": past}
    return kept | {"doubted": [[h, facts.levels.bits >> h & 1] for h in facts.quarantine]} if facts.quarantine else kept


def restore_reader(reader: PegReader, saved: Mapping[str, Any]) -> PegReader:
    """A fresh reader with what `dump` kept."""
    facts, shown = reader.facts, {int(hole): bool(level) for hole, level in saved.get("doubted", ())}
    if saved["stands"] is not None:
        past = tuple(tuple(Placement(*s) for s in past) for past in saved["past"])
        facts = facts.replace(placements=tuple(Placement(*s) for s in saved["stands"]), past_placements=past)
    taken = bits_of(hole for hole, level in shown.items() if level)
    levels = LevelHistory((facts.home_bits if facts.placements else 0) & ~bits_of(shown) | taken)
    return _reread(reader, facts.replace(levels=levels, quarantine=dict.fromkeys(shown, facts.now_ms)))


def take_over_sensors(fresh: PegReader, old: PegReader, now_ms: int) -> PegReader:
    """The `fresh` reader, over other ways on the same board, with what the `old` one knows of the sensors."""
    levels = LevelHistory(fresh.facts.levels.bits, old.facts.levels.changes)
    return _reread(fresh, fresh.facts.replace(levels=levels, quarantine=old.facts.quarantine, now_ms=now_ms))


class _Conclusion(NamedTuple):
    """Something that will be concluded at `at_ms`. Of the same time, the lower `order` comes first."""

    at_ms: int
    order: int
    what: PegVerdict | Problem | OpenQuestion | TrustChange | int | None


@lru_cache(maxsize=1)  # a clock that asks for the deadline goes on to conclude it
def _next_conclusion(reader: PegReader) -> _Conclusion | None:
    """What is concluded next, if nothing more is seen."""
    reading = reader.reading
    found = [_Conclusion(v.at_ms, 1, v) for v in reading.verdicts]
    if reading.new_game_ms is not None:
        found.append(_Conclusion(reading.new_game_ms, 0, None))
    found += [
        _Conclusion(at_ms, 2, a) for a in reader.open_questions if (at_ms := _answered_at_ms(reader, a)) is not None
    ]
    found += [_Conclusion(trust.at_ms, 3, trust) for trust in reading.trust_changes]
    found += [_Conclusion(at_ms, 6, hole) for at_ms, hole in reading.green_times if hole not in reader.green_holes]
    for problem in reading.problems:
        if not _is_noticed(reader, problem):
            found.append(_Conclusion(problem.notice_ms, 4, problem))
        elif problem.ask_ms is not None and not _is_asked(reader, problem.key):
            found.append(_Conclusion(problem.ask_ms, 5, problem))
    return min(found, key=_sort_key, default=None)


def _sort_key(following: _Conclusion) -> tuple[int, int]:
    return following[:2]


def _is_noticed(reader: PegReader, problem: Problem) -> bool:
    return problem.notice_ms == LONG_AGO_MS or problem.key in reader.noticed_keys


def _is_asked(reader: PegReader, key: ProblemKey) -> bool:
    return key in reader.asked_keys or any(asked.key == key for asked in reader.open_questions)


def _answered_at_ms(reader: PegReader, asked: OpenQuestion) -> int | None:
    """When the pegs will have answered an open question; None while they do not.

    They do when both pegs of all its seats are at home, and no other hole that it is about is taken.
    """
    placements, trusted = reader.facts.placements, reader.reading.trusted
    if placements is None or not reader.reading.away_seats.isdisjoint(asked.seats):
        return None
    extra = trusted.taken_bits & ~trusted.home_bits
    if any(extra >> h & 1 for h in asked.key.holes):
        return None
    homes = [hole for seat in asked.seats for hole in placements[seat].holes]
    return trusted.last_change_ms(homes) + reader.facts.settings.quiet_ms


def _apply_conclusion(reader: PegReader, following: _Conclusion) -> ReadResult:
    facts = reader.facts
    match following.what:
        case PegVerdict() as verdict:
            facts, events = placement.commit_verdict(facts, verdict)
            keys = (_without_seat(each, verdict.seat) for each in (reader.asked_keys, reader.noticed_keys))
            return _reread(
                replace(reader, **dict(zip(("asked_keys", "noticed_keys"), keys, strict=True))), facts
            ), events
        case OpenQuestion() as asked:
            return _resolve_question(reader, asked), (Resolved(),)
        case Problem() as problem:
            return _notice_or_ask(reader, problem)
        case int() as hole:
            return replace(reader, green_holes=reader.green_holes | {hole}), ()
        case None:
            facts, events = placement.begin_game(facts, following.at_ms)
            resolved = (Resolved(),) * len(reader.open_questions)
            return _reread(
                replace(reader, asked_keys=frozenset(), noticed_keys=frozenset(), open_questions=()), facts
            ), events + resolved
        case trust:
            facts, events = apply_trust_change(facts, trust)
            return _reread(reader, facts), events


def _resolve_question(reader: PegReader, asked: OpenQuestion) -> PegReader:
    """A question is answered by the pegs."""
    still = tuple(a for a in reader.open_questions if a is not asked)
    keys = frozenset(k for k in reader.asked_keys if k != asked.key and k.seat not in asked.seats)
    reader = replace(reader, open_questions=still, asked_keys=keys)
    if asked.key.kind != "wrong_track":
        return reader
    levels = reader.facts.levels.with_explained_holes(
        asked.key.holes
    )  # a hand made these changes: the sensor does not fail
    return _reread(reader, reader.facts.replace(levels=levels))


def _notice_or_ask(reader: PegReader, problem: Problem) -> ReadResult:
    """A problem is noticed, and later asked about, once."""
    if not _is_noticed(reader, problem):
        return replace(reader, noticed_keys=reader.noticed_keys | {problem.key}), ()
    asked = OpenQuestion(problem.key, problem.seats, create_question(reader.reading.trusted, problem))
    others = tuple(a for a in reader.open_questions if not set(a.seats) & set(problem.seats))
    return replace(reader, open_questions=(*others, asked), asked_keys=reader.asked_keys | {problem.key}), (
        asked.unclear,
    )


def _without_seat(keys: frozenset[ProblemKey], seat: int) -> frozenset[ProblemKey]:
    return frozenset(k for k in keys if k.seat is not None and k.seat != seat)


def _reread(reader: PegReader, facts: PegFacts) -> PegReader:
    """The reader, with these facts read anew.

    A problem that is gone is forgotten: the same mistake, made again, must rest again before it is told.
    """
    reading = read_pegs(facts)
    knocked = placement.is_knocked_over(reading.trusted)
    if knocked != facts.is_knocked_over:
        reading = read_pegs(facts := facts.replace(is_knocked_over=knocked))
    noticed = reader.noticed_keys and reader.noticed_keys & {t.key for t in reading.problems}
    green = reader.green_holes and reader.green_holes & {hole for _, hole in reading.green_times}
    return replace(reader, facts=facts, reading=reading, noticed_keys=noticed, green_holes=green)
