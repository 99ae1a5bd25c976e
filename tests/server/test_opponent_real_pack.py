"""A real pack against the companion: its cards are scanned face down and stay secret until it plays them."""

import contextlib
import json
import sqlite3

import pytest

from companion.rules.cards import PACK, parse_card

from .test_opponent import COMPANION_SEAT, Against, is_mine

PACKED = [str(PACK[(7 * n) % 52]) for n in range(52)]
"""A shuffled pack: the companion's six from the top, then the person's, then the starter."""
MINE, YOURS, STARTER = PACKED[:6], PACKED[6:12], PACKED[12]


@pytest.fixture
def against(tmp_path):
    with contextlib.closing(Against(tmp_path)) as opened:
        opened.until(lambda now: now["phase"] == "cut")
        yield opened


def scan_cards(against, cards=MINE):
    for each in cards:
        against.table.on_scan(each)


def wait_for_remark(against, has):
    """Wait until the companion says this; return all that it says."""
    against.until(lambda _: has in against.table.snapshot.remark)
    return against.table.snapshot.remark


def discard_places(against):
    """Return the places, from the left, of the cards that the companion discards."""
    return [int(each) for each in wait_for_remark(against, "Discard my cards").split(",")[0].split()[3::2]]


def reach_play(against):
    """Deal until the play begins; return the companion's cards in their order and its discard."""
    scan_cards(against)
    away = [MINE[place - 1] for place in discard_places(against)]
    against.table.on_scan(STARTER)
    against.until(lambda now: now["phase"] == "play")
    return [each for each in MINE if each not in away], away


def test_the_companions_cards_are_scanned_one_by_one(against):
    assert "on your phone" in wait_for_remark(against, "I have dealt")
    assert len(against.cards()) == 6
    scan_cards(against, MINE[:1])
    assert "I have 1 card." in wait_for_remark(against, "face down on its right")
    assert against.cards() == [], "the person's cards are in the hand, not on the phone"
    scan_cards(against, MINE[1:])
    assert len(set(discard_places(against))) == 2
    against.table.on_scan(STARTER)
    assert against.until(lambda now: now["phase"] == "play")["starter"] == STARTER


def test_the_companion_says_which_card_to_turn_up(against):
    row, _ = reach_play(against)
    view = against.until(is_mine)
    (first,) = view["played"][COMPANION_SEAT]
    assert f"I play my face-down card {row.index(first) + 1}," in wait_for_remark(against, "I play")
    row.remove(first)
    against.table.on_scan(YOURS[0])
    assert against.table.snapshot.view["played"][0] == [YOURS[0]]
    view = against.until(lambda now: len(now["played"][COMPANION_SEAT]) == 2 or now["turn"] == 0)
    assert set(view["played"][COMPANION_SEAT][1:]) <= set(row)


def test_a_whole_deal_is_counted_before_the_next(against):
    row, away = reach_play(against)
    left, view = YOURS[:4], against.table.snapshot.view
    while view["phase"] == "play":
        view = against.until(lambda now: now["phase"] != "play" or now["turn"] == 0)
        if view["phase"] != "play":
            break
        fitting = [each for each in left if parse_card(each).value + view["count"] <= 31]
        if fitting:
            left.remove(fitting[0])
            against.table.on_scan(fitting[0])
        else:
            against.table.on_press("go:0")
        view = against.table.snapshot.view
    assert set(view["played"][COMPANION_SEAT]) == set(row)
    for each in (*away, *YOURS[4:]):
        against.table.on_scan(each)
    assert against.until(lambda now: now["phase"] == "between")["crib"] == [*away, *YOURS[4:]]
    against.until(lambda _: against.table.snapshot.remark == "")
    against.table.on_scan(PACKED[20])
    assert against.table.snapshot.view["phase"] == "cut"
    assert against.table.snapshot.view["starter"] is None
    assert "I have 1 card." in wait_for_remark(against, "face down on its right")


def test_no_phone_receives_an_unplayed_card(against, tmp_path, caplog):
    """The cards are searched for in every answer, in the journal, in recordings and in the log."""
    caplog.set_level(0)
    recorded = []
    against.table.record_line = recorded.append
    row, away = reach_play(against)
    view = against.until(is_mine)
    hidden = {*row, *away} - {*view["played"][COMPANION_SEAT]}
    assert len(hidden) == 5
    with contextlib.closing(sqlite3.connect(tmp_path / "journal.sqlite3")) as db:
        db.execute("PRAGMA wal_checkpoint")
    told = "".join(against.phone.get(f"/api/{path}").text for path in ("state", "history", "export", "hand"))
    told += (tmp_path / "journal.sqlite3").read_bytes().decode("latin-1")
    told += json.dumps(recorded) + str([record.getMessage() for record in caplog.records])
    assert [each for each in hidden if f'"{each}"' in told or f"'{each}'" in told] == []
    assert (tmp_path / "journal.pack").stat().st_mode & 0o077 == 0


def test_undo_takes_back_the_newest_hidden_card(against):
    moves = against.table.snapshot.moves
    scan_cards(against, MINE[:3])
    reply = against.phone.post("/api/moves", json={"type": "undo"})
    assert (reply.status_code, reply.json["moves"]) == (201, moves)
    assert "face down on their right" in wait_for_remark(against, "I have 2 cards.")
    against.table.on_press("undo")
    against.table.on_press("undo")
    assert wait_for_remark(against, "I have dealt")
    assert len(against.cards()) == 6


def test_a_card_shown_by_mistake_is_said(against):
    row, _ = reach_play(against)
    against.until(is_mine)
    hidden = next(each for each in row if each not in against.table.snapshot.view["played"][COMPANION_SEAT])
    against.table.on_scan(hidden)
    assert against.table.snapshot.view["played"][0] == []
    assert "Put it back face down" in against.table.snapshot.notices[-1].say
    assert hidden not in against.phone.get("/api/state").text


def test_a_misread_card_is_corrected_when_turned_up(against):
    row, _ = reach_play(against)
    view = against.until(is_mine)
    move = {"type": "correct", "card": view["played"][COMPANION_SEAT][0], "to": PACKED[30]}
    assert against.phone.post("/api/moves", json=move).status_code == 201
    against.table.on_scan(YOURS[0])
    view = against.until(lambda now: len(now["played"][COMPANION_SEAT]) == 2 or now["turn"] == 0)
    assert set(view["played"][COMPANION_SEAT]) <= {*row, PACKED[30]}


def test_a_restart_keeps_the_cards_face_down(against):
    row, _ = reach_play(against)
    against.until(is_mine)
    against.resume()
    against.table.on_scan(YOURS[0])
    view = against.until(lambda now: len(now["played"][COMPANION_SEAT]) == 2 or now["turn"] == 0)
    assert set(view["played"][COMPANION_SEAT]) <= set(row)


def find_strange_card(against):
    """Return a card that is in neither hand and not the starter."""
    pack = against.opponent._current_pack()
    known = {*against.cards(), *map(str, pack.dealt[COMPANION_SEAT]), str(pack.starter)}
    return next(str(card) for card in PACK if str(card) not in known)


def test_an_undealt_card_is_said_at_once(tmp_path):
    with contextlib.closing(Against(tmp_path)) as against:
        strange = find_strange_card(against)
        against.keep(against.cards()[:4])
        against.until(is_mine)
        assert against.phone.post("/api/moves", json={"type": "play", "seat": 0, "card": strange}).status_code == 201
        assert f"You don't have the {parse_card(strange).name}. Press Undo" in wait_for_remark(
            against, "You don't have"
        )
        against.opponent._think_s = 5
        against.phone.post("/api/moves", json={"type": "undo"})
        against.until(lambda _: against.table.snapshot.remark == "")


def test_a_starter_from_another_pack_is_said(against):
    against.phone.post("/api/moves", json={"type": "starter", "card": find_strange_card(against)})
    assert "Undo" in wait_for_remark(against, "another pack")
