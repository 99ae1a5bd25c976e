"""From what is known to a colour for every pixel. Pure; the time comes in as whole milliseconds.

Colour is never the only signal. A due hole pulses slowly, a wrong one blinks fast, an unclear one winks twice, and
what is right glows once and ends by itself. No pixel but a peg's, a due's or an advised one is ever lit by them.
"""

from companion.board.layout import Board
from companion.snapshot import Advice, Snapshot

Colour = tuple[int, int, int]

OFF: Colour = (0, 0, 0)
DUE: Colour = (255, 255, 255)
LIFT: Colour = (40, 40, 60)
RIGHT: Colour = (0, 200, 0)
WRONG: Colour = (255, 0, 0)
UNCLEAR: Colour = (255, 140, 0)
SIDES: tuple[Colour, ...] = ((30, 0, 0), (0, 0, 40), (0, 26, 0), (28, 22, 0), (22, 22, 22))
"""A peg where it belongs, by side: dim, to be seen and forgotten."""

PULSE_MS = 1000
BLINK_MS = 300
WINK_MS = 1600


def paint(board: Board, snapshot: Snapshot, now_ms: int) -> list[Colour]:
    """The frame for this moment: one colour a pixel. Later signs cover earlier ones in the same hole."""
    lit: dict[str, Colour] = {}
    for pegs in snapshot.pegs:
        lit[pegs.front] = lit[pegs.back] = SIDES[pegs.seat]
    for mark in snapshot.marks:
        if mark.until_ms > now_ms:
            lit |= _won(board, mark.hole, now_ms) if mark.kind == "won" else {mark.hole: RIGHT}
    if snapshot.question:
        lit |= dict.fromkeys(snapshot.question.holes, _wink(now_ms))
    for advice in snapshot.advice:
        lit |= _advised(advice, now_ms)
    for due in snapshot.dues:
        lit[due.lift] = LIFT
    for due in snapshot.dues:
        lit[due.place] = _pulse(now_ms)
    for advice in snapshot.advice:  # the wrong peg stands out even in a hole that is another's due
        if advice.hole:
            lit[advice.hole] = _blink(now_ms)
    frame = [OFF] * board.pixels
    for hole, colour in lit.items():
        frame[board.by_id[hole].pixel] = colour
    return frame


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
