"""A contact matrix without diodes: which holes seem taken beside those that are.

Rows that share a column of which both crossings are taken are one wire, and all on it reads as taken.
"""

from math import ceil, sqrt
from random import Random

from companion.boards.board import Board


def count_ghosts(pegs: set[int], columns: int) -> set[int]:
    """The holes that read as taken and are not: hole n lies in row n // columns and column n % columns."""
    wires = {hole: {f"row {hole // columns}", f"column {hole % columns}"} for hole in pegs}
    joined: list[set[str]] = []
    for ends in wires.values():
        touching = [wire for wire in joined if wire & ends]
        joined = [wire for wire in joined if not wire & ends] + [ends.union(*touching)]
    rows = {int(end.split()[1]) for wire in joined for end in wire if end.startswith("row")}
    seen = {
        row * columns + column
        for row in rows
        for column in range(columns)
        if any({f"row {row}", f"column {column}"} <= wire for wire in joined)
    }
    return seen - pegs


def ghost_share(board: Board, seats: int, times: int, seed: int = 1) -> float:
    """In which share of placements a hole reads wrong: two pegs a seat, anywhere on its way, a matrix nearly square."""
    chance = Random(seed)
    columns = ceil(sqrt(len(board.holes)))
    wrong = 0
    for _ in range(times):
        pegs: set[int] = set()
        for route in board.routes[seats]:
            free = [bit for bit in route.way if bit not in pegs]
            pegs.update(chance.sample(free, 2))
        wrong += bool(count_ghosts(pegs, columns))
    return wrong / times
