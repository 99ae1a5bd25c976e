"""Authenticated encryption between two tables that share the secret of an invitation (docs/reference/remote.md).

Each message has its own key, derived by HKDF-SHA256 from the secret, a random salt, the session, the sender and the
kind of message; ChaCha20-Poly1305 encrypts it. Its number is part of what is authenticated. Numbers only grow, also
over restarts, so an old message is refused.
"""

import secrets
from base64 import b64decode, b64encode

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from companion.common.errors import BadMove
from companion.common.files import PrivateValues
from companion.plugins.remote.invitation import MessageNumbers

NUMBERS_RESERVED = 100
"""Message numbers that one write to the file reserves."""
MAX_PAYLOAD_BYTES = 128 * 1024
_CONTEXT = "cribbage remote 2"
_VERSION = b"\2"
_SALT_BYTES, _NUMBER_BYTES, _NONCE_BYTES, _KEY_BYTES, _SESSION_BYTES = 16, 8, 12, 32, 8
_HEADER_BYTES = len(_VERSION) + _SALT_BYTES + _NUMBER_BYTES


class MessageRefused(BadMove):
    """A message that is not from the other table, was changed on the way, or is older than one that was accepted."""


class OldMessage(MessageRefused):
    """An authentic message that is older than one that was accepted."""


class SecureChannel:
    """Seals own messages and opens the other table's. For one thread."""

    def __init__(self, saved: PrivateValues, secret: bytes, *, is_host: bool) -> None:
        """`secret` is that of an invitation, whose message numbers are in `saved`."""
        self._secret, self._numbers = secret, MessageNumbers(saved, secret)
        self._last_sent = self._numbers.sent
        self._self, self._peer = ("host", "guest") if is_host else ("guest", "host")
        self.session = self._derive_key("session", None, _SESSION_BYTES).hex()
        """Public name of the session, for its topics. It does not reveal the secret."""

    def seal(self, kind: str, text: str) -> str:
        """Return the message as text. Raises NotSaved if its number cannot be saved."""
        if self._last_sent == self._numbers.sent:
            self._numbers.save(sent=self._last_sent + NUMBERS_RESERVED)
        self._last_sent += 1
        header = _VERSION + secrets.token_bytes(_SALT_BYTES) + self._last_sent.to_bytes(_NUMBER_BYTES, "big")
        cipher, nonce = self._create_cipher(self._self, kind, header)
        return b64encode(header + cipher.encrypt(nonce, text.encode(), header)).decode()

    def open(self, kind: str, payload: bytes) -> bytes:
        """Return the text of the other table's message. The newest one may come again. Raises MessageRefused.

        Raises NotSaved if its number cannot be saved.
        """
        try:
            message = b64decode(payload[:MAX_PAYLOAD_BYTES], validate=True)
            header, sealed = message[:_HEADER_BYTES], message[_HEADER_BYTES:]
            if len(header) < _HEADER_BYTES or not header.startswith(_VERSION):
                raise ValueError  # noqa: TRY301 - as b64decode
            cipher, nonce = self._create_cipher(self._peer, kind, header)
            text = bytes(cipher.decrypt(nonce, sealed, header))
        except (ValueError, InvalidTag) as error:
            raise MessageRefused("It is not from the other table, or it was changed on the way.") from error
        number, newest = int.from_bytes(header[-_NUMBER_BYTES:], "big"), self._numbers.received.get(kind, 0)
        if number < newest:
            raise OldMessage("It is older than the last one.")
        if number > newest:
            self._numbers.save(received={**self._numbers.received, kind: number})
        return text

    def _create_cipher(self, sender: str, kind: str, header: bytes) -> tuple[ChaCha20Poly1305, bytes]:
        salt, number = header[len(_VERSION) : -_NUMBER_BYTES], header[-_NUMBER_BYTES:]
        key = self._derive_key(f"{self.session} {sender} {kind}", salt, _KEY_BYTES)
        return ChaCha20Poly1305(key), number.rjust(_NONCE_BYTES, b"\0")

    def _derive_key(self, purpose: str, salt: bytes | None, length: int) -> bytes:
        info = f"{_CONTEXT} {purpose}".encode()
        return bytes(HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(self._secret))
