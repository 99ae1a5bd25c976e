"""Plays tunes on a buzzer, note after note. Pure; the buzzer is passed in."""

from firmware.wire import COUNTER_MASK

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has no collections.abc
    from collections.abc import Callable, Sequence


class TunePlayer:
    """Plays one tune at a time. `play_tone(hz)` sounds until the next call; 0 is silence."""

    def __init__(self, play_tone: "Callable[[int], object]") -> None:
        self._play_tone = play_tone
        self._notes: "list[tuple[int, int]]" = []
        self._until_ms: "int | None" = None

    def play(self, notes: "Sequence[tuple[int, int]]") -> None:
        """Play these notes instead of any others, each a frequency in Hz and a duration in ms."""
        self._notes = list(notes)
        self._until_ms = None

    def step(self, now_ms: int) -> None:
        """Begin the next note if it is time."""
        if self._until_ms is not None and self._until_ms - now_ms - 1 & COUNTER_MASK <= COUNTER_MASK >> 1:
            return
        if self._notes:
            hz, ms = self._notes.pop(0)
            self._play_tone(hz)
            self._until_ms = now_ms + ms
        elif self._until_ms is not None:
            self._play_tone(0)
            self._until_ms = None

    def is_silent(self) -> bool:
        """Return whether nothing is being played."""
        return not self._notes and self._until_ms is None
