"""A player of Sackson swap by the heuristics."""

from companion.coach import heuristics
from companion.rules.moves import Exchange, Move, Return, Take


def choose_swap_move(view, options, chance) -> Move:
    """Return the move of the seat on turn."""
    seat, seen = view["turn"], (view, options, chance)
    if view["phase"] == "take":
        return Take(seat, heuristics.choose_chips(*seen))
    if view["phase"] == "exchange":
        return Exchange(seat, *heuristics.choose_exchange(*seen))
    return Return(seat, heuristics.choose_return(*seen))
