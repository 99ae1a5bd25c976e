"""Paints a snapshot: a colour for every pixel. Pure; the time is an argument in whole milliseconds.

Colour is never the only signal: the hole of a due pulses slowly, a wrong hole blinks fast, an unclear one winks twice,
and a right one glows once. A pixel is lit for a peg, a due, an advice, a question, an effect that ends by itself
(right, a runner's way, won), the way to a score on a board without pegs, a marker of a display or a die; otherwise it
is dark. A die has seven pips: upper left and right, left, centre, right, lower left and right.
"""

from collections.abc import Iterator

from companion.boards.board import Board
from companion.common.snapshot import LIGHT_EFFECTS, Advice, LightEffect, Snapshot
from companion.display.theme import DEFAULT_THEME, Colour, LightTheme

OFF: Colour = (0, 0, 0)

MARKER_COLOURS = {
    "red": (60, 0, 0),
    "yellow": (60, 44, 0),
    "green": (0, 52, 0),
    "blue": (0, 0, 72),
    "brown": (34, 14, 4),
}
"""The colours of the markers of a display."""

RUN_STEP_MS = 70
"""How long a running light stays in one hole, in ms."""


def paint_frame(board: Board, snapshot: Snapshot, now_ms: int, theme: LightTheme = DEFAULT_THEME) -> list[Colour]:
    """Return the frame of this moment, one colour for each pixel. In a hole with several signals, the last one wins."""
    lit = _peg_colours(snapshot, theme)
    for effect in snapshot.light_effects:
        if effect.from_ms <= now_ms < effect.until_ms:
            lit |= _effect_colours(board, effect, now_ms, theme)
    if snapshot.question:
        lit |= dict.fromkeys(snapshot.question.holes, _wink_colour(now_ms, theme))
    # While dice tumble, no advice must reveal how they will fall.
    shown_advice = () if board.dice and is_tumbling(snapshot, now_ms) else snapshot.advice
    for advice in shown_advice:
        lit |= _advice_colours(advice, now_ms, theme)
    for due in snapshot.dues:
        lit[due.lift] = theme.lift
    for due in snapshot.dues:
        lit[due.place] = (
            theme.right if due.place in snapshot.green_holes else _pulse_colour(now_ms, theme.due, theme.pulse_ms)
        )
    for advice in shown_advice:  # a wrong peg stands out even in the hole of another due
        if advice.hole and advice.hole != advice.place:  # the hole where a peg belongs pulses
            lit[advice.hole] = _blink_colour(now_ms, theme)
    frame = [OFF] * board.pixel_count
    for hole, colour in lit.items():
        frame[board.by_id[hole].pixel] = colour
    for pip, name in zip(board.display, _display_colours(snapshot), strict=False):
        frame[pip.pixel] = MARKER_COLOURS.get(name, OFF)
    if board.dice:
        for pixel, pulses in find_lit_pips(board, snapshot, now_ms).items():
            frame[pixel] = _pulse_colour(now_ms, theme.due, theme.pulse_ms) if pulses else theme.die
    return frame


def still_ms(snapshot: Snapshot, now_ms: int) -> int | None:
    """Return how long this frame stays the same: 0 while something moves, None until the next snapshot."""
    moves = snapshot.dues or snapshot.advice or snapshot.question or count_due_dice(snapshot)
    if moves or any(effect.until_ms > now_ms for effect in snapshot.light_effects) or is_tumbling(snapshot, now_ms):
        return 0
    shown = snapshot.dice
    return shown.until_ms - now_ms if shown is not None and shown.until_ms > now_ms else None


def _peg_colours(snapshot: Snapshot, theme: LightTheme) -> dict[str, Colour]:
    """Return the colours of the pegs, or of the lit score on a board without pegs."""
    raced = {hole: theme.sides[pegs.seat] for pegs in snapshot.pegs for hole in (pegs.back, pegs.front)}
    raced |= dict.fromkeys(snapshot.lit_holes, theme.way)
    return raced | {m.hole: theme.neutral if m.seat is None else theme.sides[m.seat] for m in snapshot.markers or ()}


def _display_colours(snapshot: Snapshot) -> list[str]:
    """Return the colour names of a game with a display, row by row."""
    return [name for row in snapshot.view.get("display") or () for name in row]


def _effect_colours(board: Board, effect: LightEffect, now_ms: int, theme: LightTheme) -> dict[str, Colour]:
    sign = LIGHT_EFFECTS[effect.kind]
    colour: Colour = getattr(theme, sign.colour)
    match sign.shape:
        case "comet":
            return _win_colours(board, effect.hole, now_ms, colour)
        case "pulse":
            return {effect.hole: _pulse_colour(now_ms, colour, theme.pulse_ms)}
        case "run":
            return dict(_run_colours(effect, now_ms, colour))
        case "steady":
            return {effect.hole: colour}


def _run_colours(effect: LightEffect, now_ms: int, colour: Colour) -> Iterator[tuple[str, Colour]]:
    """Yield a light that runs along a path with two fainter ones behind it, and stays at the end."""
    head = min((now_ms - effect.from_ms) // RUN_STEP_MS, len(effect.path) - 1)
    for behind in range(min(head, 2), -1, -1):
        if behind == 0 or head < len(effect.path) - 1:
            yield (
                effect.path[head - behind],
                (colour[0] >> 2 * behind, colour[1] >> 2 * behind, colour[2] >> 2 * behind),
            )


def _advice_colours(advice: Advice, now_ms: int, theme: LightTheme) -> dict[str, Colour]:
    """Return the colours of the hole to take a peg from and of the hole to put it in."""
    lit: dict[str, Colour] = {}
    if advice.lift:
        lit[advice.lift] = theme.lift
    if advice.place:
        lit[advice.place] = _pulse_colour(now_ms, theme.due, theme.pulse_ms)
    return lit


def _pulse_colour(now_ms: int, colour: Colour, pulse_ms: int) -> Colour:
    """Return a slow pulse that is never dark: a triangle wave between a third and the full colour."""
    phase = now_ms % pulse_ms
    rise = min(phase, pulse_ms - phase) * 2
    fraction = (pulse_ms + 2 * rise) / (3 * pulse_ms)
    red, green, blue = colour
    return (round(red * fraction), round(green * fraction), round(blue * fraction))


def _blink_colour(now_ms: int, theme: LightTheme) -> Colour:
    """Return a fast blink between the full and half the colour, never dark."""
    red, green, blue = theme.wrong
    full = now_ms // theme.blink_ms % 2 == 0
    return theme.wrong if full else ((red + 1) // 2, (green + 1) // 2, (blue + 1) // 2)


def _wink_colour(now_ms: int, theme: LightTheme) -> Colour:
    """Return two short flashes and a pause."""
    phase = now_ms % theme.wink_ms
    red, green, blue = theme.unclear
    flashes = phase < 200 or 400 <= phase < 600
    return theme.unclear if flashes else (round(red * 60 / 255), round(green * 60 / 255), round(blue * 60 / 255))


def _win_colours(board: Board, hole: str, now_ms: int, colour: Colour) -> dict[str, Colour]:
    """Return a comet of eight holes that runs up the winner's lane."""
    track = board.by_id[hole].track
    lane = [h for h in board.holes if h.track == track and h.number > 0] or [board.by_id[hole]]
    head, (red, green, blue) = now_ms // 25 % len(lane), colour
    tail = [(red - red * 3 // 25 * n, green - green * 3 // 25 * n, blue - blue * 3 // 25 * n) for n in range(8)]
    return {lane[(head - n) % len(lane)].id: tail[n] for n in range(min(8, len(lane)))}


FACE_PIPS = {1: (3,), 2: (0, 6), 3: (0, 3, 6), 4: (0, 1, 5, 6), 5: (0, 1, 3, 5, 6), 6: (0, 1, 2, 4, 5, 6)}
"""By face: the indexes of its lit pips."""
_ROLLING_FACES = (1, 2, 6, 5, 3, 4)
"""The order of the faces of a rolling die."""
_SLOWDOWN_MS2 = 90_000
"""The square of the time to the stop decreases by this much with each face, in ms², so the die slows down."""


def is_tumbling(snapshot: Snapshot, now_ms: int) -> bool:
    return snapshot.dice is not None and now_ms < snapshot.dice.stop_ms


def count_due_dice(snapshot: Snapshot) -> int:
    due = snapshot.view.get("due")
    return 0 if due is None else int(due["dice"])


def is_roll_due(snapshot: Snapshot, now_ms: int) -> bool:
    """Return whether the dice button should be pressed: dice are due and none tumble."""
    return count_due_dice(snapshot) > 0 and not is_tumbling(snapshot, now_ms)


def find_lit_pips(board: Board, snapshot: Snapshot, now_ms: int) -> dict[int, bool]:
    """Return the lit pixels of the dice; the value is True if the pixel pulses because its die is to be rolled.

    A die that waits for the other side's roll stays lit; the others go out at `until_ms`.
    """
    waiting = list(snapshot.view.get("rolled") or ())
    shown = snapshot.dice
    faces = list(shown.faces) if shown is not None and now_ms < shown.until_ms else waiting
    turning = range(shown.first_new, len(faces)) if shown is not None and is_tumbling(snapshot, now_ms) else range(0)
    rolls = range(0) if turning else range(len(waiting), len(waiting) + count_due_dice(snapshot))
    lit: dict[int, bool] = {}
    for n, die in enumerate(board.dice):
        if n in turning:
            assert shown is not None
            on = FACE_PIPS[_face_before_stop(faces[n], n, shown.stop_ms - now_ms)]
        elif n < len(faces):
            on = FACE_PIPS[faces[n]]
        else:
            on = tuple(range(len(die))) if n in rolls else ()
        lit |= {die[pip].pixel: n in rolls for pip in on}
    return lit


def _face_before_stop(face: int, die: int, left_ms: int) -> int:
    """Return the face that is up `left_ms` before the stop. The second die runs through the faces backwards."""
    turns = left_ms * left_ms // _SLOWDOWN_MS2
    at = _ROLLING_FACES.index(face) + (turns if die == 0 else -turns)
    return _ROLLING_FACES[at % len(_ROLLING_FACES)]
