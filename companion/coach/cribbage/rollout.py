"""A fast policy for the play, and the rest of a play between two players who follow it. Pure.

It plays the card with the most points, less the opponent's expected points on it, plus a part of its own expected
points on the answer. Both are in the table of the states. A search asks it some hundred times for one decision, so its
choices are stored: a byte for each hand in rows by state and number of the opponent's cards.

States are numbers here (`ranks.PlayGraph`), and so are hands. Who has said go in a series is the
sum of `OWN_GO` and `OTHER_GO`.
"""

from typing import Literal

from companion.coach.cribbage.ranks import (
    DIFFERENT_RANKS,
    HAND_NUMBERS,
    HAND_SIZES,
    HANDS,
    HANDS_WITHOUT,
    MAX_CARDS,
    NO_STATE,
    OPTIONS,
    RANK_COUNT,
    ROW_LENGTHS,
    WORTH_ENTRIES,
    WORTH_SCALE,
    PlayState,
    Ranks,
    load_graph,
)

NO_CARD = RANK_COUNT
"""Choice if no card fits."""
OWN_GO, OTHER_GO = 1, 2

RolloutChoice = tuple[int, PlayState, Ranks, int]
"""Points of the card, the state after it, the hand after it, and its rank."""

ScoredPoints = tuple[int, ...]
"""Points in the order scored: those of the player above 0, those of the opponent below."""

MAX_CHOICE_BYTES = 3 * 2**20
"""Size of the stored choices. Beyond that, all are dropped, and made again when they are needed."""
_ROW_OVERHEAD_BYTES = 128
"""Memory of a row besides its entries."""


class _ChoiceCache:
    """Choices of the policy, by state and number of the opponent's cards. An entry is the rank and 1; 0 is unknown."""

    def __init__(self) -> None:
        self.size = 0
        self._rows: dict[int, bytearray] = {}

    def clear(self) -> None:
        """Forget all choices. Rows in use stay valid."""
        self._rows.clear()
        self.size = 0

    def find_row(self, at: int, others: int, hand: int) -> bytearray:
        """Return the row of a state, with an entry for each hand that has no more cards than `hand`."""
        key = at * (MAX_CARDS + 1) + others
        row = self._rows.get(key)
        if row is not None and hand < len(row):
            return row
        length = ROW_LENGTHS[max(2, HAND_SIZES[hand])]
        self.size += length - len(row) if row else length + _ROW_OVERHEAD_BYTES
        if self.size > MAX_CHOICE_BYTES:
            self.clear()
            row, self.size = None, length + _ROW_OVERHEAD_BYTES
        if row is None:
            row = self._rows[key] = bytearray(length)
        else:
            row.extend(bytes(length - len(row)))
        return row


CHOICES = _ChoiceCache()
find_choice_row = CHOICES.find_row


def expected_pegging(at: PlayState, cards: int) -> float:
    """Return the points that the opponent, with `cards` cards, is expected to score next."""
    return load_graph().worths[_worth_place(at.number, cards)] / WORTH_SCALE if cards else 0.0


def _worth_place(number: int, cards: int) -> int:
    """Return the place in the graph of what a state is worth if the opponent has `cards` cards."""
    return (number * MAX_CARDS + cards - 1) * WORTH_ENTRIES


def choose_card(at: PlayState, hand: Ranks, others: int) -> RolloutChoice | Literal[False]:
    """Return the choice of the policy if the opponent can answer with `others` cards; False if no card fits."""
    number = HAND_NUMBERS[hand]
    rank = choose_rank(at.number, number, others)
    step = at.step(rank) if rank != NO_CARD else None
    return (*step, HANDS[HANDS_WITHOUT[number][rank]], rank) if step else False


def choose_rank(at: int, hand: int, others: int) -> int:
    """Return the rank that the policy plays; `NO_CARD` if none fits."""
    row = find_choice_row(at, others, hand)
    return (row[hand] or store_choice(row, at, hand, others)) - 1


def store_choice(row: bytearray, at: int, hand: int, others: int) -> int:
    """Compute a choice, store it in its row, and return the entry: the rank and 1."""
    after, earned, _, worths = load_graph()
    first = at * RANK_COUNT
    if hand <= RANK_COUNT:  # at most one card
        row[hand] = hand if hand and after[first + hand - 1] != NO_STATE else NO_CARD + 1
        return row[hand]
    best, best_value = NO_CARD, -99 * WORTH_SCALE
    for rank, rest in OPTIONS[hand]:
        then = after[first + rank]
        if then != NO_STATE:
            value = earned[first + rank] * WORTH_SCALE
            if others:
                place = (then * MAX_CARDS + others - 1) * WORTH_ENTRIES
                value -= worths[place]
                for mine in DIFFERENT_RANKS[rest]:
                    value += worths[place + 1 + mine]
            if value > best_value:
                best_value, best = value, rank
    row[hand] = best + 1
    return best + 1


def finish_play(
    mine: int, theirs: int, at: int, gone: int, turn: int, last: int, *, once: bool = False
) -> ScoredPoints:
    """Return what both players score until the play ends.

    :param turn: who is on turn, 0 for the player who holds `mine`.
    :param last: who played the latest card of the series.
    :param once: whether the play ends with its first series, as in five-card cribbage.
    """
    after, earned, _, _ = load_graph()
    held = [mine, theirs]
    scores: list[int] = []
    while True:
        other = 1 - turn
        hand, bit, other_bit = held[turn], 1 << turn, 1 << other
        if hand and not gone & bit:
            rank = hand - 1  # of a single card
            if hand > RANK_COUNT:
                rank = choose_rank(at, hand, 0 if gone & other_bit else HAND_SIZES[held[other]])
            then = after[at * RANK_COUNT + rank] if rank != NO_CARD else NO_STATE
            if then != NO_STATE:
                if points := earned[at * RANK_COUNT + rank]:
                    scores.append(-points if turn else points)
                held[turn], at, last, turn = HANDS_WITHOUT[hand][rank], then, turn, other
                if not at:  # 31
                    gone = 0
                    if once or not (held[0] or held[1]):
                        return tuple(scores)
                continue
            gone |= bit
        if held[other] and not gone & other_bit:
            turn = other
            continue
        # Neither can play: one point for the last card, and the other player leads the next series.
        if at:
            scores.append(-1 if last else 1)
        if once or not (held[0] or held[1]):
            return tuple(scores)
        at, gone, turn = 0, 0, 1 - last


def add_up_scores(scores: ScoredPoints, needs: tuple[int, int] | None = None) -> tuple[int, int]:
    """Return the points of both players, until one has what it needs."""
    one = two = 0
    for points in scores:
        if points > 0:
            one += points
        else:
            two -= points
        if needs and (one >= needs[0] or two >= needs[1]):
            break
    return one, two
