"""Statistics: points by play, hand and crib, best hand, luck of the starter, head-to-head, records."""

from contextlib import closing

import pytest

from companion.history import statistics
from companion.history.games import (
    EveningGames,
    compute_player_records,
    count_head_to_head,
    find_last_evening,
    summarize_evenings,
)
from companion.journal.journal import Journal, JournalEntry
from companion.rules import scoring
from companion.rules.cards import PACK, parse_card
from companion.rules.engine import Award, History
from companion.rules.moves import Crib, Hand
from companion.table.players import PlayerProfile, dump_players
from companion.table.setup import create_plan
from tests.oracles.driver import play_game
from tests.oracles.kinds import KINDS
from tests.support.whole_games import PLAYED_GAMES

UNDO = {"type": "undo"}


@pytest.fixture
def journal(tmp_path):
    with closing(Journal(tmp_path / "journal.sqlite3")) as opened:
        yield opened


def play(journal, key, seed, who=()):
    setup, moves, past = play_game(KINDS[key], seed)
    options = {name: str(value) for name, value in setup.options.items()}
    journal.begin_game(create_plan(key, setup.seats, setup.dealer, options).journal_json, dump_players(who))
    for move in moves:
        journal.write((JournalEntry("move", "phone", move),))
    return past


@pytest.mark.parametrize("game", PLAYED_GAMES, ids=lambda game: game.key)
@pytest.mark.parametrize("seed", range(6))
def test_every_point_of_a_game_was_earned_in_the_play_a_hand_the_crib_or_otherwise(game, seed, journal):
    play(journal, game.key, seed)
    for told in EveningGames(journal).list_games():
        assert told["race"][-1]["scores"] == told["scores"]
        for side, points in enumerate(told["points"]):
            assert set(points) == set(statistics.SCORING_PARTS)
            if told["winner"] is None and game.key in ("six-card", "pegs-only"):
                assert sum(points.values()) == told["scores"][side]
            elif game.key in ("six-card", "pegs-only"):
                assert sum(points.values()) >= told["scores"][side]  # awards carry full points


def test_a_deal_s_points_are_parted_as_they_were_earned(journal):
    journal.begin_game(create_plan("six-card").journal_json)
    cards = ["3C", "5D", "QD", "4H", "TH"]
    moves = [{"type": "starter", "card": cards[0]}]
    moves += [{"type": "play", "seat": (n + 1) % 2, "card": card} for n, card in enumerate(cards[1:])]
    moves += [{"type": "go", "seat": 1}, {"type": "go", "seat": 0}]
    moves += [{"type": "play", "seat": s, "card": c} for s, c in ((1, "JC"), (0, "8S"), (1, "9S"))]
    moves += [{"type": "go", "seat": 0}, {"type": "play", "seat": 0, "card": "QH"}]
    moves += [{"type": "crib", "cards": ["7S", "6S", "JS", "5H"]}, {"type": "adjust", "seat": 1, "points": 1}]
    for move in moves:
        journal.write(
            (
                JournalEntry("move", "phone", move),
                JournalEntry("move", "phone", UNDO),
                JournalEntry("move", "phone", move),
            )
        )
    (told,) = EveningGames(journal).list_games()
    assert told["points"] == [
        {"play": 4, "hand": 2, "crib": 7, "other": 0}, {"play": 1, "hand": 6, "crib": 0, "other": 1},
    ]  # fmt: skip
    best = {"seat": 0, "points": 7, "part": "crib", "cards": ["JS", "5H", "7S", "3C", "6S"], "ms": 0}
    assert told["best"] | {"ms": 0} == best
    assert told["best_crib"] == told["best"]
    assert [told["best_hand"][key] for key in ("seat", "points", "part")] == [1, 6, "hand"]
    assert (told["scores"], told["winner"], told["ended_ms"]) == ([13, 8], None, None)


@pytest.mark.parametrize("moves", [(Crib(()), Hand(0, ())), (Hand(0, ()), Crib(()))])
def test_of_equal_hands_and_cribs_the_first_is_best(moves):
    plan = create_plan("six-card")
    state = plan.game.start(plan.setup)
    played = [
        statistics.PlayedMove(History(state, None, move, (Award(0, 8, "run"),)), state, ms)
        for ms, move in enumerate(moves)
    ]
    best = statistics.summarize_game(plan, played)["best"]
    assert (best["part"], best["ms"]) == (type(moves[0]).__name__.lower(), 0)


def test_hands_are_compared_with_the_average_of_the_same_cards(journal):
    """Ann's 5H 5S 5C JD with the 5 of diamonds: 29, and 372/48 over all 48 starters."""
    journal.begin_game(create_plan("six-card", 2, 0).journal_json)
    plays = [(1, "2C"), (0, "5H"), (1, "4D"), (0, "5S"), (1, "6H"), (0, "5C")]
    moves = [{"type": "starter", "card": "5D"}]
    moves += [{"type": "play", "seat": seat, "card": card} for seat, card in plays]
    moves += [{"type": "go", "seat": 1}, {"type": "go", "seat": 0}]
    moves += [{"type": "play", "seat": 1, "card": "KS"}, {"type": "play", "seat": 0, "card": "JD"}]
    for move in moves:
        journal.write((JournalEntry("move", "phone", move),))
    (told,) = EveningGames(journal).list_games()
    pone = [parse_card(each) for each in ("2C", "4D", "6H", "KS")]
    others = [each for each in PACK if each not in pone]
    mean = sum(scoring.points(pone, each) for each in others) / 48
    dealt = [parse_card(each) for each in ("5H", "5S", "5C", "JD")]
    best = sum(scoring.points(dealt, each) for each in PACK if each not in dealt) / 48
    assert told["cuts"] == [
        {"hands": 1, "counted": 29, "mean": round(best, 3)},
        {"hands": 1, "counted": scoring.points(pone, parse_card("5D")), "mean": round(mean, 3)},
    ]


@pytest.mark.parametrize(("key", "seed"), [("six-card", 1), ("six-card", 2), ("six-card", 6), ("five-card", 10)])
def test_where_the_table_counts_hands_have_counted_what_they_earned(key, seed, journal):
    setup, moves, _ = play_game(KINDS[key], seed)
    options = {name: str(value) for name, value in setup.options.items()}
    journal.begin_game(create_plan(key, setup.seats, setup.dealer, options).journal_json)
    last = max(n for n, move in enumerate(moves) if move["type"] in ("starter", "next"))
    for move in moves[:last]:
        journal.write((JournalEntry("move", "phone", move),))
    told = EveningGames(journal).list_games()[-1]
    assert [each["counted"] for each in told["cuts"]] == [each["hand"] + each["crib"] for each in told["points"]]
    assert all(abs(each["counted"] - each["mean"]) < 5 * each["hands"] for each in told["cuts"])


@pytest.mark.parametrize("key", ["swap", "shuffle", "pegs-only"])
def test_a_game_without_hands_has_no_odds(key, journal):
    play(journal, key, 1)
    assert {each["cuts"] for each in EveningGames(journal).list_games()} == {None}


def test_series_and_records_go_by_the_names_of_those_who_played(journal):
    for seed in range(8):
        play(journal, "six-card", seed, (PlayerProfile("Ann"), PlayerProfile("Bob")))
    every = EveningGames(journal).list_games()
    over = [each for each in every if each["winner"] is not None and each["names"] == ["Ann", "Bob"]]
    assert over
    (match,) = [each for each in count_head_to_head(every) if {*each["names"]} == {"Ann", "Bob"}]
    assert sum(match["won"]) == len(over)
    assert sum(match["points"]) == sum(each["game_points"] for each in over)
    ann = next(own for own in compute_player_records(every) if own["name"] == "Ann")
    assert (
        match["won"][match["names"].index("Ann")]
        <= ann["won"]
        <= ann["games"]
        == len([e for e in every if e["ended_ms"] and "Ann" in e["names"]])
    )
    assert [each["table"] for each in find_last_evening(every)] == [each["table"] for each in every][::-1]


def test_an_evening_is_summarized_by_its_finished_games():
    def game(hour, winner, points, ended=True):
        end = hour * 3_600_000
        best = {"seat": 1, "points": points}
        return {"names": ["Ann", "Bo"], "winner": winner, "best": best, "began_ms": end - 60_000, "race": [{"ms": end}],
                "ended_ms": end if ended else None}  # fmt: skip

    games = [game(1, 0, 12), game(20, 1, 20), game(21, 1, 24), game(22, 0, 8), game(23, None, 29, ended=False)]
    assert summarize_evenings(games) == [
        {
            "began_ms": games[1]["began_ms"],
            "games": 3,
            "names": ["Bo", "Ann"],
            "won": [2, 1],
            "best": {"name": "Bo", "points": 24},
        },
        {
            "began_ms": games[0]["began_ms"],
            "games": 1,
            "names": ["Ann", "Bo"],
            "won": [1, 0],
            "best": {"name": "Bo", "points": 12},
        },
    ]
    assert summarize_evenings([]) == []


def test_what_was_not_played_since_is_not_folded_again(journal, monkeypatch):
    play(journal, "pegs-only", 0)
    evenings = EveningGames(journal)
    first = evenings.list_games()
    monkeypatch.setattr("companion.history.games.apply_entry", lambda *_: 1 / 0)
    assert evenings.list_games() == first


def test_the_leader_comes_first_and_of_equal_players_who_sat_down_first():
    def game(hour, names, winner):
        times = {"began_ms": hour, "ended_ms": hour, "race": [{"ms": hour}]}
        return times | {
            "names": names, "winner": winner, "best": None, "game": {"key": "six-card"}, "game_points": 1,
        }  # fmt: skip

    games = [game(1, ["Zoe", "Ann"], 0), game(2, ["Ann", "Zoe"], 0)]
    (level,), (match,) = summarize_evenings(games), count_head_to_head(games[::-1])
    assert level["names"] == match["names"] == ["Zoe", "Ann"]
    games.append(game(3, ["Ann", "Zoe"], 0))
    (ahead,), (match,) = summarize_evenings(games), count_head_to_head(games)
    assert ahead["names"] == match["names"] == ["Ann", "Zoe"]
    assert (ahead["won"], match["points"]) == ([2, 1], [2, 1])
