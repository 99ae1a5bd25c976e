"""A quick player, and how the rest of a play goes between two of them. Pure.

He takes the card that earns most, less what the other is likely to earn on it, and with what he himself may earn on
the other's answer. A search asks him some hundred times for one decision, so what he has decided is remembered at the
place where he did (`series.Place`).
"""

from typing import Literal

from companion.coach.cribbage.play_states import NONE, START, Place, earned, tail_after
from companion.coach.cribbage.ranks import VALUES, Ranks
from companion.rules.play import LIMIT

HELD = (0.070, 0.073, 0.078, 0.084, 0.098, 0.082, 0.072, 0.072, 0.076, 0.080, 0.084, 0.071, 0.060)
"""How likely a card that a good player kept is of each rank."""
FEARED = 0.9
"""What the other's next points count against his own."""
HOPED = 0.4
"""What his own next points count for: the other may answer with another card."""

Choice = tuple[int, Place, Ranks]
"""What the card earns, the place after it, and the hand after it."""

_MEETS = tuple(tuple(1 - (1 - share) ** cards for share in HELD) for cards in range(5))
"""By the number of cards somebody holds: how likely each rank is among them."""


def outlook(at: Place, cards: int) -> tuple[float, tuple[float, ...]]:
    """What the other, with so many cards, will earn with the next card, and by rank what may be earned on that."""
    found: tuple[float, tuple[float, ...]] | None = at.outlook[cards]
    if found is None:
        found = at.outlook[cards] = _outlook(at, cards)
    return found


def _outlook(at: Place, cards: int) -> tuple[float, tuple[float, ...]]:
    """The other plays what earns most of what he holds, else anything that fits; or he has nothing that fits."""
    tail, count = at.tail, at.count
    fitting = [(earned(tail, count + VALUES[rank], rank), rank) for rank in range(13) if count + VALUES[rank] <= LIMIT]
    left = 1 - (1 - sum(HELD[rank] for _, rank in fitting)) ** cards
    answers = []
    for points, rank in sorted(fitting, reverse=True):
        if points:
            answers.append((left * _MEETS[cards][rank], points, rank))
            left -= answers[-1][0]
    others = sum(HELD[rank] for points, rank in fitting if not points)
    answers += [(left * HELD[rank] / others, 0, rank) for points, rank in fitting if not points]
    gains = [0.0] * 13
    for share, _, rank in answers:
        then = count + VALUES[rank]
        if then < LIMIT:
            last = tail_after(tail, rank, LIMIT - then)
            for mine in range(13):
                if then + VALUES[mine] <= LIMIT:
                    gains[mine] += HOPED * share * earned(last, then + VALUES[mine], mine)
    return FEARED * sum(share * points for share, points, _ in answers), tuple(gains)


def choose(at: Place, hand: Ranks, others: int) -> Choice | Literal[False]:
    """What he plays of a hand where the other may answer with `others` cards; False where nothing fits."""
    best: Choice | Literal[False] = False
    most = -99.0
    before = -1
    for place, rank in enumerate(hand):
        if rank == before:
            continue
        before = rank
        step = at.step(rank)
        if step is None:
            continue
        rest = hand[:place] + hand[place + 1 :]
        wish: float = step[0]
        if others:
            fear, gains = step[1].outlook[others] or outlook(step[1], others)
            wish -= fear
            for each in set(rest):
                wish += gains[each]
        if wish > most:
            most = wish
            best = (step[0], step[1], rest)
    if at.chosen[others] is NONE:
        at.chosen[others] = {}
    at.chosen[others][hand] = best
    return best


def finish(  # noqa: PLR0912, PLR0913, PLR0915, PLR0917 - run half a million times a second: written out, without calls
    mine: Ranks,
    theirs: Ranks,
    at: Place,
    gone: tuple[bool, bool],
    turn: int,
    last: int,
    needs: tuple[int, int],
    once: bool = False,
) -> tuple[int, int]:
    """The points of both (0 is `mine`) until the play ends, or until one has what he needs.

    `gone`: who has said go in this series. `last`: who laid the latest card of it. `once`: the play ends with its
    first series.
    """
    mine_gone, theirs_gone = gone
    mine_need, theirs_need = needs
    one = two = 0
    while True:
        if turn == 0:
            if mine and not mine_gone:
                others = 0 if theirs_gone else len(theirs)
                chosen = at.chosen[others].get(mine)
                if chosen is None:
                    chosen = choose(at, mine, others)
                if chosen:
                    points, at, mine = chosen
                    last = 0
                    if points:
                        one += points
                        if one >= mine_need:
                            return one, two
                    if at is START:
                        mine_gone = theirs_gone = False
                        if once or not (theirs or mine):
                            return one, two
                    turn = 1
                    continue
                mine_gone = True
            if theirs and not theirs_gone:
                turn = 1
                continue
        else:
            if theirs and not theirs_gone:
                others = 0 if mine_gone else len(mine)
                chosen = at.chosen[others].get(theirs)
                if chosen is None:
                    chosen = choose(at, theirs, others)
                if chosen:
                    points, at, theirs = chosen
                    last = 1
                    if points:
                        two += points
                        if two >= theirs_need:
                            return one, two
                    if at is START:
                        mine_gone = theirs_gone = False
                        if once or not (theirs or mine):
                            return one, two
                    turn = 0
                    continue
                theirs_gone = True
            if mine and not mine_gone:
                turn = 0
                continue
        # Nobody can go on: the last card's point, and the other one leads the next series.
        if at is not START:
            if last:
                two += 1
            else:
                one += 1
            if one >= mine_need or two >= theirs_need:
                return one, two
        if once or not (mine or theirs):
            return one, two
        at = START
        mine_gone = theirs_gone = False
        turn = 1 - last
