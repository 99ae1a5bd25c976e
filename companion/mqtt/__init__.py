"""The journal, told to a broker: what is played at this table, for a club's archive and for the house.

docs/reference/reporting.md has the topics. Nothing but this is imported unless somebody is to be told.
"""

from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Union

from companion.common.errors import SettingsError
from companion.settings import Report

if TYPE_CHECKING:
    from companion.mqtt.publisher import Reporter
    from companion.mqtt.webhooks import Hooks
    from companion.table.table import Table


def reporting(table: "Table", report: Report) -> Iterator[Union["Reporter", "Hooks"]]:
    """Begin to tell whom the settings name; each is to be closed. Raises SettingsError for what cannot be."""
    if report.webhooks or report.wled:
        from companion.mqtt.webhooks import Hooks  # noqa: PLC0415

        yield Hooks(table, report)
    if report.brokers:
        if find_spec("paho") is None:
            raise SettingsError(
                "To tell brokers, report.brokers, needs the extra [mqtt]: type pip install '.[mqtt]' in the checkout."
            )
        from companion.mqtt.publisher import Reporter  # noqa: PLC0415

        yield Reporter(table.journal, report, table)
