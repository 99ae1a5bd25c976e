"""Choose the cards of a player of six-card or five-card cribbage for two, from what that player sees. Pure.

In other games the functions return None.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from companion.coach import skill_levels
from companion.coach.cribbage.objective import DEFAULT_GAME_POINTS, GAME_POINTS, GamePoints, objective_of_table
from companion.coach.cribbage.play import PlayQuestion
from companion.coach.questions import DiscardQuestion
from companion.common.constants import CARDS_DEALT
from companion.rules.cards import PACK, Card, parse_card

View = Mapping[str, Any]


class GameTerms(NamedTuple):
    """What is fixed before the first card: key, seats, target and options of the game, and the player's skill level."""

    key: str
    seats: int
    target: int
    options: Mapping[str, str]
    level: str = skill_levels.EXPERT

    @property
    def are_coached(self) -> bool:
        """Whether the coach knows this game."""
        return self.key in CARDS_DEALT and self.seats == 2


def warm_up(terms: GameTerms) -> None:
    """Load and compute the tables for the first decision, so that it takes no longer than later ones."""
    if terms.are_coached:
        dealt = PACK[:: len(PACK) // 6][: CARDS_DEALT[terms.key]]
        question = DiscardQuestion(terms.key, dealt, dealer=True, scores=(0, 0), target=terms.target)
        skill_levels.rank_discards(question, terms.level, 0)


def choose_hand(terms: GameTerms, view: View, seat: int, held: Sequence[Card]) -> tuple[Card, ...] | None:
    """Return the cards to keep; None if the coach has no advice."""
    if not terms.are_coached:
        return None
    scores = (view["scores"][seat], view["scores"][1 - seat])
    dealer = seat == view["dealer"]
    question = DiscardQuestion(terms.key, tuple(held), dealer, scores, terms.target, *_find_objective(terms))
    return skill_levels.rank_discards(question, terms.level, 0)[0].kept


def choose_card(
    terms: GameTerms, view: View, seat: int, held: Sequence[Card], discarded: Sequence[Card]
) -> Card | None:
    """Return the card to play; None if the coach has no advice. `discarded` are the cards that the player discarded."""
    if not terms.are_coached:
        return None
    played = (_parse_cards(view["played"][seat]), _parse_cards(view["played"][1 - seat]))
    seen = {parse_card(str(view["starter"])), *held, *played[0], *played[1]}
    objective, game_points = _find_objective(terms)
    turn = PlayQuestion(
        game=terms.key,
        held=tuple(held),
        kept=(*played[0], *held),
        discarded=tuple(discarded) if len(discarded) == 2 and not seen & set(discarded) else None,
        starter=parse_card(str(view["starter"])),
        dealer=seat == view["dealer"],
        series=_parse_cards(view["series"]),
        played=played,
        gone=(seat in view["gone"], 1 - seat in view["gone"]),
        scores=(view["scores"][seat], view["scores"][1 - seat]),
        target=terms.target,
        objective=objective,
        game_points=game_points,
    )
    return skill_levels.rank_plays(turn, terms.level, 0)[0].card


def _find_objective(terms: GameTerms) -> tuple[str, GamePoints]:
    return objective_of_table(GAME_POINTS.get(terms.options.get("game_points", ""), DEFAULT_GAME_POINTS))


def _parse_cards(texts: Sequence[object]) -> tuple[Card, ...]:
    return tuple(parse_card(str(text)) for text in texts)
