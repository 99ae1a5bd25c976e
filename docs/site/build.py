"""Build the site in a folder, which any web server can hand out: `python -m docs.site.build FOLDER`.

The documents are pages of Sphinx (documents.py). `try/` plays on the simulated board in the browser. Its files, each
packed where that makes it smaller, are Python for browsers (the npm package pyodide) and an archive of the program with
the packages that it imports.
"""

import argparse
import gzip
import hashlib
import io
import json
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from tempfile import TemporaryDirectory

from docs.site.documents import build_documents

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
TRY = HERE / "try"
PYODIDE = ROOT / "tests/node_modules/pyodide"
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json")
LIBRARY = "python_stdlib.zip"
PACKAGES = (
    "adafruit-circuitpython-pixelbuf", "babel", "blinker", "click", "colorzero", "flask", "gpiozero", "ifaddr",
    "itsdangerous", "jinja2", "markupsafe", "pyserial", "segno", "waitress", "werkzeug",
)  # fmt: skip
"""What a table with simulated devices imports. Its compiled parts are left out: each has a part in Python for that."""
PROGRAM = ("companion", "firmware", "web", "hardware/boards")
LEFT_OUT = ("companion/plugins/", "web/plugins/", "babel/locale-data/", "click/_winconsole.py")
KEPT_LOCALES = ("babel/locale-data/root.dat", "babel/locale-data/en.dat", "babel/locale-data/de.dat")
DATA_SUFFIXES = (
    ".py",
    ".json",
    ".bin",
    ".dat",
    ".po",
    ".toml",
    ".html",
    ".js",
    ".css",
    ".svg",
    ".png",
    ".ogg",
    ".webmanifest",
)
PICTURES = ("table.png", "games.png")
ARCHIVE_TIME = (2000, 1, 1, 0, 0, 0)


def build_try(folder: Path) -> None:
    """Write the page that plays on the simulated board."""
    (folder / "files/pyodide").mkdir(parents=True)
    for path in TRY.iterdir():
        if path.suffix in (".html", ".css", ".js"):
            shutil.copy(path, folder)
    for name in PICTURES:
        shutil.copy(ROOT / "docs/pictures" / name, folder)
    shutil.copy(ROOT / "web/icon.svg", folder)
    files = {f"pyodide/{name}": (PYODIDE / name).read_bytes() for name in PYODIDE_FILES} | compile_modules()
    packed = []
    for name, content in files.items():
        smaller = gzip.compress(content, 9, mtime=0)
        if len(smaller) < 0.9 * len(content):
            packed.append(f"files/{name}")
            (folder / f"files/{name}.packed").write_bytes(smaller)
        else:
            (folder / "files" / name).write_bytes(content)
    (folder / "files/sizes.json").write_text(json.dumps({name: len(content) for name, content in files.items()}))
    write_file_list(folder, packed)


def compile_modules() -> dict[str, bytes]:
    """Return the archives of Python's own library and of the program, whose modules are compiled."""
    with TemporaryDirectory() as name:
        library, table = Path(name) / "library", Path(name) / "table"
        shutil.unpack_archive(PYODIDE / LIBRARY, library)
        for place, path in list_program_files():
            (table / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, table / place)
        subprocess.run(["node", HERE / "compile.mjs", PYODIDE, name], check=True)
        return {f"pyodide/{LIBRARY}": archive_folder(library), "table.zip": archive_folder(table)}


def archive_folder(folder: Path) -> bytes:
    """Return a ZIP archive of the files below a folder, the same for the same files."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        for path in sorted(each for each in folder.rglob("*") if each.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), ARCHIVE_TIME)
            file.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return archive.getvalue()


def list_program_files() -> Iterator[tuple[str, Path]]:
    """Yield each file of the archive: its name there, and its path."""
    for path in TRY.glob("*.py"):
        yield path.name, path
    found = {path.relative_to(ROOT).as_posix(): path for folder in PROGRAM for path in (ROOT / folder).rglob("*.*")}
    for package in PACKAGES:
        found |= {path.as_posix(): Path(str(path.locate())) for path in distribution(package).files or ()}
    for name, path in found.items():
        is_left_out = name.startswith((*LEFT_OUT, "..")) or ".dist-info/" in name
        if path.suffix in DATA_SUFFIXES and (name in KEPT_LOCALES or not is_left_out):
            yield name, path


def write_file_list(folder: Path, packed: list[str]) -> None:
    """Write for the service worker which files there are, and a version that changes with any of them."""
    names = sorted(each.relative_to(folder).as_posix() for each in folder.rglob("*.*"))
    digest = hashlib.sha256(b"".join((folder / name).read_bytes() for name in names))
    files = [name.removesuffix(".packed") for name in names if name != "service-worker.js"]
    site = {"version": digest.hexdigest()[:16], "files": files, "packed": packed}
    (folder / "files.js").write_text(f"self.site = {json.dumps(site)};\n")


def main() -> None:
    """Build the site."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    shutil.rmtree(folder, ignore_errors=True)
    build_documents(folder)
    build_try(folder / "try")


if __name__ == "__main__":
    main()
