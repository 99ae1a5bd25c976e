"""The cost of a move: only what changed is redrawn, however long the game is."""

import pytest

from tests.browser.scenes import scene

WATCH = """() => {
  Object.assign(globalThis, { touched: [], parsed: 0 });
  const near = (node) => `${node.nodeName} in ${node.parentElement?.closest("[data-part]")?.dataset.part}`;
  const differs = ({ target, attributeName: name, oldValue }) => target.getAttribute(name) !== oldValue;
  const kinds = {
    attributes: (one) => (differs(one) ? [`${one.attributeName} of ${near(one.target)}`] : []),
    characterData: ({ target }) => [near(target)],
    childList: ({ addedNodes, removedNodes }) => [...addedNodes, ...removedNodes].map(near),
  };
  const all = { subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true };
  new MutationObserver((each) => touched.push(...each.flatMap((one) => kinds[one.type](one)))).observe(document, all);
  const [html, insert] = ["innerHTML", "insertAdjacentHTML"].map((name) =>
    Object.getOwnPropertyDescriptor(Element.prototype, name));
  const read = (text) => ((parsed += text.length), text);
  Object.defineProperty(Element.prototype, "innerHTML", { ...html, set(text) { html.set.call(this, read(text)); } });
  Element.prototype.insertAdjacentHTML = function (at, text) { insert.value.call(this, at, read(text)); };
}"""
"""From now on the page notes each node that is changed, added or removed, and how much HTML it has read."""

DEAL = "5D TH 5H 6S KC 4C 3D"
SAID = {"by": "phone", "scores": [9, 7], "say": ["A move."], "move": {"type": "go", "seat": 0}, "awards": []}
LONG = [SAID | {"n": n} for n in range(1, 301)]
"""A game of 300 moves."""


@pytest.fixture(params=[390, 1280])
def watched(request, stage, phones):
    """A page late in a long game; count what changes from one snapshot to the next."""

    def told(before, after):
        phone = phones(request.param, 844)
        stage.played = LONG
        phone.open(stage.url, stage.show(**before))
        phone.open_history()
        if request.param == 1280:
            phone.page.locator(
                "[data-open=history]"
            ).tap()  # a wide page shows the newest lines also while it is folded
        phone.wait_for_count("[data-history]", len(LONG))
        phone.page.evaluate(WATCH)
        stage.played = [*LONG, SAID | {"n": 301}]
        phone.wait_for_snapshot(stage.show(**after))
        seen = phone.page.evaluate(
            "[...document.querySelectorAll('[data-history]')].filter(el => el.offsetParent).length"
        )
        assert seen in {390: (300, 301), 1280: (12,)}[request.param]
        return phone.page.evaluate("[touched, parsed]")

    return told


def test_an_unchanged_snapshot_changes_nothing_on_the_page(watched):
    now = scene("six-card", DEAL)
    assert watched(now, now) == [["data-snapshot of BODY in undefined"], 0]


def test_a_move_touches_and_reads_little(watched):
    touched, parsed = watched(scene("six-card", DEAL), scene("six-card", DEAL, "7S"))
    assert any("history" in each for each in touched)
    assert len(touched) < 40, touched
    assert parsed < 6_000
