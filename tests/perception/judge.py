"""What a watcher concluded against what the hands meant. Knows both, and neither's workings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from model import DOUBT, MISSING, MOST, NO_HAND, QUIET, Meant, Scene
from sensors import Reports

VERDICTS = ("pegged", "undone", "started")


@dataclass
class Verdict:
    """One scene judged. `delays` are (beyond the hand's end in ms, whether the peg touched other holes)."""

    wrong: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    rightly: int = 0
    delays: list[tuple[int, bool]] = field(default_factory=list)


def judge(scene: Scene, reports: Reports, said: Iterable[Mapping[str, Any]]) -> Verdict:
    """Compare what was said with the truth."""
    events = [line for line in said if "event" in line]
    found = Verdict()
    undecidable = scene.overlap and scene.ground.shared and not _decidable(scene, *reports.changes())
    for seat in (None, *range(len(scene.places))):
        mine = [e for e in events if e["event"] in VERDICTS and e.get("seat") == seat]
        if scene.may_ask:  # pegs on their way to the start may pass an earlier placement
            mine = [e for e in mine if e["event"] != "undone"]
        if seat is None and _all_home(scene):
            mine = []  # the game's only claims put back: a game begins again, and it means no more than that
        _seat(scene, reports, mine, [m for m in scene.meant if m.seat == seat and m.kind in VERDICTS], found)
    _questions(scene, reports, events, found)
    _quarantined(scene, events, found)
    if undecidable or scene.may_ask:
        found.rightly = len(found.asked)
        found.asked, found.missed = [], [] if undecidable else found.missed
    return found


def _seat(scene: Scene, reports: Reports, said: list[Any], meant: list[Meant], found: Verdict) -> None:
    for event, truth in zip(said, meant, strict=False):
        if not _is(event, truth):
            found.wrong.append(f"{event} for {truth}")
            return
        # A moment longer than a sensor's own lag: it cannot be known sooner that the hand has finished.
        if event["ms"] < reports.did_ms[truth.act]:
            found.wrong.append(f"{event} before {reports.did_ms[truth.act]}: {truth}")
        if truth.by_ms is None:
            # On one lane another seat's peg may tell whose this one is: then the whole lane must be still.
            waits = scene.overlap and scene.ground.shared
            touched = any(m.touched for m in scene.meant) if waits else truth.touched
            found.delays.append((event["ms"] - _still_ms(scene, reports, truth, event, lane=waits), touched))
        elif event["ms"] > truth.by_ms:
            found.missed.append(f"{event} later than {truth}")
    found.wrong += [f"{event} for nothing" for event in said[len(meant) :]]
    found.missed += [str(truth) for truth in meant[len(said) :]]


def _still_ms(scene: Scene, reports: Reports, truth: Meant, event: Mapping[str, Any], *, lane: bool) -> int:
    """When the holes involved were last seen to change before it was said."""
    if truth.seat is None or not scene.begin:
        return reports.seen_ms[truth.act]
    involved = {event["from"], event["to"], *scene.begin[truth.seat][:2]}
    seen = [ms for ms, hole in reports.changed if (lane or hole in involved) and ms <= event["ms"]]
    for _, back in scene.blind:  # what moved while the cable was out is seen in the first report after it
        seen += [next(line["ms"] for line in reports.lines if "holes" in line and line["ms"] >= back)]
    seen = [ms for ms in seen if ms <= event["ms"]]
    return max([reports.seen_ms[truth.act], *seen]) if reports.seen_ms[truth.act] <= event["ms"] else max(seen)


def _all_home(scene: Scene) -> bool:
    """All pegs were truly at the start once, and something was undone: perhaps the game's only claim."""
    starts = [set(route.start) for route in scene.ground.routes]
    begun = all({b[0], b[1]} == s for b, s in zip(scene.begin, starts, strict=False))
    return begun and any(m.kind == "undone" for m in scene.meant)


def _is(event: Mapping[str, Any], truth: Meant) -> bool:
    if event["event"] != truth.kind:
        return False
    if truth.kind == "started":
        return True
    same = event["points"] == truth.points
    return same and (truth.origin < 0 or (event["from"], event["to"]) == (truth.origin, truth.to))


def _questions(scene: Scene, reports: Reports, events: list[Any], found: Verdict) -> None:
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


def _quarantined(scene: Scene, events: list[Any], found: Verdict) -> None:
    wanted = {m.to: m.by_ms for m in scene.meant if m.kind == "quarantined"}
    done = {e["hole"]: e["ms"] for e in events if e["event"] == "quarantined"}
    for hole, by_ms in wanted.items():
        if hole not in done or done[hole] > (by_ms or 0):
            found.missed.append(f"hole {hole} not quarantined by {by_ms}: {done.get(hole)}")
    starts = [h for route in scene.ground.routes for h in route.start] if scene.may_ask else []
    allowed = set(starts) | {h for _, _, h in scene.stuck} | {e.hole for e in scene.edges if e.act == 0}
    found.wrong += [f"hole {hole} quarantined at {ms}" for hole, ms in done.items() if hole not in allowed]


def _decidable(scene: Scene, emptied: Mapping[int, int], filled: Mapping[int, int]) -> bool:
    """Whether the holes alone tell whose peg is whose: one way only to give the new holes to the missing pegs.

    Enumerated from what was seen, without the watcher: each seat's pair must be a claim or unchanged, and no
    hole may be given to a peg that left its home more than 200 ms later.
    """
    homes = [{b[0], b[1]} for b in scene.begin]
    last = {e.hole: e for e in sorted(scene.edges)}
    taken = set().union(*homes)
    taken = {h for h in taken if h not in last or last[h].on} | {h for h, e in last.items() if e.on}
    pegs = [(seat, h) for seat, pair in enumerate(homes) for h in pair if h not in taken]
    new = [h for h in taken if h not in set().union(*homes)]
    if len(new) != len(pegs):
        return False
    ways = set()
    for order in permutations(new):
        pairs = [set(pair) for pair in homes]
        if all(emptied[old] <= filled[hole] + 200 for (_, old), hole in zip(pegs, order, strict=True)):
            for (seat, old), hole in zip(pegs, order, strict=True):
                pairs[seat] = pairs[seat] - {old} | {hole}
            if all(_is_claim(scene, seat, pair) for seat, pair in enumerate(pairs)):
                ways.add(tuple(map(frozenset, pairs)))
    return len(ways) == 1


def _is_claim(scene: Scene, seat: int, pair: set[int]) -> bool:
    """The pair is what it was, or one peg at home and the other 1 to 29 ahead of the front, or a step back."""
    back, front, back_points, front_points = scene.begin[seat]
    if pair == {back, front}:
        return True
    if len(pair & {back, front}) != 1:
        return False
    (new,) = pair - {back, front}
    points = scene.ground.points(seat, new)
    ahead = any(1 <= p - front_points <= MOST and p - front_points not in NO_HAND for p in points)
    return ahead or (back in pair and any(back_points < p < front_points for p in points))


__all__ = ["DOUBT", "MISSING", "QUIET", "Verdict", "judge"]
