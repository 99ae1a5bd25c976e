"""Simulated players of the card games: they deal, discard, play, peg and count.

In 'Round the Bases they roll dice, seldom steal, and move every marker peg. In Pursuit, after a knock-out, they remove
the blinking pegs and set up on the next loop.
"""

from collections.abc import Callable, Sequence
from typing import Any

from companion.coach import heuristics, skill_levels
from companion.coach.skill_levels import GameTerms
from companion.common.snapshot import Advice, Due, Snapshot
from companion.demo.actions import SimulatedPlayers
from companion.rules.cards import PACK, Card, parse_card
from companion.rules.moves import Claim, Next, Roll, Steal
from companion.rules.scoring import itemize_hand, itemize_play, sum_points


class CardPlayers(SimulatedPlayers):
    """Players of six-card, five-card and pursuit. With manual counting they claim what they count.

    Two players of six-card or five-card follow the coach. In other games simple heuristics decide.
    """

    def __init__(self, *args: Any) -> None:
        self._hands: dict[int, list[Card]] = {}
        self._discards: dict[int, tuple[Card, ...]] = {}
        self._crib: list[Card] = []
        self._points_earned = 0
        super().__init__(*args)

    def phase_actions(self) -> dict[str, Callable[[Snapshot], None]]:
        return {
            "cut": self.deal_and_cut, "between": self.deal_and_cut, "play": self._play_card, "show": self._show_hand,
            "crib": self._show_crib, "claim": self._make_claim, "over": self.start_next_game,
        }  # fmt: skip

    def prepare(self) -> None:
        """Load the coach's tables."""
        skill_levels.warm_up(self.game_terms())

    def deal_and_cut(self, now: Snapshot) -> None:
        """Deal the hands, discard to the crib and scan the starter."""
        core, pack, sides = self.table.core, self.chance.sample(PACK, 52), int(now.game["sides"])
        self._crib, self._hands = [], {}
        for seat in now.view.get("alive") or range(int(now.game["seats"])):
            dealt = core.plan.game.count_cards_dealt(core.past.state)[seat]
            held = [pack.pop() for _ in range(dealt)]
            own_crib = seat % sides == now.view["dealer"] % sides
            kept = skill_levels.choose_hand(self.game_terms(), now.view, seat, held)
            kept = kept or heuristics.choose_hand(held, own_crib=own_crib, size=_hand_size(now))
            self._discards[seat] = tuple(c for c in held if c not in kept)
            self._crib += self._discards[seat]
            self._hands[seat] = list(kept)
        self._crib += [pack.pop() for _ in range(4 - len(self._crib))]
        self.scan_card(pack.pop())

    def _play_card(self, now: Snapshot) -> None:
        self._deal_unseen_cards(now)
        seat, count = now.view["turn"], now.view["count"]
        playable = [c for c in self._hands[seat] if c.value + count <= 31]
        if not playable:
            self._points_earned = 1
            self.press_button(f"go:{seat}")
            return
        series = _parse_cards(now.view["series"])
        advised = skill_levels.choose_card(
            self.game_terms(), now.view, seat, self._hands[seat], self._discards.get(seat, ())
        )
        chosen = advised or heuristics.choose_card(playable, series, count)
        self._hands[seat].remove(chosen)
        after = count + chosen.value
        points = sum_points(itemize_play([*series, chosen], after))
        self._points_earned = points + (after < 31)
        self.scan_card(chosen)
        if points and now.game["options"].get("counting") == "manual" and self.table.snapshot.view["phase"] == "play":
            self._claim_by_peg(self.table.snapshot, seat, points)

    def game_terms(self) -> GameTerms:
        plan = self.table.core.plan
        return GameTerms(plan.game.key, plan.setup.seats, plan.target, plan.setup.options, self.level)

    def _make_claim(self, now: Snapshot) -> None:
        """Claim the points of the last card, a hand or the crib with the peg; 0 points on the phone."""
        seat, points = now.view["turn"], self._count_visible_points(now)
        if points:
            self._claim_by_peg(now, seat, points)
        if self.table.snapshot.moves == now.moves:
            self.tap_move(Claim(seat, points))

    def _count_visible_points(self, now: Snapshot) -> int:
        """Return the points to claim, counted from the cards on the table."""
        last = now.last["move"]["type"] if now.last else ""
        if last in ("play", "go"):
            return self._points_earned
        starter, five = parse_card(now.view["starter"]), _hand_size(now) == 3
        if now.view["crib"]:
            return sum_points(itemize_hand(_parse_cards(now.view["crib"]), starter, crib=True, is_five_card=five))
        shown = now.view["hands"] if five else now.view["played"]
        return sum_points(itemize_hand(_parse_cards(shown[now.view["turn"]]), starter, is_five_card=five))

    def _claim_by_peg(self, now: Snapshot, seat: int, points: int) -> None:
        """Claim by moving the peg. Where the game has no pegs or the hole is taken, claim on the phone."""
        if not now.pegs:
            self.tap_move(Claim(seat, points))
            return
        side, target, plan = seat % int(now.game["sides"]), int(now.game["target"]), self.table.core.plan
        racing = tuple(now.view.get("alive") or range(plan.sides))
        routes = plan.routes if len(racing) == plan.sides else self.board.routes[len(racing)]
        route = routes[racing.index(side)]
        place = self.board.holes[route.hole_at(min(now.view["scores"][side] + points, target), target)].id
        if self.is_hole_taken(place):  # a lane of one hole, taken by another player's peg
            self.tap_move(Claim(seat, points))
            return
        self.carry_due(Due(side, points, now.pegs[racing.index(side)].back, place))
        self.wait_until(lambda then: then.moves > now.moves)

    def _deal_unseen_cards(self, now: Snapshot) -> None:
        """Give each player unseen cards after a resume or an undo, when the hands in memory do not fit the table."""
        for seat, row in enumerate(map(_parse_cards, now.view["played"])):
            held = self._hands.get(seat)
            if held is None or len(held) + len(row) != _hand_size(now) or set(held) & set(row):
                self._hands[seat] = self._choose_unseen_cards(now, _hand_size(now) - len(row))

    def _choose_unseen_cards(self, now: Snapshot, count: int) -> list[Card]:
        seen = {c for row in now.view["played"] for c in _parse_cards(row)} | {parse_card(now.view["starter"])}
        seen |= {c for held in self._hands.values() for c in held} | set(self._crib)
        return self.chance.sample([c for c in PACK if c not in seen], count)

    def _show_hand(self, now: Snapshot) -> None:
        """Scan a card that the play did not show."""
        self._deal_unseen_cards(now)
        lying = now.view.get("lying") or []
        self.scan_card(next(c for c in self._hands[now.view["turn"]] if str(c) not in lying))

    def _show_crib(self, now: Snapshot) -> None:
        seen = {c for row in now.view["played"] for c in _parse_cards(row)} | {parse_card(now.view["starter"])}
        if len(self._crib) != 4 or seen & set(self._crib):
            self._hands.clear()
            self._crib = []
            self._crib = self._choose_unseen_cards(now, 4)
        lying = now.view.get("crib") or []
        self.scan_card(next(c for c in self._crib if str(c) not in lying))


def _hand_size(now: Snapshot) -> int:
    return 3 if now.game["key"] == "five-card" else 4


def _parse_cards(texts: Sequence[str]) -> list[Card]:
    return [parse_card(text) for text in texts]


OWN_DICE_PROBABILITY = 0.2
"""Probability that a player rolls real dice and enters them on a phone, instead of pressing the dice button."""
STEAL_PROBABILITY = 0.1
"""Probability that a runner steals between two hands. Only 11 of 36 attempts succeed."""
DICE_TUMBLE_S = 1.8
"""Time the players watch the dice at speed 1, in seconds."""


class BaseballPlayers(CardPlayers):
    """Two players, or four as partners."""

    def phase_actions(self) -> dict[str, Callable[[Snapshot], None]]:
        return super().phase_actions() | {"roll": self._roll_dice, "between": self._steal_or_continue}

    def peg_dues(self) -> None:
        """Move every misplaced marker peg until all are where they belong."""
        while advices := self.table.snapshot.advice:
            if all(
                advice.lift is None for advice in advices
            ):  # the peg may have been placed, but not been recognised yet
                self.wait_until(lambda then, advices=advices: then.advice != advices)  # type: ignore[misc]
                if self.table.snapshot.advice != advices:
                    continue
            for advice in advices:
                if self._is_possible(advice):
                    self.carry_peg(advice.lift, advice.place)
            self.wait_until(lambda then, advices=advices: not set(advices) & set(then.advice))  # type: ignore[misc]

    def _is_possible(self, advice: Advice) -> bool:
        """Return whether the holes of an advice still allow it: the table may not have seen the last movement yet."""
        can_lift = advice.lift is None or self.is_hole_taken(advice.lift)
        return can_lift and (advice.place is None or not self.is_hole_taken(advice.place))

    def _steal_or_continue(self, now: Snapshot) -> None:
        """Steal a base now and then, else go on to the next hand."""
        bases = now.view["steals"]
        is_stealing = bases and self.chance.random() < STEAL_PROBABILITY
        self.tap_move(Steal(now.view["batting"], self.chance.choice(bases)) if is_stealing else Next())

    def _roll_dice(self, now: Snapshot) -> None:
        if self.chance.random() < OWN_DICE_PROBABILITY:
            dice = tuple(self.chance.randint(1, 6) for _ in range(now.view["due"]["dice"]))
            self.tap_move(Roll(now.view["turn"], dice))
        else:
            self.press_button("dice")
        self.wait(DICE_TUMBLE_S)


class PursuitPlayers(CardPlayers):
    """Two to five players, each for themselves. They play on once the pegs stand at the next start."""

    def phase_actions(self) -> dict[str, Callable[[Snapshot], None]]:
        """Return the action for each phase of the game; board set-up comes first in each."""
        return {phase: self._with_board_reset(act) for phase, act in super().phase_actions().items()}

    def _with_board_reset(self, act: Callable[[Snapshot], None]) -> Callable[[Snapshot], None]:
        def reset_board_first(now: Snapshot) -> None:
            if not self._move_advised_peg(now):
                act(now)

        return reset_board_first

    def _move_advised_peg(self, now: Snapshot) -> bool:
        """Move one peg off the board or to the start of the next loop. Return whether there was one to move."""
        advice = next((a for a in now.advice if a.kind in ("take_off", "set_up")), None)
        if advice is not None:
            self.carry_peg(advice.lift, advice.place)
            self.wait_until(lambda then: advice not in then.advice)
        return advice is not None
