"""Invitations: links for each audience, QR codes, and renewed links."""

import re

import pytest

from companion.http.permissions import load_key
from companion.server import JoinInfo
from companion.table.game_switcher import GameSwitcher
from tests.server.conftest import KEY, create_table_app, join_table

HERE = ("http://192.0.2.7:8123/", "http://board.local:8123/")


@pytest.fixture
def app(table, tmp_path):
    path = tmp_path / "journal.key"
    path.write_text(KEY)
    info = JoinInfo(path, lambda: HERE)
    return create_table_app(GameSwitcher(table), how_to_join="Ask.", join_info=info)


def test_a_player_gets_the_tables_addresses(player):
    told = player.get("/api/invite").json
    assert (told["player"], told["watcher"], told["tv"]) == (f"{HERE[0]}join/{KEY}", HERE[0], f"{HERE[0]}tv")
    assert [each["watcher"] for each in told["others"]] == [HERE[1]]
    by_number = "http://192.0.2.9"
    player.get(f"/join/{KEY}", base_url=by_number)
    by_name = player.get("/api/invite", base_url=by_number).json
    assert by_name["watcher"] == "http://192.0.2.9/"
    assert len(by_name["others"]) == 2


def test_the_key_is_for_players_alone(app):
    watcher = app.test_client()
    for path, code in (
        ("", 403), (".svg?for=player", 403), (".svg", 403), (".svg?for=watcher", 200), (".svg?for=tv", 200),
        (".svg?for=dog", 400),
    ):  # fmt: skip
        assert (path, watcher.get(f"/api/invite{path}").status_code) == (path, code)
    assert watcher.post("/api/invite/renew", json={}).status_code == 403


def test_another_tables_invitation_is_for_players_alone(table):
    link = "cribbage://home/ann#AAECAwQFBgcICQoLDA0ODw"
    info = JoinInfo(None, lambda: HERE, None, lambda: link)
    app = create_table_app(GameSwitcher(table), join_info=info)
    watcher = app.test_client()
    for path in ("/api/invite", "/api/invite.svg?for=table"):
        assert watcher.get(path).status_code == 403
        assert link not in watcher.get(path).text
    player = join_table(app.test_client())
    assert player.get("/api/invite").json["table"] == link
    assert player.get("/api/invite.svg?for=table").text.count("<path") >= 1


def test_a_table_without_invitations_has_no_code(player):
    assert "table" not in player.get("/api/invite").json
    assert player.get("/api/invite.svg?for=table").status_code == 404


def test_a_code_needs_no_style(player):
    code = player.get("/api/invite.svg?for=player")
    assert (code.mimetype, code.headers["Cache-Control"]) == ("image/svg+xml", "no-store")
    assert code.text.count("<path") >= 1
    assert not re.search(r"style|script|href", code.text)
    assert code.text != player.get("/api/invite.svg?for=watcher").text


def test_renewed_links_leave_only_the_phone_that_asked(app, tmp_path):
    host, guest = join_table(app.test_client()), join_table(app.test_client())
    told = host.post("/api/invite/renew", json={})
    assert told.status_code == 200
    new = told.json["player"].rpartition("/")[2]
    assert new != KEY
    assert load_key(tmp_path / "journal.key") == new
    assert (host.get("/api/me").json["role"], guest.get("/api/me").json["role"]) == ("player", "watcher")
    assert guest.get(f"/join/{KEY}").status_code == 403
    assert guest.get(f"/join/{new}").status_code == 303
    assert guest.get("/api/me").json["role"] == "player"


def test_a_key_that_cannot_be_saved_stays(app, monkeypatch):
    host, guest = join_table(app.test_client()), join_table(app.test_client())

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("companion.http.permissions.write_private_file", full)
    assert host.post("/api/invite/renew", json={}).status_code == 409
    assert guest.get("/api/me").json["role"] == "player"
    assert host.get("/api/invite").json["player"].endswith(KEY)


@pytest.mark.parametrize(
    ("address", "code"), [("/join/wrong", 403), ("/nothing", 404), ("/join/", 404), ("/.git/config", 404)]
)
def test_a_wrong_link_gets_a_page_that_helps(watcher, address, code):
    page = watcher.get(address)
    assert (page.status_code, page.mimetype) == (code, "text/html")
    assert '<html lang="en">' in page.text
    assert page.text.count("<main") == page.text.count("<h1>") == 1
    assert '<a href="/">' in page.text
    assert "<h2>To play</h2>\n    <p>Ask.</p>" in page.text
    assert page.headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert "style=" not in page.text


@pytest.mark.parametrize("address", ["/api/nothing", "/web/nothing.js"])
def test_a_program_is_answered_in_json(watcher, address):
    assert list(watcher.get(address).json) == ["error"]
