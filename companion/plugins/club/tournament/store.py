"""What the database has of a tournament: settings, games, the entries of all cards, qualifiers and matches.

Entries are only added. The last one of a line counts; the earlier ones stay with their author, reason and time.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.common.errors import IllegalMove
from companion.plugins.club.database import StatementRunner, now_ms
from companion.plugins.club.pairing import LEFT_ROUND, StandingsRow, TournamentGame
from companion.plugins.club.tournament.draw import (
    DrawnGame,
    DuplicateResult,
    DuplicateRow,
    PlayoffMatch,
    Wins,
    build_bracket,
    rank_duplicate,
)
from companion.plugins.club.tournament.scorecards import (
    BLANK,
    GAME_POINTS,
    CardLine,
    CardLines,
    CardTotals,
    Discrepancy,
    count_qualifiers,
    cross_check,
    points_of,
    rank_cards,
    total_cards,
)

TOURNAMENT_KIND = "tournament"
PRESENCE_ROUND = 0
"""The round under which `scorecard` has the players who left or joined, and the end of a duplicate night."""
LEAVES, JOINS, ENDS = BLANK, CardLine(1, None), CardLine(2, None)
"""What is written there."""
EVERYBODY = ""
"""The player of the entry that ends a duplicate night."""

_SETTINGS_QUERY = """SELECT name, event.ms, rounds, tables, best_of, game_points, seed FROM event JOIN tournament
    ON tournament.event = event.id WHERE event.id = ?"""
_END_QUERY = "SELECT 1 FROM scorecard WHERE event = ? AND round = ? AND player = ?"
_MARK_QUERY = """SELECT (SELECT coalesce(max(id), 0) FROM scorecard WHERE event = ?),
    (SELECT coalesce(max(id), 0) FROM playoff WHERE event = ?), (SELECT count(*) FROM qualifier WHERE event = ?)"""


@dataclass(frozen=True)
class TournamentState:
    """A tournament at one moment. `players` has the first round of each, LEFT_ROUND for those who left.

    `locked` are the lines that the director has entered and only the director changes, by player and round.
    """

    id: int
    name: str
    ms: int
    rounds: int
    tables: int
    best_of: tuple[int, ...]
    game_points: str
    seed: str
    players: Mapping[str, int]
    games: tuple[DrawnGame, ...]
    lines: CardLines
    locked: frozenset[tuple[str, int]]
    seeds: tuple[str, ...]
    results: Mapping[tuple[int, int], Wins]
    has_ended: bool
    """Whether the director has ended the duplicate night."""

    @property
    def scheme(self) -> tuple[int, int, int]:
        """Game points of a win, a skunk and a double skunk."""
        return GAME_POINTS[self.game_points]

    @cached_property
    def totals(self) -> list[CardTotals]:
        return total_cards(self.players, self.games, self.lines, self.scheme)

    @cached_property
    def standings(self) -> list[StandingsRow]:
        winners = {frozenset((game.one, game.two)): winner for game in self.games
                   if game.two and (winner := self._winner_of(game))}  # fmt: skip
        return rank_cards(self.totals, winners)

    @cached_property
    def discrepancies(self) -> list[Discrepancy]:
        return cross_check(self.games, self.lines, self.scheme)

    @cached_property
    def qualifiers(self) -> list[str]:
        """The players who qualify by the cards as they are, the highest first."""
        return [*self.seeds] or [row.player for row in self._staying[: self.places]]

    @property
    def places(self) -> int:
        return count_qualifiers(len(self.players))

    @property
    def _staying(self) -> list[StandingsRow]:
        return [row for row in self.standings if self.players[row.player] < LEFT_ROUND]

    @cached_property
    def tied_at_line(self) -> list[str]:
        """The players of equal rank of whom only some qualify; empty if there are none."""
        last = self._staying[self.places - 1 : self.places + 1]
        if self.seeds or len(last) < 2 or last[0].rank != last[1].rank:
            return []
        return [row.player for row in self._staying if row.rank == last[0].rank]

    def order_qualifiers(self, ahead: Sequence[str]) -> list[str]:
        """Return the qualifiers with these players, in this order, before others of equal rank."""
        rows = sorted(self._staying, key=lambda row: (row.rank, ahead.index(row.player) if row.player in ahead
                                                      else len(ahead)))  # fmt: skip
        return [row.player for row in rows[: self.places]]

    @cached_property
    def blocking(self) -> list[Discrepancy]:
        """The discrepancies that must be ruled on first: of qualifiers' cards, and where a card lacks something."""
        qualifiers = {*self.qualifiers}
        return [
            discrepancy
            for discrepancy in self.discrepancies
            if not discrepancy.is_settled
            and ({*discrepancy.game[2:]} & qualifiers or {*discrepancy.problems} & {"missing", "blank"})
        ]

    @cached_property
    def open_games(self) -> list[DrawnGame]:
        return [game for game in self.games if game.two and not any(key in self.lines for key in keys_of(game))]

    @cached_property
    def is_seed_shown(self) -> bool:
        """Whether the seed of a duplicate night is shown: no game can be played any more. It stays so.

        From the seed everybody can compute all deals, so with one line only a game still counts as being played, and
        `check_seed_hidden` refuses what would open a game again.
        """
        return bool(self.seed) and (
            self.has_ended or all(key in self.lines for game in self.games if game.two for key in keys_of(game))
        )

    def check_duplicate(self) -> None:
        if not self.seed:
            raise IllegalMove("The cards of this tournament are not dealt by phones.")

    def check_seed_hidden(self) -> None:
        """Raise IllegalMove if the seed is shown: call it before a game is opened."""
        if self.is_seed_shown:
            raise IllegalMove("The seed is shown, so no game can be played any more. You can still correct a line.")

    @cached_property
    def duplicate_ranking(self) -> list[DuplicateRow]:
        """The ranking by the difference to all who held the same cards, from the games with a spread on both cards."""
        results = []
        for game in self.games:
            spread, spread_of_two = (line.spread for line in self.both_lines(game))
            if game.two and spread is not None and spread_of_two is not None:
                results.append(DuplicateResult(game.round, game.one, game.two, spread))
        return rank_duplicate(results)

    @cached_property
    def bracket(self) -> list[list[PlayoffMatch]]:
        """The rounds of the bracket; empty before it is drawn."""
        return build_bracket(self.seeds, self.best_of, self.results) if self.seeds else []

    def both_lines(self, game: DrawnGame) -> tuple[CardLine, CardLine]:
        one, two = keys_of(game)
        return self.lines.get(one, BLANK), self.lines.get(two, BLANK)

    def find_game(self, at: object, number: object) -> DrawnGame:
        for game in self.games:
            if (game.round, game.number) == (at, number) and game.two:
                return game
        raise IllegalMove("There is no such game in this round.")

    def _winner_of(self, game: DrawnGame) -> str | None:
        has_won = [bool(line.points) for line in self.both_lines(game)]
        return None if has_won[0] == has_won[1] else game.one if has_won[0] else game.two


class StateCache:
    """The newest state of each tournament, computed again only after a change. Call it within a transaction."""

    def __init__(self) -> None:
        self._states: dict[int, tuple[object, TournamentState]] = {}

    def load_state(self, run_sql: StatementRunner, event: int) -> TournamentState:
        (mark,) = run_sql(_MARK_QUERY, event, event, event)
        cached = self._states.get(event)
        if cached is None or cached[0] != mark:
            cached = mark, _read_state(run_sql, event)
            self._states[event] = cached
        return cached[1]


def _read_state(run_sql: StatementRunner, event: int) -> TournamentState:
    rows = run_sql(_SETTINGS_QUERY, event)
    if not rows:
        raise IllegalMove("There is no tournament with this number.")
    name, ms, rounds, tables, best_of, game_points, seed = rows[0]
    entrants = run_sql("SELECT player, since FROM entrant WHERE event = ? ORDER BY player", event)
    query = "SELECT round, number, one, two FROM pairing WHERE event = ? ORDER BY round, number"
    games = tuple(DrawnGame(*row) for row in run_sql(query, event))
    query = """SELECT player, round, points, spread, is_ruled, is_locked FROM scorecard WHERE event = ? AND round > 0
        ORDER BY id"""
    entries = {(player, at): entry for player, at, *entry in run_sql(query, event)}  # the last one of a line counts
    entries = {key: entry for key, entry in entries.items() if entry[:2] != [None, None]}
    seeds = run_sql("SELECT player FROM qualifier WHERE event = ? ORDER BY seed", event)
    query = "SELECT round, number, wins_one, wins_two FROM playoff WHERE event = ? ORDER BY id"
    return TournamentState(
        event, name, ms, rounds, tables, tuple(map(int, best_of.split(","))), game_points, seed, dict(entrants), games,
        {key: CardLine(points, spread, bool(is_ruled)) for key, (points, spread, is_ruled, _) in entries.items()},
        frozenset(key for key, (*_, is_ruled, is_locked) in entries.items() if is_ruled or is_locked),
        tuple(player for (player,) in seeds),
        {(at, number): (one, two) for at, number, one, two in run_sql(query, event)},
        bool(run_sql(_END_QUERY, event, PRESENCE_ROUND, EVERYBODY)),
    )  # fmt: skip


def keys_of(game: DrawnGame) -> tuple[tuple[str, int], tuple[str, int]]:
    """Return the keys of both cards' lines of a game."""
    return (game.one, game.round), (str(game.two), game.round)


def write_lines(
    run_sql: StatementRunner,
    event: int,
    lines: CardLines,
    by: str,
    *,
    reason: str = "",
    is_ruled: bool = False,
    is_locked: bool = False,
) -> None:
    """Add entries of cards. A blank line removes what was entered before.

    :param is_locked: only the director changes these lines from now on, as if they were ruled on; blank ones are open.
    """
    rows = [
        (number, event, at, player, line.points, line.spread, int(is_ruled), by, reason, now_ms(), int(is_locked))
        for number, ((player, at), line) in enumerate(lines.items(), run_sql.next_id("scorecard"))
    ]
    run_sql.run_many("INSERT INTO scorecard VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


def fill_cards(run_sql: StatementRunner, pairing: tuple[int, int, int], result: TournamentGame, by: str) -> None:
    event, at, _ = pairing
    ((game_points,),) = run_sql("SELECT game_points FROM tournament WHERE event = ?", event)
    spread = {result.winner: result.spread}
    lines = {}
    for player in (result.one, str(result.two)):
        signed = spread.get(player, -result.spread)
        lines[player, at] = CardLine(points_of(signed, GAME_POINTS[game_points]), signed)
    write_lines(run_sql, event, lines, by)


def is_closed(run_sql: StatementRunner, event: int, at: int, players: tuple[str, str]) -> bool:
    """Return whether boards leave this game alone: a player has entered it, or the bracket is drawn."""
    query = """SELECT 1 FROM scorecard WHERE event = ? AND round = ? AND player IN (?, ?)
        UNION SELECT 1 FROM qualifier WHERE event = ? LIMIT 1"""
    return bool(run_sql(query, event, at, *players, event))


def add_match_win(run_sql: StatementRunner, event: int, players: Collection[str], winner: str, game: str) -> bool:
    """Add a game at a board to the match of these players; return whether there is one to which it belongs.

    `players` and `winner` are casefolded; `game` names the game. See `find_match_win`. Reports can come in another
    order: a game that the loser of a decided match won belongs to it if it ended before the last game that counted.
    """
    state = _read_state(run_sql, event)
    for match in (match for row in state.bracket for match in row if match.one and match.two):
        both = (str(match.one), str(match.two))
        if {name.casefold() for name in both} != {*players}:
            continue
        if match.winner and (match.winner.casefold() == winner or not _is_earlier(run_sql, event, match, game)):
            continue
        has_won = both[0].casefold() == winner
        wins = match.wins[0] + has_won, match.wins[1] + (not has_won)
        name = both[not has_won]
        write_match_result(run_sql, event, (match.round, match.number), wins, f"board {game.split('/')[1]}",
                           f"{name}, {game}", game, name)  # fmt: skip
        return True
    return False


def _is_earlier(run_sql: StatementRunner, event: int, match: PlayoffMatch, game: str) -> bool:
    """Return whether a game ended before the last one of the match, which was at a board too."""
    query = "SELECT game FROM playoff WHERE event = ? AND round = ? AND number = ? ORDER BY id DESC LIMIT 1"
    rows = run_sql(query, event, match.round, match.number)
    if not rows or rows[0][0] is None:
        return False
    ended, counted = (_read_end_ms(run_sql, name) for name in (game, str(rows[0][0])))
    return ended is not None and counted is not None and ended < counted


def _read_end_ms(run_sql: StatementRunner, game: str) -> int | None:
    club, board, run, n = game.split("/")
    query = "SELECT ms FROM move WHERE club = ? AND board = ? AND run = ? AND n = ?"
    rows = run_sql(query, club, board, run, int(n))
    return int(rows[0][0]) if rows else None


def find_match_win(run_sql: StatementRunner, game: str) -> str | None:
    """Return who won a game at a board that counts for a match of a bracket; None if it counts for none."""
    rows = run_sql("SELECT winner FROM playoff WHERE game = ?", game)
    return str(rows[0][0]) if rows else None


def write_match_result(  # noqa: PLR0913, PLR0917 - the columns of an entry
    run_sql: StatementRunner,
    event: int,
    match: tuple[int, int],
    wins: Wins,
    by: str,
    reason: str,
    game: str | None = None,
    winner: str | None = None,
) -> None:
    """Add an entry of the games won in a match, which is named by its round and number.

    `game` names the game at a board that made it, and `winner` who won that game.
    """
    row = run_sql.next_id("playoff"), event, *match, *wins, by, reason, now_ms(), game, winner
    run_sql("INSERT INTO playoff VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *row)


def list_corrections(run_sql: StatementRunner, event: int) -> list[dict[str, Any]]:
    """Return what was corrected, newest first: rulings, lines that replace others, players who left or joined, matches.

    An entry of a player who left or joined has `round` 0 and `joins`; that of the end of a duplicate night has `ends`.
    """
    query = """SELECT id, round, player, points, spread, said_by, reason, ms FROM scorecard AS entry WHERE event = ?
        AND (round = 0 OR is_ruled = 1 OR reason <> '' OR EXISTS (SELECT 1 FROM scorecard AS earlier
        WHERE earlier.event = entry.event AND earlier.round = entry.round AND earlier.player = entry.player
        AND earlier.id < entry.id)) ORDER BY id DESC LIMIT 200"""
    names = ("id", "round", "player", "points", "spread", "by", "reason", "ms")
    corrections = [dict(zip(names, row, strict=True)) for row in run_sql(query, event)]
    for entry in corrections:
        if entry["round"] == PRESENCE_ROUND:
            entry |= {"joins": entry["points"] == JOINS.points, "ends": entry["points"] == ENDS.points}
    query = """SELECT id, round, number, wins_one, wins_two, said_by, reason, ms FROM playoff WHERE event = ?
        ORDER BY id DESC LIMIT 200"""
    for number, at, match, one, two, by, reason, ms in run_sql(query, event):
        corrections.append({"id": number, "round": at, "match": match, "wins": [one, two], "by": by, "reason": reason,
                      "ms": ms})  # fmt: skip
    return sorted(corrections, key=lambda entry: -entry["ms"])
