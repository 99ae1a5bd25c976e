"""One deal of a game with a starter, a play, a show and a crib: what those games share. Pure; knows no scores.

The companion is not the dealer: it learns a card when it is turned up. The cards of the play are the hands, and the
crib is turned up afterwards.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from companion.errors import IllegalMove
from companion.rules import play, show
from companion.rules.cards import RANKS, Card
from companion.rules.engine import Award
from companion.rules.moves import Crib, Move, Play, Starter
from companion.rules.play import Laid
from companion.rules.terms import Scores, Terms

_JACK = RANKS.index("J")


class Dealt(Protocol):
    """The state of such a game. `laid` is None until the starter is cut; in `between`, `dealer` is the next."""

    @property
    def terms(self) -> Terms: ...  # noqa: D102
    @property
    def phase(self) -> str: ...  # noqa: D102
    @property
    def dealer(self) -> int: ...  # noqa: D102
    @property
    def scores(self) -> Scores: ...  # noqa: D102
    @property
    def starter(self) -> Card | None: ...  # noqa: D102
    @property
    def laid(self) -> Laid | None: ...  # noqa: D102
    @property
    def crib(self) -> tuple[Card, ...]: ...  # noqa: D102
    @property
    def winner(self) -> int | None: ...  # noqa: D102


def turn(state: Dealt) -> int | None:
    """The seat asked for a card or a go, else None."""
    return state.laid.turn if state.laid and state.phase == "play" else None


def heels(dealer: int, starter: Card) -> tuple[Award, ...]:
    """Two for the dealer, if the starter is a jack."""
    return (Award(dealer, 2, "his heels", (starter,)),) if starter.rank == _JACK else ()


def asked(state: Dealt, seat: int) -> Laid:
    """The play, if it is this seat's turn; else raises IllegalMove."""
    state.terms.side(seat)
    assert state.laid is not None
    if seat != state.laid.turn:
        assert state.laid.turn is not None
        raise IllegalMove(f"It is {state.terms.names[state.laid.turn]}'s turn.")
    return state.laid


def unseen(state: Dealt, card: Card, also: tuple[Card, ...] = ()) -> None:
    """Raise IllegalMove for a card that has turned up before in this deal."""
    if card == state.starter or card in also or (state.laid is not None and state.laid.knows(card)):
        raise IllegalMove(f"The {card.name} has already been seen in this deal.")


def hands(starter: Card | None, laid: Laid, order: Iterable[int]) -> Iterator[tuple[Award, ...]]:
    """Each hand of the play in turn; none is counted that is not asked for."""
    assert starter is not None
    for seat in order:
        yield show.count(seat, laid.played[seat], starter)


def crib(state: Dealt, cards: tuple[Card, ...]) -> tuple[Award, ...]:
    """What the crib gives the dealer. Raises IllegalMove where it is no crib of this deal."""
    if len(cards) != 4:
        raise IllegalMove(f"The crib has four cards, not {len(cards)}.")
    for n, card in enumerate(cards):
        unseen(state, card, cards[:n])
    assert state.starter is not None
    return show.count(state.dealer, cards, state.starter, crib=True)


def view(state: Dealt) -> dict[str, Any]:
    """What everybody may know of the deal: interfaces.md 3 and 8."""
    laid = state.laid or play.begin(state.terms.seats, 0)
    return {
        "phase": state.phase, "dealer": state.dealer, "turn": turn(state), "count": laid.count,
        "series": laid.series, "starter": state.starter, "gone": laid.gone, "played": laid.played,
        "crib": state.crib, "scores": state.scores, "winner": state.winner,
    }  # fmt: skip


def scan(state: Dealt, lying: tuple[Card, ...], card: Card) -> Move | None:
    """What a scanned card is now (interfaces.md 2): the crib's fourth card makes its move."""
    if state.phase in ("cut", "between"):
        return Starter(card)
    now = turn(state)
    if now is not None:
        return Play(now, card)
    if state.phase != "crib":
        raise IllegalMove("The game is over: no card is awaited.")
    unseen(state, card, lying)
    return Crib((*lying, card)) if len(lying) == 3 else None
