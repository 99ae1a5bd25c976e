"""A plain board that is not one of ours, photographs of it, and lines that fingers draw over its lanes."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards.board import Board, Lane, build_lane
from companion.boards.board_file import parse_board
from companion.boards.catalog import load_board
from companion.plugins.drawing.template import build_template
from companion.plugins.peg_photos.geometry import MARGIN_MM, MARKER_MM, MARKERS
from tests.plugins.peg_photos.drawn_boards import DrawnPhoto, View, draw_photo

Points = NDArray[np.float64]
HOLES = 61


class OwnBoard(NamedTuple):
    """The board, its lanes in a game to 61, and the places of its holes on the wood in millimetres."""

    board: Board
    lanes: list[Lane]
    places: Points
    size_mm: Points

    def lane_places(self, lane: Lane) -> Points:
        """Return the holes of a lane from the farther start hole to the last."""
        return self.places[[lane.route.start[1], lane.route.start[0], *lane.route.way]]


def create_own_board(lanes: int = 2) -> OwnBoard:
    """Return a board with lanes that go up and come back, in groups of five holes with gaps between."""
    tracks: list[dict[str, Any]] = []
    for n in range(lanes):
        up, down = 20 + 8 * n, 70 + 8 * (lanes - 1 - n)
        ups = [(up, 300 - 45 * group) for group in range(6)]
        downs = [(down, 40 + 45 * group) for group in range(6)]
        path = [{"holes": 5, "line": [[x, y], [x, y - 37.5]]} for x, y in ups]
        path += [{"holes": 5, "line": [[x, y], [x, y + 37.5]]} for x, y in downs]
        path += [{"holes": 1, "line": [[down, 310], [down, 320]]}]
        tracks.append({"name": str(n + 1), "start": [[up, 314], [up, 323]], "path": path})
    routes = {str(lanes): [{"track": track["name"]} for track in tracks]}
    return _place_board(parse_board("drawn", {"track": tracks, "routes": routes}), lanes)


def use_as_own_board(name: str) -> OwnBoard:
    """Return one of our boards with the lanes of two seats, as if it were the players' own."""
    return _place_board(load_board(name), 2)


def _place_board(board: Board, lanes: int) -> OwnBoard:
    template = build_template(board)
    places = np.array([(hole.x_mm, hole.y_mm) for hole in board.holes]) - template.corner
    size = np.array(template.far) - template.corner
    return OwnBoard(board, [build_lane(route, len(route.way)) for route in board.routes[lanes]], places, size)


def photograph_board(own: OwnBoard, seed: int, pegs: dict[int, str] | None = None, **view: Any) -> DrawnPhoto:
    """Return a photograph of the board, from above unless `view` says otherwise."""
    return draw_photo(
        np.random.default_rng(seed), own.board, pegs or {}, View(**{"distance_mm": 700, "tilt": 3, "turn": 2} | view)
    )


def map_to_photo(own: OwnBoard, photo: DrawnPhoto, places: Points) -> Points:
    """Return places on the wood in pixels of a photograph whose corners are exact."""
    width, height = own.size_mm
    wood = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(wood, photo.corners.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(places.astype(np.float64)[None], matrix.astype(float))[0])


def draw_line(rng: np.random.Generator, places: Points, stray_mm: float = 1.5) -> Points:
    """Return a finger's line over these holes. It strays slowly to either side and goes round the end of the rows."""
    jump = 1 + int(np.argmax(np.linalg.norm(np.diff(places[2:], axis=0), axis=1))) + 2
    across = places[jump] - places[jump - 1]
    if np.linalg.norm(across) > 20:
        angles = np.linspace(np.pi, 0, 9)[1:-1, None]
        arc = (
            places[jump - 1]
            + across * (1 + np.cos(angles)) / 2
            + np.array([[0, -0.4 * np.abs(across[0])]]) * np.sin(angles)
        )
        places = np.concatenate((places[:jump], arc, places[jump:]))
    n = np.arange(len(places))
    knots = rng.normal(0, stray_mm, (len(places) // 6 + 2, 2))
    return places + np.column_stack([np.interp(n / 6, np.arange(len(knots)), knots[:, axis]) for axis in (0, 1)])


def encode_photo(photo: DrawnPhoto) -> bytes:
    """Return the photograph as a JPEG."""
    return bytes(cv2.imencode(".jpg", photo.picture[..., ::-1])[1].tobytes())


def stick_markers(own: OwnBoard, photo: DrawnPhoto, numbers: Sequence[int] = (0, 1, 2, 3)) -> bytes:
    """Draw the markers onto the corners of the wood in a photograph; return it as a JPEG."""
    scale, sheet = 20, round((MARKER_MM + 2 * MARGIN_MM) * 20)
    width, height = own.size_mm
    side = sheet / scale
    at = [(0, 0), (width - side, 0), (width - side, height - side), (0, height - side)]
    picture = photo.picture.copy()
    for n, corner in zip(numbers, at, strict=True):
        paper = np.full((sheet, sheet), 255, np.uint8)
        black = round(MARKER_MM * scale)
        edge = round(MARGIN_MM * scale)
        dictionary = cv2.aruco.getPredefinedDictionary(MARKERS)
        paper[edge : edge + black, edge : edge + black] = cv2.aruco.generateImageMarker(dictionary, n, black)
        square = np.array([(0, 0), (side, 0), (side, side), (0, side)])
        target = map_to_photo(own, photo, square + corner).astype(np.float32)
        matrix = cv2.getPerspectiveTransform((square * scale).astype(np.float32), target)
        size = picture.shape[1::-1]
        seen = cv2.warpPerspective(paper, matrix, size, flags=cv2.INTER_AREA).astype(np.float32)[..., None]
        mask = cv2.warpPerspective(np.ones_like(paper, np.float32), matrix, size)[..., None]
        picture = (picture * (1 - mask) + np.clip(seen, 25, 225) * mask).astype(np.uint8)
    return bytes(cv2.imencode(".jpg", cv2.GaussianBlur(picture, (0, 0), 0.8)[..., ::-1])[1].tobytes())
