"""A model of the sensors: from what hands did to the reports that arrive, with lag, bounce, losses and faults."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from model import Scene

REPEAT = 1000
"""All levels are repeated this often, in milliseconds."""
SCAN = 2
"""Holes are looked at this often."""


@dataclass
class Reports:
    """The lines of a recording, and when each act's last edge was seen."""

    lines: list[dict[str, Any]]
    seen_ms: dict[int, int]
    did_ms: dict[int, int]
    changed: list[tuple[int, int]] = field(default_factory=list)

    def changes(self) -> tuple[dict[int, int], dict[int, int]]:
        """When each hole was first seen emptied and last seen filled."""
        emptied: dict[int, int] = {}
        filled: dict[int, int] = {}
        before = None
        for line in self.lines:
            if "holes" in line:
                bits = int(line["holes"], 16)
                for hole in range((bits | (before or 0)).bit_length()) if before not in (None, bits) else ():
                    if bits >> hole & 1 and not before >> hole & 1:
                        filled[hole] = line["ms"]
                    elif before >> hole & 1 and not bits >> hole & 1:
                        emptied.setdefault(hole, line["ms"])
                before = bits
        return emptied, filled


def report(scene: Scene, until_ms: int) -> Reports:
    """The reports of a scene up to `until_ms`."""
    rng = scene.rng
    lag = {e.hole: rng.randint(4, max(5, scene.lag)) for e in scene.edges}
    changes: list[tuple[int, int, bool]] = []
    seen: dict[int, int] = {}
    did: dict[int, int] = {}
    newest: dict[int, int] = {}
    for edge in sorted(scene.edges, key=lambda e: e.ms):  # of one instant, in the order in which a hand did it
        ms = max(edge.ms + lag[edge.hole] + rng.randint(0, 5), newest.get(edge.hole, 0) + SCAN)
        changes.append((ms, edge.hole, edge.on))
        if rng.random() < scene.bounce:
            first, second = ms + rng.randint(4, 20), ms + rng.randint(22, 40)
            changes += [(first, edge.hole, not edge.on), (second, edge.hole, edge.on)]
            ms = second
        newest[edge.hole] = ms
        seen[edge.act] = max(seen.get(edge.act, 0), ms)
        did[edge.act] = max(did.get(edge.act, 0), edge.ms)
    changes = _ordered(changes)
    return _delivered(scene, changes, seen, did, until_ms)


def _ordered(changes: list[tuple[int, int, bool]]) -> list[tuple[int, int, bool]]:
    """In time; a bounce that runs into the hole's next change is swallowed by it."""
    last: dict[int, bool] = {}
    kept = []
    for ms, hole, on in sorted(changes, key=lambda c: c[0] - c[0] % SCAN):
        if last.get(hole) != on:
            kept.append((ms - ms % SCAN, hole, on))
            last[hole] = on
    return kept


def _delivered(
    scene: Scene, changes: list[tuple[int, int, bool]], seen: dict[int, int], did: dict[int, int], until_ms: int
) -> Reports:
    rng = scene.rng
    bits = sum(1 << h for b in scene.begin for h in b[:2])
    lines: list[dict[str, Any]] = [{"ms": 0, "holes": f"{bits:x}"}]
    told: list[int] = [0]
    wrong_on = [(a, z, h) for a, z, h in scene.stuck]
    for a, z, h in wrong_on:
        changes = [c for c in changes if not (c[1] == h and a <= c[0] < z)] + [(a, h, True)]
    changes += [(ms, -1, False) for ms in range(REPEAT, until_ms, REPEAT)]
    changes.sort(key=lambda c: c[0])
    for ms, group in groupby(changes, key=lambda c: c[0]):
        for _, hole, on in group:
            if hole >= 0:
                bits = bits | 1 << hole if on else bits & ~(1 << hole)
        blind = any(a <= ms < z for a, z in scene.blind)
        if not blind and (ms % REPEAT == 0 or rng.random() >= scene.lost):
            lines.append({"ms": ms, "holes": f"{bits:x}"})
            told.append(ms)
    lines += [{"ms": ms, **line} for ms, line in scene.lines]
    lines.sort(key=lambda line: line["ms"])
    lines.append({"ms": until_ms, "tick": True})
    seen = {act: next((t for t in told if t >= ms - ms % SCAN), until_ms) for act, ms in seen.items()}
    return Reports(lines, seen, did, list(_changed(lines)))


def _changed(lines: list[dict[str, Any]]) -> Iterator[tuple[int, int]]:
    """Each change of a hole as it was delivered."""
    before = int(lines[0]["holes"], 16)
    for line in lines:
        if "holes" in line:
            bits = int(line["holes"], 16)
            new, before = bits ^ before, bits
            while new:
                yield line["ms"], (new & -new).bit_length() - 1
                new &= new - 1
