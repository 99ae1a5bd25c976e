"""A model of the sensors: from what hands did to the reports that arrive, with lag, bounce, losses and faults."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from model import Scene

REPEAT = 1000
"""All levels are repeated this often, in milliseconds."""
SCAN = 2
"""Holes are looked at this often."""


class Change(NamedTuple):
    """A hole seen to be filled or emptied."""

    ms: int
    hole: int
    on: bool


@dataclass(frozen=True)
class Reports:
    """The lines of a recording, each act's last edge as it was told and as it was done, each change as it was told."""

    lines: list[dict[str, Any]]
    seen_ms: dict[int, int]
    did_ms: dict[int, int]
    changed: list[Change]

    def emptied(self) -> dict[int, int]:
        """When each hole was first told to be empty."""
        return {c.hole: c.ms for c in reversed(self.changed) if not c.on}

    def filled(self) -> dict[int, int]:
        """When each hole was last told to be filled."""
        return {c.hole: c.ms for c in self.changed if c.on}


def any_sensors(scene: Scene) -> None:
    """Each scene's sensors are slow and noisy in their own way."""
    scene.lag = scene.rng.choice((5, 20, 60, 120))
    scene.bounce = scene.rng.choice((0.0, 0.1, 0.5)) if scene.lag <= 60 else 0.0


def report(scene: Scene, until_ms: int) -> Reports:
    """The reports of a scene up to `until_ms`."""
    changes, seen = _sensed(scene)
    told = list(_told(scene, _with_stuck(scene, changes), until_ms))
    lines = [{"ms": ms, "holes": f"{bits:x}"} for ms, bits in told] + [{"ms": ms, **line} for ms, line in scene.lines]
    lines.sort(key=lambda line: line["ms"])
    lines.append({"ms": until_ms, "tick": True})
    seen = {act: next((at for at, _ in told if at >= ms - ms % SCAN), until_ms) for act, ms in seen.items()}
    did: dict[int, int] = {}
    for edge in scene.edges:
        did[edge.act] = max(did.get(edge.act, 0), edge.ms)
    return Reports(lines, seen, did, list(_changed(told)))


def _sensed(scene: Scene) -> tuple[list[Change], dict[int, int]]:
    """The changes as the sensors show them, each hole with a lag of its own, and when each act was last seen."""
    rng = scene.rng
    lag = {edge.hole: rng.randint(4, max(5, scene.lag)) for edge in scene.edges}
    changes: list[Change] = []
    newest: dict[int, int] = {}
    seen: dict[int, int] = {}
    for edge in sorted(scene.edges, key=attrgetter("ms")):  # of one instant, in the order in which a hand did it
        ms = max(edge.ms + lag[edge.hole] + rng.randint(0, 5), newest.get(edge.hole, 0) + SCAN)
        changes.append(Change(ms, edge.hole, edge.on))
        if rng.random() < scene.bounce:
            changes.append(Change(ms + rng.randint(4, 20), edge.hole, not edge.on))
            ms += rng.randint(22, 40)
            changes.append(Change(ms, edge.hole, edge.on))
        newest[edge.hole] = ms
        seen[edge.act] = max(seen.get(edge.act, 0), ms)
    return list(_scanned(changes)), seen


def _scanned(changes: list[Change]) -> Iterator[Change]:
    """In time; a bounce that runs into the hole's next change is swallowed by it."""
    last: dict[int, bool] = {}
    for change in sorted(changes, key=lambda c: c.ms - c.ms % SCAN):
        if last.get(change.hole) != change.on:
            last[change.hole] = change.on
            yield change._replace(ms=change.ms - change.ms % SCAN)


def _with_stuck(scene: Scene, changes: list[Change]) -> list[Change]:
    """A hole that is stuck shows nothing but that it is filled."""
    for begin, end, hole in scene.stuck:
        changes = [c for c in changes if c.hole != hole or not begin <= c.ms < end] + [Change(begin, hole, True)]
    return changes


def _told(scene: Scene, changes: list[Change], until_ms: int) -> Iterator[tuple[int, int]]:
    """The reports that arrive, (ms, bits): one for each instant with changes, and one each second."""
    bits = sum(1 << hole for place in scene.begin for hole in place.pegs)
    yield 0, bits
    repeats = [Change(ms, -1, False) for ms in range(REPEAT, until_ms, REPEAT)]
    for ms, group in groupby(sorted([*changes, *repeats], key=attrgetter("ms")), key=attrgetter("ms")):
        for _, hole, on in group:
            if hole >= 0:
                bits = bits | 1 << hole if on else bits & ~(1 << hole)
        blind = any(begin <= ms < end for begin, end in scene.blind)
        if not blind and (ms % REPEAT == 0 or scene.rng.random() >= scene.lost):
            yield ms, bits


def _changed(told: Iterable[tuple[int, int]]) -> Iterator[Change]:
    """Each change of a hole as it was told; the first report tells none."""
    before = None
    for ms, bits in told:
        new = bits ^ (bits if before is None else before)
        before = bits
        while new:
            hole = (new & -new).bit_length() - 1
            yield Change(ms, hole, bool(bits >> hole & 1))
            new &= new - 1
