"""A player at the table, whichever card game is on: what the coach would do there, of the public view and one's cards.

Pure. Two play six-card, five-card, pursuit (the last two of a match) and 'Round the Bases with all the coach knows;
for others it has no advice, and the answer is None.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from companion.coach import bases, batting, book, chasing, discarding, playing
from companion.coach.asking import Dealt
from companion.coach.bases import Field
from companion.coach.chase import Pegs
from companion.coach.playing import Turn
from companion.rules.cards import Card, card
from companion.rules.engine import ENDLESS
from companion.rules.spaces import preset

View = Mapping[str, Any]


class Agreed(NamedTuple):
    """What is settled before the first card: the game's key, its seats, target and options, an owner's board."""

    key: str
    seats: int
    target: int
    options: Mapping[str, str]
    board: str = ""


def kept(agreed: Agreed, view: View, seat: int, held: Sequence[Card]) -> tuple[Card, ...] | None:
    """The cards to keep; None where there is no advice."""
    other, dealer = _other(agreed, view, seat), seat == view["dealer"]
    if other is None:
        return None
    if agreed.key == "bases":
        return batting.discards(tuple(held), field(agreed, view), batting=dealer)[0].kept
    if agreed.key == "pursuit":
        return chasing.discards(tuple(held), _pegs(agreed, view, seat, other), dealer=dealer)[0].kept
    scores = (view["scores"][seat], view["scores"][other])
    return discarding.choices(Dealt(agreed.key, tuple(held), dealer, scores, agreed.target))[0].kept


def chosen(agreed: Agreed, view: View, seat: int, held: Sequence[Card], thrown: Sequence[Card]) -> Card | None:
    """The card to play, by what this player has seen; None where there is no advice."""
    other = _other(agreed, view, seat)
    if other is None:
        return None
    turn = _turn(agreed, view, (seat, other), tuple(held), tuple(thrown))
    if agreed.key == "bases":
        return batting.plays(turn, field(agreed, view))[0].card
    if agreed.key == "pursuit":
        return chasing.plays(turn, _pegs(agreed, view, seat, other))[0].card
    return playing.choices(turn)[0].card


def steals(agreed: Agreed, view: View) -> int | None:
    """The base whose runner should set out now; None where all should stay."""
    return bases.steal(field(agreed, view), view["steals"])


def field(agreed: Agreed, view: View) -> Field:
    """The diamond as it stands, at 'Round the Bases."""
    spaces = preset(agreed.options.get("preset", "standard"), agreed.board)
    return bases.field(view, spaces, int(agreed.options.get("innings", "3")))


def _other(agreed: Agreed, view: View, seat: int) -> int | None:
    """The one opponent; None where there are more, or the coach does not know the game."""
    alive = view.get("alive") or range(agreed.seats)
    if len(alive) != 2 or agreed.key not in (*book.GAMES, "bases", "pursuit"):
        return None
    return next(each for each in alive if each != seat)


def _pegs(agreed: Agreed, view: View, seat: int, other: int) -> Pegs:
    by_front = agreed.options.get("capture_peg") == "front"
    if view.get("knocked_out"):  # their old scores stand until the next loop begins
        return Pegs(0, 0, 0, 0, by_front)
    scores = view["scores"]
    back = scores if by_front else view["back"]
    return Pegs(scores[seat], scores[other], back[seat], back[other], by_front)


def _turn(agreed: Agreed, view: View, both: tuple[int, int], held: tuple[Card, ...], thrown: tuple[Card, ...]) -> Turn:
    played = (_cards(view["played"][both[0]]), _cards(view["played"][both[1]]))
    seen = {card(str(view["starter"])), *held, *played[0], *played[1]}
    scores = view["points" if agreed.key == "bases" else "scores"]
    return Turn(
        game=agreed.key if agreed.key in book.GAMES else "six-card",
        held=held,
        kept=(*played[0], *held),
        discarded=thrown if len(thrown) == 2 and not seen & set(thrown) else None,
        starter=card(str(view["starter"])),
        dealer=both[0] == view["dealer"],
        series=_cards(view["series"]),
        played=played,
        gone=(both[0] in view["gone"], both[1] in view["gone"]),
        scores=(scores[both[0]], scores[both[1]]),
        target=ENDLESS if agreed.key in ("bases", "pursuit") else agreed.target,
    )


def _cards(texts: Sequence[object]) -> tuple[Card, ...]:
    return tuple(card(str(text)) for text in texts)
