"""A whole deal at a real table by taps and clicks, with a restart of the program in between."""

PLAY = ["5H", "TH", "5S", "KS", "AD", "4C", "7C", "6S"]
CRIB = ["2H", "3H", "9C", "QD"]
NOW = "fetch('/api/state').then(reply => reply.json())"


def scores(phone):
    return phone.page.locator("[data-side] [data-score]").all_text_contents()


def test_a_whole_deal_by_taps_pegged_by_clicks_and_resumed(program, phones):
    phone, bench = phones(), phones(1280, 800)
    page = phone.open(program.players)
    page.locator("[data-open=cards]").tap()
    for moves, card in enumerate(["5D", *PLAY], start=1):
        page.locator(f"button[data-card='{card}']").tap()
        phone.wait_until(f"{NOW}.then(now => now.moves)", moves)
    phone.wait_for_text("[data-turn]", "Red turns up the crib.")
    assert scores(phone) == ["12", "10"]

    for lying, card in enumerate(CRIB[:3], start=1):
        page.locator(f"button[data-card='{card}']").tap()
        phone.wait_for_text("[data-turn]", f"Red turns up the crib: {lying} of 4.")
    program.end()
    phone.wait_until("document.body.dataset.link !== 'live'", True)
    program.start()
    phone.wait_until("document.body.dataset.link", "live")
    phone.wait_until("document.body.dataset.role", "player")
    page.locator(f"button[data-card='{CRIB[3]}']").tap()
    phone.wait_until("document.body.dataset.phase", "between")
    assert scores(phone) == ["16", "10"]
    assert phone.visible_texts("[data-turn]") == ["Blue deals next."]
    phone.open_history()
    phone.wait_for_count("[data-part=history] li", 10)

    bench.page.request.get(program.players)
    page = bench.open(program.watchers + "bench")
    bench.wait_for_count(".pegs .peg", 4)
    for left in (1, 0):
        due = page.evaluate(f"{NOW}.then(now => now.dues)")[0]
        for hole in (due["lift"], due["place"]):
            page.locator(f"[data-hole='{hole}']").click(force=True)
        bench.wait_for_count("[data-due]", left)
    assert {peg["front"] for peg in page.evaluate(f"{NOW}.then(now => now.pegs)")} == {"red-16", "blue-10"}

    page.locator("[data-move=undo]").click()
    bench.wait_until("document.body.dataset.phase", "crib")
    assert scores(bench) == ["12", "10"]
    assert bench.visible_texts("[data-due]") == ["−4\nRed: front peg back to 12."]


def test_a_peg_put_too_far_is_shown_its_place(program, phones):
    phone = phones(1280, 800)
    phone.page.request.get(program.players)
    page = phone.open(program.watchers + "bench")
    for moves, card in enumerate(["5D", "5H", "TH"], start=1):
        page.locator(f"button[data-card='{card}']").tap()
        phone.wait_until(f"{NOW}.then(now => now.moves)", moves)
    phone.wait_for_count(".pegs .peg", 4)
    page.locator("[data-hole=red-start-2]").click(force=True)
    page.locator("[data-hole=red-3]").click(force=True)
    phone.wait_for_text(
        "[data-kind=over_pegged]",
        "Red pegged 3, the count is 2 (fifteen two).",
    )
    assert page.locator("[data-sign=wrong]").count() == 1
    page.locator("[data-hole=red-3]").click(force=True)
    page.locator("[data-hole=red-2]").click(force=True)
    phone.wait_for_count("[data-due], [data-kind]", 0)
    assert phone.complaints == []
