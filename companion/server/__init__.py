"""The server: Flask routes, the event stream, and who may do what."""

from companion.opponent.private_hands import Hands
from companion.server.app import create_app
from companion.server.auth.invitations import Door
from companion.server.auth.permissions import load_key
from companion.server.auth.sessions import Phones
from companion.server.routes.workshop import Tail, Workshop
from companion.server.wsgi.server import Serving, listen
from companion.server.wsgi.tls import wrapping

__all__ = ["Door", "Hands", "Phones", "Serving", "Tail", "Workshop", "create_app", "listen", "load_key", "wrapping"]
