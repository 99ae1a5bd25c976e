"""Whole random games, sent to the program line by line as `companion referee` reads them, compared with an oracle.

The oracle predicts whether each line is refused, and what the answer contains otherwise. At the end the accepted moves
are replayed and then undone, one by one.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from companion import rules
from companion.protocol import json_codec
from companion.rules import Setup, advance
from companion.rules.moves import Undo
from tests.oracles.deal import Players, Refusal

JsonMove = dict[str, Any]
ANY_MOVE_PROBABILITY = 0.25
"""Probability of a random move, which may be refused."""
PHASES_WITH_TURN = ("play", "show", "roll", "claim", "take", "exchange", "return")
REQUIRED_FIELDS = {
    "swap": {"awards", "scores", "phase", "turn", "winner", "double", "display", "bank", "held", "stones"},
    "shuffle": {"awards", "scores", "phase", "winner", "starter", "rows", "columns", "heels", "total"},
}
COMMON_FIELDS = {"awards", "scores", "phase", "turn", "count", "winner", "dealer", "starter"}


class Oracle(Protocol):
    """A game that predicts the answers: `expect` returns what one must contain, or raises Refusal."""

    def expect(self, move: JsonMove) -> dict[str, Any]: ...


@dataclass
class Kind:
    """A game, and how to set it up with players."""

    key: str
    seats: tuple[int, ...]
    options: Mapping[str, tuple[str, ...]]
    create_players: Callable[[Setup, Random], tuple[Oracle, Players]]
    dealers: tuple[int | None, ...] = ()


def create_setup(kind: Kind, seed: int, random: Random) -> Setup:
    """Return a setup: seats in turn, random options; every second game is counted by the players."""
    seats = kind.seats[seed % len(kind.seats)]
    options = {key: random.choice(values) for key, values in kind.options.items()}
    if "counting" in options:
        options["counting"] = ("auto", "manual")[seed // len(kind.seats) % 2]
    return Setup(seats, random.choice((*range(seats), *kind.dealers)), options)


def check_whole_game(kind: Kind, seed: int) -> None:
    setup, accepted, past = play_game(kind, seed)
    game = rules.find_game(kind.key)
    again = rules.begin_game(game, setup)
    for move in accepted:
        again, _ = advance(game, again, json_codec.read_move(move))
    assert again.state == past.state
    while past.parent is not None:
        earlier = past.parent
        past, step = advance(game, past, Undo())
        assert past is earlier
        assert (step.state, step.awards, dict(step.notes)) == (earlier.state, (), {})
    assert past.state == game.start(setup)
    check_refusal(json_codec.answer_referee_line(game, past, '{"type":"undo"}')[1])


def play_game(kind: Kind, seed: int) -> tuple[Setup, list[JsonMove], Any]:
    random = Random(seed)
    setup = create_setup(kind, seed, random)
    oracle, players = kind.create_players(setup, random)
    game = rules.find_game(kind.key)
    past = rules.begin_game(game, setup)
    before: Mapping[str, Any] = json_codec.to_json_value(game.view(past.state))
    accepted: list[JsonMove] = []
    others = Random(seed)
    while not players.is_done():
        if accepted and random.random() < 0.02:
            past = undo_and_redo(game, past, accepted, before)
        move = players.draw_any_move() if random.random() < ANY_MOVE_PROBABILITY else players.choose_move()
        if move["type"] == "adjust" and others.random() < 0.3:
            several = others.choices(range(setup.seats), k=others.randint(1, 2))
            move["also"] = [{"seat": seat, "points": others.choice((-40, 0, 2, 3, 5))} for seat in several]
        past, before = check_move(kind, oracle, past, move, before, accepted)
        assert len(accepted) < 20_000
    return setup, accepted, past


def check_move(
    kind: Kind, oracle: Oracle, past: Any, move: JsonMove, before: Mapping[str, Any], accepted: list[JsonMove]
) -> Any:
    """Return history and answer after a move, accepted or refused as the oracle predicts."""
    game = rules.find_game(kind.key)
    try:
        expected = expect_adjustment(oracle, move) if move["type"] == "adjust" else oracle.expect(move)
    except Refusal:
        expected = None
    after, answer = json_codec.answer_referee_line(game, past, json_codec.dump_json(move))
    if expected is None:
        assert answer["ok"] is False, (move, answer)
        check_refusal(answer)
        assert after is past
        return past, before
    assert answer.pop("ok") is True, (move, answer)
    assert after.parent is past
    check_answer(move, expected, answer)
    check_fields(kind.key, answer)
    accepted.append(move)
    notes = ("awards", "reneges", "knocked_out")
    return after, {name: value for name, value in answer.items() if name not in notes}


def expect_adjustment(oracle: Oracle, move: JsonMove) -> dict[str, Any]:
    """Return what to expect of an adjustment of several sides: all of it, or a refusal."""
    parts = [{**part, "type": "adjust"} for part in (move, *move.get("also", ()))]
    tried = deepcopy(oracle)
    for part in parts:
        sides = len(tried.expect(part)["scores"])
    if any(part["points"] == 0 for part in parts) or len({part["seat"] % sides for part in parts}) < len(parts):
        raise Refusal
    answers = [oracle.expect(part) for part in parts]
    return answers[-1] | {"awards": [group for answer in answers for group in answer["awards"]]}


def check_answer(move: JsonMove, expected: dict[str, Any], answer: JsonMove) -> None:
    """Check that the answer has what is expected: award groups in order, awards within a group in any order."""
    given = [(award["seat"], award["points"], award["reason"]) for award in answer["awards"]]
    for group in expected.pop("awards"):
        some, given = given[: len(group)], given[len(group) :]
        assert sorted(some) == sorted(group), (move, some, group)
    assert given == [], (move, given)
    reneges = [(each["seat"], each["count"], each["card"]) for each in answer.get("reneges", ())]
    assert sorted(reneges) == sorted(expected.pop("reneges", ())), move
    assert answer.get("knocked_out", []) == expected.pop("knocked_out", []), move
    for name, value in expected.items():
        assert answer[name] == as_lists(value), (move, name, answer[name], value)


def as_lists(value: Any) -> Any:
    return [as_lists(each) for each in value] if isinstance(value, tuple | list) else value


def check_fields(key: str, answer: JsonMove) -> None:
    """Check what must hold for every accepted answer of every game."""
    assert set(answer) >= REQUIRED_FIELDS.get(key, COMMON_FIELDS)
    assert not {"turn", "count", "dealer"} & set(answer) or key != "shuffle"
    assert not {"count", "dealer", "starter"} & set(answer) or key != "swap"
    assert len(set(answer.get("runners", ()))) == len(answer.get("runners", ())) <= 4
    assert 0 <= answer.get("count", 0) <= 31
    assert answer["phase"] == "play" or answer.get("count", 0) == 0
    has_turn = answer["phase"] in PHASES_WITH_TURN and key not in ("shuffle", "pegs-only")
    assert (answer.get("turn") is not None) is has_turn
    assert min(answer["scores"]) >= 0
    assert answer["phase"] != "over" or key == "shuffle" or answer["winner"] is not None
    assert answer["phase"] == "over" or key == "shuffle" or answer["winner"] is None
    for award in answer["awards"]:
        assert set(award) == {"seat", "points", "reason", "cards"}
        assert award["points"] > 0 or award["reason"] in ("adjust", "false claim")


def check_refusal(answer: JsonMove) -> None:
    assert set(answer) == {"ok", "error"}
    error = answer["error"]
    assert error.isprintable()
    assert 10 < len(error) <= 400
    assert error.removeprefix("'")[0].isupper()
    assert error.endswith(".")
    assert ". " not in error
    assert not any(text in error for text in ("Error", "None", "Traceback", "(", "<", "{", "_", "'seat'"))


def undo_and_redo(game: Any, past: Any, accepted: list[JsonMove], before: Mapping[str, Any]) -> Any:
    """Undo the last move and make it again: the state must be the same."""
    back, _ = json_codec.answer_referee_line(game, past, '{"type":"undo"}')
    assert back is past.parent
    again, answer = json_codec.answer_referee_line(game, back, json_codec.dump_json(accepted[-1]))
    assert again.state == past.state
    assert before.items() <= answer.items()
    return again
