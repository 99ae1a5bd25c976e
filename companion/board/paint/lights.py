"""From what is known to a colour for every pixel. Pure; the time comes in as whole milliseconds.

Colour is never the only signal. A due hole pulses slowly, a wrong one blinks fast, an unclear one winks twice, and
what is right glows once and ends by itself. A pixel is lit for a peg, a due, an advice, a question, a mark that ends
by itself (right, a runner's way, won), the way to a score that nobody pegs, a marker of a display, or a die; else dark.
"""

from collections.abc import Iterator

from companion.board.paint import dice
from companion.board.shape.layout import Board
from companion.snapshot import Advice, Mark, Snapshot

Colour = tuple[int, int, int]

OFF: Colour = (0, 0, 0)
DUE: Colour = (255, 255, 255)
LIFT: Colour = (40, 40, 60)
RIGHT: Colour = (0, 200, 0)
WRONG: Colour = (255, 0, 0)
UNCLEAR: Colour = (255, 140, 0)
OUT: Colour = (200, 40, 0)
DIE: Colour = (90, 80, 60)
"""The pips of dice."""
SIDES: tuple[Colour, ...] = ((30, 0, 0), (0, 0, 40), (0, 26, 0), (28, 22, 0), (22, 22, 22))
"""A peg where it belongs, by side: dim, not to distract."""
WAY: Colour = (0, 24, 16)
"""The way to the target as far as the score goes, in a game that nobody pegs."""
NEUTRAL: Colour = (16, 16, 14)
"""A peg of no side."""

MARKERS = {"red": (60, 0, 0), "yellow": (60, 44, 0), "green": (0, 52, 0), "blue": (0, 0, 72), "brown": (34, 14, 4)}
"""The markers of a display."""

PULSE_MS = 1000
BLINK_MS = 300
WINK_MS = 1600
RUN_MS = 70
"""How long a running light stays in one space."""


def paint(board: Board, snapshot: Snapshot, now_ms: int) -> list[Colour]:
    """The frame for this moment: one colour a pixel. Later signs cover earlier ones in the same hole."""
    lit = _standing(snapshot)
    for mark in snapshot.marks:
        if mark.from_ms <= now_ms < mark.until_ms:
            lit |= _marked(board, mark, now_ms)
    if snapshot.question:
        lit |= dict.fromkeys(snapshot.question.holes, _wink(now_ms))
    # While dice tumble nothing tells how they will fall.
    told = () if board.dice and dice.tumble(snapshot, now_ms) else snapshot.advice
    for advice in told:
        lit |= _advised(advice, now_ms)
    for due in snapshot.dues:
        lit[due.lift] = LIFT
    for due in snapshot.dues:
        lit[due.place] = RIGHT if due.place in snapshot.green else _pulse(now_ms)
    for advice in told:  # the wrong peg stands out even in a hole that is another's due
        if advice.hole and advice.hole != advice.place:  # where one belongs it pulses
            lit[advice.hole] = _blink(now_ms)
    frame = [OFF] * board.pixels
    for hole, colour in lit.items():
        frame[board.by_id[hole].pixel] = colour
    for pip, name in zip(board.display, _markers(snapshot), strict=False):
        frame[pip.pixel] = MARKERS.get(name, OFF)
    if board.dice:
        for pixel, pulses in dice.pips(board, snapshot, now_ms).items():
            frame[pixel] = _pulse(now_ms) if pulses else DIE
    return frame


def still_ms(snapshot: Snapshot, now_ms: int) -> int | None:
    """How long the frame of this moment stays as it is: 0 while something moves, None until there is other news."""
    moves = snapshot.dues or snapshot.advice or snapshot.question or dice.due(snapshot)
    if moves or any(mark.until_ms > now_ms for mark in snapshot.marks) or dice.tumble(snapshot, now_ms):
        return 0
    shown = snapshot.dice
    return shown.until_ms - now_ms if shown is not None and shown.until_ms > now_ms else None


def _standing(snapshot: Snapshot) -> dict[str, Colour]:
    """The pegs; or the score, where it has none."""
    raced = {hole: SIDES[pegs.seat] for pegs in snapshot.pegs for hole in (pegs.back, pegs.front)}
    raced |= dict.fromkeys(snapshot.lit, WAY)
    return raced | {m.hole: NEUTRAL if m.seat is None else SIDES[m.seat] for m in snapshot.markers or ()}


def _markers(snapshot: Snapshot) -> list[str]:
    """The colours of a game with a display, row by row."""
    return [name for row in snapshot.view.get("display") or () for name in row]


def _marked(board: Board, mark: Mark, now_ms: int) -> dict[str, Colour]:
    """An effect that ends by itself."""
    if mark.kind == "won":
        return _won(board, mark.hole, now_ms)
    if mark.kind == "place":
        return {mark.hole: _pulse(now_ms)}
    return dict(_running(mark, now_ms)) if mark.way else {mark.hole: RIGHT}


def _running(mark: Mark, now_ms: int) -> Iterator[tuple[str, Colour]]:
    """A light that runs along a way, with two fainter behind it, and stays where it has come."""
    head = min((now_ms - mark.from_ms) // RUN_MS, len(mark.way) - 1)
    colour = OUT if mark.kind == "out" else RIGHT
    for behind in range(min(head, 2), -1, -1):
        if behind == 0 or head < len(mark.way) - 1:
            yield mark.way[head - behind], (colour[0] >> 2 * behind, colour[1] >> 2 * behind, colour[2] >> 2 * behind)


def _advised(advice: Advice, now_ms: int) -> dict[str, Colour]:
    """Where a peg is to be taken, and where it belongs."""
    lit: dict[str, Colour] = {}
    if advice.lift:
        lit[advice.lift] = LIFT
    if advice.place:
        lit[advice.place] = _pulse(now_ms)
    return lit


def _pulse(now_ms: int) -> Colour:
    """Slowly up and down, never out: a triangle between a third and the full colour."""
    phase = now_ms % PULSE_MS
    rise = min(phase, PULSE_MS - phase) * 2
    share = (PULSE_MS + 2 * rise) / (3 * PULSE_MS)
    return (round(DUE[0] * share), round(DUE[1] * share), round(DUE[2] * share))


def _blink(now_ms: int) -> Colour:
    """Fast, between full and half: seen at once, and never dark."""
    return WRONG if now_ms // BLINK_MS % 2 == 0 else (128, 0, 0)


def _wink(now_ms: int) -> Colour:
    """Two short flashes, then a rest."""
    phase = now_ms % WINK_MS
    return UNCLEAR if phase < 200 or 400 <= phase < 600 else (60, 33, 0)


def _won(board: Board, hole: str, now_ms: int) -> dict[str, Colour]:
    """A light that runs up the winner's lane, a comet of eight holes."""
    track = board.by_id[hole].track
    lane = [h for h in board.holes if h.track == track and h.number > 0] or [board.by_id[hole]]
    head = now_ms // 25 % len(lane)
    return {lane[(head - n) % len(lane)].id: (0, 200 - 24 * n, 60 - 7 * n) for n in range(min(8, len(lane)))}
