"""Pursuit, implemented from docs/reference/games/pursuit.md."""

from typing import Any

from tests.oracles.deal import Deal, Group, Refusal, Table


class Pursuit:
    """A match after each of its moves."""

    def __init__(self, seats: int, dealer: int | None, options: dict[str, str]) -> None:
        self.seats, self.options = seats, options
        self._begin_match(dealer or 0)

    def _begin_match(self, dealer: int) -> None:
        self.table = Table(self.seats, self.seats, list(range(self.seats)), options=self.options)
        self.deal, self.dealer = Deal(self.table, dealer), dealer
        self.front = dict.fromkeys(self.table.alive, 0)
        self.back, self.held, self.held_back = dict(self.front), dict(self.front), dict(self.front)
        self.fallen: list[int] = []
        self.winner: int | None = None

    @property
    def phase(self) -> str:
        if self.winner is not None:
            return "over"
        return "between" if self.fallen or self.deal.phase == "counted" else self.deal.phase

    def expect(self, move: dict[str, Any]) -> dict[str, Any]:
        self.out: list[int] = []
        awards, reneged = self._apply_move(move)
        stopped = bool(self.fallen)
        return {
            "awards": awards, "reneges": reneged, "knocked_out": sorted(self.out), "phase": self.phase,
            "scores": [self.front[s] for s in range(self.seats)], "back": [self.back[s] for s in range(self.seats)],
            "alive": list(self.table.alive), "lap": 30 * len(self.table.alive), "winner": self.winner,
            "dealer": self.dealer, "turn": None if stopped else self.deal.seat_to_act(),
            "count": 0 if stopped else self.deal.count, "starter": self.deal.starter or None,
        }  # fmt: skip

    def _apply_move(self, move: dict[str, Any]) -> tuple[list[Group], list[Any]]:
        kind, seat = move["type"], move.get("seat")
        if seat is not None and seat not in self.table.alive and not (kind == "adjust" and seat in self.fallen):
            raise Refusal
        if kind == "adjust":
            return self._adjust(seat, move["points"]), []
        if kind == "next" and self.phase == "over":
            self._begin_match(self.fallen[0])
            return [], []
        if kind in ("next", "starter") and self.phase == "between":
            self._begin_next_deal()
            return (self._cut_starter(move["card"]) if kind == "starter" else []), []
        if kind == "starter" and self.phase == "cut":
            return self._cut_starter(move["card"]), []
        if kind == "misdeal" and self.phase in ("play", "claim", "crib"):
            self.deal = Deal(self.table, self.dealer)
            self.front = {seat: max(0, score) for seat, score in self.held.items()}
            self.back = dict(self.held_back)
            return [], []
        if self.phase == "over" or self.fallen or kind not in ("play", "go", "crib", "claim", "muggins"):
            raise Refusal
        return self._apply_deal_move(move, kind)

    def _apply_deal_move(self, move: dict[str, Any], kind: str) -> tuple[list[Group], list[Any]]:
        before = self.deal.phase
        groups = self.deal.apply_move(move)
        if kind == "play" and not self.table.is_manual:  # the card and the last-card point are one movement
            groups = [groups[0] + groups[1], *groups[2:]]
        reneged = self.deal.reneged if kind == "play" else []
        given = self._peg_groups(groups)
        if self.deal.phase == "counted" != before and not self.out:
            self.dealer = self.table.opponent_of(self.dealer)
        return given, reneged

    def _peg_groups(self, groups: list[Group]) -> list[Group]:
        given = []
        for group in groups:
            given.append(group)
            if group and self._move_peg(group[0][0], sum(points for _, points, _ in group)):
                break
        return given

    def _move_peg(self, seat: int, points: int) -> bool:
        """Move the peg; players that it lands on or passes are out, by clockwise distance."""
        alive = self.table.alive
        self.back[seat] = self.front[seat]
        self.front[seat] += points
        marks = self.front if self.options.get("capture_peg") == "front" else self.back
        place = alive.index(seat)
        for adjustments in range(1, len(alive)):
            other = alive[(place + adjustments) % len(alive)]
            if self.front[seat] >= 30 * adjustments + marks[other]:
                self.out.append(other)
        if not self.out:
            return False
        self.fallen, self.dealer = list(self.out), seat
        self.table = Table(
            self.seats, self.seats, [each for each in alive if each not in self.out], options=self.options
        )
        self.winner = seat if self.table.alive == [seat] else None
        return True

    def _begin_next_deal(self) -> None:
        if self.fallen:
            self.front, self.back = dict.fromkeys(self.front, 0), dict.fromkeys(self.front, 0)
        self.fallen, self.deal = [], Deal(self.table, self.dealer)

    def _cut_starter(self, card: str) -> list[Group]:
        self.held, self.held_back = dict(self.front), dict(self.back)
        return self._peg_groups(self.deal.cut_starter(card))

    def _adjust(self, seat: int | None, points: int) -> list[Group]:
        if seat is None or self.front[seat] + points < 0:
            raise Refusal
        self.front[seat] += points
        self.held[seat] += points
        self.deal.window = None
        return [[(seat, points, "adjust")]]
