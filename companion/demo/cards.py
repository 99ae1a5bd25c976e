"""Players of the games with a play, a show and a crib: they deal, keep, play, peg and count what they see."""

from collections.abc import Callable, Sequence
from typing import Any

from companion.coach import heuristics, player
from companion.coach.player import Agreed
from companion.common.snapshot import Due, Snapshot
from companion.demo.actions import Hands
from companion.rules.cards import PACK, Card, card
from companion.rules.moves import Claim, Next
from companion.rules.scoring import items, play_items


class CardPlayers(Hands):
    """Six-card, five-card and pursuit; where the players count, they claim what they see.

    Two play as well as the coach can; for others it has no advice.
    """

    def __init__(self, *args: Any) -> None:
        self._held: dict[int, list[Card]] = {}
        self._thrown: dict[int, tuple[Card, ...]] = {}
        self._crib: list[Card] = []
        self._earned = 0
        super().__init__(*args)

    def acts(self) -> dict[str, Callable[[Snapshot], None]]:
        """What is done in each phase."""
        return {
            "cut": self.cut, "between": self.cut, "play": self._play, "show": self._show_hand,
            "crib": self._show_crib, "claim": self._claim, "over": self._again,
        }  # fmt: skip

    def ready(self) -> None:
        """Read the coach's tables."""
        player.ready(self.agreed())

    def cut(self, now: Snapshot) -> None:
        """Deal, lay away, cut."""
        alive: Sequence[int] = now.view.get("alive") or range(int(now.game["seats"]))
        pack, sides = self.chance.sample(PACK, 52), int(now.game["sides"])
        self._crib, self._held = [], {}
        for seat in alive:
            held = [pack.pop() for _ in range(_dealt(now, seat, len(alive)))]
            own_crib = seat % sides == now.view["dealer"] % sides
            kept = player.kept(self.agreed(), now.view, seat, held)
            kept = kept or heuristics.keep(held, own_crib=own_crib, size=_size(now))
            self._thrown[seat] = tuple(c for c in held if c not in kept)
            self._crib += self._thrown[seat]
            self._held[seat] = list(kept)
        self._crib += [pack.pop() for _ in range(4 - len(self._crib))]
        self.show(pack.pop())

    def _play(self, now: Snapshot) -> None:
        self._deal_unknown(now)
        seat, count = now.view["turn"], now.view["count"]
        playable = [c for c in self._held[seat] if c.value + count <= 31]
        if not playable:
            self._earned = 1
            self.press(f"go:{seat}")
            return
        series = _cards(now.view["series"])
        advised = player.chosen(self.agreed(), now.view, seat, self._held[seat], self._thrown.get(seat, ()))
        chosen = advised or heuristics.choose(playable, series, count)
        self._held[seat].remove(chosen)
        after = count + chosen.value
        points = _worth(play_items([*series, chosen], after))
        self._earned = points + (after < 31)
        self.show(chosen)
        if points and now.game["options"].get("counting") == "manual" and self.table.snapshot.view["phase"] == "play":
            self._move_peg(self.table.snapshot, seat, points)

    def agreed(self) -> Agreed:
        """What the coach must know of this table."""
        plan = self.table.core.plan
        return Agreed(plan.game.key, plan.setup.seats, plan.target, plan.setup.options, plan.setup.board, self.level)

    def _claim(self, now: Snapshot) -> None:
        """The last card, a hand or the crib: what is seen is claimed, 0 on the phone."""
        seat, points = now.view["turn"], self._seen(now)
        if points:
            self._move_peg(now, seat, points)
        if self.table.snapshot.moves == now.moves:
            self.tap(Claim(seat, points))

    def _seen(self, now: Snapshot) -> int:
        """What there is to claim, counted from the cards on the table."""
        last = now.last["move"]["type"] if now.last else ""
        if last in ("play", "go"):
            return self._earned
        starter, five = card(now.view["starter"]), _size(now) == 3
        if now.view["crib"]:
            return _worth(items(_cards(now.view["crib"]), starter, crib=True, five=five))
        shown = now.view["hands"] if five else now.view["played"]
        return _worth(items(_cards(shown[now.view["turn"]]), starter, five=five))

    def _move_peg(self, now: Snapshot, seat: int, points: int) -> None:
        """Where the players count, moving the peg is the claim; where nobody races, a phone says it."""
        if not now.pegs:
            self.tap(Claim(seat, points))
            return
        side, target, plan = seat % int(now.game["sides"]), int(now.game["target"]), self.table.core.plan
        racing = tuple(now.view.get("alive") or range(plan.sides))
        routes = plan.routes if len(racing) == plan.sides else self.board.routes[len(racing)]
        route = routes[racing.index(side)]
        place = self.board.holes[route.hole(min(now.view["scores"][side] + points, target), target)].id
        if self.is_taken(place):  # one hole wide, and another's peg stands there
            self.tap(Claim(seat, points))
            return
        self.carry(Due(side, points, now.pegs[racing.index(side)].back, place))
        self.until(lambda then: then.moves > now.moves)

    def _deal_unknown(self, now: Snapshot) -> None:
        """A resumed hand: the players hold cards that nobody has seen yet. Undone plays come back to the hand."""
        for seat, row in enumerate(map(_cards, now.view["played"])):
            held = self._held.get(seat)
            if held is None or len(held) + len(row) != _size(now) or set(held) & set(row):
                self._held[seat] = self._unseen(now, _size(now) - len(row))

    def _unseen(self, now: Snapshot, count: int) -> list[Card]:
        seen = {c for row in now.view["played"] for c in _cards(row)} | {card(now.view["starter"])}
        seen |= {c for held in self._held.values() for c in held} | set(self._crib)
        return self.chance.sample([c for c in PACK if c not in seen], count)

    def _show_hand(self, now: Snapshot) -> None:
        """What the play did not show."""
        self._deal_unknown(now)
        lying = now.view.get("lying") or []
        self.show(next(c for c in self._held[now.view["turn"]] if str(c) not in lying))

    def _show_crib(self, now: Snapshot) -> None:
        seen = {c for row in now.view["played"] for c in _cards(row)} | {card(now.view["starter"])}
        if len(self._crib) != 4 or seen & set(self._crib):
            self._held.clear()
            self._crib = []
            self._crib = self._unseen(now, 4)
        lying = now.view.get("crib") or []
        self.show(next(c for c in self._crib if str(c) not in lying))

    def _again(self, _now: Snapshot) -> None:
        self.wait(5)
        self.tap(Next())


def _dealt(now: Snapshot, seat: int, alive: int) -> int:
    """How many cards a seat is dealt: of five players the dealer has four and lays none away."""
    if alive == 2:
        return 5 if _size(now) == 3 else 6
    return 4 if alive == 5 and seat == now.view["dealer"] else 5


def _size(now: Snapshot) -> int:
    return 3 if now.game["key"] == "five-card" else 4


def _cards(texts: Sequence[str]) -> list[Card]:
    return [card(text) for text in texts]


def _worth(counted: Sequence[Any]) -> int:
    return sum(item.points for item in counted)
