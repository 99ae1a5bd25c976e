"""WS2812 pixels on a Pico's pin, by one of its programmable state machines: Python goes on running meanwhile.

DMA feeds the state machine a byte at a time; a byte written to its queue is there four times, so that its first bit is
the highest. 369 pixels take 11 ms.
"""

# mypy: disable-error-code="name-defined, no-untyped-call, no-untyped-def, misc"
import time

import machine
import rp2

PIN = 6

HERTZ = 8_000_000
"""Ten cycles of the state machine are one bit: 1.25 µs."""

LATCH_MS = 2
"""The pixels show a frame when their line has been low for 280 µs; the queue's last bytes come on top."""


@rp2.asm_pio(sideset_init=rp2.PIO.OUT_LOW, out_shiftdir=rp2.PIO.SHIFT_LEFT, autopull=True, pull_thresh=8)
def ws2812():  # noqa: D103 - not Python, but what the state machine does: each bit is high for 2 cycles or for 7
    wrap_target()
    label("bit")
    out(x, 1).side(0)[2]
    jmp(not_x, "zero").side(1)[1]
    jmp("bit").side(1)[4]
    label("zero")
    nop().side(0)[4]
    wrap()


class Strip:
    """Pixels of up to `size` bytes in all."""

    def __init__(self, size: int) -> None:
        self._queue = rp2.StateMachine(0, ws2812, freq=HERTZ, sideset_base=machine.Pin(PIN))
        self._queue.active(1)
        self._dma = rp2.DMA()
        # Bytes, paced by the queue of this state machine, which is request 0.
        self._control = self._dma.pack_ctrl(size=0, inc_write=False, treq_sel=0)
        self._sent = bytearray(size)
        self._busy = False
        self._began_ms = self._takes_ms = 0

    def show(self, data: "bytes | memoryview") -> bool:
        """Send these bytes; False while the last ones are still on their way."""
        now_ms = time.ticks_ms()  # type: ignore[attr-defined]
        if self._busy and time.ticks_diff(now_ms, self._began_ms) < self._takes_ms:  # type: ignore[attr-defined]
            return False
        count = len(data)
        self._sent[:count] = data
        self._busy = True
        self._began_ms, self._takes_ms = now_ms, count // 100 + 1 + LATCH_MS
        self._dma.config(read=self._sent, write=self._queue, count=count, ctrl=self._control, trigger=True)
        return True

    def close(self) -> None:
        """Let go of the state machine and of the DMA channel, so that a program that begins again can have them."""
        self._queue.active(0)
        self._dma.close()
