"""The last two cards of both players as a zero-sum game, and how much the coach loses by its lead in it.

`python -m tests.plugins.arena.two_card_endings endings.jsonl --deals 40` draws deals, plays them by the rollout
policy until both players have two cards and a new series begins, and solves the game that is left: the leader chooses
a card, the other player an answer, and the last two cards follow. Neither knows the other's cards. Both know how they
were drawn and how gladly each hand is kept (`CribbageTables.keep_rates`). The game is solved by regret matching until
the best responses to both average strategies differ by at most `MAX_GAP_POINTS`: no player can gain more than that.
Results are added to the file, so the tool may be stopped and continued.
"""

from functools import cache
from math import comb
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from companion.coach.cribbage import rollout, tables
from companion.coach.cribbage.play import PlayQuestion, rank_plays
from companion.coach.cribbage.ranks import HAND_NUMBERS, RANK_PAIRS, START, Ranks, count_ranks, ranks_of, state_after
from companion.plugins.arena.match import confidence_interval
from companion.rules import play
from companion.rules.cards import PACK, Card
from tests.plugins.arena.generators.deals import DEALER, PONE
from tests.plugins.arena.generators.discards import choose_hand
from tests.plugins.arena.result_lines import add_results, parse_arguments

SEED = 2727
MAX_GAP_POINTS = 0.002
MAX_ROUNDS = 20_000
Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


class Ending(NamedTuple):
    """What both players see when the last series begins. Seats are roles: 0 is the dealer."""

    leader: int
    played: tuple[tuple[Card, ...], ...]
    starter: Card


class Solution(NamedTuple):
    """Values of each lead against the best answers: by pair and place in it; and the probability of each pair."""

    lead_values: Array
    pair_shares: Array
    gap: float


def draw_ending(chance: Random) -> Ending:
    while True:
        pack = chance.sample(PACK, 13)
        kept = [choose_hand(tuple(sorted(pack[6 * role : 6 * role + 6])), role) for role in (DEALER, PONE)]
        laid = play.begin_play(2, PONE)
        while laid.turn is not None:
            seat = laid.turn
            if not laid.series and [len(cards) for cards in laid.played] == [2, 2]:
                return Ending(seat, laid.played, pack[12])
            held = [card for card in kept[seat] if card not in laid.played[seat]]
            others = 0 if 1 - seat in laid.gone else 4 - len(laid.played[1 - seat])
            at = state_after(tuple(card.rank for card in laid.series))
            chosen = rollout.choose_card(at, ranks_of(held), others)
            if chosen:
                laid = play.play_card(laid, seat, next(card for card in held if card.rank == chosen[3]))[0]
            else:
                laid = play.say_go(laid, seat)[0]


def weigh_pairs(ending: Ending) -> Array:
    """Return the probability that the leader holds a pair (rows) and the other player one (columns)."""
    known = tables.load_tables("six-card")
    unseen = [4 - n for n in count_ranks(ranks_of((*ending.played[0], *ending.played[1], ending.starter)))]
    rates = []
    for seat in (ending.leader, 1 - ending.leader):
        ranks = ranks_of(ending.played[seat])
        rates.append([known.keep_rates[seat][known.hand_index[tuple(sorted((*ranks, *pair)))]]
                      if max(map((*ranks, *pair).count, pair)) <= 4 else 0.0 for pair in RANK_PAIRS])  # fmt: skip
    found = np.zeros((len(RANK_PAIRS), len(RANK_PAIRS)))
    for n, mine in enumerate(RANK_PAIRS):
        left = [have - mine.count(rank) for rank, have in enumerate(unseen)]
        if min(left) < 0 or not rates[0][n]:
            continue
        ways = rates[0][n] * _count_ways(mine, unseen)
        found[n] = [ways * rate and ways * rate * _count_ways(theirs, left)
                    for theirs, rate in zip(RANK_PAIRS, rates[1], strict=True)]  # fmt: skip
    return found / found.sum()


def _count_ways(pair: Ranks, left: list[int]) -> int:
    a, b = pair
    return comb(left[a], 2) if a == b else left[a] * left[b]


@cache
def compute_nets() -> Array:
    """Return the leader's points less the other player's: by pair, place of the lead, and the same of the answer."""
    nets = np.zeros((len(RANK_PAIRS), 2, len(RANK_PAIRS), 2))
    for n, mine in enumerate(RANK_PAIRS):
        for lead in (0, 1):
            first, at = START.step(mine[lead]) or (0, START)
            for m, theirs in enumerate(RANK_PAIRS):
                for answer in (0, 1):
                    scored, then = at.step(theirs[answer]) or (0, START)
                    cards = HAND_NUMBERS[mine[1 - lead],], HAND_NUMBERS[theirs[1 - answer],]
                    rest = rollout.finish_play(*cards, then.number, 0, 0, 1)
                    nets[n, lead, m, answer] = first - scored + sum(rest)
    return nets


def solve_ending(weights: Array, nets: Array) -> Solution:
    pairs = np.array(RANK_PAIRS)
    shown = np.zeros((len(pairs), 2, 13))  # which rank a lead shows
    for place in (0, 1):
        shown[np.arange(len(pairs)), place, pairs[:, place]] = 1
    worth = nets * weights[:, None, :, None]
    lead_regrets, answer_regrets = np.zeros((len(pairs), 2)), np.zeros((13, len(pairs), 2))
    lead_sum, answer_sum = np.zeros_like(lead_regrets), np.zeros_like(answer_regrets)
    rank_of_lead = pairs  # by pair and place
    for turn in range(1, MAX_ROUNDS + 1):
        leads, answers = _match_regrets(lead_regrets), _match_regrets(answer_regrets)
        lead_sum += turn * leads
        lead_values = np.einsum("nlmj,nlmj->nl", worth, answers[rank_of_lead])
        lead_regrets = np.maximum(0, lead_regrets + lead_values - (leads * lead_values).sum(1, keepdims=True))
        leads = _match_regrets(lead_regrets)
        answer_values = -np.einsum("nlmj,nl,nlr->rmj", worth, leads, shown, optimize=True)
        gain = answer_values - (answers * answer_values).sum(2, keepdims=True)
        answer_regrets = np.maximum(0, answer_regrets + gain)
        answer_sum += turn * answers
        if turn % 100 == 0:
            leads, answers = _normalize(lead_sum), _normalize(answer_sum)
            lead_values = np.einsum("nlmj,nlmj->nl", worth, answers[rank_of_lead])
            answer_values = np.einsum("nlmj,nl,nlr->rmj", worth, leads, shown, optimize=True)
            gap = float(lead_values.max(1).sum() - answer_values.min(2).sum())
            if gap <= MAX_GAP_POINTS:
                break
    shares = weights.sum(1)
    return Solution(lead_values / np.maximum(shares, 1e-12)[:, None], shares, gap)


def _match_regrets(regrets: Array) -> Array:
    return _normalize(np.maximum(regrets, 0))


def _normalize(parts: Array) -> Array:
    total = parts.sum(-1, keepdims=True)
    return np.where(total > 0, parts / np.where(total > 0, total, 1), 0.5)


def lead_loss(ending: Ending, solution: Solution, pair: Ranks) -> float:
    """Return the points that the coach loses by its lead from this pair, against the best answers."""
    values = solution.lead_values[RANK_PAIRS.index(pair)]
    unseen = [card for card in PACK if card not in (*ending.played[0], *ending.played[1], ending.starter)]
    first = next(card for card in unseen if card.rank == pair[0])
    held = (first, next(card for card in unseen if card.rank == pair[1] and card != first))
    own, other = ending.leader, 1 - ending.leader
    turn = PlayQuestion(
        game="six-card", held=held, kept=(*ending.played[own], *held), discarded=None, starter=ending.starter,
        dealer=own == DEALER, series=(), played=(ending.played[own], ending.played[other]), gone=(False, False),
        scores=(0, 0), target=121, objective="points",
    )  # fmt: skip
    card = rank_plays(turn)[0].card
    assert card is not None
    return float(values.max() - values[pair.index(card.rank)])


def measure_losses(path: Path, number: int) -> list[list[float]]:
    chance = Random(SEED)
    endings = [draw_ending(chance) for _ in range(number)]

    def measure_loss(n: int) -> list[float]:
        solution = solve_ending(weigh_pairs(endings[n]), compute_nets())
        likely = [(pair, share) for pair, share in zip(RANK_PAIRS, solution.pair_shares, strict=True) if share > 0]
        losses = [(lead_loss(endings[n], solution, pair), share) for pair, share in likely]
        return [sum(loss * share for loss, share in losses), max(loss for loss, _ in losses), solution.gap]

    return add_results(path, number, measure_loss)[:number]


def main() -> None:
    given = parse_arguments(__doc__, deals=40)
    rows = measure_losses(given.file, given.deals)
    mean, low, high = confidence_interval([row[0] for row in rows])
    print(f"{len(rows)} endings: the lead loses {mean:.3f} points ({low:.3f} to {high:.3f}) on average, at most "
          f"{max(row[1] for row in rows):.2f}; solved to {max(row[2] for row in rows):.4f} points")  # fmt: skip


if __name__ == "__main__":
    main()
