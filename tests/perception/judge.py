"""Compares the conclusions of the peg reader with the intentions of the hands."""

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.perception.decidable import has_exchangeable_claims, is_decidable
from tests.perception.model import DIRECT_DELAY_MS, MAX_DELAY_MS, QUIET_MS, TOUCHED_DELAY_MS, Scene
from tests.perception.sensors import MAX_CHATTER_MS, Reports
from tests.perception.truth import Intent

VERDICTS = ("pegged", "undone", "started")
SLOW_TOUCH_MS = 300
"""A hand that rests a peg on its way for longer than this counts slowly, and the reader waits longer for it."""
Pace = Literal["direct", "touched", "slow", "counted", "next"]
"""How a claim was made: directly, by way of other holes, by a hand that counts slowly, where players count, or ended by
the next act."""
MAX_DELAY_BY_PACE_MS: Mapping[Pace, int] = {
    "direct": DIRECT_DELAY_MS,
    "touched": TOUCHED_DELAY_MS,
    "slow": MAX_DELAY_MS,
    "counted": MAX_DELAY_MS,
    "next": 0,
}
"""Maximum delay of a claim after the peg has come to rest; for `next`, after the next action has begun."""

FLAPS, FLAP_WINDOW_MS = 12, 8000
"""Changes of a hole within this time that look like a failing sensor, also if a hand lifts its peg again and again."""
DUE_DELAY_MS = 150
"""Minimum time after which a peg in its due hole may be accepted."""

Event = Mapping[str, Any]


@dataclass
class Verdict:
    """The verdict on one scene.

    :param wrong: false conclusions.
    :param asked: questions although the holes alone decide.
    :param missed: intentions without a conclusion.
    :param rightly: number of questions where the holes do not decide.
    :param slow: number of claims of hands that count slowly.
    :param early: number of these claims that were reported early and then corrected.
    :param delays: delay in ms, measured as in `MAX_DELAY_BY_PACE_MS`, and pace of each claim.
    """

    wrong: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    rightly: int = 0
    slow: int = 0
    early: int = 0
    delays: list[tuple[int, Pace]] = field(default_factory=list)


@dataclass
class ReadAct:
    """The reader's conclusions about one action so far: the peg is `at` a hole, `points` ahead of its origin.

    A peg that rests for long on its way may be reported early. When it moves on, that is another claim, or an undo of
    a part of one, until it is in its intended hole.
    """

    truth: Intent
    at: int
    points: int = 0
    early: bool = False
    event: Event | None = None

    @property
    def is_complete(self) -> bool:
        """Return whether the conclusions add up to the intention."""
        if self.truth.kind == "started":
            return self.event is not None
        intents = self.truth.points if self.truth.kind == "pegged" else -self.truth.points
        return self.points == intents and (self.truth.origin < 0 or self.at == self.truth.to)

    def continue_with(self, event: Event) -> bool:
        """Add the next conclusion. Return False if it does not continue the previous ones."""
        self.event = event
        if "started" in (event["event"], self.truth.kind):
            return bool(event["event"] == self.truth.kind)
        if self.early and event["from"] == self.truth.origin:  # lifted again, it was due again without an event
            self.at, self.points = self.truth.origin, 0
        if self.truth.origin >= 0 and event["from"] != self.at:
            return False
        self.at = event["to"]
        self.points += event["points"] if event["event"] == "pegged" else -event["points"]
        return True


def judge_events(scene: Scene, reports: Reports, lines: Iterable[Event]) -> Verdict:
    """Compare the reader's lines with the truth."""
    said = list(lines)
    events = [line for line in said if "event" in line]
    found = Verdict(wrong=[f"error {line['error']}" for line in said if "error" in line])
    for seat in (None, *scene.seats):
        mine = [e for e in events if e["event"] in VERDICTS and e.get("seat") == seat]
        if scene.may_ask:  # pegs on their way to the start may pass an earlier placement
            mine = [e for e in mine if e["event"] != "undone"]
        if seat is None and _all_home(scene):
            mine = []  # the game's only claims were put back, which only means that the game begins again
        _judge_seat(scene, reports, mine, [m for m in scene.intents if m.seat == seat and m.kind in VERDICTS], found)
    _judge_questions(scene, reports, events, found)
    _judge_advice(scene, said, found)
    _judge_taken_board(scene, said, found)
    _judge_quarantine(scene, reports, events, found)
    undecidable = scene.ground.is_shared and (
        (scene.overlap and not is_decidable(scene, reports)) or _has_unseen_lift(scene, events)
    )
    if undecidable or scene.may_ask:
        found.rightly += len(found.asked)
        found.asked, found.missed = [], [] if undecidable else found.missed
    return found


def _judge_seat(scene: Scene, reports: Reports, said: list[Event], intents: list[Intent], found: Verdict) -> None:
    """Compare the events of one seat, or of the table (seat None), with the intentions in their order."""
    left, slowest, moved_on = deque(said), 0, 0
    for before, truth in zip((None, *intents), intents, strict=False):
        slowest = max(slowest, truth.touched)
        moved_on = max(moved_on, _has_moved_on(scene, reports, before, truth)) if before else 0
        act = ReadAct(truth, truth.origin)
        # The end of the action cannot be known earlier than after the sensor's own lag.
        done_ms = reports.did_ms[truth.act]
        while left and (left[0]["ms"] < done_ms or not act.is_complete):
            event = left[0]
            if truth.perhaps and not _matches_event(event, truth):
                break
            act.early = act.early or event["ms"] < done_ms
            if not act.continue_with(event) or (event["ms"] < done_ms and not _has_rested(scene, truth, event)):
                found.wrong.append(f"{event} for {truth}, done at {done_ms}")
                return
            left.popleft()
        if truth.kind == "pegged" and slowest > SLOW_TOUCH_MS and not scene.has_dues:
            found.slow += 1
            found.early += act.early
        if not act.is_complete or act.event is None:
            found.missed += [] if truth.perhaps else [str(truth)]
        elif truth.by_ms is None and act.event["ms"] >= done_ms:
            found.delays.append(_compute_delay(scene, reports, truth, act.event, max(slowest, moved_on)))
        elif truth.by_ms is not None and act.event["ms"] > truth.by_ms:
            found.missed.append(f"{act.event} later than {truth}")
    found.wrong += [f"{event} for nothing" for event in left]


def _has_moved_on(scene: Scene, reports: Reports, before: Intent, truth: Intent) -> int:
    """Return how long, in ms, a peg rested before the next action moved it on, which looks like slow counting."""
    lifts = [edge.ms for edge in scene.edges if edge.act == truth.act and edge.hole == before.to and not edge.on]
    rested = lifts[0] - reports.did_ms[before.act] if lifts else 0
    return rested if rested <= MAX_DELAY_MS else 0


def _matches_event(event: Event, truth: Intent) -> bool:
    same = event["event"] == truth.kind and event["points"] == truth.points
    return bool(same and (event["from"], event["to"]) == (truth.origin, truth.to))


def _has_rested(scene: Scene, truth: Intent, event: Event) -> bool:
    """Return whether the peg was put there on its way and rested long enough to be accepted."""
    due = event["to"] == truth.to and scene.has_dues
    puts = [e.ms for e in scene.edges if e.on and e.act == truth.act and e.hole == event["to"] and e.ms < event["ms"]]
    return bool(puts) and event["ms"] - puts[-1] >= (DUE_DELAY_MS if due else QUIET_MS)


def _compute_delay(scene: Scene, reports: Reports, truth: Intent, event: Event, slowest: int) -> tuple[int, Pace]:
    """Return the delay of an event after the last seen change of the involved holes, and the pace of the claim.

    On a shared lane another seat's peg may identify this one, so the whole lane must be still.
    """
    lane = scene.overlap and scene.ground.is_shared
    pace = _choose_pace(scene, max(m.touched for m in scene.intents) if lane else truth.touched, slowest)
    rest = reports.seen_ms[truth.act]
    if pace != "direct" and not lane:
        next_ms = _next_ms(scene, reports, truth, rest)
        if next_ms < rest + MAX_DELAY_BY_PACE_MS[pace]:
            return event["ms"] - max(next_ms, rest + QUIET_MS), "next"
    seen = [rest]
    if truth.seat is not None and scene.begin:
        involved = {event["from"], event["to"], *scene.begin[truth.seat].pegs}
        seen += [c.ms for c in reports.changed if lane or c.hole in involved]
        for _, back in scene.blind:  # moves while the cable was out are seen in the first report afterwards
            seen.append(next(ms for ms, _ in reports.levels if ms >= back))
        seen = [ms for ms in seen if ms <= event["ms"]]
    return event["ms"] - max(seen), pace


def _choose_pace(scene: Scene, touched: int, slowest: int) -> Pace:
    """Return the pace of a claim.

    :param touched: longest touch of this claim in ms.
    :param slowest: longest touch of this hand so far in ms.
    """
    if scene.has_dues:  # a peg in its due hole is accepted however it came there
        return "direct"
    if scene.options.get("counting") == "manual":  # a claim is reported once, longer after it than any touch lasts
        return "counted"
    if max(touched, slowest) > SLOW_TOUCH_MS:
        return "slow"
    return "touched" if touched else "direct"


def _next_ms(scene: Scene, reports: Reports, truth: Intent, rest_ms: int) -> int:
    """Return when the next action is seen to begin, which ends the wait: the other peg lifted, a card, a button."""
    done_ms = reports.did_ms[truth.act]
    lifts = [e.ms for e in scene.edges if e.hole == truth.other and not e.on and e.act and e.ms >= done_ms]
    begun = [ms for ms, line in scene.lines if "scan" in line or "press" in line]
    if lifts and truth.other not in scene.faulty:
        begun += [c.ms for c in reports.changed if c.hole == truth.other and not c.on and c.ms >= min(lifts)]
    return min((ms for ms in begun if ms >= rest_ms), default=rest_ms + MAX_DELAY_BY_PACE_MS["slow"])


def _all_home(scene: Scene) -> bool:
    """Return whether all pegs began at the start and something was undone, perhaps the game's only claim."""
    begun = all(set(b.pegs) == set(r.start) for b, r in zip(scene.begin, scene.ground.routes, strict=False))
    return begun and any(m.kind == "undone" for m in scene.intents)


def _judge_questions(scene: Scene, reports: Reports, events: list[Event], found: Verdict) -> None:
    """Check that each expected question comes in time and that no question stays open; count all other questions."""
    asks = [e for e in events if e["event"] == "unclear"]
    found.missed += [f"{e['ms']} no way to take the board" for e in asks if not _may_be_taken(scene, reports, e)]
    for truth in (m for m in scene.intents if m.kind == "asked"):
        mine = [e for e in asks if truth.seat in (None, e["seat"]) and e["ms"] <= (truth.by_ms or 0)]
        if mine:
            asks.remove(mine[0])
        elif not truth.perhaps:
            found.missed.append(f"no question by {truth.by_ms}")
    stuck = {fault.hole for fault in scene.faults if fault.on}  # it may be a claim from a home that is stuck
    unsure = [e for e in asks if e["holes"] and stuck.issuperset(e["holes"])]
    found.rightly += len(unsure)
    found.asked += [f"{e['ms']} {e['seat']} {e['why']}" for e in asks if e not in unsure]
    said = [e["event"] for e in events if e["event"] in ("unclear", "resolved")]
    if said and said[-1] != "resolved" and not asks:
        found.missed.append("the question is still open")


def _has_unseen_lift(scene: Scene, events: list[Event]) -> bool:
    """Return whether a question is about the pegs of two players, and a failing sensor hides which was lifted when."""
    whose = [e["holes"] for e in events if e["event"] == "unclear" and e["seat"] is None]
    return bool(scene.faulty) and any(has_exchangeable_claims(scene, holes) for holes in whose)


def _judge_advice(scene: Scene, said: list[Event], found: Verdict) -> None:
    """Check that a peg that no sensor reports is shown in time, with its hole."""
    for truth in (m for m in scene.intents if m.kind == "advised"):
        shown = [e["advice"] for e in said if "advice" in e and e["ms"] <= (truth.by_ms or 0)][-1:]
        if not any(a["kind"] == "put_back" and a["seat"] == truth.seat for advice in shown for a in advice):
            found.missed.append(f"no advice by {truth.by_ms}")


def _may_be_taken(scene: Scene, reports: Reports, asked: Event) -> bool:
    """Return whether the last choice of the question takes the board as it stands, if that must be offered."""
    taken = reports.levels[bisect_left(reports.levels, (asked["ms"], 0)) - 1][1].bit_count()
    if scene.faulty or not scene.begun or taken < 2 * len(scene.ground.routes):
        return True
    kinds = ("take_board",) if scene.has_dues else ("adjust", "take_board")
    return bool(asked["choices"]) and (asked["choices"][-1]["move"] or {}).get("type") in kinds


def _judge_taken_board(scene: Scene, said: list[Event], found: Verdict) -> None:
    """Check that each score equals the seat's pegs after the board was taken as it stands."""
    for truth in (m for m in scene.intents if m.kind == "taken"):
        awards = [e["award"] for e in said if "award" in e and e["ms"] == truth.by_ms]
        points = sum(award["points"] for award in awards if award["seat"] == truth.seat)
        if points != truth.points:
            found.wrong.append(f"{points} points are taken for {truth}")


def _judge_quarantine(scene: Scene, reports: Reports, events: list[Event], found: Verdict) -> None:
    """Check that exactly the failing holes are quarantined in time and that none is trusted while it is wrong."""
    wanted = {m.to: m.by_ms for m in scene.intents if m.kind == "quarantined"}
    done = {e["hole"]: e["ms"] for e in events if e["event"] == "quarantined"}
    for hole, by_ms in wanted.items():
        if hole not in done or done[hole] > (by_ms or 0):
            found.missed.append(f"hole {hole} not quarantined by {by_ms}: {done.get(hole)}")
    allowed = scene.faulty | {edge.hole for edge in scene.edges if edge.act == 0} | _find_flapping_holes(reports)
    if scene.may_ask:
        allowed |= set(scene.ground.starts)
    found.wrong += [f"hole {hole} quarantined at {ms}" for hole, ms in done.items() if hole not in allowed]
    trusted = [(e["ms"], e["hole"]) for e in events if e["event"] == "trusted"]
    found.wrong += [
        f"hole {hole} trusted at {ms}"
        for ms, hole in trusted
        for fault in scene.faults
        if fault.hole == hole and fault.begin_ms <= ms < fault.end_ms and scene.has_peg(hole, ms) != fault.on
    ]


def _find_flapping_holes(reports: Reports) -> set[int]:
    """Return the holes that changed `FLAPS` times within `FLAP_WINDOW_MS`. Changes that chatter count once."""
    flips: dict[int, deque[int]] = {}
    found = set()
    for ms, hole, _ in reports.changed:
        recent = flips.setdefault(hole, deque(maxlen=FLAPS))
        if not recent or ms - recent[-1] > MAX_CHATTER_MS:
            recent.append(ms)
            if len(recent) == FLAPS and ms - recent[0] <= FLAP_WINDOW_MS:
                found.add(hole)
    return found
