"""The server: Flask routes, the event stream, and who may do what."""

from companion.server.app import create_app
from companion.server.hands import Hands
from companion.server.invite import Door
from companion.server.phones import Phones
from companion.server.rights import load_key
from companion.server.serving import Serving, listen
from companion.server.tls import wrapping
from companion.server.workshop import Tail, Workshop

__all__ = ["Door", "Hands", "Phones", "Serving", "Tail", "Workshop", "create_app", "listen", "load_key", "wrapping"]
