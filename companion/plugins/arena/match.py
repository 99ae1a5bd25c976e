"""Matches of pairs of games, their intervals, and a sequential test that may stop them early.

A pair is two games over the same deals with the seats swapped. Its result is the share of its games that the first
player wins: 0, 1/2 or 1.
"""

import json
import math
import multiprocessing
import os
import statistics
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from companion.plugins.arena.game import ArenaError, Ask, DuplicateGame, Tally, open_player
from companion.protocol.json_codec import print_json

STANDARD_ERRORS = 1.96
"""Half width of a 95 % confidence interval."""
SKUNK_MARGIN = 31
"""Points behind at the end from which a player is skunked."""
MAX_PAIR_POINTS = 2 * 121
"""Largest lead in a pair."""
MAX_PAIRS_PER_PART = 5
"""Pairs that a process plays before it reports them."""


@dataclass(frozen=True)
class ArenaTerms:
    """Who plays, as `open_player` takes the names, and to how many points."""

    one: str
    other: str
    target: int = 121


@dataclass(frozen=True)
class PairResult:
    """Two games over the same deals with swapped seats: the first player's wins, its lead in points, and more."""

    seed: int
    wins: int
    ahead: int
    dealer_wins: int
    skunks: int
    tallies: tuple[Tally, Tally]


class SequentialTest:
    """A test of "both win equally often" that may be looked at after each pair.

    It bets on each side, pair by pair, against that hypothesis. If the hypothesis is true, the product of the bets
    exceeds 1/alpha at any time with a probability of at most alpha (Ville's inequality), so stopping as soon as it does
    keeps the error. Bets: the predictable plug-in of Waudby-Smith and Ramdas, "Estimating means of bounded random
    variables by betting", Journal of the Royal Statistical Society B 86 (2024), section 3.
    """

    def __init__(self, alpha: float = 0.05) -> None:
        self._alpha = alpha
        self._log_gain = [0.0, 0.0]
        self._count, self._sum, self._squares = 0, 0.5, 0.25

    def add(self, share: float) -> None:
        """Add the result of the next pair, between 0 and 1."""
        self._count += 1
        variance = self._squares / self._count
        bet = min(1.0, math.sqrt(2 * math.log(2 / self._alpha) / (variance * self._count * math.log(self._count + 1))))
        for side, sign in enumerate((1, -1)):
            self._log_gain[side] += math.log1p(sign * bet * (share - 0.5))
        self._sum += share
        self._squares += (share - self._sum / (self._count + 1)) ** 2

    @property
    def winner(self) -> int | None:
        """0 or 1 as soon as the first or the second player is shown to win more often, else None."""
        limit = math.log(2 / self._alpha)
        return next((side for side, gain in enumerate(self._log_gain) if gain >= limit), None)


def play_pairs(terms: ArenaTerms, seeds: Sequence[int], processes: int = 1) -> Generator[PairResult, None, None]:
    """Yield the results of these seeds in order; the number of processes changes none of them. Raises ArenaError."""
    if processes == 1:
        yield from _play_seeds((terms, seeds))
        return
    step = max(1, min(MAX_PAIRS_PER_PART, len(seeds) // processes))
    parts = [(terms, seeds[n : n + step]) for n in range(0, len(seeds), step)]
    with multiprocessing.Pool(processes) as pool:
        for found in pool.imap(_list_results, parts):
            yield from found


def _list_results(part: tuple[ArenaTerms, Sequence[int]]) -> list[PairResult]:
    return list(_play_seeds(part))


def _play_seeds(part: tuple[ArenaTerms, Sequence[int]]) -> Iterator[PairResult]:
    terms, seeds = part
    with open_player(terms.one) as one, open_player(terms.other) as other:
        for seed in seeds:
            yield _play_pair(terms, (one, other), seed)


def _play_pair(terms: ArenaTerms, players: tuple[Ask, Ask], seed: int) -> PairResult:
    wins = ahead = dealer_wins = skunks = 0
    tallies = (Tally(), Tally())
    for first in (0, 1):  # the first player's seat: dealer in one game, pone in the other
        seats = players[first], players[1 - first]
        names = (terms.other, terms.one) if first else (terms.one, terms.other)
        game = DuplicateGame(seats, seed, terms.target, (tallies[first], tallies[1 - first]), names)
        won = game.play()
        wins += won == first
        ahead += game.scores[first] - game.scores[1 - first]
        dealer_wins += won == 0
        skunks += min(game.scores) <= terms.target - SKUNK_MARGIN
    return PairResult(seed, wins, ahead, dealer_wins, skunks, tallies)


class ResultFile:
    """Results of a match, one line of JSON for each pair below a line with the terms, so that a match can go on later.

    Raises ArenaError if the file cannot be read or written, has other terms or is not such a file.
    """

    def __init__(self, path: Path, terms: ArenaTerms) -> None:
        self._path = path
        self.results: list[PairResult] = []
        try:
            text = path.read_text("utf-8") if path.exists() else ""
            whole = text[: text.rfind("\n") + 1]  # the last line is torn if the program was killed
            kept, *rows = (json.loads(line) for line in whole.splitlines()) if text else [asdict(terms)]
            self.results = [_read_result(row) for row in rows]
        except OSError as error:
            raise ArenaError("Cannot read {path}: {why}.", path=path, why=error.strerror) from error
        except (ValueError, TypeError, KeyError) as error:
            raise ArenaError("{path} does not hold the results of a match. Name another file.", path=path) from error
        if kept != asdict(terms):
            raise ArenaError("{path} holds another match: {kept}. Name another file.", path=path, kept=json.dumps(kept))
        if not text:
            self._write(json.dumps(kept))
        elif whole != text:
            os.truncate(path, len(whole.encode()))

    def add(self, result: PairResult) -> None:
        self._write(json.dumps(asdict(result)))

    def _write(self, line: str) -> None:
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            raise ArenaError("Cannot write {path}: {why}.", path=self._path, why=error.strerror) from error


def _read_result(row: dict[str, Any]) -> PairResult:
    one, other = (Tally(**tally) for tally in row["tallies"])
    return PairResult(**{**row, "tallies": (one, other)})


def summarize_pairs(pairs: Sequence[PairResult]) -> dict[str, float | list[float]]:
    """Return wins and points with their 95 % intervals, and the average points of both players by role."""
    games = 2 * len(pairs)
    won = confidence_interval([50.0 * pair.wins for pair in pairs], 0, 100)
    ahead = confidence_interval([float(pair.ahead) for pair in pairs], -MAX_PAIR_POINTS, MAX_PAIR_POINTS)
    return {
        "pairs": len(pairs),
        "wins_pct": won[0], "wins_pct_interval": won[1:],
        "points_a_pair": ahead[0], "points_a_pair_interval": ahead[1:],
        "first_dealer_wins_pct": round(100 * sum(pair.dealer_wins for pair in pairs) / games, 2),
        "skunks_pct": round(100 * sum(pair.skunks for pair in pairs) / games, 2),
        **{name: value for side, who in ((0, "one"), (1, "other"))
           for name, value in _mean_points([pair.tallies[side] for pair in pairs], who).items()},
    }  # fmt: skip


def confidence_interval(values: Sequence[float], low: float = -math.inf, high: float = math.inf) -> list[float]:
    """Return the mean and the limits of its 95 % interval. No value is below `low` or above `high`."""
    mean = statistics.fmean(values)
    wide = STANDARD_ERRORS * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return [round(mean, 3), round(max(low, mean - wide), 3), round(min(high, mean + wide), 3)]


def _mean_points(tallies: Sequence[Tally], who: str) -> dict[str, float]:
    found = {}
    for role, name in enumerate(("dealer", "pone")):
        deals = max(1, sum(tally.deals[role] for tally in tallies))
        found[f"{who}_hand_{name}"] = round(sum(tally.hands[role] for tally in tallies) / deals, 3)
        found[f"{who}_pegged_{name}"] = round(sum(tally.pegged[role] for tally in tallies) / deals, 3)
        if role == 0:
            found[f"{who}_crib"] = round(sum(tally.cribs for tally in tallies) / deals, 3)
    return found


PAIRS_BETWEEN_REPORTS = 100


@click.command()
@click.argument("one")
@click.argument("other")
@click.option("--pairs", type=click.IntRange(1, 1_000_000), default=500, help="Largest number of pairs of games (500).")
@click.option("--seed", type=click.IntRange(0), default=1, help="Seed of the first pair's deals (1).")
@click.option("--target", type=click.IntRange(31, 121), default=121, help="Points to play to (121).")
@click.option("--processes", type=click.IntRange(1), default=1, help="Processes that play at the same time (1).")
@click.option("--stop-early", is_flag=True, help="Stop as soon as one is shown to win more often, at an error of 5 %.")
@click.option("--results", type=click.Path(path_type=Path), help="File that keeps the results, and continues a match.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON.")
def arena(  # noqa: PLR0913
    one: str, other: str, pairs: int, seed: int, target: int, processes: int,
    *, stop_early: bool, results: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Let ONE play pairs of games against OTHER: the same deals twice, with the seats swapped.

    A player is novice, club, expert, heuristic (the player before the coach), or, in quotes, the command of any
    program that answers lines as `companion advise` does.
    """
    terms = ArenaTerms(one, other, target)
    file = ResultFile(results, terms) if results else None
    played = {result.seed: result for result in file.results} if file else {}
    seeds = range(seed, seed + pairs)
    test, kept = SequentialTest(), list[PairResult]()
    with closing(play_pairs(terms, [missing for missing in seeds if missing not in played], processes)) as fresh:
        for wanted in seeds:
            result = played.get(wanted) or next(fresh)
            if file and wanted not in played:
                file.add(result)
            kept.append(result)
            test.add(result.wins / 2)
            if len(kept) % PAIRS_BETWEEN_REPORTS == 0:
                click.echo(_describe_wins(kept), err=True)
            if stop_early and test.winner is not None:
                break
    found = summarize_pairs(kept) | {"seeds": [seed, seed + len(kept) - 1]}
    shown = None if test.winner is None else (one, other)[test.winner]
    if as_json:
        print_json(found | {"shown_stronger": shown})
        return
    click.echo(f"{one} against {other}:")
    for name, value in found.items():
        click.echo(f"  {name:24} {value}")
    click.echo(
        f"{shown} is shown to win more often, at an error of 5 %." if shown else "Neither is shown to win more often."
    )


def _describe_wins(pairs: list[PairResult]) -> str:
    mean, low, high = confidence_interval([50.0 * pair.wins for pair in pairs], 0, 100)
    return f"{len(pairs)} pairs: {mean} % of the games ({low} to {high})"
