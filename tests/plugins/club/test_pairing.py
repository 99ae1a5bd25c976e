"""Pairings without repeated games, and standings by the points of the American Cribbage Congress."""

import random
from itertools import combinations

import pytest

from companion.plugins.club import pairing
from companion.plugins.club.pairing import TournamentGame, compute_standings


def test_a_game_is_two_points_and_a_skunk_three():
    games = [
        TournamentGame("Ann", "Bob", "Ann", True, 40),
        TournamentGame("Cid", "Dot", "Dot", False, 3),
        TournamentGame("Eve", None, None),
    ]
    rows = compute_standings(["Ann", "Bob", "Cid", "Dot", "Eve"], games, byes_count=True)
    assert [(r.rank, r.player, r.points, r.won, r.lost, r.skunks, r.spread) for r in rows] == [
        (1, "Ann", 3, 1, 0, 1, 40), (2, "Dot", 2, 1, 0, 0, 3), (3, "Eve", 2, 1, 0, 0, 0),
        (4, "Cid", 0, 0, 1, 0, -3), (5, "Bob", 0, 0, 1, 0, -40),
    ]  # fmt: skip


def test_a_round_robin_bye_is_not_a_game_and_equals_share_a_rank():
    rows = compute_standings(["Ann", "Bob"], [TournamentGame("Ann", None, None)], byes_count=False)
    assert [(row.rank, row.points) for row in rows] == [(1, 0), (1, 0)]


@pytest.mark.parametrize("count", range(2, 15))
def test_in_a_round_robin_everybody_meets_everybody_once(count):
    players, games, rounds = [f"P{n}" for n in range(count)], [], 0
    while (found := pairing.pair_round_robin(players, games))[0]:
        rounds += 1
        games += [TournamentGame(one, two, one) for one, two in found[0]]
        assert sorted([each for pair in found[0] for each in pair] + found[1]) == sorted(players)
    met = [frozenset((game.one, game.two)) for game in games]
    assert len(met) == len(set(met)) == len(list(combinations(players, 2)))
    assert rounds == count - 1 + count % 2


def test_who_comes_late_to_a_round_robin_meets_everybody_too():
    players, games = ["Ann", "Bob", "Cid", "Dot"], []
    for number in range(20):
        players += ["Eve"] if number == 2 else []
        pairs, _ = pairing.pair_round_robin(players, games)
        games += [TournamentGame(one, two, one) for one, two in pairs]
    met = [frozenset((game.one, game.two)) for game in games]
    assert len(met) == len(set(met)) == 10


@pytest.mark.parametrize("count", [5, 8, 17, 40])
def test_in_a_swiss_event_neighbours_meet_once_and_no_player_has_two_byes(count):
    chance, players, games = random.Random(count), [f"P{n:02}" for n in range(count)], []
    for _ in range(4):
        order = [row.player for row in compute_standings(players, games, byes_count=True)]
        pairs, sitting = pairing.pair_swiss(order, games)
        assert sorted([each for pair in pairs for each in pair] + ([sitting] if sitting else [])) == sorted(players)
        games += [TournamentGame(one, two, chance.choice((one, two)), chance.random() < 0.2, 9) for one, two in pairs]
        games += [TournamentGame(sitting, None, None)] if sitting else []
    met = [frozenset((game.one, game.two)) for game in games if game.two]
    byes = [game.one for game in games if not game.two]
    assert len(met) == len(set(met))
    assert len(byes) == len(set(byes)) == (4 if count % 2 else 0)


def test_where_everybody_has_met_a_swiss_goes_on():
    games = [TournamentGame("Ann", "Bob", "Ann")]
    assert pairing.pair_swiss(["Ann", "Bob"], games) == ([("Ann", "Bob")], None)
