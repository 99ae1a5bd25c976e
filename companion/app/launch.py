"""Launch options from the flags, and the first game: the last one of the journal, or a new one."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.addons import Addons
from companion.boards import catalog
from companion.common.errors import CompanionError, JournalError, SettingsError
from companion.journal.journal import SavedGame, unreadable_game_error
from companion.plugin import Plugin, load_plugins
from companion.rules import GAMES
from companion.settings import Settings
from companion.table import resume
from companion.table.game_switcher import is_same_peer
from companion.table.remote_game import check_plan
from companion.table.resume import parse_remote_table
from companion.table.setup import (
    ComputerPlayer,
    RemoteTable,
    TablePlan,
    check_computer_player,
    create_plan,
    settle_setup,
)
from companion.table.state import TableCore, create_core


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchOptions:
    """The values of the flags. None means that the flag was not given, so a resumed game decides."""

    game: str | None = None
    seats: int | None = None
    dealer: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    board: str | None = None
    settings: Settings = field(default_factory=Settings)
    readers: tuple[str, ...] = ()
    journal: Path
    new: bool = False
    against: ComputerPlayer | None = None
    remote_table: RemoteTable | None = None
    record: Path | None = None
    hosts: tuple[str, ...] = ()
    addons: Addons = field(default_factory=Addons)
    plugins: tuple[Plugin, ...] = field(default_factory=load_plugins)


def plan_from_options(launch: LaunchOptions) -> TablePlan:
    """Return the plan of a new game with these options. Raises SettingsError or BoardError."""
    plan = create_plan(launch.game or "six-card", launch.seats, launch.dealer, launch.options, launch.board)
    if launch.remote_table:
        check_plan(plan)
    if launch.against:
        check_computer_player(plan, launch.against)
    return replace(plan, remote_table=launch.remote_table, against=launch.against)


def resume_game(saved: SavedGame, launch: LaunchOptions) -> TableCore:
    """Return the state of a saved game. Raises JournalError, naming `--new`, if the flags contradict it."""
    try:
        _check_options(saved, launch)
    except (LookupError, TypeError, AttributeError) as error:
        raise unreadable_game_error(launch.journal, error) from error
    try:
        core = resume.resume_game(saved, launch.settings)
        if not launch.against:
            return core
        check_computer_player(core.plan, launch.against)
        return replace(core, plan=replace(core.plan, against=launch.against))
    except (JournalError, SettingsError):
        raise
    except (CompanionError, LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise unreadable_game_error(launch.journal, error) from error


def load_last_game(saved: SavedGame, launch: LaunchOptions) -> tuple[SavedGame | None, TableCore]:
    """Resume the last game of the journal; if its add-on is missing, start a new one and report that.

    The last game stays in the journal and can be resumed once the add-on is back. Raises as `resume_game`.
    """
    key = str(saved.plan.get("game")) if isinstance(saved.plan, Mapping) else ""
    if any(key == game.key for game in GAMES):
        return saved, resume_game(saved, launch)
    try:
        return saved, resume_game(saved, launch)
    except CompanionError:
        launch.addons.report_missing_game(key)
        return None, create_core(plan_from_options(launch), launch.settings)


def find_resumable(saved: SavedGame | None, launch: LaunchOptions) -> SavedGame | None:
    """Return the last game if it has the remote opponent of the options, else None.

    Raises JournalError if the game has a remote opponent and the options have none.
    """
    if saved is None or is_same_peer(remote := parse_remote_table(saved.plan), launch.remote_table):
        return saved
    if remote and not launch.remote_table:
        flag = "--invite" if remote.is_host else "--join"
        raise JournalError(
            f"The game in the journal {launch.journal.name} is a remote game with the board {remote.board}. "
            f"Resume it with {flag} {remote.board}, or use --new to start another game."
        )
    return None


def _check_options(saved: SavedGame, launch: LaunchOptions) -> None:
    """Raise JournalError for flags that contradict the game, SettingsError or BoardError for invalid flags."""
    _check_flags(saved, launch)
    given = {k: v for k in ("game", "seats", "dealer", "board") if (v := getattr(launch, k)) is not None}
    values = {**saved.plan["options"], **saved.plan}
    conflicts = [(k, v) for k, v in {**given, **launch.options}.items() if values.get(k) != v]
    if conflicts:
        (key, value), *_ = conflicts
        template = _CONTRADICTIONS.get(key, "has {key} {saved}, not {given}")
        saved_value = "chosen by dice" if values.get(key) is None else values[key]
        reason = template.format(key=key, saved=saved_value, given=value)
        flag = f"--option {key}={value}" if key in launch.options else f"--{key}"
        raise JournalError(
            f"The game in the journal {launch.journal.name} {reason}. Leave out {flag} to resume it, "
            f"or use --new to start another game."
        )


_CONTRADICTIONS = {
    "game": "is {saved}, not {given}",
    "seats": "is for {saved} seats, not {given}",
    "dealer": "began with the dealer {saved}, not {given}",
    "board": "is played on the board {saved}, not {given}",
}
"""Message parts for flags that contradict the game to resume."""


def _check_flags(saved: SavedGame, launch: LaunchOptions) -> None:
    """Raise SettingsError or BoardError for flags that are invalid in themselves, even if a game is resumed."""
    key = launch.game or saved.plan["game"]
    seats = saved.plan["seats"] if launch.seats is None and key == saved.plan["game"] else launch.seats
    settle_setup(key, seats, launch.dealer, launch.options)
    if launch.board:
        catalog.load_board(launch.board)
