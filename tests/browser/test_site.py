"""The site: the documents, and a simulated board in the browser, which needs no network at the second visit."""

import re
import shutil
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from companion.rules import GAMES
from docs.site.build import PYODIDE, build_try
from docs.site.documents import build_documents
from tests.support.waiting import PATIENCE_S

pytestmark = pytest.mark.long
PATIENCE_MS = 1000 * PATIENCE_S
MAX_FIRST_VISIT_BYTES = 15_000_000
STARTER, CRIB = "5H", ("7D", "8D", "JC", "AC")
FIRST, LATER = ("TH", "5S"), ("KD", "6C", "2S", "3C", "9H", "QS")
"""Blue leads: Red makes fifteen, thirty-one and the last card, then six in the hand and four in the crib; Blue four."""


class StaticServer:
    """Python's own server of files, which packs nothing and answers no request but for a file."""

    def __init__(self, folder):
        command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = re.search(r"http://\S+/", self._process.stdout.readline())[0]

    def close(self):
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    if not PYODIDE.is_dir() or not shutil.which("node"):
        pytest.skip("needs node and the package pyodide: make tests/node_modules/.done")
    folder = tmp_path_factory.mktemp("site")
    build_try(folder / "below/try")  # a site need not be at the root of its host
    return folder


@pytest.fixture
def server(site):
    server = StaticServer(site)
    yield server
    server.close()


@pytest.fixture
def visitor(browser):
    context = browser.new_context()
    context.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    yield context
    context.close()
    expect.set_options(timeout=5000)


def visit(visitor, url):
    """Open the site; return its page, and the table's page in it once that follows the table."""
    page = visitor.new_page()
    page.goto(url)
    table = page.frame_locator("iframe")
    table.locator("body[data-link=live]").wait_for()
    return page, table


def expect_scores(table, red, blue):
    expect(table.locator("[data-part=scores] .score")).to_have_text([str(red), str(blue)])


def wait_until_kept(page, table):
    """Wait until the browser has stored what the page shows."""
    snapshot = int(table.locator("body").get_attribute("data-snapshot"))
    page.wait_for_function("snapshot => Number(document.body.dataset.kept) >= snapshot", arg=snapshot)


def scan(table, card):
    """Scan a card, and wait until it is on the table."""
    table.locator(f"[data-part=deck] [data-card='{card}']").click()
    expect(table.locator(f"[data-part=deck] [data-card='{card}']")).to_contain_class("spent")


def touch_hole(table, hole):
    table.locator(f"[data-hole={hole}]").click(force=True)


def take_over(table):
    """Touch a peg while the demo plays, and undo what it has played."""
    expect(table.locator("body")).to_have_attribute("data-phase", "play")
    touch_hole(table, "blue-start-2")
    expect(table.locator(".hand-line button")).to_have_count(1)
    touch_hole(table, "blue-start-2")
    expect(table.locator(".hand-line button")).to_have_count(0)
    while table.locator("body").get_attribute("data-phase") != "cut":
        before = table.locator("body").get_attribute("data-snapshot")
        table.locator("[data-part=bar]").get_by_role("button", name="Undo").click()
        expect(table.locator("body")).not_to_have_attribute("data-snapshot", before)


def test_a_visitor_plays_a_deal_now_and_offline(site, server, visitor):
    """The deal is there again after a reload, at the next visit, and without a network."""
    assert sum(path.stat().st_size for path in site.rglob("*")) < MAX_FIRST_VISIT_BYTES
    url = server.url + "below/try/"
    page, table = visit(visitor, url)
    expect(page.locator("header")).to_contain_text(
        "This is the simulated board. Build one, or use your own board and a phone."
    )
    take_over(table)

    for card in (STARTER, *FIRST):
        scan(table, card)
    expect_scores(table, 2, 0)
    touch_hole(table, "red-2")
    expect(table.locator("[data-part=pegging]")).to_be_empty()
    table.locator("[data-part=bar]").get_by_role("button", name="Undo").click()
    expect_scores(table, 0, 0)
    scan(table, "5D")
    expect_scores(table, 2, 0)

    wait_until_kept(page, table)
    page.reload()
    table.locator("body[data-link=live]").wait_for()
    expect_scores(table, 2, 0)
    wait_until_kept(page, table)
    page.close()
    page, table = visit(visitor, url)
    for card in (*LATER, *CRIB[:-1]):
        scan(table, card)
    table.locator(f"[data-part=deck] [data-card='{CRIB[-1]}']").click()
    expect_scores(table, 15, 4)
    wait_until_kept(page, table)
    page.close()

    server.close()
    page, table = visit(visitor, url)
    expect_scores(table, 15, 4)
    touch_hole(table, "blue-4")
    expect(table.locator("[data-part=pegging]")).not_to_contain_text("Blue")
    expect(table.locator("[data-part=cables]")).to_be_hidden()
    table.get_by_role("link", name="To the table").click()
    expect(table.locator("[data-part=history]")).to_be_attached()  # of the phone's page only
    expect_scores(table, 15, 4)
    expect(table.locator("a[href='/invite']")).to_be_hidden()


BEGIN = """async (body) => (await fetch("/api/table", {
    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)})).status"""


def test_every_game_and_the_companion_play(server, visitor):
    page, table = visit(visitor, server.url + "below/try/")
    for game in GAMES:
        assert page.frames[1].evaluate(BEGIN, {"game": game.key}) == 201
        expect(table.locator("[data-part=title]")).to_have_text(game.title)
    against = {"game": "six-card", "against": {"seat": 1, "level": "expert"}}
    assert page.frames[1].evaluate(BEGIN, against) == 201
    expect(table.locator("[data-part=turn]")).to_have_text("Red chooses two cards for the crib.")


def test_a_browser_that_cannot_run_it_shows_pictures(server, visitor):
    page = visitor.new_page()
    page.add_init_script("delete WebAssembly.Suspending")
    page.goto(server.url + "below/try/")
    expect(page.get_by_role("alert")).to_contain_text("This browser cannot run the simulated board.")
    assert (
        page.evaluate("Promise.all([...document.images].map(each => each.decode())).then(() => document.images.length)")
        == 2
    )


@pytest.fixture(scope="module")
def documents(tmp_path_factory):
    folder = tmp_path_factory.mktemp("documents")
    build_documents(folder)  # raises for a link that leads nowhere
    return folder


@pytest.fixture
def reader(documents, browser):
    context = browser.new_context(viewport={"width": 390, "height": 800}, offline=True)
    page = context.new_page()
    page.goto((documents / "index.html").as_uri())
    yield page
    context.close()


def test_the_documents_are_searched_offline(reader, documents):
    reader.goto((documents / "search.html").as_uri() + "?q=sentinel")
    expect(reader.locator("#search-results li", has_text="2. A strip of ten holes")).to_have_count(1)


def test_the_first_page_leads_everywhere(reader, documents):
    assert (
        reader.get_by_role("link", name="Play on the simulated board in this browser").get_attribute("href") == "try/"
    )
    menu = {each.get_attribute("href") for each in reader.locator(".sidebar-tree a").all()}
    pages = {
        each.relative_to(documents).as_posix() for each in documents.rglob("*.html") if "_downloads" not in str(each)
    }
    assert pages - menu == {"index.html", "search.html", "genindex.html"}


@pytest.mark.parametrize("name", ["index", "docs/build/4-tile", "docs/reference/boards", "help/bases", "api"])
def test_a_page_fits_a_phone(reader, documents, name):
    reader.goto((documents / f"{name}.html").as_uri())
    assert reader.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_build_guide_prints_without_menus(reader, documents):
    reader.goto((documents / "docs/build/2-strip.html").as_uri())
    reader.emulate_media(media="print")
    expect(reader.get_by_role("heading", level=1)).to_be_visible()
    for part in (".sidebar-drawer", ".related-pages", ".headerlink", ".mobile-header"):
        assert not any(each.is_visible() for each in reader.locator(part).all())
