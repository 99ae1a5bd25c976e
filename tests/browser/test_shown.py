"""What the page shows of a snapshot, and what a tap on it sends: stories as tables."""

import pytest

from tests.browser.scenes import scene
from tests.browser.stage import START
from tests.browser.test_controls import PLAY, QUESTION, posted
from tests.browser.test_hooks import DUE, MID_PLAY, OVER

DISK = "The journal cannot be written: the disk is full."
DISK_NEWS = [{"id": 4, "kind": "refused", "from": "journal", "say": DISK}]
GONE = "All pegs are out, or the board is not responding."
LAST_CARD = "I play my last card. Turn it over."
OLD_WIRE = "The board speaks an older wire: it can be updated."
UNDONE = "Undone: Blue's king of spades."
UNDO = MID_PLAY["last"] | {"move": {"type": "undo"}, "awards": [], "said": [UNDONE]}
NO_CRIB = "3D TH 5H 6S KC 4C 5D 7S JC AS 8H JS KH"
MANY_OPTIONS = {"target": "61", "counting": "manual", "muggins": "on", "overclaim": "two"}
PEGS_ONLY = {"key": "pegs-only", "title": "Score only"}
ENDED = {"phase": "over", "turn": None, "winner": 0, "scores": [121, 88]}
ON_LANE_OF_ALL = [
    {"seat": seat, "points": 2, "lift": f"{at}-start-2", "place": f"roof-{n}"}
    for seat, at, n in ((0, "upper-left", 2), (1, "apex", 32))
]


def devices(**changes):
    return {"devices": START["devices"] | changes}


def plain(scenery):
    return scenery | {"game": scenery["game"] | {"pegs": "plain"}}


SHOWN = {
    "a jack cut in the bases": [(scene("bases", "JD"), {"[data-turn]": ["A home run! Red bats. Cut the starter."]})],
    "one card each to the crib of three": [
        (plain(scene("pursuit", seats=3)),
         {"[data-turn]": ["Red deals. One card each to the crib, then cut and enter the starter."]}),
    ],
    "no card to the crib of five": [
        (plain(scene("pursuit", seats=5)), {"[data-turn]": ["Red deals. Cut the starter."]}),
    ],
    "a game that is over asks nothing": [
        (ENDED | {"skunk": "skunk", "game_points": 2},
         {"[data-turn='']": ["Red wins by 33: a skunk, worth 2 games."], "[data-move=next]": ["Play again"],
          "[data-open='new-game']": ["New game"]}),
    ],
    "an undo, then the count before it": [
        (MID_PLAY | {"moves": 5, "last": UNDO}, {".last-count p": [UNDONE, "Red: fifteen two."]}),
        (MID_PLAY | {"moves": 7, "last": UNDO | {"counts": []}}, {".last-count p": [UNDONE]}),
    ],
    "a crib of no points": [
        (scene("six-card", NO_CRIB),
         {".last-count .count-line:first-child p": ["Red's crib: no points."], ".last-count .gain": ["0"]}),
    ],
    "a due whose peg stands wrong": [
        (MID_PLAY | {"dues": [DUE, {"seat": 1, "points": 2, "lift": "blue-start-2", "place": "blue-2"}]},
         {"[data-due][data-seat='1']": ["+2\nBlue: from 3 to 2."]}),
    ],
    "a lane of all, whose numbers are others' too": [
        (scene("pursuit", seats=3)
         | {"dues": ON_LANE_OF_ALL, "advice": [OVER | {"hole": "roof-33", "lift": "roof-33", "place": "roof-32"}]},
         {"[data-due]": ["+2\nRed: back peg to the lit hole.", "+2\nBlue: misplaced peg to the lit hole."]}),
    ],
    "all pegs knocked out": [
        ({"question": {"why": GONE, "choices": []},
          "advice": [{"kind": "put_back", "seat": seat, "say": GONE, "place": place}
                     for seat, place in ((0, "red-start-1"), (1, "blue-2"))]},
         {"[data-kind=put_back]": ["A peg belongs in Red's start.", "A peg belongs in Blue 2."]}),
    ],
    "holes that are not believed": [
        ({"quarantined": ["red-33", "blue-start-1"]},
         {".quarantined": ["Ignored because of a faulty sensor: red 33, blue start 1."]}),
    ],
    "a lost device": [
        (devices(cards={"url": "sim:", "ok": False, "say": "The card reader's cable is out."}),
         {"[data-device=cards][data-ok=false]": ["Card reader: The card reader's cable is out."]}),
    ],
    "a device that is well and says something": [
        (devices(sensors={"url": "serial:x", "ok": True, "say": OLD_WIRE}),
         {"[data-device=sensors]": [f"Pegs: {OLD_WIRE}"]}),
    ],
    "a full disk, until it is over": [
        ({"notices": DISK_NEWS, "trouble": DISK, "moves": 0}, {"[data-notice]": [DISK]}),
        ({"notices": DISK_NEWS, "trouble": DISK, "moves": 1}, {"[data-notice]": [DISK]}),
        ({"notices": DISK_NEWS, "moves": 2}, {"[data-notice]": []}),
    ],
    "what the companion says, until it says something else": [
        ({"remark": LAST_CARD, "moves": 0}, {"[data-notice]": [LAST_CARD]}),
        ({"remark": LAST_CARD, "moves": 1}, {"[data-notice]": [LAST_CARD]}),
        ({"remark": "", "moves": 1}, {"[data-notice]": []}),
    ],
    "go only where no card may fit": [
        (PLAY | {"count": 21}, {"[data-move=go]": []}), (PLAY | {"count": 22}, {"[data-move=go]": ["Blue: go"]}),
    ],
    "the options in the heading": [
        ({"game": START["game"] | {"options": MANY_OPTIONS}},
         {"[data-part=terms]": ["first to 61, the players count, muggins, Over-claims: opponent gets 2"]}),
    ],
}  # fmt: skip
"""By name: the changes of each snapshot, with the texts that are seen then, by selector."""


@pytest.mark.parametrize("story", SHOWN)
def test_the_page_shows(stage, phone, story):
    phone.open(stage.url)
    for changes, texts in SHOWN[story]:
        phone.wait_for_snapshot(stage.show(**changes))
        assert {selector: [text.strip() for text in phone.visible_texts(selector)] for selector in texts} == texts


SENT = {
    "undo": ("/", {"moves": 1}, ["[data-move=undo]:visible"], [("moves", {"type": "undo"})]),
    "go, for the seat whose turn it is": (
        "/", PLAY, ["[data-move=go][data-seat='1']"], [("moves", {"type": "go", "seat": 1})],
    ),
    "points on the keys, of which some are impossible": (
        "/", {"game": START["game"] | PEGS_ONLY, "phase": "play", "turn": None},
        ["[data-more][data-seat='1']", "[data-move=peg][data-seat='1'][data-points='12']"],
        [("moves", {"type": "peg", "seat": 1, "points": 12})],
    ),
    "a card to the reader of the bench": (
        "/bench", {}, ["button[data-card=KS]"], [("scan", {"card": "KS"})],
    ),
    "a button and a cable of the bench": (
        "/bench", {}, ["[data-press='go:1']", ".mishaps summary", "[data-cable=cards]"],
        [("press", {"button": "go:1"}), ("cable", {"device": "cards", "plugged": False})],
    ),
    "an answer to a question": (
        "/", {"question": QUESTION}, ["[data-choice='0']"], [("moves", QUESTION["choices"][0]["move"])],
    ),
}  # fmt: skip
"""By name: the page, the changes of its snapshot, what is tapped, and what the table gets."""


@pytest.mark.parametrize("story", SENT)
def test_a_tap_sends(stage, phone, story):
    path, changes, taps, sent = SENT[story]
    page = phone.open(stage.url + path, stage.show(**changes))
    phone.tap(*taps)
    assert posted(stage, phone, len(sent)) == sent
    assert page.locator("[data-points='19'], [data-points='25']").count() == 0
