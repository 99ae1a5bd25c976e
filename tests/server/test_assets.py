"""Static files: cached, compressed, bundled, and requested again only after a change."""

import gzip
import re
import shutil
from pathlib import Path

import pytest

from companion.http import bundler
from companion.http.assets import Assets
from companion.server import app as served

WEB = Path(__file__).parents[2] / "web"
NAMED = re.compile(r'(?:href|src)="(/web/[^"]+)"')
PAGE = '{% set page_script = "a.js" %}<script type="module" src="{{ script(page_script) }}"></script>'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a copy of the folder `web` that a test may change."""
    copy = tmp_path / "web"
    shutil.copytree(WEB, copy)
    monkeypatch.setattr(served, "resource_folder", lambda _: copy)
    return copy


def version(page):
    (found,) = {address.split("/")[2] for address in NAMED.findall(page)}
    return found


def test_whatever_a_page_names_is_kept_for_ever(bench):
    for path in ("/", "/bench"):
        named = NAMED.findall(bench.get(path).text)
        assert len(named) <= 4  # its icon, its manifest, its styles, its script
        for address in named:
            reply = bench.get(address, headers={"Accept-Encoding": "gzip"})
            assert (address, reply.status_code) == (address, 200)
            assert reply.headers["Cache-Control"] == "public, max-age=31536000, immutable"
            assert reply.headers["Vary"] == "Accept-Encoding"
            text = gzip.decompress(reply.data) if "Content-Encoding" in reply.headers else reply.data
            if ".joined." not in address:
                assert text == (WEB / address.split("/", 3)[3]).read_bytes()
            mark = {"If-None-Match": reply.headers["ETag"], "Accept-Encoding": "gzip"}
            assert bench.get(address, headers=mark).status_code == 304


def test_a_pages_modules_are_sent_as_one_file(bench):
    """Each file is also available under its own name."""
    for path, least in (("/", 40), ("/bench", 40)):
        page = bench.get(path).text
        (script,) = re.findall(r'<script type="module" src="([^"]+)"', page)
        (styles,) = re.findall(r'<link rel="stylesheet" href="([^"]+)"', page)
        joined = bench.get(script).text
        assert joined.count(" = (() => {\n") > least
        assert not re.search(r"^(import|export) ", joined, re.MULTILINE)
        assert ".plate" in bench.get(styles).text


def test_files_are_sent_compressed_if_accepted(watcher):
    plain = watcher.get("/web/core/format.js")
    packed = watcher.get("/web/core/format.js", headers={"Accept-Encoding": "gzip, br"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["ETag"] != plain.headers["ETag"]
    whole = [path for path in WEB.rglob("*") if path.is_file()]
    sent = sum(len(gzip.compress(path.read_bytes())) for path in whole)
    assert sent < 0.6 * sum(path.stat().st_size for path in whole)


def test_an_edited_file_has_a_new_address(folder, watcher):
    before = version(watcher.get("/").text)
    assert version(watcher.get("/").text) == before
    (folder / "core/format.js").write_text("// edited", "utf-8")
    after = version(watcher.get("/").text)
    assert after != before
    assert watcher.get(f"/web/{after}/core/format.js").text == "// edited"


def test_an_old_page_still_finds_its_files(watcher):
    for address in ("/web/0123456789abcdef/core/format.js", "/web/core/format.js"):
        reply = watcher.get(address)
        assert (reply.status_code, reply.headers["Cache-Control"]) == (200, "no-cache")
    for address in ("/web/0123456789abcdef/nothing.js", "/web/0123456789abcdef/", "/web/pages/phone/phone.html"):
        assert watcher.get(address).status_code == 404


def test_files_outside_the_pages_are_not_sent(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "a.js").write_text('import { b as c } from "./parts/b.js";\n// A comment.\nc("https://a//b"); // why\n')
    (tmp_path / "parts" / "b.js").write_text("export function b() {}\n")
    (tmp_path / "notes.txt").write_text("secret")
    pages = Assets(tmp_path)
    assert pages.get_file("notes.txt")[0] is None
    page = pages.get_page("index.html").content.decode()
    hashed = version(page)
    assert page == f'<script type="module" src="/web/{hashed}/a.joined.js"></script>'
    joined, for_ever = pages.get_file(f"{hashed}/a.joined.js")
    assert for_ever
    assert joined.content.decode() == (
        '"use strict";\nconst m0 = (() => {\nfunction b() {}\nreturn { b };\n})();\n'
        'const m1 = (() => {\nconst { b: c } = m0;\nc("https://a//b");\nreturn {  };\n})();\n'
    )


def test_styles_are_joined_without_comments_and_blanks():
    texts = {
        "a.css": "/* Why. */\na b:hover, c > d {\n  margin: 0 1px;\n}\n",
        "b.css": 'e::before { content: "1 / 2"; }\n',
    }
    joined = 'a b:hover,c > d{margin:0 1px;}e::before{content:"1 / 2";}'
    assert bundler.bundle_styles(texts, ["a.css", "b.css"]) == joined


def test_a_late_module_brings_only_what_is_new(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "a.js").write_text('import { b } from "./parts/b.js";\nb(() => import("./parts/late.js"));\n')
    (tmp_path / "parts" / "b.js").write_text("export function b() {}\n")
    (tmp_path / "parts" / "c.js").write_text('export const c = ("Only later");\n')
    late = 'import { b } from "./b.js";\nimport { c } from "./c.js";\nexport const d = /** @type {any} */ (b(c));\n'
    (tmp_path / "parts" / "late.js").write_text(late)
    pages = Assets(tmp_path)
    at_once, later = (pages.get_file(name)[0].content.decode() for name in ("a.joined.js", "parts/late.for-a.js"))
    assert 'b(() => import("./parts/late.for-a.js"));' in at_once
    assert at_once.endswith("globalThis.joined = [m0, m1];\n")
    assert later == (
        "const [m0, m1] = globalThis.joined;\n"
        'const late0 = (() => {\nconst c = ("Only later");\nreturn { c };\n})();\n'
        "const late1 = (() => {\nconst { b } = m0;\nconst { c } = late0;\nconst d = (b(c));\nreturn { d };\n})();\n"
        "export const { d } = late1;\n"
    )
    words = {"Only later": ("Erst dann",), "Elsewhere": ("Anderswo",)}
    assert pages.filter_words(words, "a") == {}
    assert pages.filter_words(words, "unknown") == {"Only later": ("Erst dann",)}


@pytest.mark.parametrize(
    "module", ["export default 1;\n", 'import * as all from "./b.js";\n', 'export * from "./b.js";\n']
)
def test_an_import_that_cannot_be_joined_is_named(module):
    with pytest.raises(bundler.BundleError, match=r"a\.js: (import|export)"):
        bundler.bundle_script({"a.js": module, "b.js": ""}, "a.js")
