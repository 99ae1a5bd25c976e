"""The journal, told to a broker: what is played at this table, for a club's archive and for the house.

docs/reference/reporting.md has the topics. Nothing but this is imported unless a broker is named.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING

from companion.errors import SettingsError
from companion.settings import Report

if TYPE_CHECKING:
    from companion.reporting.reporter import Reporter
    from companion.table.table import Table


def reporting(table: "Table", report: Report) -> "Reporter":
    """Begin to tell brokers. Raises SettingsError where the library lacks, or a setting is wrong."""
    if find_spec("paho") is None:
        raise SettingsError(
            "To tell brokers, report.brokers, needs the extra [mqtt]: type pip install '.[mqtt]' in the checkout."
        )
    from companion.reporting.reporter import Reporter  # noqa: PLC0415

    return Reporter(table.journal, report, table)
