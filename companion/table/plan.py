"""What is played on which board by whom: settled before the first move, kept with the journal."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from companion.board.shape import layout
from companion.board.shape.layout import Board, Route
from companion.errors import BoardError
from companion.rules import game as game_by_key
from companion.rules import seat_names, settled
from companion.rules.engine import Game, Setup
from companion.table import diamond


@dataclass(frozen=True, slots=True)
class Plan:
    """A table's game, its setup and its board. `given` is what the journal keeps."""

    game: Game[Any]
    setup: Setup
    board: Board
    board_name: str

    @property
    def sides(self) -> int:
        """How many sides score."""
        return self.game.sides(self.setup.seats)

    @property
    def target(self) -> int:
        """The score that wins."""
        return int(self.setup.options.get("target", self.game.target))

    @property
    def races(self) -> bool:
        """Whether pegs race along routes."""
        return self.game.pegs in ("race", "score")

    @property
    def has_markers(self) -> bool:
        """Whether pegs are markers, and the game says where each belongs."""
        return self.game.pegs == "mark"

    @property
    def lit(self) -> Route | None:
        """The way on which the score is lit, where nobody pegs it (shuffle); None where somebody does."""
        if self.game.pegs != "none":
            return None
        return min(self.board.routes.items())[1][0] if self.board.routes else None

    @property
    def routes(self) -> tuple[Route, ...]:
        """The way of each side's pegs; none where nobody races."""
        return self.board.routes[self.setup.seats][: self.sides] if self.races else ()

    def loop(self, seats: tuple[int, ...]) -> tuple[Route, ...]:
        """The way of the pegs of those of the sides who still race: on a smaller loop, each by its own name."""
        if len(seats) == self.sides or not self.races:
            return self.routes
        return tuple(
            replace(route, seat=seat) for seat, route in zip(seats, self.board.routes[len(seats)], strict=True)
        )

    @property
    def given(self) -> dict[str, Any]:
        """As JSON, for the journal and for a recording."""
        return {
            "game": self.game.key,
            "seats": self.setup.seats,
            "board": self.board_name,
            "dealer": self.setup.dealer,
            "options": dict(self.setup.options),
        }

    def players(self) -> tuple[dict[str, Any], ...]:
        """Seat, side and name of everybody."""
        names = seat_names(self.setup.seats, self.sides)
        return tuple({"seat": s, "side": s % self.sides, "name": names[s]} for s in range(self.setup.seats))


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
    loaded = layout.load(name) if name.endswith(".toml") else _shipped(name)
    made = Plan(game, setup, loaded, name)
    if made.has_markers:
        diamond.check(loaded)
        made = replace(made, setup=replace(setup, board=name if name.endswith(".toml") else ""))
        game.start(made.setup)  # the owner's spaces can be played by
    elif made.races and len(loaded.routes.get(setup.seats, ())) < made.sides:
        raise BoardError(f"The board {name} has no routes for {setup.seats} players.")
    elif game.lap:
        _check_loops(made)
    else:
        _check_length(made)
    return made


def _check_length(made: Plan) -> None:
    """The way goes as far as the game."""
    route = made.routes[0] if made.races else made.lit
    if route is None:
        raise BoardError(f"The board {made.board_name} has no way to {made.target} on which to light the score.")
    loop_targets = (len(route.way), len(route.way) + 1, 2 * len(route.way) + 1)
    if made.target > len(route.way) and made.target not in loop_targets:
        raise BoardError(f"The board {made.board_name} ends at {len(route.way)}: it is too short for {made.target}.")


def _check_loops(made: Plan) -> None:
    """Where loops grow smaller there is one for every number of players down to two."""
    side = made.game.lap
    for seats in range(2, made.setup.seats + 1):
        routes = made.board.routes.get(seats, ())
        laps = {len(route.way) for route in routes if route.loop and len(set(route.way)) == len(route.way)}
        if len(routes) != seats or laps != {side * seats} or routes[1].way[0] != routes[0].way[side]:
            raise BoardError(f"The board {made.board_name} has no loop of {side * seats} holes for {seats} players.")


@lru_cache
def _shipped(name: str) -> Board:
    """A shipped board, read once: a trace may begin thousands of tables."""
    return layout.load(name)


def settle(key: str, seats: int | None, dealer: int | None, options: Mapping[str, str]) -> tuple[Game[Any], Setup]:
    """The game and its setup, all settled; where None, the game's own. Raises SettingsError naming the nearest."""
    game = game_by_key(key)
    seats = game.seats[0] if seats is None else seats
    if dealer is None and not game.rolls_for_deal:
        dealer = 0
    return game, settled(game, Setup(seats, dealer, options))


def default_board(game: Game[Any], options: Mapping[str, str]) -> str:
    """The board a game is played on where none is named (interfaces.md 7)."""
    return game.board or ("classic-61" if options.get("target", str(game.target)) == "61" else "classic")
