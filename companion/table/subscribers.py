"""What follows a table: subscribers to its snapshots and moves, and a computer player that sees scans first."""

from collections import deque
from collections.abc import Callable, Iterator

from companion.common.snapshot import Snapshot

MAX_PENDING_MOVES = 200
"""Moves kept for a subscriber that does not take them."""


class ScanInterceptor:
    """A computer player that may take a scan or an undo for its hidden cards before the table applies it.

    Its methods are called under the table's lock and must not wait. These are those of no player.
    """

    def intercept_scan(self, code: str, *, is_new: bool) -> bool:  # noqa: ARG002
        """Return whether the scanned code is one of the player's own hidden cards.

        `is_new` is False for a card that stays on the reader. Raises CompanionError with a sentence for a notice.
        """
        return False

    def intercept_undo(self) -> bool:
        """Return whether an undo takes back the newest hidden card, or a discard, instead of a move."""
        return False

    def count_answers(self) -> int:
        """Return how many moves the player has made since the last move of a person."""
        return 0


class SnapshotSubscriber:
    """Receives the newest snapshot of a table; older ones are skipped."""

    def __init__(self, wait_for_snapshot: Callable[[int, float], Snapshot | None]) -> None:
        self._wait_for_snapshot = wait_for_snapshot
        self._number = -1

    def next_snapshot(self, timeout_s: float) -> Snapshot | None:
        """Wait for a snapshot newer than the last one returned, and return it; None after `timeout_s` or on closing.

        The first call returns the present snapshot at once.
        """
        snapshot = self._wait_for_snapshot(self._number, timeout_s)
        if snapshot is not None:
            self._number = snapshot.number
        return snapshot


class MoveSubscriber:
    """Receives the snapshot after every move. Of more than MAX_PENDING_MOVES moves, the oldest are skipped."""

    def __init__(self) -> None:
        self._pending: deque[Snapshot] = deque(maxlen=MAX_PENDING_MOVES)

    def add_snapshot(self, snapshot: Snapshot) -> None:
        """Add the snapshot after a move. Called under the table's lock."""
        self._pending.append(snapshot)

    def take_snapshots(self) -> Iterator[Snapshot]:
        """Yield the snapshots of the moves since the last call, the oldest first. For one thread."""
        while self._pending:
            yield self._pending.popleft()
