"""Makes any machine a Raspberry Pi 4 to Blinka, as far as its pins: all else, rpi_ws281x first of all, is the real one.

Python imports this file by its name at the start of every process that has this folder in PYTHONPATH.
"""

import os

os.environ |= {"BLINKA_FORCECHIP": "BCM2XXX", "BLINKA_FORCEBOARD": "RASPBERRY_PI_4B"}

from adafruit_blinka.microcontroller.generic_linux.raspberry_pi_pin import Pin
from adafruit_platformdetect.board import Board

Board._pi_rev_code = lambda self: 0xC03111
Pin.init = lambda self, *_, **__: None
Pin.value = lambda self, *_: 0
