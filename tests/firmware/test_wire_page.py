"""docs/reference/wire.md shows valid lines, and the checksum is the published one of its name."""

import binascii
import re
import tomllib
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from firmware import wire
from firmware.chain import plain_board
from firmware.node import VERSION, Node
from firmware.pixels import DARK_CHECKSUM
from firmware.wire import Ask, ButtonStates, Decoder, Hello, Holes, Lit, Paint, Show, ShownTexts

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/reference/wire.md").read_text()


def blocks(kind):
    return [block.encode() for block in re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)]


def test_the_examples_mean_what_the_page_says():
    large, small = blocks("wire")
    hello = Hello(2, 125, "0.1.0", "e66", "classic", 0, "")
    assert Decoder().feed(large) == [hello, Holes(1 << 7, 7, 1200), Ask(7), Ask(None)]
    lines = [Hello(2, 8, VERSION, "e66", "", 0, ""), Holes(0, 0, 12), Holes(0b101, 1, 44), Ask(1)]
    assert Decoder().feed(small) == [*lines, Holes(0b101, 1, 44)]
    (strip,) = blocks("strip")
    green, red = bytes.fromhex("280000280000"), bytes.fromhex("002800280000")
    sums = [f"{binascii.crc32(frame):08x}" for frame in (green, red)]
    shown = [Paint(0, green), Show(6, sums[0]), Lit(sums[0]), Paint(0, red[:3]), Show(6, sums[1]), Lit(sums[1])]
    assert Decoder().feed(strip) == [Hello(2, 8, VERSION, "e66", "small", 2, DARK_CHECKSUM), *shown]
    (broken,) = blocks("fault")
    assert Decoder().feed(broken) == [Hello(2, 369, VERSION, "e66", "classic", 0, ""), wire.Fault("leg-1.3")]
    (panel,) = blocks("panel")
    texts = [(1, "Red         Blue"), (2, "21    34"), (3, "21    34"), *[(1, "")] * 5]
    assert Decoder().feed(panel) == [
        ButtonStates(0, 12, (("dice", 0, False), ("go:0", 0, False))),
        ShownTexts(wire.text_checksum([(1, "")] * 8)),
        wire.TextRow(0, *texts[0]),
        wire.TextRow(1, *texts[1]),
        wire.Tune(((659, 70), (880, 90))),
        ButtonStates(1, 2044, (("dice", 0, False), ("go:0", 1, True))),
        ShownTexts(wire.text_checksum(texts)),
    ]
    (old,) = blocks("wire1")
    assert Decoder().feed(old) == [Hello(1, 8, "", "", "", 0, ""), Holes(0b101, None, None)]


def test_the_small_example_is_what_a_node_says():
    contacts, said = [0], []
    node = Node(plain_board(8), lambda: contacts[0], said.append, "e66")
    for now_ms in range(60):
        if now_ms == 30:
            contacts[0] = 0b101
        if now_ms == 50:
            node.receive_data(wire.encode_ask(1))
            said.append(wire.encode_ask(1))
        node.step(now_ms)
    assert b"".join(said) == blocks("wire")[1]


def test_the_node_reports_the_version_of_this_project():
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION


def test_the_damaged_examples_are_dropped():
    (dropped,) = blocks("dropped")
    decoder = Decoder()
    assert decoder.feed(dropped) == []
    assert decoder.bad_lines == len(dropped.splitlines()) == 4
    wrong = [line for line in dropped.splitlines() if b"%04x" % wire.crc16(line[:-5]) != line[-4:]]
    assert wrong == [dropped.splitlines()[0]]


@given(st.binary(max_size=600))
def test_the_checksum_is_pythons_own(data):
    assert wire.crc16(data) == binascii.crc_hqx(data, 0xFFFF)


@given(st.lists(st.binary(max_size=700)))
def test_after_noise_the_next_line_is_read(portions):
    decoder = Decoder()
    for portion in portions:
        decoder.feed(portion)
    assert decoder.feed(b"\n" + wire.encode_holes(1, 2, 9, 8))[-1:] == [Holes(9, 1, 2)]
