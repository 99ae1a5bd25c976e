"""The modules of MicroPython that the Pico's program imports: a chain on pins, a clock, a USB cable, a watchdog.

Time passes while the program sleeps. `pico.script` is called with the time at each sleep; raising `PowerOff` ends the
run.
"""

import importlib
import sys
from types import SimpleNamespace

from companion.devices import simulated_framebuf
from firmware.wire import Decoder
from tests.support import simulated_rp2

WATCHDOG = 0x40058000


class Chain:
    """A chain of 74HC165s, the nearest first, one input per hole. LD low loads the inputs; SPI clocks them out."""

    def __init__(self, registers):
        self.inputs = [1] * (8 * registers)  # in the order in which they are clocked out; pulled up
        self._shifting = []

    def load(self, level):
        if not level:
            self._shifting = list(self.inputs)

    def readinto(self, octets):
        for place in range(len(octets)):
            # The first bit of eight is the highest.
            octets[place] = sum(self._shifting[8 * place + bit] << 7 - bit for bit in range(8))


class Bus:
    """An I2C bus with an SSD1306 display that keeps what is written to its memory; `ids` are its number and pins."""

    def __init__(self):
        self.answers, self.written, self.ids = True, [], None

    def writeto(self, address, data):
        if not self.answers or address != 0x3C:
            raise OSError(5, "EIO")
        self.written.append(bytes(data))


class PowerOff(BaseException):
    """Raised by a script to switch the power off."""


class Pico:
    """A Pico in simulated time. `send_data(data)` sends bytes over the cable; `said` are the bytes of the program."""

    def __init__(self, monkeypatch, folder, registers=3):
        self.chain = Chain(registers)
        self.now_ms, self.fed_ms, self.kbd_intr, self.said = 0, None, [], b""
        self.pins, self.memory, self.script = {}, {}, lambda now_ms: None
        self.grounded, self.tones, self.bus = set(), [], Bus()
        self._arrived = bytearray()
        self._watched = False
        monkeypatch.chdir(folder)
        monkeypatch.setitem(sys.modules, "machine", self._create_machine())
        monkeypatch.setitem(sys.modules, "micropython", self._create_micropython())
        monkeypatch.setitem(sys.modules, "framebuf", simulated_framebuf)
        for name in ("firmware.boards.pico", "firmware.boards.strip", "firmware.boards.panel"):
            monkeypatch.delitem(sys.modules, name, raising=False)
        self.rp2 = simulated_rp2.create_module()
        monkeypatch.setitem(sys.modules, "rp2", self.rp2)
        self.program = importlib.import_module("firmware.boards.pico")
        out = SimpleNamespace(buffer=SimpleNamespace(write=self._write_output))
        self.program.sys = SimpleNamespace(
            stdin=SimpleNamespace(buffer=SimpleNamespace(read=self._read_input)),
            stdout=out,
            implementation=SimpleNamespace(_machine="Raspberry Pi Pico with RP2040"),
        )
        poll = SimpleNamespace(register=lambda *_: None, poll=lambda _: self._arrived)
        self.program.gc = SimpleNamespace(collect=lambda: None)
        self.program.select = SimpleNamespace(poll=lambda: poll, POLLIN=1)
        self.program.time = SimpleNamespace(
            ticks_ms=lambda: self.now_ms, sleep_ms=self._sleep, ticks_diff=lambda now, then: now - then
        )
        sys.modules["firmware.boards.strip"].time = self.program.time

    def send_data(self, data):
        self._arrived += data

    def run(self):
        """Run the program. Return True if it quit by itself, False if the script ended it."""
        try:
            self.program.main()
        except PowerOff:
            return False
        return True

    def run_for(self, ms, at=lambda now_ms: None):
        """Run the program for this time in ms, with `at` in each of them. Return the messages that it sent."""

        def script(now_ms):
            at(now_ms)
            if now_ms >= ms:
                raise PowerOff

        self.script = script
        self.has_quit = self.run()
        return Decoder().feed(self.said)

    def record_scans(self):
        """Return the list of the times of all later scans."""
        times, whole = [], self.chain.readinto
        self.chain.readinto = lambda octets: (times.append(self.now_ms), whole(octets))
        return times

    def _write_output(self, data):
        self.said += bytes(data)

    def _read_input(self, count):
        data = bytes(self._arrived[:count])
        del self._arrived[:count]
        return data

    def _sleep(self, ms):
        self.now_ms += ms
        assert not self._is_watched() or self.now_ms - self.fed_ms < 8000, "the watchdog bites"
        self.script(self.now_ms)

    def _is_watched(self):
        return self._watched and not self.memory.get(WATCHDOG + 0x3000, 0) >> 30 & 1

    def _feed(self):
        self.fed_ms = self.now_ms

    def _watchdog(self, timeout):
        assert timeout <= 8388, "a Pico's watchdog counts no further"
        self._watched = True
        self._feed()
        return SimpleNamespace(feed=self._feed)

    def _pin(self, number, mode=None, pull=None, value=None):
        if not 0 <= number <= 29:
            raise ValueError("invalid pin")
        self.pins[number] = (mode, pull)
        value = self.chain.load if mode == "out" else lambda: int(number not in self.grounded)
        return SimpleNamespace(value=value, number=number)

    def _pwm(self, pin):
        tone = {}

        def duty_u16(duty):
            self.tones.append((self.now_ms, tone.get("hz", 0) if duty else 0))

        return SimpleNamespace(freq=lambda hz: tone.update(hz=hz), duty_u16=duty_u16)

    def _i2c(self, which, *, sda, scl, freq, timeout):
        self.bus.ids = which, sda.number, scl.number
        assert (freq, timeout) == (400_000, 2000)
        return self.bus

    def _spi(self, which, **given):
        self.pins["spi"] = {k: v.number if k in ("sck", "mosi", "miso") else v for k, v in given.items()}
        return self.chain

    def _create_machine(self):
        pin = self._pin
        pin.__func__.IN, pin.__func__.OUT, pin.__func__.PULL_UP = "in", "out", "pull-up"
        return SimpleNamespace(
            Pin=pin,
            SPI=self._spi,
            PWM=self._pwm,
            I2C=self._i2c,
            WDT=self._watchdog,
            unique_id=lambda: b"\xe6\x61",
            mem32=self.memory,
        )

    def _create_micropython(self):
        return SimpleNamespace(kbd_intr=self.kbd_intr.append, native=lambda f: f, viper=lambda f: f)
