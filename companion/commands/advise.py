"""`companion advise`: what the coach would lay away or play, for other programs."""

import gc
import sys

import click

from companion.coach import advise as advice
from companion.coach import skill_levels
from companion.commands.output import say
from companion.common.errors import CompanionError
from companion.protocol.json_codec import parse


@click.command()
@click.option(
    "--level", type=click.Choice(skill_levels.LEVELS), default=skill_levels.EXPERT, help="How well it plays (expert)."
)
@click.option("--seed", type=int, default=0, help="Which errors novice and club make (0).")
def advise(level: str, seed: int) -> None:
    """Answer each question on standard input, a JSON object a line, with one line."""
    gc.disable()  # what is remembered has no cycles, and to look for them would hold an answer up for 0.1 s
    for line in sys.stdin.buffer:
        try:
            found = advice.answer(parse(line), level, seed)
        except CompanionError as refusal:
            found = {"ok": False, "error": str(refusal)}
        say(found)
