"""What a watcher concluded against what the hands meant. Knows both, and neither's workings."""

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.perception.decidable import is_decidable
from tests.perception.model import MAX_DELAY_MS, QUIET, Scene
from tests.perception.sensors import Reports
from tests.perception.truth import Meant

VERDICTS = ("pegged", "undone", "started")
SLOW_TOUCH_MS = 300
"""Who rests a peg for longer than this on its way, in ms, counts slowly and is waited for longer."""
Pace = Literal["direct", "touched", "slow", "next"]
"""How a claim was made: directly, by way of other holes, by a hand that counts slowly, or ended by the next act."""
MAX_DELAY_BY_PACE_MS: Mapping[Pace, int] = {"direct": QUIET, "touched": QUIET + 400, "slow": MAX_DELAY_MS, "next": 0}
"""When it is told at the latest, in ms after the peg has come to rest; `next`: after the next act has begun."""

DUE_DELAY_MS = 150
"""A peg may be believed so soon in its due's own hole, in ms."""

Event = Mapping[str, Any]


@dataclass
class Verdict:
    """One scene judged. `delays` are in ms from the moment that `MAX_DELAY_BY_PACE_MS` counts from.

    `asked` is where the holes alone decide it; `rightly` is how often it was asked where they do not. `slow` are the
    claims of hands that count slowly, `early` those of them that were told early, and then corrected.
    """

    wrong: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    rightly: int = 0
    slow: int = 0
    early: int = 0
    delays: list[tuple[int, Pace]] = field(default_factory=list)


@dataclass
class Act:
    """What was said of one act until now: where its peg is `at`, so many `points` on from where the act began.

    A peg that rests for long on its way may be told early. When it goes on, that is another claim, or takes back a
    part of one, until it is where it was meant to be.
    """

    truth: Meant
    at: int
    points: int = 0
    early: bool = False
    event: Event | None = None

    @property
    def is_whole(self) -> bool:
        """What was said comes to what was meant."""
        if self.truth.kind == "started":
            return self.event is not None
        meant = self.truth.points if self.truth.kind == "pegged" else -self.truth.points
        return self.points == meant and (self.truth.origin < 0 or self.at == self.truth.to)

    def goes_on(self, event: Event) -> bool:
        """Take what is said next; False where it does not go on from what was said before."""
        self.event = event
        if "started" in (event["event"], self.truth.kind):
            return bool(event["event"] == self.truth.kind)
        if self.early and event["from"] == self.truth.origin:  # lifted again, it was due again without a word
            self.at, self.points = self.truth.origin, 0
        if self.truth.origin >= 0 and event["from"] != self.at:
            return False
        self.at = event["to"]
        self.points += event["points"] if event["event"] == "pegged" else -event["points"]
        return True


def judge_events(scene: Scene, reports: Reports, lines: Iterable[Event]) -> Verdict:
    """Compare what was said with the truth."""
    said = list(lines)
    events = [line for line in said if "event" in line]
    found = Verdict(wrong=[f"error {line['error']}" for line in said if "error" in line])
    for seat in (None, *scene.seats):
        mine = [e for e in events if e["event"] in VERDICTS and e.get("seat") == seat]
        if scene.may_ask:  # pegs on their way to the start may pass an earlier placement
            mine = [e for e in mine if e["event"] != "undone"]
        if seat is None and _all_home(scene):
            mine = []  # the game's only claims put back: a game begins again, and it means no more than that
        _judge_seat(scene, reports, mine, [m for m in scene.meant if m.seat == seat and m.kind in VERDICTS], found)
    _judge_questions(scene, reports, events, found)
    _judge_advice(scene, said, found)
    _judge_taken_board(scene, said, found)
    _judge_quarantine(scene, events, found)
    undecidable = scene.overlap and scene.ground.shared and not is_decidable(scene, reports)
    if undecidable or scene.may_ask:
        found.rightly += len(found.asked)
        found.asked, found.missed = [], [] if undecidable else found.missed
    return found


def _judge_seat(scene: Scene, reports: Reports, said: list[Event], meant: list[Meant], found: Verdict) -> None:
    """One seat's verdicts, or (seat None) the table's, against what was meant, in order."""
    left, slowest, moved_on = deque(said), 0, 0
    for before, truth in zip((None, *meant), meant, strict=False):
        slowest = max(slowest, truth.touched)
        moved_on = max(moved_on, _has_moved_on(scene, reports, before, truth)) if before else 0
        act = Act(truth, truth.origin)
        # A moment longer than a sensor's own lag: it cannot be known sooner that the hand has finished.
        done_ms = reports.did_ms[truth.act]
        while left and (left[0]["ms"] < done_ms or not act.is_whole):
            event = left[0]
            if truth.perhaps and not _matches_event(event, truth):
                break
            act.early = act.early or event["ms"] < done_ms
            if not act.goes_on(event) or (event["ms"] < done_ms and not _has_rested(scene, truth, event)):
                found.wrong.append(f"{event} for {truth}, done at {done_ms}")
                return
            left.popleft()
        if truth.kind == "pegged" and slowest > SLOW_TOUCH_MS and not scene.has_dues:
            found.slow += 1
            found.early += act.early
        if not act.is_whole or act.event is None:
            found.missed += [] if truth.perhaps else [str(truth)]
        elif truth.by_ms is None and act.event["ms"] >= done_ms:
            found.delays.append(_compute_delay(scene, reports, truth, act.event, max(slowest, moved_on)))
        elif truth.by_ms is not None and act.event["ms"] > truth.by_ms:
            found.missed.append(f"{act.event} later than {truth}")
    found.wrong += [f"{event} for nothing" for event in left]


def _has_moved_on(scene: Scene, reports: Reports, before: Meant, truth: Meant) -> int:
    """So long, in ms, did a peg rest that was moved on in the next act: that looks like counting slowly."""
    lifts = [edge.ms for edge in scene.edges if edge.act == truth.act and edge.hole == before.to and not edge.on]
    rested = lifts[0] - reports.did_ms[before.act] if lifts else 0
    return rested if rested <= MAX_DELAY_MS else 0


def _matches_event(event: Event, truth: Meant) -> bool:
    """The event says all that was meant."""
    same = event["event"] == truth.kind and event["points"] == truth.points
    return bool(same and (event["from"], event["to"]) == (truth.origin, truth.to))


def _has_rested(scene: Scene, truth: Meant, event: Event) -> bool:
    """The peg was put there on its way, and rested long enough to be believed."""
    due = event["to"] == truth.to and scene.has_dues
    puts = [e.ms for e in scene.edges if e.on and e.act == truth.act and e.hole == event["to"] and e.ms < event["ms"]]
    return bool(puts) and event["ms"] - puts[-1] >= (DUE_DELAY_MS if due else QUIET)


def _compute_delay(scene: Scene, reports: Reports, truth: Meant, event: Event, slowest: int) -> tuple[int, Pace]:
    """How long after the holes involved were last seen to change it was said, and how the claim was made.

    On one lane another seat's peg may tell whose this one is: then the whole lane must be still.
    """
    lane = scene.overlap and scene.ground.shared
    pace = _choose_pace(scene, max(m.touched for m in scene.meant) if lane else truth.touched, slowest)
    rest = reports.seen_ms[truth.act]
    if pace != "direct" and not lane:
        next_ms = _next_ms(scene, reports, truth, rest)
        if next_ms < rest + MAX_DELAY_BY_PACE_MS[pace]:
            return event["ms"] - max(next_ms, rest + QUIET), "next"
    seen = [rest]
    if truth.seat is not None and scene.begin:
        involved = {event["from"], event["to"], *scene.begin[truth.seat].pegs}
        seen += [c.ms for c in reports.changed if lane or c.hole in involved]
        for _, back in scene.blind:  # what moved while the cable was out is seen in the first report after it
            seen.append(next(ms for ms, _ in reports.told if ms >= back))
        seen = [ms for ms in seen if ms <= event["ms"]]
    return event["ms"] - max(seen), pace


def _choose_pace(scene: Scene, touched: int, slowest: int) -> Pace:
    """How a claim was made, whose longest touch was so long, and the longest one of that hand until now so long."""
    if scene.has_dues:  # a peg is believed in its due's own hole however it came there
        return "direct"
    if max(touched, slowest) > SLOW_TOUCH_MS:
        return "slow"
    return "touched" if touched else "direct"


def _next_ms(scene: Scene, reports: Reports, truth: Meant, rest_ms: int) -> int:
    """When the act was seen to begin that ends the wait for this one: the other peg lifted, a card, a button."""
    done_ms = reports.did_ms[truth.act]
    lifts = [e.ms for e in scene.edges if e.hole == truth.other and not e.on and e.act and e.ms >= done_ms]
    begun = [ms for ms, line in scene.lines if "scan" in line or "press" in line]
    if lifts and truth.other not in scene.faulty:
        begun += [c.ms for c in reports.changed if c.hole == truth.other and not c.on and c.ms >= min(lifts)]
    return min((ms for ms in begun if ms >= rest_ms), default=rest_ms + MAX_DELAY_BY_PACE_MS["slow"])


def _all_home(scene: Scene) -> bool:
    """All pegs were truly at the start once, and something was undone: perhaps the game's only claim."""
    begun = all(set(b.pegs) == set(r.start) for b, r in zip(scene.begin, scene.ground.routes, strict=False))
    return begun and any(m.kind == "undone" for m in scene.meant)


def _judge_questions(scene: Scene, reports: Reports, events: list[Event], found: Verdict) -> None:
    """What must be asked is, in time; what else was asked is counted, and no question stays open."""
    asks = [e for e in events if e["event"] == "unclear"]
    found.missed += [f"{e['ms']} no way to take the board" for e in asks if not _may_be_taken(scene, reports, e)]
    for truth in (m for m in scene.meant if m.kind == "asked"):
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


def _judge_advice(scene: Scene, said: list[Event], found: Verdict) -> None:
    """A peg that no sensor reports is shown in time, with its hole."""
    for truth in (m for m in scene.meant if m.kind == "told"):
        shown = [e["advice"] for e in said if "advice" in e and e["ms"] <= (truth.by_ms or 0)][-1:]
        if not any(a["kind"] == "put_back" and a["seat"] == truth.seat for advice in shown for a in advice):
            found.missed.append(f"nothing told by {truth.by_ms}")


def _may_be_taken(scene: Scene, reports: Reports, asked: Event) -> bool:
    """The question's last choice is to take the board as it stands; or no peg rests, or a game has yet to begin."""
    taken = reports.told[bisect_left(reports.told, (asked["ms"], 0)) - 1][1].bit_count()
    if scene.faulty or not scene.begun or taken < 2 * len(scene.ground.routes):
        return True
    kinds = ("take_board",) if scene.has_dues else ("adjust", "take_board")
    return bool(asked["choices"]) and (asked["choices"][-1]["move"] or {}).get("type") in kinds


def _judge_taken_board(scene: Scene, said: list[Event], found: Verdict) -> None:
    """Where the board was taken as it stands, each score is what the seat's pegs say."""
    for truth in (m for m in scene.meant if m.kind == "taken"):
        awards = [e["award"] for e in said if "award" in e and e["ms"] == truth.by_ms]
        points = sum(award["points"] for award in awards if award["seat"] == truth.seat)
        if points != truth.points:
            found.wrong.append(f"{points} points are taken for {truth}")


def _judge_quarantine(scene: Scene, events: list[Event], found: Verdict) -> None:
    """Holes that fail are quarantined in time, and no others; none that is silent and wrong is trusted again."""
    wanted = {m.to: m.by_ms for m in scene.meant if m.kind == "quarantined"}
    done = {e["hole"]: e["ms"] for e in events if e["event"] == "quarantined"}
    for hole, by_ms in wanted.items():
        if hole not in done or done[hole] > (by_ms or 0):
            found.missed.append(f"hole {hole} not quarantined by {by_ms}: {done.get(hole)}")
    allowed = scene.faulty | {edge.hole for edge in scene.edges if edge.act == 0}
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
