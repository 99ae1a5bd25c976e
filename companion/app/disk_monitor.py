"""Monitors the journal's disk, so that a problem is reported before a move cannot be saved."""

import os
from pathlib import Path

from companion.common.worker import Worker
from companion.i18n import format_message
from companion.table.table import Table

CHECK_INTERVAL_S = 1.0
MIN_FREE_BYTES = 256 * 1024
"""Minimum free space in bytes. A move takes a few pages of the journal and of its log."""


class DiskMonitor(Worker):
    """Thread that checks the disk every second and reports problems to the table."""

    def __init__(self, table: Table, folder: Path) -> None:
        super().__init__("storage")
        self._table, self._folder = table, folder
        self.start()

    def _run(self) -> None:
        while not self.closing.is_set():
            self._table.on_disk_fault(describe_disk_fault(self._folder))
            self.closing.wait(CHECK_INTERVAL_S)


def describe_disk_fault(folder: Path) -> str:
    """Return why moves cannot be saved in this folder, or "". Writes nothing."""
    try:
        disk = os.statvfs(folder)
    except OSError as error:
        return format_message("Cannot reach the journal's disk ({why}). Moves cannot be saved.", why=error.strerror)
    if disk.f_flag & os.ST_RDONLY:
        return format_message("The journal's disk is read-only. Moves cannot be saved.")
    if disk.f_bavail * disk.f_frsize < MIN_FREE_BYTES or (disk.f_files and not disk.f_favail):
        return format_message("The disk is full. Free some space so that moves can be saved.")
    return ""
