"""League nights: entrants, rounds, and what each game gave. A result is never changed: a later one takes its place.

Results come from a board where the names of its players are those of a pairing, and from whoever keeps the event. Each
has who said it and when.
"""

from collections.abc import Mapping
from typing import Any

from companion.club import pairing
from companion.club.archive import RunId, now_ms
from companion.club.database import Database, StatementRunner
from companion.club.pairing import TournamentGame
from companion.common.errors import BadMove, IllegalMove
from companion.table.players import read_name

TOURNAMENT_KINDS = ("round-robin", "swiss")
MAX_PLAYERS = 200
"""Players of an event."""
LEFT_ROUND = 1_000_000
"""Who has gone home is entered for a round that never comes."""

_PAIRINGS_QUERY = "SELECT round, number, one, two FROM pairing WHERE event = ? ORDER BY round, number"
_LATEST_PAIRINGS_QUERY = """SELECT event, round, number, one, two FROM pairing WHERE two IS NOT NULL
             ORDER BY ms DESC, number LIMIT 500"""
_RESULTS_QUERY = "SELECT round, number, winner, is_skunk, spread, said_by, ms FROM result WHERE event = ? ORDER BY id"


class Tournaments:
    """For any thread. What cannot be is refused with IllegalMove, what is no such request with BadMove."""

    def __init__(self, store: Database) -> None:
        self._store = store

    def create_event(self, name: object, kind: object, players: object, rounds: object) -> int:
        """A new event; its number. `rounds` is 0 for as many as there are."""
        if (
            kind not in TOURNAMENT_KINDS
            or not isinstance(players, list)
            or type(rounds) is not int
            or not 0 <= rounds <= MAX_PLAYERS
        ):
            raise BadMove("An event has a kind, of {kinds}, a list of players, and a number of rounds.",
                          kinds=" and ".join(TOURNAMENT_KINDS))  # fmt: skip
        every = [read_name(each) for each in players]
        if len({each.casefold() for each in every}) < len(every) or len(every) > MAX_PLAYERS:
            raise IllegalMove("Each player is entered once, and at most {most} of them.", most=MAX_PLAYERS)
        with self._store.transaction() as ask:
            ((number,),) = ask("SELECT coalesce(max(id), 0) + 1 FROM event")
            ask("INSERT INTO event VALUES (?, ?, ?, ?, ?)", number, read_name(name), str(kind), rounds, now_ms())
            for each in every:
                ask("INSERT INTO entrant VALUES (?, ?, 1)", number, each)
        return int(number)

    def add_player(self, event: int, player: object) -> None:
        """Somebody comes late, or comes back: he plays from the next round on."""
        name = read_name(player)
        with self._store.transaction() as ask:
            there = _load_entrants(ask, event)
            known = _find_name(there, name)
            since = _last_round(ask, event) + 1
            if known is not None and there[known] < LEFT_ROUND:
                raise IllegalMove("That player is entered already.")
            if known is not None:
                ask("UPDATE entrant SET since = ? WHERE event = ? AND player = ?", since, event, known)
                return
            if len(there) >= MAX_PLAYERS:
                raise IllegalMove("At most {most} players are entered.", most=MAX_PLAYERS)
            ask("INSERT INTO entrant VALUES (?, ?, ?)", event, name, since)

    def remove_player(self, event: int, player: object) -> None:
        """Somebody goes home: he is paired no more, and what he has played stays."""
        name = read_name(player)
        with self._store.transaction() as ask:
            there = _load_entrants(ask, event)
            known = _find_name(there, name)
            if known is None or there[known] >= LEFT_ROUND:
                raise IllegalMove("There is no such player in this event.")
            ask("UPDATE entrant SET since = ? WHERE event = ? AND player = ?", LEFT_ROUND, event, known)

    def undo_round(self, event: int) -> None:
        """Take back the last round, as long as nothing was said of its games."""
        with self._store.transaction() as ask:
            last = _last_round(ask, event)
            if not last:
                raise IllegalMove("No round is paired yet.")
            if ask("SELECT 1 FROM result WHERE event = ? AND round = ?", event, last):
                raise IllegalMove("Round {n} has a result, or had one: it stays.", n=last)
            ask("DELETE FROM pairing WHERE event = ? AND round = ?", event, last)

    def pair_round(self, event: int) -> None:
        """Pair the next round."""
        with self._store.transaction() as ask:
            _, kind, rounds, _ = _load_event(ask, event)
            players = _load_entrants(ask, event)
            games = _load_games(ask, event)
            last = max((each for each, _ in games), default=0)
            if any(game.two and not game.winner for game in games.values()):
                raise IllegalMove("Round {n} is not over: a game has no result yet.", n=last)
            if rounds and last >= rounds:
                raise IllegalMove("All rounds of this event are played.")
            there = pairing.active_players(players, last + 1)
            if len(there) < 2:
                raise IllegalMove("Two players are needed for a round.")
            if kind == "swiss":
                order = [row.player for row in pairing.compute_standings(there, games.values(), byes_count=True)]
                pairs, sitting = pairing.pair_swiss(order, games.values())
                out = [sitting] if sitting else []
            else:
                pairs, out = pairing.pair_round_robin(there, games.values())
            if not pairs:
                raise IllegalMove("Everybody has met everybody.")
            rows: list[tuple[str, str | None]] = [*pairs, *((each, None) for each in out)]
            for number, (one, two) in enumerate(rows, 1):
                ask("INSERT INTO pairing VALUES (?, ?, ?, ?, ?, ?)", event, last + 1, number, one, two, now_ms())

    def record_result(self, event: int, told: Mapping[str, Any], by: str) -> None:
        """A result of a game, or the correction of one; a winner of None takes it back."""
        at, number, winner = told.get("round"), told.get("number"), told.get("winner")
        spread, is_skunk = told.get("spread", 0), told.get("skunk", False)
        if type(at) is not int or type(number) is not int or type(spread) is not int or type(is_skunk) is not bool:
            raise BadMove("A result has round, number, winner and spread, and whether it is a skunk.")
        if not 0 <= spread <= 121:
            raise BadMove("The spread is a whole number from 0 to 121.")
        with self._store.transaction() as ask:
            _load_event(ask, event)
            found = ask(
                "SELECT one, two FROM pairing WHERE event = ? AND round = ? AND number = ? AND two IS NOT NULL",
                event, at, number,
            )  # fmt: skip
            if not found:
                raise IllegalMove("There is no such game in this event.")
            if winner is not None and winner not in found[0]:
                raise IllegalMove("The winner is {one} or {two}.", one=found[0][0], two=found[0][1])
            _write_result(
                ask, event, at, number, TournamentGame(found[0][0], found[0][1], winner, is_skunk, spread), by
            )

    def record_board_result(self, run: RunId, result: Mapping[str, Any] | None) -> None:
        """A game at a board has ended between two who are paired, or that end was undone."""
        by = f"board {run.board}"
        with self._store.transaction() as ask:
            if result is None:
                self._retract_result(ask, by)
                return
            names = [str(each) for each in result["players"]]
            if len(names) != 2:
                return
            wanted = {each.casefold() for each in names}
            for event, at, number, one, two in ask(_LATEST_PAIRINGS_QUERY):
                known = {one.casefold(): one, two.casefold(): two}
                last = _load_games(ask, event, at)[at, number]
                if known.keys() != wanted or (last.winner and _result_source(ask, event, at, number) != by):
                    continue
                winner = known[names[result["winner"]].casefold()]
                spread = abs(result["scores"][0] - result["scores"][1])
                new = TournamentGame(one, two, winner, bool(result["skunk"]), spread)
                if new != last:
                    _write_result(ask, event, at, number, new, by)
                return

    def _retract_result(self, ask: StatementRunner, by: str) -> None:
        rows = ask("SELECT event, round, number, said_by FROM result ORDER BY id DESC LIMIT 200")
        for event, at, number, said_by in rows:
            if said_by == by:
                if _result_source(ask, event, at, number) == by and _load_games(ask, event, at)[at, number].winner:
                    _write_result(ask, event, at, number, TournamentGame("", "", None), by)
                return

    def list_events(self) -> list[dict[str, Any]]:
        """All events, the newest first."""
        rows = self._store.query("SELECT id, name, kind, rounds, ms FROM event ORDER BY id DESC LIMIT 200")
        return [dict(zip(("id", "name", "kind", "rounds", "ms"), row, strict=True)) for row in rows]

    def describe_event(self, event: int) -> dict[str, Any]:
        """An event with its standings and rounds. Raises IllegalMove where there is none."""
        with self._store.transaction() as ask:
            name, kind, rounds, ms = _load_event(ask, event)
            games = _load_games(ask, event)
            players = _load_entrants(ask, event)
            said: dict[tuple[int, int], list[dict[str, Any]]] = {}
            for at, number, winner, is_skunk, spread, by, when in ask(_RESULTS_QUERY, event):
                one = {"winner": winner, "skunk": bool(is_skunk), "spread": spread, "by": by, "ms": when}
                said.setdefault((at, number), []).append(one)
        told = [
            {"round": at, "number": number, **game._asdict(), "results": said.get((at, number), [])}
            for (at, number), game in games.items()
        ]
        rows = pairing.compute_standings(players, games.values(), byes_count=kind == "swiss")
        return {
            "event": {"id": event, "name": name, "kind": kind, "rounds": rounds, "ms": ms},
            "standings": [row._asdict() for row in rows],
            "gone": [player for player, since in players.items() if since >= LEFT_ROUND],
            "games": told,
        }


def _load_event(ask: StatementRunner, event: int) -> tuple[Any, ...]:
    rows = ask("SELECT name, kind, rounds, ms FROM event WHERE id = ?", event)
    if not rows:
        raise IllegalMove("There is no such event.")
    return rows[0]


def _load_entrants(ask: StatementRunner, event: int) -> dict[str, int]:
    """Everybody who was ever entered, and from which round on he plays."""
    return dict(ask("SELECT player, since FROM entrant WHERE event = ? ORDER BY since, player", event))


def _find_name(there: Mapping[str, int], name: str) -> str | None:
    """How a player is written who may be written otherwise here; None where there is none."""
    return next((each for each in there if each.casefold() == name.casefold()), None)


def _last_round(ask: StatementRunner, event: int) -> int:
    ((last,),) = ask("SELECT coalesce(max(round), 0) FROM pairing WHERE event = ?", event)
    return int(last)


def _load_games(ask: StatementRunner, event: int, at: int | None = None) -> dict[tuple[int, int], TournamentGame]:
    """The games of an event with their last results, by round and number."""
    last = {(row[0], row[1]): row[2:5] for row in ask(_RESULTS_QUERY, event)}
    found = {}
    for each, number, one, two in ask(_PAIRINGS_QUERY, event):
        if at in (None, each):
            winner, is_skunk, spread = last.get((each, number), (None, 0, 0))
            found[each, number] = TournamentGame(one, two, winner, bool(is_skunk), spread)
    return found


def _result_source(ask: StatementRunner, event: int, at: int, number: int) -> str:
    asked = "SELECT said_by FROM result WHERE event = ? AND round = ? AND number = ? ORDER BY id DESC LIMIT 1"
    return next((str(row[0]) for row in ask(asked, event, at, number)), "")


def _write_result(ask: StatementRunner, event: int, at: int, number: int, game: TournamentGame, by: str) -> None:
    ((new,),) = ask("SELECT coalesce(max(id), 0) + 1 FROM result")
    told = (game.winner, int(game.is_skunk), game.spread) if game.winner else (None, 0, 0)
    ask("INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", new, event, at, number, *told, by, now_ms())
