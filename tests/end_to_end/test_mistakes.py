"""What goes wrong at a table, on the bench: a peg too far, a cable out, a card left lying, a reader gone."""

import os
import time

import pytest

from tests.support.waiting import wait_until

OFF = [0, 0, 0]


def shown(table):
    """The colours of at least ten frames over a little more than the slowest pulse, by hole."""
    frames = []
    end = time.monotonic() + 1.2
    while time.monotonic() < end or len(frames) < 10:
        frames.append(table.get("/api/bench/lights"))
        time.sleep(0.04)
    return {hole: [frame[hole] for frame in frames] for hole in frames[0]}


def is_red(colour):
    return colour[0] > 0 and colour[1:] == [0, 0]


def named(state):
    """Every hole that is a peg's or is named in dues or advice."""
    holes = {hole for peg in state["pegs"] for hole in (peg["front"], peg["back"])}
    for told in (*state["dues"], *state["advice"]):
        holes |= {told[part] for part in ("lift", "place", "hole") if told.get(part)}
    return holes


def test_a_due_hole_shines_as_no_other_does(program):
    table = program()
    table.scan("JD")
    state = table.state
    (due,) = state["dues"]
    wait_until(lambda: any(table.get("/api/bench/lights")[due["place"]]))  # the state comes before its lights
    colours = shown(table)
    assert (due["place"], due["points"]) == ("red-2", 2)
    others = [colour for hole, frames in colours.items() if hole not in named(state) for colour in frames]
    assert any(colour != OFF and colour not in others for colour in colours[due["place"]])
    assert len({tuple(colour) for colour in colours[due["place"]]}) > 1, "it pulses"
    assert OFF not in colours[due["place"]]
    assert {tuple(c) for hole, frames in colours.items() for c in frames if hole not in named(state)} == {(0, 0, 0)}


def test_a_peg_one_too_far_is_named_and_lit_until_it_is_right(program):
    table = program()
    for card in ("5D", "TH", "5H"):
        table.scan(card)
    table.peg("red-start-2", "red-3")
    state = table.until(lambda now: now["advice"] and now["advice"][0]["kind"] == "over_pegged")
    (over,) = state["advice"]
    assert (over["seat"], over["by"], over["hole"]) == (0, 1, "red-3")
    assert over["say"] == "Red pegged 3, the count is 2 (fifteen two)."
    assert [(due["points"], due["place"]) for due in state["dues"]] == [(2, "red-2")]
    wait_until(lambda: is_red(table.get("/api/bench/lights")["red-3"]))  # the advice comes before its lights
    colours = shown(table)
    assert all(map(is_red, colours["red-3"])), "red at the wrong hole"
    assert len({tuple(colour) for colour in colours["red-2"]}) > 1, "the right hole pulses"
    assert not any(colour in colours["red-2"] or colour == OFF for colour in colours["red-3"])
    table.lift("red-3")
    table.until(lambda now: not any(each["kind"] == "over_pegged" for each in now["advice"]))
    table.place("red-2")
    right = table.until(lambda now: not now["dues"])
    assert (right["advice"], right["question"], right["scores"]) == ([], None, [2, 0])


def test_each_cable_may_be_pulled_and_play_goes_on(program):
    table = program()
    table.until(lambda now: all(device["ok"] for device in now["devices"].values()))
    moves = [("starter", {"card": "5D"}), ("play", {"seat": 1, "card": "TH"}), ("play", {"seat": 0, "card": "5H"})]
    moves.append(("play", {"seat": 1, "card": "2C"}))
    for device, (kind, fields) in zip(("sensors", "lights", "cards", "buttons"), moves, strict=True):
        table.post("/api/bench/cable", 202, device=device, plugged=False)
        gone = table.until(lambda now, device=device: not now["devices"][device]["ok"])
        assert gone["devices"][device]["say"].endswith((".", "?"))
        others = [each for name, each in gone["devices"].items() if name != device]
        assert all(each == {"url": "sim:", "ok": True, "say": ""} for each in others)
        assert table.move(kind, **fields)["last"]["by"] == "phone"
        table.post("/api/bench/scan", 202, card="ZZ" if device == "cards" else "5D")
        table.post("/api/bench/press", 202, button="dice")
        table.post("/api/bench/cable", 202, device=device, plugged=True)
        back = table.until(lambda now, device=device: now["devices"][device]["ok"])
        assert back["devices"][device] == {"url": "sim:", "ok": True, "say": ""}
    assert not any("ZZ" in notice["say"] for notice in table.state["notices"]), "on a pulled cable a scan is lost"
    assert table.peg_dues()["scores"] == [2, 0]
    assert table.scan("3C")["moves"] == len(moves) + 1


def test_pegs_moved_while_the_cable_is_out_are_read_on_return(program):
    table = program()
    table.scan("JD")
    table.post("/api/bench/cable", 202, device="sensors", plugged=False)
    table.until(lambda now: not now["devices"]["sensors"]["ok"])
    table.peg("red-start-2", "red-2")
    assert table.state["dues"]
    table.post("/api/bench/cable", 202, device="sensors", plugged=True)
    now = table.until(lambda now: not now["dues"])
    assert (now["pegs"][0]["front"], now["question"]) == ("red-2", None)


def test_a_card_left_on_the_reader_counts_once(program):
    table = program("--set", "repeat_ms=3000")
    table.scan("JD")
    for _ in range(5):
        table.post("/api/bench/scan", 202, card="JD")
    assert table.scan("TH")["last"]["move"] == {"type": "play", "seat": 1, "card": "TH"}
    assert (table.state["moves"], table.state["notices"]) == (2, [])
    (notice,) = table.scan("JD")["notices"]
    assert (notice["kind"], notice["from"]) == ("refused", "cards")
    assert notice["say"] == "The jack of diamonds has already been seen in this deal."


def test_the_same_card_counts_again_after_a_while(program):
    table = program("--set", "repeat_ms=1")
    table.scan("JD")
    assert [notice["from"] for notice in table.scan("JD")["notices"]] == ["cards"]


class Reader:
    """A reader at the end of a cable that can be pulled: a name that leads to a terminal, or to none."""

    def __init__(self, path):
        self.path = path
        self.ends = ()

    def plug(self):
        self.ends = os.openpty()
        self.path.symlink_to(os.ttyname(self.ends[1]))

    def pull(self):
        self.path.unlink()
        for end in self.ends:
            os.close(end)
        self.ends = ()

    def show(self, card):
        os.write(self.ends[0], card.encode() + b"\r\n")


@pytest.fixture
def readers(tmp_path):
    made = [Reader(tmp_path / f"reader{seat}") for seat in range(2)]
    for reader in made:
        reader.plug()
    yield made
    for reader in made:
        if reader.ends:
            reader.pull()


def test_two_readers_are_one_device_that_is_well_while_both_are(program, readers):
    urls = [f"serial:{reader.path}?seat={seat}" for seat, reader in enumerate(readers)]
    table = program("--cards", urls[0], "--cards", urls[1])
    well = table.until(lambda now: now["devices"]["cards"]["ok"])
    assert well["devices"]["cards"] == {"url": ", ".join(urls), "ok": True, "say": ""}
    readers[1].pull()
    gone = table.until(lambda now: not now["devices"]["cards"]["ok"])
    assert urls[1] in gone["devices"]["cards"]["say"]
    assert urls[0] not in gone["devices"]["cards"]["say"]
    readers[0].show("JD")
    assert table.until(lambda now: now["moves"])["devices"]["cards"]["ok"] is False, "the other reader goes on"
    readers[1].plug()
    assert table.until(lambda now: now["devices"]["cards"]["ok"])["devices"]["cards"]["say"] == ""


def test_a_card_at_the_other_seats_reader_says_go_for_who_cannot_play(program, readers):
    urls = [f"serial:{reader.path}?seat={seat}" for seat, reader in enumerate(readers)]
    table = program("--cards", urls[0], "--cards", urls[1])
    table.until(lambda now: now["devices"]["cards"]["ok"])
    readers[0].show("5D")
    for moves, (seat, card) in enumerate(((1, "KC"), (0, "KD"), (1, "9S")), 1):
        table.until(lambda now, moves=moves: now["moves"] == moves)
        readers[seat].show(card)
    now = table.until(lambda now: now["moves"] == 4)
    assert (now["count"], now["turn"]) == (29, 0)
    readers[1].show("2H")
    now = table.until(lambda now: now["moves"] == 6)
    assert now["played"][1] == ["KC", "9S", "2H"]
    assert now["last"]["awards"][0] == {
        "seat": 1,
        "points": 2,
        "reason": "thirty-one",
        "cards": ["KC", "KD", "9S", "2H"],
    }
    assert now["notices"] == []
    readers[1].show("3H")
    now = table.until(lambda now: now["moves"] == 7)
    assert (now["last"]["move"]["seat"], now["turn"]) == (0, 1), "where any card fits no go is implied"
