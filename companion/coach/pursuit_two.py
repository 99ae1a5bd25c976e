"""Advice for pursuit with two players: chance to survive, cards to discard and to play. Pure.

A player catches the other with a front peg 30 or more holes beyond the other's back peg. So two things count: the
distance between the front pegs, and each player's gap between front and back peg, which a new score closes. The table
`tables/pursuit-survives.json` has the chance to survive before a deal.
"""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from companion.coach.cribbage import discard, opponent_hand, play, rollout, tables
from companion.coach.cribbage.expected_values import hand_points_by_starter
from companion.coach.cribbage.play import MAX_HANDS_TRIED, MAX_PLAYOUTS, PlayChoice, PlayQuestion
from companion.coach.cribbage.play_states import START, PlayState, state_after
from companion.coach.cribbage.ranks import Ranks, points_with_starters, ranks_of
from companion.coach.cribbage.win_chance import (
    PointSpread,
    build_spread,
    crib_shares,
    crib_spread,
    mean_net_pegging,
    mean_points,
    pegging_shares_for,
    shift_mean,
)
from companion.coach.questions import DiscardQuestion
from companion.rules.cards import PACK, Card
from companion.rules.pursuit import HOLES_PER_PLAYER

GAP_CLASS_LIMITS = (3, 7, 11, 17, HOLES_PER_PLAYER)
"""Largest gap in holes, front to back peg, of each gap class."""
GAP_CLASS = tuple(
    next(n for n, most in enumerate(GAP_CLASS_LIMITS) if gap <= most) for gap in range(HOLES_PER_PLAYER + 1)
)
"""Gap class by gap in holes."""

SurvivalTable = list[list[list[float]]]
"""The dealer's chance before a deal: by lead (from -30 on), the dealer's gap class and pone's gap class."""


class PursuitPegs(NamedTuple):
    """Front and back pegs of the player and the opponent, in points.

    With `by_front`, the front peg is the one to catch.
    """

    own: int
    other: int
    own_back: int
    other_back: int
    by_front: bool = False

    def after_score(self, points: int) -> "PursuitPegs":
        """Return the pegs after the player scored: the back peg moves to where the front peg was."""
        if not points:
            return self
        front = self.own + points
        return self._replace(own=front, own_back=front if self.by_front else self.own)

    def from_other_side(self) -> "PursuitPegs":
        """Return the same pegs as the opponent sees them."""
        return PursuitPegs(self.other, self.own, self.other_back, self.own_back, self.by_front)

    @property
    def has_caught(self) -> bool:
        """Whether the player, who has just scored, has caught the opponent."""
        return self.own >= HOLES_PER_PLAYER + self.other_back

    def survival_chance(self, *, dealer: bool) -> float:
        """Return the player's chance to survive, before a deal."""
        if not dealer:
            return 1 - self.from_other_side().survival_chance(dealer=True)
        ahead = max(-HOLES_PER_PLAYER, min(HOLES_PER_PLAYER, self.own - self.other))
        own, other = (
            max(0, min(HOLES_PER_PLAYER, gap)) for gap in (self.own - self.own_back, self.other - self.other_back)
        )
        return load_survival_table()[ahead + HOLES_PER_PLAYER][GAP_CLASS[own]][GAP_CLASS[other]]


@cache
def load_survival_table() -> SurvivalTable:
    """Return the survival table (cached)."""
    text = files("companion.coach").joinpath("tables", "pursuit-survives.json").read_text(encoding="utf-8")
    found: SurvivalTable = json.loads(text)["dealer"]
    return found


TABLES_GAME = "six-card"
"""The game whose tables apply: hands are dealt, played and counted as in six-card cribbage."""
_PLAY_ENDINGS = 3
"""Number of equally likely results of the play that stand for all."""
_LAST_SCORE_POINTS = 2
"""Last score of each player in the play, in points: an assumption."""
_MAX_DISCARDS_WEIGHED = 4
"""Number of discards that are evaluated fully: those with the most points."""


class PursuitDiscard(NamedTuple):
    """Two cards to discard, the expected points (own less the opponent's) and the chance to survive."""

    discard: tuple[Card, ...]
    kept: tuple[Card, ...]
    points: float
    win: float


def rank_discards(held: tuple[Card, ...], pegs: PursuitPegs, *, dealer: bool) -> list[PursuitDiscard]:
    """Return the discards of six cards, best first. Only those with the most points are included."""
    game_tables, who = tables.load_tables(TABLES_GAME), tables.DEALER if dealer else tables.PONE
    found = discard.rank_discards(DiscardQuestion(TABLES_GAME, held, dealer, (0, 0), 121))
    best = sorted(found, key=lambda choice: -choice.points)[:_MAX_DISCARDS_WEIGHED]
    starters = [card for card in PACK if card not in held]
    weighed = []
    for each in best:
        by_starter = hand_points_by_starter(each.kept)
        hand = _point_spread([by_starter[card] for card in starters])
        usual = crib_shares(game_tables, ranks_of(each.discard), who)
        crib = build_spread(shift_mean(usual, each.crib - mean_points(usual)))
        more = each.pegging - mean_net_pegging(game_tables, who)
        weighed.append(
            PursuitDiscard(
                each.discard, each.kept, each.points, _survival_after_discard(pegs, hand, crib, more, dealer=dealer)
            )
        )
    return sorted(weighed, key=lambda choice: (-choice.win, -choice.points))


def _survival_after_discard(
    pegs: PursuitPegs, hand: PointSpread, crib: PointSpread, more: float, *, dealer: bool
) -> float:
    """Return the chance to survive, over typical results of the play and the distributions of hands and crib."""
    who = tables.DEALER if dealer else tables.PONE
    theirs = _coarse_hand_spread(1 - who)
    total = 0.0
    for ahead in _typical_leads(who):
        base = round(ahead + more)
        after = pegs.after_score(_LAST_SCORE_POINTS).from_other_side().after_score(_LAST_SCORE_POINTS).from_other_side()
        after = after._replace(own=after.own + base, own_back=after.own_back + base)
        if after.has_caught or after.from_other_side().has_caught:
            total += float(after.has_caught) / _PLAY_ENDINGS
            continue
        for mine, likely in hand:
            for other, often in theirs:
                total += (
                    likely * often * survival_after_counting(after, mine, other, crib, dealer=dealer) / _PLAY_ENDINGS
                )
    return total


def survival_after_counting(pegs: PursuitPegs, mine: int, other: int, crib: PointSpread, *, dealer: bool) -> float:
    """Return the player's chance to survive before hands and crib are counted; pone's hand counts first."""
    if dealer:
        return 1 - _survival_as_pone(pegs.from_other_side(), other, mine, crib)
    return _survival_as_pone(pegs, mine, other, crib)


def _survival_as_pone(pegs: PursuitPegs, mine: int, other: int, crib: PointSpread) -> float:
    """Return the chance of `survival_after_counting` for pone."""
    after = pegs.after_score(mine)
    if mine and after.has_caught:
        return 1.0
    theirs = after.from_other_side().after_score(other)
    if other and theirs.has_caught:
        return 0.0
    # Inlined, because it runs about ten thousand times per decision: pone deals next, and the crib is the dealer's last
    # score.
    table, reach = load_survival_table(), HOLES_PER_PLAYER + theirs.other_back - theirs.own
    ahead, gap = (
        theirs.other - theirs.own + HOLES_PER_PLAYER,
        GAP_CLASS[min(HOLES_PER_PLAYER, theirs.other - theirs.other_back)],
    )
    before = GAP_CLASS[min(HOLES_PER_PLAYER, theirs.own - theirs.own_back)]
    total = 0.0
    for points, likely in crib:
        if points < reach:
            last = before if not points else GAP_CLASS[0] if pegs.by_front else GAP_CLASS[points]
            total += likely * table[max(0, min(2 * HOLES_PER_PLAYER, ahead - points))][gap][last]
    return total


@cache
def _typical_leads(who: int) -> tuple[int, ...]:
    """Return the leads after the play at evenly spaced quantiles."""
    ahead: dict[int, float] = {}
    for (own, other), share in pegging_shares_for(tables.load_tables(TABLES_GAME), who).items():
        ahead[own - other] = ahead.get(own - other, 0.0) + share
    found, sums = list[int](), 0.0
    for points in sorted(ahead):
        sums += ahead[points]
        while len(found) < _PLAY_ENDINGS and sums >= (len(found) + 0.5) / _PLAY_ENDINGS:
            found.append(points)
    return tuple(found)


@cache
def _coarse_hand_spread(who: int) -> PointSpread:
    """Return the distribution of the opponent's hands in steps of two points."""
    shares = tables.load_tables(TABLES_GAME).hand_point_shares[who]
    return tuple((n, sum(shares[n : n + 2])) for n in range(0, len(shares), 2) if sum(shares[n : n + 2]) > 0.004)


def _point_spread(points: Sequence[int]) -> PointSpread:
    return tuple((each, points.count(each) / len(points)) for each in sorted(set(points)))


def rank_plays(turn: PlayQuestion, pegs: PursuitPegs) -> list[PlayChoice]:
    """Return every playable card, best first. `turn` is as in six-card cribbage; only the pegs count."""
    at = state_after(tuple(card.rank for card in turn.series))
    ranks = {card.rank for card in turn.held if at.step(card.rank)}
    held = opponent_hand.sample_hands(
        play.find_opponent_hands(turn), min(MAX_HANDS_TRIED, MAX_PLAYOUTS // max(1, len(ranks)))
    )
    discarded = ranks_of(turn.discarded) if turn.discarded else None
    known = ranks_of((*turn.kept, *(turn.discarded or ()), turn.starter))
    crib = crib_spread(TABLES_GAME, discarded, turn.starter.rank, known, tables.DEALER if turn.dealer else tables.PONE)
    hand = hand_points_by_starter(turn.kept)[turn.starter]
    cache_by_ending: dict[tuple[PursuitPegs, int], float] = {}

    def chance_after(after: PursuitPegs, four: Ranks) -> float:
        theirs = points_with_starters(four)[turn.starter.rank]
        if (after, theirs) not in cache_by_ending:
            cache_by_ending[after, theirs] = survival_after_counting(after, hand, theirs, crib, dealer=turn.dealer)
        return cache_by_ending[after, theirs]

    worth = {}
    for rank in ranks:
        total = won = weights = 0.0
        for four, rest, weight in held:
            after, out = _play_out(turn, pegs, at, rank, rest)
            total += weight * (after.own - after.other)
            won += weight * (out if out is not None else chance_after(after, four))
            weights += weight
        worth[rank] = (total / weights - pegs.own + pegs.other, won / weights)
    found = [PlayChoice(card, *worth[card.rank]) for card in turn.held if card.rank in worth]
    return sorted(found, key=lambda choice: (-choice.win, -choice.points))


def _play_out(
    turn: PlayQuestion, pegs: PursuitPegs, at: PlayState, rank: int, rest: Ranks
) -> tuple[PursuitPegs, float | None]:
    """Finish the play from `rank` on by the rollout policy.

    Returns the pegs, and whether the player has caught (1) or was caught (0); None if neither.
    """
    step = at.step(rank)
    assert step is not None
    scored, at = step
    mine = list(ranks_of(turn.held))
    mine.remove(rank)
    hands, gone = [tuple(mine), rest], [False, False] if at is START else list(turn.gone)
    pegs = pegs.after_score(scored)  # always from the side of the player of the last card
    if scored and pegs.has_caught:
        return pegs, 1.0
    last, seat = 0, 1
    while hands[0] or hands[1]:
        if hands[seat] and not gone[seat]:
            others = 0 if gone[1 - seat] else len(hands[1 - seat])
            chosen = rollout.choose_card(at, hands[seat], others)
            if chosen:
                scored, at, hands[seat], _ = chosen
                if last != seat:
                    pegs, last = pegs.from_other_side(), seat
                if scored:
                    pegs = pegs.after_score(scored)
                    if pegs.has_caught:
                        break
                if at is START:
                    gone = [False, False]
            else:
                gone[seat] = True
        if any(hands[each] and not gone[each] for each in (0, 1)):
            seat = 1 - seat if hands[1 - seat] and not gone[1 - seat] else seat
            continue
        if at is not START:
            pegs = pegs.after_score(1)
            if pegs.has_caught:
                break
        at, gone, seat = START, [False, False], 1 - last if hands[1 - last] else last
    out = float(last == 0) if pegs.has_caught else None
    return (pegs if last == 0 else pegs.from_other_side()), out
