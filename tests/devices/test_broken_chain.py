"""A chain with a wire cut, shorted or without power: the status names the tile, and no peg appears by itself."""

import itertools

import pytest

from companion.boards import catalog
from companion.devices.sensors import open_sensors
from companion.devices.simulated_board import CHAIN_WIRES, SimulatedChain, WireFault
from firmware import wire
from firmware.node import Node
from tests.support.received import DeviceCallbacks, clock

TILES = {
    "board": "small",
    "chain": [*"abcdefg", 0, *"hijklmn", 1, *"opqrstu", 1, *"vwxyz", None, 1, 0],
    "tiles": ["one", "two", "three", "four", "four"],
}
"""Four tiles; the last has a sentinel of each level, as the boards' own wiring has."""


def faults(chain):
    """All single faults of its wires, and each tile without power."""
    for tile, name, how, floats in itertools.product(range(len(chain._tiles)), CHAIN_WIRES, ("cut", 0, 1), (0, 1)):
        if how == "cut" or floats == 0:
            yield WireFault(tile, name, how, floats)


class Watched:
    """A node on a simulated chain, in simulated time, with the bytes that it sends."""

    def __init__(self, board, occupied):
        self.chain, self.occupied, self.now_ms, self.said = SimulatedChain(board), occupied, 0, []
        self.node = Node(board, lambda: self.chain.read(self.occupied), self.said.append)
        self.decoder = wire.Decoder()

    def run(self, ms):
        for _ in range(0, ms, 4):
            self.now_ms += 4
            self.node.step(self.now_ms)
        told = self.decoder.feed(b"".join(self.said))
        self.said.clear()
        return told


def check(board, names, fault, occupied, moved):
    """Break the chain, move pegs meanwhile, repair it, and check what was reported."""
    watched = Watched(board, occupied)
    watched.run(300)
    watched.chain.fault = fault
    told = watched.run(100)
    seen = [each for each in told if isinstance(each, wire.Holes)]
    tiles = {each.tile for each in told if isinstance(each, wire.Fault)}
    assert {each.bits for each in seen} <= {occupied}, f"{fault} invents pegs"
    near = {names[fault.tile], names[min(fault.tile + 1, len(names) - 1)]}
    shorted = fault.wire != "data" and fault.how != "cut"  # held for all tiles, wherever that is
    assert len(tiles) == 1, f"{fault} is not seen"
    assert tiles <= (set(names) if shorted else near), fault
    watched.occupied = moved
    assert not [each for each in watched.run(100) if isinstance(each, wire.Holes)]
    watched.chain.fault = None
    back = [each.bits for each in watched.run(500) if isinstance(each, wire.Holes)]
    assert back
    assert set(back) == {moved}


@pytest.mark.parametrize(
    "fault", list(faults(SimulatedChain(TILES))), ids=lambda f: f"{f.tile} {f.wire} {f.how} {f.floats}"
)
def test_every_fault_names_its_tile_and_invents_no_peg(fault):
    for occupied, moved in ((0, 1), (1 << 25 | 1, 1 << 7), (1 << 7 | 1 << 14 | 1 << 21, 0), (1 << 13, 1 << 13)):
        check(TILES, ["one", "two", "three", "four"], fault, occupied, moved)


def own(name):
    return catalog.describe_for_firmware(catalog.load_board(name))


@pytest.mark.parametrize("name", ["loop-60", "bases", "pursuit"])
def test_every_fault_of_our_own_boards_is_seen(name):
    board = own(name)
    names = list(dict.fromkeys(board["tiles"]))
    chain = SimulatedChain(board)
    every = list(faults(chain))
    for number, fault in enumerate(every):
        if len(chain._tiles) < 4 or fault.tile in (0, len(chain._tiles) - 1) or number % 23 == 0:
            check(board, names, fault, 0b11, 0b101)


@pytest.mark.long
@pytest.mark.parametrize("name", catalog.list_board_names())
def test_every_fault_of_every_tile_of_our_own_boards_is_seen(name):
    board = own(name)
    names = list(dict.fromkeys(board["tiles"]))
    for fault in faults(SimulatedChain(board)):
        check(board, names, fault, 0b11, 0b101)


def test_the_companion_says_so_in_one_sentence_and_reads_on_when_it_is_mended():
    callbacks = DeviceCallbacks()
    sensors = open_sensors("sim:", 26, clock, occupied=0b11, board=TILES)
    sensors.start(lambda bits, *at: callbacks.on_value(bits), callbacks.on_status)
    try:
        assert callbacks.next_status() == (True, "")
        sensors.break_chain(WireFault(2, "data", "cut", 0))
        ok, say = callbacks.next_status()
        assert not ok
        assert say == (
            "Tile three of the board, or the one before it, has lost a wire or its power: check their cables."
        )
        sensors.move_pegs(lift=0b11, place=0b1100)
        assert callbacks.statuses.empty()
        sensors.break_chain(None)
        assert callbacks.next_status() == (True, "")
        sensors.move_pegs(place=1 << 25)
    finally:
        sensors.close()
    told = list(dict.fromkeys(callbacks.values.queue))
    assert told == [0b11, 0b1100, 1 << 25 | 0b1100]
