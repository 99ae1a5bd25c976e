"""What the routes of a table share: the table, who may do what, and the parts of the program that pages show."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from flask import Response, request

from companion.addons import Addons
from companion.common.snapshot import Snapshot
from companion.devices.deck import Deck
from companion.devices.simulated_bench import SimulatedBench
from companion.http.assets import Assets
from companion.http.permissions import Permissions
from companion.http.responses import NO_STORE, requested_language
from companion.http.sessions import browser_mark
from companion.opponent.private_hands import PrivateHands
from companion.ports import PictureSource
from companion.server.sse import EventStreams, SnapshotEncoder
from companion.table.game_switcher import GameSwitcher
from companion.table.recording import RecentInputs
from companion.table.table import Table

if TYPE_CHECKING:
    from companion.server.routes.workshop import LogTail


class JoinInfo(NamedTuple):
    """How people reach the table.

    `key_path` is the file of the players' key. `addresses()` returns the URLs of the table, that with an IP address
    first. `ca_certificate` is the certificate of our own authority, if that issues the pages' certificate.
    `table_invitation()` returns the link for the other table of a remote game; empty if there is none to invite.
    """

    key_path: Path | None = None
    addresses: Callable[[], tuple[str, ...]] = tuple
    ca_certificate: Path | None = None
    table_invitation: Callable[[], str] = str


class WorkshopState(NamedTuple):
    """What the workshop shows. `deck` has the codes of the cards."""

    recent: RecentInputs
    log: "LogTail"
    deck: Deck | None = None
    cameras: Sequence[PictureSource] = ()


@dataclass(frozen=True, kw_only=True)
class Site:
    """What a module of `companion.server.routes` gets to add its routes. `bench` is None without simulated devices."""

    switcher: GameSwitcher
    permissions: Permissions
    hands: PrivateHands
    streams: EventStreams
    encode: SnapshotEncoder
    assets: Assets
    addons: Addons
    workshop: WorkshopState
    join_info: JoinInfo
    bench: SimulatedBench | None

    @property
    def table(self) -> Table:
        """The table, which has one game after the other."""
        return self.switcher.table

    def requesting_phone(self) -> str:
        """Return the mark of the browser that sent the current request."""
        return browser_mark(self.permissions.cookie_value(request))

    def is_player(self) -> bool:
        """Return whether the current request comes from a browser that has joined."""
        return self.permissions.is_player(request)

    def snapshot_response(self, snapshot: Snapshot) -> Response:
        """Return the response with a snapshot in the language of the current request."""
        text = self.encode(snapshot, requested_language())
        return Response(text, mimetype="application/json", headers=NO_STORE)
