"""One session's talk with a house: discovery, how the table stands, what was earned, and buttons that it may press."""

import time
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.reporting import house
from companion.reporting.address import board_name, topic
from companion.settings import Report
from companion.snapshot import Snapshot
from companion.table.table import Table

if TYPE_CHECKING:
    from companion.reporting.connection import Connection, Message

PAUSE_S = 0.2
"""The table is told of at most so often: a house needs the newest only."""


class Household:
    """For the thread that reports, from the begin of a session to its end."""

    def __init__(self, line: "Connection", table: Table, report: Report) -> None:
        """Listen to the house; where it is to forget the board, take back what it was told."""
        self._line, self._table, self._report = line, table, report
        self._club, self._board = report.club, board_name(report)
        self._said: dict[str, str] = {}
        self._moves, self._next_s = table.snapshot.moves, 0.0
        self._press = topic(self._club, self._board, "press")
        if report.home_assistant == "remove":
            line.publish(house.config_topic(self._board), "", is_kept=True)
        elif report.home_assistant == "on":
            line.subscribe(house.STATUS, *([self._press] if report.buttons == "on" else []))

    def heard(self, message: "Message") -> bool:
        """Whether it was for the house."""
        if message.topic == house.STATUS:
            if message.payload == b"online":
                self._said.clear()
            return True
        if message.topic != self._press:
            return False
        pressed = message.payload.decode(errors="replace")
        if pressed in house.BUTTONS and not message.is_kept and self._report.buttons == "on":
            with suppress(CompanionError):
                self._table.pressed(pressed)
        return True

    def tell(self) -> None:
        """What is new since it was last told."""
        if self._report.home_assistant != "on" or time.monotonic() < self._next_s:
            return
        self._next_s = time.monotonic() + PAUSE_S
        shown: Snapshot = self._table.snapshot
        pressable = self._report.buttons == "on"
        self._kept(
            house.config_topic(self._board), house.discovery(self._club, self._board, shown, pressable=pressable)
        )
        self._kept(topic(self._club, self._board, "now"), house.now(shown))
        if shown.moves > self._moves and (told := house.award(shown)):
            self._line.publish(topic(self._club, self._board, "award"), told)
        self._moves = shown.moves

    def _kept(self, where: str, text: str) -> None:
        if self._said.get(where) != text:
            self._line.publish(where, text, is_kept=True)
            self._said[where] = text
