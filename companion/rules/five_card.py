"""Five-card cribbage for two: 61, hands of three and a crib of four, and a play that ends for good.

The rules are told in docs/reference/games/five-card.md.
"""

from companion.rules import cribbage, recounting
from companion.rules.cribbage import State
from companion.rules.engine import Game, Setup
from companion.rules.terms import terms
from companion.words import say


def start_five_card(setup: Setup) -> State:
    """The first cut of the first game; the pone's three for last are in the scores."""
    return cribbage.begin(terms(setup, FIVE_CARD.sides(setup.seats), size=3), setup.dealer or 0)


FIVE_CARD = Game(
    key="five-card",
    title=say("Five-card cribbage"),
    seats=(2,),
    options={"target": ("61",), **cribbage.OPTIONS},
    say=say("The old game of five cards, one series of play and three for last, to 61."),
    says=cribbage.SAYS,
    start=start_five_card,
    table=cribbage.TABLE | cribbage.SHOW,
    view=cribbage.view,
    scan=cribbage.scan,
    claimants=cribbage.claimants,
    dealt=lambda state: cribbage.dealt_to(state.terms),
    correct=recounting.of_deal,
)
