"""The lesson: every step is legal, every idea occurs, and any learner reaches the end."""

from functools import cache
from random import Random

import pytest

from companion.coach import lesson
from companion.coach.lesson import COURSE, replay_lesson
from companion.i18n import format_message
from companion.i18n.catalog import load_catalog
from companion.rules.cards import PACK, parse_card, parse_cards
from companion.rules.scoring import itemize_hand, sum_points

PRESCRIBED = [prompt.wanted for deal in COURSE.deals for prompt in (deal.discard, *deal.plays) if prompt]


def pages_of(choose):
    """Yield the pages of a lesson. `choose(page)` names the decision to try next; the lesson may ask again."""
    done = []
    for _ in range(lesson.MAX_DECISIONS):
        page = replay_lesson(done)
        assert page["done"] == done
        yield page
        if page["kind"] == "end":
            return
        done.append(choose(page))
    pytest.fail("The lesson does not end.")


@cache
def first_text(*done):
    return replay_lesson(done)["text"][0]


def right_answer(page):
    """Return what a perfect learner answers; in a free deal the first cards."""
    if page["kind"] == "count":
        *hand, starter = parse_cards("".join(page["cards"]))
        return str(sum_points(itemize_hand(hand, starter, crib="crib" in page["text"][-1])))
    if page["kind"] in ("peg", "meaning"):
        return next(each for each in page["choices"] if not first_text(*page["done"], each).startswith("Not "))
    return next((card for card in PRESCRIBED if page["deal"] <= 2 and card in page["choices"]), page["choices"][0])


def random_learner(seed):
    random = Random(seed)
    return lambda page: random.choice(page["choices"])


def test_each_deal_has_thirteen_different_cards():
    for deal in (*COURSE.deals, *COURSE.free_deals):
        assert len(set(parse_cards(deal.learner + deal.kept + deal.discarded + deal.starter))) == 13
        assert len(parse_cards(deal.kept)) == 4


def test_a_learner_who_follows_meets_every_idea():
    pages = list(pages_of(right_answer))
    taught = [title for page in pages for title in page["titles"]]
    needed = "race dealer crib starter count fifteen pair go peg thirty-one run show"
    needed = {COURSE.ideas[key].word for key in (*needed.split(), "last card", "own crib", "his nobs", "his heels")}
    assert needed <= set(taught)
    assert len(taught) == len(set(taught))
    assert all(len(page["titles"]) <= 2 for page in pages)
    assert max(front for _, front in pages[-1]["pegs"]) == 61
    assert not any("The rules allow that" in text for page in pages for text in page["text"])
    assert len(pages) <= 90


@pytest.mark.parametrize("seed", range(4))
def test_any_learner_reaches_the_end_legally(seed):
    words = set()
    for page in pages_of(random_learner(seed)):
        assert page["refused"] == ""
        known = {each["word"] for each in page["words"]} | set(page["titles"])
        assert words <= known
        words = known
        if page["kind"] == "play":
            total = sum(parse_card(card).value for card in page["series"])
            assert total == page["count"]
            assert page["choices"] == ([c for c in page["hand"] if total + parse_card(c).value <= 31] or ["go"])
    assert max(front for _, front in page["pegs"]) == 61


def test_each_count_is_asked_before_explained():
    pages = list(pages_of(lambda page: "0" if page["kind"] == "count" else right_answer(page)))
    asked = [n for n, page in enumerate(pages) if page["kind"] == "count"]
    assert len(asked) >= 9
    for n in asked:
        page, after = pages[n], pages[n + 1]
        assert page["items"] == []
        assert after["cards"] == page["cards"]
        assert all(set(item["cards"]) <= set(page["cards"]) for item in after["items"])
        total = int(right_answer(page))
        assert after["text"][0] == ("Right: 0." if total == 0 else f"You said 0. It is {total}.")
    right = list(pages_of(right_answer))
    assert [page["pegs"] for page in pages] == [page["pegs"] for page in right]


def test_an_impossible_decision_ends_the_list():
    page = replay_lesson(["next", "next", "3HKC", "next", "KC", "8C"])
    assert page["done"] == ["next", "next", "3HKC", "next"]
    assert page["refused"] == "That is not possible here. Choose again."
    assert replay_lesson(["next"] * 500)["done"] == ["next"] * 2


def test_another_legal_card_is_not_called_wrong():
    start = ["next", "next", "3HKC", "next"]
    page = replay_lesson([*start, "JS"])
    assert page["done"] == [*start, "JS"]
    assert page["text"][0].startswith("The rules allow that.")
    assert (page["hand"], page["count"]) == (["7H", "8C", "8D", "JS"], 0)
    assert replay_lesson([*start, "JS", "8C"])["titles"] == ["Fifteen"]


def test_the_companion_follows_its_script():
    pages = list(pages_of(right_answer))
    for deal_index, deal in enumerate(COURSE.deals):
        said = " ".join(event for page in pages if page["deal"] == deal_index + 1 for event in page["events"])
        places = [said.index(f"The companion plays the {card.name}.") for card in parse_cards(deal.kept)]
        assert places == sorted(places)


def test_german_texts_name_the_same_cards():
    german = load_catalog("de")
    prompts = [prompt for deal in COURSE.deals for prompt in (deal.discard, *deal.plays) if prompt]
    named = [
        (text, card) for prompt in prompts for text in (prompt.say, prompt.again) for card in PACK if card.name in text
    ]
    assert len(named) >= 10
    for text, card in named:
        assert german.translate_value(card.name) in german.translate_value(format_message(text))
