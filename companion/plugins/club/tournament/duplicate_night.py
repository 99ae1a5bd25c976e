"""The phones of a duplicate night: hands, discards, starter and crib of each game, deal by deal.

The club deals, people play with pegs and say their cards. What a phone shows follows from the moves that both have
made in the deal: the own hand at once; the starter once both have discarded; the other hand and the crib once both
have played their four cards and agree to show them; the next deal once both agree to it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.common.errors import BadMove, IllegalMove
from companion.i18n import gettext_noop
from companion.plugins.club.database import Database, Rows
from companion.plugins.club.tournament.director import TournamentDirector
from companion.plugins.club.tournament.draw import DrawnGame, DuplicateDeal, deal_duplicate
from companion.plugins.club.tournament.store import TournamentState
from companion.rules.cards import Card, parse_card

_DISCARD, _COUNT, _NEXT = "discard", "count", "next"
_DISCARDS = 2
_MOVES_QUERY = "SELECT deal, seat, kind, cards FROM duplicate_move WHERE event = ? AND round = ? AND number = ?"


@dataclass(frozen=True)
class _PresentDeal:
    """The present deal of a game. `moves` has the cards of each move of it, by seat and kind."""

    game: DrawnGame
    number: int
    dealt: DuplicateDeal
    moves: Mapping[tuple[int, str], list[str]]

    def has_both(self, kind: str) -> bool:
        return all((seat, kind) in self.moves for seat in (0, 1))

    def hand(self, seat: int) -> list[Card]:
        return [card for card in self.dealt.hands[seat] if str(card) not in self.moves.get((seat, _DISCARD), ())]

    def read_cards(self, seat: int, kind: str, sent: object) -> list[str]:
        """Return the cards of a move. Raises IllegalMove unless the seat may make it now."""
        if kind != _DISCARD and not self.has_both(_DISCARD if kind == _COUNT else _COUNT):
            raise IllegalMove("This deal is not there yet.")
        if kind == _NEXT:
            return []
        hand = [str(card) for card in self.hand(seat)]
        number, refusal = _DISCARDS, gettext_noop("Discard two of the cards that you were dealt.")
        if kind == _COUNT:
            number, refusal = len(hand), gettext_noop("Play all your cards first, and tap each one that you play.")
        if isinstance(sent, list) and all(card in hand for card in sent) and len({*sent}) == len(sent) == number:
            return sent
        raise IllegalMove(refusal)


class DuplicateNight:
    """The deals of the duplicate tournaments of a database. Any thread may call it."""

    def __init__(self, database: Database, director: TournamentDirector) -> None:
        self._database, self._director = database, director

    def describe_hand(self, event: int, player: str) -> dict[str, Any]:
        """Return what this player's phone shows now. Raises IllegalMove if no deal is due.

        `has_agreed` and `has_opponent_agreed` show who has agreed to the next step, which waits for both.
        """
        deal = _load_present_deal(self._database.query, self._director.load_state(event), player)
        seat = int(player != deal.game.one)
        is_cut, is_counted = deal.has_both(_DISCARD), deal.has_both(_COUNT)
        step = _NEXT if is_counted else _COUNT
        crib = [parse_card(card) for giver in (0, 1) for card in deal.moves.get((giver, _DISCARD), ())]
        return {
            "round": deal.game.round, "deal": deal.number, "deals": (deal.number - 1) % 2 == seat,
            "opponent": deal.game[3 - seat], "has_discarded": (seat, _DISCARD) in deal.moves, "is_cut": is_cut,
            "is_counted": is_counted, "has_agreed": (seat, step) in deal.moves,
            "has_opponent_agreed": (1 - seat, step) in deal.moves, "hand": _name_cards(deal.hand(seat)),
            "starter": _name_cards([deal.dealt.starter] if is_cut else []),
            "theirs": _name_cards(deal.hand(1 - seat) if is_counted else []),
            "crib": _name_cards(crib if is_counted else []),
        }  # fmt: skip

    def make_move(self, event: int, player: str, sent: Mapping[str, Any]) -> None:
        """Make a move of this player in a `deal`: `discard` two cards, `count` with the four played ones, or `next`.

        `count` and `next` agree to show all cards and to deal again: they take effect when both players have made them.
        The same move of the same deal again changes nothing, so that a phone may send it twice.
        """
        kind, number = sent.get("kind"), sent.get("deal")
        if kind not in (_DISCARD, _COUNT, _NEXT) or type(number) is not int:
            raise BadMove("Send the deal, and discard, count or next.")
        with self._database.transaction() as run_sql:
            deal = _load_present_deal(run_sql, self._director.read_state(run_sql, event), player)
            seat = int(player != deal.game.one)
            if number > deal.number:
                raise IllegalMove("This deal is not there yet.")
            if number < deal.number or (seat, kind) in deal.moves:
                return
            cards = " ".join(deal.read_cards(seat, kind, sent.get("cards")))
            values = event, deal.game.round, deal.game.number, number, seat, kind, cards
            run_sql("INSERT INTO duplicate_move VALUES (?, ?, ?, ?, ?, ?, ?)", *values)


def _load_present_deal(run_sql: Callable[..., Rows], state: TournamentState, player: str) -> _PresentDeal:
    """Return the deal that this player plays now. Raises IllegalMove if there is none."""
    game = _find_present_game(state, player)
    rows = run_sql(_MOVES_QUERY, state.id, game.round, game.number)
    agreed = Counter(deal for deal, _, kind, _ in rows if kind == _NEXT)
    number = 1 + sum(players == 2 for players in agreed.values())
    moves = {(seat, kind): cards.split() for deal, seat, kind, cards in rows if deal == number}
    return _PresentDeal(game, number, deal_duplicate(state.seed, game.round, number), moves)


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


def _name_cards(cards: Iterable[Card]) -> list[dict[str, Any]]:
    return [{"card": str(card), "name": card.name} for card in cards]
