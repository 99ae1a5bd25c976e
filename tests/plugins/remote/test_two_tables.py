"""Two remote tables play one game: each move once at both, in one order, and no card revealed before it is played."""

import contextlib
from dataclasses import replace

import pytest

from companion.app.launch import LaunchOptions
from companion.app.program import Program
from companion.common.errors import IllegalMove, JournalError, SettingsError
from companion.journal.journal import Journal
from companion.plugins.mqtt.outbox import Outbox
from companion.plugins.remote import dealer
from companion.plugins.remote.invitation import find_remote_peer
from companion.protocol.json_codec import dump_json, parse_json
from companion.rules.cards import parse_card
from companion.rules.moves import Adjust, Correct, Crib, Go, Misdeal, Next, Play, Undo
from companion.settings import Settings, apply_values
from companion.table.game_switcher import NewGameRequest
from companion.table.recording import describe_table, run_recording
from companion.table.setup import RemoteTable, create_plan
from tests.support.brokers import Cable
from tests.support.waiting import wait_until

from .conftest import LINK, Desk, Game, Side

ADJUSTED = {"type": "adjust", "seat": 1, "points": 4}


def is_hidden(text, side):
    """Return whether no card that only this side may know now is in the text."""
    hidden = {*side.dealing.deal.hand} - {str(each) for each in side.now["played"][side.seat]}
    return not [each for each in hidden if f'"{each}"' in text]


def test_no_hidden_card_is_in_the_journal(game):
    game.cut()
    files = b"".join(each.read_bytes() for each in game.ann.path.parent.glob("ann.sqlite3*"))
    assert all(is_hidden(files.decode("latin-1"), side) for side in game.both)


def test_two_deals_agree_and_are_published_once(game):
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
    wait_until(lambda: len(game.ann.cards) == 6)  # who takes a cut back may lay others away
    game.cut()


def test_the_slower_player_is_told(game):
    game.cut()
    with game.bob.table.locked():  # bob's table hears nothing for a moment
        game.bob.table.submit(Adjust(1, 5))
        game.ann.table.submit(Adjust(0, 1))
        wait_until(lambda: game.ann.talk._game.log.count == 2)
    adjusted = [body for _, body in game.agree() if body["type"] == "adjust"]
    assert adjusted == [{"type": "adjust", "seat": 0, "points": 1}]
    wait_until(lambda: "The other table was faster, so your last move was not made." in game.bob.notices)


def test_two_equal_simultaneous_moves_cause_no_message(game):
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


def test_a_move_during_an_outage_is_made_once(game, at):
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


def test_a_silently_cut_cable_loses_nothing(at, tmp_path, monkeypatch):
    monkeypatch.setattr("companion.plugins.mqtt.connection.ANSWER_TIMEOUT_S", 1)
    monkeypatch.setattr("companion.plugins.remote.session.REPEAT_INTERVAL_S", 0.3)
    with contextlib.ExitStack() as closing:
        cable = closing.enter_context(contextlib.closing(Cable(at.port)))
        places = ((0, at.url), (1, cable.url))
        ann, bob = (closing.enter_context(contextlib.closing(Side(tmp_path, *place))) for place in places)
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


def test_both_tables_use_each_players_name(game):
    game.ann.tables.set_player(0, "Ann", None)
    game.bob.tables.set_player(1, "Bob", None)
    wait_until(
        lambda: all([each["name"] for each in side.table.snapshot.players] == ["Ann", "Bob"] for side in game.both)
    )


def lose_secrets(game):
    """Open both tables without the files of their secrets; Bob gets the new invitation."""
    for each in game.both:
        each.close()
        each.secrets.unlink()
    game.ann.open()
    game.bob.settings = apply_values(game.bob.settings, {"remote.join": game.ann.talk.invitation})
    game.bob.open()


def test_who_has_lost_its_secrets_is_invited_again(game):
    wait_until(lambda: game.ann.cards and game.bob.cards)
    lose_secrets(game)
    assert game.ann.talk.invitation != LINK
    wait_until(lambda: all(len(each.cards) == 6 for each in game.both))
    game.cut()
    assert len({card for each in game.both for card in each.dealing.deal.hand}) == 12
    game.play_on()


def test_a_deal_without_secrets_ends_with_a_misdeal(game):
    game.cut()
    game.agree()
    lose_secrets(game)
    assert not game.ann.cards
    game.ann.table.submit(Misdeal())
    wait_until(lambda: all(len(each.cards) == 6 for each in game.both))
    game.play_deal()


def test_after_the_first_start_the_name_is_enough(game):
    game.cut()
    game.bob.close()
    game.bob.settings = apply_values(game.bob.settings, {"remote.join": "ann"})
    game.bob.open()
    wait_until(lambda: len(game.bob.cards) == 4)
    game.on_turn().play()
    game.agree()


def test_old_secrets_of_only_one_table_are_reported(game):
    game.play_deal()  # more messages than a start sends, whose numbers begin anew
    game.bob.close()
    game.bob.secrets.unlink()
    game.bob.open()
    wait_until(lambda: game.ann.notices)
    assert game.ann.notices == ["A message in the name of bob was ignored. It is older than the last one."]


def test_a_review_knows_what_both_were_dealt(game):
    game.play_deal()
    wait_until(lambda: sorted(len(each[1]) for each in game.ann.hands.known_hands(1)) == [4, 4, 6, 6])


def test_a_too_short_board_is_reported_to_both(at, tmp_path):
    ann, bob = Side(tmp_path, 0, at.url), Side(tmp_path, 1, at.url, attached="bases")
    try:
        wait_until(lambda: ann.say and "bases" in ann.say and ann.say.removeprefix("The board bob: ") in bob.say)
        assert not Game(ann, bob).is_begun()
    finally:
        ann.close()
        bob.close()


def test_an_absent_player_is_shown_as_offline(game):
    game.bob.talk.close()
    wait_until(lambda: "offline" in game.ann.say)
    assert not game.ann.table.snapshot.devices["remote"].ok


def test_a_seat_plays_only_at_its_own_table(game):
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


def test_the_host_begins_another_game_for_both(game):
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


def test_two_journals_that_differ_are_refused(game):
    game.cut()
    game.agree()
    game.bob.talk.close()
    Desk.force(game.bob, Adjust(1, 9))
    game.bob.close()
    game.bob.open()
    wait_until(lambda: all("differ at the two tables" in each.say for each in game.both))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"remote.invite": "bob", "remote.join": "bob", "report.brokers": "mqtt://localhost"}, "not both"),
        ({"remote.invite": "bob"}, "report.brokers"),
        ({"remote.join": "ann", "report.board": "ann", "report.brokers": "mqtt://localhost"}, "itself called ann"),
        ({"remote.join": "cribbage://home/ann#short", "report.brokers": "mqtt://localhost"}, "the whole invitation"),
        ({"remote.join": LINK, "report.club": "north", "report.brokers": "mqtt://localhost"}, "for the club home"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(given, said):
    with pytest.raises(SettingsError, match=said):
        find_remote_peer(apply_values(Settings(), given))


def test_a_remote_game_is_not_resumed_alone(tmp_path):
    journal = Journal(tmp_path / "journal.sqlite3")
    journal.begin_game(replace(create_plan("six-card"), remote_table=RemoteTable("bob", is_host=True)).journal_json)
    journal.close()
    settings = apply_values(Settings(), {"port": 0, "announce": "off"})
    alone = LaunchOptions(journal=tmp_path / "journal.sqlite3", settings=settings)
    with pytest.raises(JournalError, match="Resume it with --invite bob, or use --new to start another game"):
        Program(alone)
