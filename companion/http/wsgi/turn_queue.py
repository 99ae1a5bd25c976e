"""A queue in which the networks of clients take turns, and so do the addresses of a network.

With it, a flood from one address, or from the many addresses of one IPv6 network, does not delay the others.
"""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from companion.http.client_address import client_network

Item = TypeVar("Item")


class TurnQueue(Generic[Item]):
    """Items by network and address. An empty address is a network of its own."""

    def __init__(self) -> None:
        self._waiting: dict[str, dict[str, deque[Item]]] = {}
        self._length = 0

    def __len__(self) -> int:
        """Return the number of items."""
        return self._length

    def append(self, host: str, item: Item) -> None:
        """Add an item of the client at this address."""
        self._waiting.setdefault(client_network(host), {}).setdefault(host, deque()).append(item)
        self._length += 1

    def counts(self) -> Iterator[tuple[str, list[tuple[str, int]]]]:
        """Yield each network with its addresses and the number of items of each."""
        for network, hosts in self._waiting.items():
            yield network, [(host, len(items)) for host, items in hosts.items()]

    def popleft(self, may_take: Callable[[str, str], bool] = lambda _network, _host: True) -> Item:
        """Take the item whose turn it is, and put its address and its network behind the others.

        :param may_take: whether an item of this network and address may be taken now.
        """
        return self._take(*next(
            (network, host) for network, hosts in self._waiting.items() for host in hosts if may_take(network, host)
        ))  # fmt: skip

    def pop_busiest(self) -> Item:
        """Take the oldest item of the network, and in it of the address, that has most."""
        network = max(self._waiting, key=lambda each: sum(map(len, self._waiting[each].values())))
        hosts = self._waiting[network]
        return self._take(network, max(hosts, key=lambda each: len(hosts[each])))

    def _take(self, network: str, host: str) -> Item:
        hosts = self._waiting.pop(network)
        items = hosts.pop(host)
        item = items.popleft()
        self._length -= 1
        if items:
            hosts[host] = items
        if hosts:
            self._waiting[network] = hosts
        return item
