"""Pairs of games between the coach and the expert of an earlier commit, played by the expert in C.

`python -m tests.plugins.arena.compiled_match match.jsonl --before CHECKOUT --pairs 20000` plays the seeds from 0 on
against the expert with the tables of CHECKOUT, a checkout of the commit before it searched its own continuation and
ordered equal chances by points (eb3200b6). The file is that of `companion arena --results`, so the match can be stopped
and continued, and any pair can be repeated with `companion arena` and the `companion advise` of both checkouts.

`--against club` plays against a player of the arena instead: a level, `heuristic`, or the command of a program.
`--tables FOLDER` plays against the same expert with other tables.
"""

import argparse
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

from companion.plugins.arena import match
from companion.plugins.arena.game import create_player
from companion.plugins.arena.match import ArenaTerms, PairResult, ResultFile, summarize_pairs
from tests.plugins.arena import compiled_expert
from tests.plugins.arena.compiled_expert import TARGET, CompiledPlayer, load_tables, make_coach


def play_match(path: Path, other: str, seeds: range, play: Callable[[int], PairResult]) -> list[PairResult]:
    """Return the results of these seeds. Pairs that the file does not have yet are played and added to it."""
    file = ResultFile(path, ArenaTerms("expert", other))
    results = list(file.results)
    for seed in seeds[len(results) :]:
        results.append(play(seed))
        file.add(results[-1])
    return results


def choose_play(against: str) -> Callable[[int], PairResult]:
    one = make_coach(load_tables())
    players = CompiledPlayer(one), create_player(against)
    return lambda seed: match._play_pair(players, seed, TARGET)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("file", type=Path)
    other = asked.add_mutually_exclusive_group(required=True)
    other.add_argument("--before", type=Path)
    other.add_argument("--against")
    other.add_argument("--tables", type=Path)
    asked.add_argument("--pairs", type=int, default=20_000)
    asked.add_argument("--first", type=int, default=0, help="the first seed")
    given = asked.parse_args()
    seeds = range(given.first, given.first + given.pairs)
    if given.against:
        play = choose_play(given.against)
    else:
        folder = given.tables or given.before / "companion/coach/tables"
        players = make_coach(load_tables()), make_coach(load_tables(folder), searches=bool(given.tables))
        play = partial(compiled_expert.play_pair, *players)
    name = given.against or ("expert with other tables" if given.tables else "expert before")
    results = play_match(given.file, name, seeds, play)
    print(json.dumps(summarize_pairs(results)))


if __name__ == "__main__":
    main()
