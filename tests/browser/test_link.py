"""The page shows the state of its connection and reconnects by itself."""

LINK = "document.body.dataset.link"
ASKED_MS = """performance.getEntriesByType("resource").filter(each => each.name.endsWith("/api/state"))
    .map(each => each.startTime)"""


def test_the_end_of_the_program_is_seen_and_so_is_its_return(stage, phone):
    phone.open(stage.url)
    port = stage.port
    stage.close()
    phone.wait_until(f"{LINK} !== 'live'", True)
    stage.show(run="another", number=1, scores=[7, 0])
    stage.open(port)
    phone.wait_until(LINK, "live")
    assert phone.visible_texts("[data-side='0'] [data-score]") == ["7"]
    assert phone.page.evaluate("document.body.dataset.role") == "player"


def test_without_a_free_stream_the_page_polls(stage, phone):
    stage.full = True
    phone.page.goto(stage.url)
    phone.wait_until(LINK, "polling")
    shown = stage.show(scores=[5, 0])
    phone.wait_until("document.body.dataset.snapshot", str(shown["number"]))
    stage.full = False
    phone.wait_until(LINK, "live")


def test_while_it_asks_it_asks_every_two_seconds(stage, phones):
    phone = phones(new=True)
    stage.full = True
    phone.page.goto(stage.url)
    phone.wait_until(LINK, "polling")
    phone.wait_until(f"{ASKED_MS}.length > 5", True)
    first, *_, sixth = phone.page.evaluate(ASKED_MS)[:6]
    assert sixth - first > 5500  # timers of a busy machine are late, never early


def test_a_refused_player_learns_that_he_only_watches(stage, phone):
    page = phone.open(stage.url)
    phone.wait_until("document.body.dataset.role", "player")
    stage.role, stage.refusal, stage.refused = "watcher", "Only players may move.", 403
    page.locator("[data-move=undo]").tap()
    phone.wait_until("document.body.dataset.role", "watcher")


def test_a_phone_that_was_not_told_its_role_asks_again(stage, phones):
    phone = phones(new=True)
    failed = []
    answer = lambda route: route.continue_() if failed else failed.append(route.abort())  # noqa: E731
    phone.page.route("**/api/me", answer)
    phone.page.goto(stage.url)
    phone.wait_until("document.body.dataset.role", "player")


def test_a_page_without_names_asks_until_it_has_them(stage, phones):
    phone = phones(new=True)
    refused = []
    answer = lambda route: route.continue_() if refused else refused.append(route.fulfill(status=503))  # noqa: E731
    phone.page.add_init_script("delete Navigator.prototype.serviceWorker")  # whose requests have no route
    phone.page.route("**/api/constants", answer)
    phone.open(stage.url, stage.show(scores=[5, 0]))
    assert (len(refused), phone.visible_texts("[data-side='0'] [data-score]")) == (1, ["5"])
