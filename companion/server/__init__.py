"""The server: Flask routes, the event stream, and who may do what."""

from companion.server.app import create_app
from companion.server.auth.invitations import JoinInfo
from companion.server.auth.permissions import load_key
from companion.server.auth.sessions import SessionStore
from companion.server.routes.workshop import LogTail, WorkshopState
from companion.server.wsgi.server import ServerThread, listen
from companion.server.wsgi.tls import wrapping

__all__ = [
    "JoinInfo",
    "LogTail",
    "ServerThread",
    "SessionStore",
    "WorkshopState",
    "create_app",
    "listen",
    "load_key",
    "wrapping",
]
