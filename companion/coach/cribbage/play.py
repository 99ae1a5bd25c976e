"""Rank the playable cards by search: each is tried against possible hands of the opponent. Pure.

In six-card the player's own best continuation is searched (`best_response`), in five-card the rollout policy finishes
the play (`rollout.finish_play`). Then hands and crib are counted (`win_chance`). Every card meets the same hands, so
that chance hardly affects the comparison. There is no randomness: the same question has the same answer. See
docs/explanation/how-the-coach-plays.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from companion.coach.cribbage import opponent_hand, rollout, tables
from companion.coach.cribbage.best_response import BestResponse, Position, PossibleHand
from companion.coach.cribbage.expected_values import hand_points_by_starter
from companion.coach.cribbage.opponent_hand import WeightedHand
from companion.coach.cribbage.ranks import (
    HAND_NUMBERS,
    START,
    PlayState,
    Ranks,
    count_ranks,
    points_with_starters,
    ranks_of,
    state_after,
)
from companion.coach.cribbage.tables import (
    DEFAULT_GAME_POINTS,
    MATCH,
    POINTS,
    WIN,
    GamePoints,
    load_objective_values,
)
from companion.coach.cribbage.win_chance import RaceEnding, clip_chance, crib_spread, sort_choices
from companion.rules.cards import Card

MAX_PLAYOUTS = 260
"""Number of plays finished for one decision, over all playable cards."""
MAX_HANDS_TRIED = 100
"""Maximum number of hands against which a card is tried."""
HAND_SIZE = 4
MAX_SEARCH_HANDS = ((14, 1200), (20, 200), (121, 100))
"""Hands tried in a search with at most these points to go. Only the first lead has more than 455 possible hands."""
_MAIN_SUMS = {POINTS: 0, WIN: 1, MATCH: 2}
"""Place of what is maximised in the sums of a search, by objective."""


@dataclass(frozen=True, slots=True)
class PlayQuestion:
    """What the player on turn knows. `played`, `gone` and `scores` are the player's own, then the opponent's."""

    game: str
    held: tuple[Card, ...]
    kept: tuple[Card, ...]
    discarded: tuple[Card, ...] | None
    starter: Card
    dealer: bool
    series: tuple[Card, ...]
    played: tuple[tuple[Card, ...], tuple[Card, ...]]
    gone: tuple[bool, bool]
    scores: tuple[int, int]
    target: int
    objective: str = WIN
    game_points: GamePoints = DEFAULT_GAME_POINTS


class PlayChoice(NamedTuple):
    """A card, or None for go; expected points in the rest of this play, own less the opponent's; chance to win."""

    card: Card | None
    points: float
    win: float
    match: float = 0.0
    """Value of the choice in a match (`tables.ScoreValues`), if the question asks for it."""


def rank_plays(turn: PlayQuestion) -> list[PlayChoice]:
    """Return every playable card, or go, best first."""
    at = state_after(tuple(card.rank for card in turn.series))
    fitting = [card for card in turn.held if at.step(card.rank) and not turn.gone[0]]
    if len(turn.kept) == HAND_SIZE:
        to_go = turn.target - max(turn.scores)
        choices = search_plays(turn, next(hands for points, hands in MAX_SEARCH_HANDS if to_go <= points))
        return sort_choices(choices, turn.objective)
    held = opponent_hand.sample_hands(
        find_opponent_hands(turn), min(MAX_HANDS_TRIED, MAX_PLAYOUTS // max(1, len({card.rank for card in fitting})))
    )
    endings = race_endings(turn)
    if not fitting:
        return [PlayChoice(None, *_evaluate_go(turn, at, held, endings))]
    worth = {rank: _evaluate_card(turn, at, rank, held, endings) for rank in {card.rank for card in fitting}}
    found = [PlayChoice(card, *worth[card.rank]) for card in fitting]
    return sort_choices(found, turn.objective)


def search_plays(turn: PlayQuestion, max_hands: int) -> list[PlayChoice]:
    """Return every playable card, or go, with its value if the player plays on as well as possible. Not sorted."""
    at = state_after(tuple(card.rank for card in turn.series))
    held = opponent_hand.sample_hands(find_opponent_hands(turn), max_hands)
    starter = turn.starter.rank
    hands: list[PossibleHand] = [
        (HAND_NUMBERS[rest], points_with_starters(whole)[starter], weight) for whole, rest, weight in held
    ]
    weights = sum(weight for _, _, weight in hands)
    search = BestResponse(turn.scores, turn.target, race_endings(turn), _MAIN_SUMS[turn.objective])
    last = 0 if turn.series[-1:] and turn.series[-1] in turn.played[0] else 1
    position = Position(HAND_NUMBERS[ranks_of(turn.held)], at.number, _go_bits(turn.gone), last)

    def choice(card: Card | None, sums: Sequence[float]) -> PlayChoice:
        points, *values = [total / weights for total in sums]
        return PlayChoice(card, points, *map(clip_chance, values))

    worth = {
        rank: sums
        for rank in {card.rank for card in turn.held}
        if not turn.gone[0] and (sums := search.evaluate_card(position, rank, hands)) is not None
    }
    if not worth:
        return [choice(None, search.evaluate_go(position, hands))]
    return [choice(card, worth[card.rank]) for card in turn.held if card.rank in worth]


def race_endings(turn: PlayQuestion) -> list[RaceEnding]:
    """Return the values of scores after the play: chances to win and, in a match, game points."""
    hand, crib = hand_points_by_starter(turn.kept)[turn.starter], _crib_spread(turn)
    values = load_objective_values(turn.game, turn.target, turn.objective, turn.game_points)
    return [RaceEnding(value, hand, crib, dealer=turn.dealer) for value in values]


def _evaluate_card(
    turn: PlayQuestion, at: PlayState, rank: int, held: Sequence[WeightedHand], endings: Sequence[RaceEnding]
) -> list[float]:
    step = at.step(rank)
    assert step is not None
    scored, after = step
    mine = list(ranks_of(turn.held))
    mine.remove(rank)
    gone = (False, False) if after is START else turn.gone
    return _average_over_hands(turn, scored, (tuple(mine), after, gone, 0), held, endings)


def _evaluate_go(
    turn: PlayQuestion, at: PlayState, held: Sequence[WeightedHand], endings: Sequence[RaceEnding]
) -> list[float]:
    last = 0 if turn.series[-1:] and turn.series[-1] in turn.played[0] else 1
    return _average_over_hands(turn, 0, (ranks_of(turn.held), at, (True, turn.gone[1]), last), held, endings)


def _average_over_hands(
    turn: PlayQuestion,
    scored: int,
    start: tuple[Ranks, PlayState, tuple[bool, bool], int],
    held: Sequence[WeightedHand],
    endings: Sequence[RaceEnding],
) -> list[float]:
    """Return mean points and, for each ending, its mean value over all hands from a position on.

    `scored` points have been earned.
    """
    mine, at, gone, last = start
    own, other = turn.scores
    own += scored
    if own >= turn.target:
        return [float(scored), *(ending.win_chance(own, other, 0) for ending in endings)]
    if at is START and len(turn.kept) == 3:  # five-card: the first 31 ends the play
        mine, held = (), [(hand, (), weight) for hand, _, weight in held]
    needs = (turn.target - own, turn.target - other)
    position = (at.number, _go_bits(gone), 1, last)
    number, starter, once = HAND_NUMBERS[mine], turn.starter.rank, len(turn.kept) == 3
    win, match, is_match = endings[0].win_chance, endings[-1].win_chance, len(endings) > 1
    total = won = matched = all_weight = 0.0
    for four, rest, weight in held:
        scores = rollout.finish_play(number, HAND_NUMBERS[rest], *position, once=once)
        one, two = rollout.add_up_scores(scores, needs)
        total += weight * (one - two)
        theirs = points_with_starters(four)[starter]
        won += weight * win(own + one, other + two, theirs)
        if is_match:
            matched += weight * match(own + one, other + two, theirs)
        all_weight += weight
    values = (won, matched)[: len(endings)]
    return [scored + total / all_weight, *(clip_chance(value / all_weight) for value in values)]


def _go_bits(gone: tuple[bool, bool]) -> int:
    return gone[0] * rollout.OWN_GO + gone[1] * rollout.OTHER_GO


def find_opponent_hands(turn: PlayQuestion) -> list[WeightedHand]:
    """Return the opponent's possible hands, weighted by everything seen."""
    mine = (*turn.kept, *(turn.discarded or ()), turn.starter)
    unseen = [4 - n for n in count_ranks(ranks_of(mine))]
    theirs = [card.rank for card in turn.played[1]]
    who = tables.PONE if turn.dealer else tables.DEALER
    found = opponent_hand.weigh_hands(tuple(sorted(theirs)), unseen, tables.load_tables(turn.game), who)
    decisions = opponent_hand.reconstruct_decisions(
        [card.rank for card in turn.played[0]], theirs, ranks_of(turn.kept),
        tuple(card.rank for card in turn.series), turn.gone, int(turn.dealer),
    )  # fmt: skip
    return (
        opponent_hand.weigh_by_decisions(found, decisions, theirs)
        or found
        or _any_hands(theirs, unseen, len(turn.kept))
    )


def _any_hands(theirs: Sequence[int], unseen: Sequence[int], size: int) -> list[WeightedHand]:
    """Return hands of unseen cards with equal weights: the fallback if the opponent holds what no good player keeps."""
    left = [rank for rank, n in enumerate(unseen) for _ in range(n - theirs.count(rank))]
    rests = (
        set(combinations(left, size - len(theirs))) if len(theirs) >= size - 2 else {tuple(left[: size - len(theirs)])}
    )
    return [(tuple(sorted((*theirs, *rest))), tuple(rest), 1.0) for rest in sorted(rests)]


def _crib_spread(turn: PlayQuestion) -> tuple[tuple[int, float], ...]:
    discarded = ranks_of(turn.discarded) if turn.discarded else None
    known = ranks_of((*turn.kept, *(turn.discarded or ()), turn.starter))
    return crib_spread(turn.game, discarded, turn.starter.rank, known, tables.DEALER if turn.dealer else tables.PONE)
