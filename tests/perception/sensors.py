"""A model of the sensors, from the actions of hands to the received reports, with lag, bounce, losses and faults."""

import json
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from tests.perception.model import Scene

REPORT_INTERVAL_MS = 1000
"""Interval at which all levels are repeated."""
STILL_MS = 3000
"""Time after the last change for which levels are repeated; later repeats would not change any conclusion."""
SCAN_INTERVAL_MS = 2
"""Interval at which holes are scanned."""
MAX_CHATTER_MS = 120
"""Maximum time that a worn contact chatters."""
ANSWER = ""
"""Placeholder in a recording for the answer that takes the board as it stands; the question contains the move."""


class Change(NamedTuple):
    """A reported change of a hole to filled or empty."""

    ms: int
    hole: int
    on: bool


@dataclass(frozen=True)
class Reports:
    """The sensor reports of a scene.

    :param lines: lines of the recording as (ms, text).
    :param levels: the reported levels as (ms, bits).
    :param seen_ms: time at which each action's last edge was reported.
    :param did_ms: time at which each action's last edge happened.
    :param changed: the reported changes.
    """

    lines: list[tuple[int, str]]
    levels: list[tuple[int, int]]
    seen_ms: dict[int, int]
    did_ms: dict[int, int]
    changed: list[Change]

    def emptied_ms(self) -> dict[int, int]:
        return {c.hole: c.ms for c in reversed(self.changed) if not c.on}

    def filled_ms(self) -> dict[int, int]:
        return {c.hole: c.ms for c in self.changed if c.on}


def randomize_sensors(scene: Scene) -> None:
    """Give the sensors of a scene a random lag and bounce."""
    scene.lag = scene.rng.choice((5, 20, 60, 120))
    scene.bounce = scene.rng.choice((0.0, 0.1, 0.5)) if scene.lag <= 60 else 0.0


def report_scene(scene: Scene, last_ms: int, until_ms: int) -> Reports:
    """Return the reports of a scene up to `until_ms`. Nothing changes after `last_ms`."""
    changes, seen = _sense_edges(scene)
    levels = list(_iter_reports(scene, _apply_faults(scene, changes), min(last_ms + STILL_MS, until_ms)))
    lines = [(ms, f'{{"ms":{ms},"holes":"{bits:x}"}}') for ms, bits in levels]
    if scene.lines:  # at the same time, other lines come before reports
        others = [(ms, ANSWER if "answer" in line else json.dumps({"ms": ms, **line})) for ms, line in scene.lines]
        lines = sorted(others + lines, key=itemgetter(0))
    lines.append((until_ms, f'{{"ms":{until_ms},"tick":true}}'))
    reported = [*(ms for ms, _ in levels), until_ms]
    seen = {act: reported[min(bisect_left(reported, ms), len(levels))] for act, ms in seen.items()}
    did: dict[int, int] = {}
    for ms, _, _, act in scene.edges:
        if ms > did.get(act, 0):
            did[act] = ms
    return Reports(lines, levels, seen, did, list(_iter_changes(levels)))


def _sense_edges(scene: Scene) -> tuple[list[Change], dict[int, int]]:
    """Return the changes as the sensors show them, with a lag for each hole, and when each action was last seen."""
    rng, slowest = scene.rng, max(5, scene.lag)
    lag: dict[int, int] = {}
    changes: list[Change] = []
    newest: dict[int, int] = {}
    seen: dict[int, int] = {}
    for did_ms, hole, on, act in sorted(scene.edges, key=itemgetter(0)):  # edges of the same time keep their order
        if hole not in lag:
            lag[hole] = rng.randint(4, slowest)
        ms = max(did_ms + lag[hole] + int(rng.random() * 6), newest.get(hole, 0) + SCAN_INTERVAL_MS)
        ms -= ms % SCAN_INTERVAL_MS
        changes.append(Change(ms, hole, on))
        if bounces := _add_bounces(scene, ms, on):
            changes += [Change(at - at % SCAN_INTERVAL_MS, hole, level) for at, level in bounces]
            ms = changes[-1].ms
        newest[hole] = ms
        if ms > seen.get(act, 0):
            seen[act] = ms
    return list(_scan_times(changes)), seen


def _add_bounces(scene: Scene, ms: int, on: bool) -> list[tuple[int, bool]]:
    """Return the bounces of a contact that closes (`on`) or opens at `ms`, as (ms, level)."""
    rng = scene.rng
    if scene.chatter and rng.random() < scene.chatter:
        after = sorted(rng.sample(range(SCAN_INTERVAL_MS, MAX_CHATTER_MS, SCAN_INTERVAL_MS), 2 * rng.randint(1, 7)))
        return [(ms + wait, on == bool(number % 2)) for number, wait in enumerate(after)]
    if rng.random() < scene.bounce:
        return [(ms + rng.randint(4, 20), not on), (ms + rng.randint(22, 40), on)]
    return []


def _scan_times(changes: list[Change]) -> Iterator[Change]:
    """Yield the changes in order of time. A bounce that overlaps the hole's next change is dropped."""
    last: dict[int, bool] = {}
    for change in sorted(changes, key=itemgetter(0)):
        if last.get(change.hole) != change.on:
            last[change.hole] = change.on
            yield change


def _apply_faults(scene: Scene, changes: list[Change]) -> list[Change]:
    """Return the changes with stuck sensors, which show one level until they work again."""
    for begin, end, hole, on in scene.faults:
        true = next((c.on for c in reversed(changes) if c.hole == hole and c.ms < end), hole in _initial_holes(scene))
        changes = [c for c in changes if c.hole != hole or not begin <= c.ms < end]
        changes += [Change(begin, hole, on), Change(end, hole, true)]
    return changes


def _initial_holes(scene: Scene) -> list[int]:
    return [hole for place in scene.begin for hole in place.pegs]


def _iter_reports(scene: Scene, changes: list[Change], until_ms: int) -> Iterator[tuple[int, int]]:
    """Yield the received reports as (ms, bits): one for each time with changes, and one each second."""
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


def _iter_changes(levels: list[tuple[int, int]]) -> Iterator[Change]:
    """Yield each change of a hole between two reports."""
    before = levels[0][1]
    for ms, bits in levels:
        new = bits ^ before
        before = bits
        while new:
            hole = (new & -new).bit_length() - 1
            yield Change(ms, hole, bool(bits >> hole & 1))
            new &= new - 1
