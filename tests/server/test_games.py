"""The routes of games: begin another game while the program runs, resume an earlier one."""

import json
import shutil

import pytest

from companion.boards import catalog
from companion.common.paths import resource_folder
from companion.table import available_games
from tests.server.conftest import join_table

CUT, FIVE = {"type": "starter", "card": "JD"}, {"type": "play", "seat": 1, "card": "5H"}
OPTION = {"counting": "manual"}


def make_move(player, *moves):
    for move in moves:
        assert player.post("/api/moves", json=move).status_code == 201


def test_another_game_begins_and_the_present_is_kept(player, table):
    before = table.snapshot
    make_move(player, CUT, FIVE)
    reply = player.post("/api/table", json={"game": "pursuit", "seats": 3, "dealer": 2})
    new = reply.json
    assert reply.status_code == 201
    assert (new["game"]["key"], new["game"]["seats"], new["board"], new["dealer"]) == ("pursuit", 3, "pursuit", 2)
    assert (new["run"], new["moves"], new["scores"]) == (before.run, 2, [0, 0, 0])
    assert new["number"] > before.number + 2
    assert player.get("/api/state").json == new
    assert player.get("/api/board").json["name"] == "pursuit"
    holes = player.get("/api/board").json["holes"]
    columns = player.get("/api/board?columns").json["holes"]
    assert [dict(zip(columns, each, strict=True)) for each in zip(*columns.values(), strict=True)] == holes
    assert len(table.journal.read_entries(1)) == 2


def test_an_interrupted_game_is_resumed_unchanged(player, table):
    make_move(player, CUT, FIVE)
    left = player.get("/api/state").json
    made_anew = player.post("/api/table", json={"game": "six-card", "options": OPTION}).json
    assert (made_anew["game"]["options"]["counting"], made_anew["phase"]) == ("manual", "cut")
    back = player.post("/api/table", json={"resume": 1})
    assert back.status_code == 201
    assert {**back.json, "number": 0, "advice": left["advice"]} == {**left, "number": 0}
    assert back.json["advice"] == []  # the board was not read yet
    table.on_levels(0)
    assert player.get("/api/state").json["advice"] == left["advice"]
    make_move(player, {"type": "undo"}, {"type": "undo"})
    assert player.get("/api/state").json["phase"] == "cut"
    assert player.post("/api/table", json={"resume": 2}).json["game"]["options"]["counting"] == "manual"
    assert player.get("/api/state").json["moves"] == 4


BAD = [
    {}, [], {"game": 5}, {"game": "six-card", "seats": "2"}, {"game": "six-card", "seats": True}, {"seats": 2},
    {"game": "six-card", "options": ["counting"]}, {"game": "six-card", "options": {"counting": 1}},
    {"game": "six-card", "board": 1}, {"resume": "1"}, {"resume": -1}, {"resume": True}, {"resume": 1, "game": "swap"},
]  # fmt: skip
WRONG = [
    {"game": "whist"}, {"game": "six-card", "seats": 5}, {"game": "six-card", "dealer": 2},
    {"game": "six-card", "options": {"counting": "later"}}, {"game": "six-card", "options": {"speed": "1"}},
    {"game": "six-card", "board": "bases"}, {"game": "six-card", "board": "chess"},
    {"game": "six-card", "board": "/etc/passwd.toml"},
]  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "code"), [(a, 400) for a in BAD] + [(a, 409) for a in WRONG] + [({"resume": 7}, 404)]
)
def test_an_impossible_game_is_refused_and_changes_nothing(player, table, asked, code):
    make_move(player, CUT)
    before, games = table.snapshot, table.journal.query("SELECT id FROM game")
    refused = player.post("/api/table", json=asked)
    assert (refused.status_code, list(refused.json)) == (code, ["error"])
    assert refused.json["error"].endswith((".", ")"))
    assert table.snapshot is before
    assert table.journal.query("SELECT id FROM game") == games
    make_move(player, FIVE)


def test_two_phones_beginning_one_game_share_it(player, app, watcher):
    other = join_table(app.test_client())
    first, second = (phone.post("/api/table", json=PEGS_ONLY | {"names": ["Ann"]}) for phone in (player, other))
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json == second.json
    assert [each["id"] for each in watcher.get("/api/tables").json["tables"]] == [2, 1]


def test_watchers_begin_no_game(watcher, table):
    assert watcher.post("/api/table", json={"game": "swap"}).status_code == 403
    assert table.snapshot.game["key"] == "six-card"


def test_what_can_be_played_is_offered_to_everybody(watcher):
    games = {game["key"]: game for game in watcher.get("/api/games").json["games"]}
    assert games["bases"]["boards"] == ["bases"]
    assert all(game["playable"] and game["why"] is None for game in games.values())


def test_a_new_board_file_offers_its_title(watcher, tmp_path, monkeypatch):
    """Adding a board takes one file: its German, too, comes from the catalogue alone."""
    boards = tmp_path / "boards"
    shutil.copytree(resource_folder("hardware/boards"), boards)
    text = (boards / "loop-60.toml").read_text("utf-8")
    (boards / "new.toml").write_text(text.replace('"Loop: 60 holes"', '"A new board"'), "utf-8")
    (boards / "untitled.toml").write_text(text.replace('title = "Loop: 60 holes"', ""), "utf-8")
    monkeypatch.setattr(catalog, "resource_folder", lambda _: boards)
    available_games._find_playable_boards.cache_clear()
    offered = watcher.get("/api/games?lang=de").json["games"]
    available_games._find_playable_boards.cache_clear()
    (six,) = (game for game in offered if game["key"] == "six-card")
    assert {"new", "untitled"} <= set(six["boards"]) == set(six["board_titles"])
    titles = [six["board_titles"][name] for name in ("new", "untitled", "loop-60")]
    assert titles == ["A new board", "untitled", "Runde: 60 Löcher"]


def test_the_simulated_board_follows_the_new_game(bench, table, until):
    assert len(bench.get("/api/bench/lights").json) == 3 * 123
    assert bench.post("/api/table", json={"game": "bases", "dealer": 0}).status_code == 201
    assert set(bench.get("/api/bench/lights").json) == {hole["id"] for hole in bench.get("/api/board").json["holes"]}
    assert until(lambda: bench.get("/api/state").json["devices"]["sensors"]["ok"])
    assert bench.get("/api/bench/holes").json["occupied"]
    back = bench.post("/api/table", json={"resume": 1}).json
    assert until(lambda: {"red-start-1", "blue-start-2"} <= set(bench.get("/api/bench/holes").json["occupied"]))
    assert bench.post("/api/bench/holes", json={"place": "red-2"}).status_code == 202
    assert back["board"] == "classic"


def test_names_are_used_everywhere_and_kept(player, app, table):
    named = player.post("/api/players", json={"seat": 1, "name": " Zoe\u0308 ", "colour": "green"})
    assert named.status_code == 201
    assert named.json["players"] == [
        {"seat": 0, "side": 0, "name": "Red", "colour": "red"},
        {"seat": 1, "side": 1, "name": "Zoë", "colour": "green"},
    ]  # fmt: skip
    assert named.json["number"] == app.test_client().get("/api/state").json["number"] > 1
    make_move(player, CUT, FIVE)
    assert player.get("/api/state").json["last"]["said"] == ["Zoë played the 5 of hearts."]
    assert player.get("/api/history").json["moves"][1]["say"] == ["Zoë played the 5 of hearts."]
    assert player.post("/api/moves", json=FIVE | {"card": "6H"}).json["error"] == "It is Red's turn."
    new = player.post("/api/table", json={"game": "pursuit", "seats": 3, "names": ["Ann", None, "Zoë"]}).json
    assert [each["name"] for each in new["players"]] == ["Ann", "Zoë (green)", "Zoë (blue)"]
    assert [each["name"] for each in player.post("/api/table", json={"resume": 1}).json["players"]] == ["Red", "Zoë"]
    assert [each["names"] for each in player.get("/api/tables").json["tables"]] == [
        ["Ann", "Zoë (green)", "Zoë (blue)"], ["Red", "Zoë"]]  # fmt: skip


PLAIN_SIX = {"game": "six-card", "pegs": "plain"}
AGAINST = PLAIN_SIX | {"against": {"seat": 1, "level": "novice"}}
PEGS_ONLY = {"game": "pegs-only", "pegs": "plain", "against": None}


def begin(player, body, *names):
    """Begin a game as the page does, with the names in its sheet; return the names at the table."""
    reply = player.post("/api/table", json=body | {"names": [*names]})
    return [each["name"] for each in reply.json["players"]]


@pytest.mark.parametrize("between", [AGAINST, PLAIN_SIX, {"game": "six-card"}, PEGS_ONLY])
def test_names_belong_to_seats_in_every_way(player, between):
    """The companion has a name only in its own game: the person of its seat is there again in the next one."""
    begin(player, PEGS_ONLY | {"seats": 3}, "Ann", "Bob", "Cid")
    now = player.post("/api/table", json=between | {"seats": 2}).json["players"]
    assert [each["name"] for each in now] == ["Ann", "Companion" if between is AGAINST else "Bob"]
    assert player.get("/api/players").json == {"names": ["Ann", "Bob", "Cid"]}
    again = begin(player, between, "Anna", None)
    assert again == ["Anna", "Companion" if between is AGAINST else "Bob"]
    player.post("/api/table", json=AGAINST | {"against": {"seat": 0, "level": "novice"}})
    assert player.get("/api/players").json == {"names": ["Anna", "Bob", "Cid"]}
    named = player.post("/api/table", json={"game": "pegs-only", "seats": 3}).json["players"]
    assert [each["name"] for each in named] == ["Anna", "Bob", "Cid"]


def test_the_companions_own_name_takes_no_name_away(player):
    """The page sends the colour of the seat for it, as for a seat without a name."""
    begin(player, PEGS_ONLY, "Ann", "Bob")
    assert begin(player, AGAINST, "Ann", "Blue") == ["Ann", "Companion"]
    assert player.get("/api/players").json == {"names": ["Ann", "Bob"]}
    assert begin(player, PEGS_ONLY, "Ann", "Blue") == ["Ann", "Blue"]
    assert player.get("/api/players").json == {"names": ["Ann", ""]}


NOBODY = [
    {}, {"seat": 0}, {"name": "Ann"}, {"seat": 2, "name": "Ann"}, {"seat": -1, "name": "Ann"},
    {"seat": "0", "name": "A"},
    {"seat": True, "name": "A"}, {"seat": 0, "name": ""}, {"seat": 0, "name": "a\u0007"}, {"seat": 0, "name": "x" * 25},
    {"seat": 0, "name": 5}, {"seat": 0, "colour": "pink"}, {"seat": 0, "colour": ["red"]}, [],
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "sent"),
    [("/api/players", sent) for sent in NOBODY]
    + [("/api/table", {"game": "swap", "names": names}) for names in ("Ann", ["a"] * 6, [5], [""])],
)
def test_an_invalid_name_changes_nothing(player, table, path, sent):
    before = table.snapshot
    refused = player.post(path, json=sent)
    assert (refused.status_code, list(refused.json)) == (400, ["error"])
    assert table.snapshot is before


def test_tables_are_listed_a_page_at_a_time(player, watcher):
    for _ in range(3):
        assert player.post("/api/table", json={"game": "swap"}).status_code == 201
    tables = watcher.get("/api/tables").json["tables"]
    assert [each["id"] for each in tables] == [4, 3, 2, 1]
    assert set(tables[0]) == {"id", "game", "names", "colours", "began", "ended", "scores", "winner", "moves"}
    assert [each["id"] for each in watcher.get("/api/tables?before=3").json["tables"]] == [2, 1]
    assert watcher.get("/api/tables?before=0").json == {"tables": []}
    assert watcher.get("/api/tables?before=x").status_code == 400


def test_a_table_is_exported_to_everybody(player, watcher):
    make_move(player, CUT, FIVE)
    lines = watcher.get("/api/export?table=1&format=jsonl")
    assert [json.loads(line).get("body") for line in lines.text.splitlines()] == [None, CUT, FIVE]
    assert lines.headers["Content-Disposition"] == 'attachment; filename="cribbage-table-1.jsonl"'
    assert watcher.get("/api/export").text == lines.text
    sheet = watcher.get("/api/export?format=csv")
    assert (sheet.mimetype, len(sheet.text.splitlines())) == ("text/csv", 3)
    for asked, code in (("table=9", 404), ("table=x", 400), ("format=xml", 400)):
        assert watcher.get(f"/api/export?{asked}").status_code == code
