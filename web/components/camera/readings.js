// What was read in pictures of cards: the places of one photograph, and when the card of a live picture rests. Pure.

/**
 * A place where a card lies: its corners in pixels of the photograph, the card or null while it is unsure, and the cards it
 * may be. `isCard` is false once a person has said that it is none of them.
 * @typedef {{ corners: number[][], card: string | null, likely: string[], isCard: boolean }} Reading
 */
/** @typedef {{ cards: { card: string, corners: number[][] }[], unsure: { corners: number[][], likely: string[] }[] }} PhotoAnswer */

/**
 * Return the readings of an answer of the table, from left to right. Among the likely cards, those that lie elsewhere come
 * last: what is known only orders the choices.
 * @param {PhotoAnswer} answer
 * @param {Set<unknown>} seen
 * @returns {Reading[]}
 */
export function listReadings({ cards, unsure }, seen) {
  const isSeen = (/** @type {string} */ card) => Number(seen.has(card));
  const certain = cards.map(({ card, corners }) => ({ corners, card, likely: [], isCard: true }));
  const open = unsure.map(({ corners, likely }) => ({ corners, card: null, likely: [...likely].sort((one, other) => isSeen(one) - isSeen(other)), isCard: true }));
  return [...certain, ...open].sort((one, other) => centreOf(one)[0] - centreOf(other)[0]);
}

/** @param {Pick<Reading, "corners">} reading */
export const centreOf = ({ corners }) => [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);

/**
 * Return the size of a picture whose longer side has at most this many pixels.
 * @param {{ width: number, height: number }} picture
 * @param {number} most
 */
export function scaledSize({ width, height }, most) {
  const scale = Math.min(1, most / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

const LIVE_PICTURES = 3;
const AGREEING_LIVE_PICTURES = 2;

/** Collects the cards of a hand that a live picture shows: a card is sure once two of three pictures in a row are certain of it. */
export class AgreedCards {
  /** @type {string[][]} the certain cards of the newest pictures, from left to right */
  #seen = [];

  /** Return the cards that are sure after the next picture, from left to right. @param {PhotoAnswer} answer */
  addPicture(answer) {
    const certain = listReadings(answer, new Set()).flatMap(({ card }) => card ?? []);
    this.#seen = [certain, ...this.#seen].slice(0, LIVE_PICTURES);
    return [...new Set(this.#seen.flat())].filter((card) => this.#seen.filter((cards) => cards.includes(card)).length >= AGREEING_LIVE_PICTURES);
  }
}

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
