"""The results of events that boards report. They are entered in the transaction that saves the game's last move.

A game decides a pairing if it was played at a board of the event, between the two players of the newest pairing of
these two, and began after that pairing was made. It decides one pairing at most, and only one that has no entry yet:
what has been entered once changes only by the organiser.

Once the bracket of a tournament is drawn, a game between the two players of an open match counts for the match.
"""

import json
from collections.abc import Mapping
from typing import Any

from companion.i18n import format_message
from companion.plugins.club.database import StatementRunner, now_ms
from companion.plugins.club.messages import RunId
from companion.plugins.club.pairing import TournamentGame
from companion.plugins.club.tournament import store

CLOCK_TOLERANCE_MS = 60_000
"""How much later, in ms, the archive's clock may be than the board's when a round is paired and a game begins."""

PairingId = tuple[int, int, int]
"""Event, round and number of a pairing."""

_CHANGED_END = format_message(
    "The end of this game was changed after its result was entered. Correct the result by hand."
)
_ENTRANTS_QUERY = """SELECT entrant.event, player FROM entrant JOIN event_board ON event_board.event = entrant.event
    WHERE club = ? AND board = ?"""
_QUALIFIERS_QUERY = """SELECT qualifier.event, player FROM qualifier
    JOIN event_board ON event_board.event = qualifier.event WHERE club = ? AND board = ?"""
_PAIRING_QUERY = """SELECT ms, event, round, number, one, two FROM pairing WHERE event = ? AND one IN (?, ?)
    AND two IN (?, ?) ORDER BY ms DESC, round DESC, number LIMIT 1"""
_OLDEST_OPEN_QUERY = """SELECT min(pairing.ms) FROM pairing JOIN event_board ON event_board.event = pairing.event
    WHERE two IS NOT NULL AND NOT EXISTS (SELECT 1 FROM result WHERE result.event = pairing.event
    AND result.round = pairing.round AND result.number = pairing.number) AND NOT EXISTS (SELECT 1 FROM scorecard
    WHERE scorecard.event = pairing.event AND scorecard.round = pairing.round AND player IN (one, two))"""
_START_QUERY = """SELECT ms, body FROM move WHERE club = ? AND board = ? AND run = ? AND n <= ? AND n >
    (SELECT coalesce(max(n), 0) FROM won WHERE club = ? AND board = ? AND run = ? AND n < ?) ORDER BY n"""


def enter_result(run_sql: StatementRunner, run: RunId, n: int, result: Mapping[str, Any] | None) -> str:
    """Enter the result of the game that ended with move `n`, None if its end was undone, for the pairing it decides.

    Returns why a result that was entered before does not follow the game any more, else "".
    """
    game = "/".join((*run, str(n)))
    entered = run_sql("SELECT winner, is_skunk, spread FROM result WHERE game = ?", game)
    match_winner = store.find_match_win(run_sql, game)
    if result is None or len(result["players"]) != 2:
        return _CHANGED_END if entered or match_winner else ""
    winner = str(result["players"][result["winner"]])
    spread, is_skunk = abs(result["scores"][0] - result["scores"][1]), bool(result["skunk"])
    if entered:
        is_same = (entered[0][0].casefold(), *entered[0][1:]) == (winner.casefold(), int(is_skunk), spread)
        return "" if is_same else _CHANGED_END
    if match_winner:
        return "" if match_winner.casefold() == winner.casefold() else _CHANGED_END
    if (open_pairing := _find_open_pairing(run_sql, run, n, result["players"])) is not None:
        pairing, one, two = open_pairing
        name = one if one.casefold() == winner.casefold() else two
        decided = TournamentGame(one, two, name, is_skunk, spread)
        write_result(run_sql, pairing, decided, f"board {run.board}", game)
        if run_sql("SELECT 1 FROM tournament WHERE event = ?", pairing[0]):
            store.fill_cards(run_sql, pairing, decided, f"board {run.board}")
    else:
        _add_match_win(run_sql, run, n, {str(name).casefold() for name in result["players"]}, winner.casefold())
    return ""


def _add_match_win(run_sql: StatementRunner, run: RunId, n: int, players: set[str], winner: str) -> None:
    """Count the game for the open match of these players in a bracket, if it began after the last card was entered."""
    qualified: dict[int, set[str]] = {}
    for event, player in run_sql(_QUALIFIERS_QUERY, *run[:2]):
        qualified.setdefault(event, set()).add(player.casefold())
    for event in sorted((event for event, names in qualified.items() if players <= names), reverse=True):
        ((entered_ms,),) = run_sql("SELECT coalesce(max(ms), 0) FROM scorecard WHERE event = ?", event)
        is_later = _find_start_ms(run_sql, run, n) >= entered_ms - CLOCK_TOLERANCE_MS
        if is_later and store.add_match_win(run_sql, event, players, winner, "/".join((*run, str(n)))):
            return


def enter_missing_results(run_sql: StatementRunner) -> None:
    """Enter the results of saved games for pairings that have no entry.

    An archive of an earlier version may have been killed between both, and a board may join an event later.
    """
    ((oldest_ms,),) = run_sql(_OLDEST_OPEN_QUERY)
    if oldest_ms is None:
        return
    query = "SELECT club, board, run, n, result FROM won WHERE ms >= ? ORDER BY id"
    for club, board, run, n, result in run_sql(query, oldest_ms - CLOCK_TOLERANCE_MS):
        enter_result(run_sql, RunId(club, board, run), n, json.loads(result))


def write_result(
    run_sql: StatementRunner, pairing: PairingId, result: TournamentGame, by: str, game: str | None = None
) -> None:
    """Add a result of a pairing; without a winner it takes the result back.

    :param by: who entered it.
    :param game: the game at a board; None if the organiser entered the result.
    """
    values = (result.winner, int(result.is_skunk), result.spread) if result.winner else (None, 0, 0)
    row = run_sql.next_id("result"), *pairing, *values, by, now_ms(), game
    run_sql("INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *row)


def _find_open_pairing(
    run_sql: StatementRunner, run: RunId, n: int, players: list[str]
) -> tuple[PairingId, str, str] | None:
    """Return the pairing that this game decides, and its two players."""
    wanted = {str(name).casefold() for name in players}
    entrants: dict[int, list[str]] = {}
    for event, player in run_sql(_ENTRANTS_QUERY, *run[:2]):
        if player.casefold() in wanted:
            entrants.setdefault(event, []).append(player)
    pairings = [row for event, both in entrants.items() if len(both) == 2
             for row in run_sql(_PAIRING_QUERY, event, *both, *both)]  # fmt: skip
    if not pairings:
        return None
    ms, event, at, number, one, two = max(pairings)
    entry = "SELECT 1 FROM result WHERE event = ? AND round = ? AND number = ?"
    is_open = not run_sql(entry, event, at, number) and not store.is_closed(run_sql, event, at, (one, two))
    is_later = _find_start_ms(run_sql, run, n) >= ms - CLOCK_TOLERANCE_MS
    return ((event, at, number), one, two) if is_open and is_later else None


def _find_start_ms(run_sql: StatementRunner, run: RunId, n: int) -> int:
    """Return when the game that ended with move `n` began: the time of its first move after `next`, by the board."""
    moves = run_sql(_START_QUERY, *run, n, *run, n)
    return next((int(ms) for ms, body in moves if json.loads(body)["move"]["type"] != "next"), 0)
