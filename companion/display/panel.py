"""The panel beside the board: texts of its small display, and sounds of its buzzer. Pure.

The display has eight rows of sixteen ASCII characters: scores, whose turn it is, the count, and the last sentence.
Sentences longer than its lower half are shown in turns. Sounds only repeat what the lights show.
"""

import unicodedata
from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import Any, Literal

from companion.common.snapshot import LIGHT_EFFECTS, Snapshot
from companion.i18n import format_message, gettext_noop
from companion.ports import ScreenRow

COLUMNS = 16
SENTENCE_ROWS = (4, 5, 6, 7)

PAGE_MS = 4000
"""Time in ms for which a part of long sentences is shown."""

SCREEN_OFF_MS = 30 * 60_000
"""Time in ms without a change after which the display is dark, because letters burn into it."""

MAX_NAME_LENGTH = 7

_PROMPTS = {
    "cut": gettext_noop("Cut a card"),
    "play": gettext_noop("{name} plays"),
    "show": gettext_noop("{name} shows"),
    "claim": gettext_noop("{name} counts"),
    "roll": gettext_noop("{name} rolls"),
    "crib": gettext_noop("Scan the crib"),
    "lay": gettext_noop("Lay the cards"),
    "between": gettext_noop("Next hand"),
}
_TURN_PROMPT = gettext_noop("{name}'s turn")

_ASCII_SIGNS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "æ": "ae", "Æ": "Ae", "ø": "o"}
    | {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "–": "-", "—": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "„": '"'}
    | {"Ø": "O"}
)  # fmt: skip


def write_screen(
    snapshot: Snapshot, shown_ms: int, *, after_notice: int = 0, translate: Callable[[Any], Any] = lambda value: value
) -> tuple[ScreenRow, ...]:
    """Return the rows of the display, which together cover it.

    :param shown_ms: for how long this snapshot has been shown, in ms.
    :param after_notice: the id of the last notice that has been seen; a later one takes the place of the last sentence.
    :param translate: translates the messages in a value.
    """
    if shown_ms >= SCREEN_OFF_MS:
        return tuple((row, 1, "") for row in range(8))
    lines = _wrap_sentences([to_ascii(translate(each)) for each in _choose_sentences(snapshot, after_notice)])
    pages = max(1, -(-len(lines) // len(SENTENCE_ROWS)))
    first = shown_ms // PAGE_MS % pages * len(SENTENCE_ROWS)
    shown = [*lines[first:], *[""] * len(SENTENCE_ROWS)]
    return (
        *_write_scores(snapshot, translate),
        (3, 1, _write_status(snapshot, translate)),
        *((row, 1, line) for row, line in zip(SENTENCE_ROWS, shown, strict=False)),
    )


def to_ascii(text: str) -> str:
    """Return a text in printable ASCII: ü becomes ue, é becomes e, and what has no such form a question mark."""
    signs = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", text).translate(_ASCII_SIGNS))
    return "".join(s if " " <= s <= "~" else "?" for s in signs if not unicodedata.combining(s))


def _choose_sentences(snapshot: Snapshot, after_notice: int) -> Sequence[str]:
    """Return what has to be dealt with first, or what the last move was and which pegs are due."""
    if snapshot.trouble:
        return [snapshot.trouble]
    if snapshot.question:
        return [snapshot.question.why]
    if snapshot.notices and snapshot.notices[-1].id > after_notice:
        return [snapshot.notices[-1].say]
    said = list((snapshot.last or {}).get("said") or ())
    return [*said, *dict.fromkeys(each.say for each in snapshot.advice)]


def _wrap_sentences(sentences: Sequence[str]) -> list[str]:
    return [line for sentence in sentences for line in wrap(sentence, COLUMNS)]


def _write_scores(snapshot: Snapshot, translate: Callable[[Any], Any]) -> list[ScreenRow]:
    """Return rows 0 to 2: two sides with large scores, or up to six in columns of eight characters."""
    scores = snapshot.view["scores"]
    names = [
        to_ascii("+".join(translate(each["name"]) for each in snapshot.players if each["side"] == side))
        for side in range(len(scores))
    ]
    if len(scores) <= 2:
        left, right = (*(name[:MAX_NAME_LENGTH] for name in names), "")[:2]
        numbers = [str(score) for score in scores]
        return [
            (0, 1, f"{left}{right:>{COLUMNS - len(left)}}".rstrip()),
            (1, 2, numbers[0] + "".join(f"{n:>{COLUMNS // 2 - len(numbers[0])}}" for n in numbers[1:])),
        ]
    cells = [
        f"{name[: MAX_NAME_LENGTH - 1 - len(str(score))]:<{MAX_NAME_LENGTH - len(str(score))}}{score} "
        for name, score in zip(names, scores, strict=True)
    ]
    return [(row, 1, "".join(cells[2 * row : 2 * row + 2]).rstrip()) for row in range(3)]


def _write_status(snapshot: Snapshot, translate: Callable[[Any], Any]) -> str:
    """Return what is to be done by whom, and the count at the right edge."""
    view = snapshot.view
    turn, winner = view.get("turn"), view.get("winner")
    names = [translate(each["name"]) for each in snapshot.players]
    winners = [translate(each["name"]) for each in snapshot.players if each["side"] == winner]
    count = str(view["count"]) if view.get("count") else ""
    name = to_ascii("+".join(winners) if winners else names[turn] if isinstance(turn, int) else "")[:MAX_NAME_LENGTH]
    if winners:
        prompt = format_message("{name} wins", name=name)
    else:
        pattern = _PROMPTS.get(view["phase"], _TURN_PROMPT)
        prompt = format_message(pattern, name=name)
        if not name and "{name}" in pattern:
            return count.rjust(COLUMNS) if count else ""
    width = COLUMNS - len(count)
    return f"{to_ascii(translate(prompt))[: width - bool(count)]:<{width}}{count}".rstrip()


Sound = Literal["right", "wrong", "win"]
_WRONG_KINDS = frozenset({"over_pegged", "under_pegged", "wrong_peg", "wrong_track", "other_pegged"})
"""The kinds of advice that are lit red."""


def choose_sound(before: Snapshot | None, now: Snapshot) -> Sound | None:
    """Return the sound for the snapshot `now` after `before`; None for silence, also for the first snapshot."""
    if before is None or before.run != now.run:
        return None
    if now.view.get("winner") is not None and before.view.get("winner") is None:
        return "win"
    if _find_wrong_advice(now) - _find_wrong_advice(before):
        return "wrong"
    is_right = any(
        LIGHT_EFFECTS[effect.kind].is_heard and effect not in before.light_effects for effect in now.light_effects
    )
    return "right" if is_right or set(now.green_holes) - set(before.green_holes) else None


def _find_wrong_advice(shown: Snapshot) -> set[tuple[str, int | None, str | None]]:
    return {(each.kind, each.seat, each.hole) for each in shown.advice if each.kind in _WRONG_KINDS}
