"""A quick player, and how the rest of a play goes between two of them. Pure.

He takes the card that earns most, less what the other is likely to earn on it. A search asks him some hundred times
for one decision, so all he ever decided is remembered at the place where he did (`series.Place`).
"""

from typing import Literal

from companion.coach.ranks import VALUES, Ranks
from companion.coach.series import START, Place

HELD = (0.066, 0.077, 0.079, 0.083, 0.096, 0.077, 0.077, 0.076, 0.075, 0.077, 0.082, 0.074, 0.061)
"""How likely a card that a good player kept is of each rank."""

_MEETS = tuple(tuple(1 - (1 - share) ** cards for share in HELD) for cards in range(5))
"""By the number of cards somebody holds: how likely each rank is among them."""

Choice = tuple[int, Place, Ranks]
"""What the card earns, the place after it, and the hand after it."""


def danger(at: Place, cards: int) -> float:
    """What somebody with so many cards will earn with the next card, in the mean."""
    found = at.danger[cards]
    if found is None:
        meets = _MEETS[cards]
        found = sum(meets[rank] * step[0] for rank, step in enumerate(at.after) if step)
        at.danger[cards] = found
    return found


def choose(at: Place, hand: Ranks, others: int) -> Choice | Literal[False]:
    """What he plays of a hand where the other may answer with `others` cards; False where nothing fits."""
    best: Choice | Literal[False] = False
    most = -99.0
    for place, rank in enumerate(hand):
        step = at.after[rank]
        if step is None or (place and hand[place - 1] == rank):
            continue
        wish = step[0] - danger(step[1], others) + 0.02 * VALUES[rank]
        if wish > most:
            most = wish
            best = (step[0], step[1], hand[:place] + hand[place + 1 :])
    at.chosen[others][hand] = best
    return best


def finish(  # noqa: PLR0912, PLR0915 - run half a million times a second: written out, without calls
    mine: Ranks, theirs: Ranks, at: Place, gone: tuple[bool, bool], turn: int, last: int, needs: tuple[int, int]
) -> tuple[int, int]:
    """The points of both (0 is `mine`) until the play ends, or until one has what he needs.

    `gone`: who has said go in this series. `last`: who laid the latest card of it.
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
                        if not theirs and not mine:
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
                        if not theirs and not mine:
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
        if not mine and not theirs:
            return one, two
        at = START
        mine_gone = theirs_gone = False
        turn = 1 - last
