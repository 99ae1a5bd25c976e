"""`companion cards`: read the playing cards in photographs."""

from pathlib import Path

import click

from companion.common.errors import CompanionError
from companion.plugins.cards import load_photo_reader
from companion.plugins.cards.picture_header import MAX_FILE_BYTES, MAX_PIXELS
from companion.protocol.json_codec import print_json


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per file, which is the only form.")
@click.pass_context
def cards(ctx: click.Context, files: tuple[Path, ...], *, as_json: bool) -> None:  # noqa: ARG001
    """Read the cards in photographs: JPEG, PNG or WebP, one line of JSON for each FILE."""
    read_photo = load_photo_reader()
    has_failed = False
    for file in files:
        try:
            with file.open("rb") as opened:
                answer = read_photo(opened.read(MAX_FILE_BYTES + 1), MAX_PIXELS)
        except OSError as error:
            answer = {"error": f"Cannot read the file: {error.strerror}."}
        except CompanionError as error:
            answer = {"error": str(error)}
        has_failed = has_failed or "error" in answer
        print_json({"file": str(file)} | answer)
    ctx.exit(1 if has_failed else 0)
