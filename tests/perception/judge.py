"""What a watcher concluded against what the hands meant. Knows both, and neither's workings."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from model import MOST, NO_HAND, Meant, Scene
from sensors import Reports

VERDICTS = ("pegged", "undone", "started")
LATEST = 200
"""A hole may hold a peg whose old hole emptied so much later, in ms: sensors differ by that much."""

Event = Mapping[str, Any]


@dataclass
class Verdict:
    """One scene judged. `delays` are (beyond the hand's end in ms, whether the peg touched other holes).

    `asked` is where the holes alone decide it; `rightly` is how often it was asked where they do not.
    """

    wrong: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    rightly: int = 0
    delays: list[tuple[int, bool]] = field(default_factory=list)


def judge(scene: Scene, reports: Reports, said: Iterable[Event]) -> Verdict:
    """Compare what was said with the truth."""
    events = [line for line in said if "event" in line]
    found = Verdict()
    for seat in (None, *scene.seats):
        mine = [e for e in events if e["event"] in VERDICTS and e.get("seat") == seat]
        if scene.may_ask:  # pegs on their way to the start may pass an earlier placement
            mine = [e for e in mine if e["event"] != "undone"]
        if seat is None and _all_home(scene):
            mine = []  # the game's only claims put back: a game begins again, and it means no more than that
        _seat(scene, reports, mine, [m for m in scene.meant if m.seat == seat and m.kind in VERDICTS], found)
    _questions(scene, events, found)
    _quarantined(scene, events, found)
    undecidable = scene.overlap and scene.ground.shared and not _is_decidable(scene, reports)
    if undecidable or scene.may_ask:
        found.rightly = len(found.asked)
        found.asked, found.missed = [], [] if undecidable else found.missed
    return found


def _seat(scene: Scene, reports: Reports, said: list[Event], meant: list[Meant], found: Verdict) -> None:
    """One seat's verdicts, or (seat None) the table's, against what was meant, in order."""
    for event, truth in zip(said, meant, strict=False):
        if not _is(event, truth):
            found.wrong.append(f"{event} for {truth}")
            return
        # A moment longer than a sensor's own lag: it cannot be known sooner that the hand has finished.
        if event["ms"] < reports.did_ms[truth.act]:
            found.wrong.append(f"{event} before {reports.did_ms[truth.act]}: {truth}")
        if truth.by_ms is None:
            found.delays.append(_delay(scene, reports, truth, event))
        elif event["ms"] > truth.by_ms:
            found.missed.append(f"{event} later than {truth}")
    found.wrong += [f"{event} for nothing" for event in said[len(meant) :]]
    found.missed += [str(truth) for truth in meant[len(said) :]]


def _is(event: Event, truth: Meant) -> bool:
    """The event says what was meant."""
    if event["event"] != truth.kind or truth.kind == "started":
        return bool(event["event"] == truth.kind)
    same = event["points"] == truth.points
    return same and (truth.origin < 0 or (event["from"], event["to"]) == (truth.origin, truth.to))


def _delay(scene: Scene, reports: Reports, truth: Meant, event: Event) -> tuple[int, bool]:
    """How long after the holes involved were last seen to change it was said, and whether others were touched.

    On one lane another seat's peg may tell whose this one is: then the whole lane must be still.
    """
    lane = scene.overlap and scene.ground.shared
    touched = any(m.touched for m in scene.meant) if lane else truth.touched
    seen = [reports.seen_ms[truth.act]]
    if truth.seat is not None and scene.begin:
        involved = {event["from"], event["to"], *scene.begin[truth.seat].pegs}
        seen += [c.ms for c in reports.changed if lane or c.hole in involved]
        for _, back in scene.blind:  # what moved while the cable was out is seen in the first report after it
            seen.append(next(line["ms"] for line in reports.lines if "holes" in line and line["ms"] >= back))
        seen = [ms for ms in seen if ms <= event["ms"]]
    return event["ms"] - max(seen), touched


def _all_home(scene: Scene) -> bool:
    """All pegs were truly at the start once, and something was undone: perhaps the game's only claim."""
    begun = all(set(b.pegs) == set(r.start) for b, r in zip(scene.begin, scene.ground.routes, strict=False))
    return begun and any(m.kind == "undone" for m in scene.meant)


def _questions(scene: Scene, events: list[Event], found: Verdict) -> None:
    """What must be asked is, in time; what else was asked is counted, and no question stays open."""
    asks = [e for e in events if e["event"] == "unclear"]
    for truth in (m for m in scene.meant if m.kind == "asked"):
        mine = [e for e in asks if truth.seat in (None, e["seat"]) and e["ms"] <= (truth.by_ms or 0)]
        if not mine:
            found.missed.append(f"no question by {truth.by_ms}")
        else:
            asks.remove(mine[0])
    found.asked += [f"{e['ms']} {e['seat']} {e['why']}" for e in asks]
    said = [e["event"] for e in events if e["event"] in ("unclear", "resolved")]
    if said and said[-1] != "resolved" and not asks:
        found.missed.append("the question is still open")


def _quarantined(scene: Scene, events: list[Event], found: Verdict) -> None:
    """Holes that fail are quarantined in time, and no others."""
    wanted = {m.to: m.by_ms for m in scene.meant if m.kind == "quarantined"}
    done = {e["hole"]: e["ms"] for e in events if e["event"] == "quarantined"}
    for hole, by_ms in wanted.items():
        if hole not in done or done[hole] > (by_ms or 0):
            found.missed.append(f"hole {hole} not quarantined by {by_ms}: {done.get(hole)}")
    allowed = {hole for _, _, hole in scene.stuck} | {edge.hole for edge in scene.edges if edge.act == 0}
    if scene.may_ask:
        allowed |= set(scene.ground.starts)
    found.wrong += [f"hole {hole} quarantined at {ms}" for hole, ms in done.items() if hole not in allowed]


def _is_decidable(scene: Scene, reports: Reports) -> bool:
    """The holes alone tell whose peg is whose: one way only to give the new holes to the missing pegs.

    Enumerated from what was seen, without the watcher: each seat's pair must be a claim or unchanged, and no
    hole may be given to a peg that left its home too late for it.
    """
    homes = [set(place.pegs) for place in scene.begin]
    last = {edge.hole: edge.on for edge in sorted(scene.edges)}
    taken = {h for home in homes for h in home if last.get(h, True)} | {h for h, on in last.items() if on}
    pegs = [(seat, h) for seat, home in enumerate(homes) for h in home if h not in taken]
    new = taken - set().union(*homes)
    if len(new) != len(pegs):
        return False
    ways = {
        tuple(map(frozenset, pairs))
        for pairs in _pairs(reports, homes, pegs, new)
        if all(_is_claim(scene, seat, pair) for seat, pair in enumerate(pairs))
    }
    return len(ways) == 1


def _pairs(
    reports: Reports, homes: list[set[int]], pegs: list[tuple[int, int]], new: set[int]
) -> Iterator[list[set[int]]]:
    """Each seat's pair of holes, for all ways to put the missing pegs, (seat, old hole), into the new holes."""
    emptied, filled = reports.emptied(), reports.filled()
    for holes in permutations(new):
        moved = [(seat, old, hole) for (seat, old), hole in zip(pegs, holes, strict=True)]
        if all(emptied[old] <= filled[hole] + LATEST for _, old, hole in moved):
            pairs = [set(pair) for pair in homes]
            for seat, old, hole in moved:
                pairs[seat] = pairs[seat] - {old} | {hole}
            yield pairs


def _is_claim(scene: Scene, seat: int, pair: set[int]) -> bool:
    """The pair is what it was, or one peg at home and the other 1 to 29 ahead of the front, or a step back."""
    place = scene.begin[seat]
    new = pair - set(place.pegs)
    if len(new) != 1:
        return not new
    points = scene.ground.points(seat, *new)
    ahead = any(1 <= p - place.front_points <= MOST and p - place.front_points not in NO_HAND for p in points)
    return ahead or (place.back in pair and any(place.back_points < p < place.front_points for p in points))
