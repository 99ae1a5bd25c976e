"""docs/reference/wire.md shows lines that are so, and the checksum is the one other programs have under its name."""

import binascii
import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from firmware import wire
from firmware.node import Node
from firmware.wire import Ask, Decoder, Hello, Holes

PAGE = (Path(__file__).parents[2] / "docs/reference/wire.md").read_text()


def blocks(kind):
    return [block.encode() for block in re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)]


def test_the_examples_mean_what_the_page_says():
    large, small = blocks("wire")
    assert Decoder().feed(large) == [Hello(1, 125), Holes(1 << 7), Ask()]
    assert Decoder().feed(small) == [Hello(1, 8), Holes(0), Holes(0b101), Ask(), Hello(1, 8), Holes(0b101)]


def test_the_small_example_is_what_a_node_says():
    contacts, said = [0], []
    node = Node(8, lambda: contacts[0], said.append)
    for now_ms in range(120):
        if now_ms == 50:
            contacts[0] = 0b101
        if now_ms == 100:
            node.hear(wire.ASK)
            said.append(wire.ASK)
        node.step(now_ms)
    assert b"".join(said) == blocks("wire")[1]


def test_the_damaged_examples_are_dropped_each_for_its_own_reason():
    (dropped,) = blocks("dropped")
    decoder = Decoder()
    assert decoder.feed(dropped) == []
    assert decoder.bad == len(dropped.splitlines()) == 4
    wrong = [line for line in dropped.splitlines() if b"%04x" % wire.crc(line[:-5]) != line[-4:]]
    assert wrong == [dropped.splitlines()[0]]


@given(st.binary(max_size=600))
def test_the_checksum_is_pythons_own(data):
    assert wire.crc(data) == binascii.crc_hqx(data, 0xFFFF)


@given(st.lists(st.binary(max_size=700)))
def test_no_noise_is_fatal_and_the_next_line_is_read(portions):
    decoder = Decoder()
    for portion in portions:
        decoder.feed(portion)
    assert decoder.feed(b"\n" + wire.holes(9, 8))[-1:] == [Holes(9)]
