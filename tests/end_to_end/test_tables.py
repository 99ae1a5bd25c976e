"""Another game from the phone, a plain board, and sensors one day after all: lights, streams and recording go on."""

import http.client
import json
import subprocess
import sys
from contextlib import closing

from tests.support.waiting import PATIENCE_S


def test_an_evening_of_three_games_without_a_restart(program, tmp_path):
    record = tmp_path / "evening.jsonl"
    table = program("--record", str(record), quiet_ms=40)
    with closing(http.client.HTTPConnection("127.0.0.1", table.port, timeout=PATIENCE_S)) as line:
        line.request("GET", "/api/stream")
        stream = line.getresponse()
        first = table.scan("JD")
        begun = table.post("/api/table", 201, game="pegs-only")
        assert (begun["run"], begun["moves"]) == (first["run"], 1)
        table.until(lambda now: now["pegs"])
        table.peg("red-start-2", "red-6")
        assert table.until(lambda now: now["scores"] == [6, 0])["moves"] == 2
        bases = table.post("/api/table", 201, game="bases", dealer=1)
        assert (bases["board"], bases["moves"]) == ("bases", 2)
        told = []
        while not told or told[-1]["number"] < bases["number"]:
            if (text := stream.readline()).startswith(b"data: "):
                told.append(json.loads(text[6:]))
    assert {each["run"] for each in told} == {first["run"]}
    assert [each["game"]["key"] for each in told][-1] == "bases"
    numbers = [each["number"] for each in told]
    assert numbers == sorted(set(numbers))
    table.post("/api/table", 201, resume=2)
    table.kill()
    again = program(quiet_ms=40)
    assert (again.state["game"]["key"], again.state["scores"], again.state["moves"]) == ("pegs-only", [6, 0], 2)
    assert {"red-6", "blue-start-1"} <= set(again.occupied_holes())
    assert again.move("undo")["scores"] == [0, 0]
    command = [sys.executable, "-m", "companion", "trace", record]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    said = [json.loads(each) for each in ran.stdout.splitlines()]
    assert [each["points"] for each in said if each.get("event") == "pegged"] == [6]
    assert not [each for each in said if "error" in each]


def test_names_are_kept_for_a_new_game_of_the_next_start(program):
    table = program()
    table.post("/api/players", 201, seat=1, name="Zoë", colour="white")
    assert table.end() == 0
    again = program("--new", "--game", "swap")
    assert [each["name"] for each in again.state["players"]] == ["Red", "Zoë"]
    assert again.state["players"][1]["colour"] == "white"


NONE = ("--sensors", "none:", "--lights", "none:", "--cards", "none:", "--buttons", "none:")


def test_a_hand_is_played_by_phone_alone_and_goes_on_with_a_board_that_is_read(program):
    table = program(*NONE)
    shown = table.until(lambda now: all(device["ok"] for device in now["devices"].values()))
    assert shown["devices"] == {
        name: {"url": "none:", "ok": True, "say": ""} for name in ("sensors", "lights", "cards", "buttons")
    }
    assert table.get("/api/health")["ok"]
    assert table.ask("GET", "/bench")[0] == 404
    assert table.ask("GET", "/api/bench/holes")[0] == 404
    for card in ("KD", "5H", "TH", "TS", "6C"):
        table.move("card", card=card)
    shown = table.state
    assert shown["scores"] == [4, 2]
    assert shown["pegs"][0] == {"seat": 0, "front": "red-4", "back": "red-2"}
    assert (shown["dues"], shown["advice"], shown["question"]) == ([], [], None)
    assert table.move("undo")["pegs"][0] == {"seat": 0, "front": "red-2", "back": "red-start-1"}
    pegs = table.move("card", card="6C")["pegs"]
    assert table.end() == 0

    table = program()
    shown = table.until(lambda now: all(device["ok"] for device in now["devices"].values()))
    assert shown["pegs"] == pegs
    assert (shown["dues"], shown["question"]) == ([], None)
    assert table.occupied_holes() == ["blue-2", "blue-start-1", "red-2", "red-4"]
    assert table.end() == 0

    table = program(*NONE)
    assert table.state["pegs"] == pegs
