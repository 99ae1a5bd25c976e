"""The companion as an opponent, and the private hands of phones.

Nothing of the coach is imported before the first game against the companion.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from companion.i18n import COMPANION_NAME
from companion.opponent.private_hands import PrivateHands
from companion.table.game_switcher import GameSwitcher
from companion.table.setup import TablePlan

if TYPE_CHECKING:
    from companion.opponent.player import Opponent


class OpponentStarter:
    """Seats the companion in games against it, and starts its thread with the first of them."""

    def __init__(self, switcher: GameSwitcher, hands: PrivateHands, path: Path) -> None:
        """`path` is the file of the deal."""
        self._switcher, self._hands, self._path = switcher, hands, path
        self._opponent: Opponent | None = None

    def __call__(self, plan: TablePlan) -> None:
        """Begin or resume a game with this plan: name the companion's seat if it has no name, and play it."""
        if plan.against is None:
            return
        seated = self._switcher.table.core.players
        if len(seated) <= plan.against.seat or not seated[plan.against.seat].name:
            self._switcher.set_player(plan.against.seat, COMPANION_NAME, None)
        if self._opponent is None:
            from companion.opponent.player import Opponent  # noqa: PLC0415 - most tables never need the coach

            self._opponent = Opponent(self._switcher.table, self._hands, self._path)

    def close(self) -> None:
        if self._opponent:
            self._opponent.close()
