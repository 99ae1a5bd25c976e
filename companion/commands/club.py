"""`companion club`: the archive of a club, its results and standings, and a page for the room."""

from contextlib import ExitStack, closing
from pathlib import Path

import click

from companion.common.errors import SettingsError
from companion.common.process import Service


@click.command()
@click.option("--brokers", required=True, help="mqtts://HOST[:PORT], several parted by commas.")
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
    """Keep what boards tell, and show results and standings to the room."""
    service = Service()
    try:
        from companion.club.subscriber import Collecting  # noqa: PLC0415 - a signal is heard before
    except ImportError as error:
        raise SettingsError("The club needs the extra [club]: type pip install '.[club]' in the checkout.") from error
    from companion.addons import bring_packs  # noqa: PLC0415
    from companion.app.network import reached  # noqa: PLC0415
    from companion.club.app import create_app  # noqa: PLC0415
    from companion.club.archive import Archive  # noqa: PLC0415
    from companion.club.database import Store  # noqa: PLC0415
    from companion.club.tournaments import Events  # noqa: PLC0415
    from companion.common.paths import data_home  # noqa: PLC0415
    from companion.server import Serving, listen, load_key  # noqa: PLC0415
    from companion.settings import Settings, changed, read_pairs  # noqa: PLC0415

    given = {f"report.{key}": value for key, value in read_pairs(settings, "A setting").items()}
    report = changed(Settings(), {**given, "report.brokers": brokers}).report
    if not report.brokers:
        raise SettingsError("Name a broker with --brokers.")
    bring_packs()
    path = key_file or data_home() / "club.key"
    with ExitStack() as closes:
        listening = closes.enter_context(closing(listen(host, port)))
        kept = closes.enter_context(closing(Store(store)))
        key = load_key(path)
        app = create_app(kept, key, hosts=frozenset(hosts), phones=path.with_suffix(".phones"))
        collecting = closes.enter_context(closing(Collecting(Archive(kept), report, Events(kept).board_result)))
        serving = closes.enter_context(closing(Serving(app, listening)))
        address = f"http://{reached(host)}:{serving.port}/"
        click.echo(f"room      {address}\norganiser {address}join/{key}")
        service.wait(collecting.is_well)
