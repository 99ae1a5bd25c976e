"""Waitress subclasses with limits on connections, times and bodies (docs/reference/http.md#limits).

At the limit, the connection that has kept the server waiting longest is closed to make room for a new one.
Permissions are checked as soon as the head of a request is complete, so a body that will be refused is not stored.
"""

import select
import socket
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from io import BytesIO
from typing import Any

from waitress.buffers import OverflowableBuffer, ReadOnlyFileBasedBuffer
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, WSGITask
from waitress.utilities import BadRequest, Error, RequestEntityTooLarge

from companion.http.client_address import client_network, normalize_ip
from companion.http.permissions import Permissions
from companion.http.wsgi.fair_queue import RequestTurn, TurnQueue
from companion.http.wsgi.tls import TlsNotReady
from companion.protocol.json_codec import dump_json

MAX_CONNECTIONS = 500
"""Maximum number of open connections."""
MAX_CONNECTIONS_PER_CLIENT = 200
"""Maximum number of connections from one address or IPv6 network. A club may share the address of its router."""

HEAD_TIMEOUT_S = 10.0
"""Time for the head of a request, from its first to its last byte."""
BODY_TIMEOUT_S = 10.0
"""Time for the body of a request."""
IDLE_TIMEOUT_S = 60.0
"""Time from one request to the next, and before the first."""
STALL_TIMEOUT_S = 2.0
"""Time during which a client may accept no byte of a response that waits for it."""
LINGER_TIMEOUT_S = 5.0
"""Time during which the rest of a refused request is read and discarded; otherwise the response could be lost."""

MAX_PHOTOS = 4
"""Maximum number of photographs that are received or read at the same time."""

FREE_THREAD_KEY = "companion.free_thread"
"""Key in the WSGI environment: a function that makes the request no longer count for its address, as it will last."""

_MAX_COPIED_BYTES = 16 * 1024
"""Larger parts of a response are sent from the application's own bytes, which all connections share."""
MAX_ARRIVALS = 200
"""Maximum number of accepted connections that wait to be opened. Beyond it, one of the busiest client is closed."""
MAX_OPENED_AT_ONCE = 8
"""Maximum number of connections opened before the open ones are served again."""

_ERROR_MESSAGES = {
    431: "The headers of the request are too long.",
    501: "This transfer encoding is not supported.",
    503: "Other photographs are being read. Try again.",
}
_UNREADABLE_MESSAGE = "The request cannot be read."


class LimitedServer(TcpWSGIServer):  # type: ignore[misc]
    """Accepts connections within the limits and closes overdue ones."""

    permissions: Permissions
    """Whether a browser with this `Cookie` header may POST to this path now."""
    proxy = ""
    """Address of a trusted proxy, to which the limit per address does not apply."""
    wrap_socket: Callable[[socket.socket], socket.socket] | None = None
    """Adds TLS to an accepted socket."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._arrivals: TurnQueue[tuple[socket.socket, Any]] = TurnQueue()

    def handle_accept(self) -> None:
        """Accept the connections that have arrived, so that those of others do not wait behind a flood of them."""
        had_arrivals = bool(self._arrivals)
        with suppress(OSError):  # the client has disconnected already
            for _ in range(MAX_ARRIVALS):
                accepted = self.accept()
                if accepted is None:
                    break
                self._arrivals.append(normalize_ip(str(accepted[1][0])), accepted)
                if len(self._arrivals) > MAX_ARRIVALS:
                    self._arrivals.pop_busiest()[0].close()
        if not had_arrivals:
            self._open_arrivals()

    def readable(self) -> bool:
        """Return whether to accept connections. Called each time before the open ones are served."""
        if self._arrivals:
            self._open_arrivals()
            self.trigger.pull_trigger()  # what was just opened is not watched before the next time
        return bool(super().readable())

    def _open_arrivals(self) -> None:
        for _ in range(min(len(self._arrivals), MAX_OPENED_AT_ONCE)):
            with suppress(OSError):  # the client has disconnected already
                self._open_channel(*self._arrivals.popleft())

    def close(self) -> None:
        """Stop listening, and close the accepted connections that were not opened."""
        while self._arrivals:
            self._arrivals.popleft()[0].close()
        super().close()

    def _open_channel(self, accepted: socket.socket, address: Any) -> None:
        if not self._has_room(normalize_ip(str(address[0]))):
            accepted.close()
            return
        self.set_socket_options(accepted)  # without TCP_NODELAY the body waits 40 ms for an acknowledgement
        secured = self.wrap_socket(accepted) if self.wrap_socket else accepted
        LimitedChannel(self, secured, address, self.adj, map=self._map)

    def add_task(self, task: "LimitedChannel") -> None:
        """Let a worker answer the request of this connection."""
        host = "" if task.host == self.proxy else task.host
        self.task_dispatcher.add_task(RequestTurn(task, host, self.task_dispatcher))

    def maintenance(self, now: float) -> None:
        """Close overdue connections. Called about once a second."""
        super().maintenance(now)
        for each in list(self.active_channels.values()):
            if each.is_stalled(time.monotonic()):
                each.handle_close()  # `will_close` would wait until the client reads
            elif each.is_overdue(time.monotonic()):
                each.will_close = True

    def count_photos(self) -> int:
        """Return the number of photographs that are being received, or wait to be read."""
        waiting = [each for channel in self.active_channels.values() for each in (channel.request, *channel.requests)]
        return sum(each is not None and each.is_photo for each in waiting)

    def _has_room(self, host: str) -> bool:
        """Return whether a connection from this host may be opened, after closing an idle one if necessary."""
        channels = [channel for channel in self.active_channels.values() if not channel.will_close]
        counts, client = Counter(channel.network for channel in channels), client_network(host)
        if counts[client] >= MAX_CONNECTIONS_PER_CLIENT and host != self.proxy:
            busiest = client
        elif len(channels) < MAX_CONNECTIONS:
            return True
        else:
            busiest = max(counts, key=lambda network: counts[network])
        waiting = [channel for channel in channels if channel.network == busiest and not channel.requests]
        if waiting:
            min(waiting, key=lambda channel: (channel.has_sent_request, channel.since)).will_close = True
        return bool(waiting)


class LimitedChannel(HTTPChannel):  # type: ignore[misc]
    """One connection, with the time since which the server has been waiting for its client."""

    has_sent_request = False
    """Whether the client has sent a complete request."""
    close_when_flushed = will_close = False
    is_cut_short = False
    """Whether a request was answered before its end; the rest is discarded."""
    backlog = b""
    """Received bytes that follow a request whose response has not been sent yet."""
    turn: RequestTurn
    """That of the request that is being answered."""

    def __init__(self, server: LimitedServer, accepted: Any, address: Any, adj: Any, map: Any) -> None:  # noqa: A002 - the name in waitress
        super().__init__(server, accepted, address, adj, map)
        self.host = normalize_ip(str(address[0]))
        self.network = client_network(self.host)
        self.since = self._sent_at = time.monotonic()
        self._stage: tuple[Any, bool] = (None, False)

    parser_class = property(lambda self: partial(LimitedRequestParser, self))
    task_class = property(lambda _: LimitedTask)
    error_task_class = property(lambda _: JsonErrorTask)

    @property
    def is_answering(self) -> bool:
        """Whether a request is being answered, or its response has not been sent completely."""
        return bool(self.requests or self.total_outbufs_len)

    def readable(self) -> bool:
        """Return whether to read. A client that sends more before its response has been read must wait."""
        return bool(self.connected and super().readable()) and not self.backlog

    def writable(self) -> bool:
        """Return whether there is something to send or, after that, a further request to parse."""
        return bool(self.connected and (super().writable() or (self.backlog and not self.requests)))

    def write_soon(self, data: Any) -> int:
        """Add a part of the response. Called by a worker thread, which waits only if an earlier part is unsent."""
        if not self.total_outbufs_len:
            self._sent_at = time.monotonic()
        if len(data) > _MAX_COPIED_BYTES:
            shared = ReadOnlyFileBasedBuffer(BytesIO(data))
            shared.prepare()
            data = shared
        return int(super().write_soon(data))

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send a part of the output; note that the client accepts it."""
        sent = super().send(data, do_close)
        if sent:
            self._sent_at = time.monotonic()
        return int(sent)

    def is_stalled(self, now: float) -> bool:
        """Return whether the client has accepted nothing of a response for `STALL_TIMEOUT_S`, and still does not.

        If its socket takes more bytes, this machine was too busy to send them.
        """
        if not self.total_outbufs_len or now - self._sent_at <= STALL_TIMEOUT_S:
            return False
        poll = select.poll()
        poll.register(self.socket, select.POLLOUT)
        return not poll.poll(0)

    def is_overdue(self, now: float) -> bool:
        """Return whether the client has exceeded the time for its current stage."""
        if self.requests:
            return False
        request, in_body = self._stage
        if self.is_cut_short:
            allowed_s = LINGER_TIMEOUT_S
        elif request is None or self.backlog:
            allowed_s = IDLE_TIMEOUT_S
        else:
            allowed_s = BODY_TIMEOUT_S if in_body else HEAD_TIMEOUT_S
        return now - self.since > allowed_s

    def handle_read(self) -> None:
        """Read what has arrived. There may be nothing: poll() may have meant a socket that was just closed."""
        with suppress(TlsNotReady):
            super().handle_read()

    def recv(self, size: int) -> bytes:
        """Return received bytes. Raises TlsNotReady if there are none."""
        try:
            return bytes(super().recv(size))
        except BlockingIOError:
            raise TlsNotReady from None

    def received(self, data: bytes) -> bool:
        """Handle received bytes; note when a new stage of a request begins. Overrides waitress."""
        if self.is_cut_short:
            return False
        is_handled = bool(super().received(data))
        stage = self.request, self.request is not None and self.request.headers_finished
        if stage != self._stage:
            self._stage, self.since = stage, time.monotonic()
        return is_handled

    def handle_write(self) -> None:
        """Send the response. After an early response, stop sending but keep reading until LINGER_TIMEOUT_S."""
        if not (self.is_cut_short and self.close_when_flushed):
            super().handle_write()
            if self.backlog and self.connected and not self.is_answering:
                data, self.backlog, self.since = self.backlog, b"", time.monotonic()
                self.received(data)
            return
        self._flush_exception(self._flush_some)
        if self.will_close:
            self.handle_close()
        elif self.connected and not self.total_outbufs_len:
            self.close_when_flushed, self.since = False, time.monotonic()
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_WR)


class TooManyPhotos(Error):  # type: ignore[misc]
    """Photographs are kept in memory while they are received and read."""

    code = 503
    reason = "Service Unavailable"


class LimitedRequestParser(HTTPRequestParser):  # type: ignore[misc]
    """Passes requests that are too large to the application, which refuses them like any other request."""

    path = ""  # an unreadable request has none
    is_photo = False
    """Whether this is a photograph of a player, which is kept in memory."""

    def __init__(self, channel: LimitedChannel, adj: Any) -> None:
        super().__init__(adj)
        self._channel = channel

    def received(self, data: bytes) -> int:
        """Parse a part of the request; return the number of bytes consumed. Overrides waitress.

        While an earlier request is being answered, the part is kept for later.
        """
        if self._channel.is_answering:
            self._channel.backlog += data
            return len(data)
        had_headers = self.headers_finished
        try:
            consumed = int(super().received(data))
        except ValueError:  # waitress does not catch a length of thousands of digits or an invalid address
            self.error, self.completed = BadRequest(""), True
            consumed = len(data)
        if self.headers_finished and not had_headers and self.body_rcv is not None and not self.error:
            self._start_body()
        most = self._channel.server.permissions.max_body_bytes(self.path)
        length = max(self.content_length, 0 if self.body_rcv is None else len(self.body_rcv))
        if isinstance(self.error, RequestEntityTooLarge) or (length > most and not self.error):
            self.error = None
            self.headers["CONTENT_LENGTH"] = str(max(length, most + 1))
            self._answer_early()
        if self.error or self._channel.is_cut_short:
            self._channel.is_cut_short = True
            return len(data)
        if self.completed and not self.empty:
            self._channel.has_sent_request, self._channel.since = True, time.monotonic()
        return consumed

    def _start_body(self) -> None:
        """Do not store the body of a watcher whose request will be refused."""
        if not self._channel.server.permissions.may_post(self.headers.get("COOKIE", ""), self.path):
            if self.chunked:  # the length decides which refusal it is
                self.body_rcv.buf = _CountingBuffer()
            else:
                self._answer_early()
        elif self._channel.server.permissions.takes_photo(self.path):
            self.is_photo = self._channel.server.count_photos() < MAX_PHOTOS
            if not self.is_photo:
                self.error, self.completed = TooManyPhotos(""), True

    def _answer_early(self) -> None:
        self.completed, self.expect_continue = True, False
        self.headers["CONNECTION"] = "close"  # the rest of the body follows on this connection
        self._channel.is_cut_short = True


class LimitedTask(WSGITask):  # type: ignore[misc]
    """Lets the application say that its response will last, such as a stream."""

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ[FREE_THREAD_KEY] = self.channel.turn.free_thread
        return environ


class JsonErrorTask(ErrorTask):  # type: ignore[misc]
    """Answers an unreadable request with an error in JSON."""

    def execute(self) -> None:
        """Send the response and close the connection."""
        error = self.request.error
        self.status = f"{error.code} {error.reason}"
        body = dump_json({"error": _ERROR_MESSAGES.get(error.code, _UNREADABLE_MESSAGE)}).encode()
        headers = {"Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        self.response_headers.extend(headers.items())
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class _CountingBuffer(OverflowableBuffer):  # type: ignore[misc]
    """Discards the body and keeps its length."""

    def __init__(self) -> None:
        super().__init__(0)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def append(self, data: bytes) -> None:
        self._length += len(data)
