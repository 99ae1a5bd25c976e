"""Names and numbers that rules, board, server and pages all go by. They stand here once; docs/reference/http.md tells
how the pages get them. Pure.
"""

from companion.words import say

SEAT_NAMES = tuple(map(say, ("Red", "Blue", "Green", "Yellow", "White")))
"""What a seat is called, after the colour of its pegs."""
MOST = 29
"""No hand scores more, so no claim is bigger."""
IMPOSSIBLE = (19, 25, 26, 27)
"""No hand scores these."""
