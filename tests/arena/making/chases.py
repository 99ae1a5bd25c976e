"""Who survives in pursuit, two being left: from deals, each as far as it matters for catching and fleeing."""

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from arena.making.deals import DEALER, PONE, Events

from companion.coach.pursuit_two import CLASS, GAPS, Survives
from companion.rules.pursuit import SIDE

_ROUNDS = 14
MIDDLE = tuple((low + most) // 2 for low, most in zip((0, *GAPS), GAPS, strict=False))
"""The gap that stands for each class."""


class Told(NamedTuple):
    """What a deal does. `early`: by side, what it had when the other scored first; `late`: how far it ever was beyond
    the other's back peg after that. `gaps`: of both in the end, None where one scored nothing.
    """

    early: tuple[int, int]
    late: tuple[int, int]
    ahead: int
    gaps: tuple[int | None, int | None]
    events: Events


def told(events: Events) -> Told:
    """Of one deal's scores, in order."""
    events = [(who, scored) for who, scored in events if scored]
    totals, backs = [0, 0], [0, 0]
    early, late, gaps = [0, 0], [-SIDE, -SIDE], list[int | None]((None, None))
    for who, scored in events:
        other = 1 - who
        backs[who], totals[who], gaps[who] = totals[who], totals[who] + scored, scored
        if gaps[other] is None:
            early[who] = totals[who]
        else:
            late[who] = max(late[who], totals[who] - backs[other])
    return Told((early[0], early[1]), (late[0], late[1]), totals[DEALER] - totals[PONE], (gaps[0], gaps[1]), events)


def survives(deals: Sequence[Events]) -> Survives:
    """The dealer's chance by distance and gaps: deal upon deal, until it changes no more."""
    profiles = [told(events) for events in deals]
    classes = range(len(GAPS))
    table = [[[1 / (1 + exp(-ahead / 8)) for _ in classes] for _ in classes] for ahead in range(-SIDE, SIDE + 1)]
    for _ in range(_ROUNDS):
        table = [_before(table, profiles, ahead) for ahead in range(-SIDE, SIDE + 1)]
    return table


def _before(table: Survives, profiles: Sequence[Told], ahead: int) -> list[list[float]]:
    """The dealer's chance at this distance, by both gaps, from the chances after the deal."""
    late = [_late(table, each, ahead) for each in profiles]
    usual = sum(late)
    early = [[(each.early[who], n) for n, each in enumerate(profiles) if each.early[who]] for who in (DEALER, PONE)]
    found = []
    for own in MIDDLE:
        row = []
        for other in MIDDLE:
            soon, soon_lost = SIDE - ahead - other, SIDE + ahead - own
            if soon <= 0 or soon_lost <= 0:
                row.append(float(soon <= 0))
                continue
            touched = {n for points, n in early[DEALER] if points >= soon}
            touched |= {n for points, n in early[PONE] if points >= soon_lost}
            more = sum(_first(profiles[n].events, ahead, (own, other)) - late[n] for n in touched)
            row.append((usual + more) / len(profiles))
        found.append(row)
    return found


def _late(table: Survives, deal: Told, ahead: int) -> float:
    """What the deal brings the dealer where nobody was caught before having scored."""
    catches, caught = deal.late[0] >= SIDE - ahead, deal.late[1] >= SIDE + ahead
    if catches and caught:
        return float(_first(deal.events, ahead, (0, 0)))
    if catches or caught:
        return float(catches)
    then = max(-SIDE, min(SIDE, ahead + deal.ahead))
    mine, theirs = (1 if gap is None else CLASS[min(SIDE, gap)] for gap in deal.gaps)
    return 1 - table[SIDE - then][theirs][mine]


def _first(events: Events, ahead: int, gaps: tuple[int, int]) -> bool:
    """Whether the dealer is the first to catch the other."""
    fronts = [ahead, 0]
    backs = [ahead - gaps[0], -gaps[1]]
    for who, scored in events:
        backs[who], fronts[who] = fronts[who], fronts[who] + scored
        if fronts[who] >= SIDE + backs[1 - who]:
            return who == DEALER
    return False
