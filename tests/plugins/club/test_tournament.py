"""Pairings, standings, the qualifying round, the cross-check of rule 12.2, the ranking and the bracket."""

import random
from collections import Counter
from itertools import combinations

import pytest

from companion.common.errors import IllegalMove
from companion.plugins.club import pairing
from companion.plugins.club.pairing import TournamentGame, compute_standings
from companion.plugins.club.tournament import draw
from companion.plugins.club.tournament.draw import DrawnGame, draw_qualifying_round, find_table
from companion.plugins.club.tournament.scorecards import (
    CardLine,
    CardTotals,
    count_qualifiers,
    cross_check,
    points_of,
    propose_ruling,
    rank_cards,
    total_cards,
)


def test_a_game_scores_two_and_a_skunk_three():
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


def test_a_round_robin_bye_is_no_game():
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


def test_a_late_player_meets_everybody_too():
    players, games = ["Ann", "Bob", "Cid", "Dot"], []
    for number in range(20):
        players += ["Eve"] if number == 2 else []
        pairs, _ = pairing.pair_round_robin(players, games)
        games += [TournamentGame(one, two, one) for one, two in pairs]
    met = [frozenset((game.one, game.two)) for game in games]
    assert len(met) == len(set(met)) == 10


@pytest.mark.parametrize("count", [5, 8, 17, 40])
def test_swiss_neighbours_meet_once_with_one_bye_each(count):
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


SCHEME = (2, 3, 3)
GAME = DrawnGame(1, 1, "Ann", "Bob")


def name_players(count):
    return [f"P{n:03}" for n in range(count)]


@pytest.mark.parametrize(
    ("count", "games"), [(200, 22), (201, 22), (44, 22), (43, 22), (8, 7), (7, 7), (12, 9), (9, 8), (2, 1), (3, 1)]
)
def test_opponents_differ_and_first_deals_are_halved(count, games):
    players = name_players(count)
    drawn = draw_qualifying_round(players, games)
    for at in range(1, games + 1):
        row = [game for game in drawn if game.round == at]
        assert sorted(name for game in row for name in game[2:] if name) == players
        assert [game.number for game in row] == list(range(1, len(row) + 1))
        assert [game.two for game in row].count(None) == count % 2
    pairs = [frozenset(game[2:]) for game in drawn if game.two]
    assert len(pairs) == len(set(pairs)) == games * (count // 2)
    assert max(Counter(game.one for game in drawn if not game.two).values(), default=0) <= 1
    for player in players:
        first = [game.one == player for game in drawn if game.two and player in game]
        assert abs(2 * sum(first) - len(first)) <= 1, player


def test_large_rounds_alternate_deals_and_keep_tables():
    drawn = draw_qualifying_round(name_players(200), 22)
    tables = {}
    for player in name_players(200):
        mine = [game for game in drawn if player in game]
        assert [game.one == player for game in mine] == [(n % 2 == 0) == (player < "P100") for n in range(22)]
        tables[player] = {game.number for game in mine}
    assert [len(tables[player]) for player in name_players(200)] == [1] * 100 + [22] * 100


@pytest.mark.parametrize(("count", "games"), [(1, 1), (6, 6), (7, 8), (10, 0)])
def test_a_round_without_repeated_opponents_must_exist(count, games):
    with pytest.raises(IllegalMove, match="at most"):
        draw_qualifying_round(name_players(count), games)


def test_with_few_tables_rounds_have_sittings():
    assert [find_table(number, 40) for number in (1, 40, 41, 100)] == [(1, 1), (40, 1), (1, 2), (20, 3)]


def check(one, two, *, qualifiers=(), scheme=SCHEME):
    """Return the problems of a game with these lines, and the lines of the ruling with the letters of rule 12.2."""
    lines = {("Ann", 1): CardLine(*one), ("Bob", 1): CardLine(*two)}
    found = cross_check([GAME], {key: line for key, line in lines.items() if line[:2] != (None, None)}, scheme)
    if not found:
        return ()
    ruling = propose_ruling(found[0], qualifiers, scheme)
    return found[0].problems, ruling and (ruling.letters, *(line[:2] for line in ruling.lines))


def test_cards_that_agree_pass():
    assert check((2, 16), (0, -16)) == check((0, -31), (3, 31)) == check((None, None), (None, None)) == ()
    assert check((4, 61), (0, -61), scheme=(1, 2, 4)) == ()


@pytest.mark.parametrize(
    ("one", "two", "qualifiers", "expected"),
    [
        # the two examples of rule 12.2
        ((2, 21), (0, -16), {"Ann"}, (("spread",), ("a", (2, 16), (0, -16)))),
        ((2, 17), (0, -16), {"Ann", "Bob"}, (("spread",), ("b", (2, 16), (0, -17)))),
        # no harm, no foul: the qualifier's own error stays; and of two who do not qualify nothing is changed
        ((2, 15), (0, -20), {"Ann"}, (("spread",), ("h", (2, 15), (0, -20)))),
        ((2, 16), (0, -21), {"Ann", "Bob"}, (("spread",), ("h", (2, 16), (0, -21)))),
        ((2, 21), (0, -16), {"Bob"}, (("spread",), ("a", (2, 21), (0, -21)))),
        ((2, 16), (0, -21), set(), (("spread",), ("", (2, 16), (0, -21)))),
        # a skunk that the opponent does not confirm is none
        ((3, 31), (0, -30), {"Ann"}, (("spread",), ("a", (2, 30), (0, -30)))),
        ((2, 12), (0, None), {"Ann"}, (("blank",), ("c", (2, 12), (0, -12)))),
        ((None, None), (0, -12), set(), (("missing",), ("c", (2, 12), (0, -12)))),
        ((2, 12), (2, -12), {"Bob"}, (("winner", "column"), ("d", (2, 12), (0, -12)))),
        ((0, 12), (0, -12), {"Bob"}, (("winner", "column"), ("d", (2, 12), (0, -12)))),
        ((2, 12), (2, 12), {"Ann"}, (("winner",), ("e", (0, -12), (0, -12)))),
        ((0, -12), (0, -12), {"Ann"}, (("winner",), ("e", (0, -12), (0, -12)))),
        ((2, 12), (0, 12), {"Ann"}, (("column",), ("f", (2, 12), (0, -12)))),
        ((2, -12), (0, -12), {"Ann"}, (("column",), ("f", (2, 12), (0, -12)))),
        ((3, 12), (0, -12), {"Ann"}, (("points",), ("g", (2, 12), (0, -12)))),
        ((2, 40), (0, -40), {"Ann"}, (("points",), ("g", (3, 40), (0, -40)))),
        ((3, 21), (0, -16), {"Ann"}, (("spread", "points"), ("ag", (2, 16), (0, -16)))),
        ((2, None), (0, None), {"Ann"}, (("blank",), None)),
    ],
)
def test_each_disagreement_is_resolved_by_rule_12_2(one, two, qualifiers, expected):
    assert check(one, two, qualifiers=qualifiers) == expected


def test_a_ruling_settles_cards_that_still_differ():
    lines = {("Ann", 1): CardLine(2, 16, is_ruled=True), ("Bob", 1): CardLine(0, -17, is_ruled=True)}
    (found,) = cross_check([GAME], lines, SCHEME)
    assert (found.problems, found.is_settled) == (("spread",), True)
    (found,) = cross_check([GAME], lines | {("Bob", 1): CardLine(0, -17)}, SCHEME)
    assert not found.is_settled


def test_totals_follow_the_card_and_count_byes():
    lines = {("Ann", 1): CardLine(3, 40), ("Ann", 2): CardLine(0, -12), ("Bob", 1): CardLine(0, -40)}
    games = [GAME, DrawnGame(2, 1, "Ann", "Bob"), DrawnGame(3, 1, "Bob", None)]
    assert total_cards(["Ann", "Bob"], games, lines, SCHEME) == [
        CardTotals("Ann", 3, 1, 1, 1, 28, 40), CardTotals("Bob", 2, 1, 1, 0, -40, 0),
    ]  # fmt: skip


def test_a_bye_counts_once_its_round_has_entries():
    games = [GAME, DrawnGame(1, 2, "Cid", None), DrawnGame(2, 1, "Ann", "Cid"), DrawnGame(2, 2, "Bob", None)]
    games.append(DrawnGame(3, 1, "Ann", None))  # all others of this round have left
    totals = total_cards(["Ann", "Bob", "Cid"], games, {("Ann", 1): CardLine(0, -12)}, SCHEME)
    assert [(total.player, total.points) for total in totals] == [("Ann", 2), ("Bob", 0), ("Cid", 2)]


def test_ties_are_broken_in_the_congress_order():
    totals = [
        CardTotals("Ann", 12, 6, 3, 0, 30, 90), CardTotals("Bob", 12, 5, 4, 2, 80, 99),
        CardTotals("Cid", 12, 6, 3, 0, 31, 50), CardTotals("Dot", 12, 6, 3, 0, 30, 95),
        CardTotals("Eve", 12, 6, 3, 0, 30, 90), CardTotals("Fay", 13, 5, 4, 3, -9, 9),
    ]  # fmt: skip
    order = [(row.rank, row.player) for row in rank_cards(totals, {frozenset(("Ann", "Eve")): "Eve"})]
    assert order == [(1, "Fay"), (2, "Cid"), (3, "Dot"), (4, "Eve"), (5, "Ann"), (6, "Bob")]
    assert [(row.rank, row.player) for row in rank_cards(totals, {})][3:5] == [(4, "Ann"), (4, "Eve")]


@pytest.mark.parametrize(("players", "qualifiers", "byes"), [(108, 27, 5), (132, 33, 31), (60, 15, 1), (121, 31, 1)])
def test_a_quarter_qualifies_by_rule_13_2(players, qualifiers, byes):
    assert count_qualifiers(players) == qualifiers
    first, second = draw.build_bracket(name_players(qualifiers), [3], {})[:2]
    assert sorted(match.winner for match in first if match.is_bye) == name_players(byes)
    assert len(second) * 2 == len(first)


def test_the_bracket_of_64_follows_rule_13_2():
    places = draw.seed_places(64)
    pairs = [frozenset(places[n : n + 2]) for n in range(0, 64, 2)]
    for upper, lower in ({8, 57}, {5, 60}), ({4, 61}, {3, 62}), ({6, 59}, {7, 58}):
        assert pairs.index(frozenset(upper)) + 1 == pairs.index(frozenset(lower))
    assert all(sum(pair) == 65 for pair in pairs)


@pytest.mark.parametrize("count", [2, 3, 5, 8, 50, 64])
def test_the_higher_seeds_meet_as_late_as_possible(count):
    seeds, results = name_players(count), {}
    for at in range(len(draw.build_bracket(seeds, [3, 5], {}))):
        for match in draw.build_bracket(seeds, [3, 5], results)[at]:
            if not match.is_bye:
                needed = match.best_of // 2 + 1
                wins = (needed, 1) if match.one < match.two else (0, needed)
                draw.check_match_result(draw.build_bracket(seeds, [3, 5], results), at + 1, match.number, wins)
                results[at + 1, match.number] = wins
        left = [m.winner for m in draw.build_bracket(seeds, [3, 5], results)[at]]
        assert sorted(left) == seeds[: len(left)]
    assert len(results) == count - 1


def test_an_impossible_result_of_a_match_is_refused():
    seeds = name_players(4)
    rounds = draw.build_bracket(seeds, [3, 5], {(1, 1): (2, 0), (1, 2): (2, 1), (2, 1): (1, 1)})
    assert (rounds[1][0].one, rounds[1][0].two, rounds[1][0].best_of) == ("P000", "P002", 5)
    draw.check_match_result(rounds, 2, 1, (3, 2))
    draw.check_match_result(rounds, 1, 1, (2, 1))
    for at, number, wins in [(1, 1, (3, 0)), (1, 1, (2, 2)), (2, 1, (4, 1)), (2, 1, (-1, 3)), (3, 1, (2, 0))]:
        with pytest.raises(IllegalMove):
            draw.check_match_result(rounds, at, number, wins)
    with pytest.raises(IllegalMove, match="has a result already"):
        draw.check_match_result(rounds, 1, 1, (0, 2))
    with pytest.raises(IllegalMove, match="not known yet"):
        draw.check_match_result(draw.build_bracket(seeds, [3], {}), 2, 1, (2, 0))


@pytest.mark.parametrize("seed", range(5))
def test_planted_errors_are_all_found_and_nothing_else(seed):
    chance = random.Random(seed)
    players = name_players(40)
    games = draw_qualifying_round(players, 12)
    lines = {}
    for game in games:
        spread = chance.choice((1, -1)) * chance.randint(1, 60)
        lines[game.one, game.round] = CardLine(points_of(spread), spread)
        lines[game.two, game.round] = CardLine(points_of(-spread), -spread)
    assert cross_check(games, lines, SCHEME) == []
    planted = chance.sample(games, 60)
    for game in planted:
        key = (game.one if chance.random() < 0.5 else game.two, game.round)
        points, spread, _ = lines[key]
        pairs = [(points, -spread), (points, spread + (1 if spread > 0 else -1)), (0 if points else 2, spread),
                 (points, None), (points + 1, spread)]  # fmt: skip
        lines[key] = CardLine(*chance.choice(pairs))
    found = cross_check(games, lines, SCHEME)
    assert {each.game for each in found} == set(planted)
    for each in found:
        made = propose_ruling(each, {each.game.one, each.game.two}, SCHEME)
        ruled = dict(zip([(name, each.game.round) for name in each.game[2:]], made.lines, strict=True))
        assert all(left.is_settled for left in cross_check([each.game], ruled, SCHEME))
