"""The server: Flask routes, the event stream, and who may do what."""

from companion.server.app import create_app
from companion.server.rights import load_key
from companion.server.serving import Serving, listen

__all__ = ["Serving", "create_app", "listen", "load_key"]
