"""From what is known to a colour for every pixel. Pure; the time comes in as whole milliseconds.

Colour is never the only signal. A due hole pulses slowly, a wrong one blinks fast, an unclear one winks twice, and
what is right glows once and ends by itself. A pixel is lit for a peg, a due, an advice, a question, a mark that ends
by itself (right, a runner's way, won), the way to a score that nobody pegs, a marker of a display, or a die; else dark.
"""

from collections.abc import Iterator

from companion.boards.catalog import Board
from companion.common.snapshot import Advice, LightEffect, Snapshot
from companion.display import dice
from companion.display.theme import DEFAULT_THEME, Colour, LightTheme

OFF: Colour = (0, 0, 0)

MARKER_COLOURS = {
    "red": (60, 0, 0),
    "yellow": (60, 44, 0),
    "green": (0, 52, 0),
    "blue": (0, 0, 72),
    "brown": (34, 14, 4),
}
"""The markers of a display."""

RUN_STEP_MS = 70
"""How long a running light stays in one space."""


def paint_frame(board: Board, snapshot: Snapshot, now_ms: int, look: LightTheme = DEFAULT_THEME) -> list[Colour]:
    """The frame for this moment: one colour a pixel. Later signs cover earlier ones in the same hole."""
    lit = _peg_colours(snapshot, look)
    for mark in snapshot.light_effects:
        if mark.from_ms <= now_ms < mark.until_ms:
            lit |= _mark_colours(board, mark, now_ms, look)
    if snapshot.question:
        lit |= dict.fromkeys(snapshot.question.holes, _wink_colour(now_ms, look))
    # While dice tumble nothing tells how they will fall.
    told = () if board.dice and dice.is_tumbling(snapshot, now_ms) else snapshot.advice
    for advice in told:
        lit |= _advice_colours(advice, now_ms, look)
    for due in snapshot.dues:
        lit[due.lift] = look.lift
    for due in snapshot.dues:
        lit[due.place] = look.right if due.place in snapshot.green_holes else _pulse_colour(now_ms, look)
    for advice in told:  # the wrong peg stands out even in a hole that is another's due
        if advice.hole and advice.hole != advice.place:  # where one belongs it pulses
            lit[advice.hole] = _blink_colour(now_ms, look)
    frame = [OFF] * board.pixel_count
    for hole, colour in lit.items():
        frame[board.by_id[hole].pixel] = colour
    for pip, name in zip(board.display, _display_colours(snapshot), strict=False):
        frame[pip.pixel] = MARKER_COLOURS.get(name, OFF)
    if board.dice:
        for pixel, pulses in dice.find_lit_pips(board, snapshot, now_ms).items():
            frame[pixel] = _pulse_colour(now_ms, look) if pulses else look.die
    return frame


def still_ms(snapshot: Snapshot, now_ms: int) -> int | None:
    """How long the frame of this moment stays as it is: 0 while something moves, None until there is other news."""
    moves = snapshot.dues or snapshot.advice or snapshot.question or dice.count_due_dice(snapshot)
    if moves or any(mark.until_ms > now_ms for mark in snapshot.light_effects) or dice.is_tumbling(snapshot, now_ms):
        return 0
    shown = snapshot.dice
    return shown.until_ms - now_ms if shown is not None and shown.until_ms > now_ms else None


def _peg_colours(snapshot: Snapshot, look: LightTheme) -> dict[str, Colour]:
    """The pegs; or the score, where it has none."""
    raced = {hole: look.sides[pegs.seat] for pegs in snapshot.pegs for hole in (pegs.back, pegs.front)}
    raced |= dict.fromkeys(snapshot.lit_holes, look.way)
    return raced | {m.hole: look.neutral if m.seat is None else look.sides[m.seat] for m in snapshot.markers or ()}


def _display_colours(snapshot: Snapshot) -> list[str]:
    """The colours of a game with a display, row by row."""
    return [name for row in snapshot.view.get("display") or () for name in row]


def _mark_colours(board: Board, mark: LightEffect, now_ms: int, look: LightTheme) -> dict[str, Colour]:
    """An effect that ends by itself."""
    if mark.kind == "won":
        return _win_colours(board, mark.hole, now_ms, look)
    if mark.kind == "place":
        return {mark.hole: _pulse_colour(now_ms, look)}
    return dict(_run_colours(mark, now_ms, look)) if mark.path else {mark.hole: look.right}


def _run_colours(mark: LightEffect, now_ms: int, look: LightTheme) -> Iterator[tuple[str, Colour]]:
    """A light that runs along a way, with two fainter behind it, and stays where it has come."""
    head = min((now_ms - mark.from_ms) // RUN_STEP_MS, len(mark.path) - 1)
    colour = look.out if mark.kind == "out" else look.right
    for behind in range(min(head, 2), -1, -1):
        if behind == 0 or head < len(mark.path) - 1:
            yield mark.path[head - behind], (colour[0] >> 2 * behind, colour[1] >> 2 * behind, colour[2] >> 2 * behind)


def _advice_colours(advice: Advice, now_ms: int, look: LightTheme) -> dict[str, Colour]:
    """Where a peg is to be taken, and where it belongs."""
    lit: dict[str, Colour] = {}
    if advice.lift:
        lit[advice.lift] = look.lift
    if advice.place:
        lit[advice.place] = _pulse_colour(now_ms, look)
    return lit


def _pulse_colour(now_ms: int, look: LightTheme) -> Colour:
    """Slowly up and down, never out: a triangle between a third and the full colour."""
    phase = now_ms % look.pulse_ms
    rise = min(phase, look.pulse_ms - phase) * 2
    share = (look.pulse_ms + 2 * rise) / (3 * look.pulse_ms)
    red, green, blue = look.due
    return (round(red * share), round(green * share), round(blue * share))


def _blink_colour(now_ms: int, look: LightTheme) -> Colour:
    """Fast, between full and half: seen at once, and never dark."""
    red, green, blue = look.wrong
    full = now_ms // look.blink_ms % 2 == 0
    return look.wrong if full else ((red + 1) // 2, (green + 1) // 2, (blue + 1) // 2)


def _wink_colour(now_ms: int, look: LightTheme) -> Colour:
    """Two short flashes, then a rest."""
    phase = now_ms % look.wink_ms
    red, green, blue = look.unclear
    flashes = phase < 200 or 400 <= phase < 600
    return look.unclear if flashes else (round(red * 60 / 255), round(green * 60 / 255), round(blue * 60 / 255))


def _win_colours(board: Board, hole: str, now_ms: int, look: LightTheme) -> dict[str, Colour]:
    """A light that runs up the winner's lane, a comet of eight holes."""
    track = board.by_id[hole].track
    lane = [h for h in board.holes if h.track == track and h.number > 0] or [board.by_id[hole]]
    head, (red, green, blue) = now_ms // 25 % len(lane), look.won
    tail = [(red - red * 3 // 25 * n, green - green * 3 // 25 * n, blue - blue * 3 // 25 * n) for n in range(8)]
    return {lane[(head - n) % len(lane)].id: tail[n] for n in range(min(8, len(lane)))}
