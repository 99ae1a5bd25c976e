"""The list of player phones: only players see it, and two taps end one."""

SUMMARY = ".phones summary"


def test_a_player_ends_another_phone_with_two_taps(program, phones):
    ann, bob = phones(390, 844, new=True), phones(390, 844, new=True)
    ann.open(program.players)
    bob.open(program.players)
    ann.open_menu(SUMMARY)
    ann.wait_until("document.querySelectorAll('.phones li').length >= 2", True)
    (button,) = ann.page.locator(".phones li:not(:has-text('this one')) button").all()[:1]
    button.tap()
    ann.wait_for_count(".phones [aria-pressed=true]", 1)
    assert bob.page.evaluate("fetch('/api/me').then(reply => reply.json()).then(me => me.role)") == "player"
    ann.page.locator(".phones [aria-pressed=true]").tap()
    bob.wait_until("fetch('/api/me').then(reply => reply.json()).then(me => me.role)", "watcher")
    assert ann.page.evaluate("document.body.dataset.role") == "player"
    bob.wait_until("document.body.dataset.role", "watcher")
    bob.wait_until("document.body.dataset.link", "live")


def test_new_links_make_other_phones_watchers_without_a_tap(program, phones):
    ann, bob = phones(390, 844, new=True), phones(390, 844, new=True)
    ann.open(program.players)
    bob.open(program.players)
    bob.wait_until("document.body.dataset.role", "player")
    headers = '{"Content-Type": "application/json"}'
    ann.page.evaluate(f"fetch('/api/invite/renew', {{method: 'POST', headers: {headers}, body: '{{}}'}})")
    bob.wait_until("document.body.dataset.role", "watcher")
    bob.wait_until("document.body.dataset.link", "live")
    assert ann.page.evaluate("document.body.dataset.role") == "player"


def test_a_watcher_sees_no_list(program, phones):
    watcher = phones(390, 844, new=True)
    watcher.open(program.watchers)
    watcher.open_menu()
    assert not watcher.page.locator(SUMMARY).is_visible()
