"""Players of the arena: programs that answer lines, and players in this process."""

import json
import shlex
import subprocess
from typing import Any

from companion.coach import advise, heuristics
from companion.rules.cards import Card, parse_card

Answer = dict[str, Any]


class Program:
    """A program that answers the lines of docs/reference/advise.md, such as `companion advise --level club`."""

    def __init__(self, command: str) -> None:
        self._process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def __call__(self, question: Answer) -> Answer:
        """Write one line and read one line."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer: Answer = json.loads(self._process.stdout.readline())
        if not answer["ok"]:
            raise ValueError(answer["error"])
        return answer

    def close(self) -> None:
        """End the program."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)
        if self._process.stdout is not None:
            self._process.stdout.close()


class Coach:
    """The coach, called directly."""

    def __init__(self, level: str = "expert", seed: int = 0) -> None:
        self._level, self._seed = level, seed

    def __call__(self, question: Answer) -> Answer:
        """Answer as the command does."""
        return advise.answer_question(question, self._level, self._seed)

    def close(self) -> None:
        """Do nothing: no process is open."""


class Former:
    """The player before there was a coach: knows expected hand and crib, and takes points."""

    def __call__(self, question: Answer) -> Answer:
        """Return its only choice."""
        if question["ask"] == "discard":
            held = _cards(question["hand"])
            kept = heuristics.choose_hand(held, own_crib=question["dealer"])
            return {"ok": True, "choices": [{"discard": [str(c) for c in held if c not in kept]}]}
        fitting = [c for c in _cards(question["hand"]) if c.value + question["count"] <= 31]
        if not fitting:
            return {"ok": True, "choices": [{"play": None}]}
        chosen = heuristics.choose_card(fitting, _cards(question["series"]), question["count"])
        return {"ok": True, "choices": [{"play": str(chosen)}]}

    def close(self) -> None:
        """Do nothing: no process is open."""


def _cards(texts: list[str]) -> list[Card]:
    return [parse_card(text) for text in texts]


def create_side(name: str) -> Program | Coach | Former:
    """Return a side by name: `expert`, `club`, `novice`, `former`, or the command of a program."""
    if name == "former":
        return Former()
    return Coach(name) if name in ("expert", "club", "novice") else Program(name)
