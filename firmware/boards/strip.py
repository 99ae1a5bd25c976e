"""WS2812 pixels on a Pico's pin, sent by a PIO state machine and DMA while Python goes on running.

DMA writes single bytes. A byte written to the state machine's queue is repeated four times in the word, so its first
bit is the highest. 369 pixels take 11 ms.
"""

# mypy: disable-error-code="name-defined, no-untyped-call, no-untyped-def, misc"
import time

import machine
import rp2

STRIP_PIN = 6

PIO_HZ = 8_000_000
"""Clock of the state machine in Hz. Ten cycles are one bit, 1.25 µs."""

LATCH_MS = 2
"""Pause in ms after a frame. The pixels show it after 280 µs of low level; the last bytes in the queue come on top."""


@rp2.asm_pio(sideset_init=rp2.PIO.OUT_LOW, out_shiftdir=rp2.PIO.SHIFT_LEFT, autopull=True, pull_thresh=8)
def ws2812():
    wrap_target()
    label("bit")
    out(x, 1).side(0)[2]
    jmp(not_x, "zero").side(1)[1]
    jmp("bit").side(1)[4]
    label("zero")
    nop().side(0)[4]
    wrap()


class PioStrip:
    """A strip of pixels with up to `size` bytes in all."""

    def __init__(self, size: int) -> None:
        self._queue = rp2.StateMachine(0, ws2812, freq=PIO_HZ, sideset_base=machine.Pin(STRIP_PIN))
        self._queue.active(1)
        self._dma = rp2.DMA()
        # Bytes, paced by the queue of this state machine (DREQ 0).
        self._control = self._dma.pack_ctrl(size=0, inc_write=False, treq_sel=0)
        self._sent = bytearray(size)
        self._busy = False
        self._began_ms = self._takes_ms = 0

    def show(self, data: "bytes | memoryview") -> bool:
        """Start to send these bytes. Returns False while the last ones are still being sent."""
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
        """Release the state machine and the DMA channel for a restarted program."""
        self._queue.active(0)
        self._dma.close()
