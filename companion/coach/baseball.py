"""Advice for 'Round the Bases: the value of outs and runners, discards, cards to play and steals. Pure.

A half-inning is a Markov chain: the net of a hand moves the runners by the rules (`diamond`), the dice fall, and the
result is the start of the next hand. The distribution of nets was counted in deals of good players
(`tables/bases-nets.json`).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from companion.coach.cribbage import discard, play, tables
from companion.coach.cribbage.expected_values import hand_points_by_starter
from companion.coach.cribbage.play import PlayQuestion
from companion.coach.cribbage.ranks import ranks_of
from companion.coach.cribbage.win_chance import (
    convolve,
    crib_shares,
    crib_spread,
    mean_net_pegging,
    mean_points,
    pegging_shares_for,
    shift_mean,
)
from companion.coach.questions import DiscardQuestion
from companion.rules.baseball import diamond
from companion.rules.baseball.diamond import OUTS_PER_HALF_INNING, Bases, Diamond
from companion.rules.baseball.spaces import HOME_SPACE, Spaces
from companion.rules.cards import PACK, Card

HOME_RUN_CHANCE = 1 / 13
"""Probability that the starter is a jack, which is a home run."""
SAFE_ROLL_CHANCE = 11 / 36
"""Probability that at least one of two dice shows a given number."""
EVEN_CHANCE = 0.5
"""Probability of a safe pickle, in which both sides roll for the same number; also each side's chance before an extra
inning.
"""
MAX_LEAD = 20
"""Leads of more runs than this are treated as decided."""

Outcome = tuple[float, int, Bases, int]
"""Probability, and then outs, runners and runs."""


class InningState(NamedTuple):
    """State of the game for the side at bat.

    `lead` is the batting side's runs less the other side's. `half_innings_left` counts those still to come; with none
    left, a lead wins the game.
    """

    spaces: Spaces
    outs: int = 0
    bases: Bases = diamond.EMPTY_BASES
    lead: int = 0
    half_innings_left: int = 5


def inning_state_from_view(view: Mapping[str, Any], spaces: Spaces, innings: int) -> InningState:
    """Return the state that the game's public view shows."""
    batting = view["batting"]
    half_innings_left = 2 * max(0, innings - view["inning"]) + (view["half"] == "top")
    lead = view["scores"][batting] - view["scores"][1 - batting]
    return InningState(spaces, view["outs"], tuple(view["bases"]), lead, half_innings_left)


class BaseballChances:
    """Expected runs and chances to win with one set of spaces. Results are cached."""

    def __init__(self, spaces: Spaces) -> None:
        self._spaces = spaces
        self._chances: dict[tuple[int, int, Bases, int], float] = {}
        self._outcomes: dict[tuple[int, Bases], list[list[Outcome]]] = {}
        self._hand_outcomes: dict[tuple[int, Bases], list[Outcome]] = {}

    def win_chances_by_net(self, at: InningState) -> list[float]:
        """Return the batting side's chance to win after a hand with a net of 0, 1, ... 24 or more."""
        left, lead, chance = at.half_innings_left, at.lead, self.chance_between_hands
        return [sum(p * chance(left, outs, on, lead + runs) for p, outs, on, runs in some)
                for some in self.outcomes_by_net(at.outs, at.bases)]  # fmt: skip

    def runs_by_net(self, at: InningState, expected: Mapping[tuple[int, Bases], float]) -> list[float]:
        """Return the expected runs to the end of the half-inning after a hand with a net of 0, 1, ... 24 or more."""
        return [sum(p * (runs + expected.get((outs, bases), 0.0)) for p, outs, bases, runs in some)
                for some in self.outcomes_by_net(at.outs, at.bases)]  # fmt: skip

    def outcomes_by_net(self, outs: int, bases: Bases) -> list[list[Outcome]]:
        """Return the possible outcomes of the dice, for each net."""
        key = (outs, bases)
        if key not in self._outcomes:
            start = Diamond(bases, outs)
            nets = range(HOME_SPACE + 1)
            self._outcomes[key] = [
                list(_roll_outcomes(diamond.advance_runners(start, self._spaces, net), 1.0, 0)) for net in nets
            ]
        return self._outcomes[key]

    def hand_outcomes(self, outs: int, bases: Bases) -> list[Outcome]:
        """Return the possible outcomes of a hand, including a jack as starter. Equal outcomes are merged."""
        key = (outs, bases)
        if key not in self._hand_outcomes:
            found: dict[tuple[int, Bases, int], float] = {}
            home = (outs, diamond.EMPTY_BASES, 1 + sum(bases))
            found[home] = HOME_RUN_CHANCE
            for share, some in zip(load_net_shares(), self.outcomes_by_net(outs, bases), strict=True):
                for p, out, on, runs in some:
                    found[out, on, runs] = found.get((out, on, runs), 0.0) + (1 - HOME_RUN_CHANCE) * share * p
            self._hand_outcomes[key] = [(p, *then) for then, p in found.items()]
        return self._hand_outcomes[key]

    def chance_between_hands(self, half_innings_left: int, outs: int, bases: Bases, lead: int) -> float:
        """Return the batting side's chance to win between two hands, with the best steal; `outs` may be three."""
        if half_innings_left == 0 and lead > 0:
            return 1.0
        if outs < OUTS_PER_HALF_INNING:
            return max(
                self.chance_before_hand(half_innings_left, outs, bases, lead),
                *self.steal_chances(half_innings_left, outs, bases, lead).values(),
                0.0,
            )
        if half_innings_left:
            return 1 - self.chance_between_hands(half_innings_left - 1, 0, diamond.EMPTY_BASES, -lead)
        return EVEN_CHANCE if lead == 0 else 0.0

    def chance_before_hand(self, half_innings_left: int, outs: int, bases: Bases, lead: int) -> float:
        """Return the batting side's chance to win before a hand, without a further steal."""
        if half_innings_left == 0 and lead > 0:
            return 1.0
        if abs(lead) > MAX_LEAD:
            return float(lead > 0)
        key = (half_innings_left, outs, bases, lead)
        if key not in self._chances:
            self._chances[key] = sum(
                p * self.chance_between_hands(half_innings_left, out, on, lead + runs)
                for p, out, on, runs in self.hand_outcomes(outs, bases)
            )
        return self._chances[key]

    def steal_chances(self, half_innings_left: int, outs: int, bases: Bases, lead: int) -> dict[int, float]:
        """Return, for each base whose runner may steal, the chance to win if he tries and no other runner does."""
        found = {}
        for base in (1, 2, 3):
            if bases[base - 1] and (base == 3 or not bases[base]):
                left = tuple(taken and n != base for n, taken in enumerate(bases, 1))
                on = tuple(taken or n == base + 1 for n, taken in enumerate(left, 1))
                safe = self.chance_before_hand(half_innings_left, outs, on, lead + (base == 3))  # type: ignore[arg-type]
                chance = self.chance_before_hand if outs + 1 < OUTS_PER_HALF_INNING else self.chance_between_hands
                out = chance(half_innings_left, outs + 1, left, lead)  # type: ignore[arg-type]
                found[base] = SAFE_ROLL_CHANCE * safe + (1 - SAFE_ROLL_CHANCE) * out
        return found


def choose_steal(at: InningState, bases: Sequence[int]) -> int | None:
    """Return the base whose runner should steal, one of `bases`; None if all should stay."""
    chances = chances_for(at.spaces)
    now = (at.half_innings_left, at.outs, at.bases, at.lead)
    tries = {base: won for base, won in chances.steal_chances(*now).items() if base in bases}
    best = max(tries, key=lambda base: tries[base], default=None)
    return best if best is not None and tries[best] > chances.chance_before_hand(*now) else None


def compute_run_expectancy(spaces: Spaces) -> dict[tuple[int, Bases], float]:
    """Return the expected runs to the end of the half-inning by outs and runners, without steals."""
    chances = chances_for(spaces)
    places = [(outs, runners_from_bits(n)) for outs in range(OUTS_PER_HALF_INNING) for n in range(8)]
    found = dict.fromkeys(places, 0.0)
    for _ in range(200):  # one hand per round; the third out comes long before
        found = {
            place: sum(
                p * (runs + found.get((outs, bases), 0.0)) for p, outs, bases, runs in chances.hand_outcomes(*place)
            )
            for place in places
        }
    return found


def runners_from_bits(bits: int) -> Bases:
    """Return the runners of a number from 0 to 7: 1 is first base, 2 second, 4 third."""
    return bool(bits & 1), bool(bits & 2), bool(bits & 4)


def _roll_outcomes(at: Diamond, likely: float, runs: int) -> Iterator[Outcome]:
    """Yield the outcomes of all dice that are still due."""
    runs += at.runs
    if at.due_runner is None:
        yield likely, at.outs, at.bases, runs
        return
    chance = EVEN_CHANCE if at.due_runner.space.kind == "pickle" else SAFE_ROLL_CHANCE
    yield from _roll_outcomes(diamond.resolve_due_runner(at, safe=True), likely * chance, runs)
    yield from _roll_outcomes(diamond.resolve_due_runner(at, safe=False), likely * (1 - chance), runs)


@cache
def chances_for(spaces: Spaces) -> BaseballChances:
    """Return the chances with these spaces (cached)."""
    return BaseballChances(spaces)


@cache
def load_net_shares() -> tuple[float, ...]:
    """Return the probability that the net of a hand is 0 or less, 1, 2, ... 24 or more."""
    text = files("companion.coach").joinpath("tables", "bases-nets.json").read_text(encoding="utf-8")
    return tuple(json.loads(text)["nets"])


@cache
def run_expectancy(spaces: Spaces) -> dict[tuple[int, Bases], float]:
    """Return `compute_run_expectancy` (cached)."""
    return compute_run_expectancy(spaces)


TABLES_GAME = "six-card"
"""The game whose tables apply: hands are dealt, played and counted as in six-card cribbage."""


class BaseballDiscard(NamedTuple):
    """Two cards to discard, with the expected net, the expected runs of the half-inning and the player's chance to win.

    Net and runs are always the batting side's.
    """

    discard: tuple[Card, ...]
    kept: tuple[Card, ...]
    net: float
    runs: float
    win: float


def rank_discards(held: tuple[Card, ...], at: InningState, *, batting: bool) -> list[BaseballDiscard]:
    """Return all discards of six cards, best first."""
    game_tables, who = tables.load_tables(TABLES_GAME), tables.DEALER if batting else tables.PONE
    sign = 1 if batting else -1
    rest = _other_points_shares(game_tables, who)
    chances = chances_for(at.spaces)
    wins = _mean_worth_by_points(chances.win_chances_by_net(at), rest)
    runs = _mean_worth_by_points(chances.runs_by_net(at, run_expectancy(at.spaces)), rest)
    # With a jack as starter the hand does not count.
    starters = [card for card in PACK if card not in held and card.rank != 10]
    found = []
    for each in discard.rank_discards(DiscardQuestion(TABLES_GAME, held, batting, (0, 0), 121)):
        by_starter = hand_points_by_starter(each.kept)
        hand = [0.0] * 30
        for card in starters:
            hand[by_starter[card]] += 1 / len(starters)
        usual = crib_shares(game_tables, ranks_of(each.discard), who)
        crib = shift_mean(usual, each.crib - mean_points(usual))
        more = sign * (each.pegging - mean_net_pegging(game_tables, who))
        if batting:
            nets = shift_mean([0.0, *convolve(hand, crib)], more)
            worth = [_weighted_sum(nets, rows[_OFFSET - 1 :]) for rows in (runs, wins)]
        else:
            nets = [0.0] * 60
            for h, p in enumerate(hand):
                for c, q in enumerate(crib):
                    nets[30 + c - h] += p * q
            nets = shift_mean(nets, more)
            worth = [_weighted_sum(nets, rows[_OFFSET - 30 :]) for rows in (runs, wins)]
        net = sign * each.points + sum(n * p for n, p in rest.items())
        found.append(BaseballDiscard(each.discard, each.kept, net, worth[0], worth[1] if batting else 1 - worth[1]))
    return sorted(found, key=lambda choice: (-choice.win, -sign * choice.net))


_OFFSET = 70
"""Index of zero points in the tables by points, which begin at -70."""


def _other_points_shares(game_tables: tables.CribbageTables, who: int) -> dict[int, float]:
    """Return the distribution of the points that the player's own hand and crib do not decide.

    These are the play and the opponent's hand, as points for the batting side.
    """
    found: dict[int, float] = {}
    for (own, other), share in pegging_shares_for(game_tables, who).items():
        for points, likely in enumerate(game_tables.hand_point_shares[1 - who]):
            net = own - other - points if who == tables.DEALER else other - own + points
            found[net] = found.get(net, 0.0) + share * likely
    return found


def _mean_worth_by_points(worth: Sequence[float], rest: dict[int, float]) -> list[float]:
    """Return the expected worth by the points that the player's own cards bring the batting side, from -70 on."""
    return [
        sum(share * worth[max(0, min(HOME_SPACE, own + more))] for more, share in rest.items())
        for own in range(-_OFFSET, _OFFSET)
    ]


def _weighted_sum(nets: Sequence[float], worth: Sequence[float]) -> float:
    return sum(share * each for share, each in zip(nets, worth, strict=False))


def rank_plays(turn: PlayQuestion, at: InningState) -> list[play.PlayChoice]:
    """Return every playable card, best first.

    `turn.scores` are the points of this hand so far. No score ends the hand.
    """
    return play.rank_plays(turn, _BaseballEnding(turn, chances_for(at.spaces).win_chances_by_net(at)))


class _BaseballEnding:
    """Chance to win after the play, by the net of the hand."""

    def __init__(self, turn: PlayQuestion, by_net: Sequence[float]) -> None:
        discarded = ranks_of(turn.discarded) if turn.discarded else None
        known = ranks_of((*turn.kept, *(turn.discarded or ()), turn.starter))
        self._crib = crib_spread(
            TABLES_GAME, discarded, turn.starter.rank, known, tables.DEALER if turn.dealer else tables.PONE
        )
        self._hand, self._batting, self._by_net = hand_points_by_starter(turn.kept)[turn.starter], turn.dealer, by_net
        self._known: dict[int, float] = {}

    def win_chance(self, own: int, other: int, theirs: int) -> float:
        """Return the chance to win with these points after the play, if the opponent's hand counts `theirs`."""
        ahead = own + self._hand - other - theirs
        if ahead not in self._known:
            net = ahead if self._batting else -ahead
            won = sum(share * self._by_net[max(0, min(HOME_SPACE, net + crib))] for crib, share in self._crib)
            self._known[ahead] = won if self._batting else 1 - won
        return self._known[ahead]
