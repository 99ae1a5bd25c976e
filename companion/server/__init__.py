"""The table's web server: application factory, routes, event stream, OpenAPI. Built on `companion.http`."""

from companion.server.app import create_app
from companion.server.routes.workshop import LogTail
from companion.server.site import JoinInfo, WorkshopState

__all__ = ["JoinInfo", "LogTail", "WorkshopState", "create_app"]
