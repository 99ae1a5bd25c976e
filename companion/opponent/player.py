"""The companion as an opponent: a thread that discards and plays the cards of its seat.

It deals to both from a pack of its own; then the person's cards are the private hand of their phone
(docs/reference/http.md#a-seat-of-ones-own), and a go that they leave needs no tap. Or people deal a real pack and scan
its cards face down. The companion decides only from what a player in its seat would see. Its pegs are lit; the person
moves them. The last deal is saved in a file, so that it survives a restart.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random, SystemRandom

from companion.coach import skill_levels
from companion.coach.skill_levels import EXPERT, GameTerms
from companion.common.errors import BadCard, CompanionError, IllegalMove
from companion.common.worker import Worker
from companion.opponent.pack import Cards, DealFile, Pack, choose_prompt, deal_pack, find_problem, has_just_played
from companion.opponent.private_hands import PrivateHands, list_corrections
from companion.rules.cards import PACK, Card, parse_card
from companion.rules.moves import Crib, Go, Hand, Move, Next, Play, Starter, Undo
from companion.rules.play import MAX_COUNT
from companion.table.setup import TablePlan
from companion.table.state import TableCore, visible_cards
from companion.table.subscribers import ScanInterceptor
from companion.table.table import Table

THINKING_TIME_S = 0.9
"""Time before each move, so that people can follow."""
PAUSE_AFTER_UNDO_S = 5.0
"""Time before a move after an undo; more may be undone."""
PAUSE_BEFORE_GO_S = 1.8
"""Time before the go of a person whose cards do not fit, so that they see why."""
PAUSE_FOR_TURN_UP_S = 4.0
"""Time before a move after playing a card of a real pack, which a person must turn over."""
POLL_INTERVAL_S = 0.5
"""Interval in which the thread checks whether it is closed."""


class Opponent(Worker, ScanInterceptor):
    """The thread of the opponent, which plays the seat of `TablePlan.against` and rests in other games."""

    def __init__(
        self,
        table: Table,
        hands: PrivateHands,
        path: Path | None = None,
        *,
        random: Random | None = None,
        think_s: float = THINKING_TIME_S,
    ) -> None:
        """Start. `path` is the file of the deal, `random` shuffles, `think_s` is the time before each move in s."""
        super().__init__("opponent")
        self._table, self._hands, self._file = table, hands, DealFile(path)
        self._random, self._think_s = random or SystemRandom(), think_s
        self._packs: dict[tuple[int | None, int], Pack] = {}
        self._restore_pack()
        hands.dealer = table.interceptor = self
        self._first_plan = table.core.plan
        self.start()

    def close(self) -> None:
        """Stop and leave the seat."""
        super().close()
        self._hands.dealer, self._table.interceptor = None, ScanInterceptor()

    def cards_for(self, seat: int) -> Cards | None:
        """Return the cards of this seat; None if the companion does not deal, or for its own seat."""
        with self._table.locked():
            pack = self._current_pack()
            if pack is None or pack.real or seat == pack.companion_seat:
                return None
            return pack.kept.get(seat, pack.dealt[seat])

    def keep_cards(self, seat: int, cards: Sequence[Card]) -> None:
        """Discard the person's other cards. Raises IllegalMove."""
        with self._table.locked():
            pack, state = self._current_pack(), self._table.core.past.state
            if pack is None:
                return
            if seat == pack.companion_seat:
                raise IllegalMove("This is the companion's seat. You can't choose its cards.")
            if pack.real:
                return
            size = state.terms.hand_size
            if state.phase != "cut":
                raise IllegalMove("You can't change your discard after the cut.")
            if len(set(cards)) != size or not set(cards) <= set(pack.dealt[seat]):
                raise IllegalMove("Keep {size} of the cards you were dealt.", size=size)
            pack.kept[seat] = tuple(cards)
            self._file.write_pack(pack)

    def intercept_scan(self, code: str, *, is_new: bool) -> bool:
        """Handle a scanned card; return whether it is one of the companion's own. See `ScanInterceptor`."""
        try:
            scanned = parse_card(code)
        except BadCard:
            return False
        core = self._table.core
        if core.past.state.phase == "between" and is_new and core.plan.against:
            self._table.submit(Next(), "cards")
            core = self._table.core
        pack, state = self._current_pack(), core.past.state
        if pack is None or state.phase not in ("cut", "play", "show"):
            return False
        row = _corrected_pack(pack, core).dealt[pack.companion_seat] if pack.real else ()
        if scanned in row and scanned not in visible_cards(core):
            if is_new:
                raise IllegalMove("This is one of my cards. Put it back face down.")
            return True
        if state.phase != "cut" or len(row) == state.terms.hand_size + 2 or not is_new:
            return False
        self._set_face_down(pack, (*row, scanned))
        return True

    def intercept_undo(self) -> bool:
        """Undo the scan of the last face-down card, or the person's discard, before the cut; return False without."""
        pack = self._current_pack()
        if pack is None or self._table.core.past.state.phase != "cut":
            return False
        if pack.real:
            self._set_face_down(pack, pack.dealt[pack.companion_seat][:-1])
            return True
        if pack.kept.pop(pack.person_seat, None) is None:
            return False
        self._file.write_pack(pack)
        self._update_prompt()
        return True

    def count_answers(self) -> int:
        """Return how many moves the companion has made since the person's last one.

        The starter is the person's: to undo it gives back the discard.
        """
        core, pack = self._table.core, self._current_pack()
        if pack is None or core.pending_cards or (core.past.state.phase == "play" and find_problem(pack, core)):
            return 0
        past, answers = core.past, 0
        while past.parent is not None and _is_answer(past.move, pack):
            past, answers = past.parent, answers + 1
        return answers

    def _set_face_down(self, pack: Pack, row: Cards) -> None:
        """Note the companion's cards of a real pack. Without any, it deals from its own pack again."""
        pack = pack.deal_face_down(row)
        self._packs = {self._current_deal(): pack} if row else {}
        self._file.write_pack(pack)
        self._update_prompt()

    def _run(self) -> None:
        subscriber = self._table.subscribe()
        skill_levels.warm_up(_coach_terms(self._first_plan, EXPERT))  # during the deal, not at the first discard
        while not self.closing.is_set() and not self._table.is_closed:
            subscriber.next_snapshot(POLL_INTERVAL_S)
            with suppress(CompanionError):  # undone, or another game, while it was thinking: try again
                move = self._choose_move()
                self._update_prompt()
                if move is not None and not self.closing.wait(self._pause_before(move)) and move == self._choose_move():
                    self._make_move(move)

    def _update_prompt(self) -> None:
        """Show the present prompt on every page."""
        with self._table.locked():
            core, pack = self._table.core, self._current_pack()
            has_phone = pack is not None and self._hands.has_phone(pack.person_seat)
            self._table.set_remark(
                choose_prompt(_corrected_pack(pack, core), core, has_phone=has_phone) if pack else ""
            )

    def _pause_before(self, move: Move) -> float:
        """Return the time before this move, in s."""
        core = self._table.core
        is_undone = core.last_move is not None and core.last_move["move"]["type"] == Undo.kind
        if is_undone and core.past.state.phase != "cut":
            pause_s = PAUSE_AFTER_UNDO_S
        elif any(move == Go(pack.person_seat) for pack in self._packs.values()):
            pause_s = PAUSE_BEFORE_GO_S
        elif any(pack.real and has_just_played(core, pack.companion_seat) for pack in self._packs.values()):
            pause_s = PAUSE_FOR_TURN_UP_S
        else:
            pause_s = THINKING_TIME_S
        return self._think_s * pause_s / THINKING_TIME_S

    def _make_move(self, move: Move) -> None:
        """Make the move and note the cut, at once: an undo in between would not give the discard back."""
        with self._table.locked():
            self._table.submit(move)
            pack = self._current_pack()
            if pack is not None and isinstance(move, Starter):
                pack.cut = True
                self._file.write_pack(pack)

    def _choose_move(self) -> Move | None:
        """Return the companion's next move, None while it waits for the person."""
        with self._table.locked():
            pack, core = self._current_pack(), self._table.core
        if pack is None:
            return None
        phase = core.past.state.phase
        if phase == "cut":
            return self._choose_before_cut(core, pack)
        acts: dict[str, Callable[[TableCore, Pack], Move | None]] = {
            "play": self._choose_card,
            "show": _show_hand,
            "crib": _show_crib,
        }
        return acts[phase](core, _corrected_pack(pack, core)) if phase in acts else None

    def _choose_before_cut(self, core: TableCore, pack: Pack) -> Move | None:
        state, seat = core.past.state, pack.companion_seat
        mine = pack.dealt[seat]
        if len(mine) < state.terms.hand_size + 2 or not (pack.real or pack.person_seat in pack.kept):
            return None
        if seat not in pack.kept:
            kept = skill_levels.choose_hand(_player_terms(core, pack), core.plan.game.view(state), seat, mine)
            assert kept is not None
            pack.kept[seat] = kept
            self._file.write_pack(pack)
        for seat in pack.kept:
            self._hands.remember_hand(seat, pack.dealt[seat])
            self._hands.remember_hand(seat, pack.kept[seat])
        return None if pack.starter is None else Starter(pack.starter)

    def _choose_card(self, core: TableCore, pack: Pack) -> Move | None:
        """Return the companion's card or go; for a person with dealt cards only the go that is left to them."""
        state = core.past.state
        play, seat = state.deal.play, state.turn
        if seat not in pack.kept or find_problem(pack, core):
            return None
        held = tuple(card for card in pack.kept[seat] if card not in play.played[seat])
        if not any(card.value + play.count <= MAX_COUNT for card in held):
            return Go(seat)
        if seat == pack.person_seat:
            return None
        view, discarded = core.plan.game.view(state), pack.discarded_by(seat)
        chosen = skill_levels.choose_card(_player_terms(core, pack), view, seat, held, discarded)
        return Go(seat) if chosen is None else Play(seat, chosen)

    def _current_pack(self) -> Pack | None:
        """Return the cards of the present deal, dealing them if necessary; None if the companion does not play."""
        core, key = self._table.core, self._current_deal()
        state = core.past.state
        if core.plan.against is None:
            return None
        if key not in self._packs and state.phase in ("cut", "play"):
            pack = deal_pack(key[0] or 0, core.plan.against.seat, state, self._random.sample(PACK, len(PACK)))
            self._packs = {key: pack}
            self._file.write_pack(pack)
        current = self._packs.get(key)
        if current is not None and current.cut and state.phase == "cut":  # undone: the person may discard again
            current.kept.pop(current.person_seat, None)
            current.cut = False
        return current

    def _current_deal(self) -> tuple[int | None, int]:
        """Return the game and the number of the present deal."""
        return self._table.journal.game_id, self._table.core.deal_count

    def _restore_pack(self) -> None:
        """Restore the cards of the present deal from the file, if it has them."""
        key = self._current_deal()
        pack = self._file.read_pack(key[0] or 0, self._table.core.past.state.deal.starter)
        if pack is not None:
            self._packs = {key: pack}


def _coach_terms(plan: TablePlan, level: str, seed: int = 0) -> GameTerms:
    return GameTerms(plan.game.key, plan.setup.seats, plan.target, plan.setup.options, level, seed)


def _player_terms(core: TableCore, pack: Pack) -> GameTerms:
    """Return the terms with the level of the companion, and a seed with which it always plays a deal alike."""
    assert core.plan.against is not None
    seed = sum(card << n for n, card in enumerate(pack.dealt[pack.companion_seat]))
    return _coach_terms(core.plan, core.plan.against.level, seed)


def _corrected_pack(pack: Pack, core: TableCore) -> Pack:
    """Return the pack with the corrections made at the table."""
    return pack.with_corrections(reversed([*list_corrections(core)])) if pack.real else pack


def _show_hand(core: TableCore, pack: Pack) -> Move | None:
    seat = core.past.state.turn
    return Hand(seat, pack.kept[seat]) if seat in pack.kept else None


def _show_crib(core: TableCore, pack: Pack) -> Move | None:
    """Return the crib as a move; None with a real pack, whose crib people turn over."""
    dealer = core.past.state.deal.dealer
    return None if pack.real else Crib((*pack.discarded_by(dealer), *pack.discarded_by(1 - dealer)))


def _is_answer(move: Move | None, pack: Pack) -> bool:
    """Return whether the companion makes this move by itself."""
    if isinstance(move, Play) or (isinstance(move, Go) and pack.real):
        return move.seat == pack.companion_seat
    return isinstance(move, Hand | Go) or (isinstance(move, Crib) and not pack.real)
