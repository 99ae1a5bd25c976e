"""The commands of the how-to pages, for tests that follow a page to the letter."""

import re
from pathlib import Path

HOW_TO = Path(__file__).parents[2] / "docs/how-to"


def read_commands(page: str, heading: str) -> list[str]:
    """Return the blocks of shell commands below a heading of a page. Raises AssertionError if there are none."""
    text = (HOW_TO / page).read_text("utf-8")
    part = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert part, f"{page} has no heading {heading}"
    found = re.findall(r"^```sh\n(.*?)^```", part[1], re.MULTILINE | re.DOTALL)
    assert found, f"{page} has no commands below {heading}"
    return found
