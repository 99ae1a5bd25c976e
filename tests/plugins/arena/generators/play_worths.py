"""What each state of the play is worth to the player whose card leads to it: the table of the quick player's policy."""

from array import array
from collections.abc import Sequence
from typing import NamedTuple

from companion.coach.cribbage.ranks import MAX_CARDS, NO_STATE, RANK_COUNT, WORTH_SCALE

RANK_CHANCE = (0.070, 0.073, 0.078, 0.084, 0.098, 0.082, 0.072, 0.072, 0.076, 0.080, 0.084, 0.071, 0.060)
"""Probability that a card kept by a good player has this rank."""
ANSWER_WEIGHT = 0.9
"""Weight of the opponent's next points relative to the player's own."""
FOLLOW_UP_WEIGHT = 0.4
"""Weight of the player's own next points. The opponent may answer with another card."""


class StateRow(NamedTuple):
    """The state after each rank, and the points of the rank."""

    after: Sequence[int]
    points: Sequence[int]


def build_worths(graph: bytes) -> bytes:
    """Return the worths for a graph (`play_graph.build_graph`), as `ranks.PlayGraph` reads them."""
    number = len(graph) // (3 * RANK_COUNT + 1)
    after = memoryview(graph)[: 2 * RANK_COUNT * number].cast("H")
    points = memoryview(graph)[2 * RANK_COUNT * number :]
    rows = [
        StateRow(after[first : first + RANK_COUNT].tolist(), points[first : first + RANK_COUNT].tolist())
        for first in range(0, RANK_COUNT * number, RANK_COUNT)
    ]
    found = array("H")
    for row in rows:
        for cards in range(1, MAX_CARDS + 1):
            expected, gains = _compute_expected_pegging(rows, row, cards)
            found.extend(round(each * WORTH_SCALE) for each in (expected, *gains))
    return found.tobytes()


def _compute_expected_pegging(rows: Sequence[StateRow], row: StateRow, cards: int) -> tuple[float, list[float]]:
    """Return the points that the opponent, with `cards` cards, is expected to score next, weighted.

    Also returns, by rank, the points that the player is expected to score on the answer. The opponent plays the held
    card with the most points, else any card that fits, else none.
    """
    fitting = [(points, rank) for rank, points in enumerate(row.points) if row.after[rank] != NO_STATE]
    left = 1 - (1 - sum(RANK_CHANCE[rank] for _, rank in fitting)) ** cards
    answers = []
    for points, rank in sorted(fitting, reverse=True):
        if points:
            answers.append((left * (1 - (1 - RANK_CHANCE[rank]) ** cards), points, rank))
            left -= answers[-1][0]
    others = sum(RANK_CHANCE[rank] for points, rank in fitting if not points)
    answers += [(left * RANK_CHANCE[rank] / others, 0, rank) for points, rank in fitting if not points]
    gains = [0.0] * RANK_COUNT
    for share, _, rank in answers:
        if after := row.after[rank]:
            for mine, more in enumerate(rows[after].points):
                if more:
                    gains[mine] += FOLLOW_UP_WEIGHT * share * more
    return ANSWER_WEIGHT * sum(share * points for share, points, _ in answers), gains
