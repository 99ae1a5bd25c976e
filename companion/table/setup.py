"""What is played on which board by whom: settled before the first move, kept with the journal."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from companion.boards import catalog
from companion.boards.catalog import Board, Route
from companion.common.errors import BoardError
from companion.rules import game as game_by_key
from companion.rules import seat_names, settled
from companion.rules.engine import ENDLESS, Game, Setup
from companion.table import players


@dataclass(frozen=True)
class Afar:
    """The other table of a game that two tables play, far from each other (docs/reference/remote.md).

    `board` is what that table's board is called. `is_host`: this table keeps the order of the moves; else the other
    does, and `run` is what the game is called there.
    """

    board: str
    is_host: bool
    run: str = ""


@dataclass(frozen=True)
class Plan:
    """A table's game, its setup and its board. Whether the board is one for this game its course says.

    `afar` is the other table, where two play this game; None at a table alone.
    """

    game: Game[Any]
    setup: Setup
    board: Board
    board_name: str
    afar: Afar | None = None

    @cached_property
    def sides(self) -> int:
        """How many sides score."""
        return self.game.sides(self.setup.seats)

    @cached_property
    def target(self) -> int:
        """The score that wins."""
        return int(self.setup.options.get("target", self.game.target))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the seats are called, and first among them the sides."""
        return seat_names(self.setup.seats, self.sides)

    @cached_property
    def routes(self) -> tuple[Route, ...]:
        """The way of each side over this board; none where it has none."""
        return self.board.routes.get(self.setup.seats, ())[: self.sides]

    @property
    def given(self) -> dict[str, Any]:
        """As JSON, for the journal and for a recording."""
        given = {
            "game": self.game.key,
            "seats": self.setup.seats,
            "board": self.board_name,
            "dealer": self.setup.dealer,
            "options": dict(self.setup.options),
        }
        return given | ({"afar": asdict(self.afar)} if self.afar else {})

    @cached_property
    def told(self) -> Mapping[str, Any]:
        """As every snapshot has it: game, board, and seat, side and name of everybody."""
        game = self.game
        return {
            "game": {
                "key": game.key,
                "title": game.title,
                "seats": self.setup.seats,
                "sides": self.sides,
                "target": None if self.target == ENDLESS else self.target,
                "options": dict(self.setup.options),
            },
            "board": self.board.name,
            "players": players.told((), self.setup.seats, self.sides),
        }


def plan(
    key: str,
    seats: int | None = None,
    dealer: int | None = None,
    options: Mapping[str, str] | None = None,
    board: str | None = None,
) -> Plan:
    """Settle what is played. Raises SettingsError or BoardError with a sentence."""
    game, setup = settle(key, seats, dealer, options or {})
    name = board or default_board(game, setup.options)
    if name.endswith(".toml"):
        return Plan(game, replace(setup, board=name), catalog.load(name), name)
    return Plan(game, setup, _shipped(name), name)


@lru_cache
def _shipped(name: str) -> Board:
    """A shipped board, read once: a trace may begin thousands of tables."""
    return catalog.load(name)


def settle(key: str, seats: int | None, dealer: int | None, options: Mapping[str, str]) -> tuple[Game[Any], Setup]:
    """The game and its setup, all settled; where None, the game's own. Raises SettingsError naming the nearest."""
    game = game_by_key(key)
    seats = game.seats[0] if seats is None else seats
    if dealer is None and not game.rolls_for_deal:
        dealer = 0
    return game, settled(game, Setup(seats, dealer, options))


def default_board(game: Game[Any], options: Mapping[str, str]) -> str:
    """The board a game is played on where none is named (docs/reference/cli.md)."""
    return game.board or ("classic-61" if options.get("target", str(game.target)) == "61" else "classic")


def check_way(plan: Plan, way: Route) -> None:
    """Raise BoardError for a way that does not go as far as the game."""
    lap = len(way.way)
    if plan.target > lap and plan.target not in (lap + 1, 2 * lap + 1):
        raise BoardError(
            "The board {board_name} ends at {lap}: it is too short for {target}.",
            board_name=plan.board_name,
            lap=lap,
            target=plan.target,
        )
