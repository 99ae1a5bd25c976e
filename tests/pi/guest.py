"""What runs inside the virtual machine: the agent that takes commands, and the far ends of its simulated plugs.

`guest.py agent` answers lines of JSON at a virtio port. `guest.py pico BOARD` is a Pico at the far end of a USB cable
(/dev/ttyGS0 of the kernel's gadget drivers): the shipped firmware, which reads its pegs from the file /run/pegs.
`guest.py type [LAYOUT]` is a card reader that types as a keyboard, with a second keyboard beside it.
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

COMMAND_PATIENCE_S = "1200"
"""A command that hangs is ended after this time in s, with code 124."""
PORT = Path("/dev/virtio-ports/agent")
PEGS = Path("/run/pegs")
"""The bits of the holes with a peg, hexadecimal."""


def run_agent() -> None:
    """Run each command that arrives, and answer with its exit code and output."""
    while not PORT.exists():  # until udev has loaded its driver
        time.sleep(0.05)
    with PORT.open("r+b", buffering=0) as port:
        pending = b""
        while True:
            pending += port.read(65536) or time.sleep(0.05) or b""
            while b"\n" in pending:
                line, _, pending = pending.partition(b"\n")
                words = ("timeout", COMMAND_PATIENCE_S, *json.loads(line))
                done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
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


def type_codes(layout: str = "us") -> None:
    """Type the words of each line of the pipe /run/codes on a new keyboard `Reader`, as fast as the kernel takes them.

    Enter comes after each, and every other one is typed with Shift. The reader may be set to the layout `fr`. Another
    keyboard, `Desk`, is not touched.
    """
    from evdev import UInput, ecodes  # noqa: PLC0415 - of the installed version

    places = {"A": "Q", "Q": "A", "W": "Z", "Z": "W"} if layout == "fr" else {}
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    keys = {letter: ecodes.ecodes[f"KEY_{places.get(letter, letter)}"] for letter in letters}

    def press(*states: tuple[int, int]) -> None:
        for state in states:
            reader.write(ecodes.EV_KEY, *state)
            reader.syn()

    with UInput(name="Reader") as reader, UInput(name="Desk") as desk:
        Path("/run/keyboards").write_text(f"{reader.device.path} {desk.device.path}\n")
        for line in os.fdopen(os.open("/run/codes", os.O_RDWR)):
            for number, code in enumerate(line.split()):
                for letter in code:
                    is_shifted = number % 2 if letter.isalpha() else layout == "fr"
                    shift = ecodes.KEY_LEFTSHIFT if is_shifted else ecodes.KEY_RESERVED
                    press((shift, 1), (keys[letter], 1), (keys[letter], 0), (shift, 0))
                press((ecodes.KEY_ENTER, 1), (ecodes.KEY_ENTER, 0))


def ask_page(address: str, body: str = "") -> None:
    """Print the answer to a GET, or to a POST with a body."""
    request = urllib.request.Request(address, body.encode() or None, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as response:
        print(response.read().decode())


COMMANDS = {"agent": run_agent, "pico": run_pico, "type": type_codes, "ask": ask_page}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
