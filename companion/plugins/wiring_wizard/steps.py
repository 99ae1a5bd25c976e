"""The state machine of the wiring wizard: a peg into each hole by name, then a peg into each lit hole. Pure.

The first round finds the input of each hole, the second the pixel of each hole. The terminal or the page passes levels,
and an answer if nothing responds. The answers are saved, so the wizard can be resumed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Literal, NamedTuple

from companion.boards.board import Board, Tile, Wire, Wiring
from companion.common.errors import BoardError
from companion.i18n import format_message, join_messages


class WizardStep(NamedTuple):
    """What to do now: put a peg into `hole`, or into the hole that `pixel` lights. Both are None at other steps."""

    text: str
    hole: str | None = None
    pixel: int | None = None


@dataclass(frozen=True, slots=True)
class WizardState:
    """The progress of the wizard. Frozen.

    - `inputs`, `pixels`: the numbers of inputs and of pixels to assign to `holes`.
    - `stuck_bits`: the inputs that are on without a peg, as bits.
    - `answers`: for each finished step the input that responded, or None.
    - `is_peg_in`: the peg of the last step is still in.
    - `error`: what was wrong with the last levels; empty if nothing was.
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
        return {hole: number for hole, number in zip(self.holes, self.answers, strict=False) if number is not None}

    @property
    def pixels_by_hole(self) -> dict[str, int]:
        """The pixel of each hole that was found lit."""
        of = {number: hole for hole, number in self.inputs_by_hole.items()}
        answers = self.answers[len(self.holes) :]
        return {of[number]: pixel for pixel, number in enumerate(answers) if number is not None}

    @property
    def current_step(self) -> WizardStep:
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
            lit = format_message("Light {at} of {of}: put a peg into the lit hole.", at=pixel + 1, of=self.pixels)
            return WizardStep(lit, pixel=pixel)
        return WizardStep(format_message("The wiring is complete."))

    @property
    def act_count(self) -> int:
        """The number of acts so far, which identifies a moment. An act is a peg put in or taken out again."""
        return 2 * len(self.answers) - self.is_peg_in

    @property
    def is_over(self) -> bool:
        return len(self.answers) == len(self.holes) + self.pixels and not self.is_peg_in


def create_wizard(board: Board, inputs: int, *, lights: bool = True) -> WizardState:
    """Start a wizard for this board and a chain of `inputs` inputs. Raises BoardError if the chain is too short."""
    if inputs < len(board.holes):
        raise BoardError(f"{board.name} has {len(board.holes)} holes, but the chain has only {inputs} inputs.")
    return WizardState(tuple(hole.id for hole in board.holes), inputs, len(board.wiring.pixels) if lights else 0)


def on_levels(state: WizardState, levels: int) -> WizardState:
    """Handle levels (bits) that have been the same for a moment. Inputs that are off now are not stuck."""
    state = replace(state, stuck_bits=state.stuck_bits & levels)
    fresh = levels & ~state.stuck_bits
    if state.is_peg_in or not fresh or state.is_over:
        return replace(state, is_peg_in=state.is_peg_in and fresh != 0, error="")
    if fresh & (fresh - 1):
        both = join_messages([str(number) for number in range(state.inputs) if fresh >> number & 1])
        together = format_message(
            "Inputs {both} respond at the same time. Use only one peg, and check for touching wires.", both=both
        )
        return replace(state, error=together)
    answered = fresh.bit_length() - 1
    error = _find_answer_error(state, answered)
    return replace(state, error=error) if error else _record_answer(state, answered, is_peg_in=True)


def skip_step(state: WizardState) -> WizardState:
    """Skip a step because no input responds or no hole is lit: the hole is dead, or the pixel is dark or has no hole.

    While a peg must be taken out: mark its input, which stays on without the peg, as stuck.
    """
    if state.is_peg_in:
        last = state.answers[-1] or 0
        return replace(state, stuck_bits=state.stuck_bits | 1 << last, is_peg_in=False, error="")
    return state if state.is_over else _record_answer(state, None, is_peg_in=False)


def step_back(state: WizardState) -> WizardState:
    last = state.answers[-1] if state.answers else None
    # An input that has responded was not stuck before the step.
    stuck = state.stuck_bits if last is None else state.stuck_bits & ~(1 << last)
    return replace(state, answers=state.answers[:-1], stuck_bits=stuck, is_peg_in=False, error="")


def mark_stuck_inputs(state: WizardState, levels: int) -> WizardState:
    """Mark the inputs as stuck that are on while no peg is in. `levels`: bits."""
    return replace(state, stuck_bits=levels)


def _record_answer(state: WizardState, answered: int | None, *, is_peg_in: bool) -> WizardState:
    return replace(state, answers=(*state.answers, answered), is_peg_in=is_peg_in, error="")


def _find_answer_error(state: WizardState, answered: int) -> str:
    owner = next((hole for hole, number in state.inputs_by_hole.items() if number == answered), None)
    if state.current_step.hole is not None:
        if owner is None:
            return ""
        return format_message(
            "Input {n} already belongs to {hole}. Is the peg in the right hole?", n=answered, hole=owner
        )
    if owner is None:
        return format_message("Input {n} responds but belongs to no hole. Is the peg in the lit hole?", n=answered)
    lit_by = state.pixels_by_hole.get(owner)
    return "" if lit_by is None else format_message("Pixel {n} already lights {hole}.", hole=owner, n=lit_by)


def dump_wizard(state: WizardState, board: str) -> dict[str, Any]:
    return {"board": board, "inputs": state.inputs, "stuck": state.stuck_bits, "answers": list(state.answers)}


def restore_wizard(fresh: WizardState, board: str, given: Any) -> WizardState:
    """Resume the saved state `given` on a fresh one. Raises BoardError if it is for another board or chain."""
    try:
        same = given["board"] == board and given["inputs"] == fresh.inputs
        stuck = int(given["stuck"])
        answers = tuple(None if number is None else int(number) for number in given["answers"])
    except (TypeError, KeyError, ValueError) as error:
        raise BoardError("The saved progress is not valid. Delete the file to start again.") from error
    fits = len(answers) <= len(fresh.holes) + fresh.pixels and all(
        answer in range(fresh.inputs) for answer in answers if answer
    )
    if not same or not fits:
        raise BoardError("The saved progress belongs to another board or chain. Delete the file to start again.")
    return replace(fresh, stuck_bits=stuck, answers=answers)


def describe_faults(state: WizardState, board: Board) -> list[str]:
    """Return a sentence for each fault: stuck, dead and dark holes, and pairs that are swapped."""
    wanted = {wire: number for number, wire in enumerate(board.wiring.chain) if isinstance(wire, str)}
    inputs = state.inputs_by_hole
    is_as_drawn = 2 * sum(inputs[hole] == wanted[hole] for hole in inputs) > len(inputs)
    asked = state.holes[: len(state.answers)]
    silent = {hole: wanted[hole] if is_as_drawn else None for hole in asked if hole not in inputs}
    at = {number: hole for hole, number in [*silent.items(), *inputs.items()] if number is not None}
    stuck = [number for number in _list_stuck_inputs(state) if number not in _find_tied_inputs(state, board)]
    faults = [_stuck_sentence(number, at.get(number)) for number in stuck]
    faults += [
        format_message("{hole} is dead: no input responds.", hole=h)
        for h, number in silent.items()
        if number not in stuck
    ]
    lights = state.answers[len(state.holes) :]
    dark = [pixel for pixel, number in enumerate(lights) if number is None]
    if len(dark) > len(board.wiring.pixels) - len(board.holes):  # those of dice, display and gaps have no hole
        faults += [format_message("Pixel {n} lit no hole.", n=pixel) for pixel in dark]
    return faults + (_swapped_sentences(inputs, wanted) if is_as_drawn else [])


def _stuck_sentence(number: int, hole: str | None) -> str:
    if hole is None:
        return format_message("Input {n} is on without a peg: it is stuck.", n=number)
    return format_message("{hole} is stuck: its input {n} is on without a peg.", hole=hole, n=number)


def _swapped_sentences(inputs: dict[str, int], wanted: dict[str, int]) -> list[str]:
    """Return a sentence for each pair of holes that have each other's input."""
    owner = {number: hole for hole, number in inputs.items()}
    pairs = {tuple(sorted((hole, owner.get(wanted[hole], hole)))) for hole in inputs if inputs[hole] != wanted[hole]}
    swapped = [pair for pair in sorted(pairs) if pair[0] != pair[1] and inputs[pair[0]] == wanted[pair[1]]]
    both = [pair for pair in swapped if inputs[pair[1]] == wanted[pair[0]]]
    return [format_message("{one} and {other} are swapped.", one=one, other=other) for one, other in both]


def _list_stuck_inputs(state: WizardState) -> list[int]:
    return [number for number in range(state.inputs) if state.stuck_bits >> number & 1]


def _find_tied_inputs(state: WizardState, board: Board) -> set[int]:
    """Return the inputs that are on without a peg because the board has a sentinel there."""
    wires = board.wiring.chain[: len(board.wiring.chain) - board.wiring.end]
    return {number for number in _list_stuck_inputs(state) if number < len(wires) and wires[number] == 1}


def build_wiring(state: WizardState, board: Board) -> Wiring:
    """Return the wiring that was found. Holes that did not respond get a free input and a free pixel."""
    chain: list[Wire] = [None] * state.inputs
    tied = _find_tied_inputs(state, board)
    for number in tied:
        chain[number] = 1
    for hole, number in _fill_places(state.inputs_by_hole, state.holes, state.inputs, tied).items():
        chain[number] = hole
    count = max(state.pixels, len(board.wiring.pixels))
    strip: list[str | None] = [None] * count
    own = state.pixels_by_hole if state.pixels else {hole.id: hole.pixel for hole in board.holes}
    for name, number in _fill_places(own, (*state.holes, *board.holeless_pixels), count).items():
        strip[number] = name
    tile = Tile("board", "board", 0, state.inputs)
    return Wiring(tuple(chain), tuple(strip), (tile,), panel=board.wiring.panel)


def _fill_places(fixed: dict[str, int], names: Sequence[str], places: int, tied: Iterable[int] = ()) -> dict[str, int]:
    """Return the known places, and a free place for each other name. Tied inputs are used last."""
    taken = {*fixed.values(), *tied}
    free = iter([*(place for place in range(places) if place not in taken), *tied])
    return fixed | {name: next(free) for name in names if name not in fixed}


def format_wiring(wiring: Wiring, board: Board) -> str:
    """Return a wiring of one tile in the form of a board file."""
    chain, strip = (",\n    ".join(_format_runs(wires, board)) for wires in (wiring.chain, wiring.pixels))
    parts = dict(wiring.panel)
    if "buttons" in parts:
        pins = ", ".join(f"{name.replace(':', '')} = {pin}" for name, pin in parts["buttons"].items())
        parts["buttons"] = f"{{ {pins} }}"
    panel = "".join(f"{part} = {pins}\n" for part, pins in parts.items())
    return (
        f'[wiring]\ntiles = [{{ name = "{wiring.tiles[0].name}", chain = [{chain.replace(chr(10) + "    ", " ")}] }}]\n'
        f"pixels = [\n    {strip},\n]\n" + (f"\n[wiring.panel]\n{panel}" if panel else "")
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
    """Return how many of the names, from the first, a board file can write as one run: a lane up or down."""
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
"""What a person answers if no level does."""
