"""The stories of rulings in one line each (`short_stories/*.txt`), and the moves that they share."""

from pathlib import Path

PLAY = "cut 8S; 1 5H; 0 TD; 1 6C; 0 9D; go 1; 0 AH; 1 JS; 0 QC; 1 4D"
"""Seat 0 makes 15 and 31, seat 1 has the last card; seat 1's hand is worth 8, seat 0's 3."""
HANDS = f"{PLAY}; 1 claims 1; 1 claims 8; 0 claims 3; crib 2H2D3S3H"
"""Everything counted right: 3 to 9. The crib is worth 8."""
SHOWN = "cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 1 claims 1; 1 shows KH5C9H; 1 claims 2; 0 shows QD2C3C"
"""Five-card cribbage: at 25 seat 0 says go with the 2 and the 3 in hand."""
RENEGE = "cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 0 JD; 1 9H; 0 2C; 1 9S; go 0; 0 3C"
"""At 25 seat 0 says go with the 2 and the 3 in hand. Nobody claims a point."""


def write_out(moves: str) -> str:
    """Return the moves with the shared ones in place of their names."""
    for name, shared in (("PLAY", PLAY), ("HANDS", HANDS), ("SHOWN", SHOWN), ("RENEGE", RENEGE)):
        moves = moves.replace(name, shared)
    return moves


def read_stories(name: str) -> list[list[str]]:
    """Return the parts of each line of a file."""
    lines = (Path(__file__).parent / "short_stories" / f"{name}.txt").read_text("utf-8").splitlines()
    return [[part.strip() for part in line.split("|")] for line in lines if not line.startswith("#")]
