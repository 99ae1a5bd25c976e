"""The wiring map: every hole has one bit of the chain and one pixel, on every board and in any order."""

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.boards import board_file, catalog
from companion.common.errors import BoardError

SMALL = """
track = [{ name = "lane", path = [{ holes = 6, line = [[20, 5], [80, 5]] }] }]
start = [{ name = "red", at = [[10, 5], [3, 5]] }]
dice = [{ centre = [20, 30], pitch = 8 }]
routes = { 1 = [{ track = "lane", start = "red" }] }
"""
HOLES = ["lane-1", "lane-2", "lane-3", "lane-4", "lane-5", "lane-6", "red-start-1", "red-start-2"]
PIPS = [f"die-1-{n}" for n in range(1, 8)]


def small(wiring=""):
    return board_file.parse_board("small", tomllib.loads(SMALL + wiring))


@pytest.mark.parametrize("name", catalog.list_board_names())
def test_every_hole_of_a_board_has_one_bit_and_one_pixel(name):
    board = catalog.load_board(name)
    wiring = board.wiring
    assert sorted(wire for wire in wiring.chain if isinstance(wire, str)) == sorted(board.by_id)
    assert sorted(pixel for pixel in board.strip_order if pixel is not None) == list(range(board.pixel_count))
    shown = {hole.id: hole.pixel for hole in board.holes}
    assert all(board.strip_order[at] == shown[hole] for at, hole in enumerate(wiring.pixels) if hole in shown)


GAPS = (
    '[wiring]\ntiles = [{ name = "one", chain = [["lane", 1, 6], ["gap", 2], ["red", 0, -1], 0], gap_pixels = %s }]\n'
)


def test_gap_pixels_are_dark_places_of_the_strip_and_no_pixels_of_a_frame():
    board = small(GAPS % "true")
    assert board.wiring.pixels == (*HOLES[:6], None, None, *HOLES[6:], *PIPS)
    assert board.strip_order.count(None) == 2
    assert board.pixel_count == small(GAPS % "false").pixel_count == len(HOLES) + len(PIPS)
    assert catalog.describe_for_firmware(board)["pixels"][6:8] == [None, None]
    with pytest.raises(BoardError, match="gap_pixels of one must be true or false"):
        small(GAPS % "1")


@pytest.mark.parametrize("name", catalog.list_board_names())
def test_a_cut_or_short_chain_is_distinguished_from_pegs_by_the_fixed_levels_of_a_board(name):
    wiring = catalog.load_board(name).wiring
    assert all(tile.count % 8 == 0 for tile in wiring.tiles)
    assert [tile.first for tile in wiring.tiles[1:]] == [tile.first + tile.count for tile in wiring.tiles[:-1]]
    for tile in wiring.tiles[: None if len(wiring.tiles) > 1 else 0]:
        bits = wiring.chain[tile.first : tile.first + tile.count]
        assert bits[-1] == 1  # a cut gives zeros from the tile on, and its last bit is the first that is wrong
        assert 0 in bits or sum(isinstance(bit, str) for bit in bits) == 15  # so many pegs are not in play
    assert wiring.end
    assert wiring.chain[-1] == (1 if len(wiring.tiles) == 1 else 0)


def test_the_classic_board_is_24_tiles_of_fifteen_holes_and_an_end_on_either_side():
    wiring = catalog.load_board("classic").wiring
    assert [tile.part for tile in wiring.tiles].count("straight") == 21
    assert sum(tile.count == 16 for tile in wiring.tiles) == 24
    tile = wiring.tiles[1]
    assert tile.name == "leg-1.1"
    across = [f"{lane}-{n}" for lane, ns in (("red", "12345"), ("blue", "54321"), ("green", "12345")) for n in ns]
    assert wiring.chain[tile.first : tile.first + tile.count] == (*across, 1)
    assert (wiring.pin_name(tile.first), wiring.pin_name(tile.first + 15)) == ("U1.H", "U2.A")


def test_the_loop_fills_eight_registers_and_ends_in_the_tied_input_of_the_last():
    wiring = catalog.load_board("loop-60").wiring
    assert len(wiring.chain) == 65
    assert wiring.chain[:3] == ("red-start-2", "red-start-1", "lane-1")
    assert (wiring.chain[64], wiring.pin_name(63), wiring.pin_name(64)) == (1, "U8.A", "U8.SER")
    assert wiring.find_tile(64).name == "loop"


def test_a_board_without_wiring_goes_from_hole_to_hole():
    board = small()
    assert list(board.wiring.chain) == [hole.id for hole in board.holes] == HOLES
    assert board.strip_order == tuple(range(15))
    assert board.wiring.pixels == (*HOLES, *PIPS)


def test_a_row_is_what_one_register_reads():
    loop, classic = catalog.load_board("loop-60").wiring, catalog.load_board("classic").wiring
    assert loop.holes_on_register("lane-8") == tuple(f"lane-{number}" for number in range(7, 15))
    assert classic.holes_on_register("green-2") == ("blue-2", "blue-1", *(f"green-{number}" for number in range(1, 6)))


def test_the_boards_own_program_reads_holes_chain_tiles_and_pixels():
    wired = """
    [wiring]
    end = 0
    tiles = [
        { name = "a", chain = [["lane", 6, 1], ["gap", 1], 0], sentinel = 1 },
        { name = "b", chain = [["red", 0, -1]], sentinel = 1 },
    ]
    """
    assert (
        catalog.describe_for_firmware(small(wired))
        == {
            "board": "small",
            "holes": HOLES,
            "chain": [*HOLES[5::-1], None, 0, 1, "red-start-1", "red-start-2", 1, 0],
            "tiles": ["a", "a", "b", "b"],  # of each fixed level, in the order of the chain
            "pixels": [*HOLES[5::-1], "red-start-1", "red-start-2", *PIPS],
        }
    )


PANEL = '[wiring]\ntiles = [{ name = "t", chain = [["lane", 1, 6], ["red", 0, -1]] }]\n[wiring.panel]\n'


def test_the_parts_at_the_pico_keep_their_pins():
    board = small(PANEL + "buttons = { dice = 10, go1 = 0 }\nbuzzer = 28\ndisplay = 20")
    told = catalog.describe_for_firmware(board)
    assert (told["buttons"], told["buzzer"], told["display"]) == ({"dice": 10, "go:1": 0}, 28, 20)
    assert "buttons" not in catalog.describe_for_firmware(small(PANEL + "buzzer = 28"))


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ("buzzer = 5", "each part of the panel needs a pin of its own"),
        ("buzzer = 23", "each part of the panel needs a pin of its own"),
        ("buzzer = true", "each part of the panel needs a pin of its own"),
        ("display = 21", "each part of the panel needs a pin of its own"),
        ("display = 22", "each part of the panel needs a pin of its own"),
        ('display = "GP20"', "display must be a whole number from 0 to 28"),
        ("buzzer = 21\ndisplay = 20", "each part of the panel needs a pin of its own"),
        ("buttons = { dice = 10, undo = 10 }", "each part of the panel needs a pin of its own"),
        ("buttons = { go5 = 10 }", "buttons has no 'go5'"),
        ("buttons = 10", "buttons must be a table"),
        ("screen = 20", "the panel has no 'screen'; the nearest is"),
    ],
)
def test_parts_at_impossible_pins_are_refused(parts, words):
    with pytest.raises(BoardError, match=words):
        small(PANEL + parts)


wires = st.lists(st.sampled_from([None, 0, 1]), max_size=12).flatmap(lambda more: st.permutations([*HOLES, *more]))


@given(wires, st.permutations(HOLES + PIPS), st.sets(st.sampled_from(HOLES)))
def test_pegs_come_through_any_wiring_as_they_were(chain, pixels, pegs):
    written = json.dumps([["gap", 1] if wire is None else wire for wire in chain])
    wired = f'[wiring]\npixels = {json.dumps(pixels)}\ntiles = [{{ name = "t", chain = {written} }}]'
    board = small(wired)
    told = json.loads(json.dumps(catalog.describe_for_firmware(board)))

    raw = sum(1 << bit for bit, wire in enumerate(chain) if wire in pegs or wire == 1)
    assert {wire for bit, wire in enumerate(told["chain"]) if raw >> bit & 1 and wire in told["holes"]} == pegs
    assert told["chain"] == chain
    assert told["pixels"] == list(board.wiring.pixels) == pixels
    frame = [hole.id for hole in board.holes] + PIPS
    assert [frame[at] for at in board.strip_order] == pixels


@pytest.mark.parametrize(
    ("wiring", "sentence"),
    [
        ('tiles = [{ name = "a", chain = [["lane", 1, 6]] }]', "the chain leaves out red-start-1."),
        ('tiles = [{ name = "a", chain = [["lane", 1, 6], "lane-3"] }]', "the chain has lane-3 twice."),
        ('tiles = [{ name = "a", chain = ["lane-9"] }]', "the chain has 'lane-9', which does not exist."),
        (
            'tiles = [{ name = "a", chain = [["lane", 1, 9]] }]',
            "a run of lane goes from 1 to 9, but these holes do not exist",
        ),
        ('tiles = [{ name = "a", chain = [["lane", 1]] }]', "a run of holes must be a track, the number of its first"),
        ('tiles = [{ name = "a", chain = [2] }]', "a run of holes must be a track"),
        ('tiles = [{ name = "A b", chain = [0] }]', "a tile's name must be 1 to 24"),
        ('tiles = [{ name = "a", chain = [0], sentinel = 2 }]', "sentinel must be a whole number from 0 to 1."),
        ('tiles = [{ name = "a" }]', "the tile a, which has no chain, needs its"),
        ('tiles = [{ name = "a", lanes = ["lane"], holes = [1, 6], tiles = 4 }]', "cannot be divided among 4"),
        ('tiles = [{ name = "a", chain = [["gap", 5000]] }]', "a gap must be a whole number from 1 to 4096."),
        ('tiles = [{ name = "a", chain = [["lane", 1, 6]] }, { name = "a", chain = [["red", 0, -1]] }]', "two tiles"),
        ('pixels = [1]\ntiles = [{ name = "a", chain = [["lane", 1, 6], ["red", 0, -1]] }]', "it has no level."),
        ('pixels = ["lane-1"]\ntiles = [{ name = "a", chain = [["lane", 1, 6], ["red", 0, -1]] }]', "the strip of p"),
        ("tiles = []", "the tiles of the wiring must be a list with at least one element."),
        ('tile = ["a"]', "the wiring has no 'tile'; the nearest is 'tiles'."),
    ],
)
def test_a_wiring_that_contradicts_its_holes_is_refused_in_one_sentence(wiring, sentence):
    with pytest.raises(BoardError) as refused:
        small(f"[wiring]\n{wiring}\n")
    assert sentence in str(refused.value)
