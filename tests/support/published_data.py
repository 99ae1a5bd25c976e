"""The tables of others in tests/data, whose first lines say where they come from."""

import csv
from pathlib import Path

DATA = Path(__file__).parents[1] / "data"


def read_rows(name: str) -> list[dict[str, str]]:
    lines = (DATA / name).read_text("utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))
