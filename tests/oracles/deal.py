"""One deal and its points, implemented from docs/reference/games/six-card.md and docs/reference/counting.md.

This is a second implementation of the rules, independent of the program. Whole games compare the two.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.oracles import scores
from tests.oracles.scores import card_value

Group = list[tuple[int, int, str]]
"""Awards that are counted together: seat, points and reason of each."""


class Refusal(Exception):
    """The move must be refused."""


class Players:
    """Players of a game, whose subclasses have `choose_move` (a sensible one) and `draw_any_move` (often illegal)."""

    def __init__(self, oracle: Any, chance: Random, games: int) -> None:
        self.oracle, self.chance, self.games = oracle, chance, games

    def is_finished(self) -> bool:
        return bool(self.oracle.phase == "over")

    def is_done(self) -> bool:
        """Return whether the games are over. Called once before each move."""
        self.games -= self.is_finished()
        return self.games <= 0


@dataclass
class Table:
    """The players and the options. `size` is the number of cards in a hand."""

    seats: int
    sides: int
    alive: list[int]
    size: int = 4
    target: int | None = None
    options: dict[str, str] = field(default_factory=dict)

    def side_of(self, seat: int) -> int:
        return seat % self.sides

    def has_option(self, key: str, value: str) -> bool:
        return self.options.get(key) == value

    @property
    def is_manual(self) -> bool:
        return self.has_option("counting", "manual")

    def opponent_of(self, seat: int) -> int:
        """Return the seat that gains from a seat's mistake: the next remaining player clockwise."""
        return next(s % self.seats for s in range(seat + 1, seat + 9) if s % self.seats in self.alive)


class Deal:
    """A deal in progress. Every method returns the groups that it counts, or raises Refusal and changes nothing."""

    def __init__(self, table: Table, dealer: int) -> None:
        self.table, self.dealer = table, dealer
        clockwise = [(dealer + n) % table.seats for n in range(1, table.seats + 1)]
        self.order = [seat for seat in clockwise if seat in table.alive]
        self.phase, self.starter, self.turn = "cut", "", self.order[0]
        self.played: dict[int, list[str]] = {seat: [] for seat in table.alive}
        self.whole: dict[int, list[str]] = {}
        self.series: list[str] = []
        self.gone: set[int] = set()
        self.goes: list[tuple[int, int, int]] = []
        self.last, self.shown = self.order[0], 0
        self.crib_cards: list[str] = []
        self.open: dict[int, int] = {}
        self.pending: tuple[str, int, int] | None = None
        self.window: tuple[int, int, bool] | None = None
        """Points that may be called: their seat, the number left, and whether they were claimed."""
        self.reneged: list[tuple[int, int, str]] = []

    @property
    def count(self) -> int:
        return sum(map(card_value, self.series))

    def seat_to_act(self) -> int | None:
        if self.phase == "claim" and self.pending:
            return self.pending[1]
        if self.phase == "show":
            return next(seat for seat in self.order if seat not in self.whole)
        return self.turn if self.phase == "play" else None

    def seen_cards(self) -> set[str]:
        hands = [*self.played.values(), *self.whole.values()]
        return {self.starter, *self.crib_cards, *(card for hand in hands for card in hand)}

    def cut_starter(self, card: str) -> list[Group]:
        self.starter, self.phase = card, "play"
        return [[(self.dealer, 2, "his heels")]] if card[0] == "J" else []

    def apply_move(self, move: dict[str, Any], score: int = 0) -> list[Group]:
        """Apply a move of the deal; `score` is that of the mover's side."""
        seat = move.get("seat")
        match move["type"]:
            case "crib":
                return self.count_crib(move["cards"])
            case _ if seat is None:
                raise Refusal
            case "play":
                return self.play_card(seat, move["card"])
            case "go":
                return self.say_go(seat)
            case "hand":
                return self.show_hand(seat, move["cards"])
            case "claim":
                return self.claim_points(seat, move["points"], score)
        return self.call_muggins(seat, move["points"])

    def require(self, *, holds: bool) -> None:
        if not holds:
            raise Refusal

    def play_card(self, seat: int, card: str) -> list[Group]:
        self.require(holds=self.phase == "play" and seat == self.turn)
        self.require(holds=card not in self.seen_cards() and self.count + card_value(card) <= 31)
        self.window, self.reneged = None, []
        self.series.append(card)
        self.played[seat].append(card)
        self.last = seat
        earned = [(seat, points, why) for points, why in scores.score_series(tuple(self.series))]
        last = [(seat, 1, "last card")] if not self._able_seats() and self.count < 31 else []
        self._pass_turn(seat)
        penalty: Group = []
        if len(self.played[seat]) == self.table.size:
            penalty = self._reveal_hand(seat, self.played[seat])
        if self.table.is_manual:
            self._add_unclaimed(seat, sum(points for _, points, _ in earned + last), is_new_card=True)
            return [penalty]
        return [earned, last, penalty, *self._count_if_over()]

    def say_go(self, seat: int) -> list[Group]:
        self.require(holds=self.phase == "play" and seat == self.turn and self.count > 21)
        self.window, self.reneged = None, []
        self.open.pop(seat, None)
        self.gone.add(seat)
        self.goes.append((seat, self.count, len(self.played[seat])))
        last = [] if self._able_seats() else [(self.last, 1, "last card")]
        self._pass_turn(seat)
        if self.table.is_manual:
            if last:
                self._add_unclaimed(self.last, 1, is_new_card=False)
            return []
        return [last, *self._count_if_over()]

    def show_hand(self, seat: int, cards: list[str]) -> list[Group]:
        self.require(holds=self.phase == "show" and seat in self.table.alive and seat not in self.whole)
        self.require(holds=len(cards) == len(set(cards)) == self.table.size and set(self.played[seat]) <= set(cards))
        rest = [card for card in cards if card not in self.played[seat]]
        self.require(holds=not set(rest) & self.seen_cards())
        self.window, self.reneged = None, []
        penalty = self._reveal_hand(seat, [*self.played[seat], *rest])
        return [penalty, *self._count_hands()]

    def count_crib(self, cards: list[str]) -> list[Group]:
        self.require(holds=self.phase == "crib" and len(cards) == len(set(cards)) == 4)
        self.require(holds=not set(cards) & self.seen_cards())
        self.window, self.reneged, self.crib_cards = None, [], cards
        found = [(self.dealer, points, why) for points, why in scores.score_hand(tuple(cards), self.starter, crib=True)]
        if self.table.is_manual:
            self.phase, self.pending = "claim", ("crib", self.dealer, sum(points for _, points, _ in found))
            return []
        self.phase = "counted"
        return [found]

    def claim_points(self, seat: int, points: int, score: int) -> list[Group]:
        self.require(holds=self.table.is_manual and self.phase in ("play", "claim") and points >= 0)
        kind = "play"
        if self.pending:
            kind, who, truth = self.pending
            is_game = self.table.has_option("policy", "tournament") and bool(self.table.target)
            is_game = is_game and score + points == self.table.target  # rule 8.4: taken whatever it counts
            self.require(holds=who == seat and (is_game or kind == "play" or not scores.is_impossible(points)))
        else:
            self.require(holds=seat in self.open)
            truth = self.open.pop(seat)
        self.reneged = []
        self.window = (seat, max(0, truth - points), True) if self.table.has_option("muggins", "on") else None
        groups = self._resolve_claim(seat, points, truth, score)
        return [*groups, *self._settle_claim(kind)]

    def call_muggins(self, seat: int, points: int) -> list[Group]:
        self.require(holds=self.phase in ("play", "claim", "show", "crib", "counted") and self.window is not None)
        assert self.window
        who, rest, was_claimed = self.window
        self.require(holds=self.table.side_of(seat) != self.table.side_of(who) and 1 <= points <= 29)
        self.window, self.reneged = None, []
        groups: list[Group] = [[(seat if points <= rest else who, points, "muggins")]]
        if was_claimed:
            return groups
        self.open.pop(who, None)
        return [*groups, *self._settle_claim("play")]

    def _resolve_claim(self, seat: int, points: int, truth: int, score: int) -> list[Group]:
        """Return the claimant's points, then the opponent's."""
        other, target = self.table.opponent_of(seat), self.table.target
        why = "claim"
        if points <= truth:
            own, gained = points, 0
        elif self.table.has_option("policy", "tournament") and target and score + truth < target <= score + points:
            own, gained, why = max(truth - 15, -score), target - score - truth, "false claim"
        else:
            gained = {"correct": 0, "two": 2, "excess": points - truth}[self.table.options.get("overclaim", "correct")]
            own = truth
        return [[(seat, own, why)] if own else [], [(other, gained, "overclaim")] if gained else []]

    def _settle_claim(self, kind: str) -> list[Group]:
        """Continue after the pending claim."""
        if self.pending is None:
            return []
        self.pending = None
        if kind == "crib":
            self.phase = "counted"
            return []
        return self._count_hands()

    def _able_seats(self) -> list[int]:
        if self.count == 31:
            return []
        return [s for s in self.table.alive if len(self.played[s]) < self.table.size and s not in self.gone]

    def _pass_turn(self, seat: int) -> None:
        """Pass the turn on from this seat; `turn` is None once the play is over."""
        after, able = seat, self._able_seats()
        if not able:
            self.series, self.gone, after = [], set(), self.last
            able = [] if self.table.size == 3 else self._able_seats()
        following = [s % self.table.seats for s in range(after + 1, after + 1 + self.table.seats)]
        self.turn = next((s for s in following if s in able), None)  # type: ignore[assignment]

    def _reveal_hand(self, seat: int, hand: list[str]) -> Group:
        """Note a hand that is known now, and return the penalties for its reneges."""
        self.whole[seat] = list(hand)
        for who, count, had in self.goes:
            if who == seat:
                self.reneged += [(seat, count, card) for card in hand[had:] if count + card_value(card) <= 31]
        if not self.table.has_option("policy", "tournament"):
            return []
        return [(self.table.opponent_of(seat), 2, "renege")] * len(self.reneged)

    def _add_unclaimed(self, seat: int, truth: int, *, is_new_card: bool) -> None:
        """Add points that may be claimed (manual counting); those that end the play must be."""
        before = 0 if is_new_card else self.open.get(seat, 0)
        self.open[seat] = before + truth
        if truth and self.table.has_option("muggins", "on"):
            self.window = (seat, before + truth, False)
        if self.turn is None:
            self.open = {}
            self.phase, self.pending = "claim", ("play", seat, truth)
            if self.window:
                self.window = (seat, truth, False)

    def _count_if_over(self) -> list[Group]:
        return self._count_hands() if self.turn is None else []

    def _count_hands(self) -> list[Group]:
        """Count the known hands in order; with manual counting, wait for the next one's claim."""
        groups: list[Group] = []
        while self.shown < len(self.order) and (seat := self.order[self.shown]) in self.whole:
            self.shown += 1
            found = scores.score_hand(tuple(self.whole[seat]), self.starter, crib=False)
            if self.table.is_manual:
                self.phase, self.pending = "claim", ("hand", seat, sum(points for points, _ in found))
                return []
            groups.append([(seat, points, why) for points, why in found])
        self.phase = "show" if self.shown < len(self.order) else "crib"
        return groups
