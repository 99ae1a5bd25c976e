"""The commands as a person types them: what they print, and how they end."""

import json
import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules

import click
import pytest

from companion import commands
from companion.cli import COMMANDS, main
from tests.support.waiting import PATIENCE_S


def companion(*words, given=b""):
    done = subprocess.run(
        [sys.executable, "-m", "companion", *words], input=given, capture_output=True, timeout=PATIENCE_S, check=False
    )
    assert b"Traceback" not in done.stdout + done.stderr
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_a_hand_is_counted_as_players_say_it():
    code, out, _ = companion("score", "5H5S5CJD", "--starter", "5D")
    assert code == 0
    assert out.startswith("Fifteen two, fifteen four")
    assert out.endswith("his nobs is twenty-nine.\n")


@pytest.mark.parametrize("cards", [["5H5S5CJD"], ["5H 5S 5C JD"], ["5H", "5S,5C", "JD"]])
def test_cards_may_be_written_as_one_likes(cards):
    code, out, _ = companion("score", *cards, "--starter", "5D", "--json")
    told = json.loads(out)
    assert (code, told["total"], sum(i["points"] for i in told["items"])) == (0, 29, 29)
    assert all(i["cards"] for i in told["items"])


def test_crib_flushes_and_five_card_hands_are_counted():
    assert json.loads(companion("score", "2C4C6C8C", "--starter", "TD", "--crib", "--json")[1])["total"] == 0
    assert json.loads(companion("score", "2C4C8C", "--starter", "TC", "--five-card", "--json")[1])["total"] == 4


@pytest.mark.parametrize("words", [
    "score 5H5S5CJX --starter 5D", "score 5H5S5C --starter 5D", "score 5H5H5CJD --starter 5D", "referee --game six",
    "referee --option taget=61", "referee --option target=60", "referee --seats 5", "referee --dealer 2",
    "boards show clasic", "play --level club", "nonsense",
])  # fmt: skip
def test_wrong_words_end_with_exit_2(words):
    code, out, err = companion(*words.split())
    assert (code, out) == (2, "")
    assert err.strip().endswith(".")


def test_the_referee_answers_every_line():
    lines = [b'{"type":"starter","card":"JD"}', b"", b"\xff\xfe", b"[" * 5000]
    lines.append(b'{"type":"adjust","seat":0,"points":1e999}')
    code, out, _ = companion("referee", given=b"\n".join(lines) + b"\n")
    answers = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [a["ok"] for a in answers] == [True, False, False, False, False]
    assert all(len(a["error"]) <= 400 for a in answers[1:])


def test_boards_are_listed_and_shown():
    names = companion("boards")[1].split()
    assert {"bases", "classic", "classic-61", "loop-60", "pursuit", "pursuit-square"} <= set(names)
    assert names == sorted(names)
    assert len(json.loads(companion("boards", "show", "classic", "--json")[1])["holes"]) == 369
    assert "121 holes" in companion("boards", "show", "classic")[1]


def test_a_trace_reads_input_or_file(tmp_path):
    table = b'{"ms":0,"table":{"game":"pegs-only"}}\n{"ms":1,"move":{"type":"peg","seat":0,"points":4}}\n'
    path = tmp_path / "recording"
    path.write_bytes(table)
    code, out, _ = companion("trace", given=table)
    assert code == 0
    assert [line["award"]["points"] for line in map(json.loads, out.splitlines()) if "award" in line] == [4]
    assert companion("trace", str(path))[1] == out


def test_every_command_is_listed():
    modules = {name: import_module(f"companion.commands.{name}") for _, name, _ in iter_modules(commands.__path__)}
    listed = {
        (value.name, name)
        for name, module in modules.items()
        for value in vars(module).values()
        if isinstance(value, click.Command) and value is not getattr(module, "show", None)
    }
    assert listed == set(COMMANDS.items())


def list_options(group, context):
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield from ((name, each) for each in command.params if isinstance(each, click.Option))
        if isinstance(command, click.Group):
            yield from list_options(command, click.Context(command, info_name=name, parent=context))


def test_every_option_has_help():
    options = list(list_options(main, click.Context(main, info_name="companion")))
    assert [(name, option.opts) for name, option in options if not option.help] == []
    assert len(options) > 60


def test_a_hand_may_be_typed_freely():
    code, out, _ = companion("score", "5h", "5♠", "5c", "jd", "--starter", "10d")
    assert (code, out) == companion("score", "5H5S5CJD", "--starter", "TD")[:2]
    for starter in ("", "5H5S", "x"):
        assert companion("score", "5H5S5CJD", "--starter", starter)[0] == 2
