"""A rewritten program at the other table: what it cannot do, and what is told when it tries."""

import math
from dataclasses import replace
from random import Random

import pytest

from companion.common.errors import BadMove, IllegalMove
from companion.plugins.remote.messages import MAX_DEALS_STATED, LoggedMove, MoveRequest
from companion.protocol.json_codec import write_move
from companion.rules.cards import PACK, parse_card
from companion.rules.moves import Adjust, Correct, Crib, Go, Hand, Misdeal, Next, Play, Starter, Undo
from companion.table.game_switcher import NewGameRequest
from companion.table.state import MAX_NOTICES

from .conftest import ANN, BOB, carry


def dealt(desks, dealer=ANN):
    """Deal, so that the player of this seat deals."""
    ann, bob = desks
    carry(desks)
    while ann.now["dealer"] != dealer:
        play_deal(desks)
        ann.table.submit(Next())
        carry(desks)
    assert len(ann.cards) == len(bob.cards) == 6
    return desks


def discard(*desks):
    for each in desks:
        each.hands.enter_hand("phone", each.cards[: each.table.core.past.state.terms.hand_size])


def cut(desks):
    discard(*desks)
    carry(desks)
    assert desks[0].now["phase"] == desks[1].now["phase"] == "play"


def reach_play(desks):
    """Deal and cut; return the desks."""
    cut(dealt(desks))
    return desks


def list_undealt(desks):
    """Return the cards of the pack that are in neither hand and not turned up."""
    known = {*desks[0].dealing.deal.hand, *desks[1].dealing.deal.hand, desks[0].now["starter"]}
    return [card for card in PACK if str(card) not in known]


def play_cards(desks):
    """Play until no card is left."""
    while desks[0].now["phase"] == "play":
        desks[desks[0].now["turn"]].play()
        carry(desks, 2)
    carry(desks)


def play_on(desks):
    """Play to the end of the deal."""
    play_cards(desks)
    assert desks[0].now["phase"] == desks[1].now["phase"] == "between"


def play_deal(desks):
    cut(desks)
    play_on(desks)


def rewrite(desk, number=None, **changes):
    """Make a desk change what it states about its current deal. Functions get the statement."""

    def change(message):
        return replace(message, deals=tuple(map(change_deal, message.deals)))

    def change_deal(stated):
        if stated.number != (desk.talk.log.deals.current if number is None else number):
            return stated
        return replace(stated, **{k: v(stated) if callable(v) else v for k, v in changes.items()})

    desk.change = change


def verdicts(desk):
    return [each.verdict for each in desk.dealing._deals.values() if each.verdict]


@pytest.mark.parametrize("dealer", [ANN, BOB])
def test_each_part_of_a_seed_waits_its_turn(desks, dealer):
    holder, other = dealt(desks, dealer)[:: 1 if dealer == ANN else -1]
    first = [each.own_message().deals[-1] for each in (holder, other)]
    assert not first[0].pack, "the dealer never shows its part of the pack"
    assert len(first[0].hand) == 6
    assert not first[1].hand
    assert not any(each.cut or each.starter or each.discard or each.seed for each in first)
    discard(holder)
    carry(desks)
    assert not any(each.own_message().deals[-1].cut for each in desks), "one of them has not discarded"
    discard(other)
    carry(desks)
    shown = [each.own_message().deals[-1] for each in desks]
    assert all(each.cut for each in shown)
    assert not any(each.seed or each.crib for each in shown)
    assert str(other.dealing.deal.discard) not in str(shown)
    play_on(desks)
    assert all(each.own_message().deals[-1].seed for each in desks)
    assert [each.dealing.deal.verdict for each in desks] == ["", ""]


@pytest.mark.parametrize("who", [ANN, BOB])
def test_an_abandoned_deals_seeds_are_shown_later(desks, who):
    reach_play(desks)
    desks[who].table.submit(Misdeal())
    carry(desks)
    assert not any(stated.seed for each in desks for stated in each.own_message().deals)
    play_deal(desks)
    assert all(len([1 for stated in each.own_message().deals if stated.seed]) == 2 for each in desks)
    assert [deal.verdict for each in desks for deal in each.dealing._deals.values()] == [""] * 4


def choose_cards(ann):
    """Make Ann's program deal two cards of its own choice to Bob."""
    rest = ann.dealing.deal._pack[13:]
    return lambda stated: stated.hand and (*stated.hand[:4], *rest[-2:])


@pytest.fixture
def chosen(desks, monkeypatch):
    """Bob has been dealt two cards that Ann has chosen. These two cards."""
    ann, bob = desks
    ann.turn()
    bob.turn()
    carry([bob, ann], 1)
    ann.turn()
    ann.hear(bob.wrote[-1])
    ann.talk.advance_game()
    ann.dealing.advance_deal(ann.talk.run, ann.talk.log)
    rewrite(ann, hand=choose_cards(ann))
    dealt(desks)
    return [str(each) for each in bob.cards[4:]]


def test_a_dealer_who_chooses_cards_is_reported(desks, chosen, caplog):
    _, bob = desks
    play_deal(desks)
    assert "It dealt wrong cards. Seen: " in verdicts(bob)[0]
    assert f"{' '.join(chosen)}. By the shuffle" in verdicts(bob)[0]
    assert "A deal of the other table was false." in bob.notices[-1]
    bob.close()
    bob.open()
    carry(desks)
    told = [each.getMessage() for each in caplog.records if "false: It dealt wrong cards" in each.getMessage()]
    assert len(told) == 1, "once, also after a restart"
    deal = bob.dealing.deal
    assert all(each in told[0] for each in (deal.seed, deal.peer_seed, *deal.peer_locks, *deal.hand))


def test_the_report_of_a_false_deal_stays(desks, chosen):
    ann, bob = desks
    play_deal(desks)
    for _ in range(MAX_NOTICES):
        ann.table.submit(Adjust(ANN, 1))
        ann.table.submit(Undo())
    carry(desks)
    assert not any("was false" in each for each in bob.notices)
    assert "A deal of the other table was false. It dealt wrong cards." in bob.dealing.status_sentence()
    ann.tables.begin_game(NewGameRequest(game="six-card"))
    carry(desks)
    assert "A deal of the other table was false. It dealt wrong cards." in bob.dealing.status_sentence()


def test_a_dealer_cannot_shuffle_again_knowingly(desks):
    ann, bob = desks
    ann.turn()
    bob.turn()
    bob.hear(ann.wrote[-1])
    bob.turn()
    assert not bob.own_message().deals[-1].pack or bob.dealing.deal.peer_locks
    fresh = {"run": ann.talk.run, "number": 0}
    other = replace(ann.dealing.deal, seed=Random(7).randbytes(32).hex())
    assert (other.run, other.number) == tuple(fresh.values())
    ann.dealing._deals[other.run, 0] = other
    ann.turn()
    bob.hear(ann.wrote[-1])
    with pytest.raises(Exception, match="shuffled again"):
        bob.turn()
    assert not bob.cards


def test_locks_cannot_be_copied(desks):
    ann, bob = desks
    dealt(desks)
    one, other = (each.own_message().deals[-1] for each in desks)
    assert not {*one.locks} & {*other.locks}
    same_seed = replace(bob.dealing.deal, seed=ann.dealing.deal.seed)
    assert not {*same_seed.state_deal(is_crib=False).locks} & {*one.locks}


@pytest.mark.parametrize("dealer", [ANN, BOB])
def test_the_host_cannot_turn_up_another_starter_unseen(desks, dealer):
    ann, bob = dealt(desks, dealer)
    before, ann.dealing._may_move = bob.moves, lambda *_: False
    discard(ann, bob)
    carry(desks)
    deals = [each.dealing.deal for each in desks]
    known = {*deals[0].hand, *deals[1].hand, deals[dealer].find_starter()}
    false = next(each for each in PACK if str(each) not in known)
    ann.force(Starter(false))
    del ann.dealing._may_move
    carry(desks)
    if dealer == BOB:
        assert bob.moves == before
        assert "The tables did not deal these cards" in bob.talk.why
    else:
        play_on(desks)
        assert f"It turned up a wrong starter. Seen: {false}." in verdicts(bob)[0]


def test_a_starter_is_refused_before_the_own_discard(desks):
    ann, bob = dealt(desks)
    ann.force(Starter(next(each for each in PACK if each not in ann.cards + bob.cards)))
    carry(desks)
    assert bob.moves == []
    assert "The tables did not deal these cards" in bob.talk.why


def test_a_starter_from_the_own_hand_is_refused(desks):
    ann, bob = dealt(desks)
    discard(bob)
    ann.force(Starter(bob.cards[0]))
    carry(desks)
    assert bob.moves == []


def test_a_crib_without_the_own_discard_is_refused(desks):
    ann, bob = reach_play(desks)
    ann.dealing._may_move = lambda *_: False
    play_cards(desks)
    ann.force(Crib(tuple(list_undealt(desks)[:4])))
    carry(desks)
    assert "The tables did not deal these cards" in bob.talk.why


def test_the_host_cannot_play_for_the_guest(desks):
    ann, bob = reach_play(desks)
    if ann.now["turn"] == ANN:
        ann.play()
        carry(desks)
    before = bob.moves
    ann.force(Play(BOB, bob.cards[0]))
    carry(desks)
    assert bob.moves == before
    assert "The other table cannot move for this seat." in bob.talk.why
    assert "The other table cannot move for this seat." in ann.talk.why


@pytest.mark.parametrize("kind", [Play, Go, Hand, Starter, Crib])
def test_the_guest_cannot_ask_for_others_moves(desks, kind):
    ann, bob = reach_play(desks)
    if ann.now["turn"] == BOB:
        bob.play()
        carry(desks)
    before, card = ann.moves, ann.cards[0]
    move = {Play: Play(ANN, card), Go: Go(ANN), Hand: Hand(ANN, (card,)), Starter: Starter(card), Crib: Crib((card,))}
    request = MoveRequest(len(before), (LoggedMove("phone", write_move(move[kind])),))
    bob.change = lambda message: replace(message, request=request)
    carry(desks)
    assert ann.moves == before
    assert ann.own_message().refusal.mark == request.mark


@pytest.mark.parametrize("cheat", [ANN, BOB])
def test_an_undealt_card_is_reported_at_the_end(desks, cheat):
    ann, _ = reach_play(desks)
    thief, victim = desks[cheat], desks[1 - cheat]
    while ann.now["turn"] != cheat:
        victim.play()
        carry(desks, 2)
    stolen = next(card for card in list_undealt(desks) if card.value <= 5)
    thief.table.submit(Play(cheat, stolen))
    carry(desks)
    play_cards(desks)
    assert "It played cards that were not dealt to it." in verdicts(victim)[0]
    assert str(stolen) in verdicts(victim)[0]


def test_a_mistaken_card_is_reported_to_its_player(desks):
    ann, bob = reach_play(desks)
    wrong = list_undealt(desks)[0]
    player = desks[ann.now["turn"]]
    right = player.cards[0]
    player.table.submit(Play(player.seat, wrong))
    carry(desks)
    assert player.dealing.status_sentence() == f"Correct the {wrong}: you were not dealt it."
    player.table.submit(Correct(wrong, right))
    carry(desks)
    assert player.dealing.status_sentence() == ""
    play_on(desks)
    assert not verdicts(ann) + verdicts(bob)


@pytest.mark.parametrize("cheat", [ANN, BOB])
def test_a_discard_cannot_be_changed_after_the_cut(desks, cheat):
    reach_play(desks)
    thief, victim = desks[cheat], desks[1 - cheat]
    with pytest.raises(IllegalMove, match="already discarded"):
        thief.dealing.keep_cards(cheat, [parse_card(each) for each in thief.dealing.deal.hand[2:]])
    key = thief.dealing._current
    thief.dealing._deals[key] = replace(thief.dealing.deal, kept=thief.dealing.deal.hand[2:])
    play_on(desks)
    assert "It changed its discard after the cut." in verdicts(victim)[0]


@pytest.mark.parametrize("cheat", [ANN, BOB])
def test_a_discard_cannot_change_before_an_early_end(desks, cheat):
    ann, _ = reach_play(desks)
    thief, victim = desks[cheat], desks[1 - cheat]
    thief.dealing._deals[thief.dealing._current] = replace(thief.dealing.deal, kept=thief.dealing.deal.hand[2:])
    while ann.now["phase"] == "play" and len(ann.now["played"][cheat]) < 3:
        desks[ann.now["turn"]].play()
        carry(desks, 2)
    ann.table.submit(Adjust(cheat, 121))
    carry(desks)
    assert (ann.now["phase"], ann.now["crib"]) == ("over", [])
    assert "It changed its discard after the cut." in verdicts(victim)[0]
    assert not verdicts(thief)


def test_a_missing_seed_at_the_end_is_reported(desks):
    ann, bob = reach_play(desks)
    rewrite(ann, seed="")
    ann.table.submit(Adjust(ANN, 121))
    carry(desks)
    assert bob.now["phase"] == "over"
    assert bob.dealing.status_sentence() == "Waiting for the other table to show its shuffle of the last deal."
    ann.change = lambda message: message
    carry(desks)
    assert bob.dealing.status_sentence() == ""


def test_an_unchecked_deal_pushed_out_is_reported(desks):
    ann, bob = reach_play(desks)
    run = ann.talk.run
    rewrite(ann, number=0, seed=lambda stated: "" if stated.run == run else stated.seed)
    play_on(desks)
    for _ in range(MAX_DEALS_STATED):
        ann.tables.begin_game(NewGameRequest(game="six-card"))
        carry(desks)
    assert [each for each in bob.notices if "never showed the shuffle" in each]
    assert not [each for each in ann.notices if "never showed the shuffle" in each]


def test_a_host_cannot_fill_the_journal_with_games(desks, monkeypatch):
    """Of many games at once the guest opens one, and after a pause the one that the host plays then."""
    ann, bob = desks
    carry(desks)
    monkeypatch.setattr("companion.plugins.remote.game.MIN_GAME_INTERVAL_S", math.inf)

    def count_games():
        return bob.table.journal.query("SELECT count(*) FROM game")[0][0]

    before = count_games()
    for number in range(50):
        ann.change = lambda message, number=number: replace(message, run=f"{number:016x}", count=0, mark="", moves=())
        carry(desks, rounds=1)
    assert count_games() == before
    monkeypatch.setattr("companion.plugins.remote.game.MIN_GAME_INTERVAL_S", 0)
    carry(desks, rounds=1)
    assert count_games() == before + 1


def test_a_deal_whose_cards_are_lost_says_so(desks):
    ann, bob = reach_play(desks)
    first = ann.table.journal.game_id
    for _ in range(MAX_DEALS_STATED):
        ann.tables.begin_game(NewGameRequest(game="six-card"))
        carry(desks)
    ann.tables.resume_game(first)
    carry(desks)
    assert bob.now["phase"] == "play"
    assert "cannot be checked" in bob.dealing.status_sentence()


@pytest.mark.parametrize("locks", [("", ""), ("f" * 64, "")])
def test_a_table_without_locks_is_shown_nothing(desks, locks):
    ann, bob = desks
    rewrite(ann, locks=locks)
    with pytest.raises(BadMove, match="invalid message"):
        carry(desks)
    assert not any(each.pack for each in bob.own_message().deals)


def test_a_withheld_seed_stops_further_deals(desks):
    ann, bob = reach_play(desks)
    rewrite(ann, number=0, seed="")
    play_on(desks)
    ann.table.submit(Next())
    carry(desks)
    assert not bob.cards
    assert bob.dealing.status_sentence() == "Waiting for the other table to show its shuffle of the last deal."
    ann.change = lambda message: message
    carry(desks)
    assert len(bob.cards) == 6


def test_a_new_game_hides_no_unchecked_deal(desks):
    ann, bob = reach_play(desks)
    rewrite(ann, number=0, seed=lambda stated: "" if stated.run == run else stated.seed)
    run = ann.talk.run
    play_on(desks)
    ann.tables.begin_game(NewGameRequest(game="six-card"))
    carry(desks)
    assert len(bob.cards) == 6
    assert bob.dealing.status_sentence() == "Waiting for the other table to show its shuffle of the last deal."


def test_a_plan_changes_neither_seats_nor_sensors(desks):
    ann, bob = dealt(desks)
    more = {"against": {"seat": BOB, "level": "novice"}, "pegs": "plain"}
    ann.change = lambda message: replace(message, plan={**message.plan, **more})
    ann.tables.begin_game(NewGameRequest(game="five-card"))
    carry(desks)
    plan = bob.table.core.plan
    assert (plan.game.key, plan.against, plan.is_plain) == ("five-card", None, False)


def test_an_unseen_deal_holds_nothing_up(desks):
    ann, bob = dealt(desks)
    play_deal(desks)
    for move in (Next(), Undo(), Next()):  # the first of them is not delivered
        ann.table.submit(move)
        ann.turn()
    carry(desks)
    play_deal(desks)
    ann.table.submit(Next())
    carry(desks)
    assert len(bob.cards) == 6


def test_a_seed_that_was_not_locked_is_reported(desks):
    ann, bob = reach_play(desks)
    rewrite(ann, seed=lambda stated: stated.seed and "0" * 64)
    play_on(desks)
    assert "It showed another shuffle" in verdicts(bob)[0]


@pytest.mark.parametrize("who", [ANN, BOB])
def test_corrections_of_the_other_table_are_shown(desks, who):
    reach_play(desks)
    one, other = desks[who], desks[1 - who]
    for move, said in ((Adjust(1 - who, 3), "3"), (Undo(), "Undone"), (Misdeal(), "isdeal")):
        one.table.submit(move)
        carry(desks)
        assert said in other.notices[-1]
        assert other.notices[-1].startswith("From the other table:")
    assert not one.notices


def test_a_deal_resumed_after_its_seeds_says_so(desks):
    ann, bob = reach_play(desks)
    ann.table.submit(Adjust(ANN, 121))
    carry(desks)
    bob.table.submit(Undo())
    carry(desks)
    assert ann.dealing.status_sentence() == "A move was taken back after the cards of this deal had been shown."
