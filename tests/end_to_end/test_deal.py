"""A whole deal on the simulated table, by cards, buttons and pegs; and the plug pulled in the middle of it."""

import contextlib
import http.client
import json
import re
import sqlite3
import threading
from pathlib import Path

from click.testing import CliRunner

from companion.cli import main

CHECKOUT = Path(__file__).parents[2]

KEPT = ("phase", "scores", "turn", "dealer", "count", "series", "starter", "played", "gone", "crib", "dues", "pegs")


def test_a_whole_deal_is_played_with_cards_and_pegs(program, known_hands):
    table = program()
    assert table.until(lambda now: all(d["ok"] for d in now["devices"].values()))["phase"] == "cut"
    told = [table.scan(known_hands.starter)]
    while told[-1]["phase"] == "play":
        told.append(known_hands.play(table))
        table.peg_dues()
    assert (told[-1]["phase"], told[-1]["turn"]) == ("crib", 0)
    told.append([table.scan(card) for card in known_hands.crib][-1])
    now = table.peg_dues()
    assert (now["phase"], now["dealer"], now["moves"]) == ("between", 1, len(told))
    counted = [0, 0]
    for award in (award for shown in told for award in shown["last"]["awards"]):
        counted[award["seat"]] += award["points"]
    assert now["scores"] == counted
    assert min(counted) > 0
    assert [int(peg["front"].rpartition("-")[2]) for peg in now["pegs"]] == counted
    assert sorted(hole for peg in now["pegs"] for hole in (peg["front"], peg["back"])) == table.occupied_holes()
    assert (now["notices"], now["question"]) == ([], None)


def test_the_journal_is_read_by_the_referee_as_its_page_says(program, known_hands):
    table = program()
    table.scan(known_hands.starter)
    while table.state["phase"] == "play":
        known_hands.play(table)
    for card in known_hands.crib:
        table.scan(card)
    scores = table.state["scores"]
    assert table.end() == 0
    page = (CHECKOUT / "docs/reference/journal.md").read_text("utf-8")
    query = re.search(r'"(SELECT .+)" \| companion (referee .+)', page)
    with contextlib.closing(sqlite3.connect(table.home / "journal.sqlite3")) as journal:
        moves = "".join(f"{body}\n" for (body,) in journal.execute(query[1]))
    said = CliRunner().invoke(main, query[2].split(), input=moves).output.splitlines()
    assert all(json.loads(line)["ok"] for line in said)
    assert json.loads(said[-1])["scores"] == scores


def test_a_program_that_is_killed_goes_on_where_it_was(program, known_hands):
    table = program()
    table.scan(known_hands.starter)
    for _ in range(4):
        known_hands.play(table)
    table.peg_dues()
    known_hands.play(table)
    known_hands.play(table)
    before, pegs = table.state, table.occupied_holes()
    assert before["phase"] == "play"
    table.kill()
    table = program()
    after = table.until(lambda now: now["devices"]["sensors"]["ok"])
    assert {name: after[name] for name in KEPT} == {name: before[name] for name in KEPT}
    assert (after["moves"], table.occupied_holes()) == (before["moves"], pegs)
    assert after["run"] != before["run"]
    while table.state["phase"] == "play":
        known_hands.play(table)
    for card in known_hands.crib[:2]:
        table.scan(card)
    lying = table.state
    table.kill()
    table = program()
    after = table.state
    assert (after["crib"], after["scores"], after["moves"]) == (["2C", "3C"], lying["scores"], lying["moves"])
    assert after["dues"] == lying["dues"]
    table.move("undo")
    assert (table.state["crib"], table.state["moves"]) == (["2C"], lying["moves"])
    for card in known_hands.crib[1:]:
        table.scan(card)
    now = table.peg_dues()
    assert (now["phase"], now["question"]) == ("between", None)
    assert now["moves"] == lying["moves"] + 1


def test_cards_of_a_hand_that_is_being_shown_survive_too(program):
    """Five-card: who is out of cards at 31 shows the rest; one of two has been scanned when the plug is pulled."""
    table = program("--game", "five-card")
    for card in ("5D", "KH", "KC", "9H"):
        table.scan(card)
    for button in ("go:0", "go:1"):
        table.press(button)
    before = table.state
    assert (before["phase"], before["turn"], before["played"]) == ("show", 1, [["KC"], ["KH", "9H"]])
    table.scan("QH")
    assert table.state["turn"] == 0
    table.post("/api/bench/scan", 202, card="QC")
    lying = table.until(lambda now: now.get("lying"))
    assert (lying["lying"], lying["moves"]) == (["QC"], before["moves"] + 1)
    table.kill()
    table = program()
    after = table.state
    assert (after["lying"], after["turn"], after["scores"]) == (["QC"], 0, lying["scores"])
    assert table.move("undo")["moves"] == lying["moves"], "a card that lies is no move"
    assert "lying" not in table.state
    for card in ("QC", "9C"):
        table.scan(card)
    assert (table.state["phase"], table.state["moves"]) == ("crib", lying["moves"] + 1)


def test_whatever_was_answered_is_there_after_the_plug_is_pulled(program):
    table, answered = program(), []

    def tap():
        with contextlib.suppress(OSError, http.client.HTTPException, json.JSONDecodeError):
            while True:
                for kind, fields in (("starter", {"card": "5D"}), ("undo", {})):
                    body = json.dumps({"type": kind, **fields})
                    status, _, told = table.ask("POST", "/api/moves", body, {"Content-Type": "application/json"})
                    if status == 201:
                        answered.append(json.loads(told)["moves"])

    phones = [threading.Thread(target=tap) for _ in range(4)]
    for phone in phones:
        phone.start()
    table.until(lambda now: now["moves"] > 100)
    table.kill()
    for phone in phones:
        phone.join()
    assert program().state["moves"] in range(max(answered), max(answered) + len(phones) + 1)


def test_the_key_survives_the_restart_and_so_does_a_player(program):
    table = program()
    table.kill()
    again = program()
    assert again.key == table.key
    assert again.ask("GET", "/api/me", headers=table.cookie)[2].startswith(b'{"role":"player"')


def test_undo_reaches_back_over_a_restart_to_the_very_start(program, known_hands):
    table = program()
    table.scan("JD")
    table.peg_dues()
    table.kill()
    table = program()
    undone = table.press("undo")
    assert (undone["phase"], undone["scores"], undone["moves"]) == ("cut", [0, 0], 2)
    assert [(due["points"], due["lift"], due["place"]) for due in undone["dues"]] == [(-2, "red-2", "red-start-2")]
    assert table.peg_dues()["advice"] == []
    assert table.move("undo", 409)["error"].endswith(".")


def test_a_finished_game_is_resumed_too_and_can_be_undone(program):
    table = program("--option", "target=61")
    table.move("adjust", seat=1, points=61)
    before = table.state
    assert (before["phase"], before["winner"], before["turn"]) == ("over", 1, None)
    table.kill()
    table = program()
    after = table.state
    assert (after["phase"], after["winner"], after["scores"], after["moves"]) == ("over", 1, [0, 61], 1)
    assert table.move("undo")["phase"] == "cut"
    table.move("adjust", seat=1, points=61)
    assert table.move("next")["scores"] == [0, 0]
