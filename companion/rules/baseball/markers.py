"""Where the sixteen pegs of 'Round the Bases belong, by track and hole number. Pure.

Four runners, five pegs for each side's scales and runs, one for the outs and one for the innings.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from companion.common.constants import SEAT_NAMES
from companion.i18n import format_message, gettext_noop
from companion.rules.baseball.diamond import HOME_SPACE, LEG_LENGTH, OUTS_PER_HALF_INNING, BaseballState
from companion.rules.engine import HoleName, HoleNumbers, LightRun, MarkerKind, MarkerLayout

RUNNER_PEGS = 4
"""Number of runner pegs."""
PEGS_PER_SIDE = 5
"""Pegs of each side, for its scales and runs."""
SIDE_PREFIXES = ("red", "blue")
"""Prefixes of each side's track names."""
MAX_INNINGS_SHOWN = 9
"""The highest inning that the board can show."""

_BASE_HOLE_NAMES = {
    LEG_LENGTH: format_message("first base"),
    2 * LEG_LENGTH: format_message("second base"),
    3 * LEG_LENGTH: format_message("third base"),
    HOME_SPACE: format_message("home plate"),
}


def runner_spaces(state: BaseballState) -> list[int]:
    """Return the spaces of the runners, counted from home. 0 is the batter's box, with the batter of the next hand."""
    at = {base: base * LEG_LENGTH for base in (3, 2, 1) if state.field.bases[base - 1]}
    if state.batting is not None and state.phase != "over" and not any(r.origin == 0 for r in state.field.waiting):
        at[0] = 0
    return sorted((at | {runner.origin: runner.position for runner in state.field.waiting}).values())


def _marker_kinds(state: BaseballState, numbers: HoleNumbers) -> tuple[MarkerKind, ...]:
    """Return where each peg belongs. Unused pegs are in their box."""
    at = tuple(("bases", space) if space else ("batter", 0) for space in runner_spaces(state))
    done = state.inning - (state.phase != "over")
    return (
        MarkerKind("runner", ("bases", "batter", "runners"), at, "runners", RUNNER_PEGS - len(at)),
        MarkerKind("outs", ("outs",), (("outs", state.field.outs),)),
        MarkerKind("innings", ("innings",), (("innings", min(done, MAX_INNINGS_SHOWN)),)),
        *(_side_markers(state, side, numbers) for side in range(len(SIDE_PREFIXES))),
    )


def _side_markers(state: BaseballState, side: int, numbers: HoleNumbers) -> MarkerKind:
    """Return a side's pegs: the points of the hand on its scales (cleared before the next hand), and its runs."""
    name = SIDE_PREFIXES[side]
    units, tens, runs, box = (f"{name}-{track}" for track in ("units", "tens", "runs", "pegs"))
    points = 0 if state.phase == "cut" else state.hand.scores[side]
    shown = ((units, points % 10), (tens, points - points % 10), (runs, state.scores[side]))
    at = tuple((track, number) for track, value in shown for number in _find_addends(numbers[track], value))[
        :PEGS_PER_SIDE
    ]
    return MarkerKind(name, (units, tens, runs, box), at, box, PEGS_PER_SIDE - len(at), side)


@lru_cache
def _find_addends(numbers: tuple[int, ...], value: int) -> tuple[int, ...]:
    """Return the fewest numbers whose sum is `value` or comes nearest below it."""
    every = [some for size in range(len(numbers) + 1) for some in combinations(sorted(numbers, reverse=True), size)]
    return max((some for some in every if sum(some) <= value), key=lambda some: (sum(some), -len(some)))


def _find_light_runs(state: BaseballState) -> Iterator[LightRun]:
    for play in state.field.plays:
        yield LightRun(
            "bases", range(play.origin * LEG_LENGTH + 1, play.to * LEG_LENGTH + 1), is_out=play.result == "out"
        )


def _name_hole(track: str, number: int, kind: str) -> HoleName:
    """Return the name of a hole; with the side's name if the peg belongs to the other side."""
    side, _, box = track.rpartition("-")
    if track == "bases":
        return (
            HoleName("on", _BASE_HOLE_NAMES[number])
            if number in _BASE_HOLE_NAMES
            else HoleName("in", format_message("space {number}", number=number))
        )
    if track in ("outs", "innings"):
        name = format_message("{number}", number=number) if number else format_message("the neutral hole")
        return HoleName(
            "in",
            name if track == kind else format_message("{name} of the {track}", name=name, track=format_message(track)),
        )
    if track in ("batter", "runners"):
        return HoleName(
            "in", format_message("the batter's box") if track == "batter" else format_message("the runners' box")
        )
    is_own = side == kind or side not in SIDE_PREFIXES
    own, others = _SCALE_HOLE_NAMES[box if box in _SCALE_HOLE_NAMES else "scale"]
    whose = SEAT_NAMES[0 if is_own else SIDE_PREFIXES.index(side)]
    return HoleName("in", format_message(own if is_own else others, number=number, name=whose))


_SCALE_HOLE_NAMES = {
    "pegs": (gettext_noop("the box"), gettext_noop("{name}'s box")),
    "runs": (gettext_noop("{number} of the runs"), gettext_noop("{number} of {name}'s runs")),
    "scale": (gettext_noop("{number} of the scale"), gettext_noop("{number} of {name}'s scale")),
}
"""Names of a side's holes: for a peg of that side, and for others."""


MARKER_LAYOUT = MarkerLayout(
    holes={
        "bases": range(1, HOME_SPACE),
        "batter": (0,),
        "runners": range(1, RUNNER_PEGS + 1),
        "outs": range(OUTS_PER_HALF_INNING + 1),
        "innings": range(MAX_INNINGS_SHOWN + 1),
        **{f"{side}-{scale}": (1,) for side in SIDE_PREFIXES for scale in ("units", "runs")},
        **{f"{side}-tens": (10,) for side in SIDE_PREFIXES},
        **{f"{side}-pegs": range(1, PEGS_PER_SIDE + 1) for side in SIDE_PREFIXES},
    },
    marker_kinds=_marker_kinds,
    light_runs=lambda state: tuple(_find_light_runs(state)),
    hole_name=_name_hole,
    victory_track="bases",
)
"""The marker layout of this game."""
