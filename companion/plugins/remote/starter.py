"""Begin a remote game: check the settings, and start the session with the other table."""

from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from companion.common.errors import SettingsError
from companion.common.files import PrivateValues
from companion.opponent.private_hands import PrivateHands
from companion.plugins.remote.invitation import Invitation, load_secret, parse_invitation
from companion.settings import Settings
from companion.table.game_switcher import GameSwitcher
from companion.table.setup import RemoteTable

if TYPE_CHECKING:
    from companion.plugins.remote.session import RemoteSession


def find_remote_peer(settings: Settings) -> RemoteTable | None:
    """Return the other table named in the settings; None if there is none. Raises SettingsError."""
    invite, join = settings.remote.invite, settings.remote.join
    if not invite and not join:
        return None
    if invite and join:
        raise SettingsError("Use either --invite or --join, not both.")
    if not settings.report.brokers:
        raise SettingsError("A remote game needs an MQTT broker: set report.brokers.")
    if find_spec("paho") is None or find_spec("cryptography") is None:
        raise SettingsError("A remote game needs the extra [mqtt]: run pip install '.[mqtt]' in the checkout.")
    from companion.plugins.mqtt.broker_url import board_name  # noqa: PLC0415

    board = invite or parse_invitation(join, settings.report.club).board
    if board_name(settings.report) == board:
        raise SettingsError(
            "This board is itself called {board}: give the name of the other board, or set report.board.", board=board
        )
    return RemoteTable(board, is_host=bool(invite))


def start_remote_session(
    tables: GameSwitcher, hands: PrivateHands, settings: Settings, path: Path, chance: Random | None = None
) -> "RemoteSession":
    """Start the session with the other table; `path` is the file of this table's secrets. Raises SettingsError."""
    from companion.plugins.mqtt.broker_url import board_name  # noqa: PLC0415
    from companion.plugins.remote.channel import SecureChannel  # noqa: PLC0415
    from companion.plugins.remote.dealer import RemoteDealer  # noqa: PLC0415
    from companion.plugins.remote.session import RemoteSession  # noqa: PLC0415

    other, saved, report = tables.remote_table, PrivateValues(path), settings.report
    assert other is not None
    given = b"" if other.is_host else parse_invitation(settings.remote.join, report.club).secret
    name = f"{'to' if other.is_host else 'from'} {other.board}"
    secret = load_secret(saved, name, given, is_host=other.is_host)
    channel = SecureChannel(saved, secret, is_host=other.is_host)
    session = RemoteSession(tables, RemoteDealer(tables.table, hands, saved, chance), channel, report)
    if other.is_host:
        session.invitation = Invitation(report.club, board_name(report), secret).link
    return session
