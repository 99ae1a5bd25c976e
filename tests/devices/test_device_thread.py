"""Device URLs, the thread that reconnects a device, and the one that makes queued calls."""

import itertools
import os
import threading

import pytest
from serial.serialutil import Timeout

from companion.common.errors import DeviceError
from companion.devices import device_thread
from companion.devices.device_thread import (
    CallbackQueue,
    DeviceThread,
    open_serial_port,
    parse_device_url,
    read_available,
)
from companion.devices.serial_line import SerialLine
from tests.support.waiting import PATIENCE_S


def test_a_url_is_taken_apart():
    known = {"serial": ("baud", "seat")}
    for url, baud in (("serial:/dev/ttyUSB0?seat=1&baud=9600", 9600), ("serial:/dev/ttyUSB0", 115_200)):
        address = parse_device_url(url, device="card reader", known=known, paths=("serial",))
        assert (address.scheme, address.path) == ("serial", "/dev/ttyUSB0")
        assert address.int_option("baud", 115_200, least=300, most=4_000_000) == baud


def test_a_port_that_is_not_there_is_a_sentence(tmp_path):
    with pytest.raises(DeviceError, match="Check the cable"):
        open_serial_port(str(tmp_path / "ttyACM0"), 115200)
    (tmp_path / "file").write_text("no port")
    with pytest.raises(DeviceError, match=r"Cannot open|Cannot use"):
        open_serial_port(str(tmp_path / "file"), 115200)


def test_a_port_in_use_is_a_sentence_and_a_port_that_goes_is_an_error():
    master, slave = os.openpty()
    port = open_serial_port(os.ttyname(slave), 115200)
    with pytest.raises(DeviceError, match="in use by another program"):
        open_serial_port(os.ttyname(slave), 115200)
    os.write(master, b"7D")
    assert read_available(port) + read_available(port) == b"7D"
    os.close(master)
    with pytest.raises(DeviceError, match="was disconnected"):
        read_available(port)
    port.close()
    os.close(slave)


def test_a_process_that_was_not_run_for_a_second_has_still_sent(monkeypatch):
    master, slave = os.openpty()
    line = SerialLine(os.ttyname(slave), 115200)
    monkeypatch.setattr(Timeout, "TIME", itertools.count(0, 0.3).__next__)  # each look at the clock is 0.3 s later
    line.write(b"Q\n")
    assert os.read(master, 10) == b"Q\n"
    line.close()
    os.close(master)
    os.close(slave)


def test_a_device_thread_reconnects_and_reports_each_change_once(monkeypatch):
    monkeypatch.setattr(device_thread, "RETRY_INTERVAL_S", 0.001)
    told, tries, done = [], [], threading.Event()

    def serve(thread):
        tries.append(1)
        if len(tries) <= 3:
            raise DeviceError("It is not there.")
        if len(tries) == 4:
            raise ZeroDivisionError
        thread.report_ok()
        done.set()
        thread.closing.wait()

    thread = DeviceThread("toy", serve, lambda ok, say: told.append((ok, say)))
    thread.start()
    assert done.wait(PATIENCE_S)
    assert told == [(False, "It is not there."), (False, "Cannot use the toy. Trying again."), (True, "")]
    thread.close()
    thread.close()


def test_a_device_thread_that_was_never_started_can_be_closed():
    DeviceThread("toy", lambda thread: None, lambda ok, say: None).close()


def test_calls_are_made_in_order_without_a_waiting_caller():
    passing, made, go, done = CallbackQueue("test"), [], threading.Event(), threading.Event()
    passing.start()
    passing.call_soon(go.wait, PATIENCE_S)
    for number in range(100):
        passing.call_soon(made.append, number)
    passing.call_soon(done.set)
    assert made == []
    go.set()
    assert done.wait(PATIENCE_S)
    assert made == list(range(100))
    passing.close()
    passing.close()


def test_a_call_that_fails_is_logged_and_the_next_is_made(caplog):
    passing, made = CallbackQueue("test"), []
    passing.start()
    passing.call_soon(lambda: 1 / 0)
    passing.call_soon(made.append, 1)
    passing.close()
    assert made == [1]
    assert "ZeroDivisionError" in caplog.text


def test_one_that_never_began_closes_all_the_same():
    CallbackQueue("test").close()
