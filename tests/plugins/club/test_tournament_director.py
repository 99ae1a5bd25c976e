"""A tournament in the archive: cards from phones, the director and boards, rulings, bracket, consolation and paper."""

import contextlib
import io
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from pypdf import PdfReader

from companion.common.errors import BadMove, CompanionError, IllegalMove
from companion.plugins.club.app import create_club_app
from companion.plugins.club.archive import Archive
from companion.plugins.club.league_events import LeagueEvents
from companion.plugins.club.queries import ClubPageCache, archive_health
from companion.plugins.club.tournament import paper
from companion.plugins.club.tournament.director import TournamentDirector
from companion.plugins.club.tournament.scorecards import CardLine
from companion.rules.moves import Undo
from tests.plugins.club.reported_moves import LATER_MS, LOSS, WIN, report_later, report_moves, send_messages

KEY = "a-key-of-the-organiser"
NAMES = ["Ann", "Bob", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal"]
SETTINGS = {"name": "Weekend", "players": NAMES, "games": 4, "tables": 3}


@pytest.fixture
def director(store):
    """The director of a tournament of eight players, with one board."""
    send_messages(Archive(store), report_moves([])[:1])
    found = TournamentDirector(store, KEY)
    assert found.create_tournament(SETTINGS) == 1
    return found


def enter_all(director, *, event=1, wrong=()):
    """Enter all cards: the player with the first name wins by 10, and `wrong` lines replace these."""
    cards = {}
    for game in director.load_state(event).games:
        for player in game[2:] if game.two else ():
            cards.setdefault(player, {})[game.round] = (2, 10) if player == min(game[2:]) else (0, -10)
    for player, at, line in wrong:
        cards[player][at] = line
    for player, lines in cards.items():
        sent = [{"round": at, "points": line[0], "spread": line[1]} for at, line in lines.items()]
        director.enter_lines(event, player, sent, "Zoe", "")


def game_of(director, player, at, event=1):
    return next(game for game in director.load_state(event).games if game.round == at and player in game[2:])


def test_a_player_enters_the_own_card_until_ruled(director):
    code = director.card_code(1, "Ann")
    assert director.find_code(1, f" {code.lower()} ") == "Ann"
    assert director.find_code(1, director.card_code(2, "Ann")) is None
    director.enter_own_game(1, "Ann", {"round": 1, "won": True, "spread": 40})
    card = director.describe_card(1, "ann")
    assert (card["lines"][0]["points"], card["lines"][0]["spread"], card["points"]) == (3, 40, 3)
    for wrong in ({"round": 9, "won": True, "spread": 4}, {"round": 1, "won": True, "spread": 0},
                  {"round": 1, "won": 1, "spread": 4}, {"round": True, "won": True, "spread": 4},
                  {"round": "1", "won": True, "spread": 4}):  # fmt: skip
        with pytest.raises(CompanionError):
            director.enter_own_game(1, "Ann", wrong)
    game = game_of(director, "Ann", 1)
    lines = [{"points": 2, "spread": 5}, {"points": 0, "spread": -5}]
    sent = {"round": 1, "number": game.number, "lines": lines if game.one == "Ann" else lines[::-1]}
    with pytest.raises(BadMove, match="reason"):
        director.rule_on_game(1, sent, "Zoe", "")
    director.rule_on_game(1, sent, "Zoe", "both asked")
    with pytest.raises(IllegalMove, match="Ask the director"):
        director.enter_own_game(1, "Ann", {"round": 1, "won": True, "spread": 40})
    assert [correction["reason"] for correction in director.describe_tournament(1)["corrections"]] == ["both asked"] * 2


def test_a_card_with_an_error_waits_for_rulings(director):
    with pytest.raises(IllegalMove, match="have no entry"):
        director.draw_bracket(1)
    other = game_of(director, "Ann", 2)
    opponent = other.two if other.one == "Ann" else other.one
    enter_all(director, wrong=[("Ann", 2, (2, 21)), ("Hal", 1, (0, -11))])
    shown = director.describe_tournament(1)
    assert shown["qualifiers"] == ["Ann", "Bob"]
    found = {(row["one"], row["two"]): row for row in shown["discrepancies"]}
    assert len(found) == 2
    ann = found[other.one, other.two]
    assert (ann["problems"], ann["blocks"], ann["ruling"]["rule"]) == (["The spreads differ."], True, "12.2a")
    with pytest.raises(IllegalMove, match="1 game must be ruled on"):
        director.draw_bracket(1)
    assert director.rule_on_all_games(1, "Zoe", "") == 1
    state = director.load_state(1)
    assert state.lines["Ann", 2] == CardLine(2, 10, is_ruled=True)
    assert state.lines[opponent, 2] == CardLine(0, -10, is_ruled=True)
    assert [row["blocks"] for row in director.describe_tournament(1)["discrepancies"]] == [False]
    director.draw_bracket(1, ["Ann", "Bob"])
    with pytest.raises(IllegalMove, match="bracket is drawn"):
        director.enter_own_game(1, "Ann", {"round": 1, "won": True, "spread": 4})
    director.undo_bracket(1)
    director.enter_lines(1, "Hal", [{"round": 1, "points": 0, "spread": -10}], "Zoe", "misread")
    assert director.describe_tournament(1)["discrepancies"] == []


def test_a_mended_card_needs_no_ruling(director):
    enter_all(director, wrong=[("Ann", 2, (2, 21))])
    assert len(director.describe_tournament(1)["discrepancies"]) == 1
    director.enter_lines(1, "Ann", [{"round": 2, "points": 2, "spread": 10}], "Yan", "")
    assert director.describe_tournament(1)["discrepancies"] == []
    history = "SELECT spread, said_by FROM scorecard WHERE player = 'Ann' AND round = 2 ORDER BY id"
    assert director._database.query(history) == [(21, "Zoe"), (10, "Yan")]


def test_a_board_fills_in_only_empty_lines(store, director):
    state = director.load_state(1)
    first = next(game for game in state.games if {"Ann", "Bob"} <= {*game[2:]} or "Ann" in game[2:])
    opponent = first.two if first.one == "Ann" else first.one
    send_messages(Archive(store), report_later(WIN, names=("Ann", opponent)))
    lines = director.load_state(1).lines
    assert (lines["Ann", first.round][:2], lines[opponent, first.round][:2]) == ((0, -111), (3, 111))
    later = next(game for game in state.games if game.round == 3 and "Ann" in game[2:])
    other = later.two if later.one == "Ann" else later.one
    director.enter_own_game(1, "Ann", {"round": 3, "won": False, "spread": 5})
    send_messages(Archive(store), report_later(LOSS, "r2", names=("Ann", other)))
    state = TournamentDirector(store, KEY).load_state(1)
    assert state.lines["Ann", 3][:2] == (0, -5)
    assert (other, 3) not in state.lines
    assert len(director.describe_tournament(1)["discrepancies"]) == 1


def test_a_board_changes_no_card_after_the_draw(store, director):
    enter_all(director)
    director.enter_lines(1, "Hal", [{"round": 1, "points": None, "spread": None}], "Zoe", "")
    game = game_of(director, "Hal", 1)
    director.rule_on_all_games(1, "Zoe", "")
    director.draw_bracket(1, ["Ann", "Bob"])
    before = director.load_state(1).lines
    store.query("DELETE FROM scorecard WHERE round = 1 AND player IN (?, ?)", game.one, game.two)
    send_messages(Archive(store), report_later(WIN, names=(game.one, game.two)))
    after = TournamentDirector(store, KEY).load_state(1).lines
    assert before.keys() - after.keys() == {(game.one, 1), (game.two, 1)}


def test_a_boards_game_counts_for_its_match(store, director):
    enter_all(director)
    director.draw_bracket(1, ["Ann", "Bob"])
    send_messages(Archive(store), report_later(WIN, "r1", names=("Bob", "ann")))
    send_messages(Archive(store), report_later(WIN, "r1", names=("Bob", "ann")))  # sent once more
    match = TournamentDirector(store, KEY).describe_tournament(1)["bracket"][-1][0]
    assert (match["one"], match["two"], match["wins"], match["winner"]) == ("Ann", "Bob", (1, 0), None)
    send_messages(Archive(store), report_later(LOSS, "r2", names=("Bob", "Ann")))
    send_messages(Archive(store), report_later(WIN, "r3", names=("Bob", "Cid")))  # no match of theirs
    director = TournamentDirector(store, KEY)
    assert director.describe_tournament(1)["bracket"][-1][0]["wins"] == (1, 1)
    newest = director.describe_tournament(1)["corrections"][0]
    reason = f"Bob, north/table-3/r2/{len(LOSS)}"
    assert (newest["by"], newest["reason"], newest["wins"]) == ("board table-3", reason, [1, 1])
    director.record_match(1, {"round": 1, "number": 1, "wins": [1, 0]}, "Zoe", "the second was a friendly game")
    send_messages(Archive(store), report_later(WIN, "r4", names=("Bob", "Ann")))
    send_messages(Archive(store), report_later(WIN, "r5", names=("Bob", "Ann")))  # the match is over
    match = TournamentDirector(store, KEY).describe_tournament(1)["bracket"][-1][0]
    assert (match["wins"], match["winner"]) == ((2, 0), "Ann")


def test_a_late_report_still_belongs_to_its_match(store, director):
    enter_all(director)
    director.draw_bracket(1, ["Ann", "Bob"])
    reports = [
        report_moves(moves, f"r{n}", ms=LATER_MS + n * 1_000_000, names=("Bob", "Ann"))
        for n, moves in enumerate((WIN, LOSS, WIN, LOSS))  # Ann, Bob, Ann, and a friendly game that Bob wins
    ]
    for n in (0, 2, 1, 3):
        send_messages(Archive(store), reports[n])
    match = TournamentDirector(store, KEY).describe_tournament(1)["bracket"][-1][0]
    assert (match["one"], match["wins"], match["winner"]) == ("Ann", (2, 1), "Ann")


def test_an_early_game_is_none_of_the_bracket(store, director):
    enter_all(director)
    director.draw_bracket(1, ["Ann", "Bob"])
    send_messages(Archive(store), report_moves(WIN, "r1", names=("Bob", "Ann")))
    assert TournamentDirector(store, KEY).describe_tournament(1)["bracket"][-1][0]["wins"] == (0, 0)


def test_a_changed_bracket_result_waits_for_the_director(store, director):
    enter_all(director)
    director.draw_bracket(1, ["Ann", "Bob"])
    send_messages(Archive(store), report_later(WIN, names=("Bob", "Ann")))
    send_messages(Archive(store), report_later([*WIN, Undo()], names=("Bob", "Ann")))
    assert TournamentDirector(store, KEY).describe_tournament(1)["bracket"][-1][0]["wins"] == (1, 0)
    assert ["Correct the result by hand" in refusal["why"] for refusal in archive_health(store)["refused"]] == [True]


def test_a_board_finds_its_game_among_thousands(store, director):
    names = [f"P{n:03}" for n in range(200)]
    event = director.create_tournament({**SETTINGS, "players": names, "games": 22})
    game = director.load_state(event).games[0]
    send_messages(Archive(store), report_later(WIN, names=(game.one.lower(), game.two)))
    assert director.load_state(event).lines[game.two, 1][:2] == (3, 111)


def test_a_leaving_player_gives_byes_and_never_qualifies(director):
    director.enter_own_game(1, "Ann", {"round": 1, "won": True, "spread": 40})
    director.remove_player(1, "Ann", "Zoe", "ill")
    state = director.load_state(1)
    assert [game.round for game in state.games if not game.two] == [2, 3, 4]
    assert not any("Ann" in game[2:] for game in state.games if game.round > 1)
    assert "Ann" not in director.describe_tournament(1)["qualifiers"]
    assert director.describe_tournament(1)["gone"] == ["Ann"]
    (left,) = director.describe_tournament(1)["corrections"]
    assert (left["reason"], left["joins"]) == ("ill", False)


def test_a_late_player_takes_the_coming_byes(director):
    event = director.create_tournament({**SETTINGS, "players": NAMES[:7]})
    byes = {game.round: game.one for game in director.load_state(event).games if not game.two}
    first = game_of(director, byes[2], 1, event)
    director.enter_own_game(event, byes[2], {"round": 1, "won": True, "spread": 3})
    director.add_late_player(event, " ida ", "Zoe", "missed the bus")
    state = director.load_state(event)
    games = [game for game in state.games if "ida" in game[2:]]
    assert [(game.round, {*game[2:]} - {"ida"}) for game in games] == [(at, {byes[at]}) for at in (2, 3, 4)]
    assert [game.one == "ida" for game in games] == [False, True, False]
    assert game_of(director, byes[2], 1, event) == first
    assert [game.round for game in state.games if not game.two] == [1]
    enter_all(director, event=event)
    assert director.describe_card(event, "Ida")["player"] == "ida"
    replaced, joined = director.describe_tournament(event)["corrections"]
    assert (joined["reason"], joined["joins"]) == ("missed the bus", True)
    assert (replaced["player"], replaced["round"], replaced["by"], replaced["reason"]) == (byes[2], 1, "Zoe", "")
    with pytest.raises(IllegalMove, match="already"):
        director.add_late_player(event, "IDA", "Zoe", "")


def test_a_late_player_needs_a_bye(director):
    with pytest.raises(IllegalMove, match="No bye is left"):
        director.add_late_player(1, "Ida", "Zoe", "")
    assert "Ida" not in director.load_state(1).players
    director.remove_player(1, "Ann", "Zoe", "ill")
    left_behind = {game.round: game.one for game in director.load_state(1).games if not game.two}
    director.add_late_player(1, "Ida", "Zoe", "")
    state = director.load_state(1)
    met = {game.round: {*game[2:]} - {"Ida"} for game in state.games if "Ida" in game[2:]}
    assert met == {at: {name} for at, name in left_behind.items()}
    with pytest.raises(IllegalMove, match="No bye is left"):
        director.add_late_player(1, "Ann", "Zoe", "")
    director.remove_player(1, "Ida", "Zoe", "")
    director.add_late_player(1, "Ann", "Zoe", "well again")
    assert director.describe_tournament(1)["gone"] == ["Ida"]
    assert {name for game in director.load_state(1).games for name in game[2:]} == {*NAMES}


def test_matches_and_the_consolation_follow_the_bracket(director):
    with pytest.raises(IllegalMove, match="Draw the bracket first"):
        director.create_consolation(1, {"name": "Consolation", "games": 3})
    enter_all(director)
    director.draw_bracket(1, ["Ann", "Bob"])
    with pytest.raises(IllegalMove, match="the winner has 2"):
        director.record_match(1, {"round": 1, "number": 1, "wins": [3, 0]}, "Zoe", "")
    director.record_match(1, {"round": 1, "number": 1, "wins": [2, 1]}, "Zoe", "")
    final = director.describe_tournament(1)["bracket"][-1][0]
    assert (final["one"], final["two"], final["winner"]) == ("Ann", "Bob", "Ann")
    director.record_match(1, {"round": 1, "number": 1, "wins": [1, 2]}, "Zoe", "wrong way round")
    assert director.describe_tournament(1)["bracket"][-1][0]["winner"] == "Bob"
    with pytest.raises(IllegalMove, match="has a result"):
        director.undo_bracket(1)
    event = director.create_consolation(1, {"name": "Consolation", "games": 3})
    assert sorted(director.load_state(event).players) == NAMES[2:]
    enter_all(director, event=event)
    director.draw_bracket(event, ["Cid", "Dot"])
    assert director.describe_tournament(event)["qualifiers"] == ["Cid", "Dot"]
    assert len(director.describe_tournament(event)["rounds"]) == 3


def test_of_equal_players_the_director_says_who_qualifies(director):
    enter_all(director, wrong=[("Ann", 1, (2, 11)), ("Eve", 1, (0, -11))])
    assert director.describe_tournament(1)["tied"] == ["Bob", "Cid", "Dot"]
    for ahead in ([], ["Ann"], ["Bob", "Nobody"], "Bob"):
        with pytest.raises(CompanionError):
            director.draw_bracket(1, ahead)
    director.draw_bracket(1, ["Cid"])
    assert director.describe_tournament(1)["qualifiers"] == ["Ann", "Cid"]
    assert director.describe_tournament(1)["tied"] == []


@pytest.mark.parametrize(
    "wrong",
    [{"games": 8}, {"games": 0}, {"games": True}, {"players": NAMES * 2}, {"players": "Ann"}, {"best_of": [2]},
     {"best_of": []}, {"best_of": 3}, {"tables": 0}, {"game_points": "9,9,9"}, {"name": ""}],
)  # fmt: skip
def test_an_impossible_tournament_is_not_stored(store, wrong):
    with pytest.raises(CompanionError):
        TournamentDirector(store, KEY).create_tournament(SETTINGS | wrong)
    assert store.query("SELECT count(*) FROM event") == [(0,)]
    assert store.query("SELECT count(*) FROM pairing") == [(0,)]


@pytest.fixture
def client(store, director):
    """A browser of the club's application, and one that has opened the organiser's link."""
    app = create_club_app(store, KEY)
    organiser = app.test_client()
    organiser.get(f"/join/{KEY}")
    return app.test_client(), organiser


def test_everybody_reads_and_only_the_director_writes(client, store):
    guest, organiser = client
    assert guest.get("/api/club/tournaments/1").json["event"]["rounds"] == 4
    assert guest.get("/api/club/tournaments/9").status_code == 409
    games = guest.get("/api/club/tournaments/1/rounds/2").json["games"]
    assert [(game["table"], game["sitting"]) for game in games] == [(1, 1), (2, 1), (3, 1), (1, 2)]
    assert "code" not in guest.get("/api/club/tournaments/1/cards?player=Ann").json
    assert guest.post("/api/club/tournaments", json=SETTINGS).status_code == 403
    sent = {"player": "Ann", "lines": [{"round": 1, "points": 2, "spread": 4}], "by": "Zoe"}
    assert guest.post("/api/club/tournaments/1/cards", json=sent).status_code == 403
    assert organiser.post("/api/club/tournaments/1/cards", json=sent).status_code == 201
    assert organiser.post("/api/club/tournaments/1/nothing", json=sent).status_code == 404
    assert organiser.post("/api/club/tournaments", json=SETTINGS).json["event"]["id"] == 2
    assert organiser.post("/api/club/events/1/rounds", json={}).status_code == 409
    shown = json.loads(ClubPageCache(store, LeagueEvents(store)).get_body(1, None).content)
    assert (shown["event"]["kind"], shown["games"], shown["standings"][0]["player"]) == ("tournament", [], "Ann")


def test_a_code_opens_one_card_only(client):
    guest, organiser = client
    code = organiser.get("/api/club/tournaments/1/cards?player=Ann").json["code"]
    assert guest.get(f"/api/club/card?event=1&code={code}").json["player"] == "Ann"
    sent = {"event": 1, "code": code, "round": 1, "won": False, "spread": 7, "player": "Bob"}
    assert guest.post("/api/club/card", json=sent).json["lines"][0]["spread"] == -7
    assert guest.post("/api/club/card", json=sent | {"code": "AAAAAAAA"}).status_code == 403
    assert guest.post("/api/club/card", json=sent | {"code": None}).status_code == 403
    assert guest.post("/api/club/card", json=sent | {"event": "1"}).status_code == 403
    assert guest.get("/api/club/card?event=1").status_code == 403


def test_a_phone_changes_no_line_of_the_director(client, director):
    """What the director has entered or corrected stays, and the phone is told. A blanked line is open again."""
    guest, organiser = client
    code = director.card_code(1, "Ann")
    sent = {"event": 1, "code": code, "round": 1, "won": True, "spread": 40}
    assert guest.post("/api/club/card", json=sent).status_code == 201

    def correct(**line):
        body = {"player": "Ann", "lines": [{"round": 1, **line}], "by": "Ann", "reason": ""}  # a director who plays
        assert organiser.post("/api/club/tournaments/1/cards", json=body).status_code == 201

    correct(points=2, spread=10)
    refusal = "The director has entered this line. Ask the director to change it."
    for _ in range(2):
        reply = guest.post("/api/club/card", json=sent)
        assert (reply.status_code, reply.json["error"]) == (409, refusal)
    assert director.load_state(1).lines["Ann", 1][:2] == (2, 10)
    assert guest.get(f"/api/club/card?event=1&code={code}").json["lines"][0]["locked"]
    assert TournamentDirector(director._database, KEY).load_state(1).locked == {("Ann", 1)}
    correct(points=None, spread=None)
    assert not guest.get(f"/api/club/card?event=1&code={code}").json["lines"][0]["locked"]
    assert guest.post("/api/club/card", json=sent).status_code == 201
    assert guest.post("/api/club/card", json=sent | {"spread": 41}).status_code == 201


def test_simultaneous_entries_leave_the_directors_line(director):
    """A phone and the director save the same line at the same moment: whoever is first, the director's stays."""
    start = threading.Barrier(8)

    def enter(by_director):
        start.wait()
        if by_director:
            director.enter_lines(1, "Ann", [{"round": 1, "points": 2, "spread": 10}], "Zoe", "")
        else:
            with contextlib.suppress(IllegalMove):
                director.enter_own_game(1, "Ann", {"round": 1, "won": True, "spread": 40})

    with ThreadPoolExecutor(8) as phones:
        list(phones.map(enter, [True, False, False, False] * 2))
    assert director.load_state(1).lines["Ann", 1][:2] == (2, 10)


def test_an_unmarked_older_line_is_open(store, director):
    """A store of an earlier version does not say who entered a line; only its rulings are the director's."""
    rows = [(1, 1, 1, "Ann", 2, 10, 0, "Zoe", "", 0), (2, 1, 2, "Ann", 2, 10, 1, "Zoe", "", 0)]
    columns = "id, event, round, player, points, spread, is_ruled, said_by, reason, ms"
    with store.transaction() as run_sql:
        run_sql.run_many(f"INSERT INTO scorecard ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    assert director.load_state(1).locked == {("Ann", 2)}


@pytest.mark.parametrize("number", [2**63, 10**30])
def test_a_too_large_number_is_refused_in_words(client, number):
    guest, _ = client
    asked = {"event": number, "code": "AAAA"}
    for reply in (guest.get(f"/api/club/tournaments/{number}"), guest.post("/api/club/card", json=asked)):
        assert (reply.status_code, reply.json["error"]) == (400, "A number is too large.")


def read_pdf(response):
    assert response.status_code == 200
    return [page.extract_text() for page in PdfReader(io.BytesIO(response.data)).pages]


def test_everything_is_printed_at_any_moment(client, director):
    guest, organiser = client
    enter_all(director, wrong=[("Ann", 2, (2, 21))])
    root = "/api/club/tournaments/1/paper"
    pairings = read_pdf(guest.get(f"{root}/pairings.pdf"))
    assert ["Round" in page for page in pairings[:4]] == [True] * 4
    assert all(name in pairings[0] for name in NAMES)
    filled = read_pdf(guest.get(f"{root}/cards.pdf"))
    blank = read_pdf(organiser.get(f"{root}/blank-cards.pdf?codes"))
    assert len(filled) == len(blank) == 4
    assert "21" in filled[0]
    assert "21" not in blank[0].partition("http")[0]
    assert director.card_code(1, "Ann") in blank[0]
    assert "code" not in "".join(read_pdf(guest.get(f"{root}/blank-cards.pdf?codes")))
    assert "to be ruled on: 1" in read_pdf(guest.get(f"{root}/standings.pdf"))[0]
    assert "not been drawn" in read_pdf(guest.get(f"{root}/bracket.pdf"))[0]
    director.rule_on_all_games(1, "Zoe", "")
    director.draw_bracket(1, ["Ann", "Bob"])
    assert "1 Ann" in read_pdf(guest.get(f"{root}/bracket.pdf"))[0]
    assert "Tisch" in read_pdf(guest.get(f"{root}/pairings.pdf?lang=de"))[0]
    assert guest.get(f"{root}/other.pdf").status_code == 404


def test_a_gone_players_card_is_printed_not_blank(client, director):
    guest, _ = client
    director.enter_own_game(1, "Ann", {"round": 1, "won": True, "spread": 40})
    director.remove_player(1, "Ann", "Zoe", "ill")
    root = "/api/club/tournaments/1/paper"
    assert "Weekend · Ann" in read_pdf(guest.get(f"{root}/cards.pdf"))[0]
    assert "Weekend · Ann" not in "".join(read_pdf(guest.get(f"{root}/blank-cards.pdf")))


def test_a_duplicate_nights_standings_have_its_ranking(client, director):
    guest, _ = client
    event = director.create_tournament({**SETTINGS, "players": NAMES[:4], "games": 1, "duplicate": True})
    for n, game in enumerate(director.load_state(event).games):
        for player, has_won in zip(game[2:], (True, False), strict=True):
            director.enter_own_game(event, player, {"round": 1, "won": has_won, "spread": 10 * n + 5})
    (page,) = read_pdf(guest.get(f"/api/club/tournaments/{event}/paper/standings.pdf"))
    assert [f"{sign}5" in page.partition("Duplicate")[2] for sign in "+-"] == [True, True]
    (ordinary,) = read_pdf(guest.get("/api/club/tournaments/1/paper/standings.pdf"))
    assert "Duplicate" not in ordinary


def test_one_paper_is_printed_at_a_time(client, monkeypatch):
    guest, organiser = client
    address, second = "/api/club/tournaments/1/paper/standings.pdf", []

    def print_second_paper(*_):
        if not second:
            second.append(None)
            second[:] = [guest.get(address), organiser.get(address)]
        return b"%PDF"

    monkeypatch.setattr(paper, "print_paper", print_second_paper)
    assert guest.get(address).status_code == 200
    assert [each.status_code for each in second] == [503, 200]
    assert second[0].json["error"] == "Another paper is being printed. Try again in a moment."
    assert guest.get(address).status_code == 200
