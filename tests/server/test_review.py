"""Reviews: refused before the end of a game, complete after it."""

import pytest

from companion.coach import advise
from companion.rules.moves import Next, Play, Starter, Undo
from companion.table.game_switcher import GameSwitcher, NewGameRequest
from tests.plugins.arena.recorded_game import RecordedGame
from tests.server.conftest import create_table_app
from tests.server.test_openapi import check_answer
from tests.support.tables import open_table

from .conftest import join_table


@pytest.fixture(scope="module")
def game():
    return RecordedGame(4)


def test_the_review_comes_only_after_the_end(table, player, watcher, game):
    *most, last = game.taken
    for each in most:
        table.submit(each.move)
    refused = watcher.get("/api/review")
    assert (refused.status_code, "not over" in refused.json["error"]) == (409, True)

    table.submit(last.move)
    told = watcher.get("/api/review?table=1").json

    assert (told["over"], told["names"]) == (True, ["Red", "Blue"])
    assert [each["win_lost"] for each in told["choices"]] == sorted(
        (each["win_lost"] for each in told["choices"]), reverse=True
    )
    assert told["unknown"]
    check_answer("/api/review", told)
    worst = told["choices"][0]
    ranked = advise.answer_question(worst["asked"])["choices"]
    best = ranked[0]["play" if worst["kind"] == "play" else "discard"]
    assert worst["best"] == best
    deal = watcher.get(f"/api/review?hand={worst['hand']}").json
    assert deal["choices"][0]["ranked"] == ranked
    assert {each["hand"] for each in deal["choices"]} == {worst["hand"]}

    table.submit(Next())
    assert watcher.get("/api/review").status_code == 409
    assert watcher.get("/api/review?game=1").json["choices"] == told["choices"]
    table.submit(Undo())
    table.submit(Undo())
    assert watcher.get("/api/review").status_code == 409


def test_the_hand_saved_by_a_phone_shows_who_discarded_what(table, player, game):
    player.post("/api/seat", json={"seat": 0})
    wholes = [whole for seat, whole in game.wholes if seat == 0 and len(whole) == 6]
    for each in game.taken:
        if isinstance(each.move, Starter):
            sent = {"cards": [str(card) for card in wholes.pop(0)]}
            assert player.post("/api/hand", json=sent).status_code == 201
        table.submit(each.move)
    told = player.get("/api/review").json
    discards = [each for each in told["choices"] if each["kind"] == "discard"]
    assert {each["seat"] for each in discards} == {0, 1}
    assert len(discards) >= 2 * len({each["hand"] for each in discards}) - 1


def test_with_hints_counted_deals_are_reviewed(tmp_path, game):
    table = open_table(tmp_path, hints="on")
    player = join_table(create_table_app(GameSwitcher(table)).test_client())
    assert player.get("/api/review").status_code == 404
    cuts = 0
    for each in game.taken:
        cuts += isinstance(each.move, Starter)
        table.submit(each.move)
        if cuts == 3 and isinstance(each.move, Play):
            break
    told = player.get("/api/review").json
    table.close()
    assert told["over"] is False
    assert {each["hand"] for each in told["choices"]} == {1, 2}


def test_other_games_have_no_review(table, player, watcher):
    tables = GameSwitcher(table)
    tables.begin_game(NewGameRequest(game="pegs-only"))
    assert "six-card" in watcher.get("/api/review").json["error"]
    tables.begin_game(NewGameRequest(game="six-card", seats=3))
    assert watcher.get("/api/review").status_code == 409
    assert watcher.get("/api/review?table=99").status_code == 404
    assert watcher.get("/api/review?hand=x").status_code == 400
