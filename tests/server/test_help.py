"""The help pages, which need no script."""

import re

import pytest

from companion.boards import catalog
from companion.rules import GAMES
from companion.rules.engine import Option
from companion.table.available_games import list_available_games


def list_boards(key):
    return next(game["boards"] for game in list_available_games() if game["key"] == key)


@pytest.mark.parametrize("key", [game.key for game in GAMES])
def test_every_games_help_is_complete(watcher, key):
    page = watcher.get(f"/help/{key}")
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert "<script" not in page.text
    assert not re.search(r"[{}]| style=", page.text)
    assert page.text.count('class="peg-hole"') == len(catalog.load_board(list_boards(key)[0]).holes)
    assert page.text.count("<details") > 8
    assert "House rules" in page.text
    assert page.headers["Content-Security-Policy"].startswith("default-src 'self'")


def test_the_help_describes_the_current_settings(watcher):
    present, other = watcher.get("/help/six-card").text, watcher.get("/help/swap").text
    assert 'data-options="present"' in present
    assert 'data-options="usual"' in other
    assert other.count("<figure>") == 4


def test_the_options_are_given_in_words(watcher):
    page = watcher.get("/help/six-card").text
    options = page.partition("<table data-options")[2].partition("</table>")[0]
    assert "<b>Counting</b>" in options
    assert "<td>the phone counts</td>" in options
    assert "<td>1, 2, 4 games</td>" in options
    german = watcher.get("/help/bases?lang=de").text
    assert "<td>3 Innings</td>" in german
    assert "<b>Innings</b>" in german


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_option_and_value_has_a_name(game):
    for option in game.options.values():
        assert isinstance(option, Option)
        assert all((option.name, option.description, *option.value_names.values()))


def test_help_on_plain_boards_mentions_the_phone(bench):
    bench.post("/api/table", json={"game": "pegs-only", "pegs": "read"})
    assert "put the pegs back" in bench.get("/help/pegs-only").text
    assert bench.post("/api/table", json={"game": "pegs-only", "pegs": "plain"}).status_code == 201
    page = bench.get("/help/pegs-only").text
    assert "The phone keeps the score." in page
    for wrong in ("reads the pegs", "put the pegs back", "the table asks", "the next one begins"):
        assert wrong not in page
    german = bench.get("/help/pegs-only?lang=de").text
    assert "Das Handy führt den Punktestand." in german


def test_help_on_an_unknown_game_is_not_found(watcher):
    assert watcher.get("/help/euchre").status_code == 404
    assert watcher.get("/help/words").status_code == 404
