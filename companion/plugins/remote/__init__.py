"""One game on two tables over an MQTT broker: each table has its board, its phones and its journal.

docs/how-to/play-with-a-friend-far-away.md describes the setup and docs/reference/remote.md the messages. Only this
module is imported unless the settings name another board.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.plugin import Closeable, Host, Plugin
from companion.settings import name_field

if TYPE_CHECKING:
    from companion.settings import Settings
    from companion.table.setup import RemoteTable


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteSettings:
    """The table `[remote]`: the board of a remote opponent. At most one of the two is set.

    `invite`: this table starts the games; `join`: the other one does, and this is its invitation, or its name once the
    invitation has been used. It uses the broker of `[report]`.
    """

    invite: str = name_field("")
    join: str = ""


def _find_remote_table(settings: "Settings") -> "RemoteTable | None":
    remote = settings.section("remote")
    if not remote.invite and not remote.join:
        return None
    from companion.plugins.remote.invitation import find_remote_peer  # noqa: PLC0415 - most tables play alone

    return find_remote_peer(settings)


def _start(host: Host) -> Iterator[Closeable]:
    if host.switcher.remote_table:
        from companion.plugins.remote.session import start_remote_session  # noqa: PLC0415

        path = host.journal.with_suffix(".afar")
        session = start_remote_session(host.switcher, host.hands, host.settings, path)
        host.invitation = session.invitation
        yield session


PLUGIN = Plugin(
    name="remote", settings={"remote": RemoteSettings()}, start=_start, find_remote_table=_find_remote_table
)
