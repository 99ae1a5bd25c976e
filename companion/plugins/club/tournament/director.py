"""What a director and the players do in a tournament: each change is one transaction, with its author and reason."""

import hmac
import secrets
from base64 import b32encode
from collections.abc import Mapping
from typing import Any

from companion.common.errors import BadMove, IllegalMove
from companion.i18n import format_message, format_plural, join_messages
from companion.plugins.club.database import Database, StatementRunner, now_ms
from companion.plugins.club.league_events import find_entrant, insert_event, read_players, set_first_round
from companion.plugins.club.pairing import LEFT_ROUND
from companion.plugins.club.tournament import draw
from companion.plugins.club.tournament.draw import check_match_result, commit_seed
from companion.plugins.club.tournament.scorecards import (
    BLANK,
    GAME_POINTS,
    MAX_SPREAD,
    PROBLEMS,
    CardLine,
    CardLines,
    Discrepancy,
    points_of,
    propose_ruling,
)
from companion.plugins.club.tournament.store import (
    ENDS,
    EVERYBODY,
    JOINS,
    LEAVES,
    PRESENCE_ROUND,
    TOURNAMENT_KIND,
    StateCache,
    TournamentState,
    keys_of,
    list_corrections,
    write_lines,
    write_match_result,
)
from companion.table.players import read_name

MAX_GAMES, MAX_TABLES, MAX_BEST_OF = 60, 200, 11
MAX_REASON_LENGTH = 200
"""Maximum number of characters of a reason."""
_CODE_LENGTH = 8
_LETTERS = str.maketrans("IO", "89")
"""A code has no letter that looks like a digit."""


class TournamentDirector:
    """The tournaments of a database. Any thread may call it.

    Raises BadMove for invalid values and IllegalMove for changes that are not possible.
    """

    def __init__(self, database: Database, secret: str) -> None:
        """`secret` gives the codes of the players' cards; with another one, printed codes are no longer valid."""
        self._database, self._secret = database, secret.encode()
        self._cache = StateCache()

    def load_state(self, event: int) -> TournamentState:
        with self._database.transaction() as run_sql:
            return self.read_state(run_sql, event)

    def read_state(self, run_sql: StatementRunner, event: int) -> TournamentState:
        """Return the present state within a transaction. Raises IllegalMove if there is no such tournament."""
        return self._cache.load_state(run_sql, event)

    def create_tournament(self, sent: Mapping[str, Any]) -> int:
        """Create a tournament and draw all rounds; return its number.

        Fields: `name`, `players`, `games`, `tables`, `best_of` (a list by round), `game_points`, `duplicate`.
        """
        names, best_of = read_players(sent.get("players")), sent.get("best_of", [3])
        games = _read_number(sent.get("games"), 1, MAX_GAMES)
        tables = _read_number(sent.get("tables", MAX_TABLES), 1, MAX_TABLES)
        points = sent.get("game_points", next(iter(GAME_POINTS)))
        if not isinstance(best_of, list) or not 1 <= len(best_of) <= 8 or points not in GAME_POINTS:
            raise BadMove("A tournament needs players, games, tables, the games of a match and game points.")
        matches = [_read_number(number, 1, MAX_BEST_OF) for number in best_of]
        if any(number % 2 == 0 for number in matches):
            raise BadMove("The games of a match must be an odd number.")
        drawn = draw.draw_qualifying_round(names, games)
        with self._database.transaction() as run_sql:
            number = insert_event(run_sql, sent.get("name"), TOURNAMENT_KIND, games, names)
            seed = secrets.token_hex(16) if sent.get("duplicate") is True else ""
            settings = number, tables, ",".join(map(str, matches)), points, seed
            run_sql("INSERT INTO tournament VALUES (?, ?, ?, ?, ?)", *settings)
            rows = [(number, *game, now_ms()) for game in drawn]
            run_sql.run_many("INSERT INTO pairing VALUES (?, ?, ?, ?, ?, ?)", rows)
        return number

    def create_consolation(self, event: int, sent: Mapping[str, Any]) -> int:
        """Create a tournament for all players who have not qualified; return its number."""
        state = self.load_state(event)
        if not state.seeds:
            raise IllegalMove("Draw the bracket first: it shows who has not qualified.")
        players = [row.player for row in state.standings
                   if row.player not in state.seeds and state.players[row.player] < LEFT_ROUND]  # fmt: skip
        values = {"tables": state.tables, "best_of": [*state.best_of], "game_points": state.game_points}
        return self.create_tournament({**values, **sent, "players": players})

    def enter_lines(self, event: int, player: object, sent: object, by: str, reason: str) -> None:
        """Enter lines of a player's card as they are written: a list of `round`, `points` and `spread`, null for blank.

        Replaces what was there before. This does not settle a disagreement: `rule_on_game` does.
        """
        if not isinstance(sent, list) or not all(isinstance(entry, dict) for entry in sent):
            raise BadMove("Send the lines of the card as a list.")
        with self._database.transaction() as run_sql:
            state = self._load_unfinished(run_sql, event)
            name = _find_player(state, player)
            rounds = {game.round for game in state.games if name in game[2:] and game.two}
            lines = {}
            for entry in sent:
                at = entry.get("round")
                if type(at) is not int or at not in rounds:
                    raise IllegalMove("{name} has no game in round {n}.", name=name, n=str(at))
                lines[name, at] = _read_line(entry)
            _check_blanks(state, lines)
            write_lines(run_sql, event, lines, by, reason=reason, is_locked=True)

    def enter_own_game(self, event: int, player: str, sent: Mapping[str, Any]) -> None:
        """Enter a game of a player's own card from a phone: `round`, `won` and `spread`.

        Raises IllegalMove for a line that the director has entered, so that no phone overrides a correction.
        """
        at, has_won = sent.get("round"), sent.get("won")
        spread = _read_number(sent.get("spread"), 1, MAX_SPREAD)
        if type(has_won) is not bool or type(at) is not int:
            raise BadMove("Say whether you won, and by how many points.")
        with self._database.transaction() as run_sql:
            state = self._load_unfinished(run_sql, event)
            if not any(game.round == at and player in game[2:] and game.two for game in state.games):
                raise IllegalMove("{name} has no game in round {n}.", name=player, n=str(at))
            if (player, at) in state.locked:
                raise IllegalMove("The director has entered this line. Ask the director to change it.")
            signed = spread if has_won else -spread
            write_lines(run_sql, event, {(player, at): CardLine(points_of(signed, state.scheme), signed)},
                        player)  # fmt: skip

    def rule_on_game(self, event: int, sent: Mapping[str, Any], by: str, reason: str) -> None:
        """Rule on a game: `lines` are those of both cards; without them, rule 12.2 decides."""
        with self._database.transaction() as run_sql:
            state = self._load_unfinished(run_sql, event)
            game = state.find_game(sent.get("round"), sent.get("number"))
            lines = sent.get("lines")
            if lines is None:
                discrepancy = next((candidate for candidate in state.discrepancies if candidate.game == game), None)
                if discrepancy is None:
                    raise IllegalMove("Both cards agree on this game.")
                self._apply_rule(run_sql, state, discrepancy, by, reason)
                return
            if not isinstance(lines, list) or len(lines) != 2 or not all(isinstance(line, dict) for line in lines):
                raise BadMove("Send the lines of both cards.")
            if not reason:
                raise BadMove("Give a reason for this correction.")
            ruled = dict(zip(keys_of(game), map(_read_line, lines), strict=True))
            _check_blanks(state, ruled)
            write_lines(run_sql, event, ruled, by, reason=reason, is_ruled=True)

    def rule_on_all_games(self, event: int, by: str, reason: str) -> int:
        """Decide all games that hold up the bracket by rule 12.2; return their number.

        Who qualifies is looked up once, before. Afterwards others may qualify, whose cards hold it up then.
        """
        with self._database.transaction() as run_sql:
            state = self._load_unfinished(run_sql, event)
            ruled = [game for game in state.blocking if propose_ruling(game, state.qualifiers, state.scheme)]
            for discrepancy in ruled:
                self._apply_rule(run_sql, state, discrepancy, by, reason)
        return len(ruled)

    def _apply_rule(
        self, run_sql: StatementRunner, state: TournamentState, discrepancy: Discrepancy, by: str, reason: str
    ) -> None:
        ruling = propose_ruling(discrepancy, state.qualifiers, state.scheme)
        if ruling is None:
            raise IllegalMove("Rule 12.2 does not decide this game. Enter both lines and a reason.")
        lines = dict(zip(keys_of(discrepancy.game), ruling.lines, strict=True))
        write_lines(run_sql, state.id, lines, by, reason=_name_rule(ruling.letters, reason), is_ruled=True)

    def remove_player(self, event: int, player: object, by: str, reason: str) -> None:
        """Let a player leave. The opponents of the games without an entry have a bye there; the others stay."""
        with self._database.transaction() as run_sql:
            state = self._load_unfinished(run_sql, event)
            name = _find_player(state, player)
            if state.players[name] >= LEFT_ROUND:
                raise IllegalMove("This player is not in the event.")
            left = [game for game in state.open_games if name in game[2:]]
            update = "UPDATE pairing SET one = ?, two = NULL WHERE event = ? AND round = ? AND number = ?"
            rows = [(game.two if game.one == name else game.one, event, game.round, game.number) for game in left]
            run_sql.run_many(update, rows)
            set_first_round(run_sql, event, name, LEFT_ROUND)
            write_lines(run_sql, event, {(name, PRESENCE_ROUND): LEAVES}, by, reason=reason or "has left")

    def add_late_player(self, event: int, player: object, by: str, reason: str) -> None:
        """Let a player join who comes late, or comes back: in each round without an entry a game replaces a bye.

        No opponent is met twice, and the player deals first in every other game. Raises IllegalMove without such a bye.
        """
        with self._database.transaction() as run_sql:
            state = self._load_unfinished(run_sql, event)
            name = find_entrant(state.players, read_name(player))
            if state.players.get(name, LEFT_ROUND) < LEFT_ROUND:
                raise IllegalMove("This player is in the event already.")
            state.check_seed_hidden()
            begun = {at for _, at in state.lines}
            begun |= {at for (at,) in run_sql("SELECT DISTINCT round FROM duplicate_move WHERE event = ?", event)}
            byes = draw.fill_byes(name, state.games, begun)
            if not byes:
                raise IllegalMove("No bye is left in the rounds to come, so there is no opponent for a late player.")
            set_first_round(run_sql, event, name, byes[0].round)
            update = "UPDATE pairing SET one = ?, two = ? WHERE event = ? AND round = ? AND number = ?"
            run_sql.run_many(update, [(game.one, game.two, event, game.round, game.number) for game in byes])
            write_lines(run_sql, event, {(name, PRESENCE_ROUND): JOINS}, by, reason=reason or "came late")

    def end_night(self, event: int, by: str, reason: str) -> None:
        """End a duplicate night, also if games have no entry: its seed is shown, and no more cards are dealt.

        This cannot be taken back. Again, or when all cards are entered, it changes nothing.
        """
        with self._database.transaction() as run_sql:
            state = self.read_state(run_sql, event)
            state.check_duplicate()
            if not state.is_seed_shown:
                write_lines(run_sql, event, {(EVERYBODY, PRESENCE_ROUND): ENDS}, by, reason=reason)

    def draw_bracket(self, event: int, ahead: object = ()) -> None:
        """Draw the bracket from the standings. `ahead` are players who are put before others of equal rank.

        Who qualifies must not depend on the names: players who are equal at the line are needed in `ahead`.
        """
        if not isinstance(ahead, list | tuple):
            raise BadMove("Send the players as a list of names.")
        with self._database.transaction() as run_sql:
            state = self._load_unfinished(run_sql, event)
            if state.open_games:
                raise IllegalMove(format_plural("{n} game has no entry yet.", "{n} games have no entry yet.",
                                                len(state.open_games)))  # fmt: skip
            if state.blocking:
                raise IllegalMove(format_plural(
                    "{n} game must be ruled on first: its two cards do not agree.",
                    "{n} games must be ruled on first: their two cards do not agree.", len(state.blocking),
                ))  # fmt: skip
            if len(state.qualifiers) < 2:
                raise IllegalMove("A bracket needs at least two qualifiers.")
            names = [_find_player(state, name) for name in ahead]
            order = state.order_qualifiers(names)
            if not {*state.tied_at_line} & {*order} <= {*names}:
                raise IllegalMove("These players are equal, and not all qualify: {names}. Let them play a game.",
                                  names=join_messages(state.tied_at_line, ", "))  # fmt: skip
            rows = [(event, seed, player) for seed, player in enumerate(order, 1)]
            run_sql.run_many("INSERT INTO qualifier VALUES (?, ?, ?)", rows)

    def undo_bracket(self, event: int) -> None:
        """Take the bracket back if no match has a result, so that cards can be corrected."""
        with self._database.transaction() as run_sql:
            state = self.read_state(run_sql, event)
            if any(wins != (0, 0) for wins in state.results.values()):
                raise IllegalMove("A match has a result already. Remove it first.")
            run_sql("DELETE FROM qualifier WHERE event = ?", event)

    def record_match(self, event: int, sent: Mapping[str, Any], by: str, reason: str) -> None:
        """Enter or correct the games won in a match: `round`, `number` and `wins`; [0, 0] removes them."""
        at, number, wins = sent.get("round"), sent.get("number"), sent.get("wins")
        if (type(at) is not int or type(number) is not int or not isinstance(wins, list)
                or [type(win) for win in wins] != [int, int]):  # fmt: skip
            raise BadMove("A match needs a round, a number and the games won by both.")
        with self._database.transaction() as run_sql:
            state = self.read_state(run_sql, event)
            check_match_result(state.bracket, at, number, (wins[0], wins[1]))
            write_match_result(run_sql, event, (at, number), (wins[0], wins[1]), by, reason)

    def card_code(self, event: int, player: str) -> str:
        """Return the code with which this player enters games from a phone."""
        digest = hmac.digest(self._secret, f"card {event} {player}".encode(), "sha256")
        return b32encode(digest).decode()[:_CODE_LENGTH].translate(_LETTERS)

    def find_code(self, event: int, code: str) -> str | None:
        typed = code.strip().upper().translate(_LETTERS).encode()
        return next((player for player in self.load_state(event).players
                     if hmac.compare_digest(self.card_code(event, player).encode(), typed)), None)  # fmt: skip

    def describe_tournament(self, event: int) -> dict[str, Any]:
        """Return all but the games and the cards: standings, what the cross-check finds, bracket, corrections."""
        with self._database.transaction() as run_sql:
            state = self.read_state(run_sql, event)
            corrections = list_corrections(run_sql, event)
        blocking = {(discrepancy.game.round, discrepancy.game.number) for discrepancy in state.blocking}
        open_games = [game.round for game in state.open_games]
        return {
            "event": describe_settings(state),
            "standings": [row._asdict() for row in state.standings],
            "gone": [player for player, since in state.players.items() if since >= LEFT_ROUND],
            "qualifiers": state.qualifiers,
            "tied": state.tied_at_line,
            "rounds": [{"round": at, "open": open_games.count(at)} for at in range(1, state.rounds + 1)],
            "discrepancies": [
                _describe_discrepancy(state, discrepancy)
                | {"blocks": (discrepancy.game.round, discrepancy.game.number) in blocking}
                for discrepancy in state.discrepancies
            ],
            "duplicate": _describe_duplicate(state),
            "bracket": [[match._asdict() for match in row] for row in state.bracket],
            "corrections": corrections,
        }

    def describe_round(self, event: int, at: int) -> list[dict[str, Any]]:
        state = self.load_state(event)
        games = []
        for game in state.games:
            if game.round == at:
                table, sitting = draw.find_table(game.number, state.tables) if game.two else (None, 1)
                lines = [{"points": line.points, "spread": line.spread} for line in state.both_lines(game)]
                games.append({**game._asdict(), "table": table, "sitting": sitting, "lines": lines})
        return games

    def describe_card(self, event: int, player: object) -> dict[str, Any]:
        """Return a player's card: its lines by round, with opponent, table and who deals first, and its totals."""
        state = self.load_state(event)
        name = _find_player(state, player)
        lines = []
        for game in state.games:
            if name in game[2:]:
                table, sitting = draw.find_table(game.number, state.tables) if game.two else (None, 1)
                line = state.lines.get((name, game.round), BLANK)
                lines.append({
                    "round": game.round, "number": game.number, "table": table, "sitting": sitting,
                    "opponent": game.two if game.one == name else game.one, "deals": game.one == name,
                    "points": line.points, "spread": line.spread, "locked": (name, game.round) in state.locked,
                })  # fmt: skip
        row = next(row for row in state.standings if row.player == name)
        return {"event": describe_settings(state), "player": name, "lines": lines, **row._asdict()}

    def _load_unfinished(self, run_sql: StatementRunner, event: int) -> TournamentState:
        state = self.read_state(run_sql, event)
        if state.seeds:
            raise IllegalMove("The bracket is drawn. Take it back before you change a card.")
        return state


def describe_settings(state: TournamentState) -> dict[str, Any]:
    return {
        "id": state.id, "name": state.name, "kind": TOURNAMENT_KIND, "rounds": state.rounds, "ms": state.ms,
        "tables": state.tables, "best_of": [*state.best_of], "game_points": state.game_points,
        "open": len(state.open_games), "blocking": len(state.blocking), "duplicate": bool(state.seed),
    }  # fmt: skip


def read_reason(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > MAX_REASON_LENGTH or not value.isprintable():
        raise BadMove("A reason is a text of at most {most} characters.", most=MAX_REASON_LENGTH)
    return value.strip()


def _describe_duplicate(state: TournamentState) -> dict[str, Any] | None:
    if not state.seed:
        return None
    seed = state.seed if state.is_seed_shown else None
    ranking = [row._asdict() for row in state.duplicate_ranking]
    return {"commitment": commit_seed(state.seed), "seed": seed, "ranking": ranking}


def _describe_discrepancy(state: TournamentState, discrepancy: Discrepancy) -> dict[str, Any]:
    ruling = propose_ruling(discrepancy, state.qualifiers, state.scheme)
    return {
        **discrepancy.game._asdict(),
        "lines": [{"points": line.points, "spread": line.spread} for line in discrepancy.lines],
        "problems": [format_message(PROBLEMS[key]) for key in discrepancy.problems],
        "settled": discrepancy.is_settled,
        "ruling": ruling and {
            "rule": _name_rule(ruling.letters),
            "lines": [{"points": line.points, "spread": line.spread} for line in ruling.lines],
        },
    }  # fmt: skip


def _name_rule(letters: str, reason: str = "") -> str:
    """Return the number of the rule, such as `12.2a`, and the director's own words."""
    rule = " ".join(f"12.2{letter}" for letter in letters) or "12.2"
    return f"{rule}: {reason}" if reason else rule


def _find_player(state: TournamentState, player: object) -> str:
    name = find_entrant(state.players, read_name(player))
    if name not in state.players:
        raise IllegalMove("This player is not in the event.")
    return name


def _check_blanks(state: TournamentState, lines: CardLines) -> None:
    """Raise IllegalMove if a blank line would open a game whose deals can be computed."""
    if any(line[:2] == BLANK[:2] for line in lines.values()):
        state.check_seed_hidden()


def _read_line(sent: Mapping[str, Any]) -> CardLine:
    points, spread = sent.get("points"), sent.get("spread")
    if points is not None:
        points = _read_number(points, 0, 9)
    if spread is not None:
        spread = _read_number(spread, -MAX_SPREAD, MAX_SPREAD)
    return CardLine(points, spread)


def _read_number(value: object, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise BadMove("Enter a whole number from {low} to {high}.", low=low, high=high)
    return value
