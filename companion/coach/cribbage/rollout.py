"""A fast policy for the play, and the rest of a play between two players who follow it. Pure.

It plays the card with the most points, less the opponent's expected points on it, plus a part of its own expected
points on the answer. A search asks it some hundred times for one decision, so its choices are stored in the states
(`play_states.PlayState`).
"""

from typing import Literal

from companion.coach.cribbage.play_states import START, PlayState, Worth, list_options, load_graph, store_choice
from companion.coach.cribbage.ranks import RANK_VALUES, Ranks
from companion.rules.play import MAX_COUNT

RANK_CHANCE = (0.070, 0.073, 0.078, 0.084, 0.098, 0.082, 0.072, 0.072, 0.076, 0.080, 0.084, 0.071, 0.060)
"""Probability that a card kept by a good player has this rank."""
ANSWER_WEIGHT = 0.9
"""Weight of the opponent's next points relative to the player's own."""
FOLLOW_UP_WEIGHT = 0.4
"""Weight of the player's own next points. The opponent may answer with another card."""

RolloutChoice = tuple[int, PlayState, Ranks, int]
"""Points of the card, the state after it, the hand after it, and its rank."""

_RANK_HELD_CHANCE = tuple(tuple(1 - (1 - share) ** cards for share in RANK_CHANCE) for cards in range(5))
"""Probability that each rank is in a hand, by the number of cards in it."""


def expected_pegging(at: PlayState, cards: int) -> tuple[float, tuple[float, ...]]:
    """Return the points that the opponent, with `cards` cards, is expected to score next.

    Also returns, by rank, the points that the player is expected to score on the opponent's answer (weighted).
    """
    found: tuple[float, tuple[float, ...]] | None = at.expected[cards]
    if found is None:
        found = at.expected[cards] = _compute_expected_pegging(at, cards)
    return found


def _compute_expected_pegging(at: PlayState, cards: int) -> tuple[float, tuple[float, ...]]:
    """Compute `expected_pegging`.

    The opponent plays the held card with the most points, else any card that fits, else none.
    """
    graph = load_graph()
    first = at.number * len(RANK_CHANCE)
    fitting = [(points, rank) for rank, points in enumerate(graph.points_in(at.number))
               if at.count + RANK_VALUES[rank] <= MAX_COUNT]  # fmt: skip
    left = 1 - (1 - sum(RANK_CHANCE[rank] for _, rank in fitting)) ** cards
    answers = []
    for points, rank in sorted(fitting, reverse=True):
        if points:
            answers.append((left * _RANK_HELD_CHANCE[cards][rank], points, rank))
            left -= answers[-1][0]
    others = sum(RANK_CHANCE[rank] for points, rank in fitting if not points)
    answers += [(left * RANK_CHANCE[rank] / others, 0, rank) for points, rank in fitting if not points]
    gains = [0.0] * len(RANK_CHANCE)
    for share, _, rank in answers:
        if after := graph.after[first + rank]:
            weight = FOLLOW_UP_WEIGHT * share
            for mine, more in enumerate(graph.points_in(after)):
                if more:
                    gains[mine] += weight * more
    return ANSWER_WEIGHT * sum(share * points for share, points, _ in answers), tuple(gains)


def choose_card(at: PlayState, hand: Ranks, others: int) -> RolloutChoice | Literal[False]:
    """Return the choice of the policy if the opponent can answer with `others` cards; False if no card fits."""
    worths = at.worths[others]
    if worths is None:
        worths = at.worths[others] = [None] * len(RANK_CHANCE)
    best: RolloutChoice | Literal[False] = False
    best_value = -99.0
    for rank, rest, ranks_left in list_options(hand):
        worth = worths[rank]
        if worth is None:
            worth = worths[rank] = _compute_worth(at, rank, others)
        if worth:
            value, gains, points, after = worth
            if gains:
                for each in ranks_left:
                    value += gains[each]
            if value > best_value:
                best_value = value
                best = (points, after, rest, rank)
    store_choice(at, hand, others, best)
    return best


def _compute_worth(at: PlayState, rank: int, others: int) -> Worth:
    """Return the worth of a card; empty if it does not fit."""
    step = at.step(rank)
    if step is None:
        return ()
    if not others:
        return float(step[0]), (), *step
    fear, gains = expected_pegging(step[1], others)
    return step[0] - fear, gains, *step


def finish_play(  # noqa: PLR0912, PLR0913, PLR0915, PLR0917 - runs half a million times a second, so without calls
    mine: Ranks,
    theirs: Ranks,
    at: PlayState,
    gone: tuple[bool, bool],
    turn: int,
    last: int,
    needs: tuple[int, int],
    once: bool = False,
) -> tuple[int, int]:
    """Return the points of both players until the play ends or one has scored what they need (0 is `mine`).

    :param gone: who has said go in this series.
    :param last: who played the latest card of the series.
    :param once: whether the play ends with its first series, as in five-card cribbage.
    """
    mine_gone, theirs_gone = gone
    mine_need, theirs_need = needs
    one = two = 0
    while True:
        if turn == 0:
            if mine and not mine_gone:
                others = 0 if theirs_gone else len(theirs)
                chosen = at.choices[others].get(mine)
                if chosen is None:
                    chosen = choose_card(at, mine, others)
                if chosen:
                    points, at, mine, _ = chosen
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
                chosen = at.choices[others].get(theirs)
                if chosen is None:
                    chosen = choose_card(at, theirs, others)
                if chosen:
                    points, at, theirs, _ = chosen
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
        # Neither can play: one point for the last card, and the other player leads the next series.
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
