"""Measurement of one sensor report in the hardest case: three players count along Pursuit's lane at once."""

from collections.abc import Iterator
from random import Random
from time import process_time

from companion.boards import catalog
from companion.pegs import reader

SEED = 5
ROUND_COUNT = 40
TARGET = 121


def measure_report_reading() -> Iterator[tuple[str, float, str]]:
    """Measure the time within which 99 of 100 changed reports of the 254-hole board are processed."""
    took: list[float] = []
    random = Random(SEED)
    for _ in range(ROUND_COUNT):
        took += _play_round(random)
    yield "read_report_us", sorted(took)[int(len(took) * 0.99)] * 1e6, "us"


def _play_round(random: Random) -> Iterator[float]:
    board = catalog.load_board("pursuit")
    routes = board.routes[3]
    front_points = [random.randint(20, 60) for _ in routes]
    placements = tuple(
        reader.Placement(r.hole_at(f - 9, TARGET), r.hole_at(f, TARGET), f - 9, f)
        for r, f in zip(routes, front_points, strict=True)
    )
    pegs = reader.create_reader(board, routes, TARGET, reader.PegTimings(), pegs_are_score=True, placements=placements)
    bits = sum(1 << h for s in placements for h in (s.back, s.front))
    acts = []
    for route, stand, front in zip(routes, placements, front_points, strict=True):
        ms = random.randint(0, 900)
        acts.append((ms, stand.back))
        for points in range(front + 1, front + 12):
            hole = route.hole_at(points, TARGET)
            if not bits >> hole & 1:
                acts += [(ms + 200, hole), (ms + 450, hole)]
                ms += 300
        acts.append((ms + 400, route.hole_at(front + 13, TARGET)))
    for ms, hole in sorted(acts):
        bits ^= 1 << hole
        begin = process_time()
        pegs, _ = reader.on_levels(pegs, bits, ms)
        yield process_time() - begin
