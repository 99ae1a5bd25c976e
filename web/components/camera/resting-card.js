// Finds each card that is laid below a live camera, from picture to picture. Pure.

/** @import { PhotoAnswer } from "./card-readings.js" */

const AGREEING_PICTURES = 3;
/** A card rests if none of its corners moves further than this, as a share of the picture's longer side. */
const MAX_REST_SHARE = 0.015;

/** Decides when a card counts: once it is seen alone, certain and at the same place in three pictures in a row. */
export class RestingCard {
  /** @type {({ card: string, corners: number[][] } | null)[]} the newest pictures; null without one certain card */
  #seen = [];

  /** @type {string | null} the card that counted last: it counts again only after another one, or after a refusal */
  #last = null;

  #wasRefused = false;

  /**
   * Return the card that has been laid, or null.
   * @param {PhotoAnswer} answer what the table reads in the next picture
   * @param {number} side the picture's longer side in pixels
   */
  addPicture({ cards, unsure }, side) {
    this.#seen = [...this.#seen, cards.length === 1 && !unsure.length ? cards[0] : null].slice(-AGREEING_PICTURES);
    if (!this.isSettled(side)) return null;
    const card = this.#seen[0]?.card ?? null;
    if (card === null && this.#wasRefused) [this.#last, this.#wasRefused] = [null, false];
    if (card === null || card === this.#last) return null;
    [this.#last, this.#wasRefused] = [card, false];
    return card;
  }

  /** The table refused the last card: it counts again once it was taken away. */
  refuse() {
    this.#wasRefused = true;
  }

  /** Whether the last pictures show the same card at the same place, or none: then an unchanged picture need not be read. @param {number} side */
  isSettled(side) {
    const [first] = this.#seen;
    return this.#seen.length === AGREEING_PICTURES && this.#seen.every((each) => each?.card === first?.card
      && (!each || !first || each.corners.flat().every((value, i) => Math.abs(value - first.corners.flat()[i]) <= MAX_REST_SHARE * side)));
  }
}
