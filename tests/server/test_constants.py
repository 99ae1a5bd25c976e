"""The constants for pages: as documented, and not repeated in the modules of the pages."""

import subprocess
import sys
from itertools import combinations_with_replacement
from pathlib import Path

from companion.plugins.cards import is_photo_reader_installed
from companion.rules.cards import PACK, Card
from companion.rules.scoring import MAX_PLAY_POINTS, itemize_play

ROOT = Path(__file__).parents[2]


def test_each_constant_is_described(watcher):
    told = watcher.get("/api/constants").json
    described = watcher.get("/api/openapi.json").json["components"]["schemas"]["Constants"]["properties"]
    assert {name for name, value in described.items() if "description" in value} == set(told)
    assert told["claims"] == {"most": 29, "most_in_play": 14, "impossible": [19, 25, 26, 27]}
    assert told["count"] == {"most": 31, "any_fits": 21}


def test_letters_make_cards_and_their_names(watcher):
    told = watcher.get("/api/constants").json
    names = {r["letter"] + s["letter"]: f"{r['name']} of {s['name']}" for r in told["ranks"] for s in told["suits"]}
    assert names == {str(each): each.name for each in PACK}


def test_knowing_about_photographs_loads_no_camera(watcher):
    assert watcher.get("/api/constants").json["reads_photos"] == is_photo_reader_installed()
    script = "import sys; from companion.plugins.cards import is_photo_reader_installed as f; f()"
    script += "; print('cv2' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


def test_without_the_extra_no_page_offers_photographs(monkeypatch):
    monkeypatch.setitem(sys.modules, "cv2", None)
    assert not is_photo_reader_installed()


def test_a_die_has_as_many_pips_as_said(watcher):
    pips = watcher.get("/api/constants").json["dice"]["pips"]
    assert {face: len(lit) for face, lit in pips.items()} == {str(n): n for n in range(1, 7)}


def series(most):
    """Yield every series of up to this many ranks."""
    for size in range(1, most + 1):
        for ranks in combinations_with_replacement(range(13), size):
            laid = sorted(ranks, key=lambda rank: (ranks.count(rank), rank))
            if all(ranks.count(rank) <= 4 for rank in ranks):
                yield [Card(4 * rank + laid[:i].count(rank)) for i, rank in enumerate(laid)]


def test_no_card_can_earn_more_in_the_play():
    counted = ((laid, sum(each.value for each in laid)) for laid in series(5))
    worth = [sum(item.points for item in itemize_play(laid, count)) for laid, count in counted if count <= 31]
    assert max(worth) == MAX_PLAY_POINTS
