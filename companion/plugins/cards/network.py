"""Four small networks in numpy: for a rank, a suit, what the face shows, and what shows of it beside an index.

Their weights are made from drawn cards by `make cards-net` and lie beside this module.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.plugins.cards.features import BESIDE_FEATURES, FACE_FEATURES, SYMBOL_FEATURES, Features

RANK_CLASSES = "A23456789TJQK-"
SUIT_CLASSES = "CDHS-"
"""`-` stands for none of them."""

LETTER_RANKS = {"B": "J", "V": "J", "D": "Q", "R": "K"}
"""What German and French decks print for a jack, queen and king: classes of their own, after the others."""

FACE_CLASSES = "A23456789TF-"
"""Number of pips; `F` is a court's figure."""

SHAPES = (
    (SYMBOL_FEATURES, 256, len(RANK_CLASSES) + len(LETTER_RANKS)),
    (SYMBOL_FEATURES, 144, len(SUIT_CLASSES)),
    (FACE_FEATURES, 128, len(FACE_CLASSES)),
    (BESIDE_FEATURES, 144, len(FACE_CLASSES)),
)
"""Features, hidden units and classes of the networks for ranks, suits, faces, and what is beside an index."""

WEIGHTS_FILE = Path(__file__).with_name("weights.npy")

Floats = NDArray[np.float32]


class Network(NamedTuple):
    """A network with one hidden layer."""

    inner: Floats
    inner_bias: Floats
    outer: Floats
    outer_bias: Floats

    def classify(self, features: Features) -> Floats:
        """Return the probabilities of the classes, a row for each row of features."""
        hidden = np.maximum(features @ self.inner + self.inner_bias, 0)
        return softmax(hidden @ self.outer + self.outer_bias)


def softmax(values: Floats) -> Floats:
    """Return each row as probabilities."""
    powers = np.exp(values - values.max(1, keepdims=True))
    return np.asarray(powers / powers.sum(1, keepdims=True), np.float32)


def pack_networks(networks: tuple[Network, ...]) -> NDArray[np.float16]:
    """Return the weights of all networks as one array."""
    return np.concatenate([part.ravel() for network in networks for part in network]).astype(np.float16)


def unpack_networks(packed: NDArray[np.float16]) -> tuple[Network, ...]:
    """Return the networks of an array from `pack_networks`."""
    values, at, networks = packed.astype(np.float32), 0, []
    for features, hidden, classes in SHAPES:
        parts = []
        for shape in ((features, hidden), (hidden,), (hidden, classes), (classes,)):
            size = int(np.prod(shape))
            parts.append(values[at : at + size].reshape(shape))
            at += size
        networks.append(Network(*parts))
    return tuple(networks)


@cache
def load_networks() -> tuple[Network, ...]:
    """Return the networks for ranks, suits, faces, and what is beside an index. They are read once."""
    return unpack_networks(np.load(WEIGHTS_FILE))


def classify_ranks(features: Features) -> Floats:
    """Return the probabilities of RANK_CLASSES, each with the letters of other languages for it."""
    ranks = load_networks()[0].classify(features)
    for n, rank in enumerate(LETTER_RANKS.values(), len(RANK_CLASSES)):
        ranks[:, RANK_CLASSES.index(rank)] += ranks[:, n]
    return ranks[:, : len(RANK_CLASSES)]
