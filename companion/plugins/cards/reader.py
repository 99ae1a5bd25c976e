"""Reads the cards in a picture: finds them, reads both corners, and compares with the face.

A card is certain only if both corners show the same index and the face, an independent witness, agrees: as many pips as
the rank says and of that suit, or a court's figure. Anything else is unsure, with the likely cards. A label of ours on
the card wins over the face.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.plugins.cards.corners import MIN_PAIRED, CornerReading, judge_corners, read_corners
from companion.plugins.cards.features import (
    Index,
    StraightCard,
    describe_symbol,
    even_paper,
    face_features,
    find_indices,
    find_pips,
    find_unjoined_indices,
    is_same_place,
    measure_colour,
    measure_redness,
)
from companion.plugins.cards.finder import (
    Candidate,
    Corners,
    Label,
    Picture,
    find_candidates,
    is_inside,
    quad_overlap,
    read_labels,
    straighten,
)
from companion.plugins.cards.network import FACE_CLASSES, classify_ranks, load_networks
from companion.rules.cards import PACK, SUITS, Card, parse_card

MIN_CORNER_PROBABILITY = 0.3
"""Each corner's own probability of the rank, and of the suit."""

MIN_COURT_RANK_PROBABILITY = 0.75
"""The same for a jack, queen or king, among these three: a figure does not confirm which of them it is."""

MIN_COURT_SUIT_PROBABILITY = 0.9
"""The same for their suit, which nothing else confirms."""

MIN_COURT_SHARE = 0.15
"""Each corner's probability that it is any of the three: a J may look like a 7, but no 7 has a figure."""

MIN_FRAMED_PIPS, MAX_COURT_PIPS = 2, 3
"""Symbols like pips of a court's suit in each half of its face: as many as make its figure less likely, and at most.

A nine or ten, whose frame may pass for a figure, has more.
"""

MIN_CERTAINTY = 0.97
"""Probability of the rank, and of the suit, by both corners and the face together."""

MIN_WITNESS_PROBABILITY = 0.7
"""Probability by the face of that number of pips, or of a figure, and of the pips' suit."""

MIN_FIGURE_PROBABILITY = 0.95
"""Probability by the face of a figure, where a corner looks more like a rank with pips, or there are such pips."""

MIN_LIKELY = 0.04
MAX_LIKELY = 4
"""Least probability, and greatest number, of the cards that an unsure reading offers, before suits are added."""

MIN_PICTURE_COLOUR = 0.13
GREY_PICTURE_COLOUR = 0.01
"""Red and black suits cannot be distinguished in a picture with less colour; one with still less is grey."""

MIN_REDNESS = 0.12
CERTAIN_REDNESS = 0.4
"""Ink with less redness is black; with more it is certainly red."""

MIN_EVIDENCE = 0.5
"""A candidate shows a card if a corner shows a rank and a suit, and the face a card, with this probability."""

SQUARE_ASPECT = 0.88
"""A candidate whose sides differ less may lie either way round in perspective: both ways are read."""

_SAME_PLACE_OVERLAP = 0.3
_ORNATE_ACE = parse_card("AS")
"""The card whose face is not a witness, as many decks have an ornament there."""

_COURTS = range(10, 13)
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
    redness: float = 1.0
    """Of the suits in its corners."""


def read_cards(picture: Picture) -> tuple[CardReading, ...]:
    """Return the cards in an RGB picture that show all four sides, from left to right. No card is certain twice."""
    return _settle(_read_outlined(picture, measure_colour(picture)))


def read_covered_cards(picture: Picture) -> tuple[CardReading, ...]:
    """Return the same, and the cards that show no more than an index, as in a fan."""
    colour = measure_colour(picture)
    return _settle(_add_covered(_read_outlined(picture, colour), picture, colour))


def _read_outlined(picture: Picture, colour: float) -> list[CardReading]:
    candidates = find_candidates(picture)
    readings = [_weigh_colour(r, colour) for c in candidates if (r := _read_candidate(picture, c))]
    readings = [_doubt_contradicted(r, readings) for r in readings]
    # Of readings about as probable, that with the straightest sides comes first, as its corners are the most exact.
    faces = _keep_separate((), sorted(readings, key=lambda r: (r.card is None, -round(r.probability, 2))))
    return _keep_separate(_read_labelled(read_labels(picture), faces, candidates), faces)


def _settle(readings: Sequence[CardReading]) -> tuple[CardReading, ...]:
    """Return the readings from left to right, each unsure whose card is certain at another place too."""
    certain = [r.card for r in readings if r.card is not None]
    settled = [replace(r, card=None) if r.card is not None and certain.count(r.card) > 1 else r for r in readings]
    return tuple(sorted(settled, key=lambda r: sum(x for x, _ in r.corners)))


def _add_covered(readings: Sequence[CardReading], picture: Picture, colour: float) -> list[CardReading]:
    """Return the readings with the cards of which only indices show, as in a fan.

    What lies in a card's outline is that card. An unsure outline around indices of several cards is not one card.
    """
    corners = read_corners(picture)
    cards = []
    for reading in readings:
        quad = np.array(reading.corners, np.float32)
        inside = {c.card for c in corners if c.joint.max() >= MIN_PAIRED and is_inside(c.centre, quad)}
        if reading.card is not None or len(inside) < 2:
            cards.append(reading)
    outlines = [np.array(reading.corners, np.float32) for reading in cards]
    free = [c for c in corners if not any(is_inside(c.centre, quad) for quad in outlines)]
    certain = {reading.card for reading in cards}
    for seen in judge_corners(free, corners):
        order = np.argsort(-seen.joint)
        likely = tuple(PACK[n] for n in order[:MAX_LIKELY] if seen.joint[n] >= MIN_LIKELY)
        if likely[0] not in certain or seen.card is not None:
            card = _judge_pair(picture, seen, likely[0]) if seen.is_pair else seen.card
            reading = CardReading(as_quad(seen.quad), card, likely, float(seen.joint.max()), seen.redness)
            cards.append(_weigh_colour(reading, colour))
    return cards


def _judge_pair(picture: Picture, seen: CornerReading, card: Card) -> Card | None:
    """Return the card of two corners, None if what shows between them speaks against it, or is needed and missing."""
    straight = even_paper(straighten(picture, seen.quad))
    face = load_networks()[2].classify(np.stack([face_features(side) for side in (straight, straight.turn())])).mean(0)
    if seen.is_confirmable and face[_COUNT_OF_RANK[card.rank]] >= MIN_WITNESS_PROBABILITY:
        return card
    figure, pips = float(face[_FIGURE]), float(face[1:_FIGURE].sum())
    is_court = card.rank in _COURTS
    against = pips if card == _ORNATE_ACE or (is_court and seen.is_confirmed) else 1 - figure if is_court else figure
    return seen.card if against <= MIN_WITNESS_PROBABILITY else None


def _weigh_colour(reading: CardReading, colour: float) -> CardReading:
    """Return the reading with every suit that the colour leaves open, and unsure if only a shape speaks for black.

    Without colours a heart or a diamond looks like a spade to the networks.
    """
    is_red, is_black = reading.redness >= CERTAIN_REDNESS, reading.redness < MIN_REDNESS
    if is_red or (is_black and colour >= MIN_PICTURE_COLOUR):
        return reading
    best = reading.likely[0]
    suits = [card for card in PACK if card.rank == best.rank]
    is_doubtful = SUITS[best.suit] in "CS" and (not is_black or colour < GREY_PICTURE_COLOUR)
    likely = tuple(dict.fromkeys([*reading.likely, *suits]))
    return replace(reading, card=None if is_doubtful else reading.card, likely=likely)


def _doubt_contradicted(reading: CardReading, others: Sequence[CardReading]) -> CardReading:
    """Return the reading, unsure if another outline of the same card is certain of another card.

    The frame around a court's figure is an outline too, and parts of the figure may look like indices. A court, whose
    rank no pips confirm, is unsure too if another outline probably shows a card with pips.
    """
    if reading.card is None:
        return reading
    cards = [
        likeliest
        for o in others
        if (likeliest := o.card or o.likely[0]) != reading.card
        and (o.card is not None or (reading.card.rank in _COURTS and _shows_pips(o)))
        and _overlap(reading, o) > _SAME_PLACE_OVERLAP
    ]
    return replace(reading, card=None, likely=tuple(dict.fromkeys([reading.card, *cards]))) if cards else reading


def _shows_pips(reading: CardReading) -> bool:
    return reading.likely[0].rank not in _COURTS and reading.probability >= MIN_EVIDENCE


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
    """Return the readings of the cards with labels, whatever their faces are. One with two labels is unsure."""
    names: dict[Quad, list[Card]] = {}
    for label in labels:
        names.setdefault(_find_labelled_card(label, faces, candidates), []).append(label.card)
    return [
        CardReading(corners, cards[0] if len(set(cards)) == 1 else None, tuple(dict.fromkeys(cards)), 1.0)
        for corners, cards in names.items()
    ]


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

    sides: tuple[StraightCard, StraightCard]
    """The card, and turned round, so that each corner is once the upper left one."""
    indices: tuple[list[Index], list[Index]]
    """Those found in each of these corners."""
    ranks: Floats
    suits: Floats
    is_aligned: bool
    """Whether the indices lie at the same place in both corners."""
    counts: Floats
    pip_suits: Floats | None
    """Of the four suits; None if no pips were found."""
    pips: NDArray[np.int64]
    """Number of pips of each suit in the half of the face that shows fewer."""


def _read_straightened(straight: Picture, corners: Corners) -> CardReading | None:
    """Return the reading of a straightened card, None if it shows no card."""
    evidence = _gather_evidence(even_paper(straight))
    if evidence is None:
        return None
    counts, pip_suits = evidence.counts[_COUNT_OF_RANK], evidence.pip_suits
    is_ornate = _shows_ornate_ace(evidence)
    if is_ornate:
        counts, pip_suits = np.ones_like(counts), None
    ranks = _normalise((_combine(evidence.ranks) + 1e-3) * (counts + 1e-3))
    suits = _combine(evidence.suits)
    if pip_suits is not None and counts[_COURTS.start] < MIN_EVIDENCE:
        suits = _normalise((suits + 1e-3) * (pip_suits + 1e-3))
    joint = ranks[_RANKS] * suits[_SUITS]
    order = np.argsort(-joint)
    best = PACK[int(order[0])]
    is_court = best.rank in _COURTS
    is_confirmed = _confirm_court(evidence, best) if is_court else _confirm_pips(evidence, best)
    is_certain = (is_ornate or is_confirmed) and min(ranks[best.rank], suits[best.suit]) >= MIN_CERTAINTY
    likely = tuple(PACK[n] for n in order[:MAX_LIKELY] if joint[n] >= MIN_LIKELY) or (best,)
    if is_certain and is_court and (other := _find_other_court(evidence, best)):
        is_certain, likely = False, (best, other)
    suits_seen = [
        (side, index.suit)
        for side, indices in zip(evidence.sides, evidence.indices, strict=True)
        for index in indices[:1]
    ]
    redness = max((measure_redness(side, suit) for side, suit in suits_seen), default=1.0)
    return CardReading(as_quad(corners), best if is_certain else None, likely, float(joint[best]), redness)


def _shows_ornate_ace(evidence: _Evidence) -> bool:
    """Return whether both corners clearly show the ace of spades, and the face does not show two pips or more."""
    sure = (evidence.ranks[:, _ORNATE_ACE.rank], evidence.suits[:, _ORNATE_ACE.suit])
    is_pips = float(evidence.counts[1:_FIGURE].sum()) > 1 - MIN_WITNESS_PROBABILITY
    return len(evidence.ranks) == 2 and min(float(each.min()) for each in sure) >= MIN_PAIRED and not is_pips


def _confirm_pips(evidence: _Evidence, card: Card) -> bool:
    """Return whether both corners, the number of pips and their suit agree on a card from ace to 10."""
    least = min(evidence.ranks[:, card.rank].min(), evidence.suits[:, card.suit].min())
    pip_suit = 0.0 if evidence.pip_suits is None else evidence.pip_suits[card.suit]
    return bool(
        len(evidence.ranks) == 2
        and least >= MIN_CORNER_PROBABILITY
        and min(evidence.counts[_COUNT_OF_RANK[card.rank]], pip_suit) >= MIN_WITNESS_PROBABILITY
    )


def _confirm_court(evidence: _Evidence, card: Card) -> bool:
    """Return whether both corners agree on a jack, queen or king, and the face shows a figure."""
    courts = evidence.ranks[:, _COURTS.start : _COURTS.stop]
    share = courts.sum(1)
    rank = (evidence.ranks[:, card.rank] / share).min()
    figure = evidence.counts[_FIGURE]
    is_clear = share.min() >= 0.5 and evidence.pips[card.suit] < MIN_FRAMED_PIPS
    return bool(
        len(evidence.ranks) == 2
        and evidence.is_aligned
        and evidence.pips[card.suit] <= MAX_COURT_PIPS
        and rank >= MIN_COURT_RANK_PROBABILITY
        and evidence.suits[:, card.suit].min() >= MIN_COURT_SUIT_PROBABILITY
        and figure >= (MIN_WITNESS_PROBABILITY if is_clear else MIN_FIGURE_PROBABILITY)
        and share.min() >= MIN_COURT_SHARE
    )


def _find_other_court(evidence: _Evidence, court: Card) -> Card | None:
    """Return another jack, queen or king of the same suit that a place in either corner shows, None without one.

    A figure confirms only that it is one of the three. A letter joined with a part of the figure may look like another.
    """
    others = [card for card in PACK if card.suit == court.suit and card.rank in _COURTS and card.rank != court.rank]
    for side, indices in zip(evidence.sides, evidence.indices, strict=True):
        for index in (*indices, *find_unjoined_indices(side)):
            ranks, suits = _read_indices((side,), (index,))
            other = max(others, key=lambda each: float(ranks[0, each.rank]))
            if (
                ranks[0, other.rank] >= MIN_COURT_RANK_PROBABILITY
                and suits[0, court.suit] >= MIN_COURT_SUIT_PROBABILITY
            ):
                return other
    return None


def _gather_evidence(card: StraightCard) -> _Evidence | None:
    """Return what the corners and the face show, None if that is not a card.

    An index lies at the same place in both corners. Of several such pairs, the first counts that is read clearly.
    """
    sides = (card, card.turn())
    counts = load_networks()[2].classify(np.stack([face_features(side) for side in sides])).mean(0)
    first, second = find_indices(sides[0]), find_indices(sides[1])
    if counts[-1] > MIN_EVIDENCE or not (first or second):
        return None
    pairs = [(one, other) for one in first for other in second if is_same_place(one, other)]
    choices: list[tuple[Index | None, Index | None]] = [*pairs]
    if not pairs:
        choices = [(first[0] if first else None, second[0] if second else None)]
    readings = (_read_indices(sides, pair) for pair in choices)
    ranks, suits = next((found for found in readings if _clarity(found) >= MIN_EVIDENCE), None) or _read_indices(
        sides, choices[0]
    )
    if max((1 - ranks[:, -1]) * (1 - suits[:, -1])) < MIN_EVIDENCE:
        return None
    return _Evidence(sides, (first, second), ranks, suits, bool(pairs), counts, *_read_pips(sides))


def _read_indices(sides: Sequence[StraightCard], pair: Sequence[Index | None]) -> tuple[Floats, Floats]:
    """Return the probabilities of rank and suit, a row for each index that is there."""
    found = [(side, index) for side, index in zip(sides, pair, strict=True) if index]
    return (
        classify_ranks(np.stack([describe_symbol(side, index.rank) for side, index in found])),
        load_networks()[1].classify(np.stack([describe_symbol(side, index.suit) for side, index in found])),
    )


def _clarity(corners: tuple[Floats, Floats]) -> float:
    """Return the probability of the likeliest rank and suit in the corner that is less clear."""
    ranks, suits = corners
    return float((ranks[:, :-1].max(1) * suits[:, :-1].max(1)).min())


def _read_pips(sides: Sequence[StraightCard]) -> tuple[Floats | None, NDArray[np.int64]]:
    """Return the probabilities of the pips' suits, None without pips, and how many of each suit either half shows.

    A frame or a ring does not count among them.
    """
    halves = [find_pips(side) for side in sides]
    symbols = [describe_symbol(side, box) for side, boxes in zip(sides, halves, strict=True) for box in boxes]
    if not symbols:
        return None, np.zeros(len(SUITS), np.int64)
    suits = load_networks()[1].classify(np.stack(symbols))
    is_pip = suits[:, -1] < MIN_EVIDENCE
    of_suit = is_pip[:, None] & (suits[:, :-1].argmax(1)[:, None] == np.arange(len(SUITS)))
    first = len(halves[0])
    fewer = np.minimum(of_suit[:first].sum(0), of_suit[first:].sum(0))
    return (np.asarray(np.median(suits[is_pip, :-1], 0), np.float32) if is_pip.any() else None), fewer


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
