"""The lesson: a reader who knows only what the page says plays a whole game, and can say what the words mean."""

import re

import pytest

from companion.coach.lesson import MAX_DECISIONS

NOW = """() => ({kind: document.querySelector('[data-lesson]').dataset.kind, done: localStorage.lesson ?? '',
  text: document.querySelector('.lesson-text').innerText, title: document.querySelector('.lesson h2').innerText})"""


class Reader:
    """Somebody who reads the page and presses its buttons by keyboard. `learned` is what each title explained."""

    def __init__(self, phone, url):
        self.phone, self.page = phone, phone.page
        self.learned = {}
        self.page.goto(url + "/learn")
        self.phone.wait_until("!!document.querySelector('[data-lesson]').dataset.kind", True)
        self.look()

    def look(self):
        """Read the page."""
        self.seen = self.page.evaluate(NOW)
        assert "not possible" not in self.seen["text"]
        for title in self.seen["title"].split(" · ")[1:]:
            self.learned[title] = self.seen["text"]

    def buttons(self, of="choice"):
        """Return the names of the buttons that can be pressed, as a screen reader says them."""
        found = self.page.locator(f".lesson [data-{of}]:enabled").all()
        return [each.get_attribute("aria-label") or each.inner_text() for each in found]

    def press(self, name):
        button = self.page.locator(".lesson").get_by_role("button", name=name, exact=True)
        button.focus()
        self.page.keyboard.press("Enter")

    def decide(self, name):
        """Press the button and read the page that follows."""
        done = self.seen["done"]
        self.press(name)
        self.phone.wait_until(f"localStorage.lesson !== {done!r}", True)
        assert self.page.evaluate("document.activeElement !== document.body")
        self.look()

    def step(self):
        """Do what the page says, with no knowledge of cribbage but what it has said."""
        text, kind = self.seen["text"], self.seen["kind"]
        if kind == "discard":
            cards = self.buttons("away")
            named = [each for each in cards if each.removeprefix("Discard the ") in text.split("\n")[-1]]
            twos = [each for each in cards if each.startswith("Discard the 2 of")]
            for each in (named or (twos if "two 2s" in text else cards))[:2]:
                self.press(each)
            self.decide("Discard to crib")
        elif kind == "peg":
            hole = re.search(r"front peg is in hole (\d+)", text) if "at the start" not in text else None
            points = re.search(r"you score (\d+)", text)[1]
            self.decide(str((int(hole[1]) if hole else 0) + int(points)))
        elif kind == "meaning":
            self.decide(max(self.buttons(), key=lambda answer: self.agreement(answer, text)))
            assert "Not quite" not in self.seen["text"]
        else:
            buttons = self.buttons()
            named = [each for each in buttons if each.removeprefix("Play the ") in text]
            self.decide("2" if kind == "count" else (named or buttons)[0])

    def agreement(self, answer, question):
        """Return how far an answer agrees with what the lesson said of the word in question, from 0 to 1."""
        word = re.search(r"(go|crib|nobs)\b", question)[1]
        said = set(re.findall(r"\w{4,}", self.learned[{"go": "Go", "crib": "The crib", "nobs": "Nobs"}[word]].lower()))
        words = set(re.findall(r"\w{4,}", answer.lower()))
        return len(words & said) / len(words)


@pytest.fixture
def reader(stage, phone):
    return Reader(phone, stage.url)


def test_reader_plays_with_what_the_page_says(reader):
    results = []
    for _ in range(MAX_DECISIONS):
        if reader.seen["kind"] == "end":
            break
        results = re.findall(r"wins? by 61 to \d+", reader.seen["text"]) or results
        reader.step()
    assert len(results) == 1
    assert {"Go", "The crib", "Nobs", "Fifteen", "A pair", "A run", "Thirty-one", "His heels"} <= set(reader.learned)
    assert reader.page.locator(".lesson a[href='/']").inner_text() == "Play a game"
    assert reader.phone.complaints == []


def test_lesson_goes_on_after_page_and_program_ended(stage, reader):
    while reader.seen["kind"] != "peg":
        reader.step()
    port = stage.port
    stage.close()
    reader.press("2")
    reader.phone.wait_until("document.querySelector('[data-lost]').hidden", False)
    stage.open(port)
    reader.phone.complaints.clear()
    before = reader.seen
    again = Reader(reader.phone, stage.url)
    assert again.seen == before
    again.step()
    reader.page.locator(".lesson-again summary").tap()
    reader.page.locator("[data-restart]").tap()
    reader.phone.wait_until("localStorage.lesson", "")
    assert reader.page.locator(".lesson h2").inner_text() == "Deal 1 · Welcome"


def test_no_word_is_used_before_it_is_explained(reader):
    """The word of an idea stands on no page before the one that explains it."""
    told, later = (
        [],
        {"Go": r"“go”|says? go", "A run": r"\bruns?\b", "Nobs": "nobs", "His heels": "heels", "A flush": "flush"},
    )
    for _ in range(MAX_DECISIONS):
        if reader.seen["kind"] == "end":
            break
        told.append((reader.seen["title"], reader.seen["text"]))
        reader.step()
    for title, word in later.items():
        first = next(at for at, (heading, _) in enumerate(told) if title in heading.split(" · "))
        before = [text for _, text in told[:first] if re.search(word, text, re.IGNORECASE)]
        assert [text for text in before if "look for nobs: a jack of the same suit" not in text] == [], title
    asked = [text for _, text in told if "In which hole do you put" in text]
    assert ["at the start" in text for text in asked] == [True, False]
    assert sum("From now on the pegs move by themselves." in text for _, text in told) == 1


def test_the_cards_that_score_are_pointed_at(reader):
    while reader.seen["kind"] != "count":
        reader.step()
    reader.step()
    page = reader.page
    pointed = "[...document.querySelectorAll('[data-counted] .pointed')].map(each => each.ariaLabel)"
    assert page.evaluate(pointed) == ["7 of hearts", "8 of clubs"]
    page.locator("[data-item='2']").tap()
    assert page.evaluate(pointed) == ["8 of clubs", "8 of diamonds"]
    assert page.locator("[data-item='2']").get_attribute("aria-pressed") == "true"


LOOKS = [
    (320, 568, "light"),
    *(pytest.param(each, marks=pytest.mark.long) for each in [(390, 844, "dark"), (1920, 1080, "light")]),
]


@pytest.mark.parametrize("look", LOOKS)
def test_every_kind_of_page_fits_and_is_accessible(stage, phones, look):
    width, height, scheme = look
    reader = Reader(phones(width, height, color_scheme=scheme, reduced_motion="reduce"), stage.url)
    kinds = set()
    while len(kinds) < 5 or reader.seen["kind"] != "next":
        kinds.add(reader.seen["kind"])
        assert reader.phone.find_faults(is_dark=scheme == "dark") == []
        reader.step()
    assert kinds == {"next", "discard", "play", "peg", "count"}
    assert reader.phone.find_faults() == []


def test_lights_of_free_board_show_the_pegs(program, phone):
    phone.page.goto(program.players)
    begin(phone, program, "read")
    reader = Reader(phone, program.watchers.rstrip("/"))
    phone.wait_for_count("[data-lights]", 1)
    state = "fetch('/api/state').then(reply => reply.json()).then({})"
    for answer in ("Not now", "Change the game"):
        reader.press("Use the board and its lights")
        phone.wait_for_count("[data-lights]", 2)
        assert phone.page.evaluate(state.format("state => state.game.key")) == "six-card"
        reader.press(answer)
    phone.wait_for_count(".lesson-lights", 1)
    while not reader.learned.get("Pegs"):
        reader.step()
    phone.wait_until(state.format("state => state.game.key + ' ' + state.scores"), "pegs-only 0,2")
    phone.wait_until(state.format("state => state.dues.map(due => due.place).join()"), "blue-2")
    move_peg(phone, program, "blue-start-2", "blue-2")
    phone.wait_until(state.format("state => state.dues.length + ' ' + state.scores"), "0 0,2")

    again = Reader(phone, program.watchers.rstrip("/"))
    phone.wait_for_count(".lesson-lights", 1)
    while again.seen["kind"] != "peg":
        again.step()
    move_peg(phone, program, "red-start-2", "red-2")
    phone.wait_until(state.format("state => state.scores.join()"), "2,2")
    again.step()
    again.step()
    phone.wait_until(state.format("state => state.scores.join()"), "2,3")


def begin(phone, program, pegs):
    """Begin a game of six-card cribbage."""
    asked = {"game": "six-card", "pegs": pegs}
    assert phone.page.request.post(program.watchers + "api/table", data=asked).status == 201


@pytest.mark.parametrize("pegs", [None, "plain"])
def test_lights_are_not_offered_without_a_board(program, phone, pegs):
    """Nobody has begun a game, so that nobody looks at the simulated board; or the players use a board of their own."""
    phone.page.goto(program.players)
    if pegs:
        begin(phone, program, pegs)
    with phone.page.expect_response("**/api/tables"):
        reader = Reader(phone, program.watchers.rstrip("/"))
    for path in ("me", "state", "tables"):  # answered after the page's own requests
        reader.page.evaluate(f"fetch('/api/{path}').then(reply => reply.text())")
    assert reader.page.locator("[data-lights]").count() == 0


def move_peg(phone, program, lift, place):
    """Move a peg of the simulated board."""
    for holes in ({"lift": lift}, {"place": place}):
        assert phone.page.request.post(program.watchers + "api/bench/holes", data=holes).ok


def test_game_under_way_is_left_alone(program, phone):
    reader = Reader(phone, program.watchers.rstrip("/"))
    assert reader.page.locator("[data-lights]").count() == 0
    phone.page.goto(program.players)
    move = "fetch('/api/moves', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '%s'})"
    phone.page.evaluate(move % '{"type":"starter","card":"5H"}' + ".then(reply => reply.status)")
    with phone.page.expect_response("**/api/tables"):
        reader = Reader(phone, program.watchers.rstrip("/"))
    while not reader.learned.get("Pegs"):
        reader.step()
    assert reader.page.locator("[data-lights], .lesson-lights").count() == 0
    state = phone.page.evaluate("fetch('/api/state').then(reply => reply.json())")
    assert (state["game"]["key"], state["moves"], state["starter"]) == ("six-card", 1, "5H")
