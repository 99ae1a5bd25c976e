"""The files that make a service: the unit of systemd, the rules of udev, and the first settings. Pure."""

from collections.abc import Iterable

GROUPS = ("dialout", "gpio", "spi", "input")
"""What opens a Pi's serial ports, pins, SPI and keyboard-like readers."""

USER = "companion"

PROGRAM = "/opt/companion/current/bin/companion play"

RULES = """\
# The cribbage board that knows. Names that stay the same are systemd's own: /dev/serial/by-id, /dev/input/by-id.
# No other program talks to the board (a Raspberry Pi Pico) or to a GM65 or GM8xx reader that is plugged in.
SUBSYSTEM=="tty", ATTRS{idVendor}=="2e8a", ENV{ID_MM_DEVICE_IGNORE}="1", GROUP="dialout", MODE="0660"
SUBSYSTEM=="tty", ATTRS{idVendor}=="6666", ATTRS{idProduct}=="7777", ENV{ID_MM_DEVICE_IGNORE}="1"
# A Pi 5 drives NeoPixels by its PIO.
SUBSYSTEM=="*-pio", GROUP="gpio", MODE="0660"
"""

SETTINGS = """\
# The settings of the companion that runs as a service: docs/reference/settings.md. After a change type
#   sudo systemctl restart companion
# `companion doctor` lists the serial ports, and what answers there.
#sensors = "serial:/dev/serial/by-id/usb-..."
#lights = "neopixel-spi:/dev/spidev0.0"
#limit_ma = 2000
#cards = "serial:/dev/serial/by-id/usb-..."
#buttons = "gpio:dice=17,undo=27,go0=22,go1=23,lamp=24"
#buzzer = "gpio:13"
"""


def unit(groups: Iterable[str]) -> str:
    """The unit; `groups` are those that this system has: systemd starts nothing for one that it does not know."""
    return f"""\
[Unit]
Description=The cribbage board that knows
After=network-online.target
Wants=network-online.target

[Service]
Type=notify
NotifyAccess=main
User={USER}
SupplementaryGroups={" ".join(groups)}
StateDirectory=companion
StateDirectoryMode=0700
Environment=LG_WD=/tmp HOME=/var/lib/companion
ExecStart={PROGRAM} --config /etc/companion/companion.toml --journal /var/lib/companion/journal.sqlite3
WatchdogSec=30
Restart=on-failure
RestartSec=2
TimeoutStopSec=15
UMask=0077
CapabilityBoundingSet=
LockPersonality=yes
NoNewPrivileges=yes
PrivateTmp=yes
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

[Install]
WantedBy=multi-user.target
"""
