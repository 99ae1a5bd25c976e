"""The whole program on serial cables: a board that runs the shipped node, and readers; pulled and put back."""

import contextlib
import os
import select
import threading
import time

import pytest

from companion.boards import catalog
from companion.devices.simulated_board import SimulatedChain, SimulatedStrip, WireFault
from firmware.node import Node
from tests.support.waiting import PATIENCE_S, wait_until

BOARD = catalog.load_board("classic")
WIRED = catalog.describe_for_firmware(BOARD)
STARTS = ("red-start-1", "red-start-2", "blue-start-1", "blue-start-2")


class SerialBoard:
    """The shipped node at the far end of a cable; its pegs stand in `holes` whether the cable is in or not."""

    def __init__(self, path):
        self.path, self.holes, self.strip = path, set(STARTS), SimulatedStrip()
        self.chain = SimulatedChain(WIRED)
        self._stop = threading.Event()
        self.plug()

    def contacts(self):
        return sum(1 << BOARD.by_id[hole].bit for hole in self.holes)

    def plug(self):
        self._far, self._near = os.openpty()
        self.path.symlink_to(os.ttyname(self._near))
        self._stop.clear()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def pull(self):
        self.path.unlink()
        self._stop.set()
        self._thread.join(PATIENCE_S)
        os.close(self._far)
        os.close(self._near)

    def _run(self):
        node = Node(
            WIRED, lambda: self.chain.read(self.contacts()), lambda data: os.write(self._far, data), "e66", self.strip
        )
        while not self._stop.is_set():
            if select.select([self._far], [], [], 0.004)[0]:
                with contextlib.suppress(OSError):
                    node.receive_data(os.read(self._far, 1000))
            node.step(time.monotonic_ns() // 1_000_000)


@pytest.fixture
def board(tmp_path):
    made = SerialBoard(tmp_path / "ttyACM0")
    yield made
    if not made._stop.is_set():
        made.pull()


def test_a_real_board_is_read_lost_found_and_read_again(program, board):
    table = program("--sensors", f"serial:{board.path}")
    assert table.get("/api/state")["devices"]["sensors"]["url"] == f"serial:{board.path}"
    assert table.scan("JD")["dues"][0]["place"] == "red-2"
    board.holes.remove("red-start-2")
    board.holes.add("red-2")
    assert table.until(lambda now: not now["dues"])["pegs"][0]["front"] == "red-2"
    board.pull()
    gone = table.until(lambda now: not now["devices"]["sensors"]["ok"])
    assert gone["devices"]["sensors"]["say"].endswith((".", "?"))
    assert table.move("play", seat=1, card="TH")["moves"] == 2, "all goes on by phone"
    assert table.move("play", seat=0, card="5H")["scores"] == [4, 0]
    board.holes.remove("red-start-1")
    board.holes.add("red-4")
    board.plug()
    now = table.until(lambda now: now["devices"]["sensors"]["ok"])
    assert now["devices"]["sensors"]["say"] == ""
    now = table.until(lambda now: not now["dues"])
    assert (now["pegs"][0], now["question"]) == ({"seat": 0, "front": "red-4", "back": "red-2"}, None)


def test_what_is_real_is_not_on_the_bench_and_the_rest_is(program, board):
    table = program("--sensors", f"serial:{board.path}", "--lights", "sim:")
    for path, body in (
        ("holes", {"lift": "red-start-1"}),
        ("cable", {"device": "sensors", "plugged": False}),
    ):
        assert table.post(f"/api/bench/{path}", 400, **body)["error"].endswith(".")
    assert table.ask("GET", "/api/bench/holes")[0] == 404
    table.post("/api/bench/scan", 202, card="JD")
    table.until(lambda now: now["moves"] == 1)
    assert table.ask("GET", "/api/bench/lights")[0] == 200


def test_another_board_is_reported_and_ignored(program, board, tmp_path):
    table = program("--board", "classic-61", "--option", "target=61")
    before = table.state["pegs"]
    table.end()
    board.holes = {"red-6", "red-7", "blue-8", "blue-9"}
    table = program("--sensors", f"serial:{board.path}", ready=False)
    say = table.until(lambda now: "game" in now["devices"]["sensors"]["say"])["devices"]["sensors"]["say"]
    assert say == (
        "The Pico has the program of the board classic; this game is played on classic-61. "
        "Run companion flash for classic-61."
    )
    assert (table.state["pegs"], table.state["question"]) == (before, None)


def tag(digits):
    """The frame of an RDM6300 for a tag of ten hexadecimal digits."""
    check = 0
    for byte in bytes.fromhex(digits):
        check ^= byte
    return b"\x02" + f"{digits}{check:02X}".encode() + b"\x03"


@pytest.mark.parametrize("end", [b"\r\n", b"\r", b"\n", b""])
def test_a_reader_of_lines_may_end_them_as_it_likes(program, tmp_path, end):
    far, near = os.openpty()
    (tmp_path / "ttyUSB0").symlink_to(os.ttyname(near))
    table = program("--cards", f"serial:{tmp_path / 'ttyUSB0'}")
    table.until(lambda now: now["devices"]["cards"]["ok"])
    for moves, code in enumerate((b"JD", b"10H", b"5H"), 1):
        os.write(far, code + end)
        table.until(lambda now, moves=moves: now["moves"] == moves)
    assert table.state["played"] == [["5H"], ["TH"]]
    os.write(far, tag("0A004CA1B2"))
    (notice,) = table.until(lambda now: now["notices"])["notices"]
    assert (notice["from"], notice["say"]) == ("cards", "The reader sent 0A004CA1B2, which is not a card of this deck.")
    os.close(far)
    os.close(near)


def test_tags_are_cards_where_a_deck_says_which(program, tmp_path):
    far, near = os.openpty()
    (tmp_path / "ttyUSB0").symlink_to(os.ttyname(near))
    deck = tmp_path / "deck.toml"
    deck.write_text('0A004CA1B2 = "JD"\n0a004ca1c7 = "10H"\n"4006381333931" = "5H"\n')
    recording = tmp_path / "recording.jsonl"
    flags = ("--set", f"deck={deck}", "--record", str(recording))
    table = program("--cards", f"serial:{tmp_path / 'ttyUSB0'}", *flags)
    table.until(lambda now: now["devices"]["cards"]["ok"])
    for moves, seen in enumerate((tag("0A004CA1B2"), tag("0A004CA1C7"), b"4006381333931\r"), 1):
        os.write(far, seen)
        table.until(lambda now, moves=moves: now["moves"] == moves)
    assert (table.state["starter"], table.state["played"]) == ("JD", [["5H"], ["TH"]])
    table.end()
    assert '"scan":"TH"' in recording.read_text(), "a recording has the cards, whatever their codes"
    os.close(far)
    os.close(near)


@pytest.mark.parametrize("how", ["cut", 0, 1])
def test_a_broken_wire_is_one_sentence_and_moves_are_read_when_it_is_repaired(program, board, how):
    table = program("--sensors", f"serial:{board.path}")
    assert table.scan("JD")["dues"][0]["place"] == "red-2"
    before = table.state["pegs"]
    board.chain.fault = WireFault(5, "data", how, 1)
    now = table.until(lambda now: not now["devices"]["sensors"]["ok"])
    say = now["devices"]["sensors"]["say"]
    assert say.startswith("Tile ")
    assert say.count(".") - say.count("-1.") == 1
    board.holes ^= {"red-start-2", "red-2"}
    time.sleep(1.5)
    assert (table.state["pegs"], table.state["question"]) == (before, None)
    assert table.state["devices"]["sensors"]["say"] == say
    board.chain.fault = None
    now = table.until(lambda now: now["devices"]["sensors"]["ok"])
    now = table.until(lambda now: not now["dues"])
    assert (now["pegs"][0]["front"], now["question"]) == ("red-2", None)


def test_lights_on_the_boards_own_cable_are_lit_by_its_program(program, board):
    table = program("--sensors", f"serial:{board.path}", "--lights", "node:")
    assert table.scan("JD")["dues"][0]["place"] == "red-2"
    place = BOARD.wiring.pixels.index("red-2")
    wait_until(lambda: any(board.strip.shown[3 * place : 3 * place + 3]))
    assert table.until(lambda now: now["devices"]["lights"]["ok"])["devices"]["lights"]["say"] == ""
    board.pull()
    gone = table.until(lambda now: not now["devices"]["lights"]["ok"])
    assert "See the hole sensors" in gone["devices"]["lights"]["say"]
    board.strip.shown = b""
    board.plug()
    wait_until(lambda: any(board.strip.shown[3 * place : 3 * place + 3]))
    table.end()
    wait_until(lambda: not any(board.strip.shown))


def test_a_simulated_board_shows_the_lights_of_its_own_and_of_the_board_after_it(program):
    table = program("--lights", "node:")
    table.until(lambda now: now["devices"]["lights"]["ok"])
    table.scan("JD")
    wait_until(lambda: any(table.get("/api/bench/lights")["red-2"]))
    table.post("/api/table", 201, game="bases", seats=2)
    table.until(lambda now: now["devices"]["lights"]["ok"])
    wait_until(lambda: any(any(colour) for colour in table.get("/api/bench/lights").values()))
    assert "bases-1" in table.get("/api/bench/lights")
