"""Advice for pursuit with three to five players: cards to discard and to play. Pure.

Each player chases the next one clockwise. A caught player is out, and the others start a new loop. So a player wants
not to be the first to be caught. For each playable card the deal is finished some dozen times by the rollout policy,
with hands for the others drawn from the unseen cards. The draw is seeded by the question, so the same question has the
same answer. See docs/explanation/how-the-coach-plays.md#pursuit.
"""

from collections.abc import Sequence
from functools import cache
from hashlib import shake_256
from math import exp
from typing import NamedTuple

from companion.coach.cribbage import rollout, tables
from companion.coach.cribbage.expected_values import hand_points_by_starter
from companion.coach.cribbage.play_states import START, PlayState, state_after
from companion.coach.cribbage.ranks import RANK_PAIRS, Ranks, points_with_starters, ranks_of
from companion.coach.pursuit_two import PursuitPegs
from companion.rules.cards import PACK, Card
from companion.rules.play import MAX_COUNT
from companion.rules.pursuit import HOLES_PER_PLAYER

ROLLOUTS = 40
"""Number of times the deal is finished for each playable card."""
CHASE_DECAY_HOLES = 12.0
"""A chaser this many holes nearer is e times as likely to be the first to catch.

Fitted by `tests/arena/generators/pursuit_fit.py`, as are the next two.
"""
CAPTURE_POSITION_FRACTION = 0.9
"""Where a player can be caught, as a fraction of the way from back peg to front peg.

Most players score again before they are caught.
"""
DEALER_BONUS_HOLES = 3.0
"""Dealing next is worth this many holes."""
MEAN_CRIB_POINTS = 5
"""Average points of a crib."""


class PursuitLoop(NamedTuple):
    """Front and back pegs of the players still in the game, clockwise from the player, and the index of the dealer."""

    fronts: tuple[int, ...]
    backs: tuple[int, ...]
    dealer: int
    by_front: bool = False


class PursuitChoice(NamedTuple):
    """A card to discard or to play, and the chance to win the match."""

    card: Card
    win: float


class PursuitTurn(NamedTuple):
    """What the player on turn knows. `played` and `gone` are by seat, clockwise from the player."""

    held: tuple[Card, ...]
    discarded: tuple[Card, ...]
    starter: Card
    series: tuple[Card, ...]
    played: tuple[tuple[Card, ...], ...]
    gone: tuple[bool, ...]


def match_win_chance(fronts: Sequence[int], backs: Sequence[int], dealer: int, *, by_front: bool) -> float:
    """Return the player's chance to win the match before a deal.

    One player is caught first; after that all others are taken as equal.
    """
    count = len(fronts)
    ahead = [front + DEALER_BONUS_HOLES * (seat == dealer) for seat, front in enumerate(fronts)]
    caught = []
    for seat in range(count):
        mark = fronts[seat] if by_front else backs[seat] + CAPTURE_POSITION_FRACTION * (fronts[seat] - backs[seat])
        caught.append(exp((ahead[seat - 1] - mark) / CHASE_DECAY_HOLES))
    return (1 - caught[0] / sum(caught)) / (count - 1)


def rank_discards(held: Sequence[Card], loop: PursuitLoop) -> list[PursuitChoice]:
    """Return each card of five as a discard, best first, by the player's own points and the owner of the crib."""
    game_tables = tables.load_tables("six-card")
    who = tables.DEALER if loop.dealer == 0 else tables.PONE
    even = match_win_chance(*loop[:2], loop.dealer, by_front=loop.by_front)
    mine, cribs = _win_chance_with_point(loop, 0) - even, _win_chance_with_point(loop, loop.dealer) - even
    starters = [card for card in PACK if card not in held]
    found = []
    for card in held:
        kept = tuple(each for each in held if each != card)
        by_starter = hand_points_by_starter(kept)
        points = (
            sum(by_starter[each] for each in starters) / len(starters)
            + game_tables.net_pegging[who][game_tables.hand_index[ranks_of(kept)]]
        )
        found.append(PursuitChoice(card, even + mine * points + cribs * _mean_crib_with(card.rank)))
    return sorted(found, key=lambda choice: (-choice.win, choice.card))


def _win_chance_with_point(loop: PursuitLoop, seat: int) -> float:
    """Return the chance to win if this seat had one point more."""
    fronts, backs = list(loop.fronts), list(loop.backs)
    fronts[seat] += 1
    backs[seat] += 1
    return match_win_chance(fronts, backs, loop.dealer, by_front=loop.by_front)


@cache
def _mean_crib_with(rank: int) -> float:
    """Return the average crib that contains a card of this rank."""
    rows = [
        worth
        for pair, worth in zip(RANK_PAIRS, tables.load_tables("six-card").mean_cribs[tables.DEALER], strict=True)
        if rank in pair
    ]
    return sum(rows) / len(rows)


def rank_plays(turn: PursuitTurn, loop: PursuitLoop) -> list[PursuitChoice]:
    """Return every playable card, best first."""
    at = state_after(tuple(card.rank for card in turn.series))
    ranks = sorted({card.rank for card in turn.held if at.step(card.rank)})
    won = dict.fromkeys(ranks, 0.0)
    if len(ranks) > 1:
        seed = _seed_text(turn, loop)
        for n in range(ROLLOUTS):
            others = _draw_hands(turn, f"{seed} {n}")
            for rank in ranks:
                won[rank] += _DealRollout(turn, loop, others).play_card(at, rank) / ROLLOUTS
    found = [PursuitChoice(card, won[card.rank]) for card in turn.held if card.rank in won]
    return sorted(found, key=lambda choice: (-choice.win, choice.card))


def _seed_text(turn: PursuitTurn, loop: PursuitLoop) -> str:
    """Return a text of the question that seeds the draw.

    Its format never changes, not even when a class or field is renamed: another format means other advice.
    """

    def format_cards(cards: Sequence[Card]) -> str:
        names = ", ".join(f'card("{card}")' for card in cards)
        return f"({names},)" if len(cards) == 1 else f"({names})"

    held, discarded, series = map(format_cards, (turn.held, turn.discarded, turn.series))
    played = ", ".join(map(format_cards, turn.played))
    return (
        f'Turn(held={held}, thrown={discarded}, starter=card("{turn.starter}"), series={series}, played=({played}), '
        f"gone={turn.gone}) "
        f"Loop(fronts={loop.fronts}, backs={loop.backs}, dealer={loop.dealer}, by_front={loop.by_front})"
    )


def _draw_hands(turn: PursuitTurn, seed: str) -> list[Ranks]:
    """Return a hand for each other player from the unseen cards, shuffled by `seed`.

    A player who has said go gets no card that fits.
    """
    seen = {*turn.held, *turn.discarded, turn.starter, *(card for row in turn.played for card in row)}
    digest = shake_256(seed.encode()).digest(2 * len(PACK))
    left = sorted((card for card in PACK if card not in seen), key=lambda card: digest[2 * card : 2 * card + 2])
    room = MAX_COUNT - sum(card.value for card in turn.series)
    size = len(turn.held) + len(turn.played[0])
    found: list[Ranks] = []
    for row, gone in zip(turn.played[1:], turn.gone[1:], strict=True):
        hand: list[Card] = []
        for _ in range(size - len(row)):
            place = next((n for n, card in enumerate(left) if not gone or card.value > room), 0)
            hand.append(left.pop(place))
        found.append(ranks_of(hand))
    return found


class _DealRollout:
    """A deal from the player's card on: the pegs as they move, and the result once somebody is caught."""

    def __init__(self, turn: PursuitTurn, loop: PursuitLoop, others: Sequence[Ranks]) -> None:
        self._turn, self._loop = turn, loop
        self._fronts, self._backs = list(loop.fronts), list(loop.backs)
        self._hands: list[Ranks] = [ranks_of(turn.held), *others]
        self._result: float | None = None

    def play_card(self, at: PlayState, rank: int) -> float:
        """Return the player's chance to win the match if this rank is played now."""
        step = at.step(rank)
        assert step is not None
        mine = list(self._hands[0])
        mine.remove(rank)
        whole = [ranks_of(row) + hand for row, hand in zip(self._turn.played, self._hands, strict=True)]
        self._hands[0] = tuple(mine)
        self._add_points(0, step[0])
        if self._result is None:
            self._finish_play(step[1])
        if self._result is None:
            self._count_hands(whole)
        if self._result is not None:
            return self._result
        dealer = (self._loop.dealer + 1) % len(self._fronts)
        return match_win_chance(self._fronts, self._backs, dealer, by_front=self._loop.by_front)

    def _finish_play(self, at: PlayState) -> None:
        """Finish the play by the rollout policy."""
        hands, count = self._hands, len(self._hands)
        gone = [False] * count if at is START else list(self._turn.gone)
        seat, last = 1 % count, 0
        while self._result is None and (at is not START or any(hands)):
            able = [
                each % count for each in range(seat, seat + count) if hands[each % count] and not gone[each % count]
            ]
            if not able:
                if at is not START:
                    self._add_points(last, 1)
                at, gone, seat = START, [False] * count, last + 1
                continue
            seat = able[0]
            fear = len(hands[able[1]]) if len(able) > 1 else 0
            chosen = rollout.choose_card(at, hands[seat], fear)
            if chosen:
                points, at, hands[seat], _ = chosen
                last = seat
                self._add_points(seat, points)
                if at is START:
                    gone = [False] * count
            else:
                gone[seat] = True
            seat += 1

    def _count_hands(self, hands: Sequence[Ranks]) -> None:
        """Count the hands from the dealer's left, then the crib."""
        count, dealer, starter = len(hands), self._loop.dealer, self._turn.starter
        for seat in (each % count for each in range(dealer + 1, dealer + 1 + count)):
            points = (
                hand_points_by_starter(self._own_hand())[starter]
                if seat == 0
                else points_with_starters(tuple(sorted(hands[seat])))[starter.rank]
            )
            self._add_points(seat, points)
        self._add_points(dealer, MEAN_CRIB_POINTS)

    def _own_hand(self) -> tuple[Card, ...]:
        return (*self._turn.played[0], *self._turn.held)

    def _add_points(self, seat: int, points: int) -> None:
        """Move a peg. If it catches somebody, store the chance to win."""
        if not points or self._result is not None:
            return
        fronts, backs, count = self._fronts, self._backs, len(self._fronts)
        backs[seat] = fronts[seat]
        fronts[seat] += points
        marks = fronts if self._loop.by_front else backs
        caught = [
            (seat + far) % count
            for far in range(1, count)
            if fronts[seat] >= HOLES_PER_PLAYER * far + marks[(seat + far) % count]
        ]
        if caught:
            self._result = 0.0 if 0 in caught else _survivor_win_chance(count - len(caught), is_dealer=seat == 0)


@cache
def _survivor_win_chance(count: int, *, is_dealer: bool) -> float:
    """Return the chance to win with this many players at the start of a loop.

    The player who caught the last one deals.
    """
    if count == 2:
        dealer = PursuitPegs(0, 0, 0, 0).survival_chance(dealer=True)
        return dealer if is_dealer else 1 - dealer
    return 1 / count
