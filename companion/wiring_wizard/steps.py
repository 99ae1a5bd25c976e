"""Any wiring is learned by a walk: a peg into each hole by name, then a peg into each hole that is lit. Pure.

The first round tells which input is whose hole, the second which pixel lights which hole. Whoever walks, at a terminal
or on a page, gives levels, and an answer where nothing happens; a walk is kept as its answers, and so goes on anywhere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Literal, NamedTuple

from companion.boards.board import Board
from companion.boards.wiring import Tile, Wire, Wiring
from companion.common.errors import BoardError
from companion.i18n import format_message, join_messages


class WizardStep(NamedTuple):
    """What is to be done now: a peg into `hole`, or into the hole that `pixel` lights. Both None at the end."""

    text: str
    hole: str | None = None
    pixel: int | None = None


@dataclass(frozen=True, slots=True)
class WizardState:
    """A walk over `holes`, whose switches are among so many `inputs`, and so many `pixels`.

    `answers` has for each step done the input that answered, None for none. `stuck` are the inputs, as bits, that are
    on without a peg. `resting`: the last step's peg is still in. `said` is what was wrong with the last levels.
    """

    holes: tuple[str, ...]
    inputs: int
    pixels: int
    stuck_bits: int = 0
    answers: tuple[int | None, ...] = ()
    is_peg_in: bool = False
    error: str = ""

    @property
    def inputs_by_hole(self) -> dict[str, int]:
        """The input of each hole that has answered."""
        return {hole: each for hole, each in zip(self.holes, self.answers, strict=False) if each is not None}

    @property
    def pixels_by_hole(self) -> dict[str, int]:
        """The pixel of each hole that was found lit."""
        of = {each: hole for hole, each in self.inputs_by_hole.items()}
        answers = self.answers[len(self.holes) :]
        return {of[each]: pixel for pixel, each in enumerate(answers) if each is not None}

    @property
    def current_step(self) -> WizardStep:
        """What is to be done now."""
        done = len(self.answers)
        if self.is_peg_in:
            return WizardStep(format_message("Take the peg out again."))
        if done < len(self.holes):
            hole, of = self.holes[done], len(self.holes)
            return WizardStep(
                format_message("{at} of {of}: put a peg into {hole}.", at=done + 1, of=of, hole=hole), hole=hole
            )
        pixel = done - len(self.holes)
        if pixel < self.pixels:
            lit = format_message(
                "Light {at} of {of}: put a peg into the hole that is lit.", at=pixel + 1, of=self.pixels
            )
            return WizardStep(lit, pixel=pixel)
        return WizardStep(format_message("All is learned."))

    @property
    def act_count(self) -> int:
        """By what one moment of the walk is told from the next: an act is a peg put in, or taken out again."""
        return 2 * len(self.answers) - self.is_peg_in

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to do."""
        return len(self.answers) == len(self.holes) + self.pixels and not self.is_peg_in


def create_wizard(board: Board, inputs: int, *, lights: bool = True) -> WizardState:
    """A walk over this board, whose chain has so many inputs. Raises BoardError where these are too few."""
    if inputs < len(board.holes):
        raise BoardError(f"{board.name} has {len(board.holes)} holes: a chain of {inputs} inputs is too short.")
    return WizardState(tuple(hole.id for hole in board.holes), inputs, board.pixel_count if lights else 0)


def on_levels(walk: WizardState, levels: int) -> WizardState:
    """The walk once the inputs have been at these levels for a moment. What is off now is not stuck."""
    walk = replace(walk, stuck_bits=walk.stuck_bits & levels)
    fresh = levels & ~walk.stuck_bits
    if walk.is_peg_in or not fresh or walk.is_over:
        return replace(walk, is_peg_in=walk.is_peg_in and fresh != 0, error="")
    if fresh & (fresh - 1):
        both = join_messages([str(each) for each in range(walk.inputs) if fresh >> each & 1])
        together = format_message(
            "The inputs {both} answer at once: is one peg in, and does no wire touch another?", both=both
        )
        return replace(walk, error=together)
    answered = fresh.bit_length() - 1
    trouble = _find_answer_error(walk, answered)
    return replace(walk, error=trouble) if trouble else _record_answer(walk, answered, resting=True)


def skip_step(walk: WizardState) -> WizardState:
    """Nothing answers, or nothing is lit: the hole is dead or the pixel dark, or it is no hole's.

    While a peg is to be taken out: it is out, and its input stays on. That input is stuck from now on.
    """
    if walk.is_peg_in:
        last = walk.answers[-1] or 0
        return replace(walk, stuck_bits=walk.stuck_bits | 1 << last, is_peg_in=False, error="")
    return walk if walk.is_over else _record_answer(walk, None, resting=False)


def step_back(walk: WizardState) -> WizardState:
    """The last step once more."""
    last = walk.answers[-1] if walk.answers else None
    stuck = (
        walk.stuck_bits if last is None else walk.stuck_bits & ~(1 << last)
    )  # none that was stuck before has answered
    return replace(walk, answers=walk.answers[:-1], stuck_bits=stuck, is_peg_in=False, error="")


def mark_stuck_inputs(walk: WizardState, levels: int) -> WizardState:
    """What is on while no peg is in is stuck."""
    return replace(walk, stuck_bits=levels)


def _record_answer(walk: WizardState, answered: int | None, *, resting: bool) -> WizardState:
    return replace(walk, answers=(*walk.answers, answered), is_peg_in=resting, error="")


def _find_answer_error(walk: WizardState, answered: int) -> str:
    owner = next((hole for hole, each in walk.inputs_by_hole.items() if each == answered), None)
    if walk.current_step.hole is not None:
        if owner is None:
            return ""
        return format_message(
            "Input {n} is that of {hole} already: is the peg in the right hole?", n=answered, hole=owner
        )
    if owner is None:
        return format_message("Input {n} answers, and is no hole's: is the peg in the hole that is lit?", n=answered)
    lit_by = walk.pixels_by_hole.get(owner)
    return "" if lit_by is None else format_message("{hole} was lit by pixel {n} already.", hole=owner, n=lit_by)


def dump_wizard(walk: WizardState, board: str) -> dict[str, Any]:
    """The walk as JSON, to go on with it another day."""
    return {"board": board, "inputs": walk.inputs, "stuck": walk.stuck_bits, "answers": list(walk.answers)}


def restore_wizard(fresh: WizardState, board: str, given: Any) -> WizardState:
    """The walk that was kept, on a fresh one over the same board. Raises BoardError for any other."""
    try:
        same = given["board"] == board and given["inputs"] == fresh.inputs
        stuck, answers = int(given["stuck"]), tuple(None if each is None else int(each) for each in given["answers"])
    except (TypeError, KeyError, ValueError) as error:
        raise BoardError("What was kept is no walk over a board.") from error
    fits = len(answers) <= len(fresh.holes) + fresh.pixels and all(
        each in range(fresh.inputs) for each in answers if each
    )
    if not same or not fits:
        raise BoardError("What was kept is a walk over another board, or another chain.")
    return replace(fresh, stuck_bits=stuck, answers=answers)


def describe_faults(walk: WizardState, board: Board) -> list[str]:
    """What is wrong with the wires, a sentence each: stuck, dead and dark ones, and two that are swapped."""
    wanted = {wire: each for each, wire in enumerate(board.wiring.chain) if isinstance(wire, str)}
    found = walk.inputs_by_hole
    is_as_drawn = 2 * sum(found[hole] == wanted[hole] for hole in found) > len(found)
    asked = walk.holes[: len(walk.answers)]
    silent = {hole: wanted[hole] if is_as_drawn else None for hole in asked if hole not in found}
    at = {each: hole for hole, each in [*silent.items(), *found.items()] if each is not None}
    stuck = [each for each in _list_stuck_inputs(walk) if each not in _find_tied_inputs(walk, board)]
    told = [_stuck_sentence(each, at.get(each)) for each in stuck]
    told += [
        format_message("{hole} is dead: no input answers there.", hole=h)
        for h, each in silent.items()
        if each not in stuck
    ]
    lights = walk.answers[len(walk.holes) :]
    dark = [pixel for pixel, each in enumerate(lights) if each is None]
    if len(dark) > len(board.holeless_pixels):  # pixels without a hole are nobody's too: those of dice and display
        told += [format_message("Pixel {n} was seen in no hole.", n=pixel) for pixel in dark]
    return told + (_swapped_sentences(found, wanted) if is_as_drawn else [])


def _stuck_sentence(each: int, hole: str | None) -> str:
    if hole is None:
        return format_message("Input {n} is on without a peg: it is stuck.", n=each)
    return format_message("{hole} is stuck: its input {n} is on without a peg.", hole=hole, n=each)


def _swapped_sentences(found: dict[str, int], wanted: dict[str, int]) -> list[str]:
    """Each pair of holes of which either has the other's input."""
    owner = {each: hole for hole, each in found.items()}
    pairs = {tuple(sorted((hole, owner.get(wanted[hole], hole)))) for hole in found if found[hole] != wanted[hole]}
    swapped = [pair for pair in sorted(pairs) if pair[0] != pair[1] and found[pair[0]] == wanted[pair[1]]]
    both = [pair for pair in swapped if found[pair[1]] == wanted[pair[0]]]
    return [format_message("{one} and {other} are swapped.", one=one, other=other) for one, other in both]


def _list_stuck_inputs(walk: WizardState) -> list[int]:
    """The inputs that are on without a peg."""
    return [each for each in range(walk.inputs) if walk.stuck_bits >> each & 1]


def _find_tied_inputs(walk: WizardState, board: Board) -> set[int]:
    """The inputs that are on without a peg because the board has a sentinel there."""
    wires = board.wiring.chain[: len(board.wiring.chain) - board.wiring.end]
    return {each for each in _list_stuck_inputs(walk) if each < len(wires) and wires[each] == 1}


def build_wiring(walk: WizardState, board: Board) -> Wiring:
    """The wiring that was found. What did not answer gets an input or a pixel that nobody else has."""
    chain: list[Wire] = [None] * walk.inputs
    tied = _find_tied_inputs(walk, board)
    for each in tied:
        chain[each] = 1
    for hole, each in _fill_places(walk.inputs_by_hole, walk.holes, walk.inputs, tied).items():
        chain[each] = hole
    count = max(walk.pixels, board.pixel_count)
    strip: list[str | None] = [None] * count
    own = walk.pixels_by_hole if walk.pixels else {hole.id: hole.pixel for hole in board.holes}
    for name, each in _fill_places(own, (*walk.holes, *board.holeless_pixels), count).items():
        strip[each] = name
    return Wiring(tuple(chain), tuple(strip), (Tile("board", "board", 0, walk.inputs),))


def _fill_places(known: dict[str, int], names: Sequence[str], places: int, tied: Iterable[int] = ()) -> dict[str, int]:
    """What is known, and for each other name a place of its own; those that are tied come last."""
    taken = {*known.values(), *tied}
    free = iter([*(place for place in range(places) if place not in taken), *tied])
    return known | {name: next(free) for name in names if name not in known}


def format_wiring(wiring: Wiring, board: Board) -> str:
    """This wiring, of one tile, as a board file has it."""
    chain, strip = (",\n    ".join(_format_runs(wires, board)) for wires in (wiring.chain, wiring.pixels))
    return (
        f'[wiring]\ntiles = [{{ name = "{wiring.tiles[0].name}", chain = [{chain.replace(chr(10) + "    ", " ")}] }}]\n'
        f"pixels = [\n    {strip},\n]\n"
    )


def _format_runs(wires: Iterable[Wire], board: Board) -> Iterable[str]:
    for kind, group in groupby(wires, key=type):
        stretch = list(group)
        if kind is not str:
            yield from [f'["gap", {len(stretch)}]'] if stretch[0] is None else map(str, stretch)
            continue
        names = [str(wire) for wire in stretch]
        while names:
            length = _run_length(names, board)
            first, last = names[0], names[length - 1]
            track, _, number = first.rpartition("-")
            yield f'"{first}"' if length == 1 else f'["{track}", {number}, {last.rpartition("-")[2]}]'
            names = names[length:]


def _run_length(names: Sequence[str], board: Board) -> int:
    """How many of these, from the first, a board file can tell as one run: a lane up or down."""
    places = [_lane_place(name, board) for name in names]
    if places[0] is None or len(names) < 2 or places[1] is None:
        return 1
    (track, at), step = places[0], places[1][1] - places[0][1]
    length = 1
    while length < len(places) and places[length] == (track, at + step * length) and step in (1, -1):
        length += 1
    return length


def _lane_place(name: str, board: Board) -> tuple[str, int] | None:
    hole = board.by_id.get(name)
    return (hole.track, hole.number) if hole and hole.number > 0 and name == f"{hole.track}-{hole.number}" else None


WizardAnswer = Literal["skip", "back", "stop"]
"""What a person says where no level does."""
