"""A plain board: no sensor, no reader, no lights; the whole game on the phone, and sensors one day after all."""

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
