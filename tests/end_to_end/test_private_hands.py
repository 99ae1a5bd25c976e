"""A phone's seat and hand survive the end of the program, also by `kill -9`, until the next deal."""

import stat

import pytest

HAND = ["5H", "TD", "JS", "AC", "9C", "2S"]


def restart(program, killed):
    """Kill the program and start it again; the same phone goes on."""
    killed.kill()
    again = program()
    again.cookie = killed.cookie
    return again


def hand(table):
    return table.get("/api/hand")["cards"]


def test_a_seat_and_its_hand_survive_kill_9_less_what_was_played(program, tmp_path):
    table = program()
    table.post("/api/seat", 201, seat=1)
    table = restart(program, table)
    assert table.get("/api/seat") == {"seat": 1}
    assert hand(table) == []
    table.post("/api/hand", 201, cards=HAND)
    table = restart(program, table)
    assert hand(table) == HAND
    table.move("starter", card="KD")
    table.move("play", seat=1, card="5H")
    table = restart(program, table)
    assert hand(table) == HAND[1:]
    table.move("undo")
    table = restart(program, table)
    assert hand(table) == HAND
    status, _, _ = table.ask("GET", "/api/hand", headers={"Cookie": ""})
    assert status == 404
    assert stat.S_IMODE((tmp_path / "home" / "journal.hands").stat().st_mode) == 0o600


@pytest.mark.parametrize("ending", [["misdeal"], ["misdeal", "undo"]])
def test_a_deal_that_began_before_the_kill_has_emptied_the_hand(program, ending):
    table = program()
    table.post("/api/seat", 201, seat=1)
    table.move("starter", card="KD")
    table.post("/api/hand", 201, cards=HAND[:4])
    for kind in ending:
        table.move(kind)
    table = restart(program, table)
    assert table.get("/api/seat") == {"seat": 1}
    assert hand(table) == []


def test_a_hand_entered_while_the_last_deal_lies_there_survives_as_the_next_one(program):
    table = program()
    table.post("/api/seat", 201, seat=1)
    table.move("starter", card="KD")
    for seat, card in ((1, "5H"), (0, "TH"), (1, "3D"), (0, "2C"), (1, "6S"), (0, "4H"), (1, "AH"), (0, "8H")):
        table.move("play", seat=seat, card=card)
    table.move("crib", cards=["2H", "3H", "7C", "QS"])
    table.post("/api/hand", 201, cards=["5H", "KD"])
    table = restart(program, table)
    assert hand(table) == ["5H", "KD"]
