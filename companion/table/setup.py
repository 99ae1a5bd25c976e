"""The plan of a table: game, seats, options and board. It is fixed before the first move and stored in the journal."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from companion.boards import catalog
from companion.boards.board import Board, Route
from companion.common.constants import CARDS_DEALT, SKILL_LEVELS
from companion.common.errors import BoardError, SettingsError
from companion.rules import complete_setup, seat_names
from companion.rules import find_game as game_by_key
from companion.rules.engine import NO_TARGET, Game, Setup
from companion.table import players


@dataclass(frozen=True)
class RemoteTable:
    """The other table of a remote game between two tables (docs/reference/remote.md).

    `board` is the name of that table's board. With `is_host`, this table decides the order of the moves; otherwise the
    other table does, and `run` identifies the game there.
    """

    board: str
    is_host: bool
    run: str = ""


@dataclass(frozen=True)
class ComputerPlayer:
    """The seat that the companion plays, and its skill level."""

    seat: int
    level: str


@dataclass(frozen=True)
class TablePlan:
    """A table's game, its setup and its board. Whether the board suits the game is checked by its course.

    `remote_table` is the other table of a remote game; None for a local game. With `is_plain` the players use a wooden
    board of their own and no sensors are read. `against` is the companion's seat; None if only people play.
    """

    game: Game[Any]
    setup: Setup
    board: Board
    board_name: str
    remote_table: RemoteTable | None = None
    is_plain: bool = False
    against: ComputerPlayer | None = None

    @cached_property
    def sides(self) -> int:
        return self.game.count_sides(self.setup.seats)

    @cached_property
    def target(self) -> int:
        return int(self.setup.options.get("target", self.game.target))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the seats. The first `sides` of them are also the names of the sides."""
        return seat_names(self.setup.seats, self.sides)

    @cached_property
    def routes(self) -> tuple[Route, ...]:
        """Route of each side over this board; empty if the board has none for this number of seats."""
        return self.board.routes.get(self.setup.seats, ())[: self.sides]

    @property
    def journal_json(self) -> dict[str, Any]:
        given = {
            "game": self.game.key,
            "seats": self.setup.seats,
            "board": self.board_name,
            "dealer": self.setup.dealer,
            "options": dict(self.setup.options),
        }
        given |= {"pegs": PLAIN_PEGS} if self.is_plain else {}
        given |= {"against": asdict(self.against)} if self.against else {}
        return given | ({"afar": asdict(self.remote_table)} if self.remote_table else {})

    @cached_property
    def snapshot_fields(self) -> Mapping[str, Any]:
        """The fields of a snapshot that do not change during a game: game, board and players."""
        game = self.game
        return {
            "game": {
                "key": game.key,
                "title": game.title,
                "seats": self.setup.seats,
                "sides": self.sides,
                "target": None if self.target == NO_TARGET else self.target,
                "options": dict(self.setup.options),
            },
            "board": self.board.name,
            "players": players.describe_players((), self.setup.seats, self.sides),
        }


PLAIN_PEGS, READ_PEGS = "plain", "read"
"""Whether pegs are read: values of `pegs` in a plan, in a snapshot and in `POST /api/table`."""


def check_computer_player(plan: TablePlan, against: ComputerPlayer) -> None:
    """Raise SettingsError if the companion cannot play this seat of this game."""
    if plan.game.key not in CARDS_DEALT or plan.setup.seats != 2:
        raise SettingsError(
            "The companion plays six-card and five-card cribbage with two players only. "
            "Choose such a game, or leave out the companion."
        )
    if plan.setup.options.get("counting") == "manual":
        raise SettingsError(
            "The companion plays only if the table counts. Leave out counting=manual, or the companion."
        )
    if against.seat not in range(plan.setup.seats):
        raise SettingsError("The companion's seat must be 0 or 1.")
    if against.level not in SKILL_LEVELS:
        raise SettingsError("The companion's level must be one of {join}.", join=", ".join(SKILL_LEVELS))


def create_plan(
    key: str,
    seats: int | None = None,
    dealer: int | None = None,
    options: Mapping[str, str] | None = None,
    board: str | None = None,
) -> TablePlan:
    """Create a plan with defaults for everything left out. Raises SettingsError or BoardError.

    `board` is the name of a shipped board or a path that ends in `.toml`.
    """
    game, setup = settle_setup(key, seats, dealer, options or {})
    name = board or default_board(game, setup.options)
    if name.endswith(".toml"):
        return TablePlan(game, replace(setup, board=name), catalog.load_board(name), name)
    return TablePlan(game, setup, _load_shipped_board(name), name)


@lru_cache
def _load_shipped_board(name: str) -> Board:
    """Load a shipped board, cached because a recording may begin thousands of tables."""
    return catalog.load_board(name)


def settle_setup(
    key: str, seats: int | None, dealer: int | None, options: Mapping[str, str]
) -> tuple[Game[Any], Setup]:
    """Return the game and its complete setup; None selects the game's default.

    Raises SettingsError that suggests the nearest valid value.
    """
    game = game_by_key(key)
    seats = game.seats[0] if seats is None else seats
    if dealer is None and not game.rolls_for_deal:
        dealer = 0
    return game, complete_setup(game, Setup(seats, dealer, options))


def default_board(game: Game[Any], options: Mapping[str, str]) -> str:
    """Return the name of the board that a game uses by default (docs/reference/cli.md)."""
    return game.board or ("classic-61" if options.get("target", str(game.target)) == "61" else "classic")


def check_route_length(plan: TablePlan, route: Route) -> None:
    """Raise BoardError if the route is too short for the target of the game."""
    lap = len(route.way)
    if plan.target > lap and plan.target not in (lap + 1, 2 * lap + 1):
        raise BoardError(
            "The board {board_name} ends at {lap}: it is too short for {target}.",
            board_name=plan.board_name,
            lap=lap,
            target=plan.target,
        )
