"""What runs inside the virtual machine: the agent that takes commands, and the far ends of its simulated plugs.

`guest.py agent` answers lines of JSON at a virtio port. `guest.py pico BOARD` is a Pico at the far end of a USB cable
(/dev/ttyGS0 of the kernel's gadget drivers): the shipped firmware, which reads its pegs from the file /run/pegs.
`guest.py type TEXT…` is a card reader that types as a keyboard, with a second keyboard beside it.
"""

import contextlib
import json
import os
import subprocess
import sys
import termios
import time
import tty
import urllib.request
from pathlib import Path

PEGS = Path("/run/pegs")
"""The bits of the holes with a peg, hexadecimal."""


def run_agent() -> None:
    """Run each command that arrives, and answer with its exit code and output."""
    with open("/dev/virtio-ports/agent", "r+b", buffering=0) as port:  # noqa: PTH123 - a character device
        pending = b""
        while True:
            pending += port.read(65536) or time.sleep(0.05) or b""
            while b"\n" in pending:
                line, _, pending = pending.partition(b"\n")
                done = subprocess.run(
                    json.loads(line), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
                )
                port.write(json.dumps([done.returncode, done.stdout + done.stderr]).encode() + b"\n")


def run_pico(board_name: str, version: str = "") -> None:
    """Run the firmware until the cable is out, as if it had another version of the protocol if one is given."""
    from companion.boards import catalog  # noqa: PLC0415 - of the installed version, as the firmware is
    from firmware import wire  # noqa: PLC0415
    from firmware.node import Node  # noqa: PLC0415

    wire.VERSION = int(version or wire.VERSION)
    board = catalog.load_board(board_name)
    raw_bits = {name: bit for bit, name in enumerate(board.wiring.chain)}
    levels = sum(bool(level) << bit for bit, level in enumerate(board.wiring.chain) if isinstance(level, int))

    def read() -> int:
        pegs = int(PEGS.read_text(), 16)
        return levels | sum((pegs >> number & 1) << raw_bits[hole.id] for number, hole in enumerate(board.holes))

    line = os.open("/dev/ttyGS0", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    tty.setraw(line, termios.TCSANOW)

    def send(data: bytes) -> None:
        try:
            os.write(line, data)
        except BlockingIOError:  # nobody has the port open
            termios.tcflush(line, termios.TCOFLUSH)

    node = Node(catalog.describe_for_firmware(board), read, send, "e661")
    while True:
        with contextlib.suppress(BlockingIOError):
            node.receive_data(os.read(line, 256))
        node.step(time.monotonic_ns() // 1_000_000)
        time.sleep(0.002)


def type_codes(*codes: str) -> None:
    """Type each code and Enter on a new keyboard `Reader`, half of them with Shift, once it is open.

    Another keyboard, `Desk`, has Caps Lock on, and must stay usable.
    """
    from evdev import InputDevice, UInput, ecodes  # noqa: PLC0415 - of the installed version

    keys = {**{letter: f"KEY_{letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"}, "\n": "KEY_ENTER"}
    events = {ecodes.EV_KEY: list(ecodes.keys), ecodes.EV_LED: [ecodes.LED_CAPSL]}

    def press(keyboard: UInput, name: str, *states: int) -> None:
        for is_down in states or (1, 0):
            keyboard.write(ecodes.EV_KEY, ecodes.ecodes[name], is_down)
            keyboard.syn()

    with UInput(events, name="Reader") as reader, UInput(events, name="Desk") as desk:
        own = InputDevice(reader.device.path)
        press(desk, "KEY_CAPSLOCK")
        while ecodes.LED_CAPSL not in own.leds():  # the console tells all keyboards
            time.sleep(0.1)
        Path("/run/reader").write_text(f"{reader.device.path}\n")
        while "open" not in Path("/run/reader").read_text():
            time.sleep(0.1)
        with contextlib.suppress(OSError):  # the service has taken it
            while True:
                own.grab()
                own.ungrab()
                time.sleep(0.1)
        print("the reader is taken")
        for number, code in enumerate(codes):
            for letter in f"{code}\n":
                if has_shift := number % 2 and letter.isalpha():
                    press(reader, "KEY_LEFTSHIFT", 1)
                press(reader, keys[letter])
                if has_shift:
                    press(reader, "KEY_LEFTSHIFT", 0)
        InputDevice(desk.device.path).grab()
        print("the other keyboard is free", flush=True)
        time.sleep(3)


def ask_page(address: str, body: str = "") -> None:
    """Print the answer to a GET, or to a POST with a body."""
    request = urllib.request.Request(address, body.encode() or None, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as response:
        print(response.read().decode())


COMMANDS = {"agent": run_agent, "pico": run_pico, "type": type_codes, "ask": ask_page}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
