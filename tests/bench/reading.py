"""What reading one report costs: three players count along Pursuit's one lane at once, the most that is ever asked."""

from collections.abc import Iterator
from random import Random
from time import process_time

from companion.boards import catalog
from companion.pegs import reader

SEED = 5
ROUNDS = 40
TARGET = 121


def read_report() -> Iterator[tuple[str, float, str]]:
    """The 254-hole board: 99 of 100 changed reports are read within this."""
    took: list[float] = []
    chance = Random(SEED)
    for _ in range(ROUNDS):
        took += _round(chance)
    yield "read_report_us", sorted(took)[int(len(took) * 0.99)] * 1e6, "us"


def _round(chance: Random) -> Iterator[float]:
    board = catalog.load_board("pursuit")
    routes = board.routes[3]
    fronts = [chance.randint(20, 60) for _ in routes]
    stands = tuple(
        reader.Placement(r.hole_at(f - 9, TARGET), r.hole_at(f, TARGET), f - 9, f)
        for r, f in zip(routes, fronts, strict=True)
    )
    watch = reader.create_reader(board, routes, TARGET, reader.PegTimings(), pegs_are_score=True, placements=stands)
    bits = sum(1 << h for s in stands for h in (s.back, s.front))
    acts = []
    for route, stand, front in zip(routes, stands, fronts, strict=True):
        ms = chance.randint(0, 900)
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
        watch, _ = reader.on_levels(watch, bits, ms)
        yield process_time() - begin
