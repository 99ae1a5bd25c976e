"""Deals played by good players, and the statistics of them: pegging, hands and chances to win."""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

from companion.coach.cribbage.expected_values import hand_points_by_starter
from companion.coach.cribbage.play_states import START
from companion.coach.cribbage.ranks import Ranks
from companion.coach.cribbage.rollout import choose_card
from companion.rules.cards import JACK, PACK, Card
from companion.rules.scoring import points

DEALER, PONE = 0, 1
Events = list[tuple[int, int]]
"""Who scored how much, in order: 0 is the dealer, 1 is pone."""
PlayedDeal = tuple[tuple[Ranks, Ranks], Events, Events]
"""Hands kept by dealer and pone; pegging; then heels, pone's hand, the dealer's hand and the crib."""
Thrower = Callable[[tuple[Card, ...], int], tuple[Card, ...]]
"""Returns the four of six cards to keep, for dealer or pone."""


def play_hands(hands: tuple[Ranks, Ranks]) -> Events:
    """Play two hands by the rollout policy. Hands of three end with the first series."""
    once = len(hands[0]) == 3
    held, gone, turn, last, at = list(hands), [False, False], PONE, PONE, START
    events: Events = []
    while held[0] or held[1]:
        other = 1 - turn
        if held[turn] and not gone[turn]:
            chosen = choose_card(at, held[turn], 0 if gone[other] else len(held[other]))
            if chosen:
                scored, at, held[turn] = chosen  # type: ignore[misc]
                last = turn
                if scored:
                    events.append((turn, scored))
                if at is START:
                    gone = [False, False]
                    if once:
                        break
            else:
                gone[turn] = True
        if any(held[seat] and not gone[seat] for seat in (0, 1)):
            turn = other if held[other] and not gone[other] else turn
            continue
        if at is not START:
            events.append((last, 1))
        if once:
            break
        at, gone = START, [False, False]
        turn = 1 - last if held[1 - last] else last
    return events


def play_deals(keep: Thrower, dealt: int, number: int, seed: int) -> Iterator[PlayedDeal]:
    """Yield played deals."""
    chance = Random(seed)
    for _ in range(number):
        pack = chance.sample(PACK, 2 * dealt + 1)
        hands = (tuple(sorted(pack[:dealt])), tuple(sorted(pack[dealt:-1])))
        starter = pack[-1]
        kept = (keep(hands[0], DEALER), keep(hands[1], PONE))
        crib = [card for hand, four in zip(hands, kept, strict=True) for card in hand if card not in four]
        ranks = tuple(tuple(sorted(card.rank for card in four)) for four in kept)
        told = [
            (DEALER, 2 * (starter.rank == JACK)),
            (PONE, hand_points_by_starter(kept[1])[starter]),
            (DEALER, hand_points_by_starter(kept[0])[starter]),
            (DEALER, points(crib, starter, True)),
        ]
        yield (ranks[0], ranks[1]), play_hands((ranks[0], ranks[1])), told


def compute_win_chances(told: list[Events], target: int = 121) -> list[list[float]]:
    """Return the dealer's chance to win before a deal by both scores, computed backwards from the target."""
    both: Counter[tuple[int, int]] = Counter()
    first: Counter[tuple[int, int]] = Counter()
    for events in told:
        totals = [0, 0]
        for who, scored in events:
            fresh = totals[who] + scored
            if who == DEALER:
                for d in range(totals[0] + 1, fresh + 1):
                    first[d, totals[1]] += 1
            totals[who] = fresh
        both[totals[0], totals[1]] += 1
    number = len(told)
    shares = [(d, p, n / number) for (d, p), n in both.items()]
    out = _out_first(first, number, target)
    wins = [[0.0] * (target + 1) for _ in range(target + 1)]
    for total in range(2 * target - 2, -1, -1):
        for dealer in range(max(0, total - target + 1), min(target - 1, total) + 1):
            pone = total - dealer
            to_d, to_p = target - dealer, target - pone
            won = out[to_d][to_p]
            for d, p, share in shares:
                if d < to_d and p < to_p:
                    won += share * (1 - wins[pone + p][dealer + d])
            wins[dealer][pone] = won
    return [row[:target] for row in wins[:target]]


def _out_first(first: Counter[tuple[int, int]], number: int, target: int) -> list[list[float]]:
    """Return, by points to go of dealer and pone, how often the dealer reaches the target first within the deal."""
    out = [[0.0] * (target + 1) for _ in range(target + 1)]
    for need in range(1, target + 1):
        # `first[d, p]`: deals in which the dealer reached d while pone had p.
        sums = 0
        for had in range(target):
            sums += first[need, had]
            out[need][had + 1] = sums / number
    return out
