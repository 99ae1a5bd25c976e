"""Two remote tables play one game: each move once at both, in one order, and no card revealed before it is played."""

import contextlib
import json
from dataclasses import replace

import pytest

from companion.app.launch import LaunchOptions
from companion.app.program import Program
from companion.common.errors import BadMove, IllegalMove, JournalError, SettingsError
from companion.journal.journal import Journal
from companion.mqtt.outbox import Outbox
from companion.protocol.json_codec import dump_json, parse_json
from companion.remote import dealer, find_remote_peer
from companion.remote.messages import GameStateMessage
from companion.rules.cards import parse_card
from companion.rules.moves import Adjust, Correct, Crib, Go, Next, Play, Undo
from companion.settings import Settings, apply_values
from companion.table.game_switcher import NewGameRequest
from companion.table.recording import describe_table, run_recording
from companion.table.setup import RemoteTable, create_plan
from tests.support.waiting import wait_until

from .conftest import Cable, Game, Side

ADJUSTED = {"type": "adjust", "seat": 1, "points": 4}


def hidden(side):
    """Return the cards that only this side may know now."""
    return {str(each) for each in side.dealing._deal.hand} - {str(each) for each in side.now["played"][side.seat]}


def letter_of(ear, board):
    """Return the newest message of a table, parsed."""
    other = "bob" if board == "ann" else "ann"
    return wait_until(lambda: ear.told(f"/{board}/seat/{other}/game"))[-1]


def test_no_card_is_told_before_it_is_played(game, at, listens):
    ear = listens(at)
    game.cut()
    for _ in range(3):
        told = "".join(text for _, text, _ in ear.heard)
        assert not [each for side in game.both for each in hidden(side) if f'"{each}"' in told]
        game.on_turn().play()
    assert letter_of(ear, "ann")["plan"].keys() == {"game", "seats", "dealer", "options"}
    files = b"".join(each.read_bytes() for each in game.ann.path.parent.glob("ann.sqlite3*"))
    assert not [each for side in game.both for each in hidden(side) if f'"{each}"'.encode() in files]


def test_two_deals_are_the_same_at_both_tables_and_told_to_an_archive_once(game):
    game.play_deal()
    game.bob.table.submit(Next())
    moves = game.agree() and game.play_deal()
    assert [body["type"] for _, body in moves].count("crib") == 2
    assert game.ann.now["scores"] == game.bob.now["scores"] != [0, 0]
    assert parse_json(Outbox(game.ann.table.journal, {}).next_message().text)["game"]["key"] == "six-card"
    assert Outbox(game.bob.table.journal, {}).next_message() is None


def test_either_undoes_and_corrects_and_both_see_it(game, monkeypatch):
    monkeypatch.setattr(dealer, "UNDO_PAUSE_S", 0.5)
    game.cut()
    first = game.on_turn()
    other = game.both[1 - first.seat]
    first.play()
    game.agree()
    other.table.submit(Undo())
    wait_until(lambda: [each.now["played"] for each in game.both] == [[[], []]] * 2)
    shown, meant = first.cards[:2]
    for who, move in ((first, Play(first.seat, shown)), (first, Correct(shown, meant)), (other, Adjust(0, 3))):
        game.agree()
        who.table.submit(move)
    wait_until(lambda: len(game.agree()) == 6)
    assert other.now["played"][first.seat] == [str(meant)]
    for _ in range(4):
        game.agree()
        game.bob.table.submit(Undo())
    wait_until(lambda: game.ann.now["phase"] == "cut")
    assert len(game.ann.cards) == 6, "who takes a cut back may lay others away"
    game.cut()


def test_who_is_slower_is_told_so(game):
    game.cut()
    with game.bob.table.locked():  # bob's table hears nothing for a moment
        game.bob.table.submit(Adjust(1, 5))
        game.ann.table.submit(Adjust(0, 1))
        wait_until(lambda: game.ann.talk._game.log.count == 2)
    adjusted = [body for _, body in game.agree() if body["type"] == "adjust"]
    assert adjusted == [{"type": "adjust", "seat": 0, "points": 1}]
    wait_until(lambda: "The other table was faster, so your last move was not made." in game.bob.notices)


def test_who_does_the_same_in_the_same_moment_is_told_nothing(game):
    moves = len(game.play_deal())
    with game.bob.table.locked():
        game.bob.table.submit(Next())
        game.ann.table.submit(Next())
        wait_until(lambda: game.ann.talk._game.log.count == moves + 1)
    assert len(game.agree()) == moves + 1
    assert not game.bob.notices


def test_a_recording_of_a_guest_is_played_again(game):
    lines = [{"ms": 0, "table": describe_table(game.bob.table.core)}]
    game.bob.table.record_line = lines.append
    game.cut()
    game.on_turn().play()
    game.on_turn().play()
    game.ann.table.submit(Undo())
    game.agree()
    told = []
    run_recording([dump_json(each).encode() for each in list(lines)], told.append)
    assert lines[-1] != lines[0]
    assert not [each for each in told if "error" in each]


def test_what_is_played_while_the_line_is_cut_is_kept_and_made_once(game, at):
    game.cut()
    game.agree()
    at.kill()
    wait_until(lambda: all("No connection" in each.say for each in game.both))
    game.bob.table.submit(Adjust(1, 2))
    with pytest.raises(IllegalMove, match="still waiting for the other table"):
        game.bob.table.submit(Adjust(1, 2))
    game.bob.table.submit(Undo())
    game.bob.table.submit(Adjust(1, 4))
    assert game.bob.now["scores"] == game.ann.now["scores"]
    wait_until(lambda: game.bob.say == "No connection to the board ann. Your last move is waiting for it.")
    for each in game.both:
        each.close()
        each.open()
    assert game.bob.table.core.requested_moves == ({"by": "phone", "move": ADJUSTED},)
    at.start()
    wait_until(lambda: game.agree()[-1][1] == ADJUSTED)
    wait_until(lambda: not game.ann.say and not game.bob.say)
    assert [body["type"] for _, body in game.ann.moves].count("adjust") == 1
    assert len(game.bob.cards) == 4, "the cards are those of before"


def test_a_cable_that_is_cut_in_silence_is_noticed_and_nothing_is_lost(at, tmp_path, small_keys, monkeypatch):
    monkeypatch.setattr("companion.mqtt.connection.ANSWER_TIMEOUT_S", 1)
    monkeypatch.setattr("companion.remote.session.REPEAT_INTERVAL_S", 0.3)
    with contextlib.ExitStack() as closing:
        cable = closing.enter_context(contextlib.closing(Cable(at.port)))
        ann, bob = (
            closing.enter_context(contextlib.closing(Side(tmp_path, *each))) for each in ((0, at.url), (1, cable.url))
        )
        game = Game(ann, bob)
        wait_until(game.is_begun)
        game.cut()
        cable.is_cut = True
        bob.table.submit(Adjust(1, 4))
        wait_until(lambda: bob.say == "No connection to the board ann. Your last move is waiting for it.")
        assert ADJUSTED not in [body for _, body in ann.moves]
        cable.is_cut = False
        wait_until(lambda: game.agree()[-1][1] == ADJUSTED)
        assert [body for _, body in ann.moves].count(ADJUSTED) == 1


def test_each_is_called_at_both_tables_as_at_their_own(game):
    game.ann.tables.set_player(0, "Ann", None)
    game.bob.tables.set_player(1, "Bob", None)
    wait_until(
        lambda: all([each["name"] for each in side.table.snapshot.players] == ["Ann", "Bob"] for side in game.both)
    )


@pytest.mark.parametrize("who", [0, 1])
def test_who_has_lost_its_cards_before_the_cut_is_dealt_others(game, who):
    wait_until(lambda: game.ann.cards and game.bob.cards)
    game.both[1 - who].lay_away()
    for each in game.both:
        each.close()
    game.both[who].path.with_suffix(".afar").unlink()
    for each in game.both:
        each.open()
    wait_until(lambda: all(len(each.cards) == 6 for each in game.both))
    game.cut()
    assert len({card for each in game.both for card in each.dealing._deal.hand}) == 12
    game.play_on()


def test_a_review_knows_what_both_were_dealt(game):
    game.play_deal()
    wait_until(lambda: sorted(len(each[1]) for each in game.ann.hands.known_hands(1)) == [4, 4, 6, 6])


def test_a_board_that_is_too_short_is_told_of_at_both_tables(at, tmp_path, small_keys):
    ann, bob = Side(tmp_path, 0, at.url), Side(tmp_path, 1, at.url, attached="bases")
    try:
        wait_until(lambda: ann.say and "bases" in ann.say and ann.say.removeprefix("The board bob: ") in bob.say)
        assert not Game(ann, bob).is_begun()
    finally:
        ann.close()
        bob.close()


def test_who_is_away_is_told_to_be(game):
    game.bob.talk.close()
    wait_until(lambda: "offline" in game.ann.say)
    assert not game.ann.table.snapshot.devices["remote"].ok


def test_two_that_both_invite_or_both_join_are_told_so(game):
    with pytest.raises(BadMove, match="Start one of them with --join"):
        game.ann.talk._game.on_message(GameStateMessage(is_host=True))
    with pytest.raises(BadMove, match="Start one of them with --invite"):
        game.bob.talk._game.on_message(GameStateMessage(is_host=False))


def test_a_seat_plays_at_its_own_table_and_nobody_turns_cards_up(game):
    game.cut()
    for side in game.both:
        other = 1 - side.seat
        with pytest.raises(IllegalMove, match="other table"):
            side.table.submit(Go(other))
        with pytest.raises(IllegalMove, match="deal these cards"):
            side.table.submit(Crib(tuple(map(parse_card, ("AS", "2S", "3S", "4S")))))
        side.hands.bind_seat("thief", other)
        with pytest.raises(IllegalMove, match="other table"):
            side.hands.enter_hand("thief", side.cards)
        assert side.hands.remaining_hand("thief") == []


def test_what_a_guest_cannot_ask_for_is_not_made(game, at, listens):
    game.cut()
    before = game.agree()
    game.bob.talk.close()
    ear = listens(at)
    forged = letter_of(ear, "bob")
    asks = [
        {"id": "a1", "after": 1, "moves": [{"by": "phone", "move": {"type": "go", "seat": 0}}]},
        {"id": "a2", "after": 1, "moves": [{"by": "phone", "move": {"type": "take_board"}}]},
        {"id": "a3", "after": 0, "moves": [{"by": "phone", "move": ADJUSTED}]},
        {"id": "a4", "after": 1, "moves": [{"by": "phone", "move": {"type": "starter", "card": "5H"}}]},
        {"id": "a5", "after": 1, "moves": [{"by": "cat", "move": {"type": "undo"}}]},
        {"id": "a6", "after": True, "moves": []},
        ["undo"],
        {"id": "a7", "after": 1, "moves": [{"by": "phone", "move": {"type": "next"}}]},
    ]
    for ask in asks:
        ear.publish("cribbage/1/home/bob/seat/ann/game", forged | {"ask": ask})
    wait_until(lambda: (letter_of(ear, "ann")["answer"] or {}).get("id") == "a7")
    assert game.ann.moves == before


def test_what_is_no_letter_changes_nothing_and_the_game_goes_on(game, at, listens, monkeypatch):
    monkeypatch.setattr("companion.remote.session.REPEAT_INTERVAL_S", 0.5)
    game.cut()
    ear = listens(at)
    for text in ("{", "[]", '"x"', "{}", '{"role":"guest","count":-1}', '{"role":"host"}', "[" * 9999, "\udc00", ""):
        for what in ("game", "deal"):
            for one, other in (("ann", "bob"), ("bob", "ann")):
                ear.publish(
                    f"cribbage/1/home/{one}/seat/{other}/{what}", json.dumps(text) if "\udc00" in text else text
                )
    game.on_turn().play()
    game.agree()
    wait_until(lambda: not game.ann.say and not game.bob.say)


def test_old_letters_told_again_change_nothing(game, at, listens):
    ear = listens(at)
    game.cut()
    game.on_turn().play()
    before = game.agree()
    for topic, text, _ in [each for each in ear.heard if "/seat/" in each[0]]:
        ear.publish(topic, text)
    game.on_turn().play()
    wait_until(lambda: len(game.agree()) == len(before) + 1)
    assert game.agree()[:-1] == before


def test_the_host_begins_another_game_and_the_guest_is_there_too(game):
    with pytest.raises(IllegalMove, match="Only the other table can begin"):
        game.bob.tables.begin_game(NewGameRequest(game="five-card"))
    with pytest.raises(SettingsError, match="six-card or five-card"):
        game.ann.tables.begin_game(NewGameRequest(game="pursuit"))
    game.cut()
    game.ann.tables.begin_game(NewGameRequest(game="five-card", dealer=1))
    wait_until(lambda: game.bob.table.snapshot.game["key"] == "five-card" and game.bob.now["dealer"] == 1)
    game.play_deal()
    game.ann.tables.resume_game(1)
    wait_until(lambda: game.bob.table.snapshot.game["key"] == "six-card")
    game.on_turn().play()
    assert len(game.agree()) == 2


def test_two_journals_of_one_game_that_differ_are_refused_in_one_sentence(game):
    game.cut()
    game.agree()
    game.bob.talk.close()
    game.bob.table.request(
        {"tick": True}, lambda core, now_ms: dealer.inputs.apply_ordered_move(core, Adjust(1, 9), "phone", now_ms)
    )
    game.bob.close()
    game.bob.open()
    wait_until(lambda: all("differ at the two tables" in each.say for each in game.both))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"remote.invite": "bob", "remote.join": "bob", "report.brokers": "mqtt://localhost"}, "not both"),
        ({"remote.invite": "bob"}, "report.brokers"),
        ({"remote.join": "ann", "report.board": "ann", "report.brokers": "mqtt://localhost"}, "itself called ann"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(given, said):
    with pytest.raises(SettingsError, match=said):
        find_remote_peer(apply_values(Settings(), given))


def test_a_game_far_away_is_not_gone_on_with_alone(tmp_path):
    journal = Journal(tmp_path / "journal.sqlite3")
    journal.begin_game(replace(create_plan("six-card"), remote_table=RemoteTable("bob", is_host=True)).journal_json)
    journal.close()
    alone = LaunchOptions(
        journal=tmp_path / "journal.sqlite3", settings=apply_values(Settings(), {"port": 0, "announce": "off"})
    )
    with pytest.raises(JournalError, match="Resume it with --invite bob, or use --new to start another game"):
        Program(alone)
