"""The pages' files: asked for once, compressed, and again only when one of them has changed."""

import gzip
import re
import shutil
from pathlib import Path

import pytest

from companion.server import app as served
from companion.server.pages import Pages

WEB = Path(__file__).parents[2] / "web"
NAMED = re.compile(r'(?:href|src)="(/web/[^"]+)"')
IMPORTED = re.compile(r'(?:from|import) "([^"]+)"')


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of the pages, to be edited."""
    copy = tmp_path / "web"
    shutil.copytree(WEB, copy)
    monkeypatch.setattr(served, "folder", lambda _: copy)
    return copy


def version(page):
    (found,) = {address.split("/")[2] for address in NAMED.findall(page)}
    return found


def test_whatever_a_page_names_is_kept_for_ever(bench):
    for path in ("/", "/bench"):
        named = NAMED.findall(bench.get(path).text)
        assert len(named) > 30
        for address in named:
            reply = bench.get(address, headers={"Accept-Encoding": "gzip"})
            assert (address, reply.status_code) == (address, 200)
            assert reply.headers["Cache-Control"] == "public, max-age=31536000, immutable"
            assert reply.headers["Vary"] == "Accept-Encoding"
            text = gzip.decompress(reply.data) if "Content-Encoding" in reply.headers else reply.data
            assert text == (WEB / address.split("/", 3)[3]).read_bytes()
            mark = {"If-None-Match": reply.headers["ETag"], "Accept-Encoding": "gzip"}
            assert bench.get(address, headers=mark).status_code == 304


def test_the_page_itself_is_asked_for_each_time(watcher):
    page = watcher.get("/")
    assert page.headers["Cache-Control"] == "no-cache"
    assert watcher.get("/", headers={"If-None-Match": page.headers["ETag"]}).status_code == 304


def test_every_module_is_named_in_the_page_before_it_is_needed(bench):
    """So no module is found only when another has come; and none by an address that is not kept."""
    for path in ("/", "/bench"):
        page = bench.get(path).text
        preloaded = re.findall(r'<link rel="modulepreload" href="([^"]+)">', page)
        (script,) = re.findall(r'<script type="module" src="([^"]+)"', page)
        assert len(set(preloaded)) == len(preloaded)
        asked = set()
        for address in [script, *preloaded]:
            text = bench.get(address).text
            assert "/web/" not in "".join(IMPORTED.findall(text))
            asked |= {str((Path(address).parent / name).resolve()) for name in IMPORTED.findall(text)}
        assert asked == set(preloaded)


def test_files_are_sent_compressed_to_who_can_read_that(watcher):
    plain = watcher.get("/web/words.js")
    packed = watcher.get("/web/words.js", headers={"Accept-Encoding": "gzip, br"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["ETag"] != plain.headers["ETag"]
    whole = [path for path in WEB.rglob("*") if path.is_file()]
    sent = sum(len(gzip.compress(path.read_bytes())) for path in whole)
    assert sent < 0.6 * sum(path.stat().st_size for path in whole)


def test_an_edited_file_is_a_new_address_at_the_next_load(folder, watcher):
    before = version(watcher.get("/").text)
    assert version(watcher.get("/").text) == before
    (folder / "words.js").write_text("// edited", "utf-8")
    after = version(watcher.get("/").text)
    assert after != before
    assert watcher.get(f"/web/{after}/words.js").text == "// edited"


def test_a_page_from_before_an_update_still_finds_its_files_but_does_not_keep_them(watcher):
    for address in ("/web/0123456789abcdef/words.js", "/web/words.js"):
        reply = watcher.get(address)
        assert (reply.status_code, reply.headers["Cache-Control"]) == (200, "no-cache")
    for address in ("/web/0123456789abcdef/nothing.js", "/web/0123456789abcdef/", "/web/index.html"):
        assert watcher.get(address).status_code == 404


def test_what_is_no_file_of_a_page_is_not_sent(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "index.html").write_text('<script type="module" src="/web/a.js"></script>')
    (tmp_path / "a.js").write_text('import "./parts/b.js";\nexport * from "./a.js";\nimport "./missing.js";')
    (tmp_path / "parts" / "b.js").write_text('import { a } from "../a.js";')
    (tmp_path / "notes.txt").write_text("secret")
    pages = Pages(tmp_path)
    assert pages.file("notes.txt")[0] is None
    page = pages.page("index.html").plain.decode()
    hashed = version(page)
    assert page == (
        f'<link rel="modulepreload" href="/web/{hashed}/parts/b.js">\n'
        f'<script type="module" src="/web/{hashed}/a.js"></script>'
    )
    assert pages.file(f"{hashed}/parts/b.js")[1]
