"""axe finds no problem in any scene, on small and large screens, in light and dark mode."""

import pytest

from tests.browser.scenes import SCENES
from tests.browser.test_looks import UNFOLD

pytestmark = pytest.mark.long

LOOKS = [(320, 568, "light"), (390, 844, "dark"), (1280, 800, "light")]


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_axe_finds_nothing_in_any_moment(stage, phones, look):
    width, height, scheme = look
    phone = phones(width, height, color_scheme=scheme, reduced_motion="reduce")
    page = phone.open(stage.url)
    phone.wait_until("document.body.dataset.role", "player")
    found = {}
    for name, scene in SCENES.items():
        phone.wait_for_snapshot(stage.show(**scene))
        page.evaluate(UNFOLD)
        if grave := phone.find_faults(but_small=False):
            found[name] = grave
    assert found == {}
    assert len(SCENES) * len(LOOKS) >= 60
