"""A game is begun on a phone: against the companion or not, with pegs that are read or on a plain board."""

import json
import urllib.request

import pytest

from tests.support.waiting import wait_until

CLUB = {"seat": 0, "level": "club"}


def begin(table, code=201, **body):
    return table.post("/api/table", code, **body)


def choice(snapshot):
    return snapshot["game"]["pegs"], snapshot["game"]["against"]


def test_a_table_reads_pegs_and_has_no_companion_by_default(program):
    assert choice(program().state) == ("read", None)


def test_a_table_without_sensors_is_plain_and_refuses_to_read(program):
    table = program("--sensors", "none:")
    assert choice(table.state) == ("plain", None)
    assert "no sensors" in begin(table, 409, game="six-card", pegs="read")["error"]
    assert choice(begin(table, game="six-card", pegs="plain")) == ("plain", None)


def test_a_plain_game_moves_its_pegs_itself_and_asks_for_nothing(program):
    table = program()
    begin(table, game="six-card", pegs="plain")
    now = table.move("starter", card="JD")
    assert (now["scores"], now["dues"], now["advice"], now["question"]) == ([2, 0], [], [], None)
    assert now["pegs"][0]["front"] == "red-2"
    before = table.occupied_holes()
    table.lift("red-start-1")
    table.place("red-30")
    wait_until(lambda: table.occupied_holes() != before)
    now = table.move("play", seat=1, card="TH")
    assert (now["scores"], now["dues"], now["advice"], now["question"]) == ([2, 0], [], [], None)


def test_both_choices_survive_a_kill_and_are_those_of_each_game(program):
    table = program()
    first = begin(table, game="six-card", pegs="plain", against=CLUB)
    assert choice(first) == ("plain", CLUB)
    second = begin(table, game="six-card")
    assert choice(second) == ("read", None)
    table.kill()
    table = program()
    assert choice(table.state) == ("read", None)
    unfinished = [each["id"] for each in table.get("/api/tables")["tables"]]
    resumed = begin(table, resume=unfinished[1])
    assert choice(resumed) == ("plain", CLUB)
    assert [player["name"] for player in resumed["players"]] == ["Companion", "Blue"]
    table.kill()
    assert choice(program().state) == ("plain", CLUB)


def test_the_companion_plays_the_seat_that_it_was_given_and_its_name_goes_with_it(program):
    table = program()
    begin(table, game="six-card", pegs="plain", against=CLUB, dealer=0)
    table.post("/api/seat", 201, seat=1)
    cards = wait_until(lambda: table.get("/api/hand")["cards"])
    assert len(cards) == 6
    table.post("/api/hand", 201, cards=cards[:4])
    table.until(lambda now: now["phase"] == "play" and now["turn"] == 1)
    table.move("play", seat=1, card=cards[0])
    table.until(lambda now: now["played"][0])
    now = begin(table, game="six-card", seats=3)
    assert [player["name"] for player in now["players"]] == ["Red", "Blue", "Green"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"game": "pursuit", "against": CLUB}, "six-card and five-card"),
        ({"game": "six-card", "seats": 3, "against": CLUB}, "two players"),
        ({"game": "six-card", "options": {"counting": "manual"}, "against": CLUB}, "counts"),
        ({"game": "six-card", "against": {"seat": 2, "level": "club"}}, "seat"),
    ],
)
def test_what_cannot_be_is_refused_and_the_game_goes_on(program, body, reason):
    table = program()
    run = table.state["moves"], table.get("/api/tables")
    assert reason in begin(table, 409, **body)["error"]
    assert (table.state["moves"], table.get("/api/tables")) == run


@pytest.mark.parametrize(
    "bad", [{"pegs": "none"}, {"against": "club"}, {"against": {"seat": 1}}, {"against": {"seat": 1, "level": "god"}}]
)
def test_a_malformed_choice_is_a_bad_request(program, bad):
    assert begin(program(), 400, game="six-card", **bad)["error"]


def test_the_flag_is_the_default_of_later_games_and_null_leaves_it_out(program):
    table = program("--against", "novice")
    assert choice(table.state)[1] == {"seat": 1, "level": "novice"}
    assert choice(begin(table, game="pegs-only"))[1] is None
    assert choice(begin(table, game="five-card"))[1] == {"seat": 1, "level": "novice"}
    assert choice(begin(table, game="five-card", against=None))[1] is None
    table.kill()
    schema = json.loads(urllib.request.urlopen(f"http://127.0.0.1:{program().port}/api/openapi.json").read())
    assert {"pegs", "against"} <= set(schema["components"]["schemas"]["Game"]["properties"])
