"""The games of one journal at one table: another is begun, or one that was laid aside is taken up. Each is kept.

The devices follow: a simulated board becomes the one that the game is played on. A board that real sensors read stays
what it is, and a game that cannot be played there is refused.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from companion.boards import catalog
from companion.common.errors import BoardError, CompanionError, IllegalMove, JournalError
from companion.common.snapshot import Snapshot
from companion.table import players, remote_game
from companion.table import resume as resuming
from companion.table.setup import Afar, Plan, plan
from companion.table.state import Core, begin
from companion.table.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A game that somebody wants to begin; None where the game's own is wanted. `board` is a shipped board's name."""

    game: str
    seats: int | None = None
    dealer: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    board: str | None = None
    names: tuple[str | None, ...] = ()


class Devices(Protocol):
    """The devices, as far as they change with the board."""

    @property
    def attached(self) -> str | None:
        """The board that real sensors read, as `Plan.board_name`; None where any board will do."""

    def check(self, plan: Plan) -> None:
        """Raise SettingsError where they do not fit this game."""

    def leave(self) -> None:
        """Hear nothing more of a simulated board. May wait; not under the table's lock."""

    def enter(self, core: Core) -> None:
        """Be those of this table's board, its pegs where they were last known. Does not wait."""

    def go_on(self) -> None:
        """Hear the board entered."""


class NoDevices:
    """A table without any."""

    attached: str | None = None

    def check(self, plan: Plan) -> None:
        """Every game fits."""

    def leave(self) -> None:
        """Nothing is heard."""

    def enter(self, core: Core) -> None:
        """Nothing is there."""

    def go_on(self) -> None:
        """Nothing will be heard."""


class Tables:
    """All methods may be called from any thread; each change raises what `plan` raises, or JournalError."""

    def __init__(self, table: Table, devices: Devices | None = None) -> None:
        self.table = table
        self.afar: Afar | None = None
        """The other table, where all games are played with it."""
        self._devices: Devices = devices or NoDevices()
        self._one = threading.Lock()

    @property
    def attached(self) -> str | None:
        """The board that real sensors read; None where any board will do."""
        return self._devices.attached

    def begin(self, asked: Asked) -> Snapshot:
        """Begin another game; the present one is laid aside. Raises CompanionError with nothing changed."""
        board = self.attached
        if asked.board not in (None, board):
            if board:
                raise BoardError(
                    "The board that is attached is {board}: no game can be played on another.", board=board
                )
            _check_shipped(asked.board or "")
        made = plan(asked.game, asked.seats, asked.dealer, asked.options, asked.board or board)
        if self.afar is not None:
            if not self.afar.is_host:
                raise IllegalMove("The other table begins the games: a new one is begun there.")
            remote_game.check_plan(made)
        return self.open(replace(made, afar=self.afar), asked.names)

    def open(self, made: Plan, names: Sequence[str | None] = ()) -> Snapshot:
        """Begin the game of this plan. Raises CompanionError with nothing changed."""
        core = begin(made, self.table.core.settings)
        self._devices.check(made)
        with self._one:
            known = self.table.core.people
            for seat, name in enumerate(names):
                known = players.called(known, core.plan.sides, seat, name, None)
            return self._changed(replace(core, people=known), None)

    def call(self, seat: int, name: str | None, colour: str | None) -> Snapshot:
        """Name a seat of the present game, colour its pegs; kept for its next games. Raises JournalError."""
        with self.table.changed:
            core = self.table.core
            return self.table.seat(players.called(core.people, core.plan.sides, seat, name, colour))

    def resume(self, game: int) -> Snapshot | None:
        """Take up a game that was laid aside, as it was; None where there is no such. Raises CompanionError."""
        with self._one:  # nobody plays meanwhile what is taken up
            if game == self.table.journal.game:
                return self.table.snapshot
            if self.table.journal.plan(game) is None:
                return None
            core = self._folded(game)
            if not is_with(core.plan.afar, self.afar):
                raise IllegalMove("That game is not played with the same table far away as now.")
            if self.attached not in (None, core.plan.board_name):
                raise BoardError(
                    "That game is played on {name}, and another board is attached.", name=core.plan.board.name
                )
            self._devices.check(core.plan)
            return self._changed(core, game)

    def _folded(self, game: int) -> Core:
        try:
            with self.table.changed:
                return resuming.resumed(self.table.journal.kept(game), self.table.core.settings)
        except JournalError:
            raise
        except (CompanionError, LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise JournalError(
                "The game of table {game} cannot be taken up: {error}", game=game, error=error
            ) from error

    def _changed(self, core: Core, game: int | None) -> Snapshot:
        if self.table.closed:
            raise IllegalMove("The program is ending; nothing was changed.")
        self._devices.leave()
        try:
            return self.table.turn_to(core, game, self._devices.enter)
        except BaseException:
            self._devices.enter(self.table.core)
            raise
        finally:
            self._devices.go_on()


def is_with(one: Afar | None, other: Afar | None) -> bool:
    """Whether both are of the same table far away, or of none."""
    if one is None or other is None:
        return one is other
    return (one.board, one.is_host) == (other.board, other.is_host)


def _check_shipped(board: str) -> None:
    """Raise BoardError, naming the nearest, for what is no shipped board: no phone may have a file read."""
    if board.endswith(".toml"):
        raise BoardError(
            "A board of one's own is named at the start of the program; here: {join}.", join=", ".join(catalog.names())
        )
    catalog.load(board)
