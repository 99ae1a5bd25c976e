"""The Flask application that table and club build on: access checks, headers, errors as messages, pages and files."""

import logging
from collections.abc import Mapping
from functools import partial

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, NotFound

from companion.common.errors import CompanionError
from companion.http.assets import Assets, read_preferences
from companion.http.permissions import PERMISSIONS_EXTENSION, Permissions
from companion.http.responses import (
    IMMUTABLE,
    NO_CACHE,
    NO_STORE,
    CachedBody,
    json_response,
    page_language,
    page_response,
)
from companion.i18n import format_message
from companion.i18n.catalog import load_catalog
from companion.protocol.json_codec import dump_json

_ASSETS_EXTENSION = "assets"
"""Key of `Flask.extensions` under which an application keeps the files of its pages."""

PAGE_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}
"""Headers of each page."""

STATUS_MESSAGES = {
    404: format_message("There is no page at this address."),
    405: format_message("This is not possible at this address."),
    413: format_message("This is too large. Send at most 16 KiB."),
}
"""Messages for errors that werkzeug raises."""

FAULT_MESSAGE = format_message("Something went wrong. Check the table before you try again.")
"""Message for an unexpected exception. The move may have been made before it."""

_ERROR_TITLES = {403: format_message("This link doesn't work"), 404: format_message("Page not found")}
_API_PREFIXES = ("/api", "/web", "/packs")
"""Addresses that programs request."""

_LOG = logging.getLogger(__name__)


class ErrorFormat:
    """Turns exceptions into responses: JSON for programs, a page for a person who followed a link."""

    def __init__(
        self,
        assets: Assets | None = None,
        how_to_join: str = "",
        *,
        codes: Mapping[type[CompanionError], int] | None = None,
        fault: str = FAULT_MESSAGE,
    ) -> None:
        """Without `assets` there are no pages. `codes` are the status codes of errors, 409 for all others.

        `how_to_join` is shown on the page, `fault` for an unexpected exception.
        """
        self._assets, self._how_to_join, self._codes, self._fault = assets, how_to_join, codes or {}, fault

    def to_response(self, error: Exception) -> Response:
        """Return the response to an error. Unexpected exceptions are logged and not described."""
        error = getattr(error, "original_exception", None) or error  # raised while a response was finished
        headers = {}
        if isinstance(error, HTTPException):
            code = error.code or 500
            is_default = error.description == type(error).description
            message = (STATUS_MESSAGES.get(code) if is_default else None) or error.description
            message = message or format_message("That did not work.")
            if getattr(error, "valid_methods", None):
                headers = {"Allow": ", ".join(error.valid_methods)}  # type: ignore[attr-defined]
        elif isinstance(error, CompanionError):
            code = next((code for kind, code in self._codes.items() if isinstance(error, kind)), 409)
            message = str(error)
        else:
            _LOG.error("A request failed.", exc_info=error)
            code, message = 409, self._fault  # docs/reference/http.md#refusals has no 500
        if self._assets and is_error_page(request.method, request.path, code):
            response = self._page(self._assets, message, code)
        else:
            response = json_response({"error": message}, code)
        response.headers.update(headers)
        return response

    def _page(self, assets: Assets, message: str, code: int) -> Response:
        language = page_language()
        texts = [_ERROR_TITLES[code], message, self._how_to_join]
        title, sentence, how_to_join = language.translate_value(texts) if language else texts
        page = assets.render_page(
            "pages/error.html", language, read_preferences(), title=title, sentence=sentence, how_to_join=how_to_join
        )
        return Response(page.content, code, NO_STORE, mimetype=page.mimetype)


def is_error_page(method: str, path: str, code: int) -> bool:
    """Return whether the answer to this error is a page, because a person reads it in a browser."""
    return code in _ERROR_TITLES and method in ("GET", "HEAD") and not path.startswith(_API_PREFIXES)


def create_bare_app(permissions: Permissions, errors: ErrorFormat) -> Flask:
    """Return an application without routes that checks permissions and formats errors."""
    app = Flask("companion", static_folder=None)
    app.url_map.merge_slashes = False  # a redirect would pass on the key of a mistyped join link
    app.extensions[PERMISSIONS_EXTENSION] = permissions
    app.before_request(lambda: permissions.check_request(request))
    app.after_request(_add_security_headers)
    app.after_request(partial(_replace_old_cookie, permissions))
    app.register_error_handler(Exception, errors.to_response)
    return app


def add_page_routes(app: Flask, assets: Assets, pages: Mapping[str, str]) -> None:
    """Add the pages, by address, the files below `/web/` and the words of each language."""
    app.extensions[_ASSETS_EXTENSION] = assets
    add_pages(app, pages)
    app.add_url_rule("/web/<path:name>", "web", partial(file_response, assets))
    app.add_url_rule("/api/words/<language>", "words", partial(_words_response, assets))


def add_pages(app: Flask, pages: Mapping[str, str]) -> None:
    """Add further pages: their templates by address."""
    assets: Assets = app.extensions[_ASSETS_EXTENSION]

    def get_page(name: str) -> Response:
        return page_response(assets.get_page(name, page_language(), read_preferences()))

    for address, name in pages.items():
        app.add_url_rule(address, name, partial(get_page, name))


def file_response(assets: Assets, name: str) -> Response:
    """Return the response with a file of the folder `web`. Raises NotFound."""
    file, is_immutable = assets.get_file(name)
    if file is None:
        raise NotFound
    return file.to_response(IMMUTABLE if is_immutable else NO_CACHE)


def _words_response(assets: Assets, language: str) -> Response:
    """Return the catalogue of a language; with `?page=` what that page needs first, with `&part=` what a part adds."""
    catalog = load_catalog(language)
    if catalog is None:
        raise NotFound
    body = catalog.export_for_page()
    if (page := request.args.get("page")) is not None:
        body |= {"words": assets.filter_words(body["words"], page, request.args.get("part"))}
    return CachedBody(dump_json(body).encode()).to_response()


def _replace_old_cookie(permissions: Permissions, response: Response) -> Response:
    permissions.replace_old_cookie(request, response)
    return response


def _add_security_headers(response: Response) -> Response:
    response.headers["X-Content-Type-Options"] = "nosniff"
    if response.mimetype == "text/html":
        response.headers.update(PAGE_HEADERS)
    return response
