"""Measures how pegs are found in drawn photographs of our boards: `make pegs-measure`.

A hole is wrong if a lane that counts as certain has a peg there in the picture and none in truth, or the reverse.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import click
import cv2
import numpy as np

from companion.boards.catalog import load_board
from companion.plugins.peg_photos import BRIGHT_COLOURS, UnusablePhoto
from companion.plugins.peg_photos.geometry import flatten_board
from companion.plugins.peg_photos.own_board import BoardDrawing, map_board
from companion.plugins.peg_photos.pegs import find_pegs
from tests.plugins.peg_photos.drawn_boards import draw_photo, lanes_of, place_pegs, random_view
from tests.plugins.peg_photos.own_boards import (
    create_own_board,
    draw_line,
    encode_photo,
    map_to_photo,
    use_as_own_board,
)

_NEAR_MM = 2.0
"""Largest distance of a hole from its true place, a quarter of the distance of two lanes."""
BOARDS = ("classic", "classic-61", "loop-60", "pursuit")


def measure_photo(seed: int, colours: Sequence[str] = BRIGHT_COLOURS) -> Counter[str]:
    """Return what was found in the drawn photograph of this seed."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    board = load_board(str(rng.choice(BOARDS)))
    lanes = lanes_of(board, int(rng.choice(list(board.routes))))
    tints = [str(colour) for colour in rng.permutation(colours)[: len(lanes)]]
    pegs = place_pegs(rng, lanes, tints)
    photo = draw_photo(rng, board, pegs, random_view(rng))
    counts = Counter({f"photos of {board.name}": 1, "photos": 1})
    holes = [sorted({*lane.route.start, *lane.route.way}) for lane in lanes]
    try:
        flat = flatten_board(photo.picture, photo.corners, board, photo.whole)
        found = find_pegs(flat, holes, tints)
    except UnusablePhoto as refusal:
        click.echo(f"{seed} {board.name}: {refusal}", err=True)
        return counts + Counter(refused=1)
    for lane, tint, pair in zip(holes, tints, found, strict=True):
        true = {bit for bit in lane if pegs.get(bit) == tint}
        counts += Counter(lanes=1)
        if pair.holes is None:
            counts += Counter({"unsure lanes": 1})
            click.echo(f"{seed} {board.name} {tint} unsure: {true} {pair.likely}", err=True)
            continue
        wrong = len(true ^ pair.holes)
        counts += Counter({"holes": len(lane), "wrong holes": wrong, "wrong lanes": bool(wrong)})
        if wrong:
            click.echo(f"{seed} {board.name} {tint} wrong: {true} {pair}", err=True)
    return counts


def measure_own_board(seed: int) -> Counter[str]:
    """Return how the lanes of a board were found under lines drawn by a finger, as if the board were not known."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    own = create_own_board() if seed % 3 == 0 else use_as_own_board(("classic", "classic-61")[seed % 3 - 1])
    photo = draw_photo(rng, own.board, {}, replace(random_view(rng), tap_error_px=0))
    true = [map_to_photo(own, photo, own.lane_places(lane)) for lane in own.lanes]
    lines = [map_to_photo(own, photo, draw_line(rng, own.lane_places(lane))) for lane in own.lanes]
    count = len(own.lanes[0].route.way)
    counts = Counter(photos=1, lanes=len(lines))
    px_per_mm = np.linalg.norm(photo.corners[0] - photo.corners[2]) / np.linalg.norm(own.size_mm)
    for place, line in zip(true, lines, strict=True):
        drawing = BoardDrawing(encode_photo(photo), photo.corners, float(own.size_mm.max()), count, [line])
        try:
            [found] = map_board(drawing)["lanes"]
        except UnusablePhoto as refusal:
            click.echo(f"{seed} {own.board.name}: {refusal}", err=True)
            counts += Counter({"refused lanes": 1})
            continue
        far = int((np.linalg.norm(np.array(found) - place, axis=1) > _NEAR_MM * px_per_mm).sum())
        counts += Counter({"holes": len(place), "wrong holes": far, "wrong lanes": bool(far)})
    return counts


@click.command()
@click.option("--photos", default=400, help="Drawn photographs; each shows 2 to 5 lanes.")
@click.option("--first", default=0, help="The first seed.")
@click.option("--processes", default=os.cpu_count())
@click.option("--own", "is_own", is_flag=True, help="Photographs without pegs of boards that are taken as unknown.")
def main(photos: int, first: int, processes: int, is_own: bool) -> None:
    """Measure and print."""
    measure = measure_own_board if is_own else measure_photo
    with ProcessPoolExecutor(max_workers=processes) as pool:
        total: Counter[str] = Counter()
        for n, counts in enumerate(pool.map(measure, range(first, first + photos), chunksize=5), 1):
            total += counts
            if n % 20 == 0 or n == photos:
                click.echo(", ".join(f"{name} {count}" for name, count in sorted(total.items())))


if __name__ == "__main__":
    main()
