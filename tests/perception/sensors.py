"""A model of the sensors: from what hands did to the reports that arrive, with lag, bounce, losses and faults."""

import json
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from tests.perception.model import Scene

REPORT_INTERVAL_MS = 1000
"""All levels are repeated this often, in milliseconds."""
STILL = 3000
"""So long after the last change they are; later repeats, up to the end of the story, would tell nothing."""
SCAN = 2
"""Holes are looked at this often."""
CHATTER = 120
"""So long does a worn contact chatter, at the longest."""
ANSWER = ""
"""Stands in a recording where the board is taken as it stands; the question says what move that is."""


class Change(NamedTuple):
    """A hole seen to be filled or emptied."""

    ms: int
    hole: int
    on: bool


@dataclass(frozen=True)
class Reports:
    """The lines of a recording, (ms, text), and what is in them.

    `told` are the levels, (ms, bits); `seen_ms` and `did_ms` each act's last edge as it was told and as it was done,
    `changed` each change as it was told.
    """

    lines: list[tuple[int, str]]
    told: list[tuple[int, int]]
    seen_ms: dict[int, int]
    did_ms: dict[int, int]
    changed: list[Change]

    def emptied_ms(self) -> dict[int, int]:
        """When each hole was first told to be empty."""
        return {c.hole: c.ms for c in reversed(self.changed) if not c.on}

    def filled_ms(self) -> dict[int, int]:
        """When each hole was last told to be filled."""
        return {c.hole: c.ms for c in self.changed if c.on}


def randomize_sensors(scene: Scene) -> None:
    """Each scene's sensors are slow and noisy in their own way."""
    scene.lag = scene.rng.choice((5, 20, 60, 120))
    scene.bounce = scene.rng.choice((0.0, 0.1, 0.5)) if scene.lag <= 60 else 0.0


def report_scene(scene: Scene, last_ms: int, until_ms: int) -> Reports:
    """The reports of a scene, in which nothing changes after `last_ms`, up to `until_ms`."""
    changes, seen = _sense_edges(scene)
    told = list(_iter_reports(scene, _apply_faults(scene, changes), min(last_ms + STILL, until_ms)))
    lines = [(ms, f'{{"ms":{ms},"holes":"{bits:x}"}}') for ms, bits in told]
    if scene.lines:  # of one instant, before what is reported then
        others = [(ms, ANSWER if "answer" in line else json.dumps({"ms": ms, **line})) for ms, line in scene.lines]
        lines = sorted(others + lines, key=itemgetter(0))
    lines.append((until_ms, f'{{"ms":{until_ms},"tick":true}}'))
    reported = [*(ms for ms, _ in told), until_ms]
    seen = {act: reported[min(bisect_left(reported, ms), len(told))] for act, ms in seen.items()}
    did: dict[int, int] = {}
    for ms, _, _, act in scene.edges:
        if ms > did.get(act, 0):
            did[act] = ms
    return Reports(lines, told, seen, did, list(_iter_changes(told)))


def _sense_edges(scene: Scene) -> tuple[list[Change], dict[int, int]]:
    """The changes as the sensors show them, each hole with a lag of its own, and when each act was last seen."""
    rng, slowest = scene.rng, max(5, scene.lag)
    lag: dict[int, int] = {}
    changes: list[Change] = []
    newest: dict[int, int] = {}
    seen: dict[int, int] = {}
    for did_ms, hole, on, act in sorted(scene.edges, key=itemgetter(0)):  # of one instant, as a hand did it
        if hole not in lag:
            lag[hole] = rng.randint(4, slowest)
        ms = max(did_ms + lag[hole] + int(rng.random() * 6), newest.get(hole, 0) + SCAN)
        ms -= ms % SCAN
        changes.append(Change(ms, hole, on))
        if bounces := _add_bounces(scene, ms, on):
            changes += [Change(at - at % SCAN, hole, level) for at, level in bounces]
            ms = changes[-1].ms
        newest[hole] = ms
        if ms > seen.get(act, 0):
            seen[act] = ms
    return list(_scan_times(changes)), seen


def _add_bounces(scene: Scene, ms: int, on: bool) -> list[tuple[int, bool]]:
    """The further changes of a contact that closes (`on`) or opens at `ms`: there and back, once or many times."""
    rng = scene.rng
    if scene.chatter and rng.random() < scene.chatter:
        after = sorted(rng.sample(range(SCAN, CHATTER, SCAN), 2 * rng.randint(1, 7)))
        return [(ms + wait, on == bool(number % 2)) for number, wait in enumerate(after)]
    if rng.random() < scene.bounce:
        return [(ms + rng.randint(4, 20), not on), (ms + rng.randint(22, 40), on)]
    return []


def _scan_times(changes: list[Change]) -> Iterator[Change]:
    """In time; a bounce that runs into the hole's next change is swallowed by it."""
    last: dict[int, bool] = {}
    for change in sorted(changes, key=itemgetter(0)):
        if last.get(change.hole) != change.on:
            last[change.hole] = change.on
            yield change


def _apply_faults(scene: Scene, changes: list[Change]) -> list[Change]:
    """A sensor that sticks shows one level alone, and the true one again when it is well."""
    for begin, end, hole, on in scene.faults:
        true = next((c.on for c in reversed(changes) if c.hole == hole and c.ms < end), hole in _initial_holes(scene))
        changes = [c for c in changes if c.hole != hole or not begin <= c.ms < end]
        changes += [Change(begin, hole, on), Change(end, hole, true)]
    return changes


def _initial_holes(scene: Scene) -> list[int]:
    """The holes with a peg as the story begins."""
    return [hole for place in scene.begin for hole in place.pegs]


def _iter_reports(scene: Scene, changes: list[Change], until_ms: int) -> Iterator[tuple[int, int]]:
    """The reports that arrive, (ms, bits): one for each instant with changes, and one each second."""
    bits = sum(1 << hole for hole in _initial_holes(scene))
    yield 0, bits
    repeats = [Change(ms, -1, False) for ms in range(REPORT_INTERVAL_MS, until_ms, REPORT_INTERVAL_MS)]
    for ms, group in groupby(sorted([*changes, *repeats], key=itemgetter(0)), key=itemgetter(0)):
        if ms > until_ms:
            return
        for _, hole, on in group:
            if hole >= 0:
                bits = bits | 1 << hole if on else bits & ~(1 << hole)
        lost = ms % REPORT_INTERVAL_MS and scene.lost and scene.rng.random() < scene.lost
        if not lost and not any(begin <= ms < end for begin, end in scene.blind):
            yield ms, bits


def _iter_changes(told: list[tuple[int, int]]) -> Iterator[Change]:
    """Each change of a hole as it was told; the first report tells none."""
    before = told[0][1]
    for ms, bits in told:
        new = bits ^ before
        before = bits
        while new:
            hole = (new & -new).bit_length() - 1
            yield Change(ms, hole, bool(bits >> hole & 1))
            new &= new - 1
