"""The phones of a duplicate night: hands, discards, starter and crib of each game, deal by deal.

The club deals, people play with pegs and say their cards. A phone shows the own hand; the starter once both have
discarded; the other hand and the crib once one of both has opened them for the count.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from companion.club.database import Database
from companion.club.tournament.director import TournamentDirector
from companion.club.tournament.draw import DrawnGame
from companion.club.tournament.duplicate import DuplicateDeal, deal_duplicate
from companion.club.tournament.store import TournamentState
from companion.common.errors import BadMove, IllegalMove
from companion.rules.cards import Card, parse_card

_DISCARD, _COUNT, _NEXT = "discard", "count", "next"
_MOVES_QUERY = """SELECT deal, seat, kind, cards FROM duplicate_move WHERE event = ? AND round = ? AND number = ?
    ORDER BY deal"""


class DuplicateNight:
    """The deals of the duplicate tournaments of a database. Any thread may call it."""

    def __init__(self, database: Database, director: TournamentDirector) -> None:
        self._database, self._director = database, director

    def describe_hand(self, event: int, player: str) -> dict[str, Any]:
        """Return what this player's phone shows now. Raises IllegalMove if no deal is due."""
        state = self._director.load_state(event)
        game = _find_present_game(state, player)
        rows = self._database.query(_MOVES_QUERY, event, game.round, game.number)
        number = 1 + sum(kind == _NEXT for _, _, kind, _ in rows)
        moves = {(seat, kind): cards for deal, seat, kind, cards in rows if deal == number}
        seat, dealt = int(player != game.one), deal_duplicate(state.seed, game.round, number)
        away = [moves.get((each, _DISCARD), "").split() for each in (0, 1)]
        is_cut, is_counted = all(away), (0, _COUNT) in moves
        return {
            "round": game.round, "deal": number, "deals": (number - 1) % 2 == seat,
            "opponent": game.two if seat == 0 else game.one, "has_discarded": bool(away[seat]), "is_cut": is_cut,
            "is_counted": is_counted, "hand": _name_cards(_hand_after_discard(dealt, seat, away)),
            "starter": _name_cards([dealt.starter] if is_cut else []),
            "theirs": _name_cards(_hand_after_discard(dealt, 1 - seat, away) if is_counted else []),
            "crib": _name_cards([parse_card(card) for row in away for card in row] if is_counted else []),
        }  # fmt: skip

    def make_move(self, event: int, player: str, sent: Mapping[str, Any]) -> None:
        """Make a move of this player in a `deal`: `discard` with two cards, `count`, or `next`.

        The same move of the same deal again changes nothing, so that a phone may send it twice.
        """
        state, shown = self._director.load_state(event), self.describe_hand(event, player)
        game, kind, deal = _find_present_game(state, player), sent.get("kind"), sent.get("deal")
        if kind not in (_DISCARD, _COUNT, _NEXT) or type(deal) is not int:
            raise BadMove("Send the deal, and discard, count or next.")
        seat, cards = 0, ""
        if deal < shown["deal"] or (kind == _DISCARD and shown["has_discarded"]):
            return
        if kind == _DISCARD:
            names, held = sent.get("cards"), [each["card"] for each in shown["hand"]]
            if (
                not isinstance(names, list)
                or len(names) != 2
                or names[0] == names[1]
                or not all(n in held for n in names)
            ):
                raise IllegalMove("Discard two of the cards that you were dealt.")
            seat, cards = int(player != game.one), " ".join(names)
        elif deal > shown["deal"] or not shown["is_cut" if kind == _COUNT else "is_counted"]:
            raise IllegalMove("This deal is not there yet.")
        self._database.query("INSERT INTO duplicate_move VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                             event, game.round, game.number, deal, seat, kind, cards)  # fmt: skip


def _find_present_game(state: TournamentState, player: str) -> DrawnGame:
    """Return the earliest game without an entry on the player's card, if it is the opponent's too.

    So a wrong entry does not show later deals. Raises IllegalMove.
    """
    state.check_duplicate()
    if state.has_ended:
        raise IllegalMove("The director has ended this night, so no more cards are dealt.")
    game = _find_open_game(state, player)
    if game is None:
        raise IllegalMove("All your games are entered.")
    opponent = str(game.two if game.one == player else game.one)
    if _find_open_game(state, opponent) != game:
        raise IllegalMove("{name} has not finished the game before.", name=opponent)
    return game


def _find_open_game(state: TournamentState, player: str) -> DrawnGame | None:
    return next((game for game in state.games
                 if player in game[2:] and game.two and (player, game.round) not in state.lines), None)  # fmt: skip


def _hand_after_discard(dealt: DuplicateDeal, seat: int, away: list[list[str]]) -> list[Card]:
    return [card for card in dealt.hands[seat] if str(card) not in away[seat]]


def _name_cards(cards: Iterable[Card]) -> list[dict[str, Any]]:
    return [{"card": str(card), "name": card.name} for card in cards]
