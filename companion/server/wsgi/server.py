"""waitress in the companion's own process, in a thread that can be closed at once."""

import contextlib
import errno
import logging
import socket
import threading
from collections.abc import Callable
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.task import ThreadedTaskDispatcher

from companion.common.errors import CompanionError
from companion.server.auth.permissions import MAX_BODY_BYTES, PERMISSIONS_EXTENSION
from companion.server.sse import MAX_STREAMS
from companion.server.wsgi.limits import MAX_CONNECTIONS, LimitedServer

_SPARE_THREADS = 8
"""Threads that are never a stream's: the page answers however many listen."""

_MAX_UNSENT_BYTES = 64 * 1024
"""Bytes that wait for a listener who does not read; a sleeping phone is not owed every snapshot it missed."""

_FORWARDED_HEADERS = {"x-forwarded-for", "x-forwarded-proto"}

SocketWrapper = Callable[[socket.socket], socket.socket]


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
        _enable_keepalive(found)
        if family == socket.AF_INET6:
            found.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)  # `::` is IPv4's addresses too
        found.bind(address)
        found.listen(1024)
    except (OSError, UnicodeError) as error:
        if found:
            found.close()
        raise CompanionError(_listen_error_message(host, port, error)) from error
    return found


class ServerThread:
    """A served application, at a socket that `listen` has given."""

    def __init__(
        self, app: Flask, listening: socket.socket, *, wrap: SocketWrapper | None = None, proxy: str = ""
    ) -> None:
        """`wrap` makes each connection speak TLS; `proxy` is the address of one that is believed who asks, and how."""
        logging.getLogger("waitress").setLevel(logging.CRITICAL)  # clients that hang up are no news
        self.port: int = listening.getsockname()[1]
        self._open: dict[int, Any] = {}
        settings = Adjustments(
            sockets=[listening],
            connection_limit=2 * MAX_CONNECTIONS,  # never reached: our own limits hold before
            cleanup_interval=1,
            channel_request_lookahead=1,  # lets a stream see that its listener has gone
            outbuf_high_watermark=_MAX_UNSENT_BYTES,
            max_request_body_size=8 * MAX_BODY_BYTES,  # with all that chunks write around it
            inbuf_overflow=2 * MAX_BODY_BYTES,  # nothing is spooled to the disk
            recv_bytes=16 * 1024,
            asyncore_use_poll=True,
            ident=None,
            log_socket_errors=False,
            url_scheme="https" if wrap else "http",
            **({"trusted_proxy": proxy, "trusted_proxy_headers": _FORWARDED_HEADERS} if proxy else {}),
        )
        workers = ThreadedTaskDispatcher()
        workers.set_thread_count(MAX_STREAMS + _SPARE_THREADS)
        self._server = LimitedServer(
            app,
            map=self._open,
            _sock=listening,
            dispatcher=workers,
            adj=settings,
            bind_socket=False,
            sockinfo=(listening.family, listening.type, listening.proto, listening.getsockname()),
        )
        self._server.proxy, self._server.wrap_socket = proxy, wrap
        self._server.is_player = app.extensions[PERMISSIONS_EXTENSION].is_players
        self._thread = threading.Thread(target=self._server.run, name="waitress", daemon=True)
        self._thread.start()

    def is_responsive(self, timeout_s: float) -> bool:
        """Whether the thread that watches the connections still runs its rounds."""
        heard = threading.Event()
        with contextlib.suppress(OSError):
            self._server.trigger.pull_trigger(heard.set)
        return heard.wait(timeout_s)

    def close(self) -> None:
        """Let the workers finish, then close every connection. May be called twice."""
        self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=1)
        if self._open:  # closed in the thread that watches them: another would close them under its eyes
            with contextlib.suppress(OSError):  # a worker's own pull may have had it done, the trigger closed as well
                self._server.trigger.pull_trigger(lambda: wasyncore.close_all(self._open, ignore_all=True))
            self._thread.join(1)


def _listen_error_message(host: str, port: int, error: Exception) -> str:
    """Why nobody can listen there, and what can be done."""
    number = getattr(error, "errno", None)
    if isinstance(error, socket.gaierror | UnicodeError) or number == errno.EADDRNOTAVAIL:
        return f"There is no address {host} on this machine: leave out --host, and it is found at all of its own."
    if number == errno.EADDRINUSE:
        return (
            f"The address {host}, port {port}, cannot be used (it is taken). Another table may be running: try --port."
        )
    if number == errno.EACCES:
        return f"Port {port} is not for everybody: name one from 1024 on with --port."
    return f"The address {host}, port {port}, cannot be used: {getattr(error, 'strerror', None) or 'it is none'}."


def _enable_keepalive(listening: socket.socket) -> None:
    """A phone that left the network without a word is asked for after 5 s and given up within 20, by the system."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)  # what is accepted here inherits these
    for name, value in (("TCP_KEEPIDLE", 5), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 2), ("TCP_USER_TIMEOUT", 15_000)):
        if hasattr(socket, name):  # not every system has each
            listening.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
