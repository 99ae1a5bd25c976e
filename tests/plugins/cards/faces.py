"""Draws the faces of playing cards: indices from fonts, suits from our own curves, pips, courts and decorations.

Nothing here is a photograph. A `Deck` is one style drawn from a seed; `draw_face` draws one of its cards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from companion.rules.cards import RANKS, SUITS

Picture = NDArray[np.uint8]
HEIGHT = 360
"""Height of a drawn face in pixels: 4.1 pixels a millimetre."""

_SUIT_PX = 96
_LEFT, _MIDDLE, _RIGHT = 0.0, 0.5, 1.0
PIP_PLACES: dict[str, list[tuple[float, float]]] = {
    "A": [(0.5, 0.5)],
    "2": [(0.5, 0), (0.5, 1)],
    "3": [(0.5, 0), (0.5, 0.5), (0.5, 1)],
    "4": [(x, y) for x in (0, 1) for y in (0, 1)],
    "5": [*((x, y) for x in (0, 1) for y in (0, 1)), (0.5, 0.5)],
    "6": [(x, y) for x in (0, 1) for y in (0, 0.5, 1)],
    "7": [*((x, y) for x in (0, 1) for y in (0, 0.5, 1)), (0.5, 0.25)],
    "8": [*((x, y) for x in (0, 1) for y in (0, 0.5, 1)), (0.5, 0.25), (0.5, 0.75)],
    "9": [*((x, y) for x in (0, 1) for y in (0, 1 / 3, 2 / 3, 1)), (0.5, 0.5)],
    "T": [*((x, y) for x in (0, 1) for y in (0, 1 / 3, 2 / 3, 1)), (0.5, 1 / 6), (0.5, 5 / 6)],
}
"""Where each rank's pips are, in the rectangle that their centres span."""


@dataclass(frozen=True)
class Deck:
    """One style of deck."""

    font: str
    width: int
    """Width of a face in pixels."""
    rank_height: int
    rank_squeeze: float
    """Widest that a rank may be, as a part of its height."""
    ten_squeeze: float
    suit_height: int
    inset: tuple[int, int]
    gap: int
    pip_height: int
    pip_span: tuple[float, float, float, float]
    """Left, right, top and bottom of the centres of the pips, as parts of the face."""
    colours: tuple[tuple[int, int, int], ...]
    """RGB of clubs, diamonds, hearts and spades."""
    paper: tuple[int, int, int]
    shapes: tuple[Picture, ...]
    corners: int
    """2, or 4 if all four corners have an index."""
    ace_scale: float
    decorated_ace: bool
    line: int
    """Width of a frame around the pips, 0 without."""
    courts: Path | None
    """A folder of faces of a real deck's drawing, from which the figures are taken; None for drawn figures."""
    whole: Path | None
    """A folder of faces that are taken as they are, with their own indices."""
    seed: int
    letters: str = "JQK"
    """What jacks, queens and kings have in their corners."""
    weight: int = 0
    """Pixels by which the lines of ranks are thicker, or thinner."""
    lean: float = 0.0
    """Slope of the ranks."""
    has_segments: bool = False
    """Whether ranks are drawn of straight segments, as on a calculator."""


def draw_suit(suit: str, rng: np.random.Generator) -> Picture:
    """Return the mask of a suit's symbol, drawn from curves of a random shape."""
    size, middle = _SUIT_PX * 4, _SUIT_PX * 2
    image = Image.new("L", (size, size))
    draw = ImageDraw.Draw(image)
    t = np.linspace(0, 1, 40)
    if suit == "D":
        bulge, half = rng.uniform(-0.12, 0.16), rng.uniform(0.36, 0.48)
        side = np.stack([half * (1 - t), -0.5 * t], 1) + bulge * np.sin(np.pi * t)[:, None] * np.array([[-0.5, 0.5]])
        ring = np.concatenate([side, side[::-1] * [-1, 1], side * [-1, -1], side[::-1] * [1, -1]])
        draw.polygon([tuple(p) for p in (ring * size + middle)], fill=255)
    elif suit in "HS":
        lobe, drop, waist = rng.uniform(0.24, 0.28), rng.uniform(0.15, 0.24), rng.uniform(-0.08, 0.05)
        bottom = 0.5 if suit == "H" else 0.36
        angle = np.linspace(np.pi * rng.uniform(1.02, 1.15), -np.pi * 0.22, 60) * -1
        right = np.stack([0.5 - lobe + lobe * np.cos(angle), -0.5 + lobe + lobe * np.sin(angle)], 1)
        right = right[right[:, 0] >= 0]
        end = right[-1]
        line = end[None] * (1 - t[:, None]) + np.array([[0, bottom]]) * t[:, None]
        line[:, 0] -= waist * np.sin(np.pi * t)
        half = np.concatenate([[[0, -0.5 + drop]], right, line])
        ring = np.concatenate([half, half[::-1] * [-1, 1]])
        if suit == "S":
            ring[:, 1] = -ring[:, 1] - 0.14
        draw.polygon([tuple(p) for p in (ring * size + middle)], fill=255)
    else:
        radius, spread = rng.uniform(0.215, 0.25), rng.uniform(0.235, 0.275)
        for x, y in ((0, -0.5 + radius), (-spread, rng.uniform(0.06, 0.12)), (spread, None)):
            low = y if y is not None else low  # noqa: F821 - the second leaf is as high as the first
            box = [middle + (x - radius) * size, middle + (low - radius) * size]
            draw.ellipse([*box, box[0] + 2 * radius * size, box[1] + 2 * radius * size], fill=255)
        draw.ellipse([middle - 0.11 * size, middle - 0.16 * size, middle + 0.11 * size, middle + 0.12 * size], fill=255)
    if suit in "CS":
        foot, thin, power = rng.uniform(0.1, 0.24), rng.uniform(0.012, 0.05), rng.uniform(1.5, 4)
        stem = np.stack([thin + (foot - thin) * t**power, 0.05 + 0.45 * t], 1)
        ring = np.concatenate([stem, stem[::-1] * [-1, 1]])
        draw.polygon([tuple(p) for p in (ring * size + middle)], fill=255)
    mask = np.asarray(image.resize((_SUIT_PX, _SUIT_PX), Image.Resampling.BOX))
    return _trim(mask)


def draw_suit_of_font(font: str, suit: str) -> Picture | None:
    """Return the mask of a suit's symbol in a font, None if the font has none."""
    return _draw_text(font, dict(zip("CDHS", "♣♦♥♠", strict=True))[suit], _SUIT_PX)


def _trim(mask: Picture) -> Picture:
    rows, columns = np.flatnonzero(mask.max(1) > 60), np.flatnonzero(mask.max(0) > 60)
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


@lru_cache(maxsize=64)
def _draw_text(font: str, text: str, height: int) -> Picture | None:
    """Return the mask of a text, None if the font does not have it. It is drawn once for the four suits."""
    drawn = ImageFont.truetype(font, height * 2).getmask(text, "L")
    if not all(drawn.size):
        return None
    mask = np.asarray(drawn, np.uint8).reshape(drawn.size[1], drawn.size[0])
    if mask.max() < 200:
        return None
    mask = _trim(mask)
    return cv2.resize(
        mask, (max(2, round(mask.shape[1] * height / mask.shape[0])), height), interpolation=cv2.INTER_AREA
    )


def is_usable(font: str) -> bool:
    """Return whether a font has every rank, in letters of the usual proportions."""
    try:
        masks = [_draw_text(font, "10" if r == "T" else r, 40) for r in RANKS]
    except OSError:
        return False
    if any(m is None for m in masks):
        return False
    known = [m for m in masks if m is not None]
    wide = [m.shape[1] / 40 for r, m in zip(RANKS, known, strict=True) if r != "T"]
    ink = [float(m.mean()) / 255 for m in known]
    small = [cv2.resize(m, (12, 16), interpolation=cv2.INTER_AREA).astype(int) for m in known]
    nearest = min(float(np.abs(a - b).mean()) for i, a in enumerate(small) for b in small[:i])
    return max(wide) < 1.25 and min(wide) > 0.2 and min(ink) > 0.12 and max(ink) < 0.8 and nearest > 12


def make_deck(seed: int, fonts: list[str], suit_fonts: list[str], courts: list[Path]) -> Deck:
    """Return the style of this seed."""
    rng = np.random.default_rng(seed)
    jumbo = rng.random() < 0.2
    rank_height = int(rng.integers(44, 66) if jumbo else rng.integers(26, 44))
    width = int(rng.integers(228, 262))
    suits = _draw_suits(rng, suit_fonts)
    reds, blacks = _red(rng), _black(rng)
    colours = (blacks, reds, reds, blacks)
    if rng.random() < 0.15:
        green, blue = (
            (0, int(rng.integers(90, 150)), int(rng.integers(20, 70))),
            (int(rng.integers(0, 40)), int(rng.integers(60, 120)), int(rng.integers(160, 230))),
        )
        colours = (green, blue, reds, blacks)
    index = int(rank_height * rng.uniform(0.55, 1.0))
    side = rng.uniform(0.2, 0.33) if not jumbo else rng.uniform(0.3, 0.36)
    top = rng.uniform(0.13, 0.22)
    return Deck(
        font=fonts[int(rng.integers(len(fonts)))],
        width=width,
        rank_height=rank_height,
        rank_squeeze=float(rng.uniform(0.5, 1.05)),
        ten_squeeze=float(rng.uniform(0.62, 1.1)),
        suit_height=index,
        inset=(int(rng.integers(8, 18)), int(rng.integers(9, 24))),
        gap=int(rng.integers(2, 9)),
        pip_height=int(rng.integers(36, 62)),
        pip_span=(side, 1 - side, top, 1 - top),
        colours=colours,
        paper=tuple(
            int(v)
            for v in np.clip(rng.integers(232, 256) - np.array([0, rng.integers(0, 6), rng.integers(0, 22)]), 0, 255)
        ),
        shapes=suits,
        corners=4 if rng.random() < 0.12 else 2,
        ace_scale=float(rng.uniform(0.9, 2.2)),
        decorated_ace=bool(rng.random() < 0.5),
        line=int(rng.integers(1, 4)) if rng.random() < 0.12 else 0,
        courts=courts[int(rng.integers(len(courts)))] if courts and rng.random() < 0.75 else None,
        whole=courts[int(rng.integers(len(courts)))] if courts and rng.random() < 0.12 else None,
        seed=seed,
    )


_SEGMENTS = dict(zip("A23456789JQK10", (
    "abcefg", "abdeg", "abcdg", "bcfg", "acdfg", "acdefg", "abc", "abcdefg", "abcdfg", "bcde", "abcdefq", "efgxy",
    "bc", "abcdef"), strict=True))  # fmt: skip
"""The segments of each character: those of a calculator, and slanted ones for letters."""
_SEGMENT_ENDS = {
    "a": ((0, 0), (1, 0)), "b": ((1, 0), (1, 1)), "c": ((1, 1), (1, 2)), "d": ((0, 2), (1, 2)), "e": ((0, 1), (0, 2)),
    "f": ((0, 0), (0, 1)), "g": ((0, 1), (1, 1)), "q": ((0.5, 1.4), (1.1, 2.1)), "x": ((0, 1), (1, 0)),
    "y": ((0, 1), (1, 2)),
}  # fmt: skip


def _draw_segments(text: str, height: int) -> Picture:
    """Return the mask of a text of straight segments."""
    unit, thick = height, max(2, height // 4)
    parts = []
    for character in text:
        part = np.zeros((2 * unit + 2 * thick, unit + 2 * thick), np.uint8)
        for name in _SEGMENTS[character]:
            ends = [tuple(round(v * unit) + thick for v in end) for end in _SEGMENT_ENDS[name]]
            cv2.line(part, ends[0], ends[1], 255, thick, cv2.LINE_AA)
        parts.append(_trim(part))
    gap = np.zeros((max(p.shape[0] for p in parts), thick), np.uint8)
    parts = [cv2.copyMakeBorder(p, gap.shape[0] - p.shape[0], 0, 0, 0, cv2.BORDER_CONSTANT) for p in parts]
    mask = np.hstack([each for p in parts for each in (gap, p)][1:])
    return cv2.resize(
        mask, (max(2, round(mask.shape[1] * height / mask.shape[0])), height), interpolation=cv2.INTER_AREA
    )


def vary_deck(deck: Deck, rng: np.random.Generator) -> Deck:
    """Return a deck with other lines, slopes, letters or segments in its corners, for training."""
    is_foreign, has_segments = rng.random() < 0.08, rng.random() < 0.04
    return replace(
        deck,
        letters=("BDK", "VDR")[int(rng.integers(2))] if is_foreign else "JQK",
        weight=int(rng.integers(-1, 2)) if rng.random() < 0.4 else 0,
        lean=float(rng.uniform(-0.2, 0.2)) if rng.random() < 0.2 else 0.0,
        has_segments=has_segments and not is_foreign,
    )


def _red(rng: np.random.Generator) -> tuple[int, int, int]:
    return int(rng.integers(170, 240)), int(rng.integers(0, 55)), int(rng.integers(5, 60))


def _black(rng: np.random.Generator) -> tuple[int, int, int]:
    level = int(rng.integers(0, 55))
    return level, level, min(level + int(rng.integers(0, 16)), 70)


def _draw_suits(rng: np.random.Generator, suit_fonts: list[str]) -> tuple[Picture, ...]:
    if suit_fonts and rng.random() < 0.4:
        font = suit_fonts[int(rng.integers(len(suit_fonts)))]
        found = [draw_suit_of_font(font, s) for s in SUITS]
        if all(m is not None for m in found):
            return tuple(m for m in found if m is not None)
    return tuple(draw_suit(s, rng) for s in SUITS)


def _ink(face: NDArray[np.float32], mask: Picture, centre: tuple[float, float], colour: tuple[int, int, int]) -> None:
    """Print a mask around a centre."""
    h, w = mask.shape
    x, y = round(centre[0] - w / 2), round(centre[1] - h / 2)
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, face.shape[1]), min(y + h, face.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    part = (mask[y0 - y : y1 - y, x0 - x : x1 - x].astype(np.float32) / 255)[..., None]
    face[y0:y1, x0:x1] = face[y0:y1, x0:x1] * (1 - part) + np.array(colour, np.float32) * part


def _scaled(mask: Picture, height: int) -> Picture:
    width = max(2, round(mask.shape[1] * height / mask.shape[0]))
    return cv2.resize(mask, (width, max(2, height)), interpolation=cv2.INTER_AREA)


def draw_face(deck: Deck, card: str) -> Picture:
    """Return the face of a card such as `5H` as RGB."""
    rank, suit = card
    if deck.whole is not None and (drawn := read_deck_face(deck.whole, card)) is not None:
        return cv2.resize(
            drawn, (round(HEIGHT * drawn.shape[1] / drawn.shape[0]), HEIGHT), interpolation=cv2.INTER_AREA
        )
    number = SUITS.index(suit)
    colour, shape = deck.colours[number], deck.shapes[number]
    face = np.empty((HEIGHT, deck.width, 3), np.float32)
    face[:] = deck.paper
    rng = np.random.default_rng([deck.seed, RANKS.index(rank) * 4 + number])
    if rank in PIP_PLACES:
        _draw_pips(deck, face, rank, suit)
    else:
        _draw_court(deck, face, card, rng)
    if deck.line:
        x, y = round(deck.width * 0.14), round(HEIGHT * 0.06)
        cv2.rectangle(face, (x, y), (deck.width - x, HEIGHT - y), colour, deck.line)
    _draw_index(deck, face, rank, colour, shape)
    return np.clip(face, 0, 255).astype(np.uint8)


def _index_width(deck: Deck, rank: str, shape: Picture) -> float:
    """Return how far an index reaches from the card's edge."""
    squeeze = deck.ten_squeeze if rank == "T" else deck.rank_squeeze
    widest = max(deck.rank_height * min(squeeze, 0.85), deck.suit_height * shape.shape[1] / shape.shape[0])
    return deck.inset[0] + max(widest, deck.rank_height * 0.55)


def name_rank(deck: Deck, rank: str) -> str:
    """Return what a deck has in the corners of a rank: `10`, a digit or a letter."""
    return "10" if rank == "T" else deck.letters["JQK".index(rank)] if rank in "JQK" else rank


def _draw_rank(deck: Deck, rank: str) -> Picture:
    text, height = name_rank(deck, rank), deck.rank_height
    mask = _draw_segments(text, height) if deck.has_segments else _draw_text(deck.font, text, height)
    assert mask is not None
    if deck.weight:
        change = cv2.dilate if deck.weight > 0 else cv2.erode
        thick = change(cv2.resize(mask, None, fx=2, fy=2), np.ones((2, 2), np.uint8))
        thick = cv2.resize(thick, mask.shape[1::-1], interpolation=cv2.INTER_AREA)
        mask = thick if thick.max() > 150 else mask
    if deck.lean:
        wider = round(abs(deck.lean) * height)
        matrix = np.float32([[1, -deck.lean, max(0.0, deck.lean) * height], [0, 1, 0]])
        mask = _trim(cv2.warpAffine(mask, matrix, (mask.shape[1] + wider, height)))
    return mask


def _draw_index(deck: Deck, face: NDArray[np.float32], rank: str, colour: tuple[int, int, int], shape: Picture) -> None:
    mask = _draw_rank(deck, rank)
    widest = deck.rank_height * (deck.ten_squeeze if rank == "T" else deck.rank_squeeze)
    if mask.shape[1] > widest:
        mask = cv2.resize(mask, (int(widest), mask.shape[0]), interpolation=cv2.INTER_AREA)
    suit = _scaled(shape, deck.suit_height)
    column = max(deck.rank_height * 0.55, min(mask.shape[1], deck.rank_height * 0.75), suit.shape[1])
    x, y = deck.inset[0] + column / 2, deck.inset[1]
    x = max(x, mask.shape[1] / 2 + 4)
    patch_height = int(y + deck.rank_height + deck.gap + deck.suit_height + 4)
    patch_width = int(x + max(mask.shape[1], suit.shape[1]) / 2 + 4)
    face[:patch_height, :patch_width] = deck.paper
    face[-patch_height:, -patch_width:] = deck.paper
    places = [face, face[::-1, ::-1]]
    if deck.corners == 4:  # the other two corners are upright mirrors in place, not in shape
        for half in places:
            half[:patch_height, -patch_width:] = deck.paper
            _ink(half, mask, (deck.width - x, y + deck.rank_height / 2), colour)
            _ink(half, suit, (deck.width - x, y + deck.rank_height + deck.gap + deck.suit_height / 2), colour)
    for half in places:
        _ink(half, mask, (x, y + deck.rank_height / 2), colour)
        _ink(half, suit, (x, y + deck.rank_height + deck.gap + deck.suit_height / 2), colour)


def _draw_pips(deck: Deck, face: NDArray[np.float32], rank: str, suit: str) -> None:
    number = SUITS.index(suit)
    colour, shape = deck.colours[number], deck.shapes[number]
    left, right, top, bottom = deck.pip_span
    height = deck.pip_height
    pip_width = shape.shape[1] * height / shape.shape[0]
    left = min(0.4, max(left, (_index_width(deck, rank, shape) + pip_width / 2 + 3) / deck.width))
    right = 1 - left
    if rank == "A":
        height = int(height * (deck.ace_scale * 1.6 if suit == "S" and deck.decorated_ace else deck.ace_scale))
        height = min(height, 150)
    pip = _scaled(shape, height)
    turned = np.ascontiguousarray(pip[::-1, ::-1])
    for across, down in PIP_PLACES[rank]:
        x, y = (left + (right - left) * across) * deck.width, (top + (bottom - top) * down) * HEIGHT
        _ink(face, turned if down > 0.5 else pip, (x, y), colour)
    if rank == "A" and suit == "S" and deck.decorated_ace:
        _ink(face, _scaled(pip, max(4, height // 3)), (deck.width / 2, HEIGHT / 2), deck.paper)
        for k, y in enumerate((0.5 * HEIGHT - height * 0.75, 0.5 * HEIGHT + height * 0.75)):
            text = _draw_text(deck.font, ("AJQK", "2678")[k], 12)
            if text is not None:
                _ink(face, text, (deck.width / 2, y), colour)


def _draw_court(deck: Deck, face: NDArray[np.float32], card: str, rng: np.random.Generator) -> None:
    x, y = round(deck.width * rng.uniform(0.13, 0.19)), round(HEIGHT * rng.uniform(0.05, 0.1))
    w, h = deck.width - 2 * x, HEIGHT - 2 * y
    drawn = read_deck_face(deck.courts, card) if deck.courts else None
    if drawn is not None:
        dh, dw = drawn.shape[:2]
        cut = drawn[round(dh * 0.06) : round(dh * 0.94), round(dw * 0.15) : round(dw * 0.85)]
        figure = cv2.resize(cut, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32)
    else:
        figure = _draw_figure(deck, w, h, rng)
    face[y : y + h, x : x + w] = figure
    number = SUITS.index(card[1])
    if rng.random() < 0.7:
        cv2.rectangle(face, (x, y), (x + w, y + h), (30, 30, 90), 1)
    pip = _scaled(deck.shapes[number], int(deck.pip_height * rng.uniform(0.6, 0.9)))
    if rng.random() < 0.8:
        for half in (face, face[::-1, ::-1]):
            spot = (x + pip.shape[1] * 0.7 + 4, y + pip.shape[0] * 0.7 + 4)
            _ink(half, np.full((pip.shape[0] + 6, pip.shape[1] + 6), 255, np.uint8), spot, deck.paper)
            _ink(half, pip, spot, deck.colours[number])


def _draw_figure(deck: Deck, w: int, h: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return a figure of random patches with two heads, in the colours of courts."""
    figure = np.empty((h, w, 3), np.float32)
    figure[:] = deck.paper
    palette = [(200, 30, 40), (20, 20, 20), (240, 190, 40), (40, 70, 170), deck.paper, (240, 210, 180)]
    for _ in range(int(rng.integers(25, 70))):
        centre = np.array([rng.normal(w * 0.5, w * 0.22), rng.uniform(h * 0.06, h * 0.5)])
        points = centre + rng.normal(0, w * rng.uniform(0.03, 0.13), (int(rng.integers(3, 7)), 2))
        colour = palette[int(rng.integers(len(palette)))]
        if rng.random() < 0.5:
            cv2.fillPoly(figure, [points.astype(np.int32)], colour, cv2.LINE_AA)
        else:
            cv2.polylines(
                figure,
                [points.astype(np.int32)],
                bool(rng.random() < 0.5),
                colour,
                int(rng.integers(1, 4)),
                cv2.LINE_AA,
            )
    head = (int(w * rng.uniform(0.4, 0.6)), int(h * 0.17))
    cv2.ellipse(figure, head, (int(w * 0.13), int(h * 0.08)), 0, 0, 360, (245, 220, 190), -1, cv2.LINE_AA)
    half = h // 2
    figure[h - half :] = figure[:half][::-1, ::-1]
    return figure


@lru_cache(maxsize=600)
def read_deck_face(folder: Path, card: str) -> Picture | None:
    """Return the face of a card of a deck's drawing as RGB, None if it has none of a useful size."""
    path = folder / f"{card}.png"
    if not path.exists():
        return None
    image = Image.open(path).convert("RGBA")
    box = image.getchannel("A").point(lambda a: 255 * (a > 200)).getbbox()
    if box is None or box[3] - box[1] < 190 or not 0.6 < (box[2] - box[0]) / (box[3] - box[1]) < 0.78:
        return None
    image = image.crop(box)
    paper = Image.new("RGBA", image.size, (255, 255, 255, 255))
    return np.asarray(Image.alpha_composite(paper, image).convert("RGB"))
