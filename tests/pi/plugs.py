"""From plug to page by the kernel's own drivers, in a virtual machine: a part of `make pi`.

Each step returns what to print. As root, `python -m tests.pi.plugs [RELEASE] [--seed N] [--only REGEX]` runs them
alone.

The Pico is the shipped firmware at the other end of the kernel's simulated USB cable (dummy_hcd), the
card reader a keyboard of uinput, the camera that of vivid, and three radios of mac80211_hwsim are the table, a phone
and the router at home.
"""

import argparse
import json
import re
import signal
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from companion.boards import catalog
from companion.settings import Settings
from companion.table.setup import create_plan
from companion.table.state import create_core
from tests.support.waiting import wait_until

from .debian_tree import RELEASES
from .phone import Phone
from .virtual_machine import EXTRAS, VirtualMachine, make_image, run_steps
from .wifi import WifiGuest

BOARD = "classic"
PLUG_RELEASE = "trixie"
"""Release whose kernel drives the plugs in `make pi`."""
PYTHON = "/opt/companion/current/bin/python"
SETTINGS = "/etc/companion/companion.toml"
PATIENCE_S = 600


class Plugs:
    """The machine, and a phone that has joined its table."""

    def __init__(self, machine: VirtualMachine, chance: Random) -> None:
        self.machine, self.chance = machine, chance
        self.phone = Phone(machine.port)
        self.board = catalog.load_board(BOARD)
        self.pegs = create_core(create_plan("six-card"), Settings()).course.resting_holes()

    def wait_for(self, fact: Any) -> Any:
        """Return the first snapshot for which this is true."""

        def look() -> Any:
            status, snapshot = self.phone.ask("GET", "/api/state")
            return snapshot if status == 200 and fact(snapshot) else None

        return wait_until(look, PATIENCE_S)

    def join(self) -> None:
        """Join by the link in the log of the service."""
        log = wait_until(lambda: self.machine.run("companion", "service", "logs"))
        self.phone.join("127.0.0.1", re.findall(r"^players   http://\S+/join/(\S+)$", log, re.MULTILINE)[-1])

    def configure(self, **settings: str) -> None:
        """Restart the service with these settings."""
        lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())
        self.machine.run("sh", "-c", f"cat >{SETTINGS} <<'END'\n{lines}END\nsystemctl restart companion")

    def put_pegs(self, *moves: tuple[str, str]) -> None:
        """Move pegs from hole to hole; an empty name is beside the board."""
        for lift, place in moves:
            if lift:
                self.pegs &= ~(1 << self.board.by_id[lift].bit)
            if place:
                self.pegs |= 1 << self.board.by_id[place].bit
        self.machine.run("sh", "-c", f"echo {self.pegs:x} >/run/pegs.new; mv /run/pegs.new /run/pegs")

    def plug_in(self, *version: str) -> None:
        """Connect a Pico, whose firmware may have this version of the protocol."""
        self.machine.run("bash", "-c", PLUG_IN, "-", "e661", "dummy_udc.1")
        self.machine.start("pico", "--working-directory=/root", PYTHON, "/root/guest.py", "pico", BOARD, *version)

    def unplug(self) -> None:
        """Pull its cable."""
        self.machine.run("sh", "-c", f"systemctl stop pico; echo >{GADGETS}/e661/UDC")

    def close(self) -> None:
        """Switch all off."""
        self.machine.close()
        self.phone.close()


GADGETS = "/sys/kernel/config/usb_gadget"
PLUG_IN = f"""\
set -e
modprobe -a libcomposite dummy_hcd
mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
gadget={GADGETS}/$1
if ! test -d $gadget; then
    mkdir -p $gadget/strings/0x409 $gadget/configs/c.1 $gadget/functions/acm.$1
    echo 0x2e8a >$gadget/idVendor
    echo 0x0005 >$gadget/idProduct
    echo MicroPython >$gadget/strings/0x409/manufacturer
    echo Board >$gadget/strings/0x409/product
    echo $1 >$gadget/strings/0x409/serialnumber
    ln -s $gadget/functions/acm.$1 $gadget/configs/c.1
fi
if test -n "$2"; then
    echo $2 >$gadget/UDC
    until test -e /dev/serial/by-id/usb-MicroPython_Board_$1-if00; do sleep 0.1; done
fi
"""
"""A USB device with this serial number, as MicroPython on a Pico is one, is plugged into this socket."""


def is_ok(device: str, *, ok: bool = True) -> Any:
    """Return whether a snapshot says this of a device, as a function."""
    return lambda snapshot: snapshot["devices"].get(device, {}).get("ok") is ok


def install(plugs: Plugs) -> str:
    """Install the service by the command of the page, with all extras."""
    begin = time.monotonic()
    words = f"cd /root/cribbage && python3 -m companion service install --extras {','.join(EXTRAS)}"
    output = plugs.machine.run("sh", "-c", words)
    assert "The service runs" in output, output
    plugs.join()
    return f"{time.monotonic() - begin:.0f} s"


PORT = "/dev/serial/by-id/usb-MicroPython_Board_e661-if00"


def plug_pico(plugs: Plugs) -> str:
    """Plug in a Pico beside another: udev's rule, a wrong version, a deal; out in a peg, in again as another port."""
    machine = plugs.machine
    plugs.put_pegs()
    machine.run("sh", "-c", "echo options dummy_hcd num=2 >/etc/modprobe.d/dummy.conf")
    machine.run("bash", "-c", PLUG_IN, "-", "e661", "")
    machine.run("bash", "-c", PLUG_IN, "-", "e662", "dummy_udc.0")  # another Pico, which is the first port
    plugs.plug_in("3")
    several = machine.run("companion", "flash", BOARD, code=1)
    assert "Choose one with --port: /dev/ttyACM0 or /dev/ttyACM1" in several, several
    properties = machine.run("udevadm", "info", PORT)
    assert "ID_MM_DEVICE_IGNORE=1" in properties, properties
    assert machine.run("stat", "--dereference", "--format=%G %a", PORT).split() == ["dialout", "660"]
    assert "No modems were found" in machine.run("mmcli", "--list-modems")
    plugs.configure(sensors=f"serial:{PORT}")
    wrong = plugs.wait_for(lambda snapshot: "version 3" in snapshot["devices"].get("sensors", {}).get("say", ""))
    plugs.unplug()
    plugs.plug_in()
    plugs.wait_for(is_ok("sensors"))
    plugs.phone.post("/api/table", {"game": "six-card", "dealer": 0})
    plugs.phone.post("/api/moves", {"type": "starter", "card": "JD"})
    (due,) = plugs.wait_for(lambda snapshot: snapshot["dues"])["dues"]
    plugs.put_pegs((due["lift"], ""))
    before = machine.run("readlink", "--canonicalize", PORT).strip()
    machine.run("sh", "-c", f"echo >{GADGETS}/e662/UDC")  # so that it comes back as the first port
    plugs.unplug()
    plugs.wait_for(is_ok("sensors", ok=False))
    plugs.put_pegs(("", due["place"]))
    plugs.plug_in()
    snapshot = plugs.wait_for(lambda snapshot: is_ok("sensors")(snapshot) and not snapshot["dues"])
    assert [pegs["front"] for pegs in snapshot["pegs"]][due["seat"]] == due["place"]
    after = machine.run("readlink", "--canonicalize", PORT).strip()
    assert (before, after) == ("/dev/ttyACM1", "/dev/ttyACM0")
    return f"{wrong['devices']['sensors']['say']!r}; {before}, out and in again as {after}"


GRAB = "import evdev, sys; evdev.InputDevice(sys.argv[1]).grab()"
LAYOUT = r"printf 'keycode 16 = +a\nkeycode 30 = +q\nkeycode 2 = ampersand one\nkeycode 21 = +z\n' | loadkeys"


def plug_reader(plugs: Plugs) -> str:
    """Plug in a reader that types, with Caps Lock on and a French and German console, then one that is set to French;
    another keyboard stays free."""
    machine = plugs.machine
    machine.run("sh", "-c", f"modprobe uinput; {LAYOUT}; mkfifo /run/codes; setleds +caps </dev/tty1")
    assert "CapsLock on" in machine.run("sh", "-c", "setleds -F </dev/tty1")
    cards = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]

    def plug_in(layout: str = "us") -> list[str]:
        machine.run("rm", "-f", "/run/keyboards")
        machine.start("reader", PYTHON, "/root/guest.py", "type", layout)
        look = "cat /run/keyboards 2>/dev/null; true"
        return list(wait_until(lambda: machine.run("sh", "-c", look).split(), PATIENCE_S))

    def list_seen() -> list[str]:
        return [line.get("scan", "").upper() for line in plugs.phone.get("/api/workshop")["seen"]]

    def scan(*codes: str) -> None:
        """Type these codes, once more if needed, until the table has seen the last."""

        def is_seen() -> bool:
            machine.run("sh", "-c", f"echo {' '.join(codes)} >/run/codes")
            return codes[-1] in list_seen()

        wait_until(is_seen, PATIENCE_S)

    paths = plug_in()
    plugs.configure(cards=f"keyboard:{paths[0]}")
    plugs.wait_for(is_ok("cards"))
    assert "busy" in machine.run(PYTHON, "-c", GRAB, paths[0], code=1)
    machine.run(PYTHON, "-c", GRAB, paths[1])
    for number in range(5):
        scan(f"QAZY1{number}", cards[number])
    machine.run("sh", "-c", f"echo {' '.join(cards)} >/run/codes")  # faster than they are read
    scan("QAZY20")
    unknown = {*list_seen()} - {*cards, *(f"QAZY{number}" for number in (10, 11, 12, 13, 14, 20))}
    assert not unknown, unknown
    machine.run("systemctl", "stop", "reader")
    plugs.wait_for(is_ok("cards", ok=False))
    assert plug_in("fr") == paths
    plugs.wait_for(is_ok("cards"))
    plugs.configure(cards=f"keyboard:{paths[0]}?layout=fr")
    plugs.wait_for(is_ok("cards"))
    scan("AD", "10H", "QAZY21")
    return f"{paths[0]}: read as typed, after {len(cards)} cards without a pause, out and in again, and in French"


def _journal(machine: VirtualMachine, unit: str, wanted: str) -> str:
    text = machine.run("journalctl", "--boot", f"--unit={unit}", "--output=cat")
    return text if wanted in text else ""


def plug_camera(plugs: Plugs) -> str:
    """Open a camera as the service: one that another program has, then free, then unplugged and back."""
    machine = plugs.machine
    machine.run("modprobe", "vivid", "n_devs=1")
    machine.run("udevadm", "settle")
    (device,) = machine.run("sh", "-c", "ls /dev/video* | head -n 1").split()
    hold = (
        "import cv2, sys, time; c = cv2.VideoCapture(sys.argv[1], cv2.CAP_V4L2); print(c.read()[0]); time.sleep(9999)"
    )
    machine.start("viewer", PYTHON, "-c", hold, device)
    wait_until(lambda: _journal(machine, "viewer", "True"), PATIENCE_S)
    plugs.configure(cards=f"camera:{device}")
    busy = plugs.wait_for(lambda snapshot: "in use" in snapshot["devices"].get("cards", {}).get("say", ""))
    machine.run("systemctl", "stop", "viewer")
    plugs.wait_for(is_ok("cards"))
    machine.run("sh", "-c", "echo vivid.0 >/sys/bus/platform/drivers/vivid/unbind")
    plugs.wait_for(is_ok("cards", ok=False))
    machine.run("sh", "-c", "echo vivid.0 >/sys/bus/platform/drivers/vivid/bind")
    plugs.wait_for(is_ok("cards"))
    return f"busy: {busy['devices']['cards']['say']!r}, then free, unplugged, and back"


def change_clock(plugs: Plugs) -> str:
    """Start with a clock two years late, as a Pi without a network; then the clock is set, and set back again."""
    machine, phone = plugs.machine, plugs.phone
    machine.run("date", "--set=2 years ago")
    machine.run("systemctl", "restart", "companion")
    plugs.wait_for(bool)
    phone.play(3)
    machine.run("date", "--set=2 years")
    phone.play(3)
    phone.begin_game(2)
    phone.play(3)
    machine.run("date", "--set=2 years ago")
    phone.play(3)
    phone.check_moves()
    machine.run("systemctl", "restart", "companion")
    plugs.wait_for(bool)
    phone.begin_game(1)
    phone.play(3)
    years = [int(table["began"][:4]) for table in phone.get("/api/tables")["tables"]]
    assert [year - years[1] for year in years[:2]] == [-2, 0], years
    machine.run("date", "--set=2 years")
    phone.check_moves()
    return f"the last games began in {years[1]} and {years[0]}, in this order"


DATA_PARTITION = """\
set -e
mkfs.ext4 -q -L cribbage /dev/vdc
echo 'LABEL=cribbage /var/lib/companion ext4 noatime,nofail 0 2' >>/etc/fstab
systemctl stop companion
mv /var/lib/companion /var/lib/companion.old
mkdir /var/lib/companion
systemctl daemon-reload
mount /var/lib/companion
cp -a /var/lib/companion.old/. /var/lib/companion
sync
"""


def protect_root(plugs: Plugs) -> str:
    """Mount the root read-only, below an overlay in memory, and the journal's folder from a partition of its own."""
    machine, phone, chance = plugs.machine, plugs.phone, plugs.chance
    machine.run("bash", "-c", DATA_PARTITION)
    requires = machine.run("systemctl", "show", "companion", "--property=Requires")
    assert "var-lib-companion.mount" in requires, requires  # without its partition it does not start in memory
    for name in ("first", "second"):
        machine.cut_power(chance)
        machine.boot("overlayroot=tmpfs:recurse=0")
        plugs.wait_for(bool)
        phone.check_moves()
        assert machine.run("findmnt", "--noheadings", "--output=FSTYPE", "/").strip() == "overlay"
        assert machine.run("sh", "-c", f"ls /root | grep made; touch /root/made-{name}; sync") == ""
        phone.play(10)
    return "two cuts: all moves are there, a file below /root is not"


def choose_wifi(plugs: Plugs) -> str:
    """Without a known network the table opens its own; a phone joins it, mistypes a password, and chooses its home.

    There the phone finds the table by its name: at an address, at another in the middle of a game, and by IPv6 alone.
    """
    plugs.configure(hotspot="on", sensors="none:", lights="none:")
    plugs.wait_for(bool)
    plugs.phone.begin_game(3)
    plugs.phone.play(3)
    guest = WifiGuest(plugs.machine)
    problem = guest.mistype_password()
    guest.choose_home()
    guest.start_names()
    addresses = [f"{guest.home_net}.{number}" for number in (10, 60)]
    for address in addresses:
        assert len(guest.find_table(address, f"--dhcp-range={address},{address}")) == 3
    assert len(guest.find_table("fd77:", "--enable-ra", "--dhcp-range=fd77::,ra-only")) == 3
    return (
        f"own network after {guest.open_s:.0f} s; {problem!r}; found by its name at {', '.join(addresses)} and by IPv6"
    )


STEPS = (
    install, plug_pico, plug_reader, plug_camera, change_clock, choose_wifi, protect_root,
)  # fmt: skip


def main() -> None:
    """Run the steps on a new machine; the exit code is 1 if one has failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("release", nargs="?", default=PLUG_RELEASE, choices=RELEASES, help=f"({PLUG_RELEASE})")
    parser.add_argument("--seed", type=int, default=25, help="decides what each power cut leaves (25)")
    parser.add_argument("--only", metavar="REGEX", default="", help="only the installation and steps that match")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # and clean up
    steps = [step for step in STEPS if re.search(arguments.only, step.__name__)]
    if not steps:
        return
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        plugs = Plugs(VirtualMachine(make_image(arguments.release), Path(folder)), Random(arguments.seed))
        with closing(plugs):
            all_steps = (install, *(step for step in steps if step is not install))
            sys.exit(not run_steps("A virtual machine", plugs.machine, plugs, all_steps))


if __name__ == "__main__":
    main()
