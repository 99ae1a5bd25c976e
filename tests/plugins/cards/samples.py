"""Fonts, decks and training samples: single drawn cards, photographed and straightened as the finder would."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import reportlab
from numpy.typing import NDArray

from companion.plugins.cards.corners import (
    MIN_INK_PARTS,
    describe_beside,
    even_sheet,
    list_poses,
    scale_picture,
    straighten_poses,
)
from companion.plugins.cards.features import (
    Features,
    describe_symbol,
    even_paper,
    face_features,
    find_indices,
    find_pips,
)
from companion.plugins.cards.finder import straighten
from companion.plugins.cards.network import FACE_CLASSES, LETTER_RANKS, RANK_CLASSES, SUIT_CLASSES
from companion.rules.cards import RANKS, SUITS
from tests.plugins.cards.faces import (
    Deck,
    Picture,
    draw_face,
    draw_suit_of_font,
    make_deck,
    name_rank,
    vary_deck,
)
from tests.plugins.cards.fans import Visible, draw_covered
from tests.plugins.cards.scenes import Placed, card_corners, draw_table, lay_card, photograph
from tests.plugins.cards.stickers import enlarge_face, stick_label

FONT_FOLDER = Path("/usr/share/fonts")
DECK_FOLDER = Path("build/cards/decks")
TRAINING_DECKS = ("standard", "white", "ornamental", "jolly-royal")
TEST_DECKS = ("bonded", "tigullio-international", "dondorf", "paris")
FANS_A_DECK = 24
OTHER_PLACES = 12
"""Fans that are drawn for each deck that is drawn as single cards, and the most places without an index of each."""

NONE_RANK, NONE_SUIT, NONE_FACE = len(RANK_CLASSES) - 1, len(SUIT_CLASSES) - 1, len(FACE_CLASSES) - 1


class Style(NamedTuple):
    """What a set of decks is drawn from."""

    fonts: list[str]
    suit_fonts: list[str]
    courts: list[Path]

    def deck(self, seed: int) -> Deck:
        """Return the deck of a seed."""
        return make_deck(seed, self.fonts, self.suit_fonts, self.courts)


@cache
def load_style(section: str) -> Style:
    """Return the fonts and decks for `training` or `test`."""
    listed = Path(__file__).with_name("fonts.txt").read_text().split(f"[{section}]\n")[1].split("[")[0].split("\n")
    paths = {p.name: str(p) for p in FONT_FOLDER.rglob("*.?tf")}
    fonts = [paths[name] for name in listed if name in paths]
    decks = [DECK_FOLDER / name for name in (TRAINING_DECKS if section == "training" else TEST_DECKS)]
    return Style(fonts, [f for f in fonts if _has_suits(f)], [d for d in decks if d.exists()])


@cache
def unseen_style() -> Style:
    """Return a style from the fonts that a library of ours brings along, so that no machine lacks them."""
    fonts = Path(reportlab.__file__).parent / "fonts"
    return Style([str(fonts / "Vera.ttf"), str(fonts / "VeraBd.ttf")], [], [])


def _has_suits(font: str) -> bool:
    masks = [draw_suit_of_font(font, s) for s in SUITS]
    known = [cv2.resize(m, (24, 24)).astype(int) for m in masks if m is not None]
    if len(known) < 4 or min(m.mean() for m in known) < 70:
        return False
    return min(float(np.abs(a - b).mean()) for i, a in enumerate(known) for b in known[:i]) > 15


class Samples(NamedTuple):
    """Features of symbols, faces and what is beside indices with their classes, in lists that grow."""

    ranks: list[tuple[Features, int]]
    suits: list[tuple[Features, int]]
    faces: list[tuple[Features, int]]
    beside: list[tuple[Features, int]]
    missed: list[int]
    """Corners whose index was not found."""

    def add(self, straight: Picture, rank: int, suit: int, letter: int) -> None:
        """Add both corners, the face both ways round, and the pips of a straightened card; `letter` is its rank."""
        card = even_paper(straight)
        count = FACE_CLASSES.index("F") if 10 <= rank < 13 else NONE_FACE if rank == NONE_RANK else rank
        for side in (card, card.turn()):
            self.faces.append((face_features(side), count))
            indices = find_indices(side)
            if not indices:
                self.missed.append(rank)
                continue
            self.ranks.append((describe_symbol(side, indices[0].rank), letter))
            self.suits.append((describe_symbol(side, indices[0].suit), suit))
            if rank < 10:
                pips = find_pips(side)
                largest = max((p.height for p in pips), default=0)
                self.suits.extend((describe_symbol(side, p), suit) for p in pips[:2] if p.height > 0.8 * largest)


def straightened_card(rng: np.random.Generator, face: Picture, hardness: float) -> Picture:
    """Return a face photographed somewhere and straightened with small errors."""
    return straightened_cards(rng, face, hardness, 1)[0]


def straightened_cards(rng: np.random.Generator, face: Picture, hardness: float, count: int) -> list[Picture]:
    """Return a face photographed once and straightened so many times, each time with other errors."""
    height = float(np.exp(rng.uniform(np.log(85), np.log(250))))
    span = int(height * 1.35)
    scene = draw_table(rng, span, span)
    corners = card_corners(
        rng, (span / 2, span / 2), height, face.shape[1] / face.shape[0], rng.uniform(-0.3, 0.3) * hardness
    )
    lay_card(scene, face, corners, rng)
    picture = photograph(scene, rng, hardness)
    wrong = rng.normal(0, 0.006, (count, 4, 2)) + rng.normal(0, 0.004, (count, 1, 2))
    return [straighten(picture, (corners + w * height).astype(np.float32)) for w in wrong]


def make_samples(style: Style, seed: int, decks: int) -> Samples:
    """Return samples of the cards of some decks, apart and in fans, and of what is no card."""
    samples = Samples([], [], [], [], [])
    for number in range(decks):
        rng = np.random.default_rng([seed, number])
        deck = vary_deck(style.deck(seed * 1000 + number), rng)
        for n in range(52):
            face = draw_face(deck, RANKS[n // 4] + SUITS[n % 4])
            for straight in straightened_cards(rng, face, rng.uniform(0.3, 1.2), 2):
                samples.add(straight, n // 4, n % 4, find_letter_class(deck, RANKS[n // 4]))
            if n % 4 == 0:
                samples.add(_draw_nothing(deck, rng), NONE_RANK, NONE_SUIT, NONE_RANK)
        for fan in range(FANS_A_DECK):
            _add_fan(samples, style, [seed, number, fan])
    return samples


def find_letter_class(deck: Deck, rank: str) -> int:
    """Return the class of what a deck has in the corners of a rank."""
    name = name_rank(deck, rank)
    return len(RANK_CLASSES) + list(LETTER_RANKS).index(name) if name in LETTER_RANKS else RANKS.index(rank)


def _add_fan(samples: Samples, style: Style, seed: list[int]) -> None:
    """Add the indices of a drawn fan as the reader finds them, and some of the other places where it looks.

    Some pictures show no card at all.
    """
    rng = np.random.default_rng(seed)
    shown: list[Visible] = []
    if rng.random() < 0.15:
        picture = draw_negative(int(rng.integers(10**6, 10**9)))
    else:
        deck = replace(vary_deck(style.deck(int(rng.integers(10**8, 10**9))), rng), whole=None, corners=2)
        width = int(np.exp(rng.uniform(np.log(420), np.log(1280)))) // 4 * 4
        picture, shown = draw_covered(deck, rng, int(rng.choice([1, 2, 3, 4, 6])), width)
    scale = scale_picture(picture)
    sheet = even_sheet(picture, scale)
    poses = [pose for part in MIN_INK_PARTS for pose in list_poses(sheet, part)]
    others = []
    for seen in straighten_poses(sheet, poses):
        near = [
            v for v in shown if np.linalg.norm(v.centre * scale - seen.centre) < 0.75 * np.linalg.norm(v.up) * scale
        ]
        rank_symbol, suit_symbol = (describe_symbol(seen.patch, box) for box in seen.place)
        beside = describe_beside(sheet, seen.centre, seen.up)
        own = next((v for v in near if v.is_whole and _is_same_index(v, seen.centre / scale, seen.up / scale)), None)
        if own:
            rank, suit = RANKS.index(own.card[0]), SUITS.index(own.card[1])
            samples.ranks.append((rank_symbol, find_letter_class(deck, own.card[0])))
            samples.suits.append((suit_symbol, suit))
            samples.beside.append((beside, min(rank, FACE_CLASSES.index("F"))))
        elif not near:
            others.append((rank_symbol, suit_symbol, beside))
    for n in rng.permutation(len(others))[:OTHER_PLACES]:
        samples.ranks.append((others[n][0], NONE_RANK))
        samples.beside.append((others[n][2], NONE_FACE))
        if not shown:
            samples.suits.append((others[n][1], NONE_SUIT))


def _is_same_index(index: Visible, centre: NDArray[np.float32], up: NDArray[np.float32]) -> bool:
    size, own = float(np.linalg.norm(index.up)), float(np.linalg.norm(up))
    is_near = np.linalg.norm(index.centre - centre) < 0.45 * size
    return bool(is_near and 0.72 < own / size < 1.35 and index.up @ up > 0.93 * size * own)


def _draw_nothing(deck: Deck, rng: np.random.Generator) -> Picture:
    """Return a straightened picture without an index: a table, a back, a card seen wrongly, or writing."""
    kind = rng.integers(5)
    face = draw_face(deck, RANKS[rng.integers(13)] + SUITS[rng.integers(4)])
    if kind == 0:
        scene = draw_table(rng, 200, 280)
        return photograph(np.clip(scene + rng.uniform(0, 90), 0, 255), rng)
    if kind == 1:  # a corner lies where the middle should
        return straightened_card(
            rng, np.ascontiguousarray(np.roll(face, (face.shape[0] // 3, face.shape[1] // 3), (0, 1))), 0.6
        )
    if kind == 2:
        return straightened_card(rng, np.ascontiguousarray(np.rot90(face)), 0.6)
    if kind == 3:
        return straightened_card(rng, draw_back(deck.width, rng), 0.8)
    return straightened_card(rng, draw_print(deck.width, rng), 0.8)


def draw_back(width: int, rng: np.random.Generator) -> Picture:
    """Return the back of a card: a white edge around a pattern."""
    back = np.full((360, width, 3), 245, np.float32)
    edge = int(rng.integers(0, 26))
    colour = rng.uniform(20, 190, 3)
    back[edge : 360 - edge, edge : width - edge] = colour
    step, other = int(rng.integers(6, 30)), rng.uniform(120, 255, 3)
    inside = np.ascontiguousarray(back[edge : 360 - edge, edge : width - edge])
    for x in range(-360, width + 360, step):
        if rng.random() < 0.95:
            cv2.line(inside, (x, 0), (x + 360, 360), tuple(other), 1 + step // 8, cv2.LINE_AA)
            cv2.line(inside, (x, 0), (x - 360, 360), tuple(other), 1 + step // 8, cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.circle(
            inside,
            (inside.shape[1] // 2, inside.shape[0] // 2),
            int(rng.integers(20, 70)),
            tuple(other),
            -1,
            cv2.LINE_AA,
        )
    back[edge : 360 - edge, edge : width - edge] = inside
    return back.astype(np.uint8)


def draw_print(width: int, rng: np.random.Generator) -> Picture:
    """Return a white sheet with writing, or with nothing."""
    sheet = np.full((360, width, 3), int(rng.integers(225, 255)), np.uint8)
    ink = tuple(int(v) for v in rng.uniform(0, 120, 3)) if rng.random() < 0.5 else (20, 20, 20)
    y = rng.uniform(10, 60)
    while rng.random() < 0.93 and y < 350:
        size = rng.uniform(0.3, 1.6)
        letters = "".join(chr(int(c)) for c in rng.integers(48, 122, int(rng.integers(1, 14))))
        y += size * 26
        cv2.putText(
            sheet,
            letters,
            (int(rng.uniform(4, 60)), int(y)),
            int(rng.integers(0, 5)),
            size,
            ink,
            int(rng.integers(1, 4)),
            cv2.LINE_AA,
        )
    return sheet


def draw_photo(
    style: Style, seed: int, width: int = 1280, height: int = 960, *, has_labels: bool = False
) -> tuple[Picture, list[Placed]]:
    """Return a photograph of one to six cards of a deck that lie side by side, and the cards in it."""
    rng = np.random.default_rng([77, seed])
    deck, count = style.deck(10_000_000 + seed), int(rng.integers(1, 7))
    columns = 3 if count > 2 else max(1, count)
    rows = 2 if count > 3 else 1
    scene, placed = draw_table(rng, width, height), []
    cell = np.array([width / columns, height / rows])
    tilt = rng.uniform(-0.3, 0.3)
    largest = min(cell[0] / 1.3, cell[1] / 1.3, 430)
    for at, n in enumerate(rng.choice(52, count, replace=False)):
        card = RANKS[n // 4] + SUITS[n % 4]
        face = draw_face(deck, card)
        if has_labels:
            face = enlarge_face(face)
            stick_label(face, card)
        size = largest * rng.uniform(0.55, 1)
        middle = cell * (0.5 + np.array([at % columns, at // columns]))
        centre = middle + rng.uniform(-0.5, 0.5, 2) * (cell - size * 1.28)
        corners = card_corners(rng, (centre[0], centre[1]), size, face.shape[1] / face.shape[0], tilt)
        lay_card(scene, face, corners, rng)
        placed.append(Placed(card, corners))
    return photograph(scene, rng, rng.uniform(0.3, 1.0)), placed


def draw_negative(seed: int, width: int = 1280, height: int = 960) -> Picture:
    """Return a photograph without a card's face: tables, backs, sheets, rectangles, hands."""
    rng = np.random.default_rng([78, seed])
    scene = draw_table(rng, width, height)
    for _ in range(int(rng.integers(0, 6))):
        centre = rng.uniform(0.15, 0.85, 2) * [width, height]
        size, kind = rng.uniform(120, 420), int(rng.integers(5))
        corners = card_corners(rng, (centre[0], centre[1]), size, rng.uniform(0.55, 0.85), rng.uniform(-0.3, 0.3))
        if kind == 0:
            lay_card(scene, draw_back(250, rng), corners, rng)
        elif kind == 1:
            lay_card(scene, draw_print(250, rng), corners, rng)
        elif kind == 2:
            lay_card(scene, np.full((360, 250, 3), rng.uniform(0, 255, 3).astype(np.uint8), np.uint8), corners, rng)
        elif kind == 3:
            draw_hand(scene, centre, size, rng)
        else:  # a domino, a board with holes: round dark spots on a light rectangle
            sheet = np.full((360, 250, 3), rng.integers(200, 255), np.uint8)
            for x, y in rng.integers(20, 230, (int(rng.integers(1, 30)), 2)):
                cv2.circle(sheet, (int(x), int(y * 1.4)), int(rng.integers(5, 22)), (20, 20, 30), -1, cv2.LINE_AA)
            lay_card(scene, sheet, corners, rng)
    return photograph(scene, rng, rng.uniform(0.3, 1.0))


def draw_hand(scene: NDArray[np.float32], centre: NDArray[np.float64], size: float, rng: np.random.Generator) -> None:
    """Draw an outstretched hand onto the scene."""
    skin = tuple(rng.uniform(0.5, 1) * np.array([235, 190, 160]))
    at = (int(centre[0]), int(centre[1]))
    cv2.ellipse(scene, at, (int(size * 0.35), int(size * 0.45)), 0, 0, 360, skin, -1, cv2.LINE_AA)
    for k in range(5):
        angle = np.pi * (1.15 + 0.17 * k)
        tip = (int(at[0] + size * np.cos(angle)), int(at[1] + size * np.sin(angle)))
        cv2.line(scene, at, tip, skin, int(size * 0.16), cv2.LINE_AA)
