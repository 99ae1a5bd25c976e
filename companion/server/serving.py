"""waitress in the companion's own process, in a thread that can be closed at once."""

import logging
import threading

from flask import Flask
from waitress.server import create_server

from companion.errors import CompanionError
from companion.server.stream import MOST_STREAMS

_SPARE_THREADS = 12
"""Threads that are never a stream's: the page answers however many listen."""

_MOST_CONNECTIONS = 500


class Serving:
    """A served application. Raises CompanionError where the port cannot be had."""

    def __init__(self, app: Flask, host: str, port: int) -> None:
        logging.getLogger("waitress").setLevel(logging.CRITICAL)  # clients that hang up are no news
        try:
            self._server = create_server(
                app,
                host=host,
                port=port,
                threads=MOST_STREAMS + _SPARE_THREADS,
                connection_limit=_MOST_CONNECTIONS,
                channel_request_lookahead=1,  # lets a stream see that its listener has gone
                asyncore_use_poll=True,
                ident=None,
                log_socket_errors=False,
            )
        except (OSError, ValueError) as error:
            raise CompanionError(
                f"The address {host}, port {port}, cannot be used: {error}. Another table may be running: try --port."
            ) from error
        self.port = port or int(getattr(self._server, "effective_port", 0))
        self._thread = threading.Thread(target=self._server.run, name="waitress", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop taking requests and let the workers go. May be called twice."""
        self._server.close()
        self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=1)
