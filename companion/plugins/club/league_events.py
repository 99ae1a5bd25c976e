"""Events of league nights: entrants, boards, rounds, results.

Results come from the organiser, and from the event's boards (`board_results`). Each result is saved with its source and
time. Results are never changed; a later one replaces an earlier one.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.common.errors import BadMove, IllegalMove
from companion.plugins.club import board_results, pairing
from companion.plugins.club.database import Database, StatementRunner, now_ms
from companion.plugins.club.pairing import LEFT_ROUND, TournamentGame
from companion.plugins.club.tournament.store import TOURNAMENT_KIND, StateCache
from companion.table.players import read_name

EVENT_KINDS = ("round-robin", "swiss")
MAX_PLAYERS = 200
"""Maximum number of players in an event."""

_PAIRINGS_QUERY = "SELECT round, number, one, two FROM pairing WHERE event = ? ORDER BY round, number"
_RESULTS_QUERY = "SELECT round, number, winner, is_skunk, spread, said_by, ms FROM result WHERE event = ? ORDER BY id"


class LeagueEvents:
    """The events of a database. Any thread may call it.

    Raises BadMove for invalid values and IllegalMove for changes that are not possible.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._cache = StateCache()

    def create_event(self, name: object, kind: object, players: object, rounds: object) -> int:
        """Create an event; return its number. `rounds` is the number of rounds, 0 for no limit."""
        if (kind not in EVENT_KINDS or not isinstance(players, list) or type(rounds) is not int
                or not 0 <= rounds <= MAX_PLAYERS):  # fmt: skip
            raise BadMove("An event needs a kind ({kinds}), a list of players and a number of rounds.",
                          kinds=" and ".join(EVENT_KINDS))  # fmt: skip
        names = read_players(players)
        with self._database.transaction() as run_sql:
            return insert_event(run_sql, name, str(kind), rounds, names)

    def add_player(self, event: int, player: object) -> None:
        """Enter a player who comes late or comes back; they play from the next round on."""
        name = read_name(player)
        with self._database.transaction() as run_sql:
            entrants = _load_entrants(run_sql, event)
            entrant = find_entrant(entrants, name)
            if entrants.get(entrant, LEFT_ROUND) < LEFT_ROUND:
                raise IllegalMove("This player is already entered.")
            if entrant not in entrants and len(entrants) >= MAX_PLAYERS:
                raise IllegalMove("An event has at most {most} players.", most=MAX_PLAYERS)
            set_first_round(run_sql, event, entrant, _last_round(run_sql, event) + 1)

    def remove_player(self, event: int, player: object) -> None:
        """Let a player leave: they are not paired any more; their results stay."""
        name = read_name(player)
        with self._database.transaction() as run_sql:
            entrants = _load_entrants(run_sql, event)
            entrant = find_entrant(entrants, name)
            if entrants.get(entrant, LEFT_ROUND) >= LEFT_ROUND:
                raise IllegalMove("This player is not in the event.")
            set_first_round(run_sql, event, entrant, LEFT_ROUND)

    def undo_round(self, event: int) -> None:
        with self._database.transaction() as run_sql:
            last = _last_round(run_sql, event)
            if not last:
                raise IllegalMove("No round has been drawn yet.")
            if run_sql("SELECT 1 FROM result WHERE event = ? AND round = ?", event, last):
                raise IllegalMove("Round {n} has results and can't be undone.", n=last)
            run_sql("DELETE FROM pairing WHERE event = ? AND round = ?", event, last)

    def pair_round(self, event: int) -> None:
        with self._database.transaction() as run_sql:
            _, kind, rounds, _ = _load_event(run_sql, event)
            entrants = _load_entrants(run_sql, event)
            games = _load_games(run_sql, event)
            last = _last_round(run_sql, event)
            if any(game.two and not game.winner for game in games.values()):
                raise IllegalMove("Enter all results of round {n} first.", n=last)
            if rounds and last >= rounds:
                raise IllegalMove("All rounds of this event have been played.")
            players = pairing.active_players(entrants, last + 1)
            if len(players) < 2:
                raise IllegalMove("A round needs at least two players.")
            if kind == "swiss":
                order = [row.player for row in pairing.compute_standings(players, games.values(), byes_count=True)]
                pairs, bye = pairing.pair_swiss(order, games.values())
                sitting_out = [bye] if bye else []
            else:
                pairs, sitting_out = pairing.pair_round_robin(players, games.values())
            if not pairs:
                raise IllegalMove("Everyone has played everyone.")
            rows: list[tuple[str, str | None]] = [*pairs, *((name, None) for name in sitting_out)]
            for number, (one, two) in enumerate(rows, 1):
                run_sql("INSERT INTO pairing VALUES (?, ?, ?, ?, ?, ?)", event, last + 1, number, one, two, now_ms())

    def record_result(self, event: int, sent: Mapping[str, Any], by: str) -> None:
        """Save a result of a game, or a correction; a winner of None removes it. `by` is the source."""
        at, number, winner = sent.get("round"), sent.get("number"), sent.get("winner")
        spread, is_skunk = sent.get("spread", 0), sent.get("skunk", False)
        if type(at) is not int or type(number) is not int or type(spread) is not int or type(is_skunk) is not bool:
            raise BadMove("A result needs a round, a number, a winner, a spread and whether it is a skunk.")
        if not 0 <= spread <= 121:
            raise BadMove("The spread must be a whole number from 0 to 121.")
        with self._database.transaction() as run_sql:
            _load_event(run_sql, event)
            rows = run_sql(
                "SELECT one, two FROM pairing WHERE event = ? AND round = ? AND number = ? AND two IS NOT NULL",
                event, at, number,
            )  # fmt: skip
            if not rows:
                raise IllegalMove("There is no such game in this round.")
            one, two = rows[0]
            if winner not in (None, one, two):
                raise IllegalMove("The winner must be {one} or {two}.", one=one, two=two)
            game = TournamentGame(one, two, winner, is_skunk, spread)
            board_results.write_result(run_sql, (event, at, number), game, by)

    def add_board(self, event: int, club: object, board: object) -> None:
        """Let a board report results of an event. All its boards are of one club.

        Games of the present round that the board has reported before are entered.
        """
        with self._database.transaction() as run_sql:
            _load_event(run_sql, event)
            is_name = isinstance(club, str) and isinstance(board, str)
            if not is_name or not run_sql("SELECT 1 FROM board WHERE club = ? AND board = ?", club, board):
                raise IllegalMove("No board of this name has reported yet.")
            if any(present != club for present, _ in _load_boards(run_sql, event)):
                raise IllegalMove("All boards of an event must be of one club.")
            run_sql("INSERT INTO event_board VALUES (?, ?, ?) ON CONFLICT DO NOTHING", event, club, board)
            board_results.enter_missing_results(run_sql)

    def remove_board(self, event: int, board: object) -> None:
        """Take a board out of an event: its games decide nothing more there. Results that were entered stay."""
        with self._database.transaction() as run_sql:
            if (str(board),) not in [row[1:] for row in _load_boards(run_sql, event)]:
                raise IllegalMove("This board is not in the event.")
            run_sql("DELETE FROM event_board WHERE event = ? AND board = ?", event, board)

    def list_events(self) -> list[dict[str, Any]]:
        rows = self._database.query("SELECT id, name, kind, rounds, ms FROM event ORDER BY id DESC LIMIT 200")
        return [dict(zip(("id", "name", "kind", "rounds", "ms"), row, strict=True)) for row in rows]

    def describe_event(self, event: int) -> dict[str, Any]:
        """Return an event with its standings and games. Raises IllegalMove if there is none.

        A tournament has its games at its own addresses.
        """
        with self._database.transaction() as run_sql:
            name, kind, rounds, ms = _load_event(run_sql, event)
            games = {} if kind == TOURNAMENT_KIND else _load_games(run_sql, event)
            players, boards = _load_entrants(run_sql, event), _load_boards(run_sql, event)
            if kind == TOURNAMENT_KIND:
                rows = self._cache.load_state(run_sql, event).standings
            else:
                rows = pairing.compute_standings(players, games.values(), byes_count=kind == "swiss")
            said: dict[tuple[int, int], list[dict[str, Any]]] = {}
            for at, number, winner, is_skunk, spread, by, when in run_sql(_RESULTS_QUERY, event):
                one = {"winner": winner, "skunk": bool(is_skunk), "spread": spread, "by": by, "ms": when}
                said.setdefault((at, number), []).append(one)
        listed = [
            {"round": at, "number": number, **game._asdict(), "results": said.get((at, number), [])}
            for (at, number), game in games.items()
        ]
        return {
            "event": {"id": event, "name": name, "kind": kind, "rounds": rounds, "ms": ms},
            "standings": [row._asdict() for row in rows],
            "gone": [player for player, since in players.items() if since >= LEFT_ROUND],
            "boards": [{"club": club, "board": board} for club, board in boards],
            "games": listed,
        }


def read_players(sent: object) -> list[str]:
    """Return the names of the players of a new event. Raises BadMove, or IllegalMove for repeated names."""
    if not isinstance(sent, list):
        raise BadMove("Send the players as a list of names.")
    names = [read_name(name) for name in sent]
    if len({name.casefold() for name in names}) < len(names) or len(names) > MAX_PLAYERS:
        raise IllegalMove("Enter each player once, and at most {most} players.", most=MAX_PLAYERS)
    return names


def _load_event(run_sql: StatementRunner, event: int) -> tuple[Any, ...]:
    rows = run_sql("SELECT name, kind, rounds, ms FROM event WHERE id = ?", event)
    if not rows:
        raise IllegalMove("There is no event with this number.")
    return rows[0]


def _load_entrants(run_sql: StatementRunner, event: int) -> dict[str, int]:
    """Return all entrants with the first round of each, LEFT_ROUND for those who left."""
    return dict(run_sql("SELECT player, since FROM entrant WHERE event = ? ORDER BY since, player", event))


def _load_boards(run_sql: StatementRunner, event: int) -> list[tuple[Any, ...]]:
    return run_sql("SELECT club, board FROM event_board WHERE event = ? ORDER BY club, board", event)


def find_entrant(entrants: Mapping[str, int], name: str) -> str:
    """Return an entrant's name as it was entered, ignoring case; the name itself if there is none."""
    return next((entrant for entrant in entrants if entrant.casefold() == name.casefold()), name)


def insert_event(run_sql: StatementRunner, name: object, kind: str, rounds: int, players: Sequence[str]) -> int:
    """Save a new event; return its number. If the archive knows one club, all its boards may report results."""
    number = run_sql.next_id("event")
    run_sql("INSERT INTO event VALUES (?, ?, ?, ?, ?)", number, read_name(name), kind, rounds, now_ms())
    run_sql.run_many("INSERT INTO entrant VALUES (?, ?, 1)", [(number, player) for player in players])
    if run_sql("SELECT count(DISTINCT club) FROM board") == [(1,)]:
        run_sql("INSERT INTO event_board SELECT CAST(? AS BIGINT), club, board FROM board", number)
    return number


def set_first_round(run_sql: StatementRunner, event: int, entrant: str, first_round: int) -> None:
    """Enter a player from this round on; LEFT_ROUND for one who leaves."""
    run_sql("DELETE FROM entrant WHERE event = ? AND player = ?", event, entrant)
    run_sql("INSERT INTO entrant VALUES (?, ?, ?)", event, entrant, first_round)


def _last_round(run_sql: StatementRunner, event: int) -> int:
    ((last,),) = run_sql("SELECT coalesce(max(round), 0) FROM pairing WHERE event = ?", event)
    return int(last)


def _load_games(run_sql: StatementRunner, event: int) -> dict[tuple[int, int], TournamentGame]:
    """Return the games of an event with their latest results, by round and number."""
    last = {(row[0], row[1]): row[2:5] for row in run_sql(_RESULTS_QUERY, event)}
    games = {}
    for at, number, one, two in run_sql(_PAIRINGS_QUERY, event):
        winner, is_skunk, spread = last.get((at, number), (None, 0, 0))
        games[at, number] = TournamentGame(one, two, winner, bool(is_skunk), spread)
    return games
