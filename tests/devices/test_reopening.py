"""Device URLs, and the thread that goes on trying."""

import os
import threading
import time

import pytest

from companion.common.errors import DeviceError
from companion.devices import device_thread
from companion.devices.device_thread import Keeper, open_serial, read_some, read_url

KNOWN = {"serial": ("baud", "seat"), "sim": ()}


def read(url):
    return read_url(url, device="card reader", known=KNOWN, paths=("serial",))


def test_a_url_is_taken_apart():
    address = read("serial:/dev/ttyUSB0?seat=1&baud=9600")
    assert (address.scheme, address.path) == ("serial", "/dev/ttyUSB0")
    assert address.number("baud", 115200, least=300, most=4_000_000) == 9600
    assert read("serial:/dev/x").number("baud", 115200, least=300, most=4_000_000) == 115200


@pytest.mark.parametrize(
    ("url", "say"),
    [
        ("bluetooth:x", "'bluetooth:x' does not name the card reader: it must begin with serial: or sim:"),
        ("sim", "'sim' does not name the card reader: it must begin with serial: or sim:"),
        ("serial:", "'serial:' needs a path, such as serial:/dev/ttyACM0"),
        ("sim:/dev/x", "'sim:/dev/x' takes no path: write sim:"),
        ("serial:/dev/x?boud=1", "'serial:/dev/x?boud=1' has no option 'boud': 'baud' is one."),
        ("serial:/dev/x?baud=1&baud=2", "'serial:/dev/x?baud=1&baud=2' gives 'baud' twice."),
        ("serial:/dev/x?baud", "The options in 'serial:/dev/x?baud' must be written option=value, parted by &."),
    ],
)
def test_a_url_that_means_nothing_is_refused_with_a_sentence(url, say):
    with pytest.raises(DeviceError) as refused:
        read(url)
    assert str(refused.value) == say


@pytest.mark.parametrize("value", ["", "fast", "-1", "1.5", "0", "9" * 5000, "٣"])
def test_an_option_out_of_range_is_refused(value):
    with pytest.raises(DeviceError, match="must be a whole number from 300 to 4000000"):
        read(f"serial:/dev/x?baud={value}").number("baud", 115200, least=300, most=4_000_000)


def test_a_port_that_is_not_there_is_a_sentence(tmp_path):
    with pytest.raises(DeviceError, match="is the cable in"):
        open_serial(str(tmp_path / "ttyACM0"), 115200)
    (tmp_path / "file").write_text("no port")
    with pytest.raises(DeviceError, match=r"does not open|cannot be used"):
        open_serial(str(tmp_path / "file"), 115200)


def test_a_port_in_use_is_a_sentence_and_a_port_that_goes_is_an_error():
    master, slave = os.openpty()
    port = open_serial(os.ttyname(slave), 115200)
    with pytest.raises(DeviceError, match="in use by another program"):
        open_serial(os.ttyname(slave), 115200)
    os.write(master, b"7D")
    assert read_some(port) + read_some(port) == b"7D"
    os.close(master)
    with pytest.raises(DeviceError, match="has gone away"):
        read_some(port)
    port.close()
    os.close(slave)


def test_a_keeper_opens_again_for_ever_and_tells_each_change_once(monkeypatch):
    monkeypatch.setattr(device_thread, "AGAIN_S", 0.001)
    told, tries, done = [], [], threading.Event()

    def attend(keeper):
        tries.append(1)
        if len(tries) <= 3:
            raise DeviceError("It is not there.")
        if len(tries) == 4:
            raise ZeroDivisionError
        keeper.well()
        done.set()
        keeper.closing.wait()

    keeper = Keeper("toy", attend, lambda ok, say: told.append((ok, say)))
    keeper.start()
    assert done.wait(30)
    assert told == [(False, "It is not there."), (False, "The toy cannot be used; trying again."), (True, "")]
    keeper.close()
    keeper.close()


def test_a_keeper_never_started_can_be_closed():
    begun = time.monotonic()
    Keeper("toy", lambda keeper: None, lambda ok, say: None).close()
    assert time.monotonic() - begun < 4
