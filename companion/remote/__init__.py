"""A game that two tables play, far from each other, over a broker: each has its board, its phones and its journal.

docs/how-to/play-with-a-friend-far-away.md begins one, docs/reference/remote.md says what is written. Nothing but this
is imported unless the settings name another board.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from companion.common.errors import SettingsError
from companion.opponent.private_hands import Hands
from companion.settings import Settings
from companion.table.game_switcher import Tables
from companion.table.setup import Afar

if TYPE_CHECKING:
    from companion.remote.session import Seat


def afar(settings: Settings) -> Afar | None:
    """The other table that the settings name; None where they name none. Raises SettingsError."""
    invite, join = settings.remote.invite, settings.remote.join
    if not invite and not join:
        return None
    if invite and join:
        raise SettingsError("One table invites, the other joins: leave out --invite or --join.")
    if not settings.report.brokers:
        raise SettingsError("Two tables meet at a broker: name it with report.brokers.")
    if find_spec("paho") is None:
        raise SettingsError(
            "To play with a table far away needs the extra [mqtt]: type pip install '.[mqtt]' in the checkout."
        )
    from companion.mqtt.broker_url import board_name  # noqa: PLC0415

    if board_name(settings.report) == (invite or join):
        raise SettingsError(
            "This board is called {board} itself: name the other one, or set report.board.", board=invite or join
        )
    return Afar(invite or join, is_host=bool(invite))


def seat_afar(tables: Tables, hands: Hands, settings: Settings, kept: Path) -> "Seat":
    """Begin to play with the other table. `kept` is the file of what only this table may know."""
    from companion.remote.dealer import Dealing  # noqa: PLC0415
    from companion.remote.session import Seat  # noqa: PLC0415

    return Seat(tables, Dealing(tables.table, hands, kept), settings.report)
