"""Each catalogue has exactly the messages of the program: `make words` brings its file up to date."""

import re

import pytest
from babel.messages.pofile import read_po

from companion.i18n.catalog import find_catalog_files, load_catalog
from companion.i18n.messages import MessagePattern, choose_articles, format_message, format_plural
from tests.i18n import extraction

PLACE = re.compile(r"\{\w*\}")


@pytest.fixture(scope="module")
def wanted():
    return extraction.all_messages()


def read_translations(path):
    with path.open("rb") as file:
        found = read_po(file, abort_invalid=True)
    return {each.id: each.string for each in found if each.id}


@pytest.mark.parametrize("path", find_catalog_files().values(), ids=find_catalog_files())
def test_a_language_says_all_that_there_is(path, wanted):
    every = read_translations(path)
    assert {pattern for pattern in wanted if not all(as_forms(every.get(pattern, "")))} == set()
    assert set(every) - wanted == set()


def as_forms(text):
    return [text] if isinstance(text, str) else text


@pytest.mark.parametrize("path", find_catalog_files().values(), ids=find_catalog_files())
def test_it_keeps_the_places(path):
    for pattern, text in read_translations(path).items():
        wanted = {*PLACE.findall(pattern if isinstance(pattern, str) else pattern[1])}
        for form in as_forms(text):
            assert set(PLACE.findall(choose_articles(form, {}))) - {"{n}"} == wanted - {"{n}"}, form


@pytest.mark.parametrize("path", find_catalog_files().values(), ids=find_catalog_files())
def test_its_file_is_as_make_words_writes_it(path, wanted):
    is_current = extraction.format_catalog(path, extraction.create_template(wanted)) == path.read_bytes()
    assert is_current, "Run `make words`."  # pytest would take minutes to show how the files differ


def test_what_is_gathered_of_scripts_and_pages(tmp_path):
    (tmp_path / "a.js").write_text(
        'fill(el, `<b title="${formatMessage("One \\"x\\".")}">${formatPlural("{n} peg", "{n} pegs", 2)}</b>`); x(el);'
    )
    (tmp_path / "a.html").write_text(
        '<p class="x" aria-label="{{ _("Two words") }}">{% trans %}A <b>bold</b>\n  word{% endtrans %}</p><p>31</p>'
    )
    assert list(extraction.script_messages(tmp_path)) == ['One "x".', ("{n} peg", "{n} pegs")]
    assert sorted(extraction.page_messages(tmp_path)) == ["A <b>bold</b> word", "Two words"]


def test_a_catalogue_gains_new_and_loses_old_sentences(tmp_path):
    path = tmp_path / "de" / "words.po"
    path.parent.mkdir()
    head = 'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
    path.write_text(head + 'msgid "Old"\nmsgstr "Alt"\n\nmsgid "Kept"\nmsgstr "Bleibt"\n')
    path.write_bytes(extraction.format_catalog(path, extraction.create_template({"Kept", "New"})))
    assert read_translations(path) == {"Kept": "Bleibt", "New": ""}


FIFTEEN = format_message("fifteen {total}", total=format_message("two"))
GERMAN = [
    (format_message("{name}: {count}.", name="Ann", count=FIFTEEN), "Ann: fünfzehn zwei."),
    (format_plural("{n} point", "{n} points", 1), "1 Punkt"),
    (format_message("{rank} of {suit}", rank=format_message("queen"), suit=format_message("spades")), "Pik Dame"),
]


@pytest.mark.parametrize(("sentence", "told"), GERMAN)
def test_german_is_what_players_say(sentence, told):
    german = load_catalog("de")
    assert german.translate_value(sentence) == told
    assert german.translate_pattern(MessagePattern("{who} said go")) == "{Der who} sagt Go"


NO_TEMPLATE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(?<=[(=,] )/[^/\n]+/|(?<=\()/[^/\n]+/""", re.DOTALL
)
"""Comments, plain strings and regular expressions, in which backquotes do not begin a template."""
BARE = re.compile(r"(?<![\w\-/=.#_@\[(])[A-Za-z]{3,}(?![\w\-/=(:.\]_])")
"""A word that is not a class, a selector or an address."""
NOT_READ = ("peg seat-", "No element matches", "input[name=", "<button aria-pressed=", "bold 40px", "companion flash")
"""Parts of templates that people do not read: classes, selectors, errors for developers, commands."""


def find_templates(text):
    """Return the text of each template literal of a module, nested ones included; each `${…}` is a blank."""
    found, stack, at = [], [], 0  # of what is open: a template's parts, or how many braces within its `${…}`
    while at < len(text):
        within = bool(stack) and isinstance(stack[-1], list)
        skipped = None if within else NO_TEMPLATE.match(text, at)
        step = skipped[0] if skipped else text[at : at + (2 if within and text[at] in "\\$" else 1)]
        at += len(step)
        if within and step == "${":
            stack[-1].append(" ")
            stack.append(0)
        elif within and step[0] != "`":
            stack[-1].append(step[0])
            at -= step[0] == "$" and len(step) == 2
        elif within:
            found.append("".join(stack.pop()))
        elif step == "`":
            stack.append([])
        elif stack and step in "{}":
            stack[-1] += 1 if step == "{" else -1
            if stack[-1] < 0:
                stack.pop()
    return found


def test_every_word_of_the_pages_can_be_translated():
    script = 'a(`<b>Steal ${at ? `x ${"`"} y` : { b: 1 }.b} now</b>`); // `no`'
    assert find_templates(script) == ["x   y", "<b>Steal   now</b>"]
    said = {
        (path.name, found[0])
        for path in sorted((extraction.ROOT / "web").rglob("*.js"))
        for text in find_templates(path.read_text("utf-8"))
        if not any(each in text for each in NOT_READ) and (found := BARE.findall(re.sub(r"<[^<>]*>", " ", text)))
    }
    assert said == set()
