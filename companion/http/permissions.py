"""Permissions: anyone may look; a browser that has opened the join link may make moves.

`Permissions.check_request` performs the checks in the order of docs/reference/http.md#refusals; the first that fails
decides the response. `join_routes` are the routes of the join link and of the players' phones.
"""

import hmac
import ipaddress
import re
import secrets
import socket
from collections.abc import Callable, Mapping
from pathlib import Path

from flask import Blueprint, Request, Response, request
from werkzeug.exceptions import Forbidden, HTTPException, NotFound, RequestEntityTooLarge, UnsupportedMediaType
from werkzeug.sansio.http import parse_cookie

from companion.common.errors import CompanionError
from companion.common.files import read_text, write_private_file
from companion.http.client_address import LoginThrottle
from companion.http.requests import INTEGER, BodyField, RequestBody
from companion.http.responses import IMMUTABLE, NO_STORE, json_response
from companion.http.sessions import SessionStore
from companion.i18n import format_message, gettext_noop

PLAYER_COOKIE = "companion_player"
"""The players' cookie of older versions, and the beginning of its names now.

Each table and each club has its own name, because browsers send the cookies of one port to all ports of the host.
"""
PERMISSIONS_EXTENSION = "permissions"
"""Key of `Flask.extensions` under which an application keeps its `Permissions`, also for the WSGI server."""
MAX_BODY_BYTES = 16 * 1024
"""Maximum size of a request body in bytes, except a photograph."""
PHOTO_TYPES = ("image/jpeg", "image/png", "image/webp", "image/heic")
MAX_PHOTO_BYTES = 8 * 1024 * 1024
"""Maximum size of a photograph in bytes."""

_KEY_BYTES = 18
_ONE_YEAR_S = 31_536_000
_PORT_SUFFIX = re.compile(r":\d{1,5}$")


_PHOTO_TOO_LARGE = format_message("The photograph is too large. Send at most 8 MiB.")


class MisdirectedRequest(HTTPException):
    """The request names another host. A foreign page may be using a visitor's browser (DNS rebinding)."""

    code = 421
    description = format_message(
        "The table does not answer to this host name. Add it with --allow-host or the setting hosts."
    )


def load_key(path: Path) -> str:
    """Return the players' key from its file, which is created at the first start, readable by its owner only.

    Raises CompanionError if the file cannot be used.
    """
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_private_file(path, secrets.token_urlsafe(_KEY_BYTES))
        key = read_text(path).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CompanionError(
            "Cannot read or create the players' key in {path}: {error}.", path=path, error=error
        ) from error
    if not re.fullmatch(r"[A-Za-z0-9_-]{16,}", key):
        raise CompanionError("The players' key in {path} is damaged. Delete the file to get a new key.", path=path)
    return key


class Permissions:
    """The join key, the sessions and the host names of one application."""

    def __init__(self, key: str, hosts: frozenset[str], sessions: SessionStore, key_path: Path | None = None) -> None:
        """`hosts` are names to accept besides IP addresses, `localhost` and the names of this machine.

        `key_path` is the file of the key; without it, a renewed key is not saved.
        """
        own = socket.gethostname().lower()
        names = {own, own.partition(".")[0]}
        self._hosts = {"localhost", *names, *(f"{name}.local" for name in names), *(host.lower() for host in hosts)}
        self.key = key
        self.admits_guests: Callable[[str], bool] = lambda _: False
        """Whether everyone may POST to this path now."""
        self.on_new_key: Callable[[], object] = lambda: None
        self._photo_paths = set[str]()
        self._key_path = key_path
        self._sessions = sessions
        self.cookie_name = f"{PLAYER_COOKIE}_{sessions.id}"

    def allow_photos(self, path: str) -> None:
        """Take photographs at this address, in place of JSON."""
        self._photo_paths.add(path)

    def takes_photo(self, path: str) -> bool:
        """Return whether a photograph is sent to this address."""
        return path in self._photo_paths

    def max_body_bytes(self, path: str) -> int:
        """Return the maximum size of the body of a request to this path."""
        return MAX_PHOTO_BYTES if path in self._photo_paths else MAX_BODY_BYTES

    def is_join_key(self, key: str) -> bool:
        """Return whether this is the players' key, in constant time."""
        return hmac.compare_digest(key.encode(), self.key.encode())

    def create_cookie(self, request: Request) -> str:
        """Open a session for this browser; return its `Set-Cookie` header."""
        value = self._sessions.open_session(self.cookie_value(request), request.headers.get("User-Agent", ""))
        return _format_cookie(request, self.cookie_name, value, _ONE_YEAR_S)

    def replace_old_cookie(self, request: Request, response: Response) -> None:
        """Give a valid cookie of an older version its new name. It keeps its value, which seats and hands belong to.

        A file that shared caches keep is left as it is.
        """
        cookies = _parse_cookies(request.headers.get("Cookie", ""))
        value = self._find_value(cookies)
        if not value or value == cookies.get(self.cookie_name) or response.headers.get("Cache-Control") == IMMUTABLE:
            return
        replaced = (self.cookie_name, value, _ONE_YEAR_S), (PLAYER_COOKIE, "", 0)
        answered = [*response.headers.getlist("Set-Cookie"), *(_format_cookie(request, *each) for each in replaced)]
        response.headers.setlist("Set-Cookie", [*dict.fromkeys(answered)])
        response.headers.update(NO_STORE)

    def renew_key(self, request: Request) -> None:
        """Create a new key and end all sessions but that of the request. Raises CompanionError."""
        key = secrets.token_urlsafe(_KEY_BYTES)
        try:
            if self._key_path:
                write_private_file(self._key_path, key)
        except OSError as error:
            raise CompanionError(
                "The new link could not be saved ({strerror}). The old one is still valid.", strerror=error.strerror
            ) from error
        self.key = key
        self._sessions.end_other_sessions(self.cookie_value(request))
        self.on_new_key()

    def cookie_value(self, request: Request) -> str:
        """Return the player's cookie of the request, whether or not it is known; empty if it has none."""
        return self._find_value(_parse_cookies(request.headers.get("Cookie", "")))

    def is_player(self, request: Request) -> bool:
        """Return whether the request comes from a browser that has joined."""
        return self.has_player_cookie(request.headers.get("Cookie", ""))

    def has_player_cookie(self, cookies: str) -> bool:
        """Return whether this `Cookie` header has the cookie of a session."""
        return self._sessions.find_session(self._find_value(_parse_cookies(cookies))) is not None

    def may_post(self, cookies: str, path: str) -> bool:
        """Return whether a browser with this `Cookie` header may POST to this path now."""
        return self.has_player_cookie(cookies) or self.admits_guests(path)

    def check_request(self, request: Request) -> None:
        """Raise an HTTPException if the request must be refused before it is routed."""
        host = request.environ.get("HTTP_HOST", "")
        if not self._is_own_host(host):
            raise MisdirectedRequest
        if request.method != "POST":
            return
        origin = request.headers.get("Origin")
        if origin is not None and origin.lower() != f"{request.scheme}://{host}".lower():
            raise Forbidden(format_message("Moves from other websites are not allowed."))
        is_photo = self.takes_photo(request.path)
        request.max_content_length = self.max_body_bytes(request.path)
        if (request.content_length or 0) > request.max_content_length:
            raise RequestEntityTooLarge(_PHOTO_TOO_LARGE if is_photo else None)
        if request.content_length is None:
            request.get_data()  # raises RequestEntityTooLarge for a chunked body
        if not self.may_post(request.headers.get("Cookie", ""), request.path):
            raise Forbidden(format_message("Only players can do this. Open the join link first."))
        if is_photo:
            if request.mimetype not in PHOTO_TYPES:
                raise UnsupportedMediaType(
                    format_message("Send the photograph as image/jpeg, image/png or image/webp.")
                )
        elif request.mimetype != "application/json":
            raise UnsupportedMediaType(format_message("Send it as application/json."))

    def _find_value(self, cookies: Mapping[str, str]) -> str:
        """Return the value of the players' cookie: that of an older version if only that one has a session here."""
        value, old = cookies.get(self.cookie_name, ""), cookies.get(PLAYER_COOKIE, "")
        is_old = old and not self._sessions.find_session(value) and self._sessions.find_session(old)
        return old if is_old else value

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


def _parse_cookies(header: str) -> Mapping[str, str]:
    """Return the cookies of a header, also if one of another program is not UTF-8."""
    return parse_cookie(header.encode("latin-1", "replace").decode("utf-8", "replace"))


def _format_cookie(request: Request, name: str, value: str, max_age_s: int) -> str:
    secure = "; Secure" if request.scheme == "https" else ""
    return f"{name}={value}; HttpOnly; SameSite=Lax; Path=/; Max-Age={max_age_s}{secure}"


HOW_TO_JOIN = format_message("Scan the code on the table's screen, or open the players' link shown there.")
"""Shown to watchers."""

END_PHONE_BODY = RequestBody(end=BodyField(INTEGER, gettext_noop("Send the number of the phone to sign out.")))

_WRONG_LINK = format_message("This link has expired. Scan the code on the table's screen again.")
_TOO_MANY_ATTEMPTS = format_message("Too many attempts with a wrong link. Wait a moment.")


def join_routes(permissions: Permissions, sessions: SessionStore, how_to_join: str) -> Blueprint:
    """Return the routes `/join/KEY`, `/api/me` and `/api/phones`. `how_to_join` is a message for watchers."""
    routes, throttle = Blueprint("joining", __name__), LoginThrottle()

    def open_join_link(key: str) -> Response:
        address = request.remote_addr or ""
        if not throttle.may_try(address):
            raise Forbidden(_TOO_MANY_ATTEMPTS)
        if not permissions.is_join_key(key):
            throttle.record_failure(address)
            raise Forbidden(_WRONG_LINK)
        headers = {"Location": "/", "Set-Cookie": permissions.create_cookie(request), **NO_STORE}
        return Response(status=303, headers=headers)

    def get_role() -> Response:
        role = "player" if permissions.is_player(request) else "watcher"
        return json_response({"role": role, "how_to_join": how_to_join})

    def get_phones() -> Response:
        if not permissions.is_player(request):
            raise Forbidden(format_message("Only players can see this. Open the join link first."))
        return json_response({"phones": sessions.list_sessions(permissions.cookie_value(request))})

    def post_end_phone() -> Response:
        if not sessions.end_session(END_PHONE_BODY.read()["end"]):
            raise NotFound(format_message("This phone is already signed out."))
        return json_response({"phones": sessions.list_sessions(permissions.cookie_value(request))})

    routes.add_url_rule("/join/<key>", "join", open_join_link)
    routes.add_url_rule("/api/me", "me", get_role)
    routes.add_url_rule("/api/phones", "phones", get_phones)
    routes.add_url_rule("/api/phones", "end_phone", post_end_phone, methods=["POST"])
    return routes
