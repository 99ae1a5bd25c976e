"""The seal: a small file beside the journal that tells how far it goes, so that a journal cut short is noticed.

SQLite drops a damaged or missing end in silence. The seal is written after each commit, and not waited for: after a
power cut it may be behind the journal, and never ahead of it.
"""

import os
from pathlib import Path
from typing import NamedTuple

from companion.table.ledger import Reached

_LENGTH = 96


class Seal(NamedTuple):
    """What was promised last. `strict`: whatever the journal has beyond it was refused."""

    last: int
    hash: str
    game: int
    moves: int
    strict: bool


def path_of(journal: Path) -> Path:
    """Where a journal's seal lies."""
    return journal.with_name(journal.name + "-seal")


def read(journal: Path) -> Seal | None:
    """The seal of a journal; None where there is none, or none that can be read."""
    try:
        last, found, game, moves, strict = path_of(journal).read_text("ascii").split()
        return Seal(int(last), found.strip("-"), int(game), int(moves), strict == "strict")
    except (OSError, ValueError):
        return None


class Sealing:
    """The seal of a journal that is open."""

    def __init__(self, journal: Path) -> None:
        self._file = os.open(path_of(journal), os.O_RDWR | os.O_CREAT, 0o644)

    def write(self, reached: Reached, *, strict: bool = False) -> None:
        """Tell how far the journal goes. Raises OSError."""
        words = (reached.last, reached.hash or "-", reached.game, reached.moves, "strict" if strict else "open")
        os.pwrite(self._file, " ".join(map(str, words)).ljust(_LENGTH - 1).encode() + b"\n", 0)

    def close(self) -> None:
        """Close the file. May be called twice."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1
