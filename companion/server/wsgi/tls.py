"""TLS for the pages, with a certificate that the owner gives, or our own (docs/how-to/use-tls.md)."""

import errno
import socket
import ssl
import threading
from typing import Any

from companion.common.errors import SettingsError


class TlsNotReady(Exception):
    """More bytes of the other side are needed before there is anything to read."""


class TlsSocket(ssl.SSLSocket):
    """An accepted connection that speaks TLS and never waits. The handshake is part of the first reads."""

    lock: threading.Lock
    """OpenSSL does not bear that one thread reads while another writes."""

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        """What has come. Raises Unready where that is no whole record yet."""
        try:
            with self.lock:
                return super().recv(buflen, flags)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            raise TlsNotReady from None

    def send(self, data: Any, flags: int = 0) -> int:
        """Send some of it. Raises BlockingIOError where there is no room now."""
        try:
            with self.lock:
                return super().send(data, flags)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            raise BlockingIOError(errno.EWOULDBLOCK, "no room now") from None


class TlsWrapper:
    """What makes an accepted socket one that speaks TLS."""

    def __init__(self, certificate: str, key: str) -> None:
        """PEM files. Raises SettingsError where these are no such pair."""
        self._files = certificate, key
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.sslsocket_class = TlsSocket
        self.reload_certificate()

    def reload_certificate(self) -> None:
        """Read the files again: who connects from now on is shown what they hold now. Raises SettingsError."""
        certificate, key = self._files
        try:
            self._context.load_cert_chain(certificate, key or None, password="")  # none is asked for on a terminal
        except (OSError, ValueError) as error:
            is_ssl = isinstance(error, ssl.SSLError)
            why = "they are no pair in PEM form without a password" if is_ssl else error.args[-1]
            raise SettingsError(f"The certificate {certificate} with the key {key} cannot be used: {why}.") from error

    def __call__(self, line: socket.socket) -> socket.socket:
        """The accepted socket, speaking TLS."""
        secured = self._context.wrap_socket(line, server_side=True, do_handshake_on_connect=False)
        assert isinstance(secured, TlsSocket)
        secured.lock = threading.Lock()
        return secured


wrapping = TlsWrapper
"""As a function: what makes an accepted socket one that speaks TLS."""
