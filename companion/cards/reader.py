"""Reads the cards in a picture: finds them, reads both corners, and compares with the face.

A card is certain only if both corners show the same index and the face, an independent witness, agrees: as many pips as
the rank says and of that suit, or a court's figure. Anything else is unsure, with the likely cards. A label of ours on
the card wins over the face, unless the face is certain of another card: then the card is unsure.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.cards.features import describe_symbol, even_paper, face_features, find_pips, index_features
from companion.cards.finder import Candidate, Corners, Picture, find_candidates, is_inside, quad_overlap, straighten
from companion.cards.labels import Label, read_labels
from companion.cards.network import FACE_CLASSES, load_networks
from companion.rules.cards import PACK, Card

MIN_CORNER_PROBABILITY = 0.3
"""Each corner's own probability of the rank, and of the suit."""

MIN_COURT_CORNER_PROBABILITY = 0.9
"""The same for a jack, queen or king, because a figure confirms neither rank nor suit."""

MIN_CERTAINTY = 0.97
"""Probability of the rank, and of the suit, by both corners together."""

MIN_WITNESS_PROBABILITY = 0.7
"""Probability by the face of that number of pips, or of a figure, and of the pips' suit."""

MIN_LIKELY = 0.04
MAX_LIKELY = 4
"""Least probability, and greatest number, of the cards that an unsure reading offers."""

MIN_EVIDENCE = 0.5
"""A candidate shows a card if a corner shows a rank and a suit, and the face a card, with this probability."""

MAX_PIP_PX = 168
"""Height of the largest pip, an ace's, on a straightened card. What is higher is a frame around the face."""

SQUARE_ASPECT = 0.88
"""A candidate whose sides differ less may lie either way round in perspective: both ways are read."""

_SAME_PLACE_OVERLAP = 0.3
_FIGURE = FACE_CLASSES.index("F")
_COUNT_OF_RANK = np.minimum(np.arange(13), _FIGURE)
_RANKS, _SUITS = np.array([card.rank for card in PACK]), np.array([card.suit for card in PACK])

CARD_WIDTH_LABELS = 10.5
"""Width of a card in sides of a label's code: 63 mm and 6 mm."""

Floats = NDArray[np.float32]
Quad = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class CardReading:
    """What was read at one place of a picture."""

    corners: Quad
    """Upper left, upper right, lower right, lower left of the card's face, in pixels."""
    card: Card | None
    """The card, None if it is not certain."""
    likely: tuple[Card, ...]
    """The cards it may be, the likeliest first."""
    probability: float
    """Of the likeliest card."""


def read_cards(picture: Picture) -> tuple[CardReading, ...]:
    """Return the cards in an RGB picture from left to right. No card is certain twice."""
    candidates = find_candidates(picture)
    readings = [r for c in candidates if (r := _read_candidate(picture, c))]
    faces = _keep_separate((), sorted(readings, key=lambda r: (r.card is None, -r.probability)))
    labelled = _read_labelled(read_labels(picture), faces, candidates)
    kept = _keep_separate(labelled, faces)
    certain = [r.card for r in kept if r.card is not None]
    kept = [replace(r, card=None) if r.card is not None and certain.count(r.card) > 1 else r for r in kept]
    return tuple(sorted(kept, key=lambda r: sum(x for x, _ in r.corners)))


def _keep_separate(kept: Sequence[CardReading], others: Sequence[CardReading]) -> list[CardReading]:
    """Return the readings kept, and those of the others that overlap none before them."""
    separate = list(kept)
    for reading in others:
        if not any(_overlap(reading, other) > _SAME_PLACE_OVERLAP for other in separate):
            separate.append(reading)
    return separate


def _read_labelled(
    labels: Sequence[Label], faces: Sequence[CardReading], candidates: Sequence[Candidate]
) -> list[CardReading]:
    """Return the readings of the cards with labels. One that is labelled as another card than its face is unsure."""
    names: dict[Quad, list[Card]] = {}
    for label in labels:
        names.setdefault(_find_labelled_card(label, faces, candidates), []).append(label.card)
    certain = {face.corners: face.card for face in faces if face.card is not None}
    readings = []
    for corners, cards in names.items():
        likely = tuple(dict.fromkeys([*cards, *([certain[corners]] if corners in certain else [])]))
        readings.append(CardReading(corners, likely[0] if len(likely) == 1 else None, likely, 1.0))
    return readings


def _find_labelled_card(label: Label, faces: Sequence[CardReading], candidates: Sequence[Candidate]) -> Quad:
    """Return the corners of the card on which a label sticks, or its own if the card was not found."""
    centre = label.corners.mean(0)
    for face in faces:
        if is_inside(centre, np.array(face.corners, np.float32)):
            return face.corners
    side = np.linalg.norm(label.corners - np.roll(label.corners, 1, 0), axis=1).mean()
    around = [c for c in candidates if is_inside(centre, c.corners)]
    sizes = [abs(np.log(np.linalg.norm(c.corners[1] - c.corners[0]) / side / CARD_WIDTH_LABELS)) for c in around]
    best = int(np.argmin(sizes)) if sizes else 0
    return as_quad(around[best].corners if sizes and sizes[best] < np.log(1.6) else label.corners)


def _read_candidate(picture: Picture, candidate: Candidate) -> CardReading | None:
    sides = np.linalg.norm(np.roll(candidate.corners, -1, 0) - candidate.corners, axis=1)
    ways = [candidate.corners]
    if sides[0] + sides[2] > SQUARE_ASPECT * (sides[1] + sides[3]):
        ways.append(np.roll(candidate.corners, -1, 0))
    found = [r for way in ways if (r := _read_straightened(straighten(picture, way), way))]
    return max(found, key=lambda r: (r.card is not None, r.probability), default=None)


class _Evidence(NamedTuple):
    """Probabilities of the ranks and suits, none included: a row for each corner, and those of the face."""

    ranks: Floats
    suits: Floats
    counts: Floats
    pip_suits: Floats | None
    """None if no pips were found."""


def _read_straightened(straight: Picture, corners: Corners) -> CardReading | None:
    """Return the reading of a straightened card, None if it shows no card."""
    evidence = _gather_evidence(even_paper(straight))
    if evidence is None:
        return None
    ranks, suits, witness, pip_suits = evidence
    by_rank, by_suit = _combine(ranks), _combine(suits)
    counts = witness[_COUNT_OF_RANK]
    joint_ranks = _normalise((by_rank + 1e-3) * (counts + 1e-3))
    joint_suits = by_suit if pip_suits is None else _normalise((by_suit + 1e-3) * (pip_suits[:4] + 1e-3))
    joint = joint_ranks[_RANKS] * joint_suits[_SUITS]
    order = np.argsort(-joint)
    best = PACK[int(order[0])]
    is_court = best.rank >= 10
    least = min(ranks[:, best.rank].min(), suits[:, best.suit].min())
    is_certain = len(ranks) == 2 and (
        by_rank[best.rank] >= MIN_CERTAINTY
        and by_suit[best.suit] >= MIN_CERTAINTY
        and least >= (MIN_COURT_CORNER_PROBABILITY if is_court else MIN_CORNER_PROBABILITY)
        and counts[best.rank] >= MIN_WITNESS_PROBABILITY
        and (is_court or (pip_suits is not None and pip_suits[best.suit] >= MIN_WITNESS_PROBABILITY))
    )
    likely = tuple(PACK[n] for n in order[:MAX_LIKELY] if joint[n] >= MIN_LIKELY) or (best,)
    return CardReading(as_quad(corners), best if is_certain else None, likely, float(joint[best]))


def _gather_evidence(card: Floats) -> _Evidence | None:
    """Return what the corners and the face show, None if that is not a card."""
    rank_network, suit_network, face_network = load_networks()
    sides = (card, np.ascontiguousarray(card[::-1, ::-1]))
    witness = face_network.classify(np.stack([face_features(side) for side in sides])).mean(0)
    indices = [found for side in sides if (found := index_features(side))]
    if not indices or witness[-1] > MIN_EVIDENCE:
        return None
    ranks = rank_network.classify(np.stack([rank for rank, _ in indices]))
    suits = suit_network.classify(np.stack([suit for _, suit in indices]))
    if max((1 - ranks[:, -1]) * (1 - suits[:, -1])) < MIN_EVIDENCE:
        return None
    boxes = [(side, box) for side in sides for box in find_pips(side) if box.height <= MAX_PIP_PX]
    pips = [describe_symbol(side, box) for side, box in boxes]
    return _Evidence(ranks, suits, witness, suit_network.classify(np.stack(pips)).mean(0) if pips else None)


def _combine(probabilities: Floats) -> Floats:
    """Return the probabilities of the classes but none, as both corners together see them."""
    return _normalise((probabilities[:, :-1] + 1e-4).prod(0))


def _normalise(values: Floats) -> Floats:
    return np.asarray(values / values.sum(), np.float32)


def as_quad(corners: Corners) -> Quad:
    """Return corners as plain numbers."""
    return tuple((float(x), float(y)) for x, y in corners)


def _overlap(first: CardReading, second: CardReading) -> float:
    return quad_overlap(np.array(first.corners, np.float32), np.array(second.corners, np.float32))
