"""Photographs of drawn cards: a table, perspective, light, shadow, glare, blur, colour casts, noise and compression."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.plugins.cards.faces import Picture

Corners = NDArray[np.float64]


@dataclass(frozen=True)
class Placed:
    """A card in a picture: its name and its corners, clockwise from the upper left of its face."""

    card: str
    corners: Corners


def draw_table(rng: np.random.Generator, w: int, h: int) -> NDArray[np.float32]:
    """Return an empty table as RGB: plain, felt, boards, stripes or a patterned cloth."""
    base = rng.uniform(15, 190, 3) if rng.random() < 0.7 else np.repeat(rng.uniform(10, 170), 3) + rng.normal(0, 6, 3)
    table = np.empty((h, w, 3), np.float32)
    table[:] = np.clip(base, 5, 200)
    kind = rng.integers(5)
    if kind >= 1:  # cloth, or grain along one direction
        size = (max(2, int(w / rng.uniform(1, 12))), max(2, int(h / rng.uniform(1, 60 if kind == 2 else 12))))
        grain = rng.normal(0, rng.uniform(3, 22), (size[1], size[0])).astype(np.float32)
        table += cv2.resize(grain, (w, h), interpolation=cv2.INTER_LINEAR)[..., None]
    if kind == 2:  # boards
        for x in range(0, w, int(rng.uniform(60, 260))):
            cv2.line(table, (x, 0), (x, h), tuple(base * 0.5), int(rng.integers(1, 4)))
    if kind == 3:
        step, colour = int(rng.uniform(20, 90)), rng.uniform(10, 190, 3)
        for x in range(0, w + h, step * 2):
            cv2.line(table, (x, 0), (x - h, h), tuple(colour), step // 2)
    if kind == 4:
        for _ in range(int(rng.integers(5, 60))):
            at = (int(rng.integers(w)), int(rng.integers(h)))
            cv2.circle(table, at, int(rng.integers(4, 50)), tuple(rng.uniform(10, 200, 3)), -1, cv2.LINE_AA)
    return np.clip(table, 0, 255)


def card_corners(
    rng: np.random.Generator, centre: tuple[float, float], height: float, aspect: float, tilt: float
) -> Corners:
    """Return the corners of a card that lies there, turned anyhow; a `tilt` of 0 looks straight down."""
    w, h = height * aspect / 2, height / 2
    flat = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
    angle = rng.uniform(0, 2 * np.pi)
    turned = flat @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    depth = 1 + turned[:, 1:] * tilt / height
    squeezed = turned * np.array([1, 1 - abs(tilt) * 0.8]) / depth
    return squeezed + np.array(centre)


def lay_card(table: NDArray[np.float32], face: Picture, corners: Corners, rng: np.random.Generator) -> None:
    """Draw a card onto the table, with round corners and a shadow."""
    h, w = face.shape[:2]
    x0, y0 = np.floor(corners.min(0) - 12).astype(int)
    x1, y1 = np.ceil(corners.max(0) + 12).astype(int)
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, table.shape[1]), min(y1, table.shape[0])
    ring = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    scale = np.linalg.norm(corners[3] - corners[0]) / h
    smaller = max(scale, 0.12)
    if smaller < 0.75:  # a lens blurs what a pixel cannot hold
        face = cv2.resize(face, (round(w * smaller), round(h * smaller)), interpolation=cv2.INTER_AREA)
        ring = ring * np.array([face.shape[1] / w, face.shape[0] / h], np.float32)
    fh, fw = face.shape[:2]
    mask = np.zeros((fh, fw), np.uint8)
    r = max(1, round(fh * rng.uniform(0.025, 0.05)))
    cv2.rectangle(mask, (r, 0), (fw - 1 - r, fh - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (fw - 1, fh - 1 - r), 255, -1)
    for x in (r, fw - 1 - r):
        for y in (r, fh - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    matrix = cv2.getPerspectiveTransform(ring, (corners - [x0, y0]).astype(np.float32))
    size = (int(x1 - x0), int(y1 - y0))
    drawn = cv2.warpPerspective(face, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(
        np.float32
    )
    alpha = cv2.warpPerspective(mask, matrix, size, flags=cv2.INTER_LINEAR).astype(np.float32)[..., None] / 255
    part = table[y0:y1, x0:x1]
    shift = np.float32([[1, 0, rng.uniform(-4, 4)], [0, 1, rng.uniform(-4, 4)]])
    shadow = cv2.GaussianBlur(cv2.warpAffine(alpha[..., 0], shift, size), (0, 0), rng.uniform(1, 4))[..., None]
    part *= 1 - shadow * rng.uniform(0.1, 0.6)
    table[y0:y1, x0:x1] = part * (1 - alpha) + drawn * alpha


def photograph(scene: NDArray[np.float32], rng: np.random.Generator, hardness: float = 1.0) -> Picture:
    """Return what a camera makes of a scene: uneven light, a cast, glare, blur, noise and JPEG."""
    h, w = scene.shape[:2]
    xs, ys = np.linspace(-0.5, 0.5, w, dtype=np.float32), np.linspace(-0.5, 0.5, h, dtype=np.float32)[:, None]
    slope = rng.uniform(-0.35, 0.35, 2) * hardness
    light = rng.uniform(0.62, 1.02) * (1 + slope[0] * xs + slope[1] * ys)
    if rng.random() < 0.25 * hardness:  # the edge of a shadow
        edge = (xs * rng.normal() + ys * rng.normal() + rng.uniform(-0.3, 0.3)) * rng.uniform(8, 60)
        light = light * (1 - rng.uniform(0.15, 0.5) / (1 + np.exp(-np.clip(edge, -30, 30))))
    cast = 1 + rng.normal(0, 0.06, 3) * hardness
    picture = scene * (light[..., None] * cast).astype(np.float32)
    if rng.random() < 0.2 * hardness:
        x, y, r = rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(0.05, 0.25)
        picture += (rng.uniform(40, 160) * np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / r**2))[..., None].astype(
            np.float32
        )
    picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 0.5 + 0.7 * hardness))
    if rng.random() < 0.15 * hardness:  # a hand that shook
        n = int(rng.integers(2, 4))
        kernel = np.zeros((5, 5), np.float32)
        cv2.line(kernel, (2 - n // 2, int(rng.integers(1, 4))), (2 + n // 2, int(rng.integers(1, 4))), 1)
        picture = cv2.filter2D(picture, -1, kernel / kernel.sum())
    noise = rng.standard_normal((h, w), np.float32) * rng.uniform(0, 5 * hardness)
    picture = np.clip(picture + noise[..., None], 0, 255)
    curve = 255 * (np.arange(256) / 255) ** rng.uniform(0.8, 1.25)
    quality = int(rng.integers(55 if hardness > 0.5 else 75, 96))
    ok, data = cv2.imencode(
        ".jpg",
        cv2.LUT(picture.astype(np.uint8), curve.astype(np.uint8))[..., ::-1],
        [cv2.IMWRITE_JPEG_QUALITY, quality],
    )
    assert ok
    return cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1]
