"""Names of players are texts on every page, never elements."""

NAMES = "<u class=evil>x</u>", '" class=evil a="'
POST = """([path, body]) => fetch(path, {method: "POST", headers: {"Content-Type": "application/json"},
  body: JSON.stringify(body)}).then(reply => reply.status)"""
IS_SHOWN = "document.body.innerText.includes('class=evil')"


def test_names_like_elements_are_texts_on_every_page(program, phones):
    phone = phones(1280, 800)
    page = phone.open(program.players)
    for seat, name in enumerate(NAMES):
        assert page.evaluate(POST, ["/api/players", {"seat": seat, "name": name}]) == 201
    assert page.evaluate(POST, ["/api/moves", {"type": "starter", "card": "JD"}]) == 201
    assert page.evaluate(POST, ["/api/moves", {"type": "adjust", "seat": 0, "points": 121}]) == 201
    for path in ("", "?seat=1", "tv", "bench", "evening", "review"):
        page.goto(program.watchers + path)
        phone.wait_until(IS_SHOWN, True)
        assert page.locator(".evil").count() == 0, path
