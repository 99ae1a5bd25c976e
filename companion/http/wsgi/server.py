"""The waitress server in a thread of this process."""

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

from companion.common.errors import CompanionError
from companion.http.permissions import MAX_PHOTO_BYTES, PERMISSIONS_EXTENSION
from companion.http.wsgi.fair_queue import FairDispatcher
from companion.http.wsgi.limits import MAX_CONNECTIONS, LimitedServer

WORKER_THREADS = 72
"""Number of threads that answer requests. An event stream occupies one as long as it is open."""
RESERVED_THREADS = 8
"""Number of worker threads that event streams must leave to other requests."""

_MAX_UNSENT_BYTES = 64 * 1024
"""Maximum number of bytes buffered for a client that does not read."""

MAX_HEAD_BYTES = 32 * 1024
"""Maximum size of the head of a request. Long lists of languages or encodings take seconds to parse."""
_FORWARDED_HEADERS = {"x-forwarded-for", "x-forwarded-proto"}

_CLOSE_TIMEOUT_S = 10.0
"""Longest wait in s for the connections to be closed. A busy machine needs more than one."""

SocketWrapper = Callable[[socket.socket], socket.socket]
"""Returns the TLS socket of an accepted socket."""


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens at this address. Raises CompanionError if the address cannot be used.

    An empty host means all addresses of this machine, port 0 any free port.
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
            found.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)  # `::` accepts IPv4 as well
        found.bind(address)
        found.listen(4096)  # a flood must not fill the queue while this machine is busy
    except (OSError, UnicodeError) as error:
        if found:
            found.close()
        raise CompanionError(_listen_error_message(host, port, error)) from error
    return found


class ServerThread:
    """Serves an application at a socket returned by `listen`."""

    def __init__(
        self, app: Flask, listening: socket.socket, *, wrap: SocketWrapper | None = None, proxy: str = ""
    ) -> None:
        """Start serving.

        `wrap` adds TLS to each connection. `proxy` is the address of a proxy whose `X-Forwarded-*` headers are trusted.
        """
        logging.getLogger("waitress").setLevel(logging.CRITICAL)  # it logs each client that hangs up
        self.port: int = listening.getsockname()[1]
        self._open: dict[int, Any] = {}
        settings = Adjustments(
            sockets=[listening],
            connection_limit=2 * MAX_CONNECTIONS,  # not reached: the limits of LimitedServer come first
            cleanup_interval=1,
            channel_request_lookahead=1,  # lets a stream notice that its client has disconnected
            outbuf_high_watermark=_MAX_UNSENT_BYTES,
            max_request_body_size=2 * MAX_PHOTO_BYTES,  # LimitedRequestParser has the limits
            max_request_header_size=MAX_HEAD_BYTES,
            inbuf_overflow=2 * MAX_PHOTO_BYTES,  # never spool to disk
            recv_bytes=16 * 1024,
            asyncore_use_poll=True,
            ident=None,
            log_socket_errors=False,
            url_scheme="https" if wrap else "http",
            **({"trusted_proxy": proxy, "trusted_proxy_headers": _FORWARDED_HEADERS} if proxy else {}),
        )
        workers = FairDispatcher()
        workers.set_thread_count(WORKER_THREADS)
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
        self._server.permissions = app.extensions[PERMISSIONS_EXTENSION]
        self._thread = threading.Thread(target=self._server.run, name="waitress", daemon=True)
        self._thread.start()

    def is_responsive(self, timeout_s: float) -> bool:
        """Return whether the thread that watches the connections reacts within this time."""
        woken = threading.Event()
        with contextlib.suppress(OSError):
            self._server.trigger.pull_trigger(woken.set)
        return woken.wait(timeout_s)

    def close(self) -> None:
        """Stop the workers and close all connections. May be called twice."""
        self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=1)
        if self._open:  # only the thread that watches the connections may close them
            with contextlib.suppress(OSError):  # a worker may have closed the trigger first
                self._server.trigger.pull_trigger(lambda: wasyncore.close_all(self._open, ignore_all=True))
            self._thread.join(_CLOSE_TIMEOUT_S)


def _listen_error_message(host: str, port: int, error: Exception) -> str:
    """Return why the address cannot be used and what to do."""
    number = getattr(error, "errno", None)
    if isinstance(error, socket.gaierror | UnicodeError) or number == errno.EADDRNOTAVAIL:
        return f"This machine has no address {host}. Leave out --host to listen at all of its addresses."
    if number == errno.EADDRINUSE:
        return f"Port {port} of the address {host} is taken. Another table may be running: try --port."
    if number == errno.EACCES:
        return f"Port {port} needs the rights of an administrator. Choose one from 1024 with --port."
    return f"Cannot listen at port {port} of {host}: {getattr(error, 'strerror', None) or 'the address is invalid'}."


def _enable_keepalive(listening: socket.socket) -> None:
    """Let the system probe silent connections after 5 s and drop them within 20 s. Accepted sockets inherit this."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 5), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 2), ("TCP_USER_TIMEOUT", 15_000)):
        if hasattr(socket, name):  # not every system has all of them
            listening.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
