"""The measurement of a tournament's table after the last card."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

from companion.plugins.club.database import Database
from companion.plugins.club.tournament.director import TournamentDirector
from companion.plugins.club.tournament.scorecards import CardLine, points_of
from companion.plugins.club.tournament.store import write_lines
from companion.protocol.json_codec import dump_json

PLAYERS, GAMES, ERRORS, ROUNDS = 200, 22, 300, 5


def measure_last_card() -> Iterator[tuple[str, float, str]]:
    """Measure the entry of the last card, saved durably, and the whole answer after it: the slowest of five."""
    chance, players = Random(28), [f"Player {n}" for n in range(PLAYERS)]
    with tempfile.TemporaryDirectory() as folder, closing(Database(f"sqlite:///{Path(folder)}/club.sqlite3")) as store:
        director = TournamentDirector(store, "a-key-of-the-bench")
        event = director.create_tournament({"name": "Bench", "players": players, "games": GAMES})
        lines = {}
        games = director.load_state(event).games
        for game in games:
            spread = chance.choice((1, -1)) * chance.randint(1, 60)
            for player, signed in ((game.one, spread), (str(game.two), -spread)):
                lines[player, game.round] = CardLine(points_of(signed), signed)
        for game in chance.sample(games, ERRORS):
            points, spread, _ = lines[game.one, game.round]
            lines[game.one, game.round] = CardLine(points, -(spread or 0))
        with store.transaction() as run_sql:
            write_lines(run_sql, event, lines, "bench")
        card = [{"round": at, "points": line.points, "spread": line.spread}
                for (player, at), line in lines.items() if player == players[-1]]  # fmt: skip
        times_s = []
        for _ in range(ROUNDS):
            begin_s = time.perf_counter()
            director.enter_lines(event, players[-1], card, "bench", "")
            dump_json(director.describe_tournament(event))
            times_s.append(time.perf_counter() - begin_s)
    yield "tournament_table_ms", max(times_s) * 1000, "ms"
