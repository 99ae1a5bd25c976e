"""The thread that exchanges messages with the other table over an MQTT broker (docs/reference/remote.md).

Each table retains its sealed messages at the broker and subscribes to those of the other. A lost connection delays
nothing: moves are in the journal and are published when the broker is back.
"""

import logging
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from companion.common.errors import BadMove, CompanionError, JournalError
from companion.common.files import NotSaved, PrivateValues
from companion.i18n import format_message, join_messages
from companion.opponent.private_hands import PrivateHands
from companion.plugins.mqtt import ReportSettings
from companion.plugins.mqtt.broker_url import board_name, board_topic, load_credentials, parse_brokers
from companion.plugins.remote import messages
from companion.plugins.remote.dealer import RemoteDealer
from companion.plugins.remote.game import GameGuest, GameHost
from companion.plugins.remote.invitation import Invitation, load_secret, parse_invitation
from companion.plugins.remote.messages import MessageRefused, OldMessage, SecureChannel
from companion.settings import Settings
from companion.table.game_switcher import GameSwitcher
from companion.table.remote_game import GUEST_SEAT, HOST_SEAT, find_own_seat

if TYPE_CHECKING:  # our own thread imports the MQTT library, after the table has started
    from companion.plugins.mqtt.connection import MqttConnection, ReceivedMessage

POLL_INTERVAL_S = 0.03
"""Seconds between looks at the table."""
STATUS_INTERVAL_S = 0.2
"""Maximum seconds between updates of the displayed status."""
REPEAT_INTERVAL_S = 10.0
"""Seconds after which unchanged messages are published again, in case one was lost."""
URGENT_REPEAT_INTERVAL_S = 1.0
"""The same while the other table lacks a move or messages are refused: a flooded broker drops messages."""
MAX_WAIT_S = 1.0
"""Seconds after which a waiting move is displayed as waiting."""

_LOG = logging.getLogger(__name__)


class RemoteSession:
    """Session with the other table until it is closed. Raises SettingsError if no broker in the settings is usable."""

    invitation = ""
    """The link for the guest; empty at its table."""

    def __init__(
        self, tables: GameSwitcher, dealer: RemoteDealer, channel: SecureChannel, report: ReportSettings
    ) -> None:
        """`tables.remote_table` is the other table."""
        assert tables.remote_table is not None
        self._tables, self._table, self._dealer, self._channel = tables, tables.table, dealer, channel
        self.refused = 0
        """Number of messages that were refused because they are old, changed or not from the other table."""
        self._brokers, self._credentials = parse_brokers(report), load_credentials(report)
        self._club, self._own, self._other = report.club, board_name(report), tables.remote_table.board
        self._game = (GameHost if tables.remote_table.is_host else GameGuest)(tables, dealer)
        self._is_connected = self._is_peer_online = self._is_peer_known = False
        self._message_error = self._deal_error = ""
        self._sealed: dict[str, tuple[str, str]] = {}
        self._published: dict[str, str] = {}
        self._waiting_since_s: float | None = None
        self._closed = threading.Event()
        self._show_status()
        self._threads = [
            threading.Thread(target=target, name="remote", daemon=True) for target in (self._run, self._watch_status)
        ]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Say goodbye and stop the threads. May be called twice."""
        self._closed.set()
        for thread in self._threads:
            thread.join(2)

    def _run(self) -> None:
        from companion.plugins.mqtt.connection import BrokerLost, LastWill, MqttConnection, iterate_brokers  # noqa: PLC0415

        for broker in iterate_brokers(self._brokers, self._closed):
            try:
                self._sealed["here"] = "1", self._channel.seal("here", "1")  # its number is lower than that of the will
                will = LastWill(self._topic("here"), self._channel.seal("here", "0"))
                with MqttConnection(broker, self._credentials, will) as line:
                    self._exchange_messages(line)
            except BrokerLost:
                pass
            except NotSaved as error:
                self._deal_error = str(error)
            except Exception:  # a closed journal or a bug must not end the session
                if not self._closed.is_set():
                    _LOG.exception("The session with the other table failed.")
            self._is_connected = self._is_peer_online = False

    def _watch_status(self) -> None:
        """Update the displayed status, also while there is no broker."""
        listener = self._table.subscribe()
        while not self._closed.is_set() and not self._table.is_closed:
            listener.next_snapshot(STATUS_INTERVAL_S)
            self._show_status()

    def _exchange_messages(self, line: "MqttConnection") -> None:
        self._published, published_s, refused = {}, time.monotonic(), self.refused
        line.subscribe(*(self._topic(what, is_own=False) for what in ("here", "game")))
        self._is_connected = True
        while not self._closed.is_set():
            received = line.poll_messages(POLL_INTERVAL_S)
            for message in received:
                self._on_message(message)
            if received:
                self._name_peer(self._game.peer.name)
            if not self._advance_game():
                continue
            is_urgent = self.refused != refused or self._is_peer_behind()
            if time.monotonic() - published_s >= (URGENT_REPEAT_INTERVAL_S if is_urgent else REPEAT_INTERVAL_S):
                self._published, refused = {}, self.refused
            self._publish_if_changed(line, "here", "1")
            if self._publish_if_changed(line, "game", messages.format_game_message(self._build_game_message())):
                published_s = time.monotonic()
        line.publish(self._topic("here"), self._channel.seal("here", "0"), is_retained=True)

    def _advance_game(self) -> bool:
        """Do what is due at this table. Return whether its journal can be read and written."""
        deal_error = ""
        try:
            self._game.advance_game()
            if not self._game.why:
                self._dealer.advance_deal(self._game.run, self._game.log)
        except JournalError:  # the table reports it; try again later
            return False
        except CompanionError as error:
            deal_error = str(error)
        self._deal_error = deal_error
        return True

    def _build_game_message(self) -> messages.GameStateMessage:
        """Return the message on the game, with the name of the player at this table."""
        core = self._table.core
        seat = find_own_seat(core.plan)
        name = core.players[seat].name if seat < len(core.players) else ""
        return replace(self._game.build_message(), name=name, deals=self._dealer.state_deals())

    def _on_message(self, received: "ReceivedMessage") -> None:
        what = received.topic.rpartition("/")[2]
        try:
            text = self._channel.open(what, received.payload)
            if what == "here":
                self._is_peer_online, self._is_peer_known = text == b"1", True
                return
            message = messages.parse_game_message(text)
        except MessageRefused as error:
            if what != "here" or not isinstance(error, OldMessage):  # a last will may come late
                self._count_refused(error)
        except (BadMove, NotSaved) as error:
            self._message_error = str(error)
        else:
            self._game.peer = self._dealer.peer = message
            self._message_error = ""

    def _count_refused(self, error: MessageRefused) -> None:
        """Count a refused message; report the first, and log those whose count is a power of two."""
        self.refused += 1
        if not self.refused & (self.refused - 1):
            _LOG.warning("Refused %d messages in the name of the board %s. %s", self.refused, self._other, error)
        if self.refused == 1:
            notice = BadMove("A message in the name of {board} was ignored. {why}", board=self._other, why=error)
            self._table.add_notice("remote", notice)

    def _name_peer(self, name: str) -> None:
        """Give the other seat the name that it has at its own table."""
        core = self._table.core
        seat = GUEST_SEAT if find_own_seat(core.plan) == HOST_SEAT else HOST_SEAT
        if name and (len(core.players) <= seat or core.players[seat].name != name):
            with suppress(JournalError):
                self._tables.set_player(seat, name, None)

    def _is_peer_behind(self) -> bool:
        """Return whether the other table is connected and has not yet made the last move, or a requested one."""
        is_behind = self._game.peer.count != self._game.log.count or self._table.core.requested_moves
        return self._is_peer_online and bool(is_behind)

    def _publish_if_changed(self, line: "MqttConnection", what: str, text: str) -> bool:
        """Publish the message unless this text was published. Return whether it was not."""
        if self._sealed.get(what, ("", ""))[0] != text:
            self._sealed[what] = text, self._channel.seal(what, text)
        if self._published.get(what) == text:
            return False
        line.publish(self._topic(what), self._sealed[what][1], is_retained=True)
        self._published[what] = text
        return True

    def _problem_sentence(self) -> str:
        """Return the current problem as a sentence; empty if there is none."""
        if problem := self._message_error or self._game.why or self._deal_error:
            return format_message("The board {board}: {why}", board=self._other, why=problem)
        is_late = self._is_late()
        if self._is_peer_online and not is_late:
            return ""
        if not self._is_connected:
            why = format_message("No connection to the board {board}.", board=self._other)
        elif self._is_peer_online:
            why = format_message("The board {board} does not answer.", board=self._other)
        elif self._is_peer_known:
            why = format_message("The board {board} is offline.", board=self._other)
        else:
            why = format_message("Waiting for the board {board} to connect.", board=self._other)
        waits, kept = format_message("Your last move is waiting for it."), format_message("Your moves are saved.")
        return join_messages([why, waits if self._table.core.requested_moves else kept], " ")

    def _is_late(self) -> bool:
        """Return whether a move has waited longer than a normal round trip."""
        if not self._table.core.requested_moves:
            self._waiting_since_s = None
            return False
        self._waiting_since_s = self._waiting_since_s or time.monotonic()
        return time.monotonic() - self._waiting_since_s > MAX_WAIT_S

    def _show_status(self) -> None:
        """Show at this table whether the other is connected."""
        known, why = self._table.core.devices.get("remote"), self._problem_sentence()
        status = why or self._dealer.status_sentence()
        if known is None or (known.ok, known.say) != (not why, status):
            self._table.on_device("remote", not why, status, f"board:{self._other}")

    def _topic(self, what: str, *, is_own: bool = True) -> str:
        boards = (self._own, self._other) if is_own else (self._other, self._own)
        return board_topic(self._club, boards[0], "seat", boards[1], self._channel.session, what)


def start_remote_session(
    tables: GameSwitcher, hands: PrivateHands, settings: Settings, path: Path, chance: Random | None = None
) -> RemoteSession:
    """Start the session with the other table; `path` is the file of this table's secrets. Raises SettingsError."""
    other, saved, report = tables.remote_table, PrivateValues(path), settings.section("report")
    assert other is not None
    given = b"" if other.is_host else parse_invitation(settings.section("remote").join, report.club).secret
    name = f"{'to' if other.is_host else 'from'} {other.board}"
    secret = load_secret(saved, name, given, is_host=other.is_host)
    channel = SecureChannel(saved, secret, is_host=other.is_host)
    session = RemoteSession(tables, RemoteDealer(tables.table, hands, saved, chance), channel, report)
    if other.is_host:
        session.invitation = Invitation(report.club, board_name(report), secret).link
    return session
