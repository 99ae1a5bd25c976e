"""Where the sixteen pegs of 'Round the Bases belong: by track and number, as its board names its holes. Pure.

Four runners, five pegs of each side for its scales and runs, one for the outs, one for the innings.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from companion.common.constants import SEAT_NAMES
from companion.i18n import phrase, say
from companion.rules.baseball.diamond import OUTS
from companion.rules.baseball.innings import State
from companion.rules.baseball.spaces import HOME, LEG
from companion.rules.engine import Kind, Marking, Numbers, Spot, Way

RUNNERS = 4
"""Runner pegs on the board."""
PEGS = 5
"""Pegs of each side, for its scales and runs."""
SIDES = ("red", "blue")
"""How the tracks of a side begin."""
INNINGS = 9
"""More innings than this the board does not count."""

_BASES = {
    LEG: say("first base"), 2 * LEG: say("second base"), 3 * LEG: say("third base"), HOME: say("home plate"),
}  # fmt: skip


def runners(state: State) -> list[int]:
    """The spaces where runners stand, so far from home; 0 is the batter's box, where one is ready for the next hand."""
    at = {base: base * LEG for base in (3, 2, 1) if state.field.bases[base - 1]}
    if state.batting is not None and state.phase != "over" and not any(r.origin == 0 for r in state.field.waiting):
        at[0] = 0
    return sorted((at | {runner.origin: runner.at for runner in state.field.waiting}).values())


def _kinds(state: State, numbers: Numbers) -> tuple[Kind, ...]:
    """Where every peg belongs. Those that are not in use lie in their box."""
    at = tuple(("bases", space) if space else ("batter", 0) for space in runners(state))
    done = state.inning - (state.phase != "over")
    return (
        Kind("runner", ("bases", "batter", "runners"), at, "runners", RUNNERS - len(at)),
        Kind("outs", ("outs",), (("outs", state.field.outs),)),
        Kind("innings", ("innings",), (("innings", min(done, INNINGS)),)),
        *(_side(state, side, numbers) for side in range(len(SIDES))),
    )


def _side(state: State, side: int, numbers: Numbers) -> Kind:
    """The points of the hand on a side's scales, back in the box before the next hand; and its runs."""
    name = SIDES[side]
    units, tens, runs, box = (f"{name}-{track}" for track in ("units", "tens", "runs", "pegs"))
    points = 0 if state.phase == "cut" else state.hand.scores[side]
    shown = ((units, points % 10), (tens, points - points % 10), (runs, state.scores[side]))
    at = tuple((track, number) for track, value in shown for number in _addends(numbers[track], value))[:PEGS]
    return Kind(name, (units, tens, runs, box), at, box, PEGS - len(at), side)


@lru_cache
def _addends(numbers: tuple[int, ...], value: int) -> tuple[int, ...]:
    """The fewest numbers that add up to the value, or come nearest below it."""
    every = [some for size in range(len(numbers) + 1) for some in combinations(sorted(numbers, reverse=True), size)]
    return max((some for some in every if sum(some) <= value), key=lambda some: (sum(some), -len(some)))


def _ways(state: State) -> Iterator[Way]:
    """Where the runners of the last move went."""
    for play in state.field.plays:
        yield Way("bases", range(play.origin * LEG + 1, play.to * LEG + 1), out=play.result == "out")


def _spot(track: str, number: int, kind: str) -> Spot:
    """A hole as players name it; with its side, where the peg is none of that side's."""
    side, _, box = track.rpartition("-")
    if track == "bases":
        return Spot("on", _BASES[number]) if number in _BASES else Spot("in", say("space {number}", number=number))
    if track in ("outs", "innings"):
        name = say("{number}", number=number) if number else say("the neutral hole")
        return Spot("in", name if track == kind else say("{name} of the {track}", name=name, track=say(track)))
    if track in ("batter", "runners"):
        return Spot("in", say("the batter's box") if track == "batter" else say("the runners' box"))
    is_own = side == kind or side not in SIDES
    own, others = _SCALES[box if box in _SCALES else "scale"]
    whose = SEAT_NAMES[0 if is_own else SIDES.index(side)]
    return Spot("in", say(own if is_own else others, number=number, name=whose))


_SCALES = {
    "pegs": (phrase("the box"), phrase("{name}'s box")),
    "runs": (phrase("{number} of the runs"), phrase("{number} of {name}'s runs")),
    "scale": (phrase("{number} of the scale"), phrase("{number} of {name}'s scale")),
}
"""What a hole of a side's own is called, to that side and to others."""


MARKING = Marking(
    holes={
        "bases": range(1, HOME),
        "batter": (0,),
        "runners": range(1, RUNNERS + 1),
        "outs": range(OUTS + 1),
        "innings": range(INNINGS + 1),
        **{f"{side}-{scale}": (1,) for side in SIDES for scale in ("units", "runs")},
        **{f"{side}-tens": (10,) for side in SIDES},
        **{f"{side}-pegs": range(1, PEGS + 1) for side in SIDES},
    },
    kinds=_kinds,
    ways=lambda state: tuple(_ways(state)),
    spot=_spot,
    round="bases",
)
"""All that the table must know of these pegs."""
