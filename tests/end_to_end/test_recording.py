"""What a table recorded, run again by `companion trace`: the same events, awards and refusals."""

import json
import subprocess
import sys

import pytest

from companion.journal.journal import Journal
from companion.protocol.json_codec import read_move, to_json_value
from companion.rules.engine import History, advance
from companion.table.setup import create_plan
from tests.support.waiting import PATIENCE_S


def traced(path):
    """What `companion trace` says of a recording, by kind: events, awards, errors, and the last advice."""
    words = [sys.executable, "-m", "companion", "trace", str(path)]
    run = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    assert run.stderr == ""
    said = [json.loads(line) for line in run.stdout.splitlines()]
    assert [line["ms"] for line in said] == sorted(line["ms"] for line in said)
    return said


def played(table, known_hands):
    """A deal with a mistake or two; every snapshot after something happened."""
    told = [table.scan(known_hands.starter)]
    while told[-1]["phase"] == "play":
        told.append(known_hands.play(table))
        table.peg_dues()
        if len(told) == 3:
            told.append(table.scan(known_hands.starter))
            told.append(table.press("undo"))
            told.append(table.move("play", **{k: v for k, v in told[2]["last"]["move"].items() if k != "type"}))
    return [*told, *(table.scan(card) for card in known_hands.crib)]


def test_a_recording_traced_gives_what_happened(program, known_hands, tmp_path):
    path = tmp_path / "recording.jsonl"
    table = program("--record", str(path))
    told = played(table, known_hands)
    table.peg_dues()
    table.lift("red-start-1" if "red-start-1" in table.occupied_holes() else table.state["pegs"][0]["back"])
    table.post("/api/bench/cable", 202, device="cards", plugged=False)
    table.until(lambda now: not now["devices"]["cards"]["ok"])
    last = table.state
    assert table.end() == 0
    said = traced(path)
    events = [line for line in said if "event" in line]
    assert [line["event"] for line in events].count("started") == 1
    assert not any(line["event"] in ("unclear", "resolved") for line in events)
    lost = [line["device"] for line in events if line["event"] == "lost"]
    assert lost[-1] == "cards"
    moved = {shown["moves"]: shown["last"] for shown in told}
    assert [line["award"] for line in said if "award" in line] == [a for m in moved.values() for a in m["awards"]]
    notices = {notice["id"]: notice["say"] for shown in [*told, last] for notice in shown["notices"]}
    assert [line["error"] for line in said if "error" in line] == list(notices.values())  # the next card removes one
    net = [0, 0]
    for line in events:
        if line["event"] in ("pegged", "undone"):
            net[line["seat"]] += line["points"] if line["event"] == "pegged" else -line["points"]
    assert net == last["scores"]


def test_a_recording_begun_in_the_middle_of_a_game_goes_on_from_there(program, known_hands, tmp_path):
    table = program()
    table.scan("JD")
    table.peg_dues()
    table.scan("TH")
    table.kill()
    path = tmp_path / "recording.jsonl"
    table = program("--record", str(path))
    table.scan("5H")
    table.peg_dues()
    undone = table.press("undo")
    assert undone["scores"] == [2, 0]
    table.peg_dues()
    assert table.end() == 0
    first = json.loads(path.read_text().splitlines()[0])["table"]
    assert [move["type"] for move in first["moves"]] == ["starter", "play"]
    assert len(first["pegs"]) == 2
    said = traced(path)
    assert [line["award"]["reason"] for line in said if "award" in line] == ["fifteen"]
    assert [(e["event"], e["points"]) for e in said if e.get("event") in ("pegged", "undone")] == [
        ("pegged", 2),
        ("undone", 2),
    ]


def test_two_recordings_of_one_hand_say_the_same(program, tmp_path):
    """The clock's zero is no part of a recording: shifted in time, it says the same, shifted."""
    path = tmp_path / "recording.jsonl"
    table = program("--game", "pegs-only", "--record", str(path))
    for lift, place in (("red-start-2", "red-6"), ("blue-start-2", "blue-4"), ("red-start-1", "red-10")):
        moves = table.state["moves"]
        table.peg(lift, place)
        table.until(lambda now, moves=moves: now["moves"] > moves)
    assert table.end() == 0
    shifted = tmp_path / "shifted.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    shifted.write_text("".join(json.dumps({**line, "ms": line["ms"] + 86_400_000}) + "\n" for line in lines))
    said = traced(path)
    assert [{**line, "ms": line["ms"] + 86_400_000} for line in said] == traced(shifted)
    pegged = [(line["seat"], line["points"]) for line in said if line.get("event") == "pegged"]
    assert pegged == [(0, 6), (1, 4), (0, 4)]


def test_a_recording_begun_over_an_unfinished_crib_has_its_cards(program, known_hands, tmp_path):
    table = program()
    table.scan(known_hands.starter)
    while table.state["phase"] == "play":
        known_hands.play(table)
    table.scan(known_hands.crib[0])
    table.scan(known_hands.crib[1])
    assert table.end() == 0
    path = tmp_path / "recording.jsonl"
    table = program("--record", str(path))
    table.move("undo")
    table.post("/api/moves", 201, type="card", card=known_hands.crib[1])
    counted = [table.scan(card) for card in known_hands.crib[2:]][-1]
    assert counted["phase"] == "between"
    assert table.end() == 0
    said = traced(path)
    assert [line["award"] for line in said if "award" in line] == counted["last"]["awards"]
    assert not any("error" in line for line in said)


def kept(path):
    """The awards of all the moves of a journal's last game, made once more."""
    journal = Journal(path)
    last = journal.last_game()
    entries = last.entries
    journal.close()
    made = create_plan(*(last.plan[part] for part in ("game", "seats", "dealer", "options", "board")))
    past, awards = History(made.game.start(made.setup)), []
    for entry in entries:
        if entry.kind == "move":
            past, step = advance(made.game, past, read_move(entry.body))
            awards += to_json_value(step.awards)
    return awards


@pytest.mark.parametrize(
    "flags", [["--game", "pegs-only"], ["--game", "pursuit", "--seats", "3"], ["--option", "counting=manual"]]
)
def test_what_simulated_players_did_is_traced_award_for_award(program, tmp_path, flags):
    """Where pegs are claims their moves come from what was read of them: the same story, to the last peg."""
    path = tmp_path / "recording.jsonl"
    table = program("--demo", "--speed", "100", "--record", str(path), *flags, ready=False)
    table.until(lambda now: now["moves"] > 40)
    assert table.end() == 0
    awards = kept(table.home / "journal.sqlite3")
    assert len(awards) > 5
    said = traced(path)
    assert [line["award"] for line in said if "award" in line] == awards
    assert not any("error" in line for line in said)
