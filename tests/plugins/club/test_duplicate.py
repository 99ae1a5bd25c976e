"""The deals of a duplicate night follow from a committed seed; players are compared with those of the same cards."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from companion.common.errors import CompanionError
from companion.plugins.club.app import create_club_app
from companion.plugins.club.tournament.director import TournamentDirector
from companion.plugins.club.tournament.draw import DuplicateResult, commit_seed, deal_duplicate, rank_duplicate
from companion.plugins.club.tournament.duplicate_night import DuplicateNight

KEY = "a-key-of-the-organiser"
NIGHT = {"name": "Night", "players": ["Ann", "Bob", "Cid", "Dot"], "games": 2, "duplicate": True}


def test_a_deal_never_changes_and_has_a_commitment():
    (first, second), starter = deal_duplicate("a seed", 1, 1)
    assert len({*first, *second, starter}) == 13
    assert deal_duplicate("a seed", 1, 1) == ((first, second), starter)
    others = [deal_duplicate(*each) for each in (("a seed", 1, 2), ("a seed", 2, 1), ("b seed", 1, 1))]
    assert ((first, second), starter) not in others
    assert " ".join(map(str, (*first, *second, starter))) == "2D 3S 9C TD JD KH 2S 7S 8C 8D 9S JH 2H"
    assert commit_seed("a seed") == "8f44d509e0492acec4fc109a030a5c751f063fb743cc388f0ed722bacc3bc66c"


def test_players_are_ranked_by_difference_to_the_mean():
    results = [
        DuplicateResult(1, "Ann", "Bob", 30), DuplicateResult(1, "Cid", "Dot", 10),
        DuplicateResult(2, "Ann", "Dot", -5), DuplicateResult(2, "Cid", "Bob", -25),
    ]  # fmt: skip
    rows = rank_duplicate(results)
    assert [(row.rank, row.player, row.difference, row.games) for row in rows] == [
        (1, "Ann", 20.0, 2), (2, "Bob", 0.0, 2), (2, "Dot", 0.0, 2), (4, "Cid", -20.0, 2),
    ]  # fmt: skip


@pytest.fixture
def director(store):
    """The director of a duplicate night of four players."""
    director = TournamentDirector(store, KEY)
    director.create_tournament(NIGHT)
    return director


@pytest.fixture
def night(store, director):
    return DuplicateNight(store, director)


def cards_of(shown, key="hand"):
    return [card["card"] for card in shown[key]]


def discard(night, player, deal=1):
    cards = cards_of(night.describe_hand(1, player))[:2]
    night.make_move(1, player, {"kind": "discard", "deal": deal, "cards": cards})
    return cards


def agree_to_count(night, player, deal=1):
    """Agree to show all cards, as a phone does: with the four cards that were played."""
    night.make_move(1, player, {"kind": "count", "deal": deal, "cards": cards_of(night.describe_hand(1, player))})


def begin_deal(night, director):
    """Return the two players of a game who have both discarded."""
    players = director.load_state(1).games[0][2:]
    for player in players:
        discard(night, player)
    return players


def test_all_tables_get_one_deal_shown_in_steps(night, director):
    seed = director.load_state(1).seed
    first = [game for game in director.load_state(1).games if game.round == 1]
    dealt = deal_duplicate(seed, 1, 1)
    for game in first:
        for seat, player in enumerate((game.one, game.two)):
            shown = night.describe_hand(1, player)
            assert cards_of(shown) == [str(card) for card in dealt.hands[seat]]
            assert (shown["deals"], shown["starter"], shown["theirs"], shown["crib"]) == (seat == 0, [], [], [])
    game = first[0]
    away = discard(night, game.one)
    assert not night.describe_hand(1, game.one)["is_cut"]
    away += discard(night, game.two)
    shown = night.describe_hand(1, game.two)
    assert (cards_of(shown, "starter"), cards_of(shown, "crib")) == ([str(dealt.starter)], [])
    assert len(cards_of(shown)) == 4
    for player in game[2:]:
        agree_to_count(night, player)
    shown = night.describe_hand(1, game.one)
    assert sorted(cards_of(shown, "crib")) == sorted(away)
    assert len(cards_of(shown, "theirs")) == 4
    for player in (*game[2:], *game[2:]):  # a phone may send it twice
        night.make_move(1, player, {"kind": "next", "deal": 1})
    shown = night.describe_hand(1, game.one)
    assert (shown["deal"], shown["deals"]) == (2, False)
    assert cards_of(shown) == [str(card) for card in deal_duplicate(seed, 1, 2).hands[0]]
    assert night.describe_hand(1, first[1].one)["deal"] == 1


def test_one_player_alone_sees_no_other_cards(night, director):
    """Both must agree to show the cards: requests of one player, however often and in whatever form, do nothing."""
    one, two = begin_deal(night, director)
    for _ in range(3):
        agree_to_count(night, one)
        night.make_move(1, one, {"kind": "count", "deal": 1, "seat": 1, "player": two})
        for shown in (night.describe_hand(1, one), night.describe_hand(1, two)):
            assert (shown["is_counted"], shown["theirs"], shown["crib"]) == (False, [], [])
    agreed = [(shown["has_agreed"], shown["has_opponent_agreed"])
              for shown in (night.describe_hand(1, player) for player in (one, two))]  # fmt: skip
    assert agreed == [(True, False), (False, True)]
    with pytest.raises(CompanionError):
        night.make_move(1, one, {"kind": "next", "deal": 1})
    agree_to_count(night, two)
    shown = night.describe_hand(1, one)
    assert (shown["is_counted"], len(shown["theirs"]), len(shown["crib"])) == (True, 4, 4)
    assert (shown["has_agreed"], shown["has_opponent_agreed"]) == (False, False)  # to deal again


def test_no_cards_are_shown_before_all_are_played(night, director):
    """To agree, a player names the four cards that were played; these are all that the player holds."""
    one, two = begin_deal(night, director)
    agree_to_count(night, one)
    held = cards_of(night.describe_hand(1, two))
    theirs = cards_of(night.describe_hand(1, one))
    for cards in (None, [], held[:3], held[:3] * 2, [*held, held[0]], [*held[:3], held[0]], theirs, [*held[:3], 7],
                  [[each] for each in held], " ".join(held), dict.fromkeys(held, 1)):  # fmt: skip
        with pytest.raises(CompanionError, match="Play all your cards"):
            night.make_move(1, two, {"kind": "count", "deal": 1, "cards": cards})
        assert night.describe_hand(1, one)["theirs"] == []
    night.make_move(1, two, {"kind": "count", "deal": 1, "cards": held[::-1]})
    assert night.describe_hand(1, one)["is_counted"]


def test_one_player_alone_deals_no_cards(night, director):
    """The next deal comes when both have agreed. Late and repeated requests of the deal before do nothing to it."""
    one, two = begin_deal(night, director)
    for player in (one, two):
        agree_to_count(night, player)
    for _ in range(3):
        night.make_move(1, two, {"kind": "next", "deal": 1})
        assert [night.describe_hand(1, player)["deal"] for player in (one, two)] == [1, 1]
    with pytest.raises(CompanionError, match="not there yet"):
        night.make_move(1, two, {"kind": "next", "deal": 2})
    night.make_move(1, one, {"kind": "next", "deal": 1})
    for kind in ("next", "count", "discard"):
        for player in (one, two):
            night.make_move(1, player, {"kind": kind, "deal": 1, "cards": []})
    for player in (one, two):
        shown = night.describe_hand(1, player)
        agreed = (shown["has_agreed"], shown["has_opponent_agreed"])
        assert (shown["deal"], *agreed, len(shown["hand"])) == (2, False, False, 6)


def test_an_agreement_survives_restart_and_blanked_line(store, night, director):
    """A restart between the two agreements loses none, and a line that is blanked opens the same deal again."""
    one, two = begin_deal(night, director)
    agree_to_count(night, one)
    enter_cards(director, [director.load_state(1).games[0]])
    with pytest.raises(CompanionError):
        night.make_move(1, two, {"kind": "count", "deal": 1, "cards": []})
    for player in (one, two):
        blank_line(director, player, 1)
    night = DuplicateNight(store, TournamentDirector(store, KEY))
    assert night.describe_hand(1, two)["has_opponent_agreed"]
    assert night.describe_hand(1, one)["theirs"] == []
    agree_to_count(night, two)
    assert night.describe_hand(1, one)["is_counted"]


def test_two_phones_agree_at_the_same_moment(night, director):
    """Each request of both phones counts once, however they meet: all end in the second deal."""
    one, two = begin_deal(night, director)
    hands = {player: cards_of(night.describe_hand(1, player)) for player in (one, two)}
    start = threading.Barrier(8)

    def agree(player, kind):
        start.wait()
        night.make_move(1, player, {"kind": kind, "deal": 1, "cards": hands[player]})

    with ThreadPoolExecutor(8) as phones:
        for kind in ("count", "next"):
            list(phones.map(agree, (one, two) * 4, [kind] * 8))
    shown = night.describe_hand(1, one)
    assert (shown["deal"], shown["has_discarded"], shown["has_agreed"]) == (2, False, False)


def test_no_phone_sees_a_deal_before_its_time(night, director):
    game = director.load_state(1).games[0]
    held = cards_of(night.describe_hand(1, game.one))
    for kind, deal, cards in (("count", 1, []), ("next", 1, []), ("next", 2, []), ("discard", 1, held[:1] * 2),
                              ("discard", 1, held[:3]), ("discard", 1, [held[0], "XX"]), ("look", 1, []),
                              ("discard", None, held[:2])):  # fmt: skip
        with pytest.raises(CompanionError):
            night.make_move(1, game.one, {"kind": kind, "deal": deal, "cards": cards})
    assert director.describe_tournament(1)["duplicate"]["seed"] is None
    director.enter_own_game(1, game.one, {"round": 1, "won": True, "spread": 9})
    with pytest.raises(CompanionError, match="has not finished"):  # the others still play round 1
        night.describe_hand(1, game.one)
    for each in director.load_state(1).games[:2]:
        for player in each[2:]:
            director.enter_own_game(1, player, {"round": 1, "won": True, "spread": 9})
    assert night.describe_hand(1, game.one)["round"] == 2
    director.enter_own_game(1, game.one, {"round": 2, "won": True, "spread": 9})
    with pytest.raises(CompanionError, match="entered"):
        night.describe_hand(1, game.one)


def test_the_seed_is_shown_when_all_have_entered(director):
    for game in director.load_state(1).games:
        for player in game[2:]:
            won = player == min(game[2:])
            director.enter_own_game(1, player, {"round": game.round, "won": won, "spread": 20 if "Ann" in game else 10})
    shown = director.describe_tournament(1)["duplicate"]
    assert commit_seed(shown["seed"]) == shown["commitment"]
    assert shown["ranking"][0]["player"] == "Ann"


def shown_seed(director):
    return director.describe_tournament(1)["duplicate"]["seed"]


def enter_cards(director, games, *, both=True):
    """Enter the lines of these games from the phones, or only that of the player who dealt first."""
    for game in games:
        for player, won in ((game.one, True), (game.two, False))[: 1 + both]:
            director.enter_own_game(1, player, {"round": game.round, "won": won, "spread": 9})


def blank_line(director, player, at):
    director.enter_lines(1, player, [{"round": at, "points": None, "spread": None}], "Zoe", "")


def test_one_line_of_each_game_tells_no_seed(night, director):
    """The seed is not shown while a game has a line on one card only: the director may blank it and play goes on."""
    games = director.load_state(1).games
    enter_cards(director, games[:-1])
    enter_cards(director, games[-1:], both=False)
    assert shown_seed(director) is None
    blank_line(director, games[-1].one, games[-1].round)
    assert night.describe_hand(1, games[-1].two)["deal"] == 1  # play goes on
    assert shown_seed(director) is None
    enter_cards(director, games[-1:])
    assert commit_seed(shown_seed(director)) == director.describe_tournament(1)["duplicate"]["commitment"]


def test_no_game_opens_after_the_seed(night, director):
    """With the seed, everybody can compute all later deals: no line is blanked, and nobody joins."""
    games = director.load_state(1).games
    enter_cards(director, games)
    game = games[-1]
    blank = {"points": None, "spread": None}
    with pytest.raises(CompanionError, match="seed is shown"):
        blank_line(director, game.one, game.round)
    lines = [{"points": 2, "spread": 9}, blank]
    with pytest.raises(CompanionError, match="seed is shown"):
        director.rule_on_game(1, {"round": game.round, "number": game.number, "lines": lines}, "Zoe", "again")
    for player in game[2:]:
        with pytest.raises(CompanionError, match="entered"):
            night.describe_hand(1, player)
    director.enter_lines(1, game.one, [{"round": game.round, "points": 2, "spread": 8}], "Zoe", "misread")
    director.remove_player(1, "Ann", "Zoe", "")
    with pytest.raises(CompanionError, match="seed is shown"):
        director.add_late_player(1, "Ida", "Zoe", "")
    assert shown_seed(director)


def test_a_player_who_returns_gets_no_known_deal(store):
    """Without the only opponent there is no game left, so the seed is shown, and there is none afterwards."""
    director = TournamentDirector(store, KEY)
    director.create_tournament(NIGHT | {"players": ["Ann", "Bob"], "games": 1})
    director.remove_player(1, "Bob", "Zoe", "")
    assert shown_seed(director)
    with pytest.raises(CompanionError, match="seed is shown"):
        director.add_late_player(1, "Bob", "Zoe", "")


def test_late_players_join_no_round_with_discards(night, director):
    """A bye of a round in which cards were discarded stays, even if the game itself has ended without an entry."""
    game = director.load_state(1).games[0]
    discard(night, game.one)
    discard(night, game.two)
    director.remove_player(1, game.two, "Zoe", "")
    director.add_late_player(1, "Ida", "Zoe", "")
    assert [game.round for game in director.load_state(1).games if "Ida" in game[2:]] == [2]


def test_the_director_ends_the_night_for_good(store, director):
    """The end shows the seed though games have no entry; the phones deal no more, and results can still be entered."""
    app = create_club_app(store, KEY)
    guest, organiser = app.test_client(), app.test_client()
    organiser.get(f"/join/{KEY}")
    games = director.load_state(1).games
    enter_cards(director, games[:-1])
    path, sent = "/api/club/tournaments/1/end", {"by": "Zoe", "reason": ""}
    assert guest.post(path, json=sent).status_code == 403
    assert guest.get("/api/club/tournaments/1").json["duplicate"]["seed"] is None
    for _ in range(2):  # a repeated request adds no entry
        shown = organiser.post(path, json=sent).json
        assert shown["duplicate"]["seed"] == director.load_state(1).seed
    ends = [(row["player"], row["by"], row["reason"], row.get("ends")) for row in shown["corrections"]]
    assert ends == [("", "Zoe", "", True)]
    after = TournamentDirector(store, KEY)
    night = DuplicateNight(store, after)
    for player in games[-1][2:]:
        with pytest.raises(CompanionError, match="has ended this night"):
            night.describe_hand(1, player)
        with pytest.raises(CompanionError, match="has ended this night"):
            night.make_move(1, player, {"kind": "discard", "deal": 1, "cards": []})
    enter_cards(after, games[-1:])
    for player in games[-1][2:]:
        with pytest.raises(CompanionError, match="seed is shown"):
            blank_line(after, player, games[-1].round)
    assert shown_seed(after)
    ordinary = director.create_tournament({"name": "Day", "players": ["Ann", "Bob"], "games": 1})
    assert organiser.post(f"/api/club/tournaments/{ordinary}/end", json=sent).status_code == 409


def test_a_hand_needs_the_code_of_its_card(store, director):
    guest = create_club_app(store, KEY).test_client()
    code = director.card_code(1, "Ann")
    shown = guest.get(f"/api/club/card/hand?event=1&code={code}").json
    assert len(shown["hand"]) == 6
    cards = cards_of(shown)[:2]
    sent = {"event": 1, "code": code, "kind": "discard", "deal": 1, "cards": cards}
    assert guest.post("/api/club/card/hand", json=sent).json["has_discarded"]
    assert guest.post("/api/club/card/hand", json=sent | {"code": "AAAAAAAA"}).status_code == 403
    assert guest.get("/api/club/card/hand?event=1&code=AAAAAAAA").status_code == 403
    ordinary = director.create_tournament({"name": "Night", "players": ["Ann", "Bob"], "games": 1})
    code = director.card_code(ordinary, "Ann")
    assert guest.get(f"/api/club/card/hand?event={ordinary}&code={code}").status_code == 409
