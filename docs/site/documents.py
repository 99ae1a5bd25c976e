"""Gather the documents, the help pages and the API for Sphinx, and make the pages of them.

Sphinx reads a folder that looks like the checkout, so that the links of the documents lead where they lead there.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flask import Flask

from companion.common.paths import resource_folder
from companion.http.assets import Assets
from companion.server.routes.pages import help_routes, openapi_document
from companion.settings import Settings
from companion.table.available_games import list_available_games
from companion.table.setup import create_plan
from companion.table.state import create_core, create_snapshot

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
TRY = '<p><a href="try/"><strong>Play on the simulated board in this browser</strong></a></p>'
SECTIONS = re.compile(r"^## (.+)$", re.MULTILINE)


def build_documents(folder: Path) -> None:
    """Write the pages of the documents in this folder. Raises CalledProcessError if a link leads nowhere."""
    with TemporaryDirectory() as name:
        source = Path(name)
        gather_sources(source)
        options = ["-q", "-W", "--keep-going", "-n", "-c", HERE, "-d", source / ".doctrees"]
        subprocess.run([sys.executable, "-m", "sphinx", *options, source, folder], check=True)
    for path in (folder / "objects.inv", folder / ".buildinfo"):
        path.unlink()


def gather_sources(source: Path) -> None:
    """Lay out what Sphinx reads."""
    for name in (
        "companion",
        "firmware",
        "hardware",
        "tests",
        "web",
        "requirements",
        "LICENSE",
        "Makefile",
        "pyproject.toml",
    ):
        (source / name).symlink_to(ROOT / name)
    for path in (ROOT / "docs").rglob("*"):
        if path.is_file() and HERE not in path.parents:
            place = source / path.relative_to(ROOT)
            place.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".md":
                place.write_text(read_page(path), "utf-8")
            else:
                place.symlink_to(path)
    for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"):
        (source / name).write_text(read_page(ROOT / name), "utf-8")
    (source / "api.md").write_text(describe_api(openapi_document()), "utf-8")
    (source / "help").mkdir()
    for key, page in render_help():
        (source / f"help/{key}.md").write_text(page, "utf-8")
    title, _, text = read_page(ROOT / "README.md").partition("\n\n")
    (source / "index.md").write_text("\n\n".join([title, TRY, text, *list_contents(source)]), "utf-8")


def read_page(path: Path) -> str:
    """Return a page without the links to folders and to pages that are not of the documents."""

    def write_link(match: re.Match[str]) -> str:
        target = Path(os.path.normpath(path.parent / match[3]))
        is_elsewhere = target.suffix == ".md" and target.parent != ROOT and ROOT / "docs" not in target.parents
        return match[2] if target.is_dir() or (is_elsewhere and target.exists()) else match[0]

    return LINK.sub(write_link, path.read_text("utf-8"))


def list_contents(source: Path) -> Iterator[str]:
    """Yield the menu: the sections of the documents' own list, in its order, and in each the pages below its pages."""
    placed: set[str] = set()
    page = source / "docs/README.md"
    parts = ["Start", *SECTIONS.split(page.read_text("utf-8"))]
    for title, text in zip(parts[::2], parts[1::2], strict=True):
        yield write_menu(title, source, collect_pages(page, text, source, placed))
    every = {each.relative_to(source).as_posix() for each in (source / "docs").rglob("*.md")}
    yield write_menu("The whole list", source, ["docs/README.md", *sorted(every - placed - {"docs/README.md"})])
    yield write_menu("Help at the table", source, sorted(f"help/{each.name}" for each in (source / "help").iterdir()))
    yield write_menu("The project", source, ["api.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"])


def collect_pages(page: Path, text: str, source: Path, placed: set[str]) -> list[str]:
    """Return the pages to which a text links, each followed by those of its folder if it is the first page there."""
    pages = []
    for match in LINK.finditer(text):
        target = Path(os.path.normpath(page.parent / match[3]))
        below = (
            sorted(target.parent.glob("*.md")) if target.name == "README.md" and target.parent != page.parent else []
        )
        for each in [target, *below]:
            name = each.relative_to(source).as_posix()
            if each.suffix == ".md" and name not in placed:
                placed.add(name)
                pages.append(name)
    return pages


def write_menu(title: str, source: Path, pages: list[str]) -> str:
    """Return the directive of a part of the menu."""
    lines = "\n".join(name.removesuffix(".md") for name in pages if (source / name).exists())
    return f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{lines}\n```\n"


def render_help() -> Iterator[tuple[str, str]]:
    """Yield the help of each game as the table shows it: its key and its page."""
    plan = create_plan("six-card", None, None, {}, None)
    snapshot = create_snapshot(create_core(plan, Settings()), number=1, run="", moves=0)
    app = Flask("help")
    app.register_blueprint(help_routes(Assets(resource_folder("web")), lambda: snapshot))
    for game in list_available_games():
        html = app.test_client().get(f"/help/{game['key']}").text
        body = html.partition("</h1>")[2].partition("</main>")[0]
        lines = "\n".join(line.strip() for line in body.splitlines() if line.strip())  # an empty line ends HTML
        yield game["key"], f'# {game["title"]}: the help at the table\n\n<div class="help">\n{lines}\n</div>\n'


def describe_api(document: Mapping[str, Any]) -> str:
    """Return the page of the API: each address with its parameters and answers, then the schemas."""
    parts = ["# The API", document["info"]["description"], "[How programs use it](docs/reference/http.md)."]
    for address, methods in document["paths"].items():
        for method, call in methods.items():
            parts += [f"## `{method.upper()} {address}`", call["summary"]]
            rows = [
                f"| `{each['name']}` | {each['in']} | {each.get('description', '')} |"
                for each in call.get("parameters", ())
            ]
            if rows:
                parts.append("\n".join(["| parameter | in | |", "|---|---|---|", *rows]))
            if "requestBody" in call:
                parts.append(f"Body: {describe_answer(call['requestBody'], is_body=True)}")
            parts.append(
                "\n".join(f"- {code}: {describe_answer(answer)}" for code, answer in call["responses"].items())
            )
    parts.append("## Schemas")
    for name, schema in document["components"]["schemas"].items():
        parts += [f"### {name}", f"```json\n{json.dumps(schema, indent=2)}\n```"]
    return "\n\n".join(parts) + "\n"


def describe_answer(answer: Mapping[str, Any], *, is_body: bool = False) -> str:
    """Return what an answer, or a body, is, with links to its schemas."""
    if "$ref" in answer:
        return describe_answer(openapi_document()["components"]["responses"][answer["$ref"].rpartition("/")[2]])
    kinds = []
    for kind, content in answer.get("content", {}).items():
        schema = content.get("schema", {})
        name = schema.get("$ref", "").rpartition("/")[2]
        text = f"[{name}](#{name.lower()})" if name else f"`{json.dumps(schema)}`" if is_body else ""
        kinds.append(f"`{kind}` {text}".strip())
    return " ".join(filter(None, (answer.get("description", ""), ", ".join(kinds))))
