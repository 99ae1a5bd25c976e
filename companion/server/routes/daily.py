"""The daily deal: `/api/daily` (docs/reference/http.md#practice)."""

from datetime import date
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest

from companion.common.single_flight import single_flight_cache
from companion.http.responses import CachedBody, requested_language
from companion.i18n import format_message
from companion.protocol.json_codec import dump_json

FIRST_DAY, LAST_DAY = date(2026, 1, 1), date(2099, 12, 31)
"""Dates with a deal. The table's own clock does not matter, as a board without internet may have none."""

_MAX_CACHED_DEALS = 8
"""Number of deals kept in memory: around midnight, phones ask for two or three dates."""


def daily_routes() -> Blueprint:
    """Return the route."""
    routes = Blueprint("daily", __name__, url_prefix="/api")

    def get_daily_deal() -> Response:
        language, deal = requested_language(), _describe_deal(_parse_day(request.args.get("date", "")))
        return CachedBody(dump_json(language.translate_value(deal) if language else deal).encode()).to_response()

    routes.add_url_rule("/daily", "daily_deal", get_daily_deal)
    return routes


@single_flight_cache(_MAX_CACHED_DEALS)
def _describe_deal(day: date) -> dict[str, Any]:
    from companion.coach import daily  # noqa: PLC0415 - the table starts without the coach

    return daily.describe_daily_deal(day.isoformat())


def _parse_day(text: str) -> date:
    """Return the day written as `2026-01-31`. Raises BadRequest for another text or a day without a deal."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise BadRequest(format_message("Ask with date=YYYY-MM-DD, such as date=2026-01-31."))
    if not FIRST_DAY <= day <= LAST_DAY:
        raise BadRequest(
            format_message("There are daily deals from {first} to {last}.", first=FIRST_DAY, last=LAST_DAY)
        )
    return day
