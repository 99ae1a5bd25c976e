"""Looks after the disk the journal is on: what is wrong with it is told before the next move is lost to it."""

import os
import threading
from pathlib import Path

from companion.i18n import say
from companion.table.table import Table

LOOK_S = 1.0
LEAST = 256 * 1024
"""Bytes that must be free: a move takes some pages of the journal, and its log some more."""


class Storage:
    """A thread that looks every second, and tells the table what it finds."""

    def __init__(self, table: Table, folder: Path) -> None:
        self._table, self._folder = table, folder
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="storage", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Look no further. May be called twice."""
        self._closed.set()
        self._thread.join(2)

    def _run(self) -> None:
        while not self._closed.is_set():
            self._table.disk(fault(self._folder))
            self._closed.wait(LOOK_S)


def fault(folder: Path) -> str:
    """What stands in the way of keeping moves there, a sentence; empty where nothing does. Writes nothing."""
    try:
        disk = os.statvfs(folder)
    except OSError as error:
        return say("The journal's disk cannot be reached ({why}): no move can be kept.", why=error.strerror)
    if disk.f_flag & os.ST_RDONLY:
        return say("The journal's disk cannot be written any more: no move can be kept.")
    if disk.f_bavail * disk.f_frsize < LEAST or (disk.f_files and not disk.f_favail):
        return say("The disk is full: no move can be kept until there is room again.")
    return ""
