"""Wi-Fi from a phone: a machine without a known network opens its own, on which a player chooses the home network.

`hotspot` decides what to do next and is pure, `network_manager` does it over D-Bus, and `monitor` is the thread that
connects them. They need the extra [wifi], and are imported only if the setting `hotspot` is on.
"""

import time
from collections.abc import Iterator

from companion.plugin import Closeable, Host, Plugin


def _start(host: Host) -> Iterator[Closeable]:
    if host.settings.hotspot == "off":
        return
    from companion.plugins.wifi.hotspot import HOTSPOT_ADDRESS  # noqa: PLC0415 - most tables have no Wi-Fi of their own
    from companion.plugins.wifi.monitor import WifiMonitor, load_credentials  # noqa: PLC0415
    from companion.plugins.wifi.network_manager import NetworkManager  # noqa: PLC0415
    from companion.plugins.wifi.routes import add_wifi_pages  # noqa: PLC0415

    monitor = WifiMonitor(
        load_credentials(host.journal.with_suffix(".wifi")),
        NetworkManager(),
        lambda: time.monotonic_ns() // 1_000_000,
        lambda ok, say: host.switcher.table.on_device("wifi", ok, say),
        lambda: f"{host.page_url(HOTSPOT_ADDRESS)}wifi",
    )
    add_wifi_pages(host, monitor)
    monitor.start()
    yield monitor


PLUGIN = Plugin(name="wifi", start=_start)
