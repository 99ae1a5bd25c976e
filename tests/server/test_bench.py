"""The routes of the simulated devices, and requests that are not valid."""

import re

import pytest

from companion.devices.simulated_bench import SimulatedBench
from companion.table.game_switcher import GameSwitcher
from tests.server.conftest import create_table_app, join_table
from tests.support.waiting import run_together

STARTS = ["blue-start-1", "blue-start-2", "red-start-1", "red-start-2"]
NO_REQUESTS = {
    "holes": [
        {}, {"lift": 3}, {"lift": "red-999"}, {"lift": ""}, {"place": None}, {"place": ["red-1"]}, {"set": "red-1"},
        {"set": [1]}, {"set": [["red-1"]]}, {"set": ["red-1", "nowhere"]}, {"lift": "red-start-1", "place": "red-1"},
        {"drop": "red-1"}, [], "red-1", 1, [[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]],
    ],
    "fault": [
        {}, {"hole": "red-1"}, {"kind": "dead"}, {"hole": "red-1", "row": "red-1", "kind": "dead"}, [],
        {"hole": 3, "kind": None},
        {"hole": "red-999", "kind": "dead"}, {"row": ["red-1"], "kind": "dead"}, {"hole": "red-1", "kind": "asleep"},
        {"hole": "red-1", "kind": True}, {"hole": "red-1", "kind": ["dead"]},
    ],
    "scan": [{}, {"card": 5}, {"card": None}, {"card": ""}, {"card": ["5H"]}, {"card": "5H\n6H"}, {"card": "x" * 999}],
    "press": [{}, {"button": "go"}, {"button": "go:2"}, {"button": "go:9"}, {"button": "go:-1"}, {"button": 0}, "dice",
              {"button": "go:\u0661"}],
    "cable": [
        {}, {"device": "sensors"}, {"plugged": True}, {"device": "sensors", "plugged": 1}, [],
        {"device": "x", "plugged": True}, {"device": "sensors", "plugged": "no"}, {"device": None, "plugged": True},
    ],
}  # fmt: skip


def list_occupied(client):
    return sorted(client.get("/api/bench/holes").json["occupied"])


def holes(client, **body):
    return client.post("/api/bench/holes", json=body).status_code


def test_pegs_are_lifted_and_placed(bench, table, until):
    assert list_occupied(bench) == STARTS
    reply = bench.post("/api/bench/holes", json={"lift": "red-start-2"})
    assert (reply.status_code, reply.json) == (202, {"ok": True})
    assert list_occupied(bench) == STARTS[:3]
    assert holes(bench, place="red-2") == 202
    assert list_occupied(bench) == [*STARTS[:2], "red-2", "red-start-1"]
    by_id = table.core.plan.board.by_id
    assert until(lambda: table.core.course.bits >> by_id["red-2"].bit & 1)


def test_an_impossible_act_moves_nothing(bench):
    assert holes(bench, lift="red-60") == 409
    assert holes(bench, place="red-start-1") == 409
    assert list_occupied(bench) == STARTS


def test_only_one_of_two_simultaneous_pegs_is_placed(bench_app, bench):
    (cookie,) = bench._cookies.values()

    def place():
        client = bench_app.test_client()
        client.set_cookie(cookie.key, cookie.value)
        return holes(client, place="red-60")

    assert sorted(run_together(place)) == [202] + [409] * 7


def test_a_whole_placement_is_set_at_once(bench):
    assert holes(bench, set=["red-5", "red-9", "blue-1", "blue-2", "blue-2"]) == 202
    assert list_occupied(bench) == ["blue-1", "blue-2", "red-5", "red-9"]
    assert holes(bench, set=[]) == 202
    assert list_occupied(bench) == []


@pytest.mark.parametrize("what", NO_REQUESTS)
def test_an_invalid_request_is_refused_and_nothing_moves(bench, table, what):
    for body in NO_REQUESTS[what]:
        reply = bench.post(f"/api/bench/{what}", json=body)
        assert (body, reply.status_code, list(reply.json)) == (body, 400, ["error"])
        assert re.fullmatch(r"[A-Z][ -~]+\.", reply.json["error"])
    assert (list_occupied(bench), bench.get("/api/bench/fault").json) == (STARTS, {"faults": []})
    assert (table.snapshot.moves, table.snapshot.notices) == (0, ())


def faults(client, **body):
    assert client.post("/api/bench/fault", json=body).status_code == 202
    listed = client.get("/api/bench/fault").json["faults"]
    return [(fault["kind"], len(fault["holes"]), fault["holes"][0]) for fault in listed]


def test_faults_of_sensors_and_rows_can_be_repaired(bench):
    assert faults(bench, hole="blue-9", kind="stuck") == [("stuck", 1, "blue-9")]
    assert faults(bench, row="red-2", kind="dead") == [("stuck", 1, "blue-9"), ("dead", 8, "red-1")]
    assert faults(bench, hole="red-2", kind="flapping")[1] == ("flapping", 1, "red-2")
    assert faults(bench, row="red-1", kind=None) == [("stuck", 1, "blue-9")]
    assert faults(bench, hole="blue-9", kind=None) == []
    assert list_occupied(bench) == STARTS


def test_a_scanned_card_is_the_readers(bench, table, until):
    reply = bench.post("/api/bench/scan", json={"card": "5D"})
    assert (reply.status_code, reply.json) == (202, {"ok": True})
    assert until(lambda: table.snapshot.moves)
    assert table.snapshot.last["by"] == "cards"


def test_an_unknown_code_is_a_notice(bench, table, until):
    for code in ("ZZ", "5X", "hello there", "🂡", "é", "<b>", "null", "0"):
        known = table.snapshot.notices[-1:]
        assert bench.post("/api/bench/scan", json={"card": code}).status_code == 202
        assert until(lambda known=known: table.snapshot.notices[-1:] != known), code
    notice = table.snapshot.notices[-1]
    assert (notice.kind, notice.source) == ("refused", "cards")
    assert table.snapshot.moves == 0


def test_a_button_is_pressed_once(bench, table, until):
    bench.post("/api/bench/scan", json={"card": "5D"})
    assert until(lambda: table.snapshot.moves == 1)
    reply = bench.post("/api/bench/press", json={"button": "undo"})
    assert (reply.status_code, reply.json) == (202, {"ok": True})
    assert until(lambda: table.snapshot.moves == 2)
    assert table.snapshot.last["by"] == "buttons"
    for button in ("go:0", "go:1"):
        known = table.snapshot.notices
        assert bench.post("/api/bench/press", json={"button": button}).status_code == 202
        assert until(lambda known=known: table.snapshot.notices != known), button


def test_the_lights_name_their_snapshot(bench, table):
    reply = bench.get("/api/bench/lights")
    assert set(reply.json) == set(table.core.plan.board.by_id)
    assert all(len(colour) == 3 and all(0 <= part <= 255 for part in colour) for colour in reply.json.values())
    assert reply.headers["Snapshot"].isdigit()


@pytest.mark.parametrize("device", ["sensors", "lights", "cards", "buttons"])
def test_the_bench_answers_with_an_unplugged_cable(bench, table, device, until):
    assert until(lambda: table.snapshot.devices[device].ok)
    assert bench.post("/api/bench/cable", json={"device": device, "plugged": False}).status_code == 202
    assert until(lambda: not table.snapshot.devices[device].ok)
    assert table.snapshot.devices[device].say.endswith(".")
    assert holes(bench, lift="red-start-2") == 202
    assert holes(bench, place="red-2") == 202
    assert bench.post("/api/bench/scan", json={"card": "ZZ"}).status_code == 202
    assert bench.post("/api/bench/press", json={"button": "undo"}).status_code == 202
    assert bench.get("/api/bench/lights").status_code == 200
    assert bench.post("/api/bench/cable", json={"device": device, "plugged": True}).status_code == 202
    assert until(lambda: table.snapshot.devices[device].ok)
    assert table.snapshot.devices[device].say == ""


def test_only_simulated_parts_are_on_the_bench(table, devices):
    half = SimulatedBench(None, devices.readers[0])
    client = join_table(create_table_app(GameSwitcher(table), bench=half).test_client())
    for path in ("holes", "lights", "fault"):
        assert (path, client.get(f"/api/bench/{path}").status_code) == (path, 404)
    for path, body, code in (
        ("holes", {"lift": "red-start-1"}, 400), ("fault", {"hole": "red-1", "kind": "dead"}, 400),
        ("cable", {"device": "lights", "plugged": False}, 400), ("scan", {"card": "5D"}, 202),
    ):  # fmt: skip
        assert (path, client.post(f"/api/bench/{path}", json=body).status_code) == (path, code)


def test_the_simulated_display_runs_its_firmware(bench, devices, until):
    def rows():
        return bench.get("/api/bench/display").json["rows"]

    assert until(lambda: any(int(row, 16) for row in rows()))
    devices.display.show_rows([(0, 1, "____"), *((row, 1, "") for row in range(1, 8))])
    line = f"{(1 << 32) - 1 << 96:032x}"  # the lowest two rows of pixels of four underscores at the left
    assert until(lambda: rows() == [*["0" * 32] * 6, line, line, *["0" * 32] * 56])


def test_only_a_simulated_display_has_a_picture(table, devices):
    devices.sensors.panel.display = None
    app = create_table_app(GameSwitcher(table), bench=devices.bench)
    assert app.test_client().get("/api/bench/display").json == {"rows": []}
    app = create_table_app(GameSwitcher(table), bench=SimulatedBench())
    assert app.test_client().get("/api/bench/display").status_code == 404


def test_the_dice_button_rolls_at_any_time(bench, table, until):
    assert "dice" not in bench.get("/api/state").json
    assert bench.post("/api/bench/press", json={"button": "dice"}).status_code == 202
    assert until(lambda: table.snapshot.dice is not None)
    first, second = bench.get("/api/state").json["dice"]
    assert {first, second} <= set(range(1, 7))
    assert table.snapshot.moves == 0
