"""Names of players and the board of a stranger's pack are texts on every page, never elements."""

import pytest

from companion.common.paths import resource_folder

pytestmark = pytest.mark.browser

NAMES = "<u class=evil>x</u>", '" class=evil a="'
POST = """([path, body]) => fetch(path, {method: "POST", headers: {"Content-Type": "application/json"},
  body: JSON.stringify(body)}).then(reply => reply.status)"""
IS_SHOWN = "document.body.innerText.includes('class=evil')"


@pytest.fixture
def hostile_board(tmp_path):
    """A pack with the short board, its tracks named like elements."""
    holes, _, _ = (resource_folder("hardware/boards") / "classic-61.toml").read_text("utf-8").partition("[wiring]")
    for colour, name in zip(("red", "blue"), NAMES, strict=True):
        holes = holes.replace(f'"{colour}"', f"'{name}'")
    file = tmp_path / "companion" / "packs" / "evil" / "board.toml"
    file.parent.mkdir(parents=True)
    file.write_text(holes, "utf-8")


def test_names_like_elements_are_texts_on_every_page(hostile_board, programs, phones):
    program, phone = programs("--board", "evil", "--option", "target=61"), phones(1280, 800)
    page = phone.open(program.players)
    for seat, name in enumerate(NAMES):
        assert page.evaluate(POST, ["/api/players", {"seat": seat, "name": name}]) == 201
    assert page.evaluate(POST, ["/api/moves", {"type": "starter", "card": "JD"}]) == 201
    assert page.evaluate(POST, ["/api/moves", {"type": "adjust", "seat": 0, "points": 61}]) == 201
    for path in ("", "?seat=1", "tv", "bench", "evening", "review"):
        page.goto(program.watchers + path)
        phone.until(IS_SHOWN, True)
        assert page.locator(".evil").count() == 0, path
