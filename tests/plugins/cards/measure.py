"""Measures the reader of cards on drawn photographs, on pictures without cards, and on real ones: `make cards-measure`.

The drawn cards have fonts and decks that training never saw. A wrong card is a certain reading of a card that is not
at that place.
"""

from __future__ import annotations

import csv
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import click
import cv2
import numpy as np

from companion.plugins.cards.photo import decode_photo
from companion.plugins.cards.reader import CardReading, read_covered_cards
from tests.plugins.cards.faces import Picture
from tests.plugins.cards.fans import Visible, draw_fan
from tests.plugins.cards.samples import draw_negative, draw_photo, load_style
from tests.plugins.cards.scenes import Placed

PHOTOS = Path("../shared/photos")

PART_SEEDS = 50
"""Number of pictures whose counts are kept together."""


def measure_drawn(seed: int) -> Counter[str]:
    """Return what was read in a drawn photograph: read, unsure, missed, wrong, ghosts."""
    cv2.setNumThreads(1)
    counts = count_drawn(*draw_photo(load_style("test"), seed))
    if counts["wrong"] + counts["ghosts"]:
        click.echo(f"wrong in the picture of seed {seed}", err=True)
    return counts


def measure_labelled(seed: int) -> Counter[str]:
    """Return what was read in a drawn photograph of cards with labels, each of which hides an index."""
    cv2.setNumThreads(1)
    return count_drawn(*draw_photo(load_style("test"), seed, has_labels=True))


def count_drawn(picture: Picture, placed: list[Placed]) -> Counter[str]:
    """Return what was read in a picture of known cards."""
    readings, counts = _read(picture)
    counts["cards"] = len(placed)
    for card in placed:
        near = [r for r in readings if _is_inside(r, card.corners)]
        readings = [r for r in readings if r not in near]
        if not near:
            counts["missed"] += 1
        for r in near:
            if r.card is None:
                counts["unsure"] += 1
                counts["unsure, the card among the likely"] += card.card in map(str, r.likely)
            else:
                counts["read" if str(r.card) == card.card else "wrong"] += 1
    counts["ghosts"] += sum(r.card is not None for r in readings)
    counts["unsure ghosts"] += sum(r.card is None for r in readings)
    return counts


def measure_fan(seed: int) -> Counter[str]:
    """Return what was read in a drawn photograph of cards that cover one another: a certain card that is not there is
    wrong.
    """
    cv2.setNumThreads(1)
    counts = count_fan(*draw_fan(load_style("test"), seed))
    if counts["wrong"]:
        click.echo(f"wrong in the fan of seed {seed}", err=True)
    return counts


def count_fan(picture: Picture, indices: list[Visible]) -> Counter[str]:
    """Return what was read of the cards of which an index is clear."""
    readings, counts = _read(picture)
    there, certain = {index.card for index in indices}, {str(r.card) for r in readings if r.card is not None}
    likely = {str(r.likely[0]) for r in readings if r.card is None}
    clear = {index.card for index in indices if index.is_clear}
    counts["cards"] = len(clear)
    counts["read"], counts["wrong"] = len(clear & certain), len(certain - there)
    counts["unsure, the card the likeliest"] = len(clear & likely - certain)
    return counts


def measure_negative(seed: int) -> Counter[str]:
    """Return what was read in a picture without cards."""
    cv2.setNumThreads(1)
    readings, counts = _read(draw_negative(seed))
    counts["ghosts"] += sum(r.card is not None for r in readings)
    counts["unsure ghosts"] += sum(r.card is None for r in readings)
    return counts


def measure_photo(row: list[str], folder: Path) -> Counter[str]:
    """Return what was read in a photograph with labelled ranks."""
    cv2.setNumThreads(1)
    picture = decode_photo((folder / row[0]).read_bytes())[0]
    readings, counts = _read(picture)
    scale = picture.shape[1] / int(row[2].split()[0])
    boxes = []
    for label in row[1].split():
        rank, box = label.split(":")
        boxes.append((rank.replace("10", "T"), np.array([int(v) for v in box.split(",")]) * scale))
    counts["cards"] = len(boxes)
    for reading in readings:
        x, y = np.mean(reading.corners, axis=0)
        ranks = {rank for rank, b in boxes if b[0] < x < b[2] and b[1] < y < b[3]}
        if reading.card is None:
            counts["unsure" if ranks else "unsure ghosts"] += 1
        else:
            kind = "ghosts" if not ranks else "read" if str(reading.card)[0] in ranks else "wrong"
            counts[kind] += 1
            if kind != "read":
                click.echo(f"{kind}: {row[0]}: {reading.card} where {ranks or 'nothing'} is", err=True)
    return counts


def list_photos(folder: Path) -> list[list[str]]:
    """Return the rows of the labels: file, ranks with boxes, size. None without the photographs."""
    if not folder.exists():
        return []
    with (folder / "labels.csv").open() as file:
        return list(csv.reader(file))[1:]


def _read(picture: Picture) -> tuple[list[CardReading], Counter[str]]:
    start = time.process_time_ns()
    readings = list(read_covered_cards(np.ascontiguousarray(picture)))
    return readings, Counter(pictures=1, ms=(time.process_time_ns() - start) // 1_000_000)


def _is_inside(reading: CardReading, corners: np.ndarray) -> bool:
    x, y = np.mean(reading.corners, axis=0)
    return cv2.pointPolygonTest(corners.astype(np.float32), (float(x), float(y)), False) >= 0


def _report(name: str, counts: Counter[str]) -> None:
    cards = counts["cards"]
    parts = [
        f"{k} {v}" + (f" ({v / cards:.2%})" if cards and k not in ("pictures", "cards", "ms") else "")
        for k, v in counts.items()
        if k != "ms"
    ]
    click.echo(f"{name}: {', '.join(parts)}; {counts['ms'] / max(1, counts['pictures']):.0f} ms of CPU a picture")


def sum_counts(
    run: Callable[..., Iterable[Counter[str]]],
    name: str,
    measure: Callable[[int], Counter[str]],
    seeds: range,
    folder: Path | None,
) -> Counter[str]:
    """Return the sum of what `measure` counts for each seed; `run` maps it over the seeds.

    With a folder, the counts of each part are kept there, and a part that is there is not measured again.
    """
    if folder is None:
        return sum(run(measure, seeds), Counter())
    folder.mkdir(parents=True, exist_ok=True)
    total: Counter[str] = Counter()
    for first in seeds[::PART_SEEDS]:
        file = folder / f"{name}-{first:05}.json"
        if not file.exists():
            part = range(first, min(first + PART_SEEDS, seeds.stop))
            file.write_text(json.dumps(sum(run(measure, part), Counter())))
        total += Counter(json.loads(file.read_text()))
    return total


@click.command()
@click.option("--pictures", default=2900, help="Drawn photographs; they show 3.5 cards on average.")
@click.option("--negatives", default=1000, help="Pictures without cards.")
@click.option("--fans", default=1000, help="Drawn photographs of cards that cover one another.")
@click.option("--labelled", default=100, help="Drawn photographs of cards with labels.")
@click.option("--first", default=0, help="The first seed.")
@click.option("--processes", default=os.cpu_count())
@click.option("--keep", type=click.Path(path_type=Path), help="A folder for the counts of each part, to go on later.")
def main(
    pictures: int, negatives: int, fans: int, labelled: int, first: int, processes: int, keep: Path | None
) -> None:
    """Measure and print."""
    with ProcessPoolExecutor(max_workers=processes) as pool:
        run = partial(pool.map, chunksize=10)
        for title, name, measure, count in (
            ("drawn", "drawn", measure_drawn, pictures),
            ("labels", "labels", measure_labelled, labelled),
            ("fans", "fans", measure_fan, fans),
            ("no cards", "none", measure_negative, negatives),
        ):
            _report(title, sum_counts(run, name, measure, range(first, first + count), keep))
        if rows := list_photos(PHOTOS):
            _report("photographs", sum(pool.map(partial(measure_photo, folder=PHOTOS), rows), Counter()))


if __name__ == "__main__":
    main()
