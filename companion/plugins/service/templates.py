"""Contents of the service's files: systemd unit, udev and polkit rules, and initial settings. Pure."""

from collections.abc import Iterable

DEVICE_GROUPS = ("dialout", "gpio", "spi", "input", "video")
"""Groups that may open a Pi's serial ports, pins, SPI, keyboard-like scanners and cameras."""

DEVICE_CLASSES = {
    "4": "serial ports of the board", "13": "keyboard-like readers", "81": "webcams", "153": "SPI",
    "166": "USB serial, ttyACM", "188": "USB serial, ttyUSB", "204": "serial port of a Pi", "gpiochip": "pins",
    "rp1-pio": "PIO of a Pi 5",
}  # fmt: skip
"""Character devices that the service may open, by major number if that is fixed, since a driver may be loaded later."""

SERVICE_USER = "companion"

SERVICE_PROGRAM = "/opt/companion/launch play"

CLUB_STATE_DIR = "/var/lib/companion-club"
CLUB_COMMAND = (
    "/opt/companion/launch club --config /etc/companion/club.toml "
    f"--store sqlite:///{CLUB_STATE_DIR}/club.sqlite3 --key {CLUB_STATE_DIR}/club.key"
)

UDEV_RULES = """\
# Cribbage companion. Stable device names come from systemd: /dev/serial/by-id, /dev/input/by-id.
# ModemManager must not probe the board (a Raspberry Pi Pico) or a GM65 or GM8xx scanner.
SUBSYSTEM=="tty", ATTRS{idVendor}=="2e8a", ENV{ID_MM_DEVICE_IGNORE}="1", GROUP="dialout", MODE="0660"
SUBSYSTEM=="tty", ATTRS{idVendor}=="6666", ATTRS{idProduct}=="7777", ENV{ID_MM_DEVICE_IGNORE}="1"
# A Pi 5 drives NeoPixels through its PIO.
SUBSYSTEM=="*-pio", GROUP="gpio", MODE="0660"
"""

POLKIT_RULES = f"""\
// The cribbage companion may open a Wi-Fi of its own, join the one that a player has chosen, and remember it.
polkit.addRule(function (action, subject) {{
  var allowed = ["network-control", "settings.modify.system", "wifi.share.protected", "wifi.scan"];
  var prefix = "org.freedesktop.NetworkManager.";
  var isAllowed = action.id.indexOf(prefix) == 0 && allowed.indexOf(action.id.slice(prefix.length)) >= 0;
  if (subject.user == "{SERVICE_USER}" && isAllowed) return polkit.Result.YES;
}});
"""

DEFAULT_SETTINGS = """\
# Settings of the companion service: docs/reference/settings.md. After a change, run
#   sudo systemctl restart companion
# `companion doctor` lists the serial ports and the devices on them.
#sensors = "serial:/dev/serial/by-id/usb-..."
#lights = "neopixel-spi:/dev/spidev0.0"
#limit_ma = 2000
#cards = "serial:/dev/serial/by-id/usb-..."
#buttons = "node:"
#buzzer = "node:"
"""


def format_unit(groups: Iterable[str]) -> str:
    """Return the systemd unit. `groups` must exist on the system, otherwise systemd does not start the service."""
    devices = "\n".join(f"DeviceAllow=char-{each} rw" for each in DEVICE_CLASSES)
    return f"""\
[Unit]
Description=The cribbage board that knows
After=network-online.target
Wants=network-online.target

[Service]
Type=notify
NotifyAccess=main
User={SERVICE_USER}
SupplementaryGroups={" ".join(groups)}
StateDirectory=companion
StateDirectoryMode=0700
Environment=LG_WD=/tmp HOME=/var/lib/companion
ExecStart={SERVICE_PROGRAM} --config /etc/companion/companion.toml --journal /var/lib/companion/journal.sqlite3
WatchdogSec=30
Restart=on-failure
RestartSec=2
TimeoutStopSec=15
UMask=0077
CapabilityBoundingSet=
DevicePolicy=closed
{devices}
LockPersonality=yes
NoNewPrivileges=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service
SystemCallFilter=~@privileged

[Install]
WantedBy=multi-user.target
"""


def format_club_unit() -> str:
    """Return the systemd unit of the archive of a club: that of a board with another program and folder."""
    values = {
        "Description=": "The archive of a cribbage club",
        "StateDirectory=": CLUB_STATE_DIR.rpartition("/")[2],
        "Environment=": f"HOME={CLUB_STATE_DIR}",
        "ExecStart=": CLUB_COMMAND,
    }
    lines = format_unit(()).split("\n")
    return "\n".join(next((key + values[key] for key in values if line.startswith(key)), line) for line in lines)
