"""One HTTP exchange with a receiver in the network, limited as a whole: in time, in size, and to the address given."""

import http.client
import socket
import threading
import time
from contextlib import closing, suppress
from typing import NamedTuple
from urllib.parse import urlsplit

EXCHANGE_TIMEOUT_S = 5.0
"""Limit in s of a whole exchange, from connecting to the last byte of the answer."""
MAX_ANSWER_BYTES = 65536
"""Longer answers are cut."""


class HttpAnswer(NamedTuple):
    """Status and body; status 0 if there was no complete answer in time."""

    status: int = 0
    body: bytes = b""


def send_request(url: str, body: bytes | None, headers: dict[str, str]) -> HttpAnswer:
    """Send a body by POST, or GET without one. Redirects are not followed: they could lead to another machine."""
    parts = urlsplit(url)
    end_s = time.monotonic() + EXCHANGE_TIMEOUT_S
    connect = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        with closing(connect(parts.hostname or "", parts.port, timeout=EXCHANGE_TIMEOUT_S)) as connection:
            connection.connect()
            # The timeout of a socket begins again with each byte. This timer ends the exchange as a whole.
            timer = threading.Timer(max(0.0, end_s - time.monotonic()), _shut_down, (connection.sock,))
            timer.daemon = True
            timer.start()
            try:
                connection.request(
                    "GET" if body is None else "POST", target, body, {"Content-Type": "application/json", **headers}
                )
                answer = connection.getresponse()
                buffer = bytearray(MAX_ANSWER_BYTES)  # `read` would follow a chunk of -1 bytes without end
                return HttpAnswer(answer.status, bytes(buffer[: answer.readinto(buffer)]))
            finally:
                timer.cancel()
    except (OSError, ValueError, http.client.HTTPException):
        return HttpAnswer()


def _shut_down(connection_socket: socket.socket) -> None:
    with suppress(OSError):
        connection_socket.shutdown(socket.SHUT_RDWR)
