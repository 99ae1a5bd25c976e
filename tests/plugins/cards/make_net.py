"""Trains the networks of `companion/plugins/cards` on drawn cards and writes their weights: `make cards-net`.

The same seed, fonts and decks give the same file on every x86-64 processor with AVX2: samples in the order of their
seeds, and the kernels of OpenBLAS and numpy for AVX2 also where a processor has AVX-512.
"""

from __future__ import annotations

import os

os.environ.update(
    OPENBLAS_NUM_THREADS="1", OPENBLAS_CORETYPE="Haswell", NPY_DISABLE_CPU_FEATURES="X86_V4 AVX512_ICL AVX512_SPR"
)

import hashlib
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from companion.plugins.cards.network import SHAPES, WEIGHTS_FILE, Network, pack_networks, softmax
from tests.plugins.cards.samples import Style, load_style, make_samples, unseen_style

Floats = NDArray[np.float32]
SIMD = "X86_V3"
"""What numpy calls AVX2 with FMA."""

BATCH = 128
DECKS_PER_PART = 36
TRAINED_ON_FILE = Path(__file__).with_name("trained_on.json")
"""What the samples of the committed weights were: see `summarise_samples`, and the SHA-256 of all of them."""


def draw_samples(
    seed: int, decks: int, style: Style | None = None
) -> list[tuple[NDArray[np.float16], NDArray[np.int64]]]:
    """Return features and classes for each network, from so many decks."""
    cv2.setNumThreads(1)
    samples = make_samples(style or load_style("training"), seed, decks)
    return [
        (np.stack([f for f, _ in group]).astype(np.float16), np.array([c for _, c in group]))
        for group in (samples.ranks, samples.suits, samples.faces, samples.beside)
    ]


def summarise_samples() -> list[float]:
    """Return for each network the sum of the features of a deck whose fonts every machine has.

    It changes when cards are drawn or taken apart in another way: then the networks must be trained again.
    """
    drawn = draw_samples(2, 1, unseen_style())
    return [round(float(features.sum(dtype=np.float64)), 1) for features, _ in drawn]


def list_simd() -> list[str]:
    """Return the extensions of the processor that numpy uses beyond those it always needs."""
    found: list[str] = np.show_config(mode="dicts")["SIMD Extensions"]["found"]
    return found


def train(
    features: NDArray[np.float16], classes: NDArray[np.int64], shape: tuple[int, int, int], epochs: int
) -> Network:
    """Return a network of this shape fitted by Adam."""
    rng = np.random.default_rng(1)
    inputs, hidden, outputs = shape
    weights = [
        (rng.standard_normal((inputs, hidden)) * np.sqrt(2 / inputs)).astype(np.float32),
        np.zeros(hidden, np.float32),
        (rng.standard_normal((hidden, outputs)) * np.sqrt(1 / hidden)).astype(np.float32),
        np.zeros(outputs, np.float32),
    ]
    moments = [(np.zeros_like(w), np.zeros_like(w)) for w in weights]
    steps, step = epochs * (len(features) // BATCH), 0
    for epoch in range(epochs):
        order, losses = rng.permutation(len(features)), []
        for at in range(0, len(order) - BATCH + 1, BATCH):
            step += 1
            chosen = order[at : at + BATCH]
            gradients, loss = _gradients(weights, features[chosen].astype(np.float32), classes[chosen], rng)
            losses.append(loss)
            rate = 1.5e-3 * min(1, step / 200) * (0.02 + 0.98 * (1 + np.cos(np.pi * step / steps)) / 2)
            for weight, gradient, moment in zip(weights, gradients, moments, strict=True):
                _step_adam(weight, gradient, moment, np.float32(rate), step)
        click.echo(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}", err=True)
    return Network(*weights)


def _step_adam(weight: Floats, gradient: Floats, moment: tuple[Floats, Floats], rate: np.float32, step: int) -> None:
    mean, square = moment
    mean += 0.1 * (gradient - mean)
    square += 0.001 * (gradient * gradient - square)
    change = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    weight -= rate * (change + (2e-3 * weight if weight.ndim == 2 else 0))


def _gradients(
    weights: list[Floats], x: Floats, y: NDArray[np.int64], rng: np.random.Generator
) -> tuple[list[Floats], float]:
    inner, inner_bias, outer, outer_bias = weights
    x = x * (rng.random(x.shape, np.float32) < 0.9) / np.float32(0.9)
    before = x @ inner + inner_bias
    keep = (rng.random(before.shape, np.float32) < 0.8) / np.float32(0.8)
    hidden = np.maximum(before, 0) * keep
    delta = softmax(hidden @ outer + outer_bias)
    rows = np.arange(len(x))
    loss = -float(np.log(delta[rows, y] + 1e-9).mean())
    delta[rows, y] -= 1
    delta /= len(x)
    back = (delta @ outer.T) * (before > 0) * keep
    return [x.T @ back, back.sum(0), hidden.T @ delta, delta.sum(0)], loss


@click.command()
@click.option("--parts", default=4, help="Number of seeds, each of which gives DECKS_PER_PART decks.")
@click.option("--epochs", default=6)
@click.option("--out", default=str(WEIGHTS_FILE))
def main(parts: int, epochs: int, out: str) -> None:
    """Draw cards, train the networks and write their weights."""
    start = time.monotonic()
    if list_simd() != [SIMD]:
        click.echo(f"This processor gives another file: numpy uses {list_simd()} instead of {SIMD}.", err=True)
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        drawn = list(pool.map(draw_samples, range(1, parts + 1), repeat(DECKS_PER_PART)))
        groups = [[np.concatenate(part) for part in zip(*group, strict=True)] for group in zip(*drawn, strict=True)]
        click.echo(f"{[len(f) for f, _ in groups]} samples in {time.monotonic() - start:.0f} s", err=True)
        features, classes = zip(*groups, strict=True)
        digest = _hash_arrays(*features)
        is_same = TRAINED_ON_FILE.exists() and json.loads(TRAINED_ON_FILE.read_text())["sha256"] == digest
        click.echo(f"samples {digest}, {'the same as' if is_same else 'others than'} of the weights here", err=True)
        networks = tuple(pool.map(train, features, classes, SHAPES, repeat(epochs)))
    np.save(out, pack_networks(networks))
    if out == str(WEIGHTS_FILE):
        TRAINED_ON_FILE.write_text(json.dumps({"sums": summarise_samples(), "sha256": digest}) + "\n")
    click.echo(f"{out}: {time.monotonic() - start:.0f} s, {_hash_arrays(np.load(out))}", err=True)


def _hash_arrays(*arrays: NDArray[np.float16]) -> str:
    """Return the SHA-256 of the values, to compare two trainings."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(array.tobytes())
    return digest.hexdigest()


if __name__ == "__main__":
    sys.exit(main())
