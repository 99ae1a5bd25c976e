"""Photographs of drawn fans, held or on a table, and of cards that cover one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.cards import RANKS, SUITS
from tests.plugins.cards.faces import Deck, Picture, draw_face
from tests.plugins.cards.scenes import draw_table, lay_card, photograph

if TYPE_CHECKING:
    from tests.plugins.cards.samples import Style


class Visible(NamedTuple):
    """An index corner in a picture: its card, its place, and whether nothing covers it or what is near."""

    card: str
    centre: NDArray[np.float64]
    is_clear: bool
    is_whole: bool
    """Whether nothing covers its ink."""
    up: NDArray[np.float64]
    """From the lower edge of the suit to the upper edge of the rank."""


def draw_fan(style: Style, seed: int) -> tuple[Picture, list[Visible]]:
    """Return a photograph of three to six cards of a deck fanned or thrown onto one another, and the indices."""
    rng = np.random.default_rng([79, seed])
    return draw_covered(style.deck(20_000_000 + seed), rng, int(rng.integers(3, 7)), 1280)


def draw_covered(
    deck: Deck, rng: np.random.Generator, count: int, width: int, names: Sequence[str] = ()
) -> tuple[Picture, list[Visible]]:
    """Return a photograph of so many cards, or of these, fanned or thrown onto one another, and the indices."""
    height = width * 3 // 4
    scene = draw_table(rng, width, height)
    tall = rng.uniform(330, 560) * width / 1280
    is_fan = rng.random() < 0.75
    step, lean = rng.uniform(0.12, 0.25), rng.uniform(-np.pi, np.pi)
    pivot = np.array([width / 2, height / 2]) - 0.55 * tall * np.array([np.sin(lean), -np.cos(lean)])
    covered = np.full((height, width), -1, np.int8)
    at = []
    names = names or [RANKS[n // 4] + SUITS[n % 4] for n in rng.choice(52, count, replace=False)]
    for n, name in enumerate(names):
        face = draw_face(deck, name)
        wide = tall * face.shape[1] / face.shape[0]
        if is_fan:
            angle = lean + (n - (count - 1) / 2) * step + rng.normal(0, 0.02)
            middle = pivot + tall * rng.uniform(0.96, 1.04) * np.array([np.sin(angle), -np.cos(angle)]) * 0.75
        else:
            angle, middle = rng.uniform(-np.pi, np.pi), rng.normal([width / 2, height / 2], tall * 0.35)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        corners = (np.array([[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]]) / 2) @ turn + middle
        lay_card(scene, face, corners, rng)
        cv2.fillConvexPoly(covered, corners.round().astype(np.int32), n)
        reach = (
            np.array([deck.inset[0] + 0.4 * deck.rank_height, deck.inset[1] + deck.rank_height]) / face.shape[0] * tall
        )
        for sign, corner in ((1, corners[0]), (-1, corners[2])):
            half = np.array([0.7 * deck.rank_height, 1.3 * deck.rank_height]) / face.shape[0] * tall
            spots = [corner + sign * ((reach + half * (i, j)) @ turn) for i in (-1, 0, 1) for j in (-1, 0, 1)]
            high = (deck.rank_height + deck.gap + deck.suit_height) / face.shape[0] * tall
            ink = [corner + sign * ((reach + half * (0.54 * i, 0.75 * j)) @ turn) for i in (-1, 1) for j in (-1, 1)]
            at.append((n, name, corner + sign * (reach @ turn), spots, ink, -sign * high * turn[1]))
    if is_fan and rng.random() < 0.5:
        _hold(scene, covered, pivot, tall, lean, rng)

    def is_own(n: int, places: list[NDArray[np.float64]]) -> bool:
        return all(0 <= x < width and 0 <= y < height and covered[int(y), int(x)] == n for x, y in places)

    shown = [Visible(name, centre, is_own(n, spots), is_own(n, ink), up) for n, name, centre, spots, ink, up in at]
    return photograph(scene, rng, rng.uniform(0.3, 1.0)), shown


def _hold(
    scene: NDArray[np.float32],
    covered: NDArray[np.int8],
    pivot: NDArray[np.float64],
    tall: float,
    lean: float,
    rng: np.random.Generator,
) -> None:
    """Draw the thumb and the fingers that hold a fan at its lower end."""
    skin = tuple(rng.uniform(0.45, 1) * np.array([235, 190, 160]))
    for _ in range(int(rng.integers(1, 4))):
        start = pivot + rng.normal(0, 0.12 * tall, 2)
        end = start + 0.35 * tall * np.array([np.sin(lean), -np.cos(lean)]) + rng.normal(0, 0.08 * tall, 2)
        points = [tuple(int(v) for v in point) for point in (start, end)]
        for plane, colour in ((scene, skin), (covered, 100)):
            cv2.line(plane, *points, colour, int(0.16 * tall), cv2.LINE_AA if plane is scene else cv2.LINE_8)
