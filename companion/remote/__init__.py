"""One game on two tables over an MQTT broker: each table has its board, its phones and its journal.

docs/how-to/play-with-a-friend-far-away.md describes the setup and docs/reference/remote.md the messages. Only this
module is imported unless the settings name another board.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from companion.common.errors import SettingsError
from companion.opponent.private_hands import PrivateHands
from companion.settings import Settings
from companion.table.game_switcher import GameSwitcher
from companion.table.setup import RemoteTable

if TYPE_CHECKING:
    from companion.remote.session import RemoteSession


def find_remote_peer(settings: Settings) -> RemoteTable | None:
    """Return the other table named in the settings; None if there is none. Raises SettingsError."""
    invite, join = settings.remote.invite, settings.remote.join
    if not invite and not join:
        return None
    if invite and join:
        raise SettingsError("Use either --invite or --join, not both.")
    if not settings.report.brokers:
        raise SettingsError("A remote game needs an MQTT broker: set report.brokers.")
    if find_spec("paho") is None:
        raise SettingsError("A remote game needs the extra [mqtt]: run pip install '.[mqtt]' in the checkout.")
    from companion.mqtt.broker_url import board_name  # noqa: PLC0415

    if board_name(settings.report) == (invite or join):
        raise SettingsError(
            "This board is itself called {board}: give the name of the other board, or set report.board.",
            board=invite or join,
        )
    return RemoteTable(invite or join, is_host=bool(invite))


def start_remote_session(tables: GameSwitcher, hands: PrivateHands, settings: Settings, kept: Path) -> "RemoteSession":
    """Start the session with the other table. `kept` is the file of this table's secrets."""
    from companion.remote.dealer import RemoteDealer  # noqa: PLC0415
    from companion.remote.session import RemoteSession  # noqa: PLC0415

    return RemoteSession(tables, RemoteDealer(tables.table, hands, kept), settings.report)
