"""`companion arena`: two programs play cribbage over the same deals with the seats swapped."""

from contextlib import closing
from pathlib import Path

import click

from companion.plugins.arena.match import (
    ArenaTerms,
    PairResult,
    ResultFile,
    SequentialTest,
    confidence_interval,
    play_pairs,
    summarize_pairs,
)
from companion.protocol.json_codec import print_json

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
    with closing(play_pairs(terms, [each for each in seeds if each not in played], processes)) as fresh:
        for each in seeds:
            result = played.get(each) or next(fresh)
            if file and each not in played:
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
