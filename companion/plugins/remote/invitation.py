"""The invitation to a remote game, its secret, and the other table that the settings name.

An invitation is a link with the club, the inviting board and a secret of 128 bits. The numbers of the messages belong
to the secret: an invitation that returns after another goes on with its own.
"""

import base64
import hashlib
import re
import secrets
from importlib.util import find_spec
from typing import Any, NamedTuple

from companion.common.errors import SettingsError
from companion.common.files import PrivateValues
from companion.common.process import missing_extra
from companion.settings import Settings
from companion.table.setup import RemoteTable

MAX_INVITATIONS_KEPT = 100
"""Number of invitations whose message numbers are kept: those that were used last."""
_NUMBERS = "numbers"
_LINK_PATTERN = re.compile(r"cribbage://([A-Za-z0-9_-]{1,64})/([A-Za-z0-9_-]{1,64})(?:#([A-Za-z0-9_-]{22}))?")


class Invitation(NamedTuple):
    """An invitation. A person who knows the secret can play in the guest's place, or in the host's."""

    club: str
    board: str
    secret: bytes

    @property
    def link(self) -> str:
        """The invitation as a link. The secret is its fragment."""
        return f"cribbage://{self.club}/{self.board}#{base64.urlsafe_b64encode(self.secret).decode().rstrip('=')}"


def parse_invitation(text: str, club: str) -> Invitation:
    """Return the invitation of a link, or of a board's name; then the secret is empty. Raises SettingsError."""
    found = _LINK_PATTERN.fullmatch(text if "/" in text else f"cribbage://{club}/{text}")
    if not found:
        raise SettingsError("Give the whole invitation: the link that begins with cribbage://.")
    if found[1] != club:
        raise SettingsError("This invitation is for the club {club}: set report.club.", club=found[1])
    return Invitation(found[1], found[2], base64.urlsafe_b64decode(f"{found[3]}==") if found[3] else b"")


def load_secret(saved: PrivateValues, name: str, given: bytes, *, is_host: bool) -> bytes:
    """Return the secret of the invitation `name`: `given` to the guest, or saved, or new. Raises SettingsError."""
    known = bytes.fromhex(saved.load(f"secret {name}") or "")
    secret = given or known or (secrets.token_bytes(16) if is_host else b"")
    if not secret:
        raise SettingsError("Start with the whole invitation once: the link that begins with cribbage://.")
    old = {kind: saved.load(f"{kind} {name}") for kind in ("sent", "received")}
    if any(old.values()):  # of an older version, which kept them by name
        MessageNumbers(saved, known).save(**old)
        saved.save({f"{kind} {name}": None for kind in old})
    if secret != known:
        saved.save({f"secret {name}": secret.hex()})
    return secret


class MessageNumbers:
    """The last message numbers of an invitation, kept by its secret. For one thread."""

    def __init__(self, saved: PrivateValues, secret: bytes) -> None:
        self._saved, self._key = saved, hashlib.sha256(b"numbers" + secret).hexdigest()[:16]
        numbers = (saved.load(_NUMBERS) or {}).get(self._key, {})
        self.sent = int(numbers.get("sent") or 0)
        """The last number that may have been sent."""
        self.received: dict[str, int] = dict(numbers.get("received") or {})
        """The last number of each kind of message that was read."""

    def save(self, **changes: Any) -> None:
        """Change `sent` or `received`, durable on return. Raises NotSaved with nothing changed."""
        values = {"sent": self.sent, "received": self.received, **changes}
        kept = {key: numbers for key, numbers in (self._saved.load(_NUMBERS) or {}).items() if key != self._key}
        newest = [*kept.items(), (self._key, values)][-MAX_INVITATIONS_KEPT:]
        self._saved.save({_NUMBERS: dict(newest)})
        self.sent, self.received = values["sent"], values["received"]


def find_remote_peer(settings: Settings) -> RemoteTable | None:
    """Return the other table named in the settings; None if there is none. Raises SettingsError."""
    invite, join = settings.section("remote").invite, settings.section("remote").join
    if not invite and not join:
        return None
    if invite and join:
        raise SettingsError("Use either --invite or --join, not both.")
    if not settings.section("report").brokers:
        raise SettingsError("A remote game needs an MQTT broker: set report.brokers.")
    if find_spec("paho") is None or find_spec("cryptography") is None:
        raise SettingsError(missing_extra("mqtt"))
    from companion.plugins.mqtt.broker_url import board_name  # noqa: PLC0415

    board = invite or parse_invitation(join, settings.section("report").club).board
    if board_name(settings.section("report")) == board:
        raise SettingsError(
            "This board is itself called {board}: give the name of the other board, or set report.board.", board=board
        )
    return RemoteTable(board, is_host=bool(invite))
