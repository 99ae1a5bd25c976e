"""What is said of a choice: the best there was, what the other cost, and why. Each number is one of advise's. Pure."""

from collections.abc import Sequence

from companion.coach.advise import Answer
from companion.i18n import Sentence, joined, listed, say
from companion.rules.cards import card
from companion.rules.scoring import play_items

NOTHING = 0.0005
"""Who wins so much less often has lost nothing that shows: it would be told as 0.0 %."""
NEAR = 20
"""Who needs so many or fewer may be out in this deal: then points are not all."""


def told(asked: Answer, own: Answer, best: Answer, name: str, *, is_only: bool) -> Sentence:
    """A sentence or two on a choice of `name`'s, `own` and `best` being rows of the answer to `asked`."""
    if is_only:
        return say("{who} played {card}: no other card fitted.", who=name, card=_card(own["play"]))
    does = asked["ask"] == "discard"
    win, points = best["win"] - own["win"], best["points"] - own["points"]
    if best is own or (win <= 0 and points <= 0):
        if does:
            return say("{who} laid away {cards}: the best there was.", who=name, cards=_cards(own["discard"]))
        return say("{who} played {card}: the best there was.", who=name, card=_card(own["play"]))
    made = _cards(own["discard"]) if does else _card(own["play"])
    better = _cards(best["discard"]) if does else _card(best["play"])
    words = {"who": name, "made": made, "best": better, "cost": _cost(points, win)}
    if does:
        first = say("{who} laid away {made}: {best} {cost}.", **words)
    else:
        first = say("{who} played {made}: {best} {cost}.", **words)
    why = _why_laid(asked, own, best) if does else _why_played(asked, own, best)
    near = _near(asked, name) if points < 0.05 and min(_needs(asked)) <= NEAR else None
    return joined([first, *(each for each in (near or why,) if each)], " ")


def _cost(points: float, win: float) -> Sentence:
    """ "would have been worth 1.9 points more, and would win 2.3 % more games"."""
    percent = f"{100 * win:.1f}"
    if win <= 0 and points >= 0.05:  # neither could win, or lose, any more
        return say("would have been worth {points} points more, and would win no more games", points=f"{points:.1f}")
    if win < NOTHING:
        return say("would have been better by a hair")
    if abs(points) < 0.05:
        return say("would have been worth as many points, but would win {percent} % more games", percent=percent)
    by = f"{abs(points):.1f}"
    if points > 0:
        return say("would have been worth {points} points more, and would win {percent} % more games",
                   points=by, percent=percent)  # fmt: skip
    return say("would have been worth {points} points less, but would win {percent} % more games",
               points=by, percent=percent)  # fmt: skip


def _needs(asked: Answer) -> tuple[int, int]:
    own, other = asked["scores"]
    return asked["target"] - own, asked["target"] - other


def _near(asked: Answer, name: str) -> Sentence:
    own, other = _needs(asked)
    return say("{who} needed {own} to go out, and the other {other}.", who=name, own=own, other=other)


def _why_laid(asked: Answer, own: Answer, best: Answer) -> Sentence | None:
    """The part that speaks most for the better discard."""
    sign = 1 if asked["dealer"] else -1
    gains = {"hand": best["hand"] - own["hand"], "crib": sign * (best["crib"] - own["crib"]),
             "pegging": best["pegging"] - own["pegging"]}  # fmt: skip
    part = max(gains, key=lambda name: gains[name])
    by = f"{gains[part]:.1f}"
    if gains[part] < 0.05:
        return None
    if part == "hand":
        return say("The four kept would have counted {points} more in the mean.", points=by)
    if part == "pegging":
        return say("It would have pegged {points} more in the mean.", points=by)
    if asked["dealer"]:
        return say("The crib was one's own, and would have been worth {points} more in the mean.", points=by)
    return say("The crib was the other's, and would have been worth {points} less in the mean.", points=by)


def _why_played(asked: Answer, own: Answer, best: Answer) -> Sentence | None:
    """Points that lay there; or what the card left to the other."""
    here, there = _scored(asked, own["play"]), _scored(asked, best["play"])
    if there > here:
        return (
            say("It would have scored {points} at once.", points=there)
            if not here
            else say("It would have scored {points} at once, not {fewer}.", points=there, fewer=here)
        )
    count = asked["count"] + card(own["play"]).value
    if here >= there and count in (5, 21):
        return say("It made the count {count}, from which the other's tens score.", count=count)
    if here > there:
        return say("It scored {points} at once, but left the other more.", points=here)
    return None


def _scored(asked: Answer, played: str) -> int:
    series = [*map(card, asked["series"]), card(played)]
    return sum(item.points for item in play_items(series, asked["count"] + series[-1].value))


def _card(text: str) -> Sentence:
    return say("the {card}", card=card(text).name)


def _cards(texts: Sequence[str]) -> Sentence:
    return listed([_card(text) for text in texts])
