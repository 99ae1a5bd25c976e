"""One game on two tables over an MQTT broker: each table has its board, its phones and its journal.

docs/how-to/play-with-a-friend-far-away.md describes the setup and docs/reference/remote.md the messages. Only this
module is imported unless the settings name another board.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.plugin import Closeable, Host, Plugin

if TYPE_CHECKING:
    from companion.settings import Settings
    from companion.table.setup import RemoteTable


def _find_remote_table(settings: "Settings") -> "RemoteTable | None":
    if not settings.remote.invite and not settings.remote.join:
        return None
    from companion.plugins.remote.invitation import find_remote_peer  # noqa: PLC0415 - most tables play alone

    return find_remote_peer(settings)


def _start(host: Host) -> Iterator[Closeable]:
    if host.switcher.remote_table:
        from companion.plugins.remote.invitation import start_remote_session  # noqa: PLC0415

        path = host.journal.with_suffix(".afar")
        session = start_remote_session(host.switcher, host.hands, host.settings, path)
        host.invitation = session.invitation
        yield session


PLUGIN = Plugin(name="remote", start=_start, find_remote_table=_find_remote_table)
