"""A fast policy for the play, and the rest of a play between two players who follow it. Pure.

It plays the card with the most points, less the opponent's expected points on it, plus a part of its own expected
points on the answer. Both are in the table of the states. A search asks it some hundred times for one decision, so its
choices are stored in the states (`play_states.PlayState`).
"""

from typing import Literal

from companion.coach.cribbage.play_states import (
    MAX_CARDS,
    NO_STATE,
    RANK_COUNT,
    START,
    WORTH_ENTRIES,
    WORTH_SCALE,
    PlayState,
    get_state,
    list_options,
    load_graph,
    store_choice,
)
from companion.coach.cribbage.ranks import Ranks

RolloutChoice = tuple[int, PlayState, Ranks, int]
"""Points of the card, the state after it, the hand after it, and its rank."""


def expected_pegging(at: PlayState, cards: int) -> float:
    """Return the points that the opponent, with `cards` cards, is expected to score next."""
    return load_graph().worths[_worth_place(at.number, cards)] / WORTH_SCALE if cards else 0.0


def _worth_place(number: int, cards: int) -> int:
    """Return the place in the graph of what a state is worth if the opponent has `cards` cards."""
    return (number * MAX_CARDS + cards - 1) * WORTH_ENTRIES


def choose_card(at: PlayState, hand: Ranks, others: int) -> RolloutChoice | Literal[False]:
    """Return the choice of the policy if the opponent can answer with `others` cards; False if no card fits."""
    next_states, earned, _, worths = load_graph()
    first = at.number * RANK_COUNT
    best: tuple[int, Ranks] | Literal[False] = False
    best_value = -99 * WORTH_SCALE
    for rank, rest, ranks_left in list_options(hand):
        after = next_states[first + rank]
        if after != NO_STATE:
            value = earned[first + rank] * WORTH_SCALE
            if others:
                place = (after * MAX_CARDS + others - 1) * WORTH_ENTRIES
                value -= worths[place]
                for each in ranks_left:
                    value += worths[place + 1 + each]
            if value > best_value:
                best_value, best = value, (rank, rest)
    chosen: RolloutChoice | Literal[False] = False
    if best:
        rank, rest = best
        chosen = (earned[first + rank], get_state(next_states[first + rank]), rest, rank)
    store_choice(at, hand, others, chosen)
    return chosen


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
