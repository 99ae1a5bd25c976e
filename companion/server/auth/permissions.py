"""Who may do what: watchers look, players (who have opened the join link once) move. And what every POST must pass.

The checks stand in the order of docs/reference/http.md#refusals; the first that fails answers. Knows requests, no
games.
"""

import hmac
import ipaddress
import os
import re
import secrets
import socket
from pathlib import Path

from flask import Request
from werkzeug.exceptions import Forbidden, HTTPException, RequestEntityTooLarge, UnsupportedMediaType
from werkzeug.http import parse_cookie

from companion.common.errors import CompanionError
from companion.i18n import format_message
from companion.server.auth.sessions import SessionStore

PLAYER_COOKIE = "companion_player"
PERMISSIONS_EXTENSION = "rights"
"""Where the application carries its `Rights`, for the server that looks at them before a body is read."""
MAX_BODY_BYTES = 16 * 1024
"""A move is small; whatever is larger is none."""

_KEY_BYTES = 18
_ONE_YEAR_S = 31_536_000
_PORT_SUFFIX = re.compile(r":\d{1,5}$")


class MisdirectedRequest(HTTPException):
    """The request names a host that this table is not: a page elsewhere may be using a visitor's browser."""

    code = 421
    description = format_message("This table does not answer to that host name; --allow-host adds one.")


def load_key(path: Path) -> str:
    """The players' key, kept in a file that only its owner may read; made at the first start."""
    try:
        if not path.exists():
            _write_key(path, secrets.token_urlsafe(_KEY_BYTES))
        key = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CompanionError(
            "The players' key in {path} cannot be read or made: {error}.", path=path, error=error
        ) from error
    if not re.fullmatch(r"[A-Za-z0-9_-]{16,}", key):
        raise CompanionError("The file {path} holds no players' key: delete it, and a new one is made.", path=path)
    return key


def _write_key(path: Path, key: str) -> None:
    """Raises OSError with the file as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = path.with_suffix(f".{os.getpid()}.new")
    made.unlink(missing_ok=True)
    with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as out:
        out.write(key)
        out.flush()
        os.fsync(out.fileno())
    made.replace(path)


class Permissions:
    """The key and the names this table answers to."""

    def __init__(self, key: str, hosts: frozenset[str], phones: SessionStore, kept: Path | None = None) -> None:
        """`hosts`: further names, beside addresses, `localhost` and this machine's own. `kept`: the key's file."""
        own = socket.gethostname().lower()
        names = {own, own.partition(".")[0]}
        self._hosts = {"localhost", *names, *(f"{name}.local" for name in names), *(host.lower() for host in hosts)}
        self.key = key
        self._kept = kept
        self._phones = phones

    def is_join_key(self, key: str) -> bool:
        """Whether this is the players' key."""
        return hmac.compare_digest(key.encode(), self.key.encode())

    def create_cookie(self, request: Request) -> str:
        """The whole `Set-Cookie` value that makes this phone a player's: a value of its own."""
        value = self._phones.open_session(self.cookie_value(request), request.headers.get("User-Agent", ""))
        secure = "; Secure" if request.scheme == "https" else ""
        return f"{PLAYER_COOKIE}={value}; HttpOnly; SameSite=Lax; Path=/; Max-Age={_ONE_YEAR_S}{secure}"

    def renew_key(self, request: Request) -> None:
        """A new key: who had joined is a watcher, but for the phone that asks. Raises CompanionError."""
        key = secrets.token_urlsafe(_KEY_BYTES)
        try:
            if self._kept:
                _write_key(self._kept, key)
        except OSError as error:
            raise CompanionError(
                "The new key cannot be kept ({strerror}): all is as it was.", strerror=error.strerror
            ) from error
        self.key = key
        self._phones.end_other_sessions(self.cookie_value(request))

    def cookie_value(self, request: Request) -> str:
        """The value of this request's cookie, known or not."""
        return _read_cookie(request.headers.get("Cookie", ""))

    def is_player(self, request: Request) -> bool:
        """Whether the request comes from a phone that has joined."""
        return self.has_player_cookie(request.headers.get("Cookie", ""))

    def has_player_cookie(self, cookies: str) -> bool:
        """Whether a `Cookie` header is a player's."""
        return self._phones.find_session(_read_cookie(cookies)) is not None

    def check_request(self, request: Request) -> None:
        """Raise the HTTP error that the request earns before it is even looked into."""
        host = request.environ.get("HTTP_HOST", "")
        if not self._is_own_host(host):
            raise MisdirectedRequest
        if request.method != "POST":
            return
        origin = request.headers.get("Origin")
        if origin is not None and origin.lower() != f"{request.scheme}://{host}".lower():
            raise Forbidden(format_message("Another site's page may not move here."))
        request.max_content_length = MAX_BODY_BYTES
        if (request.content_length or 0) > MAX_BODY_BYTES:
            raise RequestEntityTooLarge
        if request.content_length is None:
            request.get_data()  # raises the same where the body comes in chunks and says no length
        if not self.is_player(request):
            raise Forbidden(format_message("Only players may do that: open the join link first."))
        if request.mimetype != "application/json":
            raise UnsupportedMediaType(format_message("Send it as application/json."))

    def _is_own_host(self, host: str) -> bool:
        name = _PORT_SUFFIX.sub("", host).lower()
        if name.startswith("[") and name.endswith("]"):
            name = name[1:-1]
        elif ":" in name:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name in self._hosts
        return True


def _read_cookie(cookies: str) -> str:
    return parse_cookie(cookies).get(PLAYER_COOKIE, "")
