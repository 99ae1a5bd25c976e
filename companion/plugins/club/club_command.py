"""`companion club`: the archive of a club with its results, standings and pages; `companion club backup` copies it."""

from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.common.errors import SettingsError
from companion.common.paths import data_home
from companion.common.process import ServiceNotifier, missing_extra

if TYPE_CHECKING:
    from companion.plugins.mqtt import ReportSettings

STORE_HELP = "sqlite:///FILE or postgresql://… (club.sqlite3 beside the journal)"


@click.group(invoke_without_command=True)
@click.option("--config", type=click.Path(path_type=Path, exists=True), help="A TOML file with [report].")
@click.option("--brokers", default="", help="mqtts://HOST[:PORT], several separated by commas.")
@click.option("--store", default="", help=STORE_HELP)
@click.option("--host", default="0.0.0.0", help="The address to listen on (0.0.0.0).")
@click.option("--port", type=click.IntRange(0, 65535), default=8124, help="The port (8124).")
@click.option("--key", "key_file", type=click.Path(path_type=Path), help="The file of the organiser's key.")
@click.option("--allow-host", "hosts", multiple=True, help="A further host name to answer to.")
@click.option("--set", "settings", multiple=True, help="A setting of [report], such as user=archive.")
@click.pass_context
def club(
    context: click.Context,
    /,
    *,
    config: Path | None,
    brokers: str,
    settings: tuple[str, ...],
    **options: Any,
) -> None:
    """Archive the moves that boards publish, and serve pages with results and standings."""
    context.obj = options["store"]
    if context.invoked_subcommand is None:
        service = ServiceNotifier()  # before the large imports, so that signals are handled
        _run_archive(service, _read_report(config, brokers, settings), **options)


@club.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--store", default="", help="sqlite:///FILE (club.sqlite3 beside the journal)")
@click.pass_obj
def backup(outer_store: str, file: Path, store: str) -> None:
    """Copy the archive's store to FILE, also while the archive runs."""
    from companion.plugins.club.database import backup_database  # noqa: PLC0415

    click.echo(backup_database(store or outer_store or _default_store(), file))


def _default_store() -> str:
    return f"sqlite:///{data_home() / 'club.sqlite3'}"


def _read_report(config: Path | None, brokers: str, settings: tuple[str, ...]) -> "ReportSettings":
    from companion.settings import Settings, apply_values, parse_pairs, read_settings  # noqa: PLC0415

    values = {f"report.{key}": value for key, value in parse_pairs(settings, "A setting").items()}
    values |= {"report.brokers": brokers} if brokers else {}
    report: ReportSettings = apply_values(read_settings(config) if config else Settings(), values).section("report")
    return report


def _run_archive(
    service: ServiceNotifier,
    report: "ReportSettings",
    *,
    store: str,
    host: str,
    port: int,
    key_file: Path | None,
    hosts: tuple[str, ...],
) -> None:
    try:
        from companion.plugins.club.subscriber import ArchiveSubscriber  # noqa: PLC0415 - after signals are handled
    except ImportError as error:
        raise SettingsError(missing_extra("club")) from error
    from companion.addons import register_addons  # noqa: PLC0415
    from companion.app.network import public_host  # noqa: PLC0415
    from companion.http.permissions import load_key  # noqa: PLC0415
    from companion.http.wsgi.server import ServerThread, listen  # noqa: PLC0415
    from companion.plugins.club.app import create_club_app  # noqa: PLC0415
    from companion.plugins.club.archive import Archive  # noqa: PLC0415
    from companion.plugins.club.database import Database  # noqa: PLC0415

    register_addons()
    path = key_file or data_home() / "club.key"
    with ExitStack() as closes:
        listening = closes.enter_context(closing(listen(host, port)))
        database = closes.enter_context(closing(Database(store or _default_store())))
        key = load_key(path)
        app = create_club_app(database, key, hosts=frozenset(hosts), sessions_path=path.with_suffix(".phones"))
        collecting = None
        if report.brokers:
            collecting = closes.enter_context(closing(ArchiveSubscriber(Archive(database), report)))
        else:
            click.echo("No broker is set, so no board can report. Set one with --brokers or --config.", err=True)
        serving = closes.enter_context(closing(ServerThread(app, listening)))
        address = f"http://{public_host(host)}:{serving.port}/"
        click.echo(f"room      {address}\norganiser {address}join/{key}")
        service.wait_for_end(collecting.is_alive if collecting else lambda: True)
