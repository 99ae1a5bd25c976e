"""From plug to page by the kernel's own drivers, in a virtual machine. Each step returns what to print.

The Pico is the shipped firmware at the other end of the kernel's simulated USB cable (dummy_hcd, g_serial), the card
reader a keyboard of uinput, the camera that of vivid, and three radios of mac80211_hwsim are the table, a phone and the
router at home.
"""

import json
import re
import tempfile
import time
import traceback
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

from companion.settings import Settings
from companion.table.setup import create_plan
from companion.table.state import create_core
from tests.support.waiting import wait_until

from .machine import CommandFailed
from .virtual_machine import EXTRAS, VirtualMachine

BOARD = "classic"
PYTHON = "/opt/companion/current/bin/python"
USB = ("idVendor=0x2e8a", "idProduct=0x0005", "iManufacturer=MicroPython", "iProduct=Board", "iSerialNumber=e661")
SETTINGS = "/etc/companion/companion.toml"
PATIENCE_S = 600


class Plugs:
    """The machine, and a phone that has joined its table."""

    def __init__(self, machine: VirtualMachine) -> None:
        self.machine = machine
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.board = create_plan("six-card").board
        self.pegs = create_core(create_plan("six-card"), Settings()).course.resting_holes()

    def ask(self, path: str, body: Any = None) -> Any:
        """Return the answer of the table, of a POST with a body."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.machine.port}{path}", data)
        request.add_header("Content-Type", "application/json")
        with self._opener.open(request, timeout=60) as response:
            return json.loads(response.read())

    def wait_for(self, fact: Any) -> Any:
        """Return the first snapshot for which this is true."""

        def look() -> Any:
            try:
                snapshot = self.ask("/api/state")
            except OSError:
                return None
            return snapshot if fact(snapshot) else None

        return wait_until(look, PATIENCE_S)

    def join(self) -> None:
        """Join by the link in the log of the service."""
        log = wait_until(lambda: self.machine.run("companion", "service", "logs"))
        key = re.findall(r"^players   http://\S+/join/(\S+)$", log, re.MULTILINE)[-1]
        self._opener.open(f"http://127.0.0.1:{self.machine.port}/join/{key}", timeout=60).close()

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


def is_ok(device: str, *, ok: bool = True) -> Any:
    """Return whether a snapshot says this of a device, as a function."""
    return lambda snapshot: snapshot["devices"].get(device, {}).get("ok") is ok


def install(plugs: Plugs) -> str:
    """Install the service by the command of the page, with all extras."""
    machine = plugs.machine
    begin = time.monotonic()
    words = f"cd /root/cribbage && python3 -m companion service install --extras {EXTRAS}"
    output = machine.run("sh", "-c", words)
    assert "The service runs" in output, output
    plugs.join()
    return f"{time.monotonic() - begin:.0f} s"


def plug_pico(plugs: Plugs) -> str:
    """Plug in a Pico: udev's rule, a deal pegged; out in the middle of a peg, and in again as another port."""
    machine = plugs.machine
    plugs.put_pegs()
    machine.run("modprobe", "dummy_hcd")
    machine.run("modprobe", "g_serial", *USB)
    machine.start("pico", "--working-directory=/root", PYTHON, "/root/guest.py", "pico", BOARD)
    (port,) = wait_until(lambda: machine.run("sh", "-c", "ls /dev/serial/by-id/ 2>/dev/null; true").split())
    properties = machine.run("udevadm", "info", f"/dev/serial/by-id/{port}")
    assert "ID_MM_DEVICE_IGNORE=1" in properties, properties
    assert machine.run("stat", "--dereference", "--format=%G %a", f"/dev/serial/by-id/{port}").split() == [
        "dialout",
        "660",
    ]
    plugs.configure(sensors=f"serial:/dev/serial/by-id/{port}")
    plugs.wait_for(is_ok("sensors"))
    assert "No modems were found" in machine.run("mmcli", "--list-modems")
    plugs.ask("/api/table", {"game": "six-card", "dealer": 0})
    plugs.ask("/api/moves", {"type": "starter", "card": "JD"})
    (due,) = plugs.wait_for(lambda snapshot: snapshot["dues"])["dues"]
    plugs.put_pegs((due["lift"], ""))
    machine.start("holder", "sh", "-c", "exec 3</dev/ttyACM0; sleep 999")  # so that it comes back under another number
    _unplug(plugs)
    plugs.wait_for(is_ok("sensors", ok=False))
    plugs.put_pegs(("", due["place"]))
    machine.run("modprobe", "g_serial", *USB)
    machine.start("pico2", "--working-directory=/root", PYTHON, "/root/guest.py", "pico", BOARD)
    snapshot = plugs.wait_for(lambda snapshot: is_ok("sensors")(snapshot) and not snapshot["dues"])
    assert [pegs["front"] for pegs in snapshot["pegs"]][due["seat"]] == due["place"]
    target = machine.run("readlink", f"/dev/serial/by-id/{port}").strip()
    return f"{port}, out and in again as {target.rpartition('/')[2]}"


def _unplug(plugs: Plugs) -> None:
    plugs.machine.run("sh", "-c", "systemctl stop pico pico2 2>/dev/null; rmmod g_serial")


def plug_reader(plugs: Plugs) -> str:
    """Plug in a card reader that types, with Caps Lock on, beside another keyboard, which stays free."""
    machine = plugs.machine
    machine.run("modprobe", "uinput")
    machine.run("sh", "-c", "rm -f /run/reader")
    cards = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    machine.start("reader", PYTHON, "/root/guest.py", "type", *cards)
    path = wait_until(lambda: machine.run("sh", "-c", "cat /run/reader 2>/dev/null; true").strip())
    machine.run("sh", "-c", f"udevadm settle; stat --format='%G %a' {path}")
    plugs.configure(cards=f"keyboard:{path}")
    plugs.wait_for(is_ok("cards"))
    machine.run("sh", "-c", "echo open >>/run/reader")
    said = wait_until(lambda: _journal(machine, "reader", "keyboard is free"), 120)
    assert "the reader is taken" in said, said
    return f"{path}: {len(cards)} cards typed, taken by the service alone; the other keyboard is free"


def _journal(machine: VirtualMachine, unit: str, wanted: str) -> str:
    text = machine.run("journalctl", "--boot", f"--unit={unit}", "--output=cat")
    return text if wanted in text else ""


def plug_camera(plugs: Plugs) -> str:
    """Open a camera as the service; a program that has taken it first is named as busy, and later it works."""
    machine = plugs.machine
    machine.run("modprobe", "vivid", "n_devs=1")
    machine.run("udevadm", "settle")
    (device,) = machine.run("sh", "-c", "ls /dev/video* | head -n 1").split()
    hold = (
        "import cv2, sys, time; c = cv2.VideoCapture(sys.argv[1], cv2.CAP_V4L2); print(c.read()[0]); time.sleep(9999)"
    )
    machine.start("viewer", PYTHON, "-c", hold, device)
    wait_until(lambda: _journal(machine, "viewer", "True"), 120)
    plugs.configure(cards=f"camera:{device}")
    busy = plugs.wait_for(lambda snapshot: device in snapshot["devices"]["cards"]["say"])["devices"]["cards"]["say"]
    machine.run("systemctl", "stop", "viewer")
    plugs.wait_for(is_ok("cards"))
    return f"busy: {busy!r}, then free"


HOME, HOME_PASSWORD, HOME_ADDRESS = "Home", "a home password", "192.168.77.1"
ROUTER = f"""\
modprobe mac80211_hwsim radios=3
for n in 1 2; do ip netns add radio$n; iw phy phy$n set netns name radio$n; done
ip netns exec radio2 ip address add {HOME_ADDRESS}/24 dev wlan2
cat >/run/home.conf <<END
interface=wlan2
ssid={HOME}
hw_mode=g
channel=6
wpa=2
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
wpa_passphrase={HOME_PASSWORD}
END
systemd-run --quiet --unit=router ip netns exec radio2 hostapd /run/home.conf
systemd-run --quiet --unit=router-dhcp ip netns exec radio2 dnsmasq --keep-in-foreground --conf-file=/dev/null \
    --no-resolv --interface=wlan2 --dhcp-range=192.168.77.10,192.168.77.20
cable=$(ls /sys/class/net | grep ^en)
nmcli device set $cable managed no
ip link set $cable down
"""
"""A router at home and its radio, a second radio for a phone, and the table's cable pulled out."""
PHONE = """\
systemctl stop phone 2>/dev/null
wpa_passphrase "$1" "$2" >/run/phone.conf
ip -n radio1 address flush dev wlan1
ip -n radio1 address add "$3" dev wlan1
systemd-run --quiet --collect --unit=phone ip netns exec radio1 wpa_supplicant -i wlan1 -c /run/phone.conf
"""
"""The phone joins a network by its name and password, with this address."""


def choose_wifi(plugs: Plugs) -> str:
    """Without a known network the table opens its own; a phone joins it, mistypes a password, and chooses its home."""
    machine = plugs.machine
    plugs.configure(hotspot="on", sensors="none:", lights="none:")
    machine.run("bash", "-c", ROUTER)
    own = json.loads(machine.run("cat", "/var/lib/companion/journal.wifi"))
    phone = ("ip", "netns", "exec", "radio1", "python3", "/root/guest.py", "ask")

    def wait_for_phase(words: tuple[str, ...], phase: str, *, has_problem: bool = False) -> dict[str, Any]:
        def look() -> Any:
            try:
                state = json.loads(machine.run(*words))
            except CommandFailed:
                return None
            return state if state["phase"] == phase and bool(state["problem"]) >= has_problem else None

        return dict(wait_until(look, PATIENCE_S))

    begin = time.monotonic()
    wait_for_phase(("python3", "/root/guest.py", "ask", "http://127.0.0.1:8123/api/wifi"), "open")
    open_s = time.monotonic() - begin
    machine.run("bash", "-c", PHONE, "-", own["name"], own["password"], "10.42.0.50/24")
    page = "http://10.42.0.1:8123/api/wifi"
    wait_until(lambda: HOME in [net["name"] for net in wait_for_phase((*phone, page), "open")["networks"]], PATIENCE_S)
    machine.run(*phone, page, json.dumps({"network": HOME, "password": "not the password"}))
    problem = wait_for_phase((*phone, page), "open", has_problem=True)["problem"]
    machine.run(*phone, page, json.dumps({"network": HOME, "password": HOME_PASSWORD}))
    machine.run("bash", "-c", PHONE, "-", HOME, HOME_PASSWORD, "192.168.77.50/24")
    find = "ip -4 -o address show dev wlan0 | grep -o '192.168.77.[0-9]*' | head -n 1"
    address = wait_until(lambda: machine.run("sh", "-c", find).strip(), PATIENCE_S)
    wait_for_phase((*phone, f"http://{address}:8123/api/wifi"), "connected")
    return f"own network after {open_s:.0f} s; {problem!r}; at home as {address}"


STEPS = (install, plug_pico, plug_reader, plug_camera, choose_wifi)


def run_steps(image: Path, only: str = "") -> bool:
    """Run the steps on a new machine. Print a line for each; return False at the first that fails."""
    steps = [step for step in STEPS if re.search(only, step.__name__)]
    if not steps:
        return True
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        machine = VirtualMachine(image, Path(folder))
        try:
            print(f"A virtual machine: booted in {machine.boot():.0f} s", flush=True)
            plugs = Plugs(machine)
            for step in (install, *(step for step in steps if step is not install)):
                begin = time.monotonic()
                outcome = step(plugs)
                name = step.__name__.replace("_", " ")
                print(f"ok  {name:<22} {time.monotonic() - begin:4.0f} s   {outcome}", flush=True)
        except Exception:
            print(f"NO  {traceback.format_exc()}", flush=True)
            return False
        finally:
            machine.close()
    return True
