"""The `rp2` module of a Pico: an assembler for its state machines, one such machine, and its DMA.

Instructions are encoded as in the RP2040's data sheet, section 3.4; `run_program` interprets only these words.
"""

from types import SimpleNamespace

JMP, OUT, MOV = 0b000, 0b011, 0b101
CONDITIONS = ("always", "not_x")


class Instruction:
    """An instruction that is being assembled: `.side(level)` and `[delay]` as in a program."""

    def __init__(self, word):
        self.word = word

    def side(self, level):
        self.word |= level << 12
        return self

    def __getitem__(self, delay):
        assert 0 <= delay < 16, "one side-set bit leaves four for the delay"
        self.word |= delay << 8
        return self


class Program:
    """An assembled program, with the arguments of `asm_pio`."""

    def __init__(self, function, **given):
        self.given, self._made, self._labels = given, [], {}
        self.wrap_target, self.wrap = 0, None
        words = {
            "x": 1,
            "not_x": "not_x",
            "label": self._label,
            "wrap_target": lambda: setattr(self, "wrap_target", len(self._made)),
            "wrap": lambda: setattr(self, "wrap", len(self._made) - 1),
            "out": lambda into, count: self._add(OUT << 13 | into << 5 | count & 31),
            "nop": lambda: self._add(MOV << 13 | 2 << 5 | 2),  # mov y, y
            "jmp": self._jmp,
        }
        for _ in range(2):  # once for the labels ahead
            self._made.clear()
            exec(function.__code__, dict(words))
        self.words = [each.word for each in self._made]

    def _add(self, word):
        self._made.append(Instruction(word))
        return self._made[-1]

    def _label(self, name):
        self._labels[name] = len(self._made)

    def _jmp(self, *given):
        condition = CONDITIONS.index(given[0]) if len(given) == 2 else 0
        return self._add(JMP << 13 | condition << 5 | self._labels.get(given[-1], 0))


def run_program(program, data):
    """Run a program until its queue is empty.

    :param data: bytes for the queue.
    :returns: the level of the side-set pin in each cycle, and its level at rest.
    """
    assert program.given["autopull"]
    assert program.given["out_shiftdir"] == "left"
    queue = [byte * 0x01010101 for byte in data]  # a narrow write is there four times
    threshold = program.given["pull_thresh"]
    shift = x = place = 0
    left, pin, levels = 0, 0, []
    while True:
        word = program.words[place]
        kind, argument, delay = word >> 13, word & 255, word >> 8 & 15
        pin = word >> 12 & 1  # also while it waits for data
        place = program.wrap_target if place == program.wrap else place + 1
        if kind == OUT:
            if not left:
                if not queue:
                    return levels, pin
                shift, left = queue.pop(0), threshold
            count = argument & 31
            assert argument >> 5 == 1, "only x is known here"
            x, shift, left = shift >> 32 - count, shift << count & 0xFFFFFFFF, left - count
        elif kind == JMP:
            assert argument >> 5 < len(CONDITIONS)
            if argument >> 5 == 0 or not x:
                place = argument & 31
        else:
            assert (kind, argument) == (MOV, 2 << 5 | 2), "only nop is known here"
        levels += [pin] * (1 + delay)


def list_pulses(levels):
    """Return each high pulse with the low level after it, as (cycles high, cycles low)."""
    found, at = [], 0
    while at < len(levels):
        start = at
        while at < len(levels) and levels[at]:
            at += 1
        high, start = at - start, at
        while at < len(levels) and not levels[at]:
            at += 1
        if high:
            found.append((high, at - start))
    return found


def create_module():
    """Return a module `rp2` whose DMA channel records its data in `sent`."""
    made = SimpleNamespace(sent=[], machines=[], open=0)

    class StateMachine:
        def __init__(self, which, program, freq, sideset_base):
            self.program, self.freq, self.pin, self.on = program, freq, sideset_base.number, False
            made.machines.append(self)

        def active(self, on):
            self.on = bool(on)

    class DMA:
        def __init__(self):
            made.open += 1

        def pack_ctrl(self, size, inc_write, treq_sel):
            return {"size": size, "inc_write": inc_write, "treq_sel": treq_sel}

        def config(self, read, write, count, ctrl, trigger):
            assert write.on
            assert trigger
            assert ctrl == {"size": 0, "inc_write": False, "treq_sel": 0}
            made.sent.append(bytes(read[:count]))

        def close(self):
            made.open -= 1

    made.PIO = SimpleNamespace(OUT_LOW="low", SHIFT_LEFT="left")
    made.asm_pio = lambda **given: lambda function: Program(function, **given)
    made.StateMachine, made.DMA = StateMachine, DMA
    return made
