"""A game of cribbage between two players that answer questions (docs/reference/advise.md), with seeded deals."""

import json
import shlex
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from random import Random
from typing import IO, Any

from companion.coach import advise, heuristics
from companion.common.constants import SKILL_LEVELS
from companion.common.errors import BadMove, CompanionError
from companion.protocol.json_codec import parse_json
from companion.rules import play
from companion.rules.cards import JACK, PACK, Card, parse_card
from companion.rules.scoring import points

Ask = Callable[[dict[str, Any]], object]
"""Asks a player: a question as `companion advise` takes it, its answer, which may be wrong."""


class ArenaError(CompanionError, ValueError):
    """A player that does not answer as docs/reference/advise.md says, or a file of results that does not fit."""


_LEGAL_CHOICES = {
    "discard": "discard, two cards of hand",
    "play": "play, a card of hand that fits, or null if none does",
}


class _TargetReached(Exception):
    """A player has reached the target."""


@dataclass
class Tally:
    """Points of one side in a match, by kind and role (0 dealer, 1 pone), and the number of complete deals."""

    hands: list[int] = field(default_factory=lambda: [0, 0])
    pegged: list[int] = field(default_factory=lambda: [0, 0])
    cribs: int = 0
    deals: list[int] = field(default_factory=lambda: [0, 0])


class DuplicateGame:
    """One six-card game to `target`. `players`, `tallies` and `names` are by seat; seat 0 deals first.

    The cards of each deal depend on the seed and the number of the deal alone, so that another game with the same seed
    has the same deals, however long each of them lasts.
    """

    def __init__(
        self,
        players: tuple[Ask, Ask],
        seed: int,
        target: int = 121,
        tallies: tuple[Tally, Tally] | None = None,
        names: tuple[str, str] = ("Seat 0", "Seat 1"),
    ) -> None:
        self._players, self._seed, self._target, self._names = players, seed, target, names
        self._tallies = tallies or (Tally(), Tally())
        self.scores = [0, 0]

    def play(self) -> int:
        """Play the game and return the seat that won. Raises ArenaError if an answer is not legal."""
        try:
            for deal in count():
                self._play_deal(deal % 2, Random(self._seed * 1000 + deal).sample(PACK, 13))
        except _TargetReached:
            pass
        return int(self.scores[1] > self.scores[0])

    def _play_deal(self, dealer: int, pack: list[Card]) -> None:
        pone = 1 - dealer
        dealt = {dealer: pack[:6], pone: pack[6:12]}
        starter = pack[12]
        discards = {seat: self._ask_discard(seat, dealt[seat], dealer) for seat in (pone, dealer)}
        kept = {seat: [card for card in dealt[seat] if card not in discards[seat]] for seat in (0, 1)}
        if starter.rank == JACK:
            self._score(dealer, 2)
        pegged = self._play_cards(dealer, kept, discards, starter)
        hands = [points(kept[seat], starter) for seat in (0, 1)]
        crib = points([*discards[dealer], *discards[pone]], starter, True)
        for seat in (0, 1):
            role, tally = int(seat != dealer), self._tallies[seat]
            tally.deals[role] += 1
            tally.hands[role] += hands[seat]
            tally.pegged[role] += pegged[seat]
            tally.cribs += crib * (seat == dealer)
        self._score(pone, hands[pone])
        self._score(dealer, hands[dealer])
        self._score(dealer, crib)

    def _ask_discard(self, seat: int, held: list[Card], dealer: int) -> list[Card]:
        question = {
            "ask": "discard", "game": "six-card", "hand": [str(card) for card in held], "dealer": seat == dealer,
            "scores": self._scores_from(seat), "target": self._target,
        }  # fmt: skip
        answer, chosen = self._ask_best(seat, question)
        found = {_parse_answered_card(text) for text in chosen} if isinstance(chosen, list) else set()
        if len(found) != 2 or not found <= set(held):
            raise self._illegal_answer(seat, question, answer)
        return [card for card in held if card in found]

    def _play_cards(
        self, dealer: int, kept: dict[int, list[Card]], discards: dict[int, list[Card]], starter: Card
    ) -> list[int]:
        laid = play.begin_play(2, 1 - dealer)
        pegged = [0, 0]
        while laid.turn is not None:
            seat, other = laid.turn, 1 - laid.turn
            held = [card for card in kept[seat] if card not in laid.played[seat]]
            question = {
                "ask": "play", "game": "six-card", "hand": [str(card) for card in held],
                "kept": [str(card) for card in kept[seat]], "discarded": [str(card) for card in discards[seat]],
                "starter": str(starter), "dealer": seat == dealer,
                "series": [str(card) for card in laid.series], "count": laid.count,
                "played": [[str(card) for card in laid.played[player]] for player in (seat, other)],
                "gone": [player in laid.gone for player in (seat, other)],
                "scores": self._scores_from(seat), "target": self._target,
            }  # fmt: skip
            answer, text = self._ask_best(seat, question)
            fitting = [card for card in held if card.value + laid.count <= play.MAX_COUNT]
            if text is None and not fitting:
                laid, awards = play.say_go(laid, seat)
            elif (chosen := _parse_answered_card(text)) is not None and chosen in fitting:
                laid, scored, last = play.play_card(laid, seat, chosen)
                awards = (*scored, *last)
            else:
                raise self._illegal_answer(seat, question, answer)
            for award in awards:
                pegged[award.seat] += award.points
                self._score(award.seat, award.points)
        return pegged

    def _ask_best(self, seat: int, question: dict[str, Any]) -> tuple[Any, Any]:
        """Return a player's answer, and what its first choice is."""
        answer: Any = self._players[seat](question)
        try:
            return answer, answer["choices"][0][question["ask"]]
        except (LookupError, TypeError):
            raise self._illegal_answer(seat, question, answer) from None

    def _illegal_answer(self, seat: int, question: dict[str, Any], answer: Any) -> ArenaError:
        what = _LEGAL_CHOICES[question["ask"]]
        return ArenaError(
            "{player} answered {answer} to {question}. Its first choice must have {what}.",
            player=self._names[seat], answer=json.dumps(answer)[:200], question=json.dumps(question), what=what,
        )  # fmt: skip

    def _scores_from(self, seat: int) -> list[int]:
        return [self.scores[seat], self.scores[1 - seat]]

    def _score(self, seat: int, scored: int) -> None:
        self.scores[seat] = min(self._target, self.scores[seat] + scored)
        if self.scores[seat] == self._target:
            raise _TargetReached


def _parse_answered_card(text: Any) -> Card | None:
    try:
        return parse_card(text)
    except (CompanionError, TypeError, AttributeError):
        return None


HEURISTIC = "heuristic"
"""Name of the player that the companion had before the coach."""


@contextmanager
def open_player(name: str) -> Iterator[Ask]:
    """Yield a player: a skill level, `heuristic`, or the command of a program. Raises ArenaError."""
    if name == HEURISTIC:
        yield _answer_by_heuristics
    elif name in SKILL_LEVELS:
        yield partial(advise.answer_question, level=name)
    else:
        with _start_program(name) as program:
            yield program


def _answer_by_heuristics(question: dict[str, Any]) -> dict[str, Any]:
    """Discard by expected hand and crib, and take the most points in the play."""
    held = _parse_cards(question["hand"])
    if question["ask"] == "discard":
        kept = heuristics.choose_hand(held, own_crib=question["dealer"])
        return {"choices": [{"discard": [str(card) for card in held if card not in kept]}]}
    fitting = [card for card in held if card.value + question["count"] <= play.MAX_COUNT]
    if not fitting:
        return {"choices": [{"play": None}]}
    return {"choices": [
        {"play": str(heuristics.choose_card(fitting, _parse_cards(question["series"]), question["count"]))}
    ]}  # fmt: skip


def _parse_cards(texts: list[str]) -> list[Card]:
    return [parse_card(text) for text in texts]


@contextmanager
def _start_program(command: str) -> Iterator[Ask]:
    """Start a program that answers the lines of docs/reference/advise.md, such as `companion advise --level club`.

    In the end its input is closed, and after ten seconds it is killed.
    """
    try:
        process = subprocess.Popen(
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
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield partial(_ask_program, command, process.stdin, process.stdout)
    finally:
        try:
            process.stdin.close()
            process.wait(10)
        except (BrokenPipeError, subprocess.TimeoutExpired):
            process.kill()
            process.wait()
        process.stdout.close()


def _ask_program(command: str, lines: IO[str], answers: IO[str], question: dict[str, Any]) -> object:
    """Write one line and read one line. Raises ArenaError if the program ends or does not answer with JSON."""
    try:
        lines.write(json.dumps(question) + "\n")
        lines.flush()
        line = answers.readline()
    except OSError:
        line = ""
    if not line:
        raise ArenaError("{command} ended without an answer.", command=command)
    try:
        return parse_json(line)
    except BadMove as error:
        raise ArenaError(
            "{command} answered {line}: {why}", command=command, line=line.strip()[:200], why=str(error)
        ) from error
