"""The application of a table: pages and API of docs/reference/http.md."""

from flask import Flask, Response, request

from companion.addons import Addons
from companion.common.paths import resource_folder
from companion.devices.simulated_bench import SimulatedBench
from companion.http.application import ErrorFormat, create_bare_app
from companion.http.assets import Assets, register_themes
from companion.http.permissions import Permissions, join_routes
from companion.http.responses import NO_STORE, json_response, requested_language
from companion.http.sessions import SessionStore
from companion.http.wsgi.limits import FREE_THREAD_KEY
from companion.i18n import format_message
from companion.opponent.private_hands import PrivateHands
from companion.server.routes import bench as bench_routes
from companion.server.routes import coach, games, pages, players, table
from companion.server.routes import workshop as workshop_routes
from companion.server.site import JoinInfo, Site, WorkshopState
from companion.server.sse import EventStreams, SnapshotEncoder
from companion.table.game_switcher import GameSwitcher
from companion.table.recording import RecentInputs

ROUTE_MODULES = (pages, table, games, players, coach, workshop_routes, bench_routes)
"""The modules of routes. Each adds its own by its function `add_routes`."""
STREAMS_EXTENSION = "event_streams"
"""Key of `Flask.extensions` under which an application keeps its `EventStreams`."""


def create_app(  # noqa: PLR0913 - the parts of one program
    switcher: GameSwitcher,
    *,
    bench: SimulatedBench | None,
    key: str,
    how_to_join: str,
    hosts: frozenset[str],
    sessions: SessionStore | None = None,
    join_info: JoinInfo | None = None,
    workshop: WorkshopState | None = None,
    hands: PrivateHands | None = None,
    addons: Addons | None = None,
) -> Flask:
    """Return the application of a table.

    `bench` is given if devices are simulated. `key` is that of the join link, `how_to_join` a message for watchers.
    `hosts` are additional host names to answer to.
    """
    sessions, join_info, addons = sessions or SessionStore(), join_info or JoinInfo(), addons or Addons()
    encode = SnapshotEncoder()
    site = Site(
        switcher=switcher,
        permissions=Permissions(key, hosts, sessions, join_info.key_path),
        hands=hands or PrivateHands(switcher.table),
        streams=EventStreams(switcher.table, encode),
        encode=encode,
        assets=Assets(resource_folder("web")),
        addons=addons,
        workshop=workshop or WorkshopState(RecentInputs(), workshop_routes.LogTail()),
        join_info=join_info,
        bench=bench,
    )
    app = create_bare_app(site.permissions, ErrorFormat(site.assets, how_to_join))
    app.extensions[STREAMS_EXTENSION] = site.streams
    register_themes(app, addons.themes)
    app.register_blueprint(join_routes(site.permissions, sessions, how_to_join))
    _add_stream_route(app, site)
    for module in ROUTE_MODULES:
        module.add_routes(app, site)
    return app


def _add_stream_route(app: Flask, site: Site) -> None:
    streams, permissions = site.streams, site.permissions

    def get_stream() -> Response:
        if request.method == "HEAD":  # without a length, waitress would end the response with a chunk
            return Response(mimetype="text/event-stream", headers=NO_STORE)
        address = request.remote_addr or ""
        if not streams.reserve(address):
            full = format_message("Too many pages are connected. This page updates a little later than the others.")
            refusal = json_response({"error": full}, 503)
            refusal.headers["Retry-After"] = "5"
            return refusal
        request.environ.get(FREE_THREAD_KEY, lambda: None)()
        is_gone = request.environ.get("waitress.client_disconnected", lambda: False)
        cookies, was_player = request.headers.get("Cookie", ""), permissions.is_player(request)

        def is_over() -> bool:
            """Return whether the client is gone, or no longer what it was: then its page reconnects."""
            return is_gone() or permissions.has_player_cookie(cookies) != was_player

        events = streams.stream_events(is_over, requested_language())
        response = Response(events, mimetype="text/event-stream", headers=NO_STORE)
        response.call_on_close(lambda: streams.release(address))
        return response

    app.add_url_rule("/api/stream", "stream", get_stream)
