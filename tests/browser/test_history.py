"""The list of moves is that of the journal: complete on every page, even after missed snapshots."""

import pytest

LIST = "[...document.querySelectorAll('[data-history] .what')].map(el => el.textContent)"
PLAYED = ["Blue played the 10 of hearts.", "The 5 of diamonds was cut."]


@pytest.fixture
def table(program, phones):
    """A phone at a table where two cards were scanned."""
    phone = phones()
    phone.open(program.players)
    phone.wait_until("document.body.dataset.role", "player")
    shown(phone, program, "5D", "TH")
    phone.open_history()
    phone.wait_until(LIST, PLAYED)
    return program, phone


def made(phone, program, **move):
    reply = phone.page.request.post(f"{program.watchers}api/moves", data=move)
    assert reply.status == 201, reply.text()
    return reply.json()


def shown(phone, program, *cards):
    for card in cards:
        made(phone, program, type="card", card=card)


def test_it_is_whole_after_a_reload(table):
    _, phone = table
    phone.page.reload()
    phone.open_history()
    phone.wait_until(LIST, PLAYED)


def test_it_is_asked_for_only_while_it_is_open(table):
    program, phone = table
    asked = []
    phone.page.on("request", lambda request: "/api/history" in request.url and asked.append(request.url))
    phone.open_history()
    shown(phone, program, "5H")
    phone.wait_for_text("[data-count]", "15")
    assert (phone.visible_texts("[data-history]"), asked) == ([], [])
    phone.open_history()
    phone.wait_until(LIST, ["Red played the 5 of hearts.", *PLAYED])
    assert len(asked) == 1


def test_it_is_whole_on_a_second_phone(table, phones):
    program, _ = table
    second = phones(1280, 800)  # a wide page shows it beside the board
    second.open(program.watchers)
    second.wait_until(LIST, PLAYED)


def test_it_is_whole_after_a_restart(table):
    program, phone = table
    program.end()
    phone.wait_until("document.body.dataset.link !== 'live'", True)
    program.start()
    phone.wait_until("document.body.dataset.link", "live")
    shown(phone, program, "5H")
    phone.wait_until(LIST, ["Red played the 5 of hearts.", *PLAYED])
    phone.page.reload()
    phone.open_history()
    phone.wait_until(LIST, ["Red played the 5 of hearts.", *PLAYED])


def test_it_is_whole_after_missed_snapshots_and_what_was_taken_back_is_gone(table, phones):
    program, phone = table
    other = phones(1280, 800)
    other.open(program.players)
    phone.page.context.set_offline(True)
    phone.wait_until("document.body.dataset.link", "lost")
    made(other, program, type="undo")
    shown(other, program, "JS", "5H", "6S")
    phone.page.context.set_offline(False)
    now = ["Blue played the 6 of spades.", "Red played the 5 of hearts.", "Blue played the jack of spades.", PLAYED[1]]
    phone.wait_until(LIST, now)
    other.wait_until(LIST, now)


def test_what_is_taken_back_goes_and_only_what_is_new_is_asked_for(table):
    program, phone = table
    asked = []
    phone.page.on("request", lambda request: "/api/history" in request.url and asked.append(request.url.split("?")[1:]))
    shown(phone, program, "5H")
    phone.wait_until(LIST, ["Red played the 5 of hearts.", *PLAYED])
    made(phone, program, type="undo")
    phone.wait_until(LIST, PLAYED)
    assert [len(query) for query in asked] == [1, 1, 0]  # after an undo alone the whole
    made(phone, program, type="undo")
    made(phone, program, type="undo")
    phone.wait_until(LIST, [])
