"""The address of a client and the network that it belongs to, as the limits count them. Pure."""

import ipaddress
from functools import lru_cache

_NETWORK_BITS = 64
"""Length of the prefix of an IPv6 network. One machine can use every address in it."""


@lru_cache(1024)
def normalize_ip(address: str) -> str:
    """Return an address without its zone, and an IPv4-mapped IPv6 address as IPv4. Another text is left as it is."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(getattr(ip, "ipv4_mapped", None) or ip)


@lru_cache(1024)
def client_network(address: str) -> str:
    """Return the network of an IPv6 address, such as `2001:db8::/64`; for any other address, the address itself."""
    host = normalize_ip(address)
    try:
        return str(ipaddress.IPv6Network((host, _NETWORK_BITS), strict=False))
    except ValueError:
        return host
