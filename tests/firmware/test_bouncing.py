"""Contacts that bounce, for a minute or an hour of the board's time: no level is lost and none is invented.

Under CPython and under MicroPython: plain asserts, nothing imported but the firmware.
"""

from firmware import wire
from firmware.node import SCAN_INTERVAL_MS, SCANS_TO_RECOVER, Node
from firmware.wire import Decoder, Fault, Holes

HOLES = 369

BOUNCES_MS = 12
"""A contact chatters for so long after each change, at random."""

RESTS_MS = 60
"""Then it keeps its level for so long at least."""

SETTLED_MS = 20
"""So long after it has come to rest each hole is told as it is."""


class Chance:
    """Pseudo-random numbers, the same under every Python."""

    def __init__(self, seed):
        self._state = seed

    def below(self, most):
        self._state = self._state * 1103515245 + 12345 & 0x3FFFFFFF
        return (self._state >> 12) % most


class Chain:
    """Tiles of 15 holes and a sentinel, as `classic` has; a hole at random changes its level every 40 ms or so."""

    def __init__(self, chance):
        self.chance, self.chain, self.ties = chance, [], 0
        for hole in range(HOLES):
            self.chain.append(f"h{hole}")
            if hole % 15 == 14:
                self.ties |= 1 << len(self.chain)
                self.chain.append(1)
        self.chain.append(0)
        self.places = [place for place, each in enumerate(self.chain) if isinstance(each, str)]
        self.raw = self.levels = self.quiet = 0
        self.restless = {}  # hole: the time of its last change
        self.changes = 0

    def pass_to(self, now_ms):
        """Let changes and bounces happen until then."""
        if not self.chance.below(10):
            hole = self.chance.below(HOLES)
            if hole not in self.restless:
                self.restless[hole] = now_ms
                self.levels ^= 1 << hole
                self.changes += 1
        raw = self.raw
        for hole, since_ms in list(self.restless.items()):
            level = self.levels >> hole & 1
            if now_ms - since_ms < BOUNCES_MS:
                level = self.chance.below(2)
            elif now_ms - since_ms >= BOUNCES_MS + RESTS_MS:
                del self.restless[hole]
            raw = raw & ~(1 << self.places[hole]) | level << self.places[hole]
        self.raw = raw

    def read(self):
        return self.raw | self.ties

    def doubtful(self, now_ms):
        """The holes whose change need not have been reported yet."""
        held = 0
        for hole, since_ms in self.restless.items():
            if now_ms - since_ms < BOUNCES_MS + SETTLED_MS:
                held |= 1 << hole
        return held


class Game:
    """A board with bouncing contacts, and its reports. `play` may be called repeatedly."""

    def __init__(self, seed=1):
        self.now_ms = self.told = self.changes = 0
        self._chain, self._sent, self._decoder = Chain(Chance(seed)), [], Decoder()
        self._node = Node({"chain": self._chain.chain}, self._chain.read, self._sent.append)

    def play(self, ms):
        for _ in range(0, ms, SCAN_INTERVAL_MS):
            self.now_ms += SCAN_INTERVAL_MS
            self._chain.pass_to(self.now_ms)
            self._node.step(self.now_ms)
            while self._sent:
                for message in self._decoder.feed(self._sent.pop(0)):
                    assert not isinstance(message, Fault)
                    if isinstance(message, Holes):
                        self._hear(message.bits)
        # Only those that came to rest last may not have been told yet.
        made = self._chain.changes
        assert made - len(self._chain.restless) <= self.changes <= made, (self.changes, made)
        assert self._decoder.bad_lines == 0

    def _hear(self, bits):
        assert (bits ^ self._chain.levels) & ~self._chain.doubtful(self.now_ms) == 0, self.now_ms
        differs = bits ^ self.told
        while differs:
            self.changes += 1
            differs &= differs - 1
        self.told = bits


def test_a_minute_of_bouncing_contacts_loses_no_level():
    game = Game()
    game.play(60_000)
    assert game.changes > 1000


def test_what_shows_a_lost_level_would_see_it():
    class Deaf(Chain):
        def read(self):
            return super().read() & ~(1 << self.places[7])

    chain = Deaf(Chance(1))
    chain.levels = 1 << 7
    assert chain.read() == chain.ties
    node = Node({"chain": chain.chain}, chain.read, lambda data: None)
    for now_ms in range(0, 4 * SCAN_INTERVAL_MS * SCANS_TO_RECOVER, SCAN_INTERVAL_MS):
        node.step(now_ms)
    assert (node.reported_levels ^ chain.levels) & ~chain.doubtful(now_ms) == 1 << 7
    assert wire.COUNTER_MASK > 3_600_000


LONG = Game(2)


def ten_seconds():
    """Play a part of the long game. MicroPython on node collects no garbage within a call, so it is played in parts."""
    LONG.play(10_000)
    print(LONG.changes)
