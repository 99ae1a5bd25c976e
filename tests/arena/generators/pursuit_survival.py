"""Compute the chance to survive in pursuit with two players from played deals."""

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from companion.coach.pursuit_two import GAP_CLASS, GAP_CLASS_LIMITS, SurvivalTable
from companion.rules.pursuit import HOLES_PER_PLAYER
from tests.arena.generators.deals import DEALER, PONE, Events

_ROUNDS = 14
GAP_CLASS_MIDDLES = tuple(
    (low + most) // 2 for low, most in zip((0, *GAP_CLASS_LIMITS), GAP_CLASS_LIMITS, strict=False)
)
"""The gap that represents each class."""


class DealProfile(NamedTuple):
    """What matters of a deal for catching.

    `early`: by side, its points when the other first scored. `late`: how far it ever was beyond the other's back peg
    after that. `gaps`: final gaps, None for a side that did not score.
    """

    early: tuple[int, int]
    late: tuple[int, int]
    ahead: int
    gaps: tuple[int | None, int | None]
    events: Events


def profile_deal(events: Events) -> DealProfile:
    """Return the profile of one deal's scores."""
    events = [(who, scored) for who, scored in events if scored]
    totals, backs = [0, 0], [0, 0]
    early, late, gaps = [0, 0], [-HOLES_PER_PLAYER, -HOLES_PER_PLAYER], list[int | None]((None, None))
    for who, scored in events:
        other = 1 - who
        backs[who], totals[who], gaps[who] = totals[who], totals[who] + scored, scored
        if gaps[other] is None:
            early[who] = totals[who]
        else:
            late[who] = max(late[who], totals[who] - backs[other])
    return DealProfile(
        (early[0], early[1]), (late[0], late[1]), totals[DEALER] - totals[PONE], (gaps[0], gaps[1]), events
    )


def compute_survival_table(deals: Sequence[Events]) -> SurvivalTable:
    """Return the dealer's chance by distance and gaps, iterated deal by deal."""
    profiles = [profile_deal(events) for events in deals]
    classes = range(len(GAP_CLASS_LIMITS))
    table = [
        [[1 / (1 + exp(-ahead / 8)) for _ in classes] for _ in classes]
        for ahead in range(-HOLES_PER_PLAYER, HOLES_PER_PLAYER + 1)
    ]
    for _ in range(_ROUNDS):
        table = [
            _chances_before_deal(table, profiles, ahead) for ahead in range(-HOLES_PER_PLAYER, HOLES_PER_PLAYER + 1)
        ]
    return table


def _chances_before_deal(table: SurvivalTable, profiles: Sequence[DealProfile], ahead: int) -> list[list[float]]:
    """Return the dealer's chance at this distance by both gaps, from the chances after the deal."""
    late = [_chance_after_deal(table, each, ahead) for each in profiles]
    usual = sum(late)
    early = [[(each.early[who], n) for n, each in enumerate(profiles) if each.early[who]] for who in (DEALER, PONE)]
    found = []
    for own in GAP_CLASS_MIDDLES:
        row = []
        for other in GAP_CLASS_MIDDLES:
            soon, soon_lost = HOLES_PER_PLAYER - ahead - other, HOLES_PER_PLAYER + ahead - own
            if soon <= 0 or soon_lost <= 0:
                row.append(float(soon <= 0))
                continue
            touched = {n for points, n in early[DEALER] if points >= soon}
            touched |= {n for points, n in early[PONE] if points >= soon_lost}
            more = sum(_dealer_catches_first(profiles[n].events, ahead, (own, other)) - late[n] for n in touched)
            row.append((usual + more) / len(profiles))
        found.append(row)
    return found


def _chance_after_deal(table: SurvivalTable, deal: DealProfile, ahead: int) -> float:
    """Return the dealer's chance after the deal if no player was caught before scoring."""
    catches, caught = deal.late[0] >= HOLES_PER_PLAYER - ahead, deal.late[1] >= HOLES_PER_PLAYER + ahead
    if catches and caught:
        return float(_dealer_catches_first(deal.events, ahead, (0, 0)))
    if catches or caught:
        return float(catches)
    then = max(-HOLES_PER_PLAYER, min(HOLES_PER_PLAYER, ahead + deal.ahead))
    mine, theirs = (1 if gap is None else GAP_CLASS[min(HOLES_PER_PLAYER, gap)] for gap in deal.gaps)
    return 1 - table[HOLES_PER_PLAYER - then][theirs][mine]


def _dealer_catches_first(events: Events, ahead: int, gaps: tuple[int, int]) -> bool:
    """Return whether the dealer is the first to catch the other."""
    fronts = [ahead, 0]
    backs = [ahead - gaps[0], -gaps[1]]
    for who, scored in events:
        backs[who], fronts[who] = fronts[who], fronts[who] + scored
        if fronts[who] >= HOLES_PER_PLAYER + backs[1 - who]:
            return who == DEALER
    return False
