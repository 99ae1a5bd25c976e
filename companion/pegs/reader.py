"""The peg reader: turns levels of the holes into peg moves. Pure; the time is an argument in whole milliseconds.

Pegging is leapfrog: a player lifts the back peg and puts it down ahead of the front peg. The reader does not know the
cards, and of the scores only the dues. `companion.pegs.pipeline` computes what the levels mean and from when on that is
certain; at that time the reader applies the conclusion and reads again. Pegs that cannot be interpreted are reported as
`Unclear`, and the players are asked.

A `PegReader` is an immutable value. Each function returns a new reader, mostly with the events of what was concluded.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from companion.boards.board import (
    Board,
    PegDue,
    Placement,
    Route,
    bits_of,
    build_race_board,
    holes_of,
    union_bits,
)
from companion.common.snapshot import Advice
from companion.common.values import replace
from companion.pegs.events import PegEvent, Pegged, Quarantined, Resolved, Started, Trusted, Undone
from companion.pegs.levels import (
    MAX_PAST_PLACEMENTS,
    LevelHistory,
    PegFacts,
    TrustedLevels,
    apply_report,
    past_before,
    record_certain_lanes,
)
from companion.pegs.pipeline import Reading, TrustChange, read_pegs
from companion.pegs.problems import Problem, ProblemKey, supposed_hole
from companion.pegs.questions import (
    OpenQuestion,
    advise_on_problem,
    create_question,
    is_answered,
    is_claimed,
    settle_problem,
)
from companion.pegs.thresholds import BOUNCE_MS, LONG_AGO_MS, PACE_SAMPLE_ACTS, REPORT_INTERVAL_MS, PegTimings
from companion.pegs.timing import PegVerdict

MAX_CONCLUSIONS_AT_ONCE = 1000
"""Maximum number of conclusions at one time. More are a programming error, an endless loop, and raise RuntimeError."""

PlacementChange = tuple[PegFacts, tuple[PegEvent, ...]]
"""The changed facts and the events that report the change."""


@dataclass(frozen=True, eq=False)
class PegReader:
    """What is known about the pegs of a race, the reading of it, and the advice and questions so far. Frozen.

    - `noticed_keys`: the problems for which there is advice.
    - `asked_keys`: the problems that the players were asked about, which are not asked about again.
    - `open_questions`: oldest first.
    - `green_holes`: the holes of dues in which a peg has been for `GREEN_AFTER_MS`.
    """

    facts: PegFacts
    reading: Reading
    noticed_keys: frozenset[ProblemKey] = frozenset()
    asked_keys: frozenset[ProblemKey] = frozenset()
    open_questions: tuple[OpenQuestion, ...] = ()
    green_holes: frozenset[int] = frozenset()

    @property
    def placements(self) -> tuple[Placement, ...] | None:
        """The known placement of each seat; None before the set-up is complete."""
        return self.facts.placements

    @property
    def home_bits(self) -> int:
        """The holes where pegs are known to stand, as bits; the start holes before the set-up is complete."""
        return self.reading.trusted.home_bits

    @property
    def taken_bits(self) -> int:
        """The holes that hold a peg, as bits, judging quarantined holes by the others."""
        return self.reading.trusted.taken_bits


ReadResult = tuple[PegReader, tuple[PegEvent, ...]]
"""The new reader, and the events of what was concluded."""


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
    """Create a reader that has received no report yet.

    `pegs_are_score`: a peg ahead is a claim (pegs-only). `players_count`: the players count their cards themselves.
    `placements`: the placements of a resumed game; None before the set-up is complete.
    """
    facts = PegFacts(
        race_board=build_race_board(board, routes, target),
        settings=settings,
        pegs_are_score=pegs_are_score,
        players_count=pegs_are_score or players_count,
        placements=placements,
        past_placements=((),) * len(routes),
        certain_ms=(LONG_AGO_MS,) * len(routes),
        hand_paces=((),) * len(routes),
    )
    facts = replace(facts, levels=LevelHistory(union_bits(bits_of(one.holes) for one in placements or ())))
    return PegReader(facts, read_pegs(facts))


def on_levels(reader: PegReader, bits: int, now_ms: int) -> ReadResult:
    """Handle a report of all holes. `bits`: the levels, a set bit for each taken hole."""
    facts = reader.facts
    if facts.sensors_back_ms > now_ms:
        reader = _reread(reader, facts := replace(facts, sensors_back_ms=now_ms))
    changed = bits ^ facts.levels.bits
    if not changed:
        due_ms = next_deadline_ms(reader)
        return (reader, ()) if due_ms is None or due_ms > now_ms else on_tick(reader, now_ms)
    before = reader.reading.trusted
    facts, events = apply_report(facts, before, bits, now_ms)
    reader = _reread(reader, facts)
    updated = record_certain_lanes(reader.reading.trusted)
    reader, later = on_tick(reader if updated is reader.facts else _reread(reader, updated), now_ms)
    return reader, events + later


def on_sensors_back(reader: PegReader, now_ms: int) -> PegReader:
    """Handle the return of lost sensors. Any peg may have moved, so the reader waits for the next report."""
    return _reread(reader, replace(reader.facts, sensors_back_ms=now_ms + REPORT_INTERVAL_MS))


def on_input(reader: PegReader, now_ms: int) -> ReadResult:
    """Handle a scanned card or a pressed button: pegs that have rested for the quiet time are read at once."""
    return on_tick(_reread(reader, replace(reader.facts, input_ms=now_ms)), now_ms)


def on_tick(reader: PegReader, now_ms: int) -> ReadResult:
    """Conclude everything that is certain by now, in the order of its times."""
    events: tuple[PegEvent, ...] = ()
    if now_ms > reader.facts.now_ms:
        reader = replace(reader, facts=replace(reader.facts, now_ms=now_ms))
    for _ in range(MAX_CONCLUSIONS_AT_ONCE):
        following = _next_conclusion(reader)
        if following is None or following.at_ms > now_ms:
            return reader, events
        reader, more = _apply_conclusion(reader, following)
        events += more
    raise RuntimeError(f"More than {MAX_CONCLUSIONS_AT_ONCE} conclusions from the pegs at one time.")


def next_deadline_ms(reader: PegReader) -> int | None:
    """Return when `on_tick` would next conclude something, not earlier than the last report; None if never."""
    following = _next_conclusion(reader)
    return None if following is None else max(following.at_ms, reader.facts.now_ms)


def set_dues(
    reader: PegReader,
    dues: tuple[PegDue, ...],
    now_ms: int,
    counting: frozenset[int] = frozenset(),
    claimed_by: int | None = None,
) -> ReadResult:
    """Set what is due by the rules, and the seats that may claim. Confirms dues that are pegged already.

    `claimed_by`: the seat that has just claimed its due by phone, for which its peg may have been lifted before.
    """
    facts = reader.facts
    before = {due.seat: due.points for due in facts.dues}
    since_ms = {due.seat: LONG_AGO_MS if due.seat == claimed_by else now_ms for due in dues}
    since_ms |= {due.seat: facts.due_since_ms[due.seat] for due in dues if before.get(due.seat) == due.points}
    facts = replace(facts, dues=dues, due_since_ms=since_ms, claiming_seats=counting)
    return on_tick(_reread(reader, facts), now_ms)


def confirm_pegs(reader: PegReader, now_ms: int, points: tuple[int, ...]) -> ReadResult:
    """Accept the pegs as they stand for these scores (by seat), as a player confirmed.

    Closes all questions except those about points of seats whose scores have not changed.
    """
    return _accept_pegs(reader, now_ms, points)


def take_board(reader: PegReader, now_ms: int) -> ReadResult:
    """Make the holes where the pegs rest their known placement, as a player wishes. Closes all questions."""
    return _accept_pegs(reader, now_ms, None)


def _accept_pegs(reader: PegReader, now_ms: int, points: tuple[int, ...] | None) -> ReadResult:
    facts = replace(reader.facts, now_ms=max(now_ms, reader.facts.now_ms))
    unanswered = tuple([asked for asked in reader.open_questions if points and not is_answered(facts, asked, points)])
    events: tuple[PegEvent, ...] = (Resolved(),) if len(unanswered) < len(reader.open_questions) else ()
    for problem in reader.reading.problems:
        if any(problem.key == asked.key for asked in unanswered):
            continue
        asked = next((asked for asked in reader.open_questions if asked.seats == problem.seats), None)
        if problem.key.kind == "out" and asked is None:
            continue  # the peg is in a hand
        if points and problem.key.kind == "wrong_track" and is_claimed(facts, problem, points):
            continue
        dead_hole = asked.dead_hole if asked else None  # a due may have come since
        facts = settle_problem(facts, reader.reading.trusted, problem, points, dead_hole)
    if points is None:
        facts = replace(facts, is_knocked_over=False)
    reader, more = on_tick(_reread(replace(reader, open_questions=unanswered), facts), now_ms)
    return reader, events + more


def apply_trust_change(facts: PegFacts, trust: TrustChange) -> tuple[PegFacts, tuple[PegEvent, ...]]:
    """Quarantine a hole or trust it again. Returns the new facts and the event."""
    if trust.why:
        # A due may make a peg that has rested for minutes evidence: the time until the release begins now.
        since_ms = max(trust.at_ms, facts.now_ms)
        return replace(facts, quarantine={**facts.quarantine, trust.hole: since_ms}), (
            Quarantined(trust.hole, trust.why),
        )
    levels = facts.levels.with_explained_holes((trust.hole,))
    quarantine = {hole: ms for hole, ms in facts.quarantine.items() if hole != trust.hole}
    return replace(facts, quarantine=quarantine, levels=levels), (Trusted(trust.hole),)


def commit_verdict(facts: PegFacts, verdict: PegVerdict) -> PlacementChange:
    """Make a seat's verdict the known placement."""
    assert facts.placements is not None
    found, seat = verdict.interpretation, verdict.seat
    assert found.placement is not None
    before, past = facts.placements[seat], facts.past_placements[seat]
    if found.kind == "pegged":
        past = (*past[-MAX_PAST_PLACEMENTS:], before)
    elif found.kind == "undone":
        past = past_before(past, found.placement)
    paces = (*facts.hand_paces[seat], verdict.pace)[-PACE_SAMPLE_ACTS:]
    facts = replace(
        facts.with_placement(seat, found.placement, past, verdict.at_ms, paces),
        left_home_ms={key: ms for key, ms in facts.left_home_ms.items() if key[0] != seat},
        levels=facts.levels.with_explained_holes(before.holes | found.placement.holes),
    )
    if found.kind == "moved":
        return facts, ()
    if found.kind == "pegged":
        return facts, (Pegged(seat, found.points, found.origin, found.to, found.is_claim),)
    return facts, (Undone(seat, found.points, found.origin, found.to),)


def begin_game(facts: PegFacts, trusted: TrustedLevels, now_ms: int) -> PlacementChange:
    """Begin a game: all pegs rest in the start holes."""
    lanes = facts.race_board.lanes
    events: list[PegEvent] = [] if facts.placements is None else _undo_before_new_game(trusted, facts.placements)
    events.append(Started(tuple(range(len(lanes)))))
    full = trusted.quarantined_bits & facts.race_board.start_bits & facts.levels.bits
    events += map(Trusted, holes_of(full))  # a stray in a start hole was a peg that came home early
    facts = replace(
        facts,
        placements=tuple(one.start_placement for one in lanes),
        past_placements=((),) * len(lanes),
        certain_ms=(now_ms,) * len(lanes),
        left_home_ms={},
        quarantine={hole: ms for hole, ms in facts.quarantine.items() if not full >> hole & 1},
        levels=facts.levels.with_explained_holes(facts.levels.changes),
    )
    return facts, tuple(events)


def _undo_before_new_game(trusted: TrustedLevels, placements: tuple[Placement, ...]) -> list[PegEvent]:
    """Return the `Undone` that precedes the new game if only one seat's pegs were away and had been at the start."""
    facts, lanes = trusted.facts, trusted.facts.race_board.lanes
    away = [seat for seat, one in enumerate(lanes) if placements[seat] != one.start_placement]
    if trusted.is_won or len(away) != 1 or lanes[away[0]].start_placement not in facts.past_placements[away[0]]:
        return []
    placement, begin = placements[away[0]], lanes[away[0]].start_placement
    origin, to = placement.holes - begin.holes, begin.holes - placement.holes
    if len(to) > 1:
        origin, to = frozenset((placement.front,)), frozenset((begin.front,))
    return [Undone(away[0], placement.front_points, min(origin), min(to))]


def list_advice(reader: PegReader, reasons: Mapping[int, str] | None = None) -> tuple[Advice, ...]:
    """Return the present advice for players, with the holes to light. `reasons`: by seat, the reason of its due."""
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
    """Return what a restart must know as a JSON object: the known placements and the earlier ones.

    If holes are quarantined, also these, each with its present level.
    """
    facts = reader.facts
    placements = None if facts.placements is None else [list(asdict(s).values()) for s in facts.placements]
    past = [[list(asdict(s).values()) for s in past] for past in facts.past_placements]
    kept = {"stands": placements, "past": past}
    return kept | {"doubted": [[h, facts.levels.bits >> h & 1] for h in facts.quarantine]} if facts.quarantine else kept


def restore_reader(reader: PegReader, saved: Mapping[str, Any]) -> PegReader:
    """Return a fresh reader with the state that `dump_reader` saved."""
    facts, shown = reader.facts, {int(hole): bool(level) for hole, level in saved.get("doubted", ())}
    if saved["stands"] is not None:
        past = tuple(tuple(Placement(*s) for s in past) for past in saved["past"])
        facts = replace(facts, placements=tuple(Placement(*s) for s in saved["stands"]), past_placements=past)
    taken = bits_of(hole for hole, level in shown.items() if level)
    levels = LevelHistory(union_bits(bits_of(one.holes) for one in facts.placements or ()) & ~bits_of(shown) | taken)
    return _reread(reader, replace(facts, levels=levels, quarantine=dict.fromkeys(shown, facts.now_ms)))


def take_over_sensors(fresh: PegReader, old: PegReader, now_ms: int) -> PegReader:
    """Give a `fresh` reader, for other routes on the same board, the level history and quarantine of the `old` one."""
    levels = LevelHistory(fresh.facts.levels.bits, old.facts.levels.changes)
    return _reread(fresh, replace(fresh.facts, levels=levels, quarantine=old.facts.quarantine, now_ms=now_ms))


class _Conclusion(NamedTuple):
    """A conclusion that holds at `at_ms`. At the same time, the lower `order` comes first."""

    at_ms: int
    order: int
    what: PegVerdict | Problem | OpenQuestion | TrustChange | int | None


@lru_cache(maxsize=1)  # a timer that asks for the deadline then asks for the conclusion
def _next_conclusion(reader: PegReader) -> _Conclusion | None:
    """Return the next conclusion if no further report comes."""
    reading = reader.reading
    found = [_Conclusion(v.at_ms, 1, v) for v in reading.verdicts]
    if reading.new_game_ms is not None:
        found.append(_Conclusion(reading.new_game_ms, 0, None))
    found += [
        _Conclusion(at_ms, 2, a) for a in reader.open_questions if (at_ms := _answered_at_ms(reader, a)) is not None
    ]
    found += [_Conclusion(trust.at_ms, 3, trust) for trust in reading.trust_changes]
    found += [_Conclusion(at_ms, 6, hole) for at_ms, hole in reading.green_times if hole not in reader.green_holes]
    found += [_Conclusion(_chatter_end_ms(reader.facts, hole), 6, hole) for hole in _chattering_holes(reader, reading)]
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
    """Return when the pegs will have answered an open question; None while they do not.

    They answer it when all pegs of its seats are at home and no other hole of the question is taken.
    """
    placements, trusted = reader.facts.placements, reader.reading.trusted
    if any(problem.key == asked.key for problem in reader.reading.problems):
        return None
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
            facts, events = commit_verdict(facts, verdict)
            asked_keys = _without_seat(reader.asked_keys, verdict.seat)
            noticed_keys = _without_seat(reader.noticed_keys, verdict.seat)
            return _reread(replace(reader, asked_keys=asked_keys, noticed_keys=noticed_keys), facts), events
        case OpenQuestion() as asked:
            return _resolve_question(reader, asked), (Resolved(),)
        case Problem() as problem:
            return _notice_or_ask(reader, problem)
        case int() as hole:
            return replace(reader, green_holes=reader.green_holes ^ {hole}), ()
        case None:
            facts, events = begin_game(facts, reader.reading.trusted, following.at_ms)
            events += (Resolved(),) * len(reader.open_questions)
            reader = replace(reader, asked_keys=frozenset(), noticed_keys=frozenset(), open_questions=())
            return _reread(reader, facts), events
        case trust:
            facts, events = apply_trust_change(facts, trust)
            return _reread(reader, facts), events


def _resolve_question(reader: PegReader, asked: OpenQuestion) -> PegReader:
    still = tuple(a for a in reader.open_questions if a is not asked)
    keys = frozenset(k for k in reader.asked_keys if k != asked.key and k.seat not in asked.seats)
    reader = replace(reader, open_questions=still, asked_keys=keys)
    if asked.key.kind != "wrong_track":
        return reader
    # A hand made these changes, so the sensor does not fail.
    levels = reader.facts.levels.with_explained_holes(asked.key.holes)
    return _reread(reader, replace(reader.facts, levels=levels))


def _notice_or_ask(reader: PegReader, problem: Problem) -> ReadResult:
    """Notice a problem, or ask about one that has been noticed. Each happens once."""
    if not _is_noticed(reader, problem):
        return replace(reader, noticed_keys=reader.noticed_keys | {problem.key}), ()
    trusted, (kind, seat, _) = reader.reading.trusted, problem.key
    dead_hole = supposed_hole(trusted, seat) if kind == "out" else None
    asked = OpenQuestion(problem.key, problem.seats, create_question(trusted, problem), dead_hole)
    others = tuple(a for a in reader.open_questions if not set(a.seats) & set(problem.seats))
    reader = replace(reader, open_questions=(*others, asked), asked_keys=reader.asked_keys | {problem.key})
    return reader, (asked.unclear,)


def _without_seat(keys: frozenset[ProblemKey], seat: int) -> frozenset[ProblemKey]:
    return frozenset(k for k in keys if k.seat is not None and k.seat != seat)


def _reread(reader: PegReader, facts: PegFacts) -> PegReader:
    """Return the reader with these facts, read again.

    Problems that no longer exist are forgotten, so the same mistake must rest again before it is noticed again.
    """
    reading = read_pegs(facts, reader.reading.trusted)
    facts = reading.trusted.facts
    noticed = reader.noticed_keys and reader.noticed_keys & {t.key for t in reading.problems}
    green = reader.green_holes and reader.green_holes.intersection([hole for _, hole in reading.green_times])
    chattering = frozenset(h for h in _chattering_holes(reader, reading) if facts.now_ms < _chatter_end_ms(facts, h))
    return replace(reader, facts=facts, reading=reading, noticed_keys=noticed, green_holes=green | chattering)


def _chattering_holes(reader: PegReader, reading: Reading) -> frozenset[int]:
    """Return the green holes that report no peg now, but perhaps only because their contacts chatter."""
    return reader.green_holes and reader.green_holes.difference([hole for _, hole in reading.green_times])


def _chatter_end_ms(facts: PegFacts, hole: int) -> int:
    """Return until when a hole that a peg has just filled may chatter; `LONG_AGO_MS` if it was filled before."""
    changes = facts.levels.changes[hole]
    return LONG_AGO_MS if changes.level_before else changes.burst_ms + BOUNCE_MS + 1
