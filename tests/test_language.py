"""The language of the project: names and docstrings of companion/ and of the tests' tools, and the prose of pages."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / f"{name}.md" for name in ("README", "CHANGELOG", "CONTRIBUTING", "SECURITY")),
    *sorted(ROOT.glob("docs/**/*.md")),
]
MAX_ONE_WORD_SHARE = 0.55
"""Share of all functions that may be named by a single word (gpiozero 0.44, Flask 0.28)."""

_PARTICIPLES = """
begun been bound bought bred broken brought built built caught chosen come counted cut dealt done drawn driven
fallen fed felt fled flown found forbidden given gone grown heard held hidden hit hung kept known laid led left lent
let lain lit lost made meant met paid put read risen rung said seated seen sent set shown shut sold spent spoken
stood stuck sung swept taken taught thought thrown told torn undone understood won worn woken written
"""
PARTICIPLES = frozenset(_PARTICIPLES.split()) - {"put", "read", "set", "let", "cut", "hit", "come"}  # verbs too
_ADJECTIVES = """
afar alike alone amiss anew apart awake aware away beside bare blind busy calm clean close dark dead dim dry due
early empty fair far fast few fit free fresh full good great idle large last late least less like likely live long
loose lone low many more most near new next odd of off old on open own plain possible quick quiet ready rest right
round safe same seldom several sharp short silent small steady still strange sure tall tidy tight true unclear unfit
unlike usual vain wide wrong young
"""
_VERBS_TOO = "close open rest clean dry fit free live round tidy next dim due on like"
ADJECTIVES = frozenset(_ADJECTIVES.split()) - frozenset(_VERBS_TOO.split())
OVERRIDDEN = {
    ("companion/http/wsgi/limits.py", "received"),
    ("companion/table/table.py", "locked"),
}
"""Methods whose name is given by a library, and `with table.locked():`, which reads as a sentence."""
VERBS_IN_ED = frozenset({"embed", "feed", "need", "proceed", "seed", "shed", "speed", "exceed", "succeed", "led"})

OLD_IDIOM = re.compile(
    r"\b(?:so many|so long|so often|nobody|nobody's|anew|amiss|whoever|of late|told|tells?|"
    r"(?<!there )(?:is|are) no (?!longer))\b",
    re.IGNORECASE,
)
OLD_PROSE = re.compile(
    OLD_IDIOM.pattern + r"|\b(?:lay|lays|laid|laying) away\b|\b(?:thought of|reckon\w*)\b"
    # A free relative as subject: "What is settled is settled once."
    r"|(?:^|[.;] )(?-i:Who|What) [^?*|\n]*?[.|](?=\s|$)",
    re.IGNORECASE | re.MULTILINE,
)
_OLD_MODULES = """
basics homes learning play wanted wiring storage doubted ask marks beside given wood events folding room shown bases
asking book chase chasing exchanges hunting players playing quick recall reproach seated showing swapping weighing
bringing saying hearing passing pixels reopening sight asking plan machinery letter pack seat visiting house
household telling dealt display rows tables dealing named patience refused shapes walking wearing afar cuts guest
keeping ledger lit opening recorded shelf tables unseen offer
"""
OLD_MODULES = frozenset(_OLD_MODULES.split())

TOOLING_FOLDERS = ("arena", "bench", "oracles", "perception", "support")
TOOLING_FILES = ("**/conftest.py", "club/stress_*.py", "club/simulated_boards.py", "browser/[!t]*.py")
"""The tests' own tools below tests/, without the tests themselves."""


class Function(NamedTuple):
    """A function or method: its file, line and name, and whether it is a property."""

    file: str
    line: int
    name: str
    is_property: bool


@cache
def list_modules(folder: Path = ROOT / "companion") -> list[tuple[Path, ast.Module]]:
    paths = sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]
    return [(path, ast.parse(path.read_text("utf-8"))) for path in paths]


def list_functions(folder: Path = ROOT / "companion") -> list[Function]:
    return [
        Function(str(path.relative_to(ROOT)), node.lineno, node.name, _is_property(node))
        for path, tree in list_modules(folder)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not re.fullmatch(r"__\w+__", node.name)
    ]


def _is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("property" in ast.unparse(each) for each in node.decorator_list)


def is_one_word(name: str) -> bool:
    return "_" not in name.strip("_")


def is_bare_participle_or_adjective(name: str) -> bool:
    word = name.strip("_")
    if not is_one_word(word):
        return False
    return word in PARTICIPLES or word in ADJECTIVES or (word.endswith("ed") and word not in VERBS_IN_ED)


def list_docstrings(folder: Path = ROOT / "companion") -> Iterator[tuple[str, int, str]]:
    """Each docstring and comment: file, line, text."""
    for path, tree in list_modules(folder):
        file = str(path.relative_to(ROOT))
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str):
                yield file, node.lineno, node.value.value
        for line, text in enumerate(path.read_text("utf-8").splitlines(), 1):
            if comment := re.search(r"(?:^|\s)#\s(.*)$", text):
                yield file, line, comment[1]


def find_old_idiom(folder: Path = ROOT / "companion") -> list[str]:
    return [
        f"{file}:{line}: {found[0]!r} in {' '.join(text.split())[:100]!r}"
        for file, line, text in list_docstrings(folder)
        if (found := OLD_IDIOM.search(text))
    ]


def read_prose(path: Path) -> str:
    """Return a page without code, quoted texts, headings and link targets, with one paragraph or table row per line."""
    text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"`[^`\n]*`|\]\([^)]*\)", "", text)
    text = re.sub(r"(?<=[^\n|])\n(?=[^\n|#-])", " ", text)
    return re.sub(r'"[^"\n]*"', "", text)


def find_old_prose(path: Path) -> list[str]:
    text = read_prose(path)
    return [
        f"{found[0]!r} in {text[max(0, found.start() - 40) : found.end() + 40]!r}" for found in OLD_PROSE.finditer(text)
    ]


def find_repeated_classes(folder: Path = ROOT / "companion") -> dict[str, list[str]]:
    places: dict[str, list[str]] = {}
    for path, tree in list_modules(folder):
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    return {name: files for name, files in places.items() if len(files) > 1}


def list_tooling() -> list[Path]:
    """Return the modules of the tests' own tools, without the tests."""
    tests = ROOT / "tests"
    paths = [path for folder in TOOLING_FOLDERS for path in (tests / folder).rglob("*.py")]
    paths += [path for pattern in TOOLING_FILES for path in tests.glob(pattern)]
    return sorted({path for path in paths if not path.name.startswith("test_")})


def test_most_functions_are_a_verb_and_its_object():
    functions = list_functions()
    share = sum(is_one_word(each.name) for each in functions) / len(functions)
    assert share <= MAX_ONE_WORD_SHARE, f"{share:.1%} of {len(functions)} functions are named by one word"


def test_no_function_is_a_participle_or_adjective():
    found = [each for each in list_functions() if is_bare_participle_or_adjective(each.name)]
    assert [each for each in found if (each.file, each.name) not in OVERRIDDEN] == []


def test_no_tool_is_a_participle_or_adjective():
    functions = [each for path in list_tooling() for each in list_functions(path)]
    found = [each for each in functions if is_bare_participle_or_adjective(each.name)]
    assert len(functions) > 800
    assert [each for each in found if (each.file, each.name) not in OVERRIDDEN] == []


def test_the_tests_tools_use_standard_english():
    assert [each for path in list_tooling() for each in find_old_idiom(path)] == []


def test_a_public_class_name_occurs_once():
    assert find_repeated_classes() == {}


def test_docstrings_and_comments_are_standard_english():
    assert find_old_idiom() == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_documentation_is_standard_english(path):
    assert find_old_prose(path) == []


def test_no_module_has_a_name_of_before():
    plain = "tables players play events pack display wiring room guest"  # now in a package that makes them plain
    assert {path.stem for path, _ in list_modules()} & (OLD_MODULES - {*plain.split()}) == set()
