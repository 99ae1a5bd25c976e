"""`companion club`: the archive of a club with its results, standings and pages."""

from contextlib import ExitStack, closing
from pathlib import Path

import click

from companion.common.errors import SettingsError
from companion.common.process import ServiceNotifier


@click.command()
@click.option("--brokers", required=True, help="mqtts://HOST[:PORT], several separated by commas.")
@click.option("--store", required=True, help="postgresql://… or sqlite:///FILE")
@click.option("--host", default="0.0.0.0", help="The address to listen on (0.0.0.0).")
@click.option("--port", type=click.IntRange(0, 65535), default=8124, help="The port (8124).")
@click.option("--key", "key_file", type=click.Path(path_type=Path), help="The file of the organiser's key.")
@click.option("--allow-host", "hosts", multiple=True, help="A further host name to answer to.")
@click.option("--set", "settings", multiple=True, help="A setting of [report], such as user=archive.")
def club(
    *,
    brokers: str,
    store: str,
    host: str,
    port: int,
    key_file: Path | None,
    hosts: tuple[str, ...],
    settings: tuple[str, ...],
) -> None:
    """Archive the moves that boards publish, and serve pages with results and standings."""
    service = ServiceNotifier()
    try:
        from companion.club.subscriber import ArchiveSubscriber  # noqa: PLC0415 - after signals are handled
    except ImportError as error:
        raise SettingsError("The club needs the extra [club]. Run pip install '.[club]' in the checkout.") from error
    from companion.addons import register_addons  # noqa: PLC0415
    from companion.app.network import public_host  # noqa: PLC0415
    from companion.club.app import create_club_app  # noqa: PLC0415
    from companion.club.archive import Archive  # noqa: PLC0415
    from companion.club.database import Database  # noqa: PLC0415
    from companion.common.paths import data_home  # noqa: PLC0415
    from companion.http.auth.permissions import load_key  # noqa: PLC0415
    from companion.http.wsgi.server import ServerThread, listen  # noqa: PLC0415
    from companion.settings import Settings, apply_values, parse_pairs  # noqa: PLC0415

    values = {f"report.{key}": value for key, value in parse_pairs(settings, "A setting").items()}
    report = apply_values(Settings(), {**values, "report.brokers": brokers}).report
    if not report.brokers:
        raise SettingsError("Pass a broker with --brokers.")
    register_addons()
    path = key_file or data_home() / "club.key"
    with ExitStack() as closes:
        listening = closes.enter_context(closing(listen(host, port)))
        database = closes.enter_context(closing(Database(store)))
        key = load_key(path)
        app = create_club_app(database, key, hosts=frozenset(hosts), sessions_path=path.with_suffix(".phones"))
        collecting = closes.enter_context(closing(ArchiveSubscriber(Archive(database), report)))
        serving = closes.enter_context(closing(ServerThread(app, listening)))
        address = f"http://{public_host(host)}:{serving.port}/"
        click.echo(f"room      {address}\norganiser {address}join/{key}")
        service.wait_for_end(collecting.is_alive)
