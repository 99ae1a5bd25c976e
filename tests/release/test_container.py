"""The container and the add-on: their files name flags, addresses and files that exist. They are not built here."""

import json
import re
from pathlib import Path

import click
import pytest
import yaml

from companion.cli import main
from tests.release.build import build_addon, read_version

ROOT = Path(__file__).parents[2]
CONTAINER = ROOT / "companion/plugins/service/container/Containerfile"
ADDON = ROOT / "companion/plugins/service/home_assistant"
FILES = [CONTAINER, ADDON / "Dockerfile"]


def read_instructions(path):
    """Return the instructions of a container file as pairs of word and arguments, with joined lines."""
    text = re.sub(r"^#.*\n", "", path.read_text("utf-8"), flags=re.MULTILINE).replace("\\\n", " ")
    return [tuple(line.split(maxsplit=1)) for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_it_starts_a_table_with_flags_that_the_command_has(path):
    entry = json.loads(dict(read_instructions(path))["ENTRYPOINT"])
    assert entry[:2] == ["/opt/companion/bin/companion", "play"]
    known = {name for option in main.get_command(click.Context(main), "play").params for name in option.opts}
    assert {word for word in entry if word.startswith("--")} <= known


def test_the_container_has_no_root_a_volume_and_a_health_check():
    found = dict(read_instructions(CONTAINER))
    assert re.search(r"useradd --system --uid (\d+)", CONTAINER.read_text())[1] == found["USER"]
    journal = json.loads(found["ENTRYPOINT"])[-1]
    assert str(Path(journal).parent) == found["VOLUME"]
    assert f"127.0.0.1:{found['EXPOSE']}/api/health" in found["HEALTHCHECK"]


def test_the_lines_of_the_page_can_be_typed_one_after_the_other():
    """Without --rm the second container would find its name taken."""
    page = (ROOT / "docs/how-to/run-in-a-container.md").read_text("utf-8")
    lines = re.findall(r"^podman run .*", page, re.MULTILINE)
    assert len(lines) == 2
    assert all(line.startswith("podman run --rm --name cribbage ") for line in lines)
    assert f"podman build --file {CONTAINER.relative_to(ROOT)} " in page


def test_all_that_the_container_copies_is_in_the_checkout():
    copied = [
        rest.split()[:-1] for word, rest in read_instructions(CONTAINER) if word == "COPY" and "--from" not in rest
    ]
    names = [name for each in copied for name in each]
    assert len(names) >= 9
    assert [name for name in names if not (ROOT / name).exists()] == []


def test_the_add_on_has_the_version_and_the_wheel_of_its_release(tmp_path):
    (tmp_path / "cribbage_companion-0.1.0-py3-none-any.whl").write_text("a wheel")
    build_addon(tmp_path)
    folder = tmp_path / "home-assistant"
    assert {path.name for path in folder.iterdir()} == {
        "config.yaml", "Dockerfile", "cribbage_companion-0.1.0-py3-none-any.whl",
    }  # fmt: skip
    config = yaml.safe_load((folder / "config.yaml").read_text())
    assert config["version"] == read_version()
    assert set(config) >= {"name", "version", "slug", "description", "arch"}
    ((inside, outside),) = config["ports"].items()
    entry = json.loads(dict(read_instructions(folder / "Dockerfile"))["ENTRYPOINT"])
    name = entry[entry.index("--allow-host") + 1]
    page = (ROOT / "docs/how-to/run-in-a-container.md").read_text("utf-8")
    assert (inside, f"`{name}:{outside}`" in page) == ("8123/tcp", True)
