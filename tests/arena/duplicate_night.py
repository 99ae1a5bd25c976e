"""Measure how soon a duplicate night and an ordinary night rank players of known strength.

    python -m tests.arena.duplicate_night play --rounds 132 --to games.jsonl
    python -m tests.arena.duplicate_night rank games.jsonl
    python -m tests.arena.duplicate_night compare games.jsonl

Twelve players, four of each level of the coach, meet round after round. Every round is played twice: with the same
deals at all tables, and with other deals at each. A night of n games is n rounds drawn at random. Its ranking is right
as far as players of a higher level are ahead of those of a lower one. `ordinary` ranks by game points, `spread` by the
net spread of the same games, `duplicate` by the difference to the same cards. `compare` gives how much more of a
ranking is right after a duplicate night than after an ordinary one of twice as many games, with the 95 % interval over
the rounds that were played (bootstrap).
"""

import argparse
import json
from itertools import cycle, islice
from pathlib import Path
from random import Random

from companion.arena.game import DuplicateGame
from companion.arena.players import CoachPlayer
from companion.club.pairing import circle_rounds
from companion.club.tournament.draw import DrawnGame
from companion.club.tournament.duplicate import DuplicateResult, deal_duplicate, rank_duplicate
from companion.club.tournament.scorecards import CardLine, points_of, rank_cards, total_cards

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


def share_of_nights(kind, rounds, games, nights, chance):
    """Return the mean share of rightly ranked pairs after nights of these games, drawn from the rounds."""
    return sum(share_right(rank_night(kind, chance.sample(rounds, games))) for _ in range(nights)) / nights


def compare(path, nights, seed, resamples):
    """Print by how much a duplicate night is ahead of an ordinary one of twice as many games, with the interval."""
    rounds, chance = load_rounds(path), Random(seed)
    for games in (4, 6, 8, 11):
        for kind in ("ordinary", "spread"):

            def lead(played, count, games=games, kind=kind):
                return share_of_nights("duplicate", played, games, count, chance) - share_of_nights(
                    kind, played, 2 * games, count, chance
                )

            found = sorted(lead(chance.choices(rounds, k=len(rounds)), nights) for _ in range(resamples))
            low, high = found[round(0.025 * (resamples - 1))], found[round(0.975 * (resamples - 1))]
            print(json.dumps({"duplicate": games, kind: 2 * games, "lead": round(lead(rounds, 10 * nights), 4),
                              "interval": [round(low, 4), round(high, 4)], "rounds": len(rounds)}))  # fmt: skip


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
    comparing.add_argument("--nights", type=int, default=100)
    comparing.add_argument("--resamples", type=int, default=200)
    for each in (playing, ranking, comparing):
        each.add_argument("--seed", type=int, default=28)
    told = asked.parse_args()
    if told.step == "play":
        play_rounds(told.first, told.rounds, told.seed, told.to)
    elif told.step == "compare":
        compare(told.file, told.nights, told.seed, told.resamples)
    else:
        measure(told.file, told.nights, told.seed)


if __name__ == "__main__":
    main()
