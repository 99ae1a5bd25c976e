"""The invitation to a remote game: a link with the club, the inviting board and a secret of 128 bits."""

import base64
import re
import secrets
from typing import NamedTuple

from companion.common.errors import SettingsError
from companion.common.private_file import PrivateValues

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
    if secret != known:
        saved.save({f"secret {name}": secret.hex(), f"sent {name}": None, f"received {name}": None})
    return secret
