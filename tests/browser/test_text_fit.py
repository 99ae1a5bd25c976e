"""Nothing is cut off: with letters twice as large on the smallest phone, on any page, and with long names."""

import pytest

from tests.browser.contact_sheets import states
from tests.browser.scenes import SCENES
from tests.browser.test_club import entered
from tests.browser.test_keep_score import kept, peg
from tests.browser.test_looks import FULL
from tests.browser.test_tournament import create_tournament, enter_cards
from tests.browser.test_tournament import room as room  # noqa: PLC0414 - a fixture

CUT_OFF = """() => {
  const root = document.querySelector("dialog[open]") ?? document.body, cut = [];
  const name = (el) => `${el.tagName.toLowerCase()}${[...el.classList].map((each) => `.${each}`).join("")}`;
  const isSeen = (el) => el.checkVisibility() && !el.closest("svg svg, .unseen, .skip");
  function limits(el) {
    let [left, right] = [0, innerWidth];
    for (let at = el; at && at !== document.body; at = at.parentElement) {
      const { overflowX, display } = getComputedStyle(at), box = at.getBoundingClientRect();
      if (display === "contents") continue;
      if (box.width <= 1 || at.matches(".wide, [data-part=standings]")) return null;
      if (at.matches("button, a.button") || (["hidden", "clip"].includes(overflowX) && at !== el))
        [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
    }
    return [left, right];
  }
  function note(el, rects, what) {
    const within = limits(el);
    for (const { left, right, width } of within ? rects : [])
      if (width > 1 && (left < within[0] - 1.5 || right > within[1] + 1.5))
        return void cut.push(`${what} in ${name(el)}: ${Math.round(left)} to ${Math.round(right)}`);
  }
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), range = document.createRange();
  for (let node; (node = texts.nextNode());) {
    const el = node.parentElement;
    if (!node.data.trim() || el.closest("svg, option, script, style") || !isSeen(el)) continue;
    range.selectNodeContents(node);
    note(el, range.getClientRects(), `"${node.data.trim().slice(0, 40)}"`);
  }
  for (const el of root.querySelectorAll("button, a, input, select, img, svg, summary, video, canvas"))
    if (isSeen(el) && !el.parentElement.closest("svg")) note(el.parentElement, [el.getBoundingClientRect()], name(el));
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) cut.push(`the page is ${scrollWidth} wide`);
  return [...new Set(cut)];
}"""
"""What lies beyond the screen, its key, or what an element shows of it. A wide table scrolls by itself."""
UNFOLD = "document.querySelectorAll('details').forEach(each => each.open = true)"


def all_states(stage):
    """Yield every page and the main states of the phone page, as the contact sheets do, and what they leave out."""
    yield from states(stage)
    nothing = lambda page: None  # noqa: E731
    stage.clear()
    stage.show(**kept(peg(0, 24), peg(1, 8)))
    yield "the score is kept", "/", nothing
    yield "the menu, unfolded", "/", lambda page: page.locator("[data-open=menu]").click()
    stage.show(**FULL)
    yield "everything at once", "/", nothing
    yield "a card read wrong", "/", lambda page: page.locator("[data-correct]").first.click()
    for path in ("/check", "/check/markers", "/wifi", "/help/bases", "/help/swap", "/bench"):
        yield path, path, nothing


class Magnifier:
    """Sets letters of 32 px on the open page: in the settings of the browser, or by the page's root."""

    def __init__(self, phone, way):
        self.phone, self.way = phone, way
        self.devtools = phone.page.context.new_cdp_session(phone.page)  # when it ends, so does the setting

    def enlarge(self):
        """Enlarge the letters, and wait for it."""
        if self.way == "browser":
            self.devtools.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 32}})
        else:
            self.phone.page.evaluate("document.documentElement.style.fontSize = '200%'")
        self.phone.wait_until("getComputedStyle(document.documentElement).fontSize", "32px")


@pytest.mark.parametrize(("way", "language"), [("browser", "en"), ("root", "de")])
def test_nothing_is_cut_off_on_any_page(stage, phones, way, language):
    """No text, key or picture lies beyond the screen, and no text beyond its key: on 320 px, in both languages."""
    phone = phones(320, 568, new=True)
    cut, magnifier = {}, Magnifier(phone, way)
    for name, path, act in opened_states(stage, phone, language):
        if path == "/tv":
            continue  # its letters are as large as the screen allows
        magnifier.enlarge()
        act(phone.page)
        phone.page.evaluate(UNFOLD)
        if found := phone.page.evaluate(CUT_OFF):
            cut[name] = found
    assert cut == {}


def opened_states(stage, phone, language):
    """Open the page of each state. Yield the name of the state, the path, and what is still to be done there."""
    page = phone.page
    page.add_init_script("localStorage.setItem('sat', 'on')")  # it has a seat
    for name, path, act in all_states(stage):
        page.goto(f"{stage.url}{path}{'&' if '?' in path else '?'}lang={language}")
        if page.locator("body[data-link]").count():
            phone.wait_until("document.body.dataset.snapshot", str(stage.snapshot["number"]))
            phone.wait_until("document.body.dataset.role", stage.role)
        else:
            page.wait_for_load_state("networkidle")
        yield name, path, act


LOOKS = [(320, 568, "light", "de"), (390, 844, "dark", "en"), (768, 1024, "light", "de"), (1280, 800, "dark", "en")]


@pytest.mark.long
@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_axe_finds_nothing_on_any_page(stage, phones, look):
    width, height, scheme, language = look
    phone, found = phones(width, height, new=True, color_scheme=scheme, reduced_motion="reduce"), {}
    for name, _, act in opened_states(stage, phone, language):
        act(phone.page)
        if faults := phone.find_faults(is_dark=scheme == "dark"):
            found[name] = faults
    assert found == {}


@pytest.mark.parametrize(("way", "language"), [("browser", "de"), ("root", "en")])
def test_nothing_is_cut_off_in_a_club(room, phones, way, language):
    """The pages of the club and of a tournament, and the sheets of their forms."""
    create_tournament(room)
    enter_cards(room.director)
    phone = phones(320, 568, new=True)
    page, cut, magnifier = entered(phone, room, language), {}, Magnifier(phone, way)
    for path in ("", "tournament?event=1", "card?event=1&player=0"):
        page.goto(room.url + path)
        page.wait_for_load_state("networkidle")
        magnifier.enlarge()
        page.evaluate(UNFOLD)
        for opener in [None, *page.locator("[data-open]:visible").all()]:
            if opener:
                opener.click()
            if found := page.evaluate(CUT_OFF):
                cut[path, opener and opener.get_attribute("data-open")] = found
            if page.locator("dialog[open]").count():
                page.keyboard.press("Escape")
    assert cut == {}


NAMES = ("Bartholomäus", "Annemarie-Luise", "Maximiliane", "Wilhelmine", "Hans")
WIDER = "document.documentElement.scrollWidth - innerWidth"
ROWS = """[...document.querySelectorAll(".hands .small-cards")].map(hand =>
    new Set([...hand.children].map(card => Math.round(card.getBoundingClientRect().top))).size)"""
OUT = """[...document.querySelectorAll("[data-score]")].filter(score => {
    const [own, plate] = [score, score.closest(".plate")].map(each => each.getBoundingClientRect());
    return own.right > plate.right || own.left < plate.left; }).length"""

OVER = """[...document.querySelectorAll("main *, header *")].filter(each =>
    each.offsetParent && !each.closest("svg, .unseen") && each.getBoundingClientRect().right > innerWidth + 1
  ).map(each => `${each.tagName}.${each.className}`)"""


def named(scene):
    return scene | {"players": [each | {"name": NAMES[each["seat"]]} for each in scene["players"]]}


@pytest.mark.parametrize("path", ["", "/tv"])
def test_scores_of_three_figures_keep_their_places(stage, phones, path):
    phone = phones(320, 568)
    ended = SCENES["six-card, the play"] | {"scores": [121, 120], "phase": "over", "winner": 0, "turn": None}
    phone.open(stage.url + path, stage.show(**named(ended)))
    assert phone.page.evaluate(WIDER) <= 0
    assert phone.page.evaluate(OUT) == 0


def test_no_score_of_five_hides_a_name(stage, phones):
    stage.show(**named(SCENES["pursuit of five"]))
    page = phones(320, 568).open(stage.url)
    assert (
        page.evaluate("""[...document.querySelectorAll('.plate')].filter(plate => {
        const [name, score] = ['.name', '.score'].map(each => plate.querySelector(each).getBoundingClientRect());
        return score.top < name.bottom - 1; }).length""")
        == 0
    )


def test_a_hand_of_four_is_one_row(stage, phone):
    played = [["5H", "KC", "3D", "JC"], ["TH", "6S", "4C", "7S"]]
    phone.open(stage.url, stage.show(**named(SCENES["six-card, the play"] | {"played": played, "phase": "between"})))
    assert phone.page.evaluate(ROWS) == [1, 1]


def test_luck_and_skill_scroll_by_themselves(stage, phone):
    stage.looked = {"names": NAMES[:2], "missed": [0, 0], "unknown": [], "over": True, "game": 1}
    page = phone.page
    page.goto(stage.url + "/review")
    phone.wait_for_count("main table", 1)
    assert page.evaluate(WIDER) <= 0


@pytest.mark.parametrize(
    "name",
    [
        "six-card of four",
        "counting, a window",
        "pursuit of five",
        "bases, dice thrown",
        "swap, a chip to return",
        "shuffle, swapping",
    ],
)
def test_moments_fit_with_letters_twice_as_large(stage, phones, name):
    phone = phones(390, 844)
    stage.played = [{"n": 1, "by": "phone", "scores": [48, 38, 27, 95, 12], "say": [f"{NAMES[1]} played."], "move": {}}]
    page = phone.open(stage.url, stage.show(**named(SCENES[name])))
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert page.evaluate(OVER) == []
    assert page.evaluate(WIDER) <= 0
