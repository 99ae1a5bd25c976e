"""The first page of a table at which nobody has moved: it asks how to play, and shows nothing else."""

import pytest

NEEDED = """document.querySelector('.first-choice').getBoundingClientRect().bottom
    + document.querySelector('.foot').getBoundingClientRect().height"""


@pytest.mark.parametrize("size", [(390, 844), (1280, 800), (844, 390), (320, 568)])
def test_nothing_lies_below_the_first_question(program, phones, size):
    """The page ends with its bar, and scrolls only if the question does not fit; the cards can be opened from there."""
    phone = phones(*size)
    page = phone.open(program.players)
    phone.wait_until("document.querySelector('.first-choice').hidden", False)
    assert page.evaluate("document.documentElement.scrollHeight") <= max(size[1], page.evaluate(NEEDED) + 24)
    assert phone.visible_texts("[data-score]") == []
    assert len(phone.visible_texts("[data-move=undo]")) == 1
    page.locator("[data-open=cards]").tap()
    page.locator("[data-card='5D']").tap()
    phone.wait_until("document.body.dataset.phase", "play")
    assert phone.visible_texts("[data-score]") == ["0", "0"]
