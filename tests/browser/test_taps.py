"""Taps: how many a deal costs, and one that comes twice counts once."""

import pytest

from companion.rules.moves import Go
from tests.browser.conftest import MAX_SHIFT
from tests.browser.people import PhonePlayers
from tests.browser.test_table import PLAIN, scores

COUNT_TAPS = "window.taps = 0, addEventListener('click', event => { window.taps += event.isTrusted; }, true)"
SEEN = "document.querySelector(`#pad [data-card='{}']`).matches('.spent')"
DEALS_AGAINST = 2
CRIB = ["2H", "3H", "AS", "JC"]
DEALS = {
    "one says go, and the other plays on": ("4D 9H TC 7S go 5H KD 8H 6S 6D", "1:2 0:2 0:1 1:5 0:2 0:8", ["13", "7"]),
    "one says go, and the king says it for the other": (
        "4D 9H 9S TC go KD 8H 7S 6C QH", "0:2 1:1 1:5 0:1 1:5 0:8", ["11", "11"],
    ),
}  # fmt: skip
"""The starter with what is tapped in the play, the points by seat, and the scores after the deal."""


def list_moves(table):
    past, moves = table.core.past, []
    while past.parent is not None:
        moves.append(past.move)
        past = past.parent
    return moves


def begin(phone, program, way):
    """Start a game in this way, and count the taps from there."""
    page = phone.open(program.players)
    phone.tap(f".first-choice [data-way={way}]", "dialog [data-start]")
    phone.wait_for_count("dialog[open]", 0)
    phone.wait_until("document.querySelector('.first-choice').hidden", True)
    page.evaluate(COUNT_TAPS)
    return page


@pytest.mark.parametrize("deal", DEALS)
@pytest.mark.parametrize(("counts", "cost"), [(False, 14), (True, 11)], ids=["cards", "number"])
def test_deal_with_cards_costs_14_taps_or_11(program, phone, deal, counts, cost):
    """The crib is told by its cards, or by its number, which the players have counted."""
    taps, _, after = DEALS[deal]
    page = begin(phone, program, "plain")
    page.locator("[data-open=cards]").tap()
    page.evaluate("window.taps = 0")  # the pad stays open for the next deals
    for each in taps.split():
        if each == "go":
            page.locator("[data-move=go]").tap()
            phone.wait_until("document.querySelector('[data-move=go]').dataset.seat", "1")
        else:
            page.locator(f"#pad [data-card='{each}']").tap()
            phone.wait_until(SEEN.format(each), True)
    phone.wait_until("document.body.dataset.phase", "crib")
    for each in [] if counts else CRIB[:3]:
        page.locator(f"#pad [data-card='{each}']").tap()
        phone.wait_until(SEEN.format(each), True)
    last = "[data-move=count_crib][data-points='8']" if counts else f"#pad [data-card='{CRIB[3]}']"
    page.locator(last).tap()
    phone.wait_until("document.body.dataset.phase", "between")
    assert scores(phone) == after
    assert page.evaluate("window.taps") == cost


@pytest.mark.parametrize("deal", DEALS)
def test_deal_counted_by_players_costs_7_taps(program, phone, deal):
    _, points, after = DEALS[deal]
    page = begin(phone, program, "pegs-only")
    for moves, each in enumerate(points.split(), start=1):
        seat, n = each.split(":")
        if int(n) > 6:
            page.locator(f"[data-more][data-seat='{seat}']").tap()
        page.locator(f"[data-move=peg][data-seat='{seat}'][data-points='{n}']").tap()
        phone.wait_until("fetch('/api/state').then(reply => reply.json()).then(now => now.moves)", moves)
    phone.wait_until(
        "[...document.querySelectorAll('[data-score]')].map(each => each.textContent).join()", ",".join(after)
    )
    assert page.evaluate("window.taps") == 7


def test_several_scores_of_one_count_are_one_move(program, phone):
    page = begin(phone, program, "pegs-only")
    phone.tap("[data-more][data-seat='1']", "[data-plus='2']")
    page.locator("[data-plus='2']").tap()
    page.locator("[data-plus='3']").tap()
    phone.wait_for_text(".sum", "2 + 2 + 3 = 7")
    page.locator("[data-sum]").tap()
    phone.wait_until("[...document.querySelectorAll('[data-score]')].map(each => each.textContent).join()", "0,7")
    phone.wait_for_count("dialog[open]", 0)
    assert page.evaluate(MOVES) == 1


def test_unfitting_card_is_refused_before_a_go(program, phone):
    page = begin(phone, program, "plain")
    page.locator("[data-open=cards]").tap()
    for each in ("4D", "9H", "9S", "TC"):
        page.locator(f"#pad [data-card='{each}']").tap()
        phone.wait_until(SEEN.format(each), True)
    page.locator("#pad [data-card='KD']").tap()
    phone.wait_until("document.querySelector('[data-part=error]').textContent.includes('31')", True)
    assert page.evaluate("fetch('/api/state').then(reply => reply.json()).then(now => now.count)") == 28


HOLD_ANSWERS = """() => {
    const send = window.fetch;
    window.held = [];
    window.fetch = async (path, options) => {
        const answer = await send(path, options);
        if (String(path).startsWith("/api/moves")) await new Promise((release) => held.push(release));
        return answer;
    };
}"""
"""The page gets the answer to a move when the test calls the next function of `held`."""

LOSE_ANSWER = """() => {
    const send = window.fetch;
    window.keys = [];
    window.fetch = async (path, options) => {
        const answer = await send(path, options);
        if (!String(path).startsWith("/api/moves")) return answer;
        keys.push(options.headers["Idempotency-Key"]);
        if (keys.length === 1) throw new TypeError("The answer was lost.");
        return answer;
    };
}"""

REFUSE_MOVES = """() => {
    const send = window.fetch;
    window.sent = 0;
    window.fetch = async (path, options) => {
        if (!String(path).startsWith("/api/moves")) return send(path, options);
        sent += 1;
        throw new TypeError("The table does not answer.");
    };
}"""

ONE = "[data-move=peg][data-seat='0'][data-points='1']"
UNDO = "[data-move=undo]"
MOVES = "fetch('/api/state').then(reply => reply.json()).then(now => now.moves)"
SCORE = "document.querySelector('[data-score]').textContent"


@pytest.fixture
def scorer(program, phones):
    """Return a phone that keeps the score of two players who use a board of their own; 3 points are pegged."""
    phone = phones(390, 844)
    page = phone.open(program.players)
    phone.tap(".first-choice [data-way=pegs-only]", "dialog [data-start]")
    phone.wait_for_count("dialog[open]", 0)
    phone.wait_until("document.querySelector('.first-choice').hidden", True)
    for score in ("1", "2", "3"):
        page.locator(ONE).tap()
        phone.wait_until(SCORE, score)
    return phone


def click_at(phone, selector, *times_s):
    """Click an element at these times, as the browser measures them."""
    box = phone.page.locator(selector).bounding_box()
    devtools = phone.page.context.new_cdp_session(phone.page)
    for time_s in times_s:
        for kind in ("mousePressed", "mouseReleased"):
            devtools.send(
                "Input.dispatchMouseEvent",
                {"type": kind, "x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2,
                 "button": "left", "clickCount": 1, "timestamp": time_s},
            )  # fmt: skip
    devtools.detach()


@pytest.mark.parametrize(("selector", "once", "twice"), [(ONE, "4", "5"), (UNDO, "2", "1")])
def test_a_finger_that_bounces_counts_once(scorer, selector, once, twice):
    """Two clicks on the same place within 120 ms are one tap; a later one is another, if the first is answered."""
    now_s = scorer.page.evaluate("(performance.timeOrigin + performance.now()) / 1000 + 1")  # after the last tap
    click_at(scorer, selector, now_s, now_s + 0.06)
    scorer.wait_until(SCORE, once)
    scorer.wait_until(f"document.querySelector(`{selector}`).ariaBusy", None)
    assert scorer.page.evaluate(MOVES) == 4
    click_at(scorer, selector, now_s + 0.6)
    scorer.wait_until(SCORE, twice)


@pytest.mark.parametrize(("selector", "once", "twice"), [(ONE, "4", "5"), (UNDO, "2", "1")])
def test_a_key_rests_until_its_answer(scorer, selector, once, twice):
    """While the answer is on the way, the key is busy and seen to be; other keys are heard; then it counts again."""
    page, key = scorer.page, scorer.page.locator(selector)
    page.evaluate(HOLD_ANSWERS)
    key.tap()
    scorer.wait_until("held.length", 1)
    key.tap()
    assert key.get_attribute("aria-busy") == "true"
    scorer.wait_until(f"getComputedStyle(document.querySelector(`{selector}`)).opacity", "0.5")
    page.evaluate("held.shift()()")
    scorer.wait_until(SCORE, once)
    scorer.wait_until(f"document.querySelector(`{selector}`).ariaBusy", None)
    assert page.evaluate(MOVES) == 4
    key.tap()
    scorer.wait_until("held.length", 1)
    page.evaluate("held.shift()()")
    scorer.wait_until(SCORE, twice)


def test_other_keys_are_heard_meanwhile(scorer):
    page = scorer.page
    page.evaluate(HOLD_ANSWERS)
    page.locator(ONE).tap()
    page.locator("[data-move=peg][data-seat='1'][data-points='2']").tap()
    for _ in range(2):
        scorer.wait_until("held.length", 1)
        page.evaluate("held.shift()()")
    scorer.wait_until("[...document.querySelectorAll('[data-score]')].map(each => each.textContent)", ["4", "2"])


def test_two_phones_are_both_heard(scorer, phones, program):
    """Both tap Undo on what they see, and both answers are on the way at the same moment."""
    second = phones(390, 844, new=True)
    second.open(program.players)
    for phone in (scorer, second):
        phone.page.evaluate(HOLD_ANSWERS)
        phone.page.locator(UNDO).tap()
    for phone in (scorer, second):
        phone.wait_until("held.length", 1)
        phone.page.evaluate("held.shift()()")
        phone.wait_until(SCORE, "1")


@pytest.mark.parametrize(("selector", "score"), [(ONE, "4"), (UNDO, "2")])
def test_a_lost_answer_is_asked_for_again(scorer, selector, score):
    """The page sends the same tap again; the table has made it already, and answers it once more."""
    page = scorer.page
    page.evaluate(LOSE_ANSWER)
    page.locator(selector).tap()
    scorer.wait_until(SCORE, score)
    scorer.wait_until("keys.length", 2)
    scorer.wait_until(f"document.querySelector(`{selector}`).ariaBusy", None)
    assert page.evaluate("new Set(keys).size") == 1
    assert page.evaluate(MOVES) == 4
    assert scorer.visible_texts("[data-error]") in ([], [""])


def test_a_table_that_does_not_answer_is_named(stage, phone):
    """After three tries the page says what to do, because the move may have been made."""
    page = phone.open(stage.url, stage.show(moves=1))
    page.evaluate(REFUSE_MOVES)
    page.locator(UNDO).tap()
    wanted = "The table does not answer. Look at the scores before you tap again."
    phone.wait_for_text("[data-error]", wanted)
    assert page.evaluate("sent") == 3


def test_a_tap_elsewhere_ends_the_bounce(scorer):
    """A finger that has touched another place meanwhile did not bounce: the key counts again at once."""
    now_s = scorer.page.evaluate("(performance.timeOrigin + performance.now()) / 1000 + 1")
    click_at(scorer, UNDO, now_s)
    scorer.wait_until(SCORE, "2")
    scorer.wait_until(f"document.querySelector(`{UNDO}`).ariaBusy", None)
    click_at(scorer, "h1", now_s + 0.04)
    click_at(scorer, UNDO, now_s + 0.08)
    scorer.wait_until(SCORE, "1")


def test_a_deal_against_the_companion_costs_eight_taps(seeded_table, phones):
    """Two cards, the button, four cards and the next hand. A go needs none, and nothing moves."""
    phone = phones(390, 844, reduced_motion="reduce")
    page = begin(phone, seeded_table, "against")
    phone.wait_for_count(".my-hand [data-away]", 6)
    phone.note_shifts()
    for _ in range(DEALS_AGAINST):
        page.evaluate("window.taps = 0")
        for chosen in range(2):
            page.locator(".my-hand [data-away]").nth(chosen * 3).tap()
            phone.wait_for_count(".my-hand [aria-pressed=true]", chosen + 1)
        page.locator(".bar [data-away]").tap()
        for left in (3, 2, 1, 0):
            page.locator("[data-own]:enabled").first.tap()
            phone.wait_for_count(".my-hand [data-own]", left)
        phone.wait_for_count(".deal-count", 3)
        page.locator("[data-move=next]").tap()
        phone.wait_for_count(".my-hand [data-away]", 6)
        assert page.evaluate("taps") == 8
    assert Go(0) in list_moves(seeded_table.table)
    assert phone.read_shift() <= MAX_SHIFT


@pytest.mark.parametrize("flags", [(), PLAIN], ids=["a board that is read", "a plain board"])
def test_nothing_moves_from_deal_to_deal(programs, phones, flags):
    """Not when a hand is counted, the pad makes room for the counts, or the next hand is dealt.

    Beside a board that is read, the pad takes the place of its picture once, when it is opened.
    """
    program, two = programs(*flags), [phones(390, 844, reduced_motion="reduce") for _ in range(2)]
    for phone in two:
        phone.open(program.players)
    players, deals = PhonePlayers(two), set()
    players.begin("six-card")
    for phone in two:
        if not flags:
            phone.tap("[data-open=cards]")
    players.watch_page()
    players.play_until(
        lambda now: now["phase"] == "between" and (deals.add(now["said"] + str(now["scores"])) or len(deals) == 2)
    )
    taps, dead, shift = players.read_taps()
    assert (taps >= 26, dead) == (True, [])
    assert shift <= MAX_SHIFT


def test_nothing_moves_while_a_score_is_kept(scorer):
    page = scorer.page
    scorer.note_shifts()
    for score in ("4", "5", "6"):
        page.locator(ONE).tap()
        scorer.wait_until(SCORE, score)
    page.locator(UNDO).tap()
    scorer.wait_until(SCORE, "5")
    assert scorer.read_shift() <= MAX_SHIFT
