"""The current of a strip of pixels."""

from itertools import chain

from companion.devices.lights import CHANNEL_MAX_MA, PIXEL_IDLE_MA


def estimate_current_ma(frame):
    """Return the current in mA that a strip draws at most while it shows this frame."""
    return len(frame) * PIXEL_IDLE_MA + sum(chain.from_iterable(frame)) * CHANNEL_MAX_MA / 255
