"""Switch between the games of a journal: begin a new one, or resume an unfinished one.

Simulated devices follow: they become those of the game's board. A board with real sensors stays, and games that cannot
be played on it are refused.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from companion.boards import catalog
from companion.common.errors import BoardError, CompanionError, IllegalMove, JournalError, SettingsError
from companion.common.snapshot import Snapshot
from companion.table import players, remote_game, resume
from companion.table.setup import (
    PLAIN_PEGS,
    READ_PEGS,
    ComputerPlayer,
    RemoteTable,
    TablePlan,
    check_computer_player,
    create_plan,
)
from companion.table.state import TableCore, create_core
from companion.table.table import Table

DEFAULT_AGAINST = ComputerPlayer(-1, "")
REPEAT_WINDOW_MS = 2000
"""Longest time after which the same request of another phone means the same new game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGameRequest:
    """A request to begin a game. None selects the game's default. `board` is the name of a shipped board.

    `pegs` is `plain` for a wooden board of the players' own, or `read`. `against` is the companion's seat; None if only
    people play, `DEFAULT_AGAINST` for what the program was started with.
    """

    game: str
    seats: int | None = None
    dealer: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    board: str | None = None
    names: tuple[str | None, ...] = ()
    pegs: str | None = None
    against: ComputerPlayer | None = DEFAULT_AGAINST


class _BegunGame(NamedTuple):
    """The last game that was begun on request: by which phone, its number in the journal, and when it was answered."""

    request: NewGameRequest
    phone: str
    game: int | None
    answered_ms: int
    snapshot: Snapshot

    def is_meant_by(self, request: NewGameRequest, phone: str, arrived_ms: int) -> bool:
        """Return whether a request that arrived then means this game, as when two phones begin it at once.

        One phone that asks again, after it was answered, wants another game.
        """
        window_ms = REPEAT_WINDOW_MS if phone != self.phone else -1
        return request == self.request and arrived_ms - self.answered_ms <= window_ms


class BoardDevices:
    """The devices that change with the board; these are none."""

    attached_board: str | None = None
    """The board that real sensors read, as `TablePlan.board_name`; None if any board can be used."""

    def check_plan(self, plan: TablePlan) -> None:
        """Raise SettingsError if the devices do not suit this game."""

    def leave_board(self) -> None:
        """Stop input from a simulated board. May wait; do not call it under the table's lock."""

    def enter_board(self, core: TableCore) -> None:
        """Switch to this state's board, with its pegs at their last known positions. Does not wait."""

    def resume_input(self) -> None:
        """Start input from the new board."""


class GameSwitcher:
    """Switches a table between games. Call it from any thread. Changes raise as `create_plan`, or JournalError."""

    def __init__(self, table: Table, devices: BoardDevices | None = None) -> None:
        self.table = table
        self.remote_table: RemoteTable | None = None
        """The other table of a remote game, with which all games are played; None for local games."""
        self.default_against: ComputerPlayer | None = None
        """The companion's seat in games that do not choose it: `--against`."""
        self.on_begin: Callable[[TablePlan], None] = lambda _: None
        """Called with the plan of every game that is begun or resumed."""
        self._devices = devices or BoardDevices()
        self._switch_lock = threading.Lock()
        self._last_begun: _BegunGame | None = None

    @property
    def attached_board(self) -> str | None:
        """The board that real sensors read; None if any board can be used."""
        return self._devices.attached_board

    def begin_game(self, request: NewGameRequest, phone: str = "") -> Snapshot:
        """Begin another game; the present one can be resumed later. Raises CompanionError with nothing changed.

        The same request of another phone at the same time gets the same game until the first move in it.
        """
        arrived_ms = self.table.clock()
        with self._switch_lock:
            begun, now = self._last_begun, (self.table.journal.game_id, self.table.snapshot.moves)
            if begun and now == (begun.game, begun.snapshot.moves) and begun.is_meant_by(request, phone, arrived_ms):
                return begun.snapshot
            snapshot = self._begin_plan(self._create_plan(request), request.names)
            game = self.table.journal.game_id
            self._last_begun = _BegunGame(request, phone, game, self.table.clock(), snapshot)
            return snapshot

    def _create_plan(self, request: NewGameRequest) -> TablePlan:
        """Return the plan of a requested game. Raises CompanionError if it cannot be played here."""
        is_plain = request.pegs == PLAIN_PEGS
        if request.pegs == READ_PEGS and not self.table.core.settings.reads_pegs:
            raise SettingsError("This table has no sensors, so it cannot read pegs.")
        board = self.attached_board
        if request.board not in (None, board):
            if board:
                raise BoardError(
                    "The attached board is {board}. Games on other boards cannot be played now.", board=board
                )
            _check_shipped_board(request.board or "")
        plan = create_plan(request.game, request.seats, request.dealer, request.options, request.board or board)
        if self.remote_table is not None:
            if not self.remote_table.is_host:
                raise IllegalMove("Only the other table can begin a new game.")
            remote_game.check_plan(plan)
        return replace(
            plan, remote_table=self.remote_table, is_plain=is_plain, against=self._choose_against(plan, request)
        )

    def _choose_against(self, plan: TablePlan, request: NewGameRequest) -> ComputerPlayer | None:
        """Return the companion's seat in a new game. Raises SettingsError if it was asked for and cannot play."""
        if request.against is not DEFAULT_AGAINST:
            if request.against:
                if self.remote_table:
                    raise SettingsError("People play a remote game. Leave out the companion.")
                check_computer_player(plan, request.against)
            return request.against
        with suppress(SettingsError):
            if self.default_against:
                check_computer_player(plan, self.default_against)
            return self.default_against
        return None

    def begin_plan(self, plan: TablePlan) -> Snapshot:
        """Begin a game with this plan. Raises CompanionError with nothing changed."""
        with self._switch_lock:
            return self._begin_plan(plan)

    def _begin_plan(self, plan: TablePlan, names: Sequence[str | None] = ()) -> Snapshot:
        """Begin a game with this plan and these names by seat. Call it under the lock of switching."""
        core = create_core(plan, self.table.core.settings)
        self._devices.check_plan(plan)
        companion = plan.against.seat if plan.against else None
        profiles = players.seat_companion(self.table.core.players, companion)
        for seat, name in enumerate(names):
            if name or seat != companion:
                profiles = players.set_player(profiles, core.plan.sides, seat, name, None)
        return self._switch_to(replace(core, players=profiles), None)

    def set_player(self, seat: int, name: str | None, colour: str | None) -> Snapshot:
        """Set a seat's name and its side's colour, also for the next games; None leaves one. Raises JournalError."""
        with self.table.locked():
            core = self.table.core
            return self.table.set_players(players.set_player(core.players, core.plan.sides, seat, name, colour))

    def resume_game(self, game: int) -> Snapshot | None:
        """Resume an unfinished game; return None for an unknown game. Raises CompanionError."""
        with self._switch_lock:  # no other thread may switch meanwhile
            if game == self.table.journal.game_id:
                return self.table.snapshot
            if self.table.journal.load_plan(game) is None:
                return None
            core = self._load_game(game)
            if not is_same_peer(core.plan.remote_table, self.remote_table):
                raise IllegalMove("This game cannot be resumed now: it was not played with the same other table.")
            if self.attached_board not in (None, core.plan.board_name):
                raise BoardError(
                    "This game needs the board {name}, but another board is attached.", name=core.plan.board.name
                )
            self._devices.check_plan(core.plan)
            return self._switch_to(core, game)

    def _load_game(self, game: int) -> TableCore:
        try:
            with self.table.locked():
                return resume.resume_game(self.table.journal.load_game(game), self.table.core.settings)
        except JournalError:
            raise
        except (CompanionError, LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise JournalError("Game {game} cannot be resumed: {error}", game=game, error=error) from error

    def _switch_to(self, core: TableCore, game: int | None) -> Snapshot:
        if self.table.is_closed:
            raise IllegalMove("The program is ending; nothing was changed.")
        self._devices.leave_board()
        try:
            self.table.switch_game(core, game, self._devices.enter_board)
        except BaseException:
            self._devices.enter_board(self.table.core)
            raise
        finally:
            self._devices.resume_input()
        self.on_begin(core.plan)
        return self.table.snapshot


def is_same_peer(one: RemoteTable | None, other: RemoteTable | None) -> bool:
    """Return whether both are the same other table, or both None."""
    if one is None or other is None:
        return one is other
    return (one.board, one.is_host) == (other.board, other.is_host)


def _check_shipped_board(board: str) -> None:
    """Raise BoardError unless the board is shipped: a phone must not make the program read files."""
    if board.endswith(".toml"):
        raise BoardError(
            "Choose one of these boards: {join}. A board file of your own is set when the program starts.",
            join=", ".join(catalog.list_board_names()),
        )
    catalog.load_board(board)
