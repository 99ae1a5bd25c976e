"""Players of the arena: the coach, the heuristic player before it, and programs that answer lines."""

import json
import shlex
import subprocess
from typing import Any, Protocol

from companion.coach import advise, heuristics
from companion.common.constants import SKILL_LEVELS
from companion.common.errors import BadMove
from companion.plugins.arena.game import Answer, ArenaError
from companion.protocol.json_codec import parse_json
from companion.rules.cards import Card, parse_card
from companion.rules.play import MAX_COUNT

HEURISTIC = "heuristic"
"""Name of the player that the companion had before the coach."""


class ArenaPlayer(Protocol):
    """Answers questions, and can be closed. `name` is as `create_player` takes it."""

    name: str

    def __call__(self, question: dict[str, Any]) -> object:
        """Return the answer, with the best choice first."""
        ...

    def close(self) -> None:
        """Release what the player holds."""
        ...


class ProgramPlayer:
    """A program that answers the lines of docs/reference/advise.md, such as `companion advise --level club`."""

    def __init__(self, command: str) -> None:
        self.name = command
        try:
            self._process = subprocess.Popen(
                shlex.split(command) or [command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                bufsize=1,
                errors="replace",
            )
        except (OSError, ValueError) as error:
            raise ArenaError(
                "Cannot start {command}: {why}. A player is {levels}, {heuristic}, or the command of a program.",
                command=command, why=getattr(error, "strerror", None) or str(error), levels=", ".join(SKILL_LEVELS),
                heuristic=HEURISTIC,
            ) from error  # fmt: skip

    def __call__(self, question: dict[str, Any]) -> object:
        """Write one line and read one line. Raises ArenaError if the program ends or does not answer with JSON."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except OSError:
            line = ""
        if not line:
            raise ArenaError("{command} ended without an answer.", command=self.name)
        try:
            return parse_json(line)
        except BadMove as error:
            raise ArenaError("{command} answered {line}: {why}", command=self.name, line=line.strip()[:200],
                             why=str(error)) from error  # fmt: skip

    def close(self) -> None:
        """End the program: its input is closed, and after ten seconds it is killed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.close()
            self._process.wait(10)
        except (BrokenPipeError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


class CoachPlayer:
    """The coach at a skill level, called directly."""

    def __init__(self, level: str, seed: int = 0) -> None:
        self.name, self._seed = level, seed

    def __call__(self, question: dict[str, Any]) -> Answer:
        """Answer as `companion advise` does."""
        return advise.answer_question(question, self.name, self._seed)

    def close(self) -> None:
        """Do nothing: no process is open."""


class HeuristicPlayer:
    """The player before the coach: knows expected hand and crib, and takes the most points in the play."""

    name = HEURISTIC

    def __call__(self, question: dict[str, Any]) -> Answer:
        """Return its only choice."""
        if question["ask"] == "discard":
            held = _parse_cards(question["hand"])
            kept = heuristics.choose_hand(held, own_crib=question["dealer"])
            return {"ok": True, "choices": [{"discard": [str(card) for card in held if card not in kept]}]}
        fitting = [card for card in _parse_cards(question["hand"]) if card.value + question["count"] <= MAX_COUNT]
        if not fitting:
            return {"ok": True, "choices": [{"play": None}]}
        chosen = heuristics.choose_card(fitting, _parse_cards(question["series"]), question["count"])
        return {"ok": True, "choices": [{"play": str(chosen)}]}

    def close(self) -> None:
        """Do nothing: no process is open."""


def _parse_cards(texts: list[str]) -> list[Card]:
    return [parse_card(text) for text in texts]


def create_player(name: str) -> ArenaPlayer:
    """Return a player by name: a skill level, `heuristic`, or the command of a program. Raises ArenaError."""
    if name == HEURISTIC:
        return HeuristicPlayer()
    return CoachPlayer(name) if name in SKILL_LEVELS else ProgramPlayer(name)
