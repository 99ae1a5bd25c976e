"""Publishes the journal by MQTT for a club's archive and for Home Assistant, and awards by webhooks and WLED.

docs/reference/reporting.md has the topics. Other modules of the package are imported only if the settings need them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Union

from companion.common.errors import SettingsError
from companion.common.process import missing_extra
from companion.plugin import Closeable, Host, Plugin
from companion.settings import choice_field, list_field, name_field

if TYPE_CHECKING:
    from companion.plugins.mqtt.publisher import JournalPublisher
    from companion.plugins.mqtt.webhooks import WebhookSender
    from companion.table.table import Table

DEFAULT_CLUB = "home"
"""The club of a board that belongs to none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSettings:
    """The table `[report]`: MQTT brokers, webhooks and Home Assistant. MQTT is off without `brokers`.

    An empty `board` means the host name.
    """

    brokers: tuple[str, ...] = list_field()
    user: str = ""
    password_file: str = ""
    ca_file: str = ""
    without_tls: str = choice_field("off", "on")
    club: str = name_field(DEFAULT_CLUB)
    board: str = name_field("")
    home_assistant: str = choice_field("on", "off", "remove")
    buttons: str = choice_field("off", "on")
    webhooks: tuple[str, ...] = list_field()
    webhook_secret_file: str = ""
    wled: tuple[str, ...] = list_field()


def start_publishers(table: "Table", report: ReportSettings) -> Iterator[Union["JournalPublisher", "WebhookSender"]]:
    """Start the publishers that the settings name, and yield them for closing. Raises SettingsError."""
    if report.webhooks or report.wled:
        from companion.plugins.mqtt.webhooks import WebhookSender  # noqa: PLC0415

        yield WebhookSender(table, report)
    if report.brokers:
        if find_spec("paho") is None:
            raise SettingsError(missing_extra("mqtt"))
        from companion.plugins.mqtt.publisher import JournalPublisher  # noqa: PLC0415

        yield JournalPublisher(table.journal, report, table)


def _start(host: Host) -> Iterator[Closeable]:
    return start_publishers(host.switcher.table, host.settings.section("report"))


PLUGIN = Plugin(name="mqtt", settings={"report": ReportSettings()}, start=_start)
