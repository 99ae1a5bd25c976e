"""The companion as the other player: it lays away, plays its seat's cards, and knows them alone until they are played.

It deals for both from a pack of its own: then the person's cards are that phone's own hand
(docs/reference/http.md#a-seat-of-ones-own). Or people deal a real pack, and put its cards to the reader face down: the
reader alone sees them. What the companion decides it decides from what a player in its seat would see. Its pegs are
lit, and moved by the person. The last deal is kept in a file, so that a program started again goes on with its cards.
"""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from companion.coach import skill_levels
from companion.coach.cribbage import tables as book
from companion.coach.cribbage.play import PlayQuestion
from companion.coach.questions import DiscardQuestion
from companion.common.errors import BadCard, CompanionError, IllegalMove, SettingsError
from companion.opponent import prompts
from companion.opponent.pack import COMPANION_SEAT, Cards, DealFile, Pack, deal_pack
from companion.opponent.private_hands import PrivateHands, list_corrections
from companion.rules.cards import PACK, Card, parse_card
from companion.rules.moves import Crib, Go, Hand, Move, Next, Play, Starter, Undo
from companion.rules.play import MAX_COUNT
from companion.table.game_switcher import GameSwitcher
from companion.table.setup import TablePlan
from companion.table.state import TableCore, visible_cards
from companion.table.table import Table

THINKING_TIME_S = 0.9
"""A card that comes at once is not seen."""
PAUSE_AFTER_UNDO_S = 5.0
"""After something was taken back: perhaps more will be."""
PAUSE_FOR_TURN_UP_S = 4.0
"""Of a real pack somebody turns the companion's card up before it plays another."""
POLL_INTERVAL_S = 0.5


def check_plan(plan: TablePlan) -> None:
    """Raise SettingsError where the companion cannot be the other player."""
    if plan.game.key not in book.CARDS_DEALT or plan.setup.seats != 2:
        raise SettingsError("The companion plays six-card and five-card cribbage of two: leave out --against.")
    if plan.setup.options.get("counting") == "manual":
        raise SettingsError("The companion plays where the table counts: leave out counting=manual, or --against.")


def seat_opponent(tables: GameSwitcher, hands: PrivateHands, level: str, kept: Path) -> "Opponent":
    """The companion takes its seat, and a name where that seat has none."""
    people = tables.table.core.players
    if len(people) <= COMPANION_SEAT or not people[COMPANION_SEAT].name:
        tables.set_player(COMPANION_SEAT, "Companion", None)
    return Opponent(tables.table, hands, level, kept)


class Opponent:
    """A thread that plays a seat. Raises SettingsError where it cannot."""

    def __init__(
        self, table: Table, hands: PrivateHands, level: str, kept: Path | None = None, *, chance: Random | None = None,
        think_s: float = THINKING_TIME_S,
    ) -> None:  # fmt: skip
        check_plan(table.core.plan)
        self._table, self._hands, self._level, self._kept = table, hands, level, DealFile(kept)
        self._chance, self._think_s = chance or SystemRandom(), think_s
        self._packs: dict[tuple[int | None, int], Pack] = {}
        self._closed = threading.Event()
        self._restore_pack()
        hands.dealer = table.opponent_hook.interceptor = self
        self._thread = threading.Thread(target=self._run, args=(table.core.plan,), name="opponent", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Get up."""
        self._closed.set()
        self._thread.join(2)
        self._hands.dealer = self._table.opponent_hook.interceptor = None

    def cards_for(self, seat: int) -> Cards | None:
        """What a phone at this seat holds now; None where the companion does not deal, or that seat is its own."""
        with self._table.locked():
            pack = self._current_pack()
            return (
                None if pack is None or pack.real or seat == COMPANION_SEAT else pack.kept.get(seat, pack.dealt[seat])
            )

    def keep_cards(self, seat: int, cards: Sequence[Card]) -> None:
        """The person lays away what is not among these. Raises IllegalMove."""
        with self._table.locked():
            pack, state = self._current_pack(), self._table.core.past.state
            if pack is None:
                return
            if seat == COMPANION_SEAT:
                raise IllegalMove("That seat is the companion's: its cards are nobody else's matter.")
            if pack.real:
                return
            size = state.terms.hand_size
            if state.phase != "cut":
                raise IllegalMove("You can't change your discard after the cut.")
            if len(set(cards)) != size or not set(cards) <= set(pack.dealt[seat]):
                raise IllegalMove("Keep {size} of the cards that the companion dealt you.", size=size)
            pack.kept[seat] = tuple(cards)
            self._kept.write_pack(pack)

    def intercept_scan(self, code: str, *, is_new: bool) -> bool:
        """A reader saw a card: whether it is one of the companion's own. See `Guest`."""
        try:
            found = parse_card(code)
        except BadCard:
            return False
        core = self._table.core
        if core.past.state.phase == "between" and is_new and _is_supported(core.plan):
            self._table.submit(Next(), "cards")
            core = self._table.core
        pack, state = self._current_pack(), core.past.state
        if pack is None or state.phase not in ("cut", "play", "show"):
            return False
        row = _corrected_pack(pack, core).dealt[COMPANION_SEAT] if pack.real else ()
        if found in row and found not in visible_cards(core):
            if is_new:
                raise IllegalMove("That is one of my cards, and not to be seen yet: it stays face down.")
            return True
        if state.phase != "cut" or len(row) == state.terms.hand_size + 2 or not is_new:
            return False
        self._set_face_down((*row, found))
        return True

    def intercept_undo(self) -> bool:
        """Undo, while cards lie face down before the cut: the newest is the companion's no more."""
        pack = self._current_pack()
        if pack is None or not pack.real or self._table.core.past.state.phase != "cut":
            return False
        self._set_face_down(pack.dealt[COMPANION_SEAT][:-1])
        return True

    def _set_face_down(self, row: Cards) -> None:
        """These cards lie face down before the companion; none: it deals from its own pack again."""
        pack = Pack(self._table.journal.game_id or 0, ((), row), None, real=True)
        self._packs = {self._current_deal(): pack} if row else {}
        self._kept.write_pack(pack)
        self._update_prompt()

    def _run(self, plan: TablePlan) -> None:
        listener = self._table.subscribe()
        self._preload_tables(plan)
        while not self._closed.is_set() and not self._table.is_closed:
            listener.next_snapshot(POLL_INTERVAL_S)
            with suppress(CompanionError):  # taken back, or another game, while it thought: look again
                move = self._choose_move()
                self._update_prompt()
                if move is not None and not self._closed.wait(self._thinking_pause_s()) and move == self._choose_move():
                    self._table.submit(move)
                    self._record_move(move)

    def _preload_tables(self, plan: TablePlan) -> None:
        """Read the tables while the cards are dealt, not when the first is to be laid away."""
        dealt = PACK[: book.CARDS_DEALT[plan.game.key]]
        skill_levels.rank_discards(
            DiscardQuestion(plan.game.key, dealt, dealer=True, scores=(0, 0), target=plan.target), self._level, 0
        )

    def _update_prompt(self) -> None:
        """What the companion has to say now stands on every page."""
        with self._table.locked():
            core, pack = self._table.core, self._current_pack()
            self._table.opponent_hook.set_remark(
                prompts.choose_prompt(_corrected_pack(pack, core), core) if pack else ""
            )

    def _thinking_pause_s(self) -> float:
        core = self._table.core
        is_back = core.last_move is not None and core.last_move["move"]["type"] == Undo.kind
        to_turn_up = any(pack.real for pack in self._packs.values()) and prompts.has_just_played(core)
        return (
            self._think_s
            * (PAUSE_AFTER_UNDO_S if is_back else PAUSE_FOR_TURN_UP_S if to_turn_up else THINKING_TIME_S)
            / THINKING_TIME_S
        )

    def _record_move(self, move: Move) -> None:
        with self._table.locked():
            pack = self._current_pack()
            if pack is not None and isinstance(move, Starter):
                pack.cut = True
                self._kept.write_pack(pack)

    def _choose_move(self) -> Move | None:
        """What the companion does now; None while it waits for the person."""
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
        state, mine = core.past.state, pack.dealt[COMPANION_SEAT]
        if len(mine) < state.terms.hand_size + 2 or not (pack.real or 1 - COMPANION_SEAT in pack.kept):
            return None
        if COMPANION_SEAT not in pack.kept:
            asked = DiscardQuestion(
                core.plan.game.key, mine, state.dealer == COMPANION_SEAT, _own_scores(state), state.terms.target
            )
            pack.kept[COMPANION_SEAT] = skill_levels.rank_discards(asked, self._level, self._random_seed(pack))[0].kept
            self._kept.write_pack(pack)
        for seat in pack.kept:
            self._hands.remember_hand(seat, pack.dealt[seat])
            self._hands.remember_hand(seat, pack.kept[seat])
        return None if pack.starter is None else Starter(pack.starter)

    def _choose_card(self, core: TableCore, pack: Pack) -> Move | None:
        state = core.past.state
        laid = state.deal.play
        if state.turn != COMPANION_SEAT or prompts.find_problem(pack, core):
            return None
        held = tuple(each for each in pack.kept[COMPANION_SEAT] if each not in laid.played[COMPANION_SEAT])
        if not any(each.value + laid.count <= MAX_COUNT for each in held):
            return Go(COMPANION_SEAT)
        turn = PlayQuestion(
            game=core.plan.game.key, held=held, kept=pack.kept[COMPANION_SEAT], discarded=pack.discarded_by(COMPANION_SEAT),
            starter=state.deal.starter, dealer=state.dealer == COMPANION_SEAT, series=laid.series,
            played=(laid.played[COMPANION_SEAT], laid.played[1 - COMPANION_SEAT]), gone=(COMPANION_SEAT in laid.gone, 1 - COMPANION_SEAT in laid.gone),
            scores=_own_scores(state), target=state.terms.target,
        )  # fmt: skip
        chosen = skill_levels.rank_plays(turn, self._level, self._random_seed(pack))[0].card
        return Go(COMPANION_SEAT) if chosen is None else Play(COMPANION_SEAT, chosen)

    def _current_pack(self) -> Pack | None:
        """The cards of the present deal, dealt when they are first asked for; None where the companion cannot play."""
        core, key = self._table.core, self._current_deal()
        state = core.past.state
        if not _is_supported(core.plan):
            return None
        if key not in self._packs and state.phase in ("cut", "play"):
            pack = deal_pack(key[0] or 0, state, self._chance.sample(PACK, len(PACK)))
            self._packs = {key: pack}
            self._kept.write_pack(pack)
        found = self._packs.get(key)
        if found is not None and found.cut and state.phase == "cut":  # taken back: the person may lay others away
            found.kept.pop(1 - COMPANION_SEAT, None)
            found.cut = False
        return found

    def _current_deal(self) -> tuple[int | None, int]:
        """Which deal of which game it is."""
        return self._table.journal.game_id, self._table.core.deal_count

    def _random_seed(self, pack: Pack) -> int:
        return sum(each << n for n, each in enumerate(pack.dealt[COMPANION_SEAT]))

    def _restore_pack(self) -> None:
        """Take up the cards of the deal that lies there, where the file knows them."""
        key = self._current_deal()
        pack = self._kept.read_pack(key[0] or 0, self._table.core.past.state.deal.starter)
        if pack is not None:
            self._packs = {key: pack}


def _is_supported(plan: TablePlan) -> bool:
    """Whether the companion plays this game."""
    with suppress(SettingsError):
        check_plan(plan)
        return True
    return False


def _corrected_pack(pack: Pack, core: TableCore) -> Pack:
    """The pack, with what the table has put right of it."""
    return pack.with_corrections(reversed([*list_corrections(core)])) if pack.real else pack


def _show_hand(core: TableCore, pack: Pack) -> Move | None:
    seat = core.past.state.turn
    return Hand(seat, pack.kept[seat]) if seat in pack.kept else None


def _show_crib(core: TableCore, pack: Pack) -> Move | None:
    """The crib is turned up; that of a real pack by people."""
    dealer = core.past.state.deal.dealer
    return None if pack.real else Crib((*pack.discarded_by(dealer), *pack.discarded_by(1 - dealer)))


def _own_scores(state: Any) -> tuple[int, int]:
    return state.scores[COMPANION_SEAT], state.scores[1 - COMPANION_SEAT]
