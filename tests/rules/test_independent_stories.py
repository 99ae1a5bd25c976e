"""The stories in `stories/`, by somebody who did not write the judge: each is played as moves of the real game."""

import re
import tomllib
from pathlib import Path

import pytest

from companion.common.errors import IllegalMove
from companion.rules.cards import parse_card
from companion.rules.moves import UNPEGGED_HEELS, Infringement, Play, Rule
from tests.support.move_notation import parse_story
from tests.support.stories import Story

FOLDER = Path(__file__).parent / "stories"
DEALS = tomllib.loads((FOLDER / "deals.toml").read_text("utf-8"))
STORIES = [
    story
    for path in sorted(FOLDER.glob("*.toml"))
    for story in tomllib.loads(path.read_text("utf-8")).get("story", ())  # deals.toml has none
]
SEATS = {"dealer": 0, "pone": 1}

BEFORE_STARTER = ("cut", "dealt", "pone discarded", "discarded")

CALLS = {
    "bottom card seen in the shuffle": "bottom-shuffle", "bottom card seen in the cut": "bottom-first-cut",
    "no cut offered": "no-cut", "card exposed in the deal": "card-exposed", "wrong number of cards": "wrong-deal",
    "too many cards": "too-many", "cards not confirmed": "hidden-number", "discard taken back": "crib-taken-back",
    "crib on pone's side": "crib-side", "crib seen early": "crib-seen", "crib seen before discarding": "crib-first",
    "hand and crib interchanged": "crib-as-hand", "starter turned early": "starter-early",
    "bottom card seen in the cut for the starter": "bottom-cut", "starter put in hand": "starter-in-hand",
    "starter face up in the pack": "starter-face-up", "two cards turned for the starter": "two-starters",
    "dealer led": "dealer-led", "card past 31": "over-31", "two cards at once": "two-cards", "renege": "renege",
    "renege, and the card is dead": "renege-dead", "opponent's peg moved": "opponent-peg",
    "counted out of order": "counted-first", "starter mixed with other cards": "starter-mixed",
    "wrong player cut": "wrong-cutter",
}  # fmt: skip
"""The infringement of each deed that a story calls."""


class PlayedStory(Story):
    """A story on the table of the rules: the game up to its moment, then its acts, its call and the answer."""

    def __init__(self, story):
        self.story, self.deal = story, DEALS[story.get("deal", "A")]
        policy, muggins = story.get("policy", "tournament"), "on" if story.get("muggins") else "off"
        super().__init__("six-card", "", f"counting=manual policy={policy} muggins={muggins}")
        self.is_refused, self.has_lost_heels, self.pegged_for_heels = False, False, None
        self.reach_moment()
        self.awaits_heels = story["at"] == "starter" and self.deal["starter"][0] == "J"

    @property
    def ruling(self):
        return self.game.judge(self.game, self.past, "")

    def reach_moment(self):
        """Make everything that went right before the story begins, and put the pegs where it says."""
        at, played = self.story["at"], self.story.get("played", "")
        if at in ("pone's hand", "dealer's hand", "crib"):
            played = self.deal["play"]
        if at == "starter":
            self.peg_scores()  # before his heels, which the game gives with the cut and which may win it
        if at not in BEFORE_STARTER:
            self.tell(f"cut {self.deal['starter']}")
        for text in played.split():
            while self.must_say_go(parse_card(text)):
                self.tell(f"go {self.state.turn}")
            self.tell(f"{self.state.turn} {text}")
            self.claim_truth("play")
        for moment in ("pone's hand", "dealer's hand"):
            if at in ("dealer's hand", "crib") and (moment == "pone's hand" or at == "crib"):
                self.claim_truth("hand")
        if at == "crib":
            crib = f"{self.deal['pone_discards']} {self.deal['dealer_discards']}"
            self.tell(f"crib {crib.replace(' ', '')}")
        if at != "starter":
            self.peg_scores()

    def peg_scores(self):
        for who, seat in SEATS.items():
            missing = self.story[who] - self.state.scores[seat]
            if missing:
                self.tell(f"{seat} adjusts {missing}")

    def must_say_go(self, card):
        """Return whether the next card played comes from the other hand, or only after the count is back to 0."""
        turn, count = self.state.turn, self.state.deal.play.count
        return str(card) not in self.deal["dealer" if turn == 0 else "pone"].split() or count + card.value > 31

    def claim_truth(self, kind):
        claims = self.state.deal.claims
        if claims.pending is not None and claims.pending.kind == kind:
            self.tell(f"{claims.pending.seat} claims {sum(award.points for award in claims.pending.truth)}")
        elif claims.pending is None:
            for seat, truth in enumerate(claims.unclaimed):
                if truth:
                    self.tell(f"{seat} claims {sum(award.points for award in truth)}")

    def act(self, text):
        """Make one act. After an act that the companion refuses, the players stop."""
        who, verb, what = re.fullmatch(r"(\w+) (plays|leads|says|takes back|pegs) (\w+)", text).groups()
        seat = SEATS[who]
        if verb == "pegs" and seat == 0 and self.awaits_heels:
            self.awaits_heels, self.pegged_for_heels = False, int(what)
            return
        (move,) = parse_story({
            "plays": f"{seat} {what}", "leads": f"{seat} {what}", "says": f"go {seat}", "takes back": "undo",
            "pegs": f"{seat} claims {what}",
        }[verb])  # fmt: skip
        if verb == "leads" and "follow" in self.story:
            self.tell(f"judge {seat} dealer-led-on; accept")  # the page refuses the lead, until somebody says so
        try:
            self.make(self.game.find_refused_move(self.past, move) or move)
        except IllegalMove:
            self.is_refused = True
        if isinstance(move, Play) and seat == 0 and self.awaits_heels:
            self.lose_heels()

    def lose_heels(self):
        """Accept what the table rules because its pegs show that his heels were not pegged."""
        ruling = self.game.judge(self.game, self.past, UNPEGGED_HEELS)
        assert ruling.rule == "6.3c"
        self.make(Rule(True, UNPEGGED_HEELS))
        self.awaits_heels, self.has_lost_heels = False, True

    def tell_acts(self):
        is_forgotten = not any(act.startswith("dealer pegs") for act in self.story.get("acts", ()))
        if self.awaits_heels and is_forgotten and self.state.winner is not None:
            self.tell("judge 0 late-heels; accept")  # called before the cards that were played can be entered
            self.awaits_heels, self.has_lost_heels = False, True
        for text in self.story.get("acts", ()):
            if not self.is_refused:
                self.act(text)

    def call(self):
        """Call what the story calls; return whether there is something to rule on, or points to take."""
        call = self.story.get("call")
        if self.pegged_for_heels not in (None, min(2, 121 - self.story["dealer"])):
            self.make(self.call_heels())
            return True
        if call is None or call["what"] == "pegged too much":
            return self.ruling is not None or (call is None and self.has_lost_heels)
        if call["what"] in ("starter turned early", "starter face up in the pack"):
            self.tell(f"cut {self.deal['starter']}")
        if call["what"] not in (*CALLS, "muggins"):
            return False  # nothing of that kind is offered
        if call["what"] != "muggins" or self.story["rule"] == "10.4.b":
            return self.tap_call(call)
        try:
            self.tell(f"{SEATS[call['by']]} calls {call['points']}")
        except IllegalMove:
            return False
        return True

    def call_heels(self):
        """Return what players call if the pegs of his heels went wrong."""
        excess = (self.pegged_for_heels or 0) - 2
        if self.state.scores[0] + excess >= 121:
            return Infringement(0, "claimed-game")
        return Infringement(0, "many-heels", excess) if excess > 0 else Infringement(0, "few-heels")

    def tap_call(self, call):
        """Tap on what is called, if the phone of the player who calls offers it and its text is true."""
        what = CALLS.get(call["what"], "missed-in-play")
        for _, say, move in self.game.list_calls(self.game, self.past, SEATS[call["by"]]):
            if (move.seat, move.what) == (SEATS[call["on"]], what) and call.get("points", move.points) == move.points:
                if "untrue" in self.story:
                    assert self.story["untrue"] in say
                    return False
                self.make(move)
                return True
        return False

    def answer(self, reply):
        """Answer the ruling, if there is one; muggins gives its points without a ruling."""
        if self.ruling is not None:
            self.make(Rule(reply != "waive"))
        if reply == "undo":
            self.tell("undo")

    @property
    def next_step(self):
        """The phase, and the seat that plays or counts next; the dealer where cards are dealt or cut again."""
        phase = self.state.phase
        if phase in ("cut", "between"):
            return "cut", self.state.dealer
        is_crib = phase == "crib" or (phase == "claim" and self.state.deal.claims.pending.kind == "crib")
        return ("crib", None) if is_crib else (phase, self.state.turn)


NEXT_STEPS = {
    "redeal": ("cut", 0),
    "recut": ("cut", 0),
    "pone plays": ("play", 1),
    "dealer plays": ("play", 0),
    "pone counts": ("claim", 1),
    "dealer counts": ("claim", 0),
    "crib counts": ("crib", None),
}


def name_rule(text):
    return re.sub(r"\.([a-z])$", r"\1", text)


def choose_stories(kind):
    """Return the stories that are `judged`, or those that have the key `prevented` instead."""
    chosen = [s for s in STORIES if (kind == "prevented") == ("prevented" in s)]
    return pytest.mark.parametrize("story", chosen, ids=[story["name"] for story in chosen])


@choose_stories("judged")
def test_the_game_judges_as_the_rules_do(story):
    played, expect = PlayedStory(story), story["expect"]
    played.tell_acts()
    is_called, ruling = played.call(), played.ruling
    if expect.get("ruling") and ruling is not None:
        assert ruling.rule == name_rule(story.get("names", story["rule"]))
    if is_called:
        played.answer(story.get("reply", "accept"))
    assert is_called == expect.get("ruling", is_called)
    assert list(played.state.scores) == [expect["dealer"], expect["pone"]]
    winner = expect.get("winner")
    assert played.state.winner == (None if winner is None else SEATS[winner])
    if winner is None and "next" in expect:
        assert played.next_step == NEXT_STEPS[expect["next"]]
    if "skunk" in expect:
        assert (played.game.view(played.state)["skunk"] is not None) == expect["skunk"]
    if "crib" in expect:
        assert played.state.deal.dealer == SEATS[expect["crib"]]
    if "back" in expect:
        progress = played.state.deal.play
        assert not any(progress.has_played(parse_card(card)) for card in expect["back"].split())


@choose_stories("prevented")
def test_the_companion_refuses_to_break_the_rule(story):
    played = PlayedStory(story)
    played.tell_acts()
    assert played.is_refused
    assert list(played.state.scores) == [story["dealer"], story["pone"]]
