"""`companion advise`: discards and plays recommended by the coach, for other programs."""

import gc
import sys

import click

from companion.coach import advise as advice
from companion.coach import skill_levels
from companion.common.constants import SKILL_LEVELS
from companion.common.errors import CompanionError
from companion.protocol.json_codec import parse_json
from companion.protocol.json_output import print_json


@click.command()
@click.option("--level", type=click.Choice(SKILL_LEVELS), default=skill_levels.EXPERT, help="Skill level (expert).")
@click.option("--seed", type=int, default=0, help="Random seed for the errors of novice and club (0).")
def advise(level: str, seed: int) -> None:
    """Answer each line of standard input, a question as a JSON object, with one line."""
    gc.disable()  # the caches have no cycles, and a collection would delay an answer by 0.1 s
    for line in sys.stdin.buffer:
        try:
            found = advice.answer_question(parse_json(line), level, seed)
        except CompanionError as refusal:
            found = {"ok": False, "error": str(refusal)}
        print_json(found)
