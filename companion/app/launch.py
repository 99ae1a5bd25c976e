"""What the flags of a table ask for, and the game it begins with: that of the journal, or a new one."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.addons import Packs
from companion.boards import catalog
from companion.common.errors import CompanionError, JournalError
from companion.journal.journal import Kept, unreadable
from companion.rules import GAMES
from companion.settings import Settings
from companion.table import resume
from companion.table.game_switcher import is_with
from companion.table.remote_game import check_plan
from companion.table.resume import far_of
from companion.table.setup import Afar, Plan, plan, settle
from companion.table.state import Core, begin


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the flags said; None where they said nothing, so that a resumed game decides."""

    game: str | None = None
    seats: int | None = None
    dealer: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    board: str | None = None
    settings: Settings = field(default_factory=Settings)
    readers: tuple[str, ...] = ()
    journal: Path
    new: bool = False
    against: str | None = None
    afar: Afar | None = None
    record: Path | None = None
    hosts: tuple[str, ...] = ()
    packs: Packs = field(default_factory=Packs)


def wanted_plan(wanted: Wanted) -> Plan:
    """The game that the flags ask for. Raises SettingsError or BoardError."""
    made = plan(wanted.game or "six-card", wanted.seats, wanted.dealer, wanted.options, wanted.board)
    if wanted.afar:
        check_plan(made)
    return replace(made, afar=wanted.afar)


def resumed(kept: Kept, wanted: Wanted) -> Core:
    """The table as the journal has it. Raises JournalError where the flags contradict it, naming `--new`."""
    try:
        _check(kept, wanted)
    except (LookupError, TypeError, AttributeError) as error:
        raise unreadable(wanted.journal, error) from error
    try:
        return resume.resumed(kept, wanted.settings)
    except JournalError:
        raise
    except (CompanionError, LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise unreadable(wanted.journal, error) from error


def last(kept: Kept, wanted: Wanted) -> tuple[Kept | None, Core]:
    """The last game of the journal, gone on with; or where a pack's rules are missing, another, and a word of it.

    The last game stays where it is and can be taken up once the pack is back. Raises as `resumed`.
    """
    key = str(kept.plan.get("game")) if isinstance(kept.plan, Mapping) else ""
    if any(key == game.key for game in GAMES):
        return kept, resumed(kept, wanted)
    try:
        return kept, resumed(kept, wanted)
    except CompanionError:
        wanted.packs.miss(key)
        return None, begin(wanted_plan(wanted), wanted.settings)


def goes_on(kept: Kept | None, wanted: Wanted) -> Kept | None:
    """The last game, where it is played with whom the settings name. Raises JournalError where they name nobody."""
    if kept is None or is_with(has := far_of(kept.plan), wanted.afar):
        return kept
    if has and not wanted.afar:
        flag = "--invite" if has.is_host else "--join"
        raise JournalError(
            f"The game in the journal {wanted.journal.name} is played with the board {has.board}, far away: go on with "
            f"it by {flag} {has.board}, or start with --new to begin another."
        )
    return None


def _check(kept: Kept, wanted: Wanted) -> None:
    """Raise JournalError for flags that contradict the game, SettingsError or BoardError for what means nothing."""
    _check_flags(kept, wanted)
    asked = {k: v for k in ("game", "seats", "dealer", "board") if (v := getattr(wanted, k)) is not None}
    has = {**kept.plan["options"], **kept.plan}
    differs = [(k, v) for k, v in {**asked, **wanted.options}.items() if has.get(k) != v]
    if differs:
        (key, value), *_ = differs
        told = _CONTRADICTED.get(key, "has {key} {has}, not {asked}")
        said = told.format(key=key, has="chosen by dice" if has.get(key) is None else has[key], asked=value)
        flag = f"--option {key}={value}" if key in wanted.options else f"--{key}"
        raise JournalError(
            f"The game in the journal {wanted.journal.name} {said}: leave out {flag} to go on with it, "
            f"or start with --new to begin another."
        )


_CONTRADICTED = {
    "game": "is {has}, not {asked}",
    "seats": "is for {has} seats, not {asked}",
    "dealer": "began with the dealer {has}, not {asked}",
    "board": "is played on the board {has}, not {asked}",
}
"""What is said of a flag that contradicts the game to go on with."""


def _check_flags(kept: Kept, wanted: Wanted) -> None:
    """Flags that mean nothing are wrong usage also beside a game to resume. Raises SettingsError or BoardError."""
    key = wanted.game or kept.plan["game"]
    seats = kept.plan["seats"] if wanted.seats is None and key == kept.plan["game"] else wanted.seats
    settle(key, seats, wanted.dealer, wanted.options)
    if wanted.board:
        catalog.load(wanted.board)
