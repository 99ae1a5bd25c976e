"""Six-card and five-card cribbage, implemented from their pages in docs/reference/games."""

from typing import Any

from tests.oracles.deal import Deal, Group, Refusal, Table


class Cribbage:
    """A game after each of its moves."""

    def __init__(self, key: str, seats: int, dealer: int | None, options: dict[str, str]) -> None:
        sides = 2 if seats == 4 else seats
        self.target = int(options.get("target", "61" if key == "five-card" else "121"))
        size = 3 if key == "five-card" else 4
        self.table = Table(seats, sides, list(range(seats)), size, self.target, options)
        self._begin(dealer or 0)

    def _begin(self, dealer: int) -> None:
        self.scores = [0] * self.table.sides
        if self.table.size == 3:
            self.scores[1 - dealer] = 3
        self.winner: int | None = None
        self.deal, self.dealer = Deal(self.table, dealer), dealer
        self.held = list(self.scores)

    @property
    def phase(self) -> str:
        if self.winner is not None:
            return "over"
        return "between" if self.deal.phase == "counted" else self.deal.phase

    def expect(self, move: dict[str, Any]) -> dict[str, Any]:
        awards, notes = self._apply_move(move)
        return {"awards": awards, "reneges": notes} | self.fields()

    def fields(self) -> dict[str, Any]:
        """Return the fields that do not depend on the last move."""
        deal, over = self.deal, self.winner is not None
        return {
            "phase": self.phase, "scores": self.scores, "winner": self.winner,
            "dealer": deal.dealer if over else self.dealer,
            "turn": None if over else deal.seat_to_act(), "count": 0 if over else deal.count,
            "starter": deal.starter or None,
        } | (self._outcome() if over else {})  # fmt: skip

    def _outcome(self) -> dict[str, Any]:
        low, lower = {121: (90, 60), 61: (30, -1)}[self.target]
        marks = ["double skunk" if s <= lower else "skunk" if s <= low else None for s in self.scores]
        if self.table.sides == 3:
            return {"skunks": [None if side == self.winner else mark for side, mark in enumerate(marks)]}
        assert self.winner is not None
        mark = marks[1 - self.winner]
        points = self.table.options.get("game_points", "1,2,4").split(",")
        return {"skunk": mark, "game_points": int(points[[None, "skunk", "double skunk"].index(mark)])}

    def _apply_move(self, move: dict[str, Any]) -> tuple[list[Group], list[Any]]:
        kind, seat = move["type"], move.get("seat")
        if seat is not None and seat >= self.table.seats:
            raise Refusal
        if kind == "adjust":
            return self._adjust(move), []
        if kind == "next" and self.phase == "over":
            return self._new_game(), []
        if kind == "next" and self.phase == "between":
            self.deal = Deal(self.table, self.dealer)
            return [], []
        if kind == "starter" and self.phase in ("cut", "between"):
            self.deal, self.held = Deal(self.table, self.dealer), list(self.scores)
            return self._add_awards(self.deal.cut_starter(move["card"])), []
        if kind == "misdeal" and self.phase in ("play", "show", "claim", "crib"):
            self.deal = Deal(self.table, self.dealer)
            self.scores = [max(0, min(self.target - 1, score)) for score in self.held]
            return [], []
        if self.phase == "over" or kind not in ("play", "go", "hand", "crib", "claim", "muggins"):
            raise Refusal
        return self._apply_deal_move(move, kind, seat)

    def _apply_deal_move(self, move: dict[str, Any], kind: str, seat: int | None) -> tuple[list[Group], list[Any]]:
        before = self.deal.phase
        groups = self.deal.apply_move(move, self.scores[self.table.side_of(seat or 0)])
        reneged = self.deal.reneged if kind in ("play", "hand") else []
        given = self._add_awards(groups)
        if self.deal.phase == "counted" != before and self.winner is None:
            self.dealer = (self.dealer + 1) % self.table.seats
        return given, reneged

    def _add_awards(self, groups: list[Group]) -> list[Group]:
        """Count complete groups up to the first one that wins the game. Return the counted groups."""
        given: list[Group] = []
        for group in groups:
            for seat, points, _ in group:
                side = self.table.side_of(seat)
                self.scores[side] = max(0, min(self.target, self.scores[side] + points))
                if self.scores[side] == self.target and self.winner is None:
                    self.winner = side
            given.append(group)
            if self.winner is not None:
                break
        return given

    def _adjust(self, move: dict[str, Any]) -> list[Group]:
        side, points = self.table.side_of(move["seat"]), move["points"]
        if self.scores[side] + points < 0:
            raise Refusal
        self.scores[side] = min(self.target, self.scores[side] + points)
        self.held[side] += points
        self.deal.window = None
        if self.scores[side] == self.target and self.winner is None:
            self.winner = side
        return [[(move["seat"], points, "adjust")]]

    def _new_game(self) -> list[Group]:
        assert self.winner is not None
        if self.table.seats > 2:
            dealer = (self.deal.dealer + 1) % self.table.seats
        else:
            dealer = self.winner if self.table.has_option("first_deal", "winner") else 1 - self.winner
        self._begin(dealer)
        return [[(1 - dealer, 3, "three for last")]] if self.table.size == 3 else []
