"""Short stories of pegs: the ordinary case, and what was once read wrong (found by `make perception`)."""

import re
from pathlib import Path

import pytest

TEXT = Path(__file__).with_name("stories.txt").read_text("utf-8")
STORIES = {m[1]: (m[2], m[3]) for m in re.finditer(r"^(\w.+)\n  (.+)\n((?:  .+\n?)+)", TEXT, re.MULTILINE)}


@pytest.mark.parametrize(("pegs", "story"), STORIES.values(), ids=STORIES)
def test_pegs_are_read_as_the_story_tells(table, pegs, story):
    table.set_up(pegs).play(story)
    assert "->" in story
