"""Each language says all that there is to say, and nothing else: `make words` brings its file up to date."""

import re

import pytest
from babel.messages.pofile import read_po
from words import gather

from companion.words.catalogue import catalogue, folders
from companion.words.sentence import Pattern, say, say_many

PLACE = re.compile(r"\{\w*\}")


@pytest.fixture(scope="module")
def wanted():
    return gather.all_patterns()


def said(path):
    with path.open("rb") as file:
        found = read_po(file, abort_invalid=True)
    return {each.id: each.string for each in found if each.id}


@pytest.mark.parametrize("path", folders().values(), ids=folders())
def test_a_language_says_all_that_there_is(path, wanted):
    every = said(path)
    assert {pattern for pattern in wanted if not all(forms(every.get(pattern, "")))} == set()
    assert set(every) - wanted == set()


def forms(text):
    return [text] if isinstance(text, str) else text


@pytest.mark.parametrize("path", folders().values(), ids=folders())
def test_it_keeps_the_places(path):
    for pattern, text in said(path).items():
        wanted = {*PLACE.findall(pattern if isinstance(pattern, str) else pattern[1])}
        for form in forms(text):
            assert set(PLACE.findall(form)) - {"{n}"} == wanted - {"{n}"}, form


@pytest.mark.parametrize("path", folders().values(), ids=folders())
def test_its_file_is_as_make_words_writes_it(path, wanted):
    assert gather.written(path, gather.template(wanted)) == path.read_bytes()


def test_what_is_gathered_of_scripts_and_pages(tmp_path):
    (tmp_path / "a.js").write_text(
        'fill(el, `<b title="${say("One \\"x\\".")}">${sayMany("{n} peg", "{n} pegs", 2)}</b>`); say(el, x);'
    )
    (tmp_path / "a.html").write_text(
        '<p class="x" aria-label="Two words">A <b>bold</b>\n  word &amp; more</p><p>31</p><!-- no -->'
    )
    assert list(gather.of_scripts(tmp_path)) == ['One "x".', ("{n} peg", "{n} pegs")]
    assert list(gather.of_pages(tmp_path))[:2] == ["Two words", "A <b>bold</b> word & more"]


def test_a_new_sentence_is_put_in_and_an_old_one_taken_out(tmp_path):
    path = tmp_path / "de" / "words.po"
    path.parent.mkdir()
    head = 'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
    path.write_text(head + 'msgid "Old"\nmsgstr "Alt"\n\nmsgid "Kept"\nmsgstr "Bleibt"\n')
    path.write_bytes(gather.written(path, gather.template({"Kept", "New"})))
    assert said(path) == {"Kept": "Bleibt", "New": ""}


GERMAN = [
    (say("{name}: {count}.", name="Ann", count=say("fifteen {total}", total=say("two"))), "Ann: fünfzehn zwei."),
    (say_many("{n} point", "{n} points", 1), "1 Punkt"),
    (say("{rank} of {suit}", rank=say("queen"), suit=say("spades")), "Pik Dame"),
]


@pytest.mark.parametrize(("sentence", "told"), GERMAN)
def test_german_is_what_players_say(sentence, told):
    german = catalogue("de")
    assert german.value(sentence) == told
    assert german.pattern(Pattern("{who} said go")) == "{who} sagt Go"
