"""Plans: a board that does not suit the game is refused with a sentence."""

import pytest

from companion.common.errors import BoardError
from companion.settings import Settings
from companion.table.setup import create_plan
from companion.table.state import create_core

ALONE = """
[[track]]
name = "red"
start = [[0, 0], [0, 9]]
path = [{ holes = 121, line = [[0, 20], [0, 900]] }]
[routes]
2 = [{ track = "red" }]
"""


def test_a_board_with_a_way_for_one_of_two_sides_is_refused(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(ALONE)
    with pytest.raises(BoardError, match="no routes for 2 players"):
        create_core(create_plan("six-card", 2, board=str(path)), Settings())
