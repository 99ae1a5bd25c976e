// The part of the board that a small screen shows: where the pegs are, and what is due or amiss. Pure.

/** @import { Box, Place } from "./layout.js" */
/** @import { State } from "./state.js" */

const AROUND = 2.6; // steps from a peg to the edge of the picture

/**
 * A frame for what is near: so many `steps` across are always seen, and its height is so much of its width, from and to.
 * @typedef {{ steps: number, flat: [from: number, to: number] }} Frame
 */

/**
 * A strip above all else on a phone: a count of the play, and where it leads.
 * @type {Frame}
 */
const STRIP = { steps: 24, flat: [0.3, 0.62] };

/**
 * What a finger reaches on a board that stands upright, with room to peg a hand ahead.
 * @type {Frame}
 */
export const ROOMY = { steps: 16, flat: [1.1, 1.6] };

/**
 * One hole, and which it is among its neighbours.
 * @type {Frame}
 */
export const CLOSE = { steps: 14, flat: [0.8, 1] };

/**
 * The holes that are looked at now.
 * @param {State} state
 */
export const looked = ({ pegs, due, lift, wrong, asked }) => [...pegs.map(({ hole }) => hole), ...due, ...lift, ...wrong, ...asked];

/**
 * A place as it lies on the screen when the board is turned about a centre, by quarters.
 * @param {Place} place
 * @param {{ x: number, y: number }} centre
 * @param {number} turn
 * @returns {{ x: number, y: number }}
 */
export function turnedTo({ x_mm, y_mm }, { x, y }, turn) {
  const [dx, dy] = [x_mm - x, y_mm - y];
  const [cos, sin] = [[1, 0], [0, 1], [-1, 0], [0, -1]][(((turn / 90) % 4) + 4) % 4];
  return { x: x + dx * cos - dy * sin, y: y + dx * sin + dy * cos };
}

/**
 * The box around these points with room beside them, no smaller than is of use, of a shape that suits the screen, and
 * within the whole.
 * @param {{ x: number, y: number }[]} points
 * @param {Box} whole
 * @param {number} step
 * @param {Frame} [frame]
 * @returns {Box}
 */
export function near(points, whole, step, frame = STRIP) {
  if (!points.length) return whole;
  const edge = AROUND * step;
  const [left, right] = ends(points.map(({ x }) => x), edge);
  const [top, bottom] = ends(points.map(({ y }) => y), edge);
  const { steps, flat: [least, most] } = frame;
  const width = Math.min(whole.width, Math.max(right - left, steps * step, (bottom - top) / most));
  const height = Math.min(whole.height, Math.max(bottom - top, width * least));
  return {
    width, height,
    x: within((left + right - width) / 2, whole.x, whole.x + whole.width - width),
    y: within((top + bottom - height) / 2, whole.y, whole.y + whole.height - height),
  };
}

/**
 * @param {number[]} all
 * @param {number} edge
 */
const ends = (all, edge) => [Math.min(...all) - edge, Math.max(...all) + edge];

/**
 * @param {number} value
 * @param {number} least
 * @param {number} most
 */
const within = (value, least, most) => Math.max(least, Math.min(most, value));
