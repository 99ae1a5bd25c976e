"""Photographs of drawn boards with pegs: wood, holes, pegs as solids, perspective, light, blur, noise, compression."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards.board import Board, Lane, build_lane
from companion.plugins.drawing.template import HOLE_DIAMETER_MM, TextMark, build_template

Points = NDArray[np.float64]

_BOARD_PX_PER_MM = 6
_TABLE_MM = 40
"""Part of the table around the wood."""
_WOODS = {
    "maple": (222, 190, 148),
    "beech": (205, 165, 120),
    "oak": (180, 138, 92),
    "cherry": (160, 100, 65),
    "walnut": (105, 72, 50),
}
_PEGS = {
    "red": ((205, 30, 35), (225, 50, 40), (180, 20, 40)),
    "blue": ((30, 75, 190), (20, 110, 210), (45, 60, 160)),
    "green": ((30, 150, 60), (50, 170, 50), (15, 120, 70)),
    "yellow": ((245, 215, 40), (250, 225, 60), (240, 200, 20)),
    "white": ((240, 240, 235), (250, 248, 240), (232, 234, 238)),
    "wood": ((215, 180, 135), (190, 150, 100)),
    "black": ((25, 25, 28), (40, 38, 40)),
}


@dataclass(frozen=True)
class View:
    """How a board is photographed; angles in degrees. `tap_error_px` is the standard deviation of a tap."""

    distance_mm: float
    tilt: float
    turn: float
    tap_error_px: float = 3.0
    blur_px: float = 0.8
    noise: float = 4.0
    gradient: float = 0.3
    is_half_turned: bool = False


class DrawnPhoto(NamedTuple):
    """A photograph: RGB, tapped corners, the rectangle of the whole photograph, and the peg of each occupied hole."""

    picture: NDArray[np.uint8]
    corners: Points
    whole: tuple[float, float, float, float]
    pegs: dict[int, str]


def random_view(rng: np.random.Generator) -> View:
    """Return a view as the page asks for: from above, at least 60 cm away."""
    return View(
        rng.uniform(600, 850), rng.uniform(0, 9), rng.uniform(-8, 8), rng.uniform(0, 4), rng.uniform(0.4, 1.3),
        rng.uniform(1, 8), rng.uniform(0, 0.5), bool(rng.random() < 0.3),
    )  # fmt: skip


def place_pegs(rng: np.random.Generator, lanes: list[Lane], colours: list[str]) -> dict[int, str]:
    """Put two pegs on each lane, often beside one another."""
    pegs: dict[int, str] = {}
    for lane, colour in zip(lanes, colours, strict=True):
        last = min(lane.target, len(lane.route.way))
        while True:
            front = int(rng.integers(0, last + 1)) if rng.random() > 0.1 else 0
            back = max(-1, front - (1 if rng.random() < 0.25 else int(rng.integers(1, 20))))
            holes = [lane.hole_at(front), lane.hole_at(back)]
            if len(set(holes) - pegs.keys()) == 2:
                break
        pegs |= dict.fromkeys(holes, colour)
    return pegs


def lanes_of(board: Board, seats: int) -> list[Lane]:
    """Return the lanes of a board in a game to its end."""
    return [build_lane(route, 121 if not route.loop else 2 * len(route.way) + 1) for route in board.routes[seats]]


def draw_photo(
    rng: np.random.Generator, board: Board, pegs: dict[int, str], view: View, peg_mm: float = 0
) -> DrawnPhoto:
    """Return a photograph of the board with these pegs, `peg_mm` high, of which only the board is kept."""
    texture = _draw_board(rng, board)
    template = build_template(board)
    corner = np.array(template.corner)
    size = np.array(template.far) - corner
    turn = np.deg2rad(view.turn + (180 if view.is_half_turned else 0))
    camera = _Camera.above(rng, size, view, turn)
    to_texture = np.array(
        [
            [_BOARD_PX_PER_MM, 0, _TABLE_MM * _BOARD_PX_PER_MM],
            [0, _BOARD_PX_PER_MM, _TABLE_MM * _BOARD_PX_PER_MM],
            [0, 0, 1],
        ]
    )
    ends = camera.project(np.array([(x, y, 0) for x, y in _rectangle(size)]))
    low, high = ends.min(axis=0) - 25, ends.max(axis=0) + 25
    zoom = min(1.0, 2000 / max(high - low))
    shift = np.array([[zoom, 0, -low[0] * zoom], [0, zoom, -low[1] * zoom], [0, 0, 1]])
    width, height = (int(v) for v in (high - low) * zoom)
    matrix = shift @ camera.plane() @ np.linalg.inv(to_texture)
    picture = cv2.warpPerspective(
        texture, matrix, (width, height), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float32)
    camera = replace(camera, shift=shift)
    high_mm = peg_mm or float(rng.choice([14, 14, 18, 22, 25]))
    tint = {colour: np.array(rng.choice(_PEGS[colour]), float) for colour in sorted(set(pegs.values()))}
    light = rng.normal(0, 1, 2)
    light /= np.linalg.norm(light)
    for bit in sorted(pegs, key=lambda b: -float(np.linalg.norm(_at(board, b, corner) - camera.foot))):
        _draw_peg(picture, camera, _at(board, bit, corner), high_mm, tint[pegs[bit]], light, rng)
    picture = _expose(rng, picture, view)
    taps = camera.project(np.array([(x, y, 0) for x, y in _rectangle(size)]))
    taps = taps + rng.normal(0, view.tap_error_px, (4, 2))
    left, top = -low * zoom
    return DrawnPhoto(picture, taps, (left, top, camera.width * zoom, camera.height * zoom), pegs)


@dataclass(frozen=True)
class _Camera:
    """A camera with square pixels that looks at the board; the board is the plane z = 0, z points to the camera."""

    focal: float
    width: float
    height: float
    rotation: Points
    at: Points
    shift: Points

    @property
    def foot(self) -> Points:
        return self.at[:2]

    @staticmethod
    def above(rng: np.random.Generator, size: Points, view: View, turn: float) -> _Camera:
        """Return a phone's camera of 12 megapixels, whose longer side is along the longer side of the board."""
        aim = size / 2 + rng.normal(0, 0.04, 2) * size
        slope, side = np.deg2rad(view.tilt), rng.uniform(0, 2 * np.pi)
        back = np.array([np.cos(side) * np.sin(slope), np.sin(side) * np.sin(slope), np.cos(slope)])
        right = np.array([np.cos(turn), np.sin(turn), 0])
        right -= back * (right @ back)
        right /= np.linalg.norm(right)
        down = np.cross(back, right) * -1
        if down @ np.array([-np.sin(turn), np.cos(turn), 0]) < 0:
            down = -down
        focal = 4000 * rng.uniform(0.68, 0.82)
        at = np.array([*aim, 0]) + back * view.distance_mm
        wide, tall = (3000.0, 4000.0) if size[1] > size[0] else (4000.0, 3000.0)
        return _Camera(focal, wide, tall, np.array([right, down, -back]), at, np.eye(3))

    def plane(self) -> Points:
        """Return the homography from millimetres on the board to pixels of the whole photograph."""
        lens = np.array([[self.focal, 0, self.width / 2], [0, self.focal, self.height / 2], [0, 0, 1]])
        return lens @ np.column_stack((self.rotation[:, 0], self.rotation[:, 1], -self.rotation @ self.at))

    def project(self, points: Points) -> Points:
        """Return the pixels of points in millimetres."""
        seen = (points - self.at) @ self.rotation.T
        flat = seen[:, :2] / seen[:, 2:] * self.focal + np.array([self.width / 2, self.height / 2])
        return flat @ self.shift[:2, :2].T + self.shift[:2, 2]


def _rectangle(size: Points) -> list[tuple[float, float]]:
    return [(0, 0), (size[0], 0), (size[0], size[1]), (0, size[1])]


def _at(board: Board, bit: int, corner: Points) -> Points:
    return np.array([board.holes[bit].x_mm, board.holes[bit].y_mm]) - corner


def _draw_board(rng: np.random.Generator, board: Board) -> NDArray[np.uint8]:
    """Return the wood with its empty holes and numbers on a table, seen from above."""
    template = build_template(board)
    corner, scale, border = np.array(template.corner), _BOARD_PX_PER_MM, _TABLE_MM * _BOARD_PX_PER_MM
    size = ((np.array(template.far) - corner) * scale).round().astype(int)
    picture = np.empty((size[1] + 2 * border, size[0] + 2 * border, 3), np.float32)
    picture[:] = rng.uniform(20, 230, 3) if rng.random() < 0.5 else np.repeat(rng.uniform(20, 230), 3)
    wood = np.array(_WOODS[str(rng.choice(list(_WOODS)))]) * rng.uniform(0.92, 1.06, 3)
    grain = cv2.resize(
        rng.normal(0, rng.uniform(3, 9), (size[1] // 60 + 2, size[0] // 5 + 2)).astype(np.float32),
        tuple(int(v) for v in size),
    )
    picture[border:-border, border:-border] = wood + grain[..., None]
    deep = wood * rng.uniform(0.08, 0.35)
    for hole in board.holes:
        at = (np.array([hole.x_mm, hole.y_mm]) - corner) * scale + border
        _disc(picture, at, HOLE_DIAMETER_MM / 2 * scale + 1, wood * 0.75)
        _disc(picture, at, HOLE_DIAMETER_MM / 2 * scale, deep * rng.uniform(0.8, 1.2))
    board_picture = np.clip(picture, 0, 255).astype(np.uint8)
    for mark in template.layers["engrave"]:
        if isinstance(mark, TextMark):
            at = (np.array(mark.at) - corner) * scale + border
            place = (int(at[0] - 5 * len(mark.text)), int(at[1] + 7))
            cv2.putText(
                board_picture, mark.text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.6, tuple(wood * 0.4), 2, cv2.LINE_AA
            )
    return board_picture


def _disc(picture: NDArray[Any], at: Points, radius: float, colour: Points) -> None:
    centre = tuple(int(v * 16) for v in at)
    cv2.circle(picture, centre, int(radius * 16), tuple(float(v) for v in colour), -1, cv2.LINE_AA, 4)


def _draw_peg(
    picture: NDArray[np.float32],
    camera: _Camera,
    foot: Points,
    high: float,
    tint: Points,
    light: Points,
    rng: np.random.Generator,
) -> None:
    """Draw a peg as hardware/solids has it: a collar, a grip that grows narrower, a head in the light; and a shadow."""
    lean = rng.normal(0, 0.02, 2)
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    circle = np.column_stack((np.cos(angles), np.sin(angles)))

    def ring(z: float, radius: float, moved: Points | float = 0.0) -> Points:
        flat = foot + circle * radius + lean * z + moved
        return camera.project(np.column_stack((flat, np.full(len(flat), z))))

    shadow = cv2.convexHull(np.vstack((ring(0, 2.2), ring(0, 2.0, light * high * 0.5))).astype(np.float32))
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, (shadow * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(mask, (0, 0), 2).astype(np.float32)[..., None] / 255
    picture *= 1 - 0.35 * soft
    steps = np.linspace(0, high, 14)
    radii = np.interp(steps, [0, 2, high], [1.6, 2.3, 2.0])
    discs = [ring(float(z), float(r)) for z, r in zip(steps, radii, strict=True)]
    for n, (a, b) in enumerate(pairwise(discs)):
        hull = cv2.convexHull(np.vstack((a, b)).astype(np.float32))
        shade = 0.55 + 0.25 * n / 13
        cv2.fillConvexPoly(picture, (hull * 16).astype(np.int32), tuple(float(v) for v in tint * shade), cv2.LINE_AA, 4)
    cv2.fillConvexPoly(picture, (discs[-1] * 16).astype(np.int32), tuple(float(v) for v in tint), cv2.LINE_AA, 4)
    glint = ring(high, 0.5, -light * 0.8)
    cv2.fillConvexPoly(
        picture, (glint * 16).astype(np.int32), tuple(float(v) for v in tint * 0.5 + 127), cv2.LINE_AA, 4
    )


def _expose(rng: np.random.Generator, picture: NDArray[np.float32], view: View) -> NDArray[np.uint8]:
    """Apply light, colour cast, blur, noise and compression."""
    height, width = picture.shape[:2]
    angle = rng.uniform(0, 2 * np.pi)
    ramp = np.cos(angle) * np.linspace(-0.5, 0.5, width)[None] + np.sin(angle) * np.linspace(-0.5, 0.5, height)[:, None]
    cast = rng.uniform(0.92, 1.08, 3) * rng.uniform(0.75, 1.1)
    lit = picture * (1 + view.gradient * ramp)[..., None].astype(np.float32) * cast.astype(np.float32)
    lit = cv2.GaussianBlur(lit, (0, 0), view.blur_px)
    noisy = np.clip(lit + rng.normal(0, view.noise, lit.shape), 0, 255).astype(np.uint8)
    data = cv2.imencode(".jpg", noisy[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(75, 95))])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1], np.uint8)
