"""Choose the cards of a player at the table, for any card game, from the public view and the player's own cards. Pure.

The coach knows six-card, five-card and 'Round the Bases for two players, and pursuit for two to five. For other games
there is no advice, and the functions return None.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from companion.coach import baseball, pursuit_many, pursuit_two, skill_levels
from companion.coach.baseball import InningState
from companion.coach.cribbage.objective import DEFAULT_GAME_POINTS, GAME_POINTS, GamePoints, objective_of_table
from companion.coach.cribbage.play import PlayQuestion
from companion.coach.pursuit_two import PursuitPegs
from companion.coach.questions import DiscardQuestion
from companion.common.constants import CARDS_DEALT
from companion.rules.baseball.spaces import load_preset
from companion.rules.cards import PACK, Card, parse_card
from companion.rules.engine import NO_TARGET

View = Mapping[str, Any]
PURSUIT_HAND_SIZE = 4
"""Cards that each player keeps in pursuit."""


class GameTerms(NamedTuple):
    """What is fixed before the first card: key, seats, target and options of the game, and the custom board's name."""

    key: str
    seats: int
    target: int
    options: Mapping[str, str]
    board: str = ""
    level: str = skill_levels.EXPERT
    """Skill of the player (`skill_levels`). Below expert, the coach only plays six-card and five-card for two."""


def warm_up(terms: GameTerms) -> None:
    """Load and compute the tables for the first decision, so that it takes no longer than later ones."""
    dealt = PACK[:: len(PACK) // 6][:6]
    if terms.key == "bases":
        start = InningState(load_preset(terms.options.get("preset", "standard"), terms.board))
        baseball.rank_discards(dealt, start, batting=True)
    elif terms.key == "pursuit":
        pursuit_two.rank_discards(dealt, PursuitPegs(0, 0, 0, 0), dealer=True)
    elif terms.key in CARDS_DEALT:
        question = DiscardQuestion(
            terms.key, dealt[: CARDS_DEALT[terms.key]], dealer=True, scores=(0, 0), target=terms.target
        )
        skill_levels.rank_discards(question, terms.level, 0)


def choose_hand(terms: GameTerms, view: View, seat: int, held: Sequence[Card]) -> tuple[Card, ...] | None:
    """Return the cards to keep; None if the coach has no advice."""
    if _is_pursuit_of_many(terms, view):
        discarded = (
            pursuit_many.rank_discards(held, _pursuit_loop(terms, view, seat))[0].card
            if len(held) > PURSUIT_HAND_SIZE
            else None
        )
        return tuple(each for each in held if each != discarded)
    other, dealer = _find_opponent(terms, view, seat), seat == view["dealer"]
    if other is None:
        return None
    if terms.key == "bases":
        return baseball.rank_discards(tuple(held), build_inning_state(terms, view), batting=dealer)[0].kept
    if terms.key == "pursuit":
        return pursuit_two.rank_discards(tuple(held), _pursuit_pegs(terms, view, seat, other), dealer=dealer)[0].kept
    scores = (view["scores"][seat], view["scores"][other])
    question = DiscardQuestion(terms.key, tuple(held), dealer, scores, terms.target, *_find_objective(terms))
    return skill_levels.rank_discards(question, terms.level, 0)[0].kept


def choose_card(
    terms: GameTerms, view: View, seat: int, held: Sequence[Card], discarded: Sequence[Card]
) -> Card | None:
    """Return the card to play; None if the coach has no advice. `discarded` are the cards that the player discarded."""
    if _is_pursuit_of_many(terms, view):
        return pursuit_many.rank_plays(_pursuit_turn(view, seat, held, discarded), _pursuit_loop(terms, view, seat))[
            0
        ].card
    other = _find_opponent(terms, view, seat)
    if other is None:
        return None
    turn = _play_question(terms, view, (seat, other), tuple(held), tuple(discarded))
    if terms.key == "bases":
        return baseball.rank_plays(turn, build_inning_state(terms, view))[0].card
    if terms.key == "pursuit":
        return pursuit_two.rank_plays(turn, _pursuit_pegs(terms, view, seat, other))[0].card
    return skill_levels.rank_plays(turn, terms.level, 0)[0].card


def choose_steal(terms: GameTerms, view: View) -> int | None:
    """Return the base whose runner should steal now; None if all should stay."""
    return (
        baseball.choose_steal(build_inning_state(terms, view), view["steals"])
        if terms.level == skill_levels.EXPERT
        else None
    )


def build_inning_state(terms: GameTerms, view: View) -> InningState:
    """Return the state of the half-inning in 'Round the Bases."""
    spaces = load_preset(terms.options.get("preset", "standard"), terms.board)
    return baseball.inning_state_from_view(view, spaces, int(terms.options.get("innings", "3")))


def _find_opponent(terms: GameTerms, view: View, seat: int) -> int | None:
    """Return the only opponent; None if there are more, or if the coach does not know the game."""
    alive = view.get("alive") or range(terms.seats)
    known = (*CARDS_DEALT, "bases", "pursuit") if terms.level == skill_levels.EXPERT else (*CARDS_DEALT,)
    if len(alive) != 2 or terms.key not in known:
        return None
    return next(each for each in alive if each != seat)


def _is_pursuit_of_many(terms: GameTerms, view: View) -> bool:
    """Return whether more than two players are left in pursuit."""
    return terms.key == "pursuit" and len(view["alive"]) > 2 and terms.level == skill_levels.EXPERT


def _living_seats_from(view: View, seat: int) -> list[int]:
    """Return the seats still in the game, clockwise from `seat`."""
    alive = list(view["alive"])
    place = alive.index(seat)
    return alive[place:] + alive[:place]


def _pursuit_loop(terms: GameTerms, view: View, seat: int) -> pursuit_many.PursuitLoop:
    seats, by_front = _living_seats_from(view, seat), terms.options.get("capture_peg") == "front"
    dealer = seats.index(view["dealer"])
    if view.get("knocked_out"):  # scores are reset only when the next loop begins
        return pursuit_many.PursuitLoop((0,) * len(seats), (0,) * len(seats), dealer, by_front)
    fronts, backs = (tuple(view[name][each] for each in seats) for name in ("scores", "back"))
    return pursuit_many.PursuitLoop(fronts, backs, dealer, by_front)


def _pursuit_turn(view: View, seat: int, held: Sequence[Card], discarded: Sequence[Card]) -> pursuit_many.PursuitTurn:
    seats = _living_seats_from(view, seat)
    played = tuple(_parse_cards(view["played"][each]) for each in seats)
    return pursuit_many.PursuitTurn(
        held=tuple(held),
        discarded=tuple(discarded),
        starter=parse_card(str(view["starter"])),
        series=_parse_cards(view["series"]),
        played=played,
        gone=tuple(each in view["gone"] for each in seats),
    )


def _pursuit_pegs(terms: GameTerms, view: View, seat: int, other: int) -> PursuitPegs:
    by_front = terms.options.get("capture_peg") == "front"
    if view.get("knocked_out"):  # scores are reset only when the next loop begins
        return PursuitPegs(0, 0, 0, 0, by_front)
    scores = view["scores"]
    back = scores if by_front else view["back"]
    return PursuitPegs(scores[seat], scores[other], back[seat], back[other], by_front)


def _play_question(
    terms: GameTerms, view: View, seats: tuple[int, int], held: tuple[Card, ...], discarded: tuple[Card, ...]
) -> PlayQuestion:
    played = (_parse_cards(view["played"][seats[0]]), _parse_cards(view["played"][seats[1]]))
    seen = {parse_card(str(view["starter"])), *held, *played[0], *played[1]}
    scores = view["points" if terms.key == "bases" else "scores"]
    objective, game_points = _find_objective(terms)
    return PlayQuestion(
        game=terms.key if terms.key in CARDS_DEALT else "six-card",
        held=held,
        kept=(*played[0], *held),
        discarded=discarded if len(discarded) == 2 and not seen & set(discarded) else None,
        starter=parse_card(str(view["starter"])),
        dealer=seats[0] == view["dealer"],
        series=_parse_cards(view["series"]),
        played=played,
        gone=(seats[0] in view["gone"], seats[1] in view["gone"]),
        scores=(scores[seats[0]], scores[seats[1]]),
        target=NO_TARGET if terms.key in ("bases", "pursuit") else terms.target,
        objective=objective,
        game_points=game_points,
    )


def _find_objective(terms: GameTerms) -> tuple[str, GamePoints]:
    return objective_of_table(GAME_POINTS.get(terms.options.get("game_points", ""), DEFAULT_GAME_POINTS))


def _parse_cards(texts: Sequence[object]) -> tuple[Card, ...]:
    return tuple(parse_card(str(text)) for text in texts)
