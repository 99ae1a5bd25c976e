"""A router at home, a phone and the table, each with an emulated radio of the kernel (mac80211_hwsim)."""

import json
import re
import time
from contextlib import suppress
from typing import Any

from tests.support.waiting import wait_until

from .machine import PATIENCE_S, CommandFailed
from .virtual_machine import VirtualMachine

REJOIN_S = 240
"""Time in s after which the home is chosen once more: a table gives up after 45 s, and a slow radio needs longer."""
HOME, HOME_PASSWORD, HOME_NET = "Home", "a home password", "192.168.77"
ROUTER = f"""\
modprobe mac80211_hwsim radios=3
for n in 1 2; do ip netns add radio$n; iw phy phy$n set netns name radio$n; done
ip netns exec radio2 sysctl -q -w net.ipv6.conf.wlan2.keep_addr_on_down=1
for address in {HOME_NET}.1/24 fd77::1/64; do ip -n radio2 address add $address dev wlan2; done
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
cable=$(ls /sys/class/net | grep ^en)
nmcli device set $cable managed no
ip link set $cable down
"""
"""A router at home and its radio, a second radio for a phone, and the table's cable pulled out."""
ADDRESSES = f"""\
systemctl stop router-addresses 2>/dev/null
systemctl restart router
systemd-run --quiet --collect --unit=router-addresses ip netns exec radio2 dnsmasq --keep-in-foreground --no-resolv \
    --conf-file=/dev/null --dhcp-leasefile=/run/leases$$ --interface=wlan2 --address=/#/{HOME_NET}.1 "$@"
"""
"""The router comes back and gives these addresses. It says of every name on the internet that it is the router."""
PHONE = """\
wpa_passphrase "$1" "$2" >/run/phone.conf
ip -n radio1 address flush dev wlan1 scope global
ip -n radio1 address add "$3" dev wlan1
for try in $(seq 60); do
    systemctl stop phone 2>/dev/null
    systemd-run --quiet --collect --unit=phone ip netns exec radio1 wpa_supplicant -i wlan1 -c /run/phone.conf
    for second in $(seq 10); do
        sleep 1
        ip netns exec radio1 iw dev wlan1 station dump | grep -q 'authorized:.*yes' && exit
    done
done
exit 1
"""
"""The phone joins a network by its name and password, with this address. The kernel waits for an answer for 0.3 s only,
and after some tries without one wpa_supplicant waits for minutes; so it begins anew."""
NAMES = """\
cat >/run/phone-bus <<END
<busconfig><type>system</type><listen>unix:path=/run/phone.bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/>
<allow eavesdrop="true"/></policy></busconfig>
END
printf '[server]\\nhost-name=phone\\nallow-interfaces=wlan1\\n' >/run/phone-names
systemd-run --quiet dbus-daemon --nofork --config-file=/run/phone-bus
until test -e /run/phone.bus; do sleep 0.1; done
systemd-run --quiet --setenv=DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/phone.bus ip netns exec radio1 sh -c \
    'mount -t tmpfs tmpfs /run/avahi-daemon && exec avahi-daemon --no-drop-root --no-chroot --file=/run/phone-names'
"""
"""The phone gets an Avahi of its own, by which it finds names."""
FIND = """\
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/phone.bus
ip netns exec radio1 avahi-resolve -$0 --name cribbage.local; true
"""
ASK = ("python3", "/root/guest.py", "ask")
OWN_PAGE = "http://10.42.0.1:8123"


class WifiGuest:
    """Somebody with a phone who sets up the Wi-Fi of a table without a cable.

    `open_s`: after how many seconds the table opened its own network.
    """

    home_net = HOME_NET

    def __init__(self, machine: VirtualMachine) -> None:
        """Start the router, pull the table's cable, and join the network that the table opens."""
        self.machine = machine
        machine.run("bash", "-c", ROUTER)
        own = json.loads(machine.run("cat", "/var/lib/companion/journal.wifi"))
        self._own = (own["name"], own["password"], "10.42.0.50/24")
        self._home = (HOME, HOME_PASSWORD, f"{HOME_NET}.50/24")
        begin = time.monotonic()
        wait_until(lambda: '"open"' in self._ask_table(), PATIENCE_S)
        self.open_s = time.monotonic() - begin
        self._join(self._own)

    def _ask_table(self) -> str:
        """Return the state of the Wi-Fi, asked at the table itself."""
        return self.machine.run(*ASK, "http://127.0.0.1:8123/api/wifi")

    def _ask(self, *words: str) -> str:
        """Return what the phone gets from an address, to which it may send something."""
        return self.machine.run("ip", "netns", "exec", "radio1", *ASK, *words)

    def _join(self, network: tuple[str, str, str]) -> None:
        self.machine.run("bash", "-c", PHONE, "-", *network)

    def _wait_for_phase(
        self, address: str, phase: str, network: tuple[str, str, str], *, has_problem: bool = False
    ) -> dict[str, Any]:
        """Return what the phone, which joins this network again if it must, sees at this address."""

        def look() -> Any:
            try:
                state = json.loads(self._ask(f"{address}/api/wifi"))
            except CommandFailed:
                return self._join(network)
            return state if state["phase"] == phase and bool(state["problem"]) >= has_problem else None

        return dict(wait_until(look, PATIENCE_S))

    def _choose(self, password: str) -> None:
        self._ask(f"{OWN_PAGE}/api/wifi", json.dumps({"network": HOME, "password": password}))

    def mistype_password(self) -> str:
        """Choose the home with a wrong password; return what the page says of it."""
        wait_until(lambda: HOME in str(self._wait_for_phase(OWN_PAGE, "open", self._own)["networks"]), PATIENCE_S)
        self._choose("not the password")
        return str(self._wait_for_phase(OWN_PAGE, "open", self._own, has_problem=True)["problem"])

    def choose_home(self) -> None:
        self._choose(HOME_PASSWORD)

    def start_names(self) -> None:
        """Let the phone find names."""
        self.machine.run("bash", "-c", NAMES)

    def _find_links(self, url: str) -> list[str]:
        """Return the links that the table prints at home. If it has given up joining it, choose its home once more."""

        def look() -> list[str]:
            text = self.machine.run("companion", "service", "logs")
            return re.findall(rf"{re.escape(url)}\S*:8123(?=/join/)", text)

        with suppress(AssertionError):
            return list(wait_until(look, REJOIN_S))
        print(f"the table is not at home: {self._ask_table()}", flush=True)
        self._join(self._own)
        self.choose_home()
        self._join(self._home)
        return list(wait_until(look, PATIENCE_S))

    def find_table(self, address: str, *options: str) -> Any:
        """Return the moves of the table that the phone finds by its name, when the router gives addresses so."""
        self.machine.run("bash", "-c", ADDRESSES, "-", *options)
        self._join(self._home)
        links = self._find_links(f"http://[{address}" if ":" in address else f"http://{address}")
        version = "6" if ":" in address else "4"
        wait_until(lambda: f"\t{address}" in self.machine.run("sh", "-c", FIND, version), PATIENCE_S)
        self._wait_for_phase(links[-1], "connected", self._home)
        return json.loads(self._ask(f"{links[-1]}/api/history"))["moves"]
