"""Lights on SPI: the bytes that WS2812 pixels read, and what to do if the port cannot be opened."""

import errno
import os
import threading

import pytest

from companion.common.errors import DeviceError
from companion.devices import neopixels, open_lights
from companion.devices.device_thread import DeviceUnsupported
from tests.support.received import DeviceCallbacks
from tests.support.waiting import wait_until


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
