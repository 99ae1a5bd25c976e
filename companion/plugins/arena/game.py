"""A game of cribbage between two players that answer questions (docs/reference/advise.md), with seeded deals."""

import json
import shlex
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from companion.coach import advise, heuristics
from companion.common.constants import SKILL_LEVELS
from companion.common.errors import BadMove, CompanionError
from companion.protocol.json_codec import parse_json
from companion.rules import play
from companion.rules.cards import JACK, PACK, Card, parse_card
from companion.rules.play import MAX_COUNT
from companion.rules.scoring import points

Answer = Mapping[str, Any]
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
    has the same deals, however long each of them lasts. `draw_pack(deal)`, deals counted from 0, returns other cards:
    six for the dealer, six for pone, and the starter.
    """

    def __init__(
        self,
        players: tuple[Ask, Ask],
        seed: int,
        target: int = 121,
        tallies: tuple[Tally, Tally] | None = None,
        draw_pack: Callable[[int], list[Card]] | None = None,
        names: tuple[str, str] = ("Seat 0", "Seat 1"),
    ) -> None:
        self._players, self._target, self._names = players, target, names
        self._draw_pack = draw_pack or (lambda deal: Random(seed * 1000 + deal).sample(PACK, 13))
        self._tallies = tallies or (Tally(), Tally())
        self.scores = [0, 0]

    def play(self) -> int:
        """Play the game and return the seat that won. Raises ArenaError if an answer is not legal."""
        deals = 0
        try:
            while True:
                self._play_deal(deals % 2, self._draw_pack(deals))
                deals += 1
        except _TargetReached:
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
                "played": [[str(card) for card in laid.played[each]] for each in (seat, other)],
                "gone": [each in laid.gone for each in (seat, other)],
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
