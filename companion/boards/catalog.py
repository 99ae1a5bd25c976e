"""The catalogue of boards: finds, loads and describes them. A board file is TOML: docs/reference/boards.md."""

import tomllib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from companion.boards import board_file
from companion.boards.board import Board
from companion.common.constants import suggest_nearest
from companion.common.errors import BoardError
from companion.common.files import read_toml
from companion.common.paths import resource_folder

_addon_boards: dict[str, Path] = {}
"""The board files of add-ons by name; `register_boards` sets them."""


def list_shipped_boards() -> list[str]:
    """Return the names of the boards that come with the companion."""
    return sorted(path.stem for path in resource_folder("hardware/boards").glob("*.toml"))


def list_board_names() -> list[str]:
    """Return the names of all boards: the shipped ones and those of add-ons."""
    return sorted({*list_shipped_boards(), *_addon_boards})


def register_boards(others: Mapping[str, Path]) -> None:
    """Register the board files of add-ons by name. Replaces those registered before."""
    _addon_boards.clear()
    _addon_boards.update(others)


def load_board(name: str) -> Board:
    """Load a board by name, or a board file by path. Raises BoardError."""
    return read_board(Path(name).stem if name.endswith(".toml") else name, _find_board_file(name))


def read_board(name: str, path: Path) -> Board:
    """Read the board file at this path and give the board this name. Raises BoardError."""
    data = _parse_toml(path)
    if "holes_of" in data:  # the same holes with other routes
        same = _parse_toml(_find_related_file(path, str(data.pop("holes_of"))))
        data = {key: same[key] for key in board_file.SHARED_KEYS if key in same} | data
    try:
        return board_file.parse_board(name, data)
    except BoardError as error:
        raise BoardError(f"The board file {path.name}: {error}") from None


def _find_board_file(name: str) -> Path:
    if name.endswith(".toml"):
        return Path(name)
    if name not in list_board_names():
        hint = suggest_nearest(name, list_board_names())
        every = "" if hint.startswith("there") else f"; there are {', '.join(list_board_names())}"
        raise BoardError(f"There is no board {name[:40]!r}: {hint}{every}.")
    return _addon_boards.get(name) or resource_folder("hardware/boards") / f"{name}.toml"


def _find_related_file(path: Path, name: str) -> Path:
    """Return the board file that another one names: a board, or a file in the same folder. Raises BoardError."""
    if not name.endswith(".toml"):
        return _find_board_file(name)
    found = path.parent / name
    if found.resolve().parent != path.parent.resolve():
        raise BoardError(f"The board file {path.name} names {name[:40]!r}. Name a file in its own folder.")
    return found


def _parse_toml(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path)
    except OSError as error:
        raise BoardError(f"The board file {path.name} cannot be read: {error.strerror}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BoardError(f"The board file {path.name} is not valid TOML: {error}.") from error


def describe_for_firmware(board: Board) -> dict[str, Any]:
    """Return what the firmware reads as `board.json`: docs/reference/boards.md#for-the-boards-own-program."""
    wiring = board.wiring
    tied = [bit for bit, wire in enumerate(wiring.chain) if isinstance(wire, int)]
    return {
        "board": board.name,
        "holes": [hole.id for hole in board.holes],
        "chain": list(wiring.chain),
        "tiles": [wiring.find_tile(bit).name for bit in tied],
        "pixels": list(wiring.pixels),
        **wiring.panel,
    }


def encode_board(board: Board) -> dict[str, Any]:
    """Return the board as a JSON object: docs/reference/boards.md#what-comes-of-it."""
    routes = {
        str(seats): [{"seat": r.seat, "start": list(r.start), "way": list(r.way)} for r in routes]
        for seats, routes in board.routes.items()
    }
    found: dict[str, Any] = {"name": board.name, "holes": [asdict(hole) for hole in board.holes], "routes": routes}
    if board.dice:
        found["dice"] = [[pip._asdict() for pip in die] for die in board.dice]
    if board.display:
        found["display"] = [pip._asdict() for pip in board.display]
    return found


def describe_board(board: Board) -> str:
    """Return a description of the board for the terminal, several lines."""
    width, height = (max(getattr(h, axis) for h in board.holes) for axis in ("x_mm", "y_mm"))
    tracks = {
        track: sum(h.track == track for h in board.holes) for track in dict.fromkeys(h.track for h in board.holes)
    }
    size = f"holes within {width:.0f} × {height:.0f} mm"
    lines = [f"{board.name}: {len(board.holes)} holes, {board.pixel_count} pixels, {size}"]
    lines += [f"  track {track:<6} {count:>4} holes" for track, count in tracks.items()]
    lines += [f"  {len(board.dice)} dice of {len(board.dice[0])} pixels"] if board.dice else []
    lines += [f"  a display of {len(board.display)} pixels"] if board.display else []
    for seats, routes in board.routes.items():
        ways = ", ".join(board.holes[r.start[0]].id.removesuffix("-start-1") for r in routes)
        lines.append(
            f"  {seats} seats: {ways}; {len(routes[0].way)} holes {'a lap' if routes[0].loop else 'to the end'}"
        )
    return "\n".join(lines)
