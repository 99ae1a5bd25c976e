"""The Pi's real libraries: a refused, missing or lost device never ends the program. Each test runs a process."""

import importlib.util
import json
import os
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

import pytest

from companion.devices import device_thread, neopixels
from tests.support.waiting import PATIENCE_S, wait_until

PRETEND_PI = Path(__file__).parent / "pretend_pi"

REFUSED = """
import queue, sys, threading
from companion.devices import device_thread
from companion.devices import lights, neopixels
device_thread.SLOW_RETRY_INTERVAL_S = 0.1
tries, said, counted = threading.Semaphore(0), queue.Queue(), sys.argv[1]
if counted == "open_neopixel":  # as if the trial had gone well, and something came between it and us
    neopixels.try_neopixel = lambda *_: None
def count(*given, real=getattr(neopixels, counted)):
    tries.release()
    return real(*given)
setattr(neopixels, counted, count)
device = lights.open_lights("neopixel:D18", 3, 2000)
device.start(lambda ok, say: said.put((ok, say)))
device.show_frame([(1, 2, 3)] * 3, 1)
for _ in range(4):
    assert tries.acquire(timeout=240)
device.close()
print(*said.get(timeout=1))
"""


def needs(*modules):
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    return pytest.mark.skipif(
        bool(missing), reason=f"{', '.join(missing)} could not be had: `make pi-libraries` says why"
    )


def output_of(code, *arguments, **around):
    python = [sys.executable, "-X", "faulthandler", "-c", code, *arguments]
    env = os.environ | {"PYTHONPATH": str(PRETEND_PI)} | around
    ran = subprocess.run(
        python, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=env, check=False, timeout=PATIENCE_S
    )
    return ran.returncode, ran.stdout, ran.stderr


@needs("_rpi_ws281x", "gpiod")
@pytest.mark.parametrize("where", ["try_neopixel", "open_neopixel"])
def test_a_refused_strip_is_reported_and_tried_again_and_the_program_continues(where):
    code, said, trouble = output_of(REFUSED, where)
    assert code == 0, trouble
    assert said == "False The package rpi_ws281x does not know this Pi model. Install its newest version.\n"


@pytest.mark.parametrize(
    ("dies", "typed", "told"),
    [
        ("raise SystemExit(1)", "NeoPixel support requires running with sudo!", "Run sudo .venv/bin/companion play"),
        ("import os; os.abort()", "", "neopixel-spi:/dev/spidev0.0"),
        ("raise SystemExit(1)", "ws2811_init failed with code -11 (Selected GPIO not possible)", "Use D18, D12 or D21"),
        ("raise SystemExit(1)", "grant access to the gpio group", "sudo usermod -aG gpio $USER"),
        ("raise SystemExit(1)", "Failed to open PIO device (error -13)", "companion doctor"),
    ],
)
def test_a_refusal_says_what_to_type(monkeypatch, dies, typed, told):
    real = subprocess.Popen
    trial = [sys.executable, "-c", f"print({typed!r}, flush=True); {dies}"]
    monkeypatch.setattr(neopixels.subprocess, "Popen", lambda _, **how: real(trial, **how))
    monkeypatch.setattr(neopixels.os, "geteuid", lambda: 1000)
    with pytest.raises(device_thread.RetrySlowly) as refused:
        neopixels.try_neopixel("D18", 3, "GRB", threading.Event())
    assert told in str(refused.value)


def test_a_trial_that_hangs_ends_with_the_program(monkeypatch):
    real, closing = subprocess.Popen, threading.Event()
    monkeypatch.setattr(neopixels.subprocess, "Popen", lambda _, **how: real(["sleep", "60"], **how))
    threading.Timer(0.3, closing.set).start()
    with pytest.raises(device_thread.RetrySlowly):
        neopixels.try_neopixel("D18", 3, "GRB", closing)


NOT_THERE = {
    "sensors": "serial:/dev/serial/by-id/usb-none",
    "cards": "keyboard:/dev/input/by-id/usb-none-event-kbd",
    "buttons": "gpio:dice=17,undo=27",
    "lights": "neopixel:D18",
}


@needs("_rpi_ws281x", "gpiod", "lgpio", "evdev")
@pytest.mark.parametrize("pins", ["lgpio", "native"])
def test_a_table_without_any_device_continues_and_ends_on_request(tmp_path, pins):
    flags = [word for name, url in NOT_THERE.items() for word in (f"--{name}", url)]
    flags += ["--set", "buzzer=gpio:13", "--port", "0", "--host", "127.0.0.1", "--journal", str(tmp_path / "j.sqlite3")]
    env = os.environ | {"PYTHONPATH": str(PRETEND_PI), "GPIOZERO_PIN_FACTORY": pins, "LG_WD": str(tmp_path)}
    python = [sys.executable, "-X", "faulthandler", "-m", "companion", "play"]
    pipe = subprocess.PIPE
    with subprocess.Popen([*python, *flags], stdout=pipe, stderr=pipe, text=True, env=env, cwd=tmp_path) as program:
        try:
            address = program.stdout.readline().split()[1]
            wait_until(lambda: all("Not yet" not in each["say"] for each in devices(address).values()))
            assert {name: each["ok"] for name, each in devices(address).items()} == dict.fromkeys(NOT_THERE, False)
            time.sleep(1.5)  # long enough for each to have been tried again
            assert program.poll() is None
        finally:
            program.terminate()
        _, trouble = program.communicate(timeout=PATIENCE_S)
    assert program.returncode == 0, trouble
    assert "buzzer" in trouble
    assert "Fatal" not in trouble


def devices(address):
    with urllib.request.urlopen(address + "api/state", timeout=PATIENCE_S) as answer:
        return json.load(answer)["devices"]
