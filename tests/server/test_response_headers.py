"""Headers and messages of all kinds of replies, which must not reveal files of this machine."""

import gzip
import http.client
import re
from pathlib import Path

import pytest

from tests.support.waiting import PATIENCE_S

CSP = "default-src 'self'; base-uri 'none'; frame-ancestors 'none'"
WEB = Path(__file__).parents[2] / "web"
TRAVERSALS = [
    "/web/../companion/cli.py", "/web/..%2fcompanion/cli.py", "/web/%2e%2e/README.md", "/web/%2e%2e%2fREADME.md",
    "/web//etc/passwd", "/web/%2fetc/passwd", "/web/%00", "/web/pages/phone/phone.js%00",
    "/web/", "/web",
    "/../README.md", "/.git/config", "/journal.key", "/web/./../../README.md", "/static/page.js",
    "/web/%ff", "/web/" + "a" * 5000, "/web/" + "a/" * 900, "/join/", "/join",
]  # fmt: skip


def every_kind(bench_app, bench):
    """Yield a reply of each kind with a description of its request."""
    gets = (
        "/", "/bench", "/api/state", "/api/me", "/api/openapi.json", "/api/board", "/api/bench/holes",
        "/api/bench/lights", "/web/pages/phone/phone.js", "/nothing", "/join/wrong", "/api/moves",
    )  # fmt: skip
    asked = [("GET", path, {}) for path in gets]
    asked += [("GET", "/api/state", {"Host": "evil.example"}), ("DELETE", "/api/moves", {}), ("POST", "/", {})]
    asked += [("OPTIONS", "/api/moves", {}), ("HEAD", "/", {}), ("HEAD", "/api/state", {}), ("HEAD", "/api/stream", {})]
    asked += [("POST", "/api/moves", {"Origin": "null"}), ("POST", "/api/moves", {})]
    for method, path, headers in asked:
        with bench.open(path, method=method, headers=headers) as reply:
            yield f"{method} {path} {headers}", reply
    for body in (b"{", b'{"type":"next"}', b'{"type":"starter","card":"5D"}', b" " * 20_000):
        yield f"move {body[:20]!r}", bench.post("/api/moves", data=body, content_type="application/json")
    yield "bench", bench.post("/api/bench/scan", json={"card": "5D"})
    yield "not a player's", bench_app.test_client().post("/api/moves", json={"type": "next"})


def test_no_reply_is_to_be_sniffed(bench_app, bench):
    kinds = list(every_kind(bench_app, bench))
    assert {reply.status_code for _, reply in kinds} >= {200, 201, 202, 400, 403, 404, 405, 409, 413, 415, 421}
    for asked, reply in kinds:
        assert (asked, reply.headers.getlist("X-Content-Type-Options")) == (asked, ["nosniff"])


def test_pages_have_a_security_policy_and_no_referrer(bench):
    for path in ("/", "/bench"):
        with bench.get(path) as reply:
            assert (path, reply.mimetype) == (path, "text/html")
            assert reply.headers.getlist("Content-Security-Policy") == [CSP]
            assert reply.headers.getlist("Referrer-Policy") == ["no-referrer"]


def test_every_refusal_is_a_sentence_as_json(bench_app, bench):
    refused = [(asked, r) for asked, r in every_kind(bench_app, bench) if r.status_code >= 400]
    assert len(refused) > 10
    for asked, reply in refused:
        if asked.startswith(("GET /nothing", "GET /join")):
            assert (asked, reply.mimetype) == (asked, "text/html")  # a person reads it
            continue
        assert (asked, reply.mimetype) == (asked, "application/json")
        assert list(reply.json) == ["error"]
        assert re.fullmatch(r"[A-Z].{5,300}\.", reply.json["error"])


def test_no_reply_names_a_file_of_this_machine(bench_app, bench, tmp_path):
    for asked, reply in every_kind(bench_app, bench):
        told = str(reply.headers) + ("" if reply.mimetype in ("text/html", "text/javascript") else reply.text)
        for secret in (str(tmp_path), str(WEB.parent), "Traceback", ".py", "site-packages"):
            assert secret not in told, asked


def test_traversal_over_the_wire_finds_nothing(phone, watcher):
    assert watcher.get("/web/..\\README.md").status_code == 404
    for path in TRAVERSALS:
        status, headers, _ = phone.ask("GET", path)
        assert (path, status) == (path, 404)
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_every_page_file_has_its_type(watcher):
    kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
    files = [path for path in WEB.rglob("*") if path.suffix in kinds]
    assert files
    for path in files:
        with watcher.get(f"/web/{path.relative_to(WEB).as_posix()}") as reply:
            assert (path.name, reply.status_code, reply.mimetype) == (path.name, 200, kinds[path.suffix])
            assert reply.data == path.read_bytes()


def test_unknown_paths_and_methods_are_refused(player):
    for method, path, code in (
        ("GET", "/nothing", 404),
        ("GET", "/bench", 404),  # the devices of this table are real
        ("GET", "/api/bench/holes", 404),
        ("GET", "/api/state/", 404),
        ("GET", "/api/moves", 405),
        ("DELETE", "/", 405),
    ):
        reply = player.open(path, method=method)
        assert (path, reply.status_code) == (path, code)
    assert set(player.get("/api/moves").headers["Allow"].split(", ")) == {"POST", "OPTIONS"}
    assert player.post("/api/bench/scan", json={"card": "5D"}).status_code == 404


def test_head_and_options_have_no_body(player, table):
    number = table.snapshot.number
    for path in ("/", "/api/state", "/api/me", "/api/stream", "/api/openapi.json"):
        with player.head(path) as reply:
            assert (path, reply.status_code, reply.data) == (path, 200, b"")
        reply = player.options(path)
        assert (path, reply.status_code, reply.data) == (path, 200, b"")
        assert "GET" in reply.headers["Allow"]
    assert table.snapshot.number == number


def test_a_streams_head_holds_no_place(phone):
    for _ in range(40):
        status, headers, body = phone.ask("HEAD", "/api/stream")
        assert (status, body) == (200, b"")
        assert headers["Content-Type"].startswith("text/event-stream")
    status, _, _ = phone.ask("GET", "/api/state")
    assert status == 200


@pytest.mark.parametrize("path", ["/api/state", "/api/me", "/api/nothing"])
def test_no_api_reply_is_stored(watcher, path):
    assert watcher.get(path).headers.get("Cache-Control") == "no-store"


@pytest.mark.parametrize("path", ["/api/board", "/api/history", "/api/openapi.json"])
def test_rarely_changing_replies_have_etags(watcher, path):
    plain, packed = watcher.get(path), watcher.get(path, headers={"Accept-Encoding": "br, gzip"})
    assert (plain.headers["Cache-Control"], plain.headers["Vary"]) == ("no-cache", "Accept-Encoding")
    if "Content-Encoding" in packed.headers:
        assert (packed.headers["Content-Encoding"], gzip.decompress(packed.data)) == ("gzip", plain.data)
        assert packed.headers["ETag"] != plain.headers["ETag"]
        assert len(packed.data) < len(plain.data) / 2
    else:
        assert len(plain.data) < 500
    for reply, wants in ((plain, {}), (packed, {"Accept-Encoding": "gzip"})):
        again = watcher.get(path, headers={"If-None-Match": reply.headers["ETag"], **wants})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["X-Content-Type-Options"] == "nosniff"
    assert "Content-Encoding" not in watcher.get(path, headers={"Accept-Encoding": "gzip;q=0"}).headers


def test_one_connection_serves_many_requests(serving, phone):
    line = http.client.HTTPConnection("127.0.0.1", serving.port, timeout=PATIENCE_S)
    for path in ("/api/state", "/nothing", "/web/%00", "/api/me", "/api/state"):
        line.request("GET", path)
        reply = line.getresponse()
        assert reply.read()
        assert not reply.will_close
    line.close()
