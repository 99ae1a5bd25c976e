"""A simulated weekend: all games of a tournament, planted errors on scorecards, and a power cut twice.

The expected disagreements, rulings and bracket are computed here from the rules alone, not by the code that is tested.
"""

import contextlib
import http.client
import random
import threading

import pytest

from tests.plugins.club.reported_moves import LOSS, WIN, report_later
from tests.plugins.club.test_club import Program
from tests.support.waiting import wait_until

KINDS = ("spread", "winner", "column", "blank", "missing", "points")
BOARD = "cribbage/1/north/table-3"


class Weekend:
    """The club program that is killed and started again, and its director, who sends again what got no answer."""

    def __init__(self, folder, broker, closing):
        self._folder, self._broker, self._closing = folder, broker, closing
        self.club = self.cookie = None
        self.starts = 0
        self.start()

    def start(self):
        store = f"sqlite:///{self._folder}/club.sqlite3"
        club = Program(self._folder / "home", "club", "--brokers", self._broker.url, "--store", store, "--port", "0")
        self._closing(lambda: club.process.poll() is None and club.close())
        self.club, self.cookie = club, club.cookie()
        self.starts += 1

    def send(self, path, body, *, cut=False):
        """POST until it is answered. `cut`: the power fails while it is sent."""
        if cut:
            killer = threading.Thread(target=self.club.process.kill)
            killer.start()
            with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
                self.club.post(path, body, self.cookie)
            killer.join()
            self.club.process.communicate()
            self.start()
        status, answer = self.club.post(path, body, self.cookie)
        assert status == 201, answer
        return answer

    def read(self, path=""):
        return self.club.get(f"/api/club/tournaments/1{path}")


class Plan:
    """The true spreads of all games, the cards as they are written with planted errors, and the games at a board.

    Games are named by round and players, the first dealer first.
    """

    def __init__(self, games, errors, at_boards, chance):
        self.byes = [game["one"] for game in games if not game["two"]]
        self.truths, self.kinds, self.reports = {}, {}, {}
        self.cards = {name: {} for game in games for name in (game["one"], game["two"]) if name}
        keys = [(game["round"], game["one"], game["two"]) for game in games if game["two"]]
        chance.shuffle(keys)
        for k, (n, one, two) in enumerate(keys):
            spread = chance.choice((1, -1)) * (111 if k < at_boards else chance.randint(1, 60))
            truth = self.truths[n, one, two] = {one: spread, two: -spread}
            for player, signed in truth.items():
                self.cards[player][n] = (points_for(signed), signed)
            if k < at_boards:
                moves = LOSS if spread > 0 else WIN
                self.reports[n, one, two] = report_later(moves, f"r{k}", names=(one, two))[1:]
            elif k < at_boards + errors:
                kind = self.kinds[n, one, two] = chance.choice(KINDS)
                player = max(truth, key=truth.get) if kind == "points" else chance.choice((one, two))
                self.cards[player][n] = plant_error(kind, self.cards[player][n], chance)

    def lines_on_paper(self, player):
        """Return the lines of a player's card that no board fills in."""
        filled = {n for n, *pair in self.reports if player in pair}
        return [{"round": n, "points": line[0], "spread": line[1]}
                for n, line in self.cards[player].items() if n not in filled]  # fmt: skip


def points_for(spread):
    return 0 if spread < 0 else 3 if spread >= 31 else 2


def plant_error(kind, line, chance):
    """Return the line of a card with an error: points and spread, None for blank."""
    points, spread = line
    if kind == "spread":
        wrong = spread
        while abs(wrong) == abs(spread):
            wrong = chance.randint(1, 60) * (1 if spread > 0 else -1)
        return points_for(wrong), wrong
    return {
        "winner": (points_for(-spread), -spread), "column": (points, -spread), "blank": (points, None),
        "missing": (None, None), "points": ({0: 0, 2: 3, 3: 2}[points], spread),
    }[kind]  # fmt: skip


def rank(cards, byes):
    """Return the players by the tie-breakers of the Congress, computed from their cards."""

    def key(player):
        lines = [line for line in cards[player].values() if line[0] is not None]
        points, won = sum(line[0] for line in lines), sum(line[0] > 0 for line in lines)
        net, plus = sum(line[1] or 0 for line in lines), sum(max(0, line[1] or 0) for line in lines)
        bye = byes.count(player)
        return -(points + 2 * bye), -(won + bye), -net, -plus, player

    return sorted(cards, key=key)


def rule(kind, pair, cards, at, truth, qualifiers):
    """Return the lines of both players after the ruling of rule 12.2."""
    if kind == "winner":  # both cards have the same column: both lose (e)
        return {player: (0, -abs(truth[player])) for player in pair}
    if kind != "spread":
        return {player: (points_for(truth[player]), truth[player]) for player in pair}
    amounts = [abs(cards[player][at][1]) for player in pair]
    ruled = {}
    for player in pair:
        has_won = truth[player] > 0
        amount = abs(cards[player][at][1])
        if player in qualifiers:
            amount = min(amounts) if has_won else max(amounts)
        signed = amount if has_won else -amount
        ruled[player] = (points_for(signed), signed)
    return ruled


def report_games(weekend, subscriber, plan):
    """Send what the archive lacks, as a board does. Return whether it has everything."""
    is_complete = True
    for (n, one, two), lines in plan.reports.items():
        games = weekend.read(f"/rounds/{n}")["games"]
        game = next(game for game in games if (game["one"], game["two"]) == (one, two))
        if game["lines"][0]["points"] is None:
            is_complete = False
            for topic, text in lines:
                subscriber.publish(topic, text, retain=False)
    return is_complete


def rule_on_games(weekend, plan, places):
    """Rule until nothing holds up the bracket, and see each time that exactly what is expected does."""
    settled = set()
    while True:
        qualifiers = set(rank(plan.cards, plan.byes)[:places])
        due = {key for key, kind in plan.kinds.items() if key not in settled
               and ({*key[1:]} & qualifiers or kind in ("blank", "missing"))}  # fmt: skip
        found = {(row["round"], row["one"], row["two"]) for row in weekend.read()["discrepancies"] if row["blocks"]}
        assert found == due
        if not due:
            return
        for key in due:
            ruled = rule(plan.kinds[key], key[1:], plan.cards, key[0], plan.truths[key], qualifiers)
            for player, line in ruled.items():
                plan.cards[player][key[0]] = line
        settled |= due
        weekend.send("/api/club/tournaments/1/rulings", {"all": True, "by": "Zoe"})


def play_bracket(weekend, order, places):
    """Draw the bracket, see that the seeds meet as they must, and let the higher seed win each match."""
    shown = weekend.send("/api/club/tournaments/1/bracket", {"by": "Zoe"})["bracket"]
    size = 2 ** (places - 1).bit_length()
    pairs = [{each["one"], each["two"]} - {None} for each in shown[0]]
    expected = [{order[n], *order[size - 1 - n : min(size - n, places)]} for n in range(size // 2)]
    assert sorted(map(sorted, pairs)) == sorted(map(sorted, expected))
    for n in range(len(shown)):
        for match in weekend.read()["bracket"][n]:
            if not match["is_bye"]:
                wins = [2, 1] if order.index(match["one"]) < order.index(match["two"]) else [0, 2]
                body = {"round": match["round"], "number": match["number"], "wins": wins, "by": "Zoe"}
                weekend.send("/api/club/tournaments/1/matches", body)
    assert weekend.read()["bracket"][-1][0]["winner"] == order[0]


@pytest.mark.parametrize(
    ("players", "rounds", "errors", "at_boards", "seed"),
    [(24, 6, 12, 4, 1), (23, 6, 12, 4, 2), pytest.param(200, 22, 300, 40, 28, marks=pytest.mark.long)],
)
def test_a_weekend_with_errors_and_power_cuts(
    tmp_path, broker, subscribe, request, *, players, rounds, errors, at_boards, seed
):
    chance, at, places = random.Random(seed), broker(), -(-players // 4)
    weekend = Weekend(tmp_path, at, request.addfinalizer)
    subscriber = subscribe(at, f"{BOARD}/upto")
    wait_until(lambda: (subscriber.publish(f"{BOARD}/online", "1"), weekend.club.get("/api/club/tables")["tables"])[1])
    names = [f"P{n:03}" for n in range(players)]
    weekend.send("/api/club/tournaments", {"name": "Weekend", "players": names, "games": rounds, "tables": 80})
    games = [game for n in range(1, rounds + 1) for game in weekend.read(f"/rounds/{n}")["games"]]
    plan = Plan(games, errors, at_boards, chance)
    cuts = set(chance.sample(range(players), 2))
    for k, player in enumerate(names):
        body = {"player": player, "lines": plan.lines_on_paper(player), "by": "Zoe"}
        report_games(weekend, subscriber, plan) if k in cuts else None
        weekend.send("/api/club/tournaments/1/cards", body, cut=k in cuts)
    assert weekend.starts == 3
    wait_until(lambda: report_games(weekend, subscriber, plan))

    shown = weekend.read()
    assert [row["open"] for row in shown["rounds"]] == [0] * rounds
    found = {(row["round"], row["one"], row["two"]): row for row in shown["discrepancies"]}
    assert set(found) == set(plan.kinds)
    assert len(found) == errors
    for (n, *pair), each in found.items():
        lines = [(line["points"], line["spread"]) for line in each["lines"]]
        assert lines == [plan.cards[player][n] for player in pair]
    assert [row["player"] for row in shown["standings"]][:places] == rank(plan.cards, plan.byes)[:places]

    rule_on_games(weekend, plan, places)
    play_bracket(weekend, rank(plan.cards, plan.byes), places)
    shown = weekend.read()
    weekend.club.kill()
    weekend.start()
    assert weekend.read() == shown
