"""TLS sockets for the server thread (docs/how-to/use-tls.md)."""

import errno
import socket
import ssl
import threading
from typing import Any

from companion.common.errors import SettingsError


class TlsNotReady(Exception):
    """No complete TLS record has arrived yet."""


class TlsSocket(ssl.SSLSocket):
    """A non-blocking TLS connection. The first reads perform the handshake."""

    lock: threading.Lock
    """OpenSSL does not allow one thread to read while another writes."""

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        """Return received bytes. Raises TlsNotReady if there is no complete record."""
        try:
            with self.lock:
                return super().recv(buflen, flags)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            raise TlsNotReady from None

    def send(self, data: Any, flags: int = 0) -> int:
        """Send a part of the data; return its size. Raises BlockingIOError if the buffer is full."""
        try:
            with self.lock:
                return super().send(data, flags)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            raise BlockingIOError(errno.EWOULDBLOCK, "the send buffer is full") from None


class TlsWrapper:
    """Wraps accepted sockets in TLS; an instance is a `SocketWrapper`."""

    def __init__(self, certificate: str, key: str) -> None:
        """`certificate` and `key` are paths of PEM files. Raises SettingsError if they cannot be used."""
        self._paths = certificate, key
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.sslsocket_class = TlsSocket
        self.reload_certificate()

    def reload_certificate(self) -> None:
        """Read the files again for connections accepted from now on. Raises SettingsError."""
        certificate, key = self._paths
        try:
            self._context.load_cert_chain(certificate, key or None, password="")  # do not prompt for a password
        except (OSError, ValueError) as error:
            is_ssl = isinstance(error, ssl.SSLError)
            why = "they are not a matching pair of PEM files without a password" if is_ssl else error.args[-1]
            raise SettingsError(f"Cannot use the certificate {certificate} with the key {key}: {why}.") from error

    def __call__(self, accepted: socket.socket) -> socket.socket:
        secured = self._context.wrap_socket(accepted, server_side=True, do_handshake_on_connect=False)
        assert isinstance(secured, TlsSocket)
        secured.lock = threading.Lock()
        return secured
