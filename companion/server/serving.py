"""waitress in the companion's own process, in a thread that can be closed at once."""

import contextlib
import logging
import socket
import threading
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import create_server
from waitress.task import ErrorTask
from waitress.utilities import BadRequest, RequestEntityTooLarge

from companion.codec import dumps
from companion.errors import CompanionError
from companion.server.stream import MOST_STREAMS

_SPARE_THREADS = 12
"""Threads that are never a stream's: the page answers however many listen."""

_MOST_CONNECTIONS = 500

_MOST_UNSENT = 64 * 1024
"""Bytes that wait for a listener who does not read; a sleeping phone is not owed every snapshot it missed."""

_LARGEST_REQUEST = 64 * 1024 * 1024
"""Nothing beyond is read, so that nobody fills the disk; what is too large for a move the application says."""

_UNREADABLE = {431: "The headers of that request are too long.", 501: "A body sent in that way cannot be read here."}


def listen(host: str, port: int) -> socket.socket:
    """The address to serve at, taken before anything else is touched. Raises CompanionError where it is not to be had.

    An empty host is every address of this machine; port 0 is any free one.
    """
    found: socket.socket | None = None
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        found = socket.socket(family, kind, proto)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _watched(found)
        found.bind(address)
        found.listen(1024)
    except (OSError, UnicodeError) as error:
        if found:
            found.close()
        why = getattr(error, "strerror", None) or "that is no address"
        raise CompanionError(
            f"The address {host}, port {port}, cannot be used ({why}). Another table may be running: try --port."
        ) from error
    return found


class Serving:
    """A served application, at a socket that `listen` has given."""

    def __init__(self, app: Flask, listening: socket.socket) -> None:
        logging.getLogger("waitress").setLevel(logging.CRITICAL)  # clients that hang up are no news
        self.port: int = listening.getsockname()[1]
        self._open: dict[int, Any] = {}
        self._server = create_server(
            app,
            map=self._open,
            sockets=[listening],
            threads=MOST_STREAMS + _SPARE_THREADS,
            connection_limit=_MOST_CONNECTIONS,
            channel_request_lookahead=1,  # lets a stream see that its listener has gone
            outbuf_high_watermark=_MOST_UNSENT,
            max_request_body_size=_LARGEST_REQUEST,
            asyncore_use_poll=True,
            ident=None,
            log_socket_errors=False,
        )
        self._server.channel_class = _Channel
        self._thread = threading.Thread(target=self._server.run, name="waitress", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Let the workers finish, then close every connection. May be called twice."""
        self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=1)
        if self._open:  # closed in the thread that watches them: another would close them under its eyes
            with contextlib.suppress(OSError):  # a worker's own pull may have had it done, the trigger closed as well
                self._server.trigger.pull_trigger(lambda: wasyncore.close_all(self._open, ignore_all=True))
            self._thread.join(1)


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    """Has the application refuse what is too large, in its turn among the checks, and a bad request be told so."""

    def received(self, data: bytes) -> int:
        """Take in a part of the request; gives the bytes consumed."""
        try:
            consumed = int(super().received(data))
        except ValueError:  # a length of thousands of digits, an address that is none: the library lets these through
            self.error, self.completed = BadRequest(""), True
            return len(data)
        if isinstance(self.error, RequestEntityTooLarge):
            self.error = None
            self.headers["CONNECTION"] = "close"  # what follows on it is the rest of the body
            self.headers["CONTENT_LENGTH"] = str(max(self.content_length, self.body_bytes_received))
        return consumed


class _Refusal(ErrorTask):  # type: ignore[misc]
    """The answer to what cannot be read as a request: a sentence like every other refusal."""

    def execute(self) -> None:
        """Answer, and hang up."""
        error = self.request.error
        self.status = f"{error.code} {error.reason}"
        body = dumps({"error": _UNREADABLE.get(error.code, "That is no request that can be read here.")}).encode()
        headers = {"Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        self.response_headers.extend(headers.items())
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class _Channel(HTTPChannel):  # type: ignore[misc]
    """A connection that reads and refuses in our way."""

    parser_class = _Parser
    error_task_class = _Refusal


def _watched(listening: socket.socket) -> None:
    """A phone that left the network without a word is asked for after 5 s and given up within 20, by the system."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)  # what is accepted here inherits these
    for name, value in (("TCP_KEEPIDLE", 5), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 2), ("TCP_USER_TIMEOUT", 15_000)):
        if hasattr(socket, name):  # not every system has each
            listening.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
