"""A player at the table, whichever card game is on: what the coach would do there, of the public view and one's cards.

Pure. Two play six-card, five-card and 'Round the Bases, and everybody pursuit, with all the coach knows; for others it
has no advice, and the answer is None.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from companion.coach import baseball, pursuit_many, pursuit_two, skill_levels
from companion.coach.baseball import Field
from companion.coach.cribbage import tables
from companion.coach.cribbage.play import Turn
from companion.coach.pursuit_two import Pegs
from companion.coach.questions import Dealt
from companion.rules.baseball.spaces import preset
from companion.rules.cards import PACK, Card, card
from companion.rules.engine import ENDLESS

View = Mapping[str, Any]
HAND = 4
"""Cards that are kept in pursuit."""


class Agreed(NamedTuple):
    """What is settled before the first card: the game's key, its seats, target and options, an owner's board."""

    key: str
    seats: int
    target: int
    options: Mapping[str, str]
    board: str = ""
    level: str = skill_levels.EXPERT
    """Who plays (`levels`). But for six-card and five-card of two, all below an expert play without the coach."""


def ready(agreed: Agreed) -> None:
    """Read and make what the first decision needs, so that nobody waits for it in the middle of a game."""
    dealt = PACK[:: len(PACK) // 6][:6]
    if agreed.key == "bases":
        start = Field(preset(agreed.options.get("preset", "standard"), agreed.board))
        baseball.discards(dealt, start, batting=True)
    elif agreed.key == "pursuit":
        pursuit_two.discards(dealt, Pegs(0, 0, 0, 0), dealer=True)
    elif agreed.key in tables.GAMES:
        asked = Dealt(agreed.key, dealt[: tables.GAMES[agreed.key]], dealer=True, scores=(0, 0), target=agreed.target)
        skill_levels.discards(asked, agreed.level, 0)


def kept(agreed: Agreed, view: View, seat: int, held: Sequence[Card]) -> tuple[Card, ...] | None:
    """The cards to keep; None where there is no advice."""
    if _hunts(agreed, view):
        thrown = pursuit_many.discards(held, _loop(agreed, view, seat))[0].card if len(held) > HAND else None
        return tuple(each for each in held if each != thrown)
    other, dealer = _other(agreed, view, seat), seat == view["dealer"]
    if other is None:
        return None
    if agreed.key == "bases":
        return baseball.discards(tuple(held), field(agreed, view), batting=dealer)[0].kept
    if agreed.key == "pursuit":
        return pursuit_two.discards(tuple(held), _pegs(agreed, view, seat, other), dealer=dealer)[0].kept
    scores = (view["scores"][seat], view["scores"][other])
    return skill_levels.discards(Dealt(agreed.key, tuple(held), dealer, scores, agreed.target), agreed.level, 0)[0].kept


def chosen(agreed: Agreed, view: View, seat: int, held: Sequence[Card], thrown: Sequence[Card]) -> Card | None:
    """The card to play, by what this player has seen; None where there is no advice."""
    if _hunts(agreed, view):
        return pursuit_many.plays(_hunt(view, seat, held, thrown), _loop(agreed, view, seat))[0].card
    other = _other(agreed, view, seat)
    if other is None:
        return None
    turn = _turn(agreed, view, (seat, other), tuple(held), tuple(thrown))
    if agreed.key == "bases":
        return baseball.plays(turn, field(agreed, view))[0].card
    if agreed.key == "pursuit":
        return pursuit_two.plays(turn, _pegs(agreed, view, seat, other))[0].card
    return skill_levels.plays(turn, agreed.level, 0)[0].card


def steals(agreed: Agreed, view: View) -> int | None:
    """The base whose runner should set out now; None where all should stay."""
    return baseball.steal(field(agreed, view), view["steals"]) if agreed.level == skill_levels.EXPERT else None


def field(agreed: Agreed, view: View) -> Field:
    """The diamond as it stands, at 'Round the Bases."""
    spaces = preset(agreed.options.get("preset", "standard"), agreed.board)
    return baseball.field(view, spaces, int(agreed.options.get("innings", "3")))


def _other(agreed: Agreed, view: View, seat: int) -> int | None:
    """The one opponent; None where there are more, or the coach does not know the game."""
    alive = view.get("alive") or range(agreed.seats)
    known = (*tables.GAMES, "bases", "pursuit") if agreed.level == skill_levels.EXPERT else (*tables.GAMES,)
    if len(alive) != 2 or agreed.key not in known:
        return None
    return next(each for each in alive if each != seat)


def _hunts(agreed: Agreed, view: View) -> bool:
    """Whether more than two are left in pursuit."""
    return agreed.key == "pursuit" and len(view["alive"]) > 2 and agreed.level == skill_levels.EXPERT


def _around(view: View, seat: int) -> list[int]:
    """The living, clockwise from a seat."""
    alive = list(view["alive"])
    place = alive.index(seat)
    return alive[place:] + alive[:place]


def _loop(agreed: Agreed, view: View, seat: int) -> pursuit_many.Loop:
    around, by_front = _around(view, seat), agreed.options.get("capture_peg") == "front"
    dealer = around.index(view["dealer"])
    if view.get("knocked_out"):  # their old scores stand until the next loop begins
        return pursuit_many.Loop((0,) * len(around), (0,) * len(around), dealer, by_front)
    fronts, backs = (tuple(view[name][each] for each in around) for name in ("scores", "back"))
    return pursuit_many.Loop(fronts, backs, dealer, by_front)


def _hunt(view: View, seat: int, held: Sequence[Card], thrown: Sequence[Card]) -> pursuit_many.Turn:
    around = _around(view, seat)
    played = tuple(_cards(view["played"][each]) for each in around)
    return pursuit_many.Turn(
        held=tuple(held), thrown=tuple(thrown), starter=card(str(view["starter"])), series=_cards(view["series"]),
        played=played, gone=tuple(each in view["gone"] for each in around),
    )  # fmt: skip


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
        game=agreed.key if agreed.key in tables.GAMES else "six-card",
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
