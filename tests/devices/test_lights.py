"""Lights: the current limit, Adafruit's pixels with captured output, and the bytes on SPI that WS2812 pixels read."""

import errno
import os
import subprocess
import sys
import threading
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.common.errors import DeviceError
from companion.devices import neopixels
from companion.devices.device_thread import DeviceUnsupported
from companion.devices.lights import SimulatedLights, StripLights, decode_frame, limit_current, open_lights
from tests.support.light_current import estimate_current_ma
from tests.support.received import DeviceCallbacks, check_threads_end, run_device
from tests.support.waiting import PATIENCE_S, wait_until

CHANNEL = st.integers(0, 255)
FRAMES = st.lists(st.tuples(CHANNEL, CHANNEL, CHANNEL), min_size=1, max_size=300)
RED, GREEN, OFF = (255, 0, 0), (0, 255, 0), (0, 0, 0)


def wait_for_frame(lights, number):
    wait_until(lambda: lights.sent_frame()[1] == number)
    return lights.sent_frame()[0]


@pytest.fixture
def lights():
    with run_device(open_lights("sim:", 3, 2000)) as (device, callbacks):
        yield device, callbacks


@given(FRAMES, st.integers(100, 20_000))
def test_a_frame_never_draws_more_than_the_limit(frame, limit_ma):
    assert estimate_current_ma(limit_current(frame, limit_ma)) <= max(limit_ma, len(frame))


@given(FRAMES, st.integers(100, 20_000))
def test_a_frame_within_the_limit_is_left_alone_and_any_other_is_dimmed_evenly(frame, limit_ma):
    shown = limit_current(frame, limit_ma)
    if estimate_current_ma(frame) <= limit_ma - 0.1:
        assert list(shown) == frame
    dimmed = sum(map(sum, shown)) / max(1, sum(map(sum, frame)))
    for before, after in zip(frame, shown, strict=True):
        for was, now in zip(before, after, strict=True):
            assert now <= was
            assert abs(now - was * dimmed) <= 1 + was * 3 * len(frame) / max(1, sum(map(sum, frame)))


def test_240_white_pixels_are_dimmed_to_two_amperes_and_not_much_below():
    shown = limit_current([(255, 255, 255)] * 240, 2000)
    assert 1900 < estimate_current_ma(shown) <= 2000
    assert estimate_current_ma([(255, 255, 255)] * 240) == 240 + 14_400


def test_pixels_that_draw_too_much_when_off_are_off():
    assert limit_current([RED] * 240, 200) == (OFF,) * 240


@pytest.mark.parametrize("url", ["sim:", "neopixel:D18"])
def test_a_limit_under_which_all_would_stay_dark_is_refused_with_the_least_that_works(url):
    open_lights(url, 240, 300)
    with pytest.raises(DeviceError) as refused:
        open_lights(url, 240, 299)
    assert "limit_ma is 299 and must be 300 or more: 240 pixels that are off draw 240 mA" in str(refused.value)
    assert max(map(max, limit_current([(255, 255, 255)], 61))) == 255


def test_a_frame_is_sent_in_the_order_of_the_strip_and_read_back_from_its_bytes(lights):
    device, _ = lights
    device.show_frame([RED, GREEN, (1, 2, 3)], 7)
    assert wait_for_frame(device, 7) == (RED, GREEN, (1, 2, 3))
    assert device._captured[0] == bytes([0, 255, 0, 255, 0, 0, 2, 1, 3])


@pytest.mark.parametrize("order", ["RGB", "BGR", "GRBW"])
def test_any_order_shows_the_same_colours(order):
    with run_device(open_lights(f"sim:?order={order}", 2, 2000)) as (device, _):
        device.show_frame([(9, 9, 9), (1, 2, 3)], 1)
        assert wait_for_frame(device, 1) == ((9, 9, 9), (1, 2, 3))
        assert len(device._captured[0]) == 2 * len(order)


def test_the_limit_is_kept_on_the_wire():
    with run_device(open_lights("sim:", 240, 2000)) as (device, _):
        device.show_frame([(255, 255, 255)] * 240, 1)
        assert 1900 < estimate_current_ma(wait_for_frame(device, 1)) <= 2000


def test_the_same_frame_is_not_sent_again_but_its_number_is_known(lights):
    device, _ = lights
    device.show_frame([RED] * 3, 1)
    wait_for_frame(device, 1)
    before = device._captured[0]
    device.show_frame([RED] * 3, 2)
    assert wait_for_frame(device, 2) == (RED,) * 3
    assert device._captured[0] is before


def test_showing_never_waits_and_only_the_newest_frame_is_sent():
    held, seen = threading.Event(), []

    class Slow(list):
        def show(self):
            seen.append(self[0])
            held.wait(PATIENCE_S)

        def deinit(self):
            pass

    with closing(StripLights("slow:", 1, 2000, lambda: Slow([OFF]))) as device:
        device.start(DeviceCallbacks().on_status)
        for level in range(100):
            device.show_frame([(level, 0, 0)], level)
        assert len(seen) < 2  # the first frame is still being sent
        held.set()
        wait_until(lambda: seen[-1:] == [(99, 0, 0)])
        assert len(seen) < 50


def test_a_frame_may_be_changed_by_its_painter_afterwards(lights):
    device, _ = lights
    frame = [RED] * 3
    device.show_frame(frame, 1)
    wait_for_frame(device, 1)
    frame[0] = GREEN
    device.show_frame(frame, 2)
    assert wait_for_frame(device, 2) == (GREEN, RED, RED)


def test_unplugged_lights_are_reported_and_show_the_newest_frame_when_found(lights):
    device, callbacks = lights
    device.show_frame([RED] * 3, 1)
    wait_for_frame(device, 1)
    device.set_plugged(False)
    assert callbacks.next_status(timeout_s=4) == (False, "The lights' cable is unplugged.")
    device.show_frame([GREEN] * 3, 2)
    assert device.sent_frame() == ((RED,) * 3, 1)
    device.set_plugged(True)
    assert callbacks.next_status(timeout_s=6) == (True, "")
    assert wait_for_frame(device, 2) == (GREEN,) * 3


def test_a_strip_that_lost_its_power_is_sent_its_frame_again(lights):
    device, callbacks = lights
    device.show_frame([RED] * 3, 1)
    wait_for_frame(device, 1)
    before = device._captured[0]
    device.set_plugged(False)
    callbacks.next_status()
    device.set_plugged(True)
    assert callbacks.next_status() == (True, "")
    assert device._captured[0] is not before
    assert device.sent_frame() == ((RED,) * 3, 1)


def test_closing_turns_the_lights_off_at_once_and_twice():
    device, callbacks = open_lights("sim:", 2, 2000), DeviceCallbacks()
    device.close()
    with check_threads_end():
        device = open_lights("sim:", 2, 2000)
        device.start(callbacks.on_status)
        device.show_frame([RED] * 2, 5)
        wait_for_frame(device, 5)
        device.close()
        device.close()
    assert device.sent_frame() == ((OFF, OFF), 5)


def test_nothing_has_been_sent_before_the_start():
    assert SimulatedLights("sim:", 2, 2000, "GRB").sent_frame() == ((OFF, OFF), 0)


def test_a_strip_that_cannot_be_driven_is_a_sentence_and_tried_again():
    tries, pin = [], []

    class Pin:
        def deinit(self):
            pin.append("free")

    class Strip(list):
        pin = Pin()

        def show(self):
            tries.append(1)
            if len(tries) == 1:
                raise RuntimeError("ws2811_init failed with code -9")

        def deinit(self):
            raise RuntimeError("again")

    callbacks = DeviceCallbacks()
    with closing(StripLights("strip:", 1, 2000, lambda: Strip([OFF]))) as device:
        device.start(callbacks.on_status)
        ok, say = callbacks.next_status()
        assert not ok
        assert "ws2811" not in say
        assert pin == ["free"]
        assert callbacks.next_status() == (True, "")


def output_of(*arguments):
    python = [sys.executable, *arguments]
    ran = subprocess.run(python, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    return ran.returncode, ran.stdout, ran.stderr


REAL = """
import sys, threading, time
import companion.devices.lights as lights
captured = []
import os
os.environ["BLINKA_SKIP_DEPENDENCY_CHECK"] = "1"
import neopixel_write
neopixel_write._neopixel.neopixel_write = lambda pin, data: captured.append(bytes(data))
told = threading.Event()
device = lights.open_lights("neopixel:NEOPIXEL?order=RGB", 2, 2000)
device.start(lambda ok, say: told.set())
device.show_frame([(1, 2, 3), (4, 5, 6)], 1)
assert told.wait(240)
deadline = time.monotonic() + 240
while bytes([1, 2, 3, 4, 5, 6]) not in captured:
    assert time.monotonic() < deadline
    time.sleep(0.01)
device.close()
assert captured[-1] == bytes(6), captured
"""


def test_the_real_neopixel_class_sends_the_same_bytes_and_goes_dark(monkeypatch):
    monkeypatch.setenv("BLINKA_OS_AGNOSTIC", "1")
    assert output_of("-W", "error::ResourceWarning", "-c", REAL) == (0, "", "")


PC = """
import queue
from companion.devices import open_lights
said = queue.Queue()
device = open_lights("neopixel:D18", 2, 2000)
device.start(lambda ok, say: said.put(say))
say = said.get(timeout=240)
device.close()
assert say.startswith("NeoPixels on a pin need a Raspberry Pi and its packages. To install them there, type: "), say
"""


def test_a_pc_cannot_drive_a_strip_and_nothing_is_printed_or_asked():
    assert output_of("-c", PC) == (0, "", "")


@given(FRAMES)
def test_colours_are_read_back_from_bytes_of_any_order(frame):
    assert decode_frame(bytes(c for r, g, b in frame for c in (b, r, g)), "BRG") == tuple(frame)


def read_back(wire):
    """Return the bytes that a strip reads from these pulses: four SPI bits are one bit of a pixel and last 1.25 µs."""
    bits = "".join(f"{byte:08b}" for byte in wire.strip(b"\0"))
    pixels = "".join({"1000": "0", "1110": "1"}[bits[at : at + 4]] for at in range(0, len(bits), 4))
    return bytes(int(pixels[at : at + 8], 2) for at in range(0, len(pixels), 8))


@pytest.fixture
def port(tmp_path, monkeypatch):
    """A file in place of the port, which accepts every request."""
    asked = []
    monkeypatch.setattr("fcntl.ioctl", lambda port, request, data: asked.append((request, data)))
    path = tmp_path / "spidev0.0"
    path.touch()
    return path, asked


def test_every_byte_is_read_back_and_a_frame_is_between_two_latches():
    data = bytes(range(256))
    wire = neopixels.encode_pulses(data)
    assert read_back(wire) == data
    low_us = 8 / neopixels.SPI_HZ * 1e6 * len(neopixels.LATCH_BYTES)
    assert low_us >= 280
    assert wire.startswith(neopixels.LATCH_BYTES)
    assert wire.endswith(neopixels.LATCH_BYTES)


def test_frames_go_to_the_port_at_its_speed_and_it_is_dark_afterwards(port):
    path, asked = port
    device, callbacks = open_lights(f"neopixel-spi:{path}", 3, 2000), DeviceCallbacks()
    device.start(callbacks.on_status)
    assert callbacks.next_status() == (True, "")
    device.show_frame([(255, 0, 0), (0, 255, 0), (1, 2, 3)], 1)
    frame = bytes([0, 255, 0, 255, 0, 0, 2, 1, 3])
    wait_until(lambda: path.read_bytes().endswith(neopixels.encode_pulses(frame)))
    device.close()
    assert read_back(path.read_bytes()[-len(neopixels.encode_pulses(frame)) :]) == bytes(9)
    assert (neopixels._SET_HERTZ, (3_200_000).to_bytes(4, "little")) in asked


def test_a_strip_that_is_wired_in_another_order_shows_each_colour_at_its_hole(port):
    path, _ = port
    device, callbacks = open_lights(f"neopixel-spi:{path}?order=RGB", 2, 2000, places=(1, None, 0)), DeviceCallbacks()
    device.start(callbacks.on_status)
    assert callbacks.next_status() == (True, "")
    device.show_frame([(1, 2, 3), (4, 5, 6)], 1)
    wait_until(lambda: path.read_bytes().endswith(neopixels.encode_pulses(bytes([4, 5, 6, 0, 0, 0, 1, 2, 3]))))
    device.close()


def test_more_pixels_than_the_kernel_sends_at_once_are_reported_with_the_setting_to_write(tmp_path):
    buffer = tmp_path / "bufsiz"
    buffer.write_text("4096\n")
    neopixels._check_buffer_size(4096, buffer)
    with pytest.raises(DeviceUnsupported, match=r"4668 bytes.*spidev.bufsiz=16384"):
        neopixels.SpiStrip("/dev/spidev0.0", 369, "GRB", buffer)


def test_a_port_that_is_absent_is_none_or_may_not_be_opened_says_what_to_type(tmp_path, monkeypatch):
    with pytest.raises(DeviceError, match="raspi-config nonint do_spi 0"):
        neopixels.SpiStrip(str(tmp_path / "none"), 1, "GRB")
    (tmp_path / "file").touch()
    with pytest.raises(DeviceError, match=r"is not an SPI port. Use /dev/spidev0\.0"):
        neopixels.SpiStrip(str(tmp_path / "file"), 1, "GRB")
    monkeypatch.setattr(os, "open", lambda *_: (_ for _ in ()).throw(OSError(errno.EACCES, "no")))
    with pytest.raises(DeviceError, match=r"usermod -aG spi \$USER"):
        neopixels.SpiStrip("/dev/spidev0.0", 1, "GRB")


def test_a_port_that_stops_accepting_frames_is_reported_and_opened_again(port, monkeypatch):
    path, _ = port
    refuse, real = threading.Event(), os.write
    monkeypatch.setattr(
        neopixels.os, "write", lambda f, d: (_ for _ in ()).throw(OSError(5, "gone")) if refuse.is_set() else real(f, d)
    )
    device, callbacks = open_lights(f"neopixel-spi:{path}", 1, 2000), DeviceCallbacks()
    device.start(callbacks.on_status)
    assert callbacks.next_status() == (True, "")
    refuse.set()
    device.show_frame([(9, 9, 9)], 1)
    assert callbacks.next_status() == (False, f"Cannot send to the lights on {path} any more.")
    refuse.clear()
    assert callbacks.next_status() == (True, "")
    device.close()
