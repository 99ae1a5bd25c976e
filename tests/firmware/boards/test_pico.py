"""The Pico's chain of shift registers, as far as it can be seen without one: which contact is which hole."""

import importlib
import sys
from types import SimpleNamespace

import pytest


class Chain:
    """74HC165s end to end, nearest first, an input a hole. LD low takes the inputs in; SPI clocks them out."""

    def __init__(self, registers):
        self.inputs = [1] * (8 * registers)  # pulled up
        self._shifting = []

    def load(self, level):
        if not level:
            self._shifting = list(self.inputs)

    def readinto(self, octets):
        for place in range(len(octets)):
            # Each register gives its input H first and its input A last.
            octets[place] = sum(self._shifting[8 * place + bit] << bit for bit in range(8))


@pytest.fixture
def chain():
    return Chain(registers=3)


@pytest.fixture
def registers(chain, monkeypatch):
    """The Pico's own code, importing a `machine` that has this chain on its pins."""
    pin = SimpleNamespace(value=chain.load)

    class Pin:
        OUT = 1

        def __new__(cls, number, *mode, **value):
            return pin

    machine = SimpleNamespace(Pin=Pin, SPI=lambda *number, **pins: chain)
    monkeypatch.setitem(sys.modules, "machine", machine)
    monkeypatch.setitem(sys.modules, "micropython", SimpleNamespace())
    monkeypatch.delitem(sys.modules, "firmware.boards.pico", raising=False)
    return importlib.import_module("firmware.boards.pico").Registers(20)


def test_a_peg_that_closes_its_contact_is_a_one_at_its_holes_bit(chain, registers):
    assert registers.read() == 0
    chain.inputs[0] = chain.inputs[9] = chain.inputs[19] = 0
    assert registers.read() == 1 << 0 | 1 << 9 | 1 << 19


def test_the_inputs_are_taken_in_anew_at_each_reading(chain, registers):
    for hole in range(20):
        chain.inputs[hole] = 0
        assert registers.read() == 1 << hole
        chain.inputs[hole] = 1
