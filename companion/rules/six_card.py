"""Six-card cribbage for two, three (each for himself) and four (partners): docs/reference/games/six-card.md."""

from companion.rules import cribbage, recounting
from companion.rules.cribbage import State
from companion.rules.engine import Game, Setup
from companion.rules.terms import terms
from companion.words import say


def start_six_card(setup: Setup) -> State:
    """The first cut of the first game."""
    return cribbage.begin(terms(setup, SIX_CARD.sides(setup.seats)), setup.dealer or 0)


SIX_CARD = Game(
    key="six-card",
    title=say("Six-card cribbage"),
    seats=(2, 3, 4),
    options={"target": ("121", "61"), **cribbage.OPTIONS},
    say=say("The game most people know: six cards each, two to the crib, first to 121 or 61."),
    says=cribbage.SAYS,
    start=start_six_card,
    table=cribbage.TABLE,
    view=cribbage.view,
    scan=cribbage.scan,
    claimants=cribbage.claimants,
    dealt=lambda state: cribbage.dealt_to(state.terms),
    correct=recounting.of_deal,
)
