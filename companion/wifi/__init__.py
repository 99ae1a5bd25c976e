"""Wi-Fi from a phone: a machine without a known network opens its own, on which a player chooses the home network.

`hotspot` decides what to do next and is pure, `network_manager` does it over D-Bus, and `monitor` is the thread that
connects them. Needs the extra [wifi], which is imported at the first use. Imports only `companion.common` and
`companion.i18n`.
"""
