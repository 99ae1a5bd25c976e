"""Pictures of a camera's marked spot: empty, with a card, with a hand over it. Small, so that they are read quickly."""

from functools import cache

import cv2
import numpy as np

from tests.plugins.cards.faces import draw_face
from tests.plugins.cards.samples import draw_hand, unseen_style
from tests.plugins.cards.scenes import card_corners, draw_table, lay_card

SIZE_PX = 400
CARD_PX = 240
MIDDLE = (SIZE_PX // 2, SIZE_PX // 2)
DECK_SEED = 6


@cache
def draw_spot(card=None, at=MIDDLE):
    """Return a picture of the spot with a card at this place, or of the empty spot."""
    rng = np.random.default_rng(4)
    scene = draw_table(rng, SIZE_PX, SIZE_PX)
    if card:
        face = draw_face(unseen_style().deck(DECK_SEED), card)
        lay_card(scene, face, card_corners(rng, at, CARD_PX, face.shape[1] / face.shape[0], 0.1), rng)
    return scene.astype(np.uint8)


def reach_over(picture):
    """Return the picture with a hand over the card."""
    scene = picture.astype(np.float32)
    draw_hand(scene, np.array(MIDDLE) + 40.0, CARD_PX / 2, np.random.default_rng(6))
    return scene.astype(np.uint8)


def add_noise(picture, seed):
    """Return the picture as a camera's next frame: the same with other noise."""
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def write_picture(folder, number, picture):
    """Write the picture of this number. It appears complete, because a program may be watching the folder."""
    data = cv2.imencode(".jpg", np.ascontiguousarray(picture[..., ::-1]), [cv2.IMWRITE_JPEG_QUALITY, 92])[1]
    written = folder / f"{number:04}.part"
    written.write_bytes(data.tobytes())
    written.rename(written.with_suffix(".jpg"))
