"""Measure how soon a duplicate night and an ordinary night rank players of known strength.

    python -m tests.plugins.arena.duplicate_night play --rounds 132 --to games.jsonl
    python -m tests.plugins.arena.duplicate_night rank games.jsonl
    python -m tests.plugins.arena.duplicate_night compare games.jsonl

Twelve players, four of each level of the coach, meet round after round. Every round is played twice: with the same
deals at all tables, and with other deals at each. A night of n games is n rounds drawn at random. Its ranking is right
as far as players of a higher level are ahead of those of a lower one. `ordinary` ranks by game points, `spread` by the
net spread of the same games, `duplicate` by the difference to the same cards. `compare` gives how many ordinary games
rank as well as one duplicate game: the ratio of the variances of the difference between two players of different
levels, with the 95 % interval over the rounds that were played (bootstrap).
"""

import argparse
import json
from itertools import cycle, islice, permutations
from pathlib import Path
from random import Random
from statistics import fmean, quantiles, variance

from companion.plugins.arena.game import CoachPlayer, DuplicateGame
from companion.plugins.club.pairing import circle_rounds
from companion.plugins.club.tournament.draw import DrawnGame, DuplicateResult, deal_duplicate, rank_duplicate
from companion.plugins.club.tournament.scorecards import CardLine, points_of, rank_cards, total_cards

LEVELS = ("novice", "club", "expert")
PLAYERS = {f"{level}-{n}": (strength, n) for n in range(4) for strength, level in enumerate(LEVELS)}
SCHEME = (2, 3, 3)


def play_game(one, two, seed, at):
    """Return the spread of a game in which `one` deals first, with the deals of a round of this seed."""

    def draw_pack(deal):
        (first, second), starter = deal_duplicate(seed, at, deal + 1)
        return [*second, *first, starter] if deal % 2 else [*first, *second, starter]

    sides = [CoachPlayer(LEVELS[PLAYERS[each][0]], PLAYERS[each][1]) for each in (one, two)]
    game = DuplicateGame((sides[0], sides[1]), 0, draw_pack=draw_pack)
    game.play()
    return game.scores[0] - game.scores[1]


def play_rounds(first, rounds, seed, path):
    """Add the results of the rounds to a file, one line for each game."""
    with path.open("a") as file:
        for at, facing in islice(enumerate(cycle(circle_rounds(list(PLAYERS))), 1), first, first + rounds):
            for table, pair in enumerate(facing):
                one, two = pair if (at + table) % 2 else pair[::-1]
                both = {"duplicate": f"{seed}", "ordinary": f"{seed} table {table}"}
                spreads = {kind: play_game(one, two, each, at) for kind, each in both.items()}
                file.write(json.dumps({"round": at, "one": one, "two": two, **spreads}) + "\n")
            file.flush()


def share_right(order):
    """Return the share of the pairs of different levels of which the stronger is ahead; half for equal ranks."""
    right = pairs = 0.0
    for one, rank in order.items():
        for two, other in order.items():
            if PLAYERS[one][0] > PLAYERS[two][0]:
                pairs += 1
                right += 1 if rank < other else 0.5 if rank == other else 0
    return right / pairs


def rank_night(kind, rounds):
    """Return the rank of each player by the results of these rounds."""
    if kind == "duplicate":
        played = [DuplicateResult(at, g["one"], g["two"], g["duplicate"]) for at, r in enumerate(rounds) for g in r]
        return {row.player: row.rank for row in rank_duplicate(played)}
    if kind == "spread":
        sums = dict.fromkeys(PLAYERS, 0)
        for game in (game for row in rounds for game in row):
            sums[game["one"]] += game["ordinary"]
            sums[game["two"]] -= game["ordinary"]
        return {player: -total for player, total in sums.items()}
    games, lines = [], {}
    for at, row in enumerate(rounds):
        for number, g in enumerate(row, 1):
            games.append(DrawnGame(at, number, g["one"], g["two"]))
            for player, spread in ((g["one"], g["ordinary"]), (g["two"], -g["ordinary"])):
                lines[player, at] = CardLine(points_of(spread, SCHEME), spread)
    return {row.player: row.rank for row in rank_cards(total_cards(PLAYERS, games, lines, SCHEME), {})}


def load_rounds(path):
    """Return the games of a file by round."""
    by_round = {}
    for game in map(json.loads, path.read_text().splitlines()):
        by_round.setdefault(game["round"], []).append(game)
    return list(by_round.values())


def differences(row, kind):
    """Return by how much the stronger is ahead in a round, for each pair of players of different levels."""
    mean = sum(game[kind] for game in row) / len(row) if kind == "duplicate" else 0  # of all who held the first hands
    ahead = {}
    for game in row:
        ahead |= {game["one"]: game[kind] - mean, game["two"]: mean - game[kind]}
    pairs = permutations(PLAYERS, 2)
    return [ahead[one] - ahead[two] for one, two in pairs if PLAYERS[one][0] > PLAYERS[two][0]]


def compare(path, seed, resamples):
    """Print the mean lead of the stronger, its variance by kind of game, and the ratio of the variances."""
    rounds, chance = load_rounds(path), Random(seed)
    found = {kind: [differences(row, kind) for row in rounds] for kind in ("ordinary", "duplicate")}

    def describe(chosen):
        leads, variances = [], []
        for rows in found.values():
            columns = [*zip(*(rows[n] for n in chosen), strict=True)]
            leads.append(fmean(map(fmean, columns)))
            variances.append(fmean(map(variance, columns)))
        return *leads, *variances, variances[0] / variances[1]

    drawn = [describe(chance.choices(range(len(rounds)), k=len(rounds))) for _ in range(resamples)]
    names = "ordinary_lead", "duplicate_lead", "ordinary_variance", "duplicate_variance", "ratio"
    for name, value, *others in zip(names, describe(range(len(rounds))), *drawn, strict=True):
        cuts = quantiles(others, n=40)
        print(json.dumps({name: round(value, 2), "interval": [round(cuts[0], 2), round(cuts[-1], 2)]}))


def measure(path, nights, seed):
    """Print the share of rightly ranked pairs by kind of night and number of games."""
    rounds = load_rounds(path)
    for games in (4, 6, 8, 11, 16, 22, 32, 44, 64):
        if games <= len(rounds) // 2:
            chance = Random(seed)
            drawn = [chance.sample(rounds, games) for _ in range(nights)]
            right = {kind: sum(share_right(rank_night(kind, night)) for night in drawn) / nights
                     for kind in ("ordinary", "spread", "duplicate")}  # fmt: skip
            print(json.dumps({"games": games, "rounds": len(rounds), **{k: round(v, 4) for k, v in right.items()}}))


def main():
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    steps = asked.add_subparsers(required=True, dest="step")
    playing, ranking = steps.add_parser("play"), steps.add_parser("rank")
    playing.add_argument("--rounds", type=int, default=132)
    playing.add_argument("--first", type=int, default=0)
    playing.add_argument("--to", type=Path, required=True)
    ranking.add_argument("file", type=Path)
    ranking.add_argument("--nights", type=int, default=1000)
    comparing = steps.add_parser("compare")
    comparing.add_argument("file", type=Path)
    comparing.add_argument("--resamples", type=int, default=400)
    for each in (playing, ranking, comparing):
        each.add_argument("--seed", type=int, default=28)
    told = asked.parse_args()
    if told.step == "play":
        play_rounds(told.first, told.rounds, told.seed, told.to)
    elif told.step == "compare":
        compare(told.file, told.seed, told.resamples)
    else:
        measure(told.file, told.nights, told.seed)


if __name__ == "__main__":
    main()
