"""Connections on waitress: how many, for how long, and what of a body is kept (docs/reference/http.md#limits).

Nobody can shut the others out. Where there are too many connections, the one that has kept the server waiting
longest makes room. Rights are looked at when the head of a request is there: of a body that will be refused
nothing is kept.
"""

import socket
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from waitress.buffers import OverflowableBuffer
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask
from waitress.utilities import BadRequest, RequestEntityTooLarge

from companion.protocol.json_codec import dump_json
from companion.server.auth.permissions import MAX_BODY_BYTES
from companion.server.wsgi.tls import TlsNotReady

MAX_CONNECTIONS = 500
"""Connections in all."""
MAX_CONNECTIONS_PER_ADDRESS = 200
"""Connections from one address, of which a whole club may be behind one router."""

HEAD_TIMEOUT_S = 10.0
"""Time for the head of a request, from its first byte to its last."""
BODY_TIMEOUT_S = 10.0
"""Time for its body."""
IDLE_TIMEOUT_S = 60.0
"""Time from one request to the next, and before the first."""
LINGER_TIMEOUT_S = 5.0
"""How long what a refused client still sends is read and forgotten: else the system may drop our answer with it."""

_ACCEPT_BATCH = 50
"""Connections taken before those that are there are looked at again."""

_ERROR_MESSAGES = {
    431: "The headers of that request are too long.",
    501: "A body sent in that way cannot be read here.",
}


def normalize_ip(address: str) -> str:
    """An address as it is compared: without the zone, and IPv4 as itself where it comes in IPv6's clothes."""
    address = address.partition("%")[0]
    return address[7:] if address.startswith("::ffff:") and "." in address else address


class LimitedServer(TcpWSGIServer):  # type: ignore[misc]
    """Accepts connections within the limits, and closes those that are overdue."""

    is_player: Callable[[str], bool]
    """Whether a `Cookie` header is a player's."""
    proxy = ""
    """The address of a proxy that all come through, to whom the limit of one address does not apply."""
    wrap_socket: Callable[[socket.socket], socket.socket] | None = None
    """Makes an accepted socket one that speaks TLS."""

    def handle_accept(self) -> None:
        """Take connections that wait, many at once: behind those of who floods us may be somebody else's."""
        with suppress(OSError):  # it was gone before we came to it
            for _ in range(_ACCEPT_BATCH):
                found = self.accept()
                if found is None:
                    return
                self._open_channel(*found)

    def _open_channel(self, line: socket.socket, address: Any) -> None:
        if self._has_room(normalize_ip(str(address[0]))):
            self.set_socket_options(line)  # else an answer's body waits 40 ms for word that its head has come
            LimitedChannel(self, self.wrap_socket(line) if self.wrap_socket else line, address, self.adj, map=self._map)
        else:
            line.close()

    def maintenance(self, now: float) -> None:
        """Close what is overdue. Called about once a second."""
        super().maintenance(now)
        for each in self.active_channels.values():
            if each.overdue(time.monotonic()):
                each.will_close = True

    def _has_room(self, host: str) -> bool:
        """Whether one more may come in; the connection that has made us wait longest makes room where it must."""
        every = [each for each in self.active_channels.values() if not each.will_close]
        theirs = [each for each in every if each.host == host]
        if len(theirs) < MAX_CONNECTIONS_PER_ADDRESS or host == self.proxy:
            if len(every) < MAX_CONNECTIONS:
                return True
            busiest = Counter(each.host for each in every).most_common(1)[0][0]
            theirs = [each for each in every if each.host == busiest]
        waiting = [each for each in theirs if not each.requests]
        if waiting:
            min(waiting, key=lambda each: (each.served, each.since)).will_close = True
        return bool(waiting)


class LimitedChannel(HTTPChannel):  # type: ignore[misc]
    """One connection; knows since when its next request has been on the way."""

    has_sent_request = False
    """Whether it has ever sent a whole request."""
    close_when_flushed = will_close = False
    is_cut_short = False
    """The rest of what it sends is of no interest: it was answered without that."""

    def __init__(self, server: LimitedServer, line: Any, address: Any, adj: Any, map: Any) -> None:  # noqa: A002 - waitress's
        super().__init__(server, line, address, adj, map)
        self.host = normalize_ip(str(address[0]))
        self.since = time.monotonic()
        self._stage: tuple[Any, bool] = (None, False)

    parser_class = property(lambda self: partial(LimitedRequestParser, self))
    error_task_class = property(lambda _: JsonErrorTask)

    def is_overdue(self, now: float) -> bool:
        """Whether its next request has taken too long, or the end of the last one."""
        if self.requests:
            return False
        request, in_body = self._stage
        allowed = (
            LINGER_TIMEOUT_S
            if self.is_cut_short
            else IDLE_TIMEOUT_S
            if request is None
            else BODY_TIMEOUT_S
            if in_body
            else HEAD_TIMEOUT_S
        )
        return now - self.since > allowed

    def handle_read(self) -> None:
        """Take what waits in the line; nothing may, where the system's word was meant for one just closed."""
        with suppress(TlsNotReady):
            super().handle_read()

    def recv(self, size: int) -> bytes:
        """What has come. Raises Unready where nothing has."""
        try:
            return bytes(super().recv(size))
        except BlockingIOError:
            raise TlsNotReady from None

    def received(self, data: bytes) -> bool:
        """Take in what has come."""
        if self.is_cut_short:
            return False
        taken = bool(super().received(data))
        stage = self.request, self.request is not None and self.request.headers_finished
        if stage != self._stage:
            self._stage, self.since = stage, time.monotonic()
        return taken

    def handle_write(self) -> None:
        """Send what waits. After an answer that came before the end of its request, hear the client out."""
        if not (self.is_cut_short and self.close_when_flushed):
            super().handle_write()
            return
        self._flush_exception(self._flush_some)
        if self.will_close:
            self.handle_close()
        elif self.connected and not self.total_outbufs_len:
            self.close_when_flushed, self.since = False, time.monotonic()
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_WR)


class LimitedRequestParser(HTTPRequestParser):  # type: ignore[misc]
    """Has the application refuse what is too large, in its turn among the checks, and a bad request be told so."""

    def __init__(self, connection: LimitedChannel, adj: Any) -> None:
        super().__init__(adj)
        self._connection = connection

    def received(self, data: bytes) -> int:
        """Take in a part of the request; gives the bytes consumed."""
        headed = self.headers_finished
        try:
            consumed = int(super().received(data))
        except ValueError:  # a length of thousands of digits, an address that is none: the library lets these through
            self.error, self.completed = BadRequest(""), True
            consumed = len(data)
        if self.headers_finished and not headed and self.body_rcv is not None and not self.error:
            self._start_body()
        length = max(self.content_length, 0 if self.body_rcv is None else len(self.body_rcv))
        if isinstance(self.error, RequestEntityTooLarge) or (length > MAX_BODY_BYTES and not self.error):
            self.error = None
            self.headers["CONTENT_LENGTH"] = str(max(length, MAX_BODY_BYTES + 1))
            self._answer_early()
        if self.error or self._connection.is_cut_short:
            self._connection.is_cut_short = True
            return len(data)
        if self.completed and not self.empty:
            self._connection.has_sent_request, self._connection.since = True, time.monotonic()
        return consumed

    def _start_body(self) -> None:
        """Look at the rights: a watcher's body, which nobody will look at, is not waited for, or only counted."""
        if not self._connection.server.is_player(self.headers.get("COOKIE", "")):
            if self.chunked:  # its length decides which refusal it is
                self.body_rcv.buf = _CountingBuffer()
            else:
                self._answer_early()

    def _answer_early(self) -> None:
        self.completed, self.expect_continue = True, False
        self.headers["CONNECTION"] = "close"  # what follows on it is the rest of the body
        self._connection.is_cut_short = True


class JsonErrorTask(ErrorTask):  # type: ignore[misc]
    """The answer to what cannot be read as a request: a sentence like every other refusal."""

    def execute(self) -> None:
        """Answer, and hang up."""
        error = self.request.error
        self.status = f"{error.code} {error.reason}"
        body = dump_json(
            {"error": _ERROR_MESSAGES.get(error.code, "That is no request that can be read here.")}
        ).encode()
        headers = {"Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        self.response_headers.extend(headers.items())
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class _CountingBuffer(OverflowableBuffer):  # type: ignore[misc]
    """A body of which only the length is kept."""

    def __init__(self) -> None:
        super().__init__(0)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def append(self, data: bytes) -> None:
        """Count it."""
        self._length += len(data)
