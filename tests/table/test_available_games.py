"""What is played: the list of available games, and plans of tables."""

import json
import shutil

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.common.errors import BoardError
from companion.common.paths import resource_folder
from companion.rules import GAMES, complete_options
from companion.rules import find_game as game_by_key
from companion.settings import Settings
from companion.table.available_games import list_available_games
from companion.table.setup import create_plan
from companion.table.state import create_core


def describe_game(key, attached=None):
    return next(game for game in list_available_games(attached) if game["key"] == key)


@pytest.mark.parametrize("game", list_available_games(), ids=lambda game: game["key"])
def test_everything_that_is_offered_can_be_begun(game):
    assert game["playable"]
    assert game["why"] is None
    assert game["say"]
    for seats in game["seats"]:
        create_core(create_plan(game["key"], seats), Settings())
    for option in game["options"]:
        assert option["say"]
        assert option["default"] == option["values"][0]
        for value in option["values"]:
            complete_options(game_by_key(game["key"]), {option["key"]: value})


def test_the_usual_board_comes_first_and_no_board_is_named_that_will_not_do():
    assert describe_game("six-card")["boards"] == ["classic", "classic-61", "loop-60", "pursuit", "pursuit-square"]
    assert describe_game("five-card")["boards"][0] == "classic-61"
    assert describe_game("pursuit")["boards"] == ["pursuit", "loop-60"]
    assert describe_game("bases")["boards"] == ["bases"]


def test_on_an_attached_board_some_games_cannot_be_played_and_it_says_why():
    on_classic = {game["key"]: (game["playable"], game["why"]) for game in list_available_games("classic")}
    assert on_classic["six-card"] == (True, None)
    assert on_classic["bases"] == (
        False,
        "The board classic lacks a complete track bases, which 'Round the Bases needs.",
    )
    assert not on_classic["pursuit"][0]
    assert on_classic["pursuit"][1].endswith(".")
    assert describe_game("six-card", "classic-61")["playable"], "to 61"


def test_a_board_file_of_one_s_own_is_one_to_play_on(tmp_path):
    own = tmp_path / "mine.toml"
    shutil.copy(resource_folder("hardware/boards") / "classic.toml", own)
    assert describe_game("six-card", str(own))["playable"]
    assert not describe_game("bases", str(own))["playable"]


def test_the_command_lists_them_and_its_json_is_the_same():
    runner = CliRunner()
    told = json.loads(runner.invoke(main, ["games", "--json"]).output)
    assert told == {"games": list_available_games()}
    assert [game["key"] for game in told["games"]] == [game.key for game in GAMES]
    text = runner.invoke(main, ["games"]).output
    assert "six-card: Six-card cribbage\n" in text
    assert "  --option counting=auto|manual\n" in text
    assert all(line == line.rstrip() for line in text.splitlines())


ALONE = """
[[track]]
name = "red"
start = [[0, 0], [0, 9]]
path = [{ holes = 121, line = [[0, 20], [0, 900]] }]
[routes]
2 = [{ track = "red" }]
"""


def test_a_board_with_a_way_for_one_of_two_sides_is_refused(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(ALONE)
    with pytest.raises(BoardError, match="no routes for 2 players"):
        create_core(create_plan("six-card", 2, board=str(path)), Settings())
