// What was read in a photograph of cards, as a list of places. Pure.

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
