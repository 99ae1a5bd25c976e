"""Add-on folders in the real program: a language, a theme, sounds, a game."""

import io
import json
import math
import struct
import time
import urllib.request
import wave

import pytest

from companion.addons import Addons
from companion.server.routes.pages import addon_constants
from tests.support.waiting import PATIENCE_S
from tests.test_addons import CLOCK, PIG, POLISH, RINGS, THEME

HEARD = """window.heard = []; const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function () {
    heard.push(this.buffer.duration.toFixed(2)); start.call(this); };
  window.rung = 0; const ring = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (at) { rung++; ring.call(this, at); }; null"""
MOVE = """move => fetch("/api/moves", {method: "POST", headers: {"Content-Type": "application/json"},
  body: JSON.stringify(move)})"""
PAPER = "getComputedStyle(document.documentElement).backgroundColor"


def bell(seconds):
    """Return a tone as a file."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        tone = [int(9000 * math.sin(n * 0.6)) for n in range(int(8000 * seconds))]
        file.writeframes(struct.pack(f"<{len(tone)}h", *tone))
    return out.getvalue()


@pytest.fixture
def packs(tmp_path):
    """The folder of add-ons beside companion.toml, with one of each kind."""
    home = tmp_path / "companion" / "packs"
    files = {
        "pl/words.po": POLISH + '\nmsgid "Red"\nmsgstr "Czerwony"\n', "walnut/theme.css": THEME,
        "bells/go.wav": bell(0.25), "pig/game.py": PIG, "clock/game.py": CLOCK, "clock/board.toml": RINGS,
        "night/lights.toml": "sides = [[9, 8, 7], [7, 8, 9], [1, 1, 1], [2, 2, 2], [3, 3, 3]]",
    }  # fmt: skip
    for name, text in files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return home


def get(program, path):
    with urllib.request.urlopen(program.watchers.rstrip("/") + path, timeout=PATIENCE_S) as reply:
        return json.load(reply)


def test_theme_is_chosen_and_remembered(packs, programs, phones):
    phone = phones(1280, 800)
    page = phone.open(programs().players)
    plain = page.evaluate(PAPER)
    phone.open_menu("[data-taste=theme][data-value=walnut]")
    phone.wait_until(PAPER, "rgb(16, 32, 48)")
    page.reload()
    phone.wait_until(PAPER, "rgb(16, 32, 48)")
    phone.wait_until("!!document.querySelector('[data-taste=theme][data-value=\"\"]')", True)
    phone.open_menu("[data-taste=theme][data-value='']")
    phone.wait_until(PAPER, plain)
    assert [each for each in phone.complaints if not each.endswith("/api/stream")] == []  # the reload ended one


def test_every_page_wears_what_was_chosen(packs, programs, phones):
    phone = phones(1280, 800)
    program = programs()
    page = phone.open(program.players)
    phone.open_menu("[data-taste=theme][data-value=walnut]", "[data-taste=suits][data-value=four]")
    for path in ["tv", "bench", "invite", "evening", "workshop", "review", "train", "help/six-card", "no/such/page"]:
        page.goto(program.watchers + path)
        assert page.evaluate(f"[{PAPER}, document.documentElement.className]") == ["rgb(16, 32, 48)", "four"], path
    page.goto(program.watchers)
    phone.open_menu("[data-taste=theme][data-value='']")
    page.goto(program.watchers + "help/six-card")
    assert page.evaluate(PAPER) != "rgb(16, 32, 48)"


def test_sounds_of_pack_replace_own_notes(packs, programs, phones):
    program = programs("--set", "sensors=none:")
    phone = phones(1280, 800)
    page = phone.open(program.players)
    page.evaluate(HEARD)
    phone.open_menu("[data-sound=on]", "[data-taste=sounds][data-value=bells]", "[data-close]")
    for card in ("5D", "TH", "KH", "QD"):  # the starter, then 30
        page.evaluate(MOVE, {"type": "card", "card": card})
    phone.wait_until("document.body.dataset.phase", "play")
    phone.wait_until("document.querySelectorAll('[data-move=go]:enabled').length > 0", True)
    assert page.evaluate("heard") == []
    page.locator("[data-move=go]:enabled").first.tap()
    phone.wait_until("heard.join()", "0.25")
    assert page.evaluate("rung") == 0
    assert phone.complaints == []


def test_game_of_pack_is_played(packs, programs, phones):
    program = programs()
    offered = {game["key"]: game for game in get(program, "/api/games")["games"]}
    assert (offered["pig"]["title"], offered["clock"]["playable"]) == ("Pig", True)
    assert offered["clock"]["boards"][0] == "clock"
    phone = phones(1280, 800)
    page = phone.open(program.players)
    page.locator("[data-open=new-game]").tap()
    phone.wait_for_count("[data-game=pig]", 1)
    phone.tap("[data-game=pig]", "[data-start]")
    phone.wait_until("document.body.dataset.phase", "roll")
    page.evaluate(MOVE, {"type": "roll", "seat": 0, "dice": [6]})
    page.evaluate(MOVE, {"type": "go", "seat": 0})
    phone.wait_until("document.querySelector('[data-side=\"0\"] [data-score]').textContent", "6")
    assert phone.complaints == []
    program.end()
    program.start()
    assert (get(program, "/api/state")["game"]["key"], get(program, "/api/state")["scores"]) == ("pig", [6, 0])


def test_a_strangers_lights_are_on_the_board(packs, programs):
    program = programs("--set", "effects=night")
    end = time.monotonic() + PATIENCE_S
    while [9, 8, 7] not in (lit := get(program, "/api/bench/lights").values()):
        assert time.monotonic() < end, lit
        time.sleep(0.1)
    assert [7, 8, 9] in lit


def test_language_of_pack_can_be_chosen(packs, programs):
    program = programs()
    assert {"language": "pl", "name": "Polski"} in get(program, "/api/words")["languages"]
    assert get(program, "/api/state?lang=pl")["players"][0]["name"] == "Czerwony"


def test_faults_of_packs_are_shown_unless_safe(packs, programs, phones):
    (packs / "pig" / "game.py").write_text("GAME = 1 / 0\n")
    program = programs()
    said = "The add-on pig was loaded without game.py: it failed with ZeroDivisionError in line 1."
    phone = phones(1280, 800)
    page = phone.open(program.players)
    assert said in page.locator("[data-part=notices]").inner_text()
    assert [notice["say"] for notice in get(program, "/api/state")["notices"]] == [said]
    program.end()
    safe = programs("--safe", "--set", "effects=night")
    assert get(safe, "/api/state")["notices"] == []
    constants = get(safe, "/api/constants")
    assert {name: constants[name] for name in ("themes", "sounds")} == addon_constants(Addons())
    assert not {"pig", "clock"} & {game["key"] for game in get(safe, "/api/games")["games"]}


def test_game_without_pack_waits_for_it(packs, programs):
    first = programs("--game", "pig")
    first.end()
    kept = (packs / "pig").rename(packs.parent / "pig")
    second = programs()
    now = get(second, "/api/state")
    assert now["game"]["key"] == "six-card"
    assert [n["say"] for n in now["notices"]] == ["Cannot resume the game pig: its add-on is missing or has changed."]
    second.end()
    kept.rename(packs / "pig")
    third = programs()
    assert [table["game"]["title"] for table in get(third, "/api/tables")["tables"]] == ["Six-card cribbage", "Pig"]


@pytest.mark.parametrize("path", [
    "/packs/walnut/..%2f..%2fcompanion.toml", "/packs/../companion.toml", "/packs/pig/game.py", "/packs/walnut/",
    "/packs/walnut/theme.css%00", "/packs/..%2fpacks/walnut/theme.css", "/packs/%2e%2e/theme.css",
])  # fmt: skip
def test_only_what_a_page_may_have_is_sent(packs, programs, path):
    program = programs()
    with pytest.raises(urllib.error.HTTPError) as refused:
        get(program, path)
    assert refused.value.code == 404
    assert str(packs.parents[1]) not in refused.value.read().decode()
