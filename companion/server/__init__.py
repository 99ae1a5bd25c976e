"""The table's web server: application factory, routes, event stream, OpenAPI. Built on `companion.http`."""

from companion.server.app import create_app
from companion.server.routes.players import JoinInfo
from companion.server.routes.workshop import LogTail, WorkshopState

__all__ = ["JoinInfo", "LogTail", "WorkshopState", "create_app"]
