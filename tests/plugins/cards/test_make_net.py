"""The networks of the reader: what they were trained on is what the reader sees, and training gives one file."""

import json
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from companion.plugins.cards.network import SHAPES, load_networks, pack_networks
from tests.support.waiting import PATIENCE_S

only_x86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="only there the file is the same")
SUMS = "print([make_net.summarise_samples(), make_net.json.loads(make_net.TRAINED_ON_FILE.read_text())['sums']])"
TRAIN = """
rng = make_net.np.random.default_rng(3)
features, classes = rng.random((256, 705)).astype("float16"), rng.integers(0, 5, 256)
network = make_net.train(features, classes, (705, 112, 5), 1)
print(make_net.list_simd(), make_net._hash_arrays(*network))
"""


def run_beside(code, environment):
    """Return what code says that uses make_net, which sets the environment of its process."""
    words = [sys.executable, "-c", f"from tests.plugins.cards import make_net\n{code}"]
    root = Path(__file__).parents[3]
    return subprocess.run(
        words, env=environment, cwd=root, capture_output=True, text=True, timeout=PATIENCE_S, check=True
    ).stdout


@only_x86
def test_the_weights_were_trained_on_what_the_reader_sees_today():
    """If this fails, cards are drawn or taken apart in another way: run make cards-net and commit its two files."""
    seen, trained_on = json.loads(run_beside(SUMS, {}))

    assert seen == pytest.approx(trained_on, rel=1e-3)


@only_x86
def test_training_gives_the_same_weights_whatever_threads_and_kernels_the_environment_asks_for():
    asked = [{}, {"OPENBLAS_NUM_THREADS": "2"}, {"OPENBLAS_CORETYPE": "Sandybridge"}, {"NPY_DISABLE_CPU_FEATURES": ""}]

    said = {run_beside(TRAIN, each) for each in asked}

    assert len(said) == 1
    assert said.pop().startswith("['X86_V3'] ")


def test_the_weights_are_whole():
    weights = pack_networks(load_networks())

    assert [network.inner.shape + network.outer_bias.shape for network in load_networks()] == list(SHAPES)
    assert np.isfinite(weights).all()
