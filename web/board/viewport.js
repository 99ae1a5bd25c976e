// The section of the board that a small screen shows: the pegs, dues and problems. Pure.

/** @import { Box, Place } from "./layout.js" */
/** @import { BoardState } from "./state.js" */

const MARGIN_STEPS = 2.6; // from a peg to the edge of the section

/**
 * The size of a section: its minimum width in `minSteps`, and the range of its height as a fraction of the width.
 * @typedef {{ minSteps: number, aspect: [from: number, to: number] }} Frame
 */

/** A strip at the top of a phone: room for a count of the play and its target. @type {Frame} */
const STRIP_FRAME = { minSteps: 24, aspect: [0.3, 0.62] };

/** The section of an upright board within reach of a finger, with room to peg a hand ahead. @type {Frame} */
export const ROOMY_FRAME = { minSteps: 16, aspect: [1.1, 1.6] };

/** One hole among its neighbours. @type {Frame} */
export const CLOSE_FRAME = { minSteps: 14, aspect: [0.8, 1] };

/** Return the holes that need attention now. @param {BoardState} state */
export const holesInFocus = ({ pegs, due, lift, wrong, asked }) => [...pegs.map(({ hole }) => hole), ...due, ...lift, ...wrong, ...asked];

/**
 * Return a place on the screen after rotating the board around a centre by a multiple of 90 degrees.
 * @param {Place} place
 * @param {{ x: number, y: number }} centre
 * @param {number} turn
 * @returns {{ x: number, y: number }}
 */
export function rotatePlace({ x_mm, y_mm }, { x, y }, turn) {
  const [dx, dy] = [x_mm - x, y_mm - y];
  const [cos, sin] = [[1, 0], [0, 1], [-1, 0], [0, -1]][(((turn / 90) % 4) + 4) % 4];
  return { x: x + dx * cos - dy * sin, y: y + dx * sin + dy * cos };
}

/**
 * Return the box around some points with a margin. It is at least as large as the frame demands and lies within the
 * whole board.
 * @param {{ x: number, y: number }[]} points
 * @param {Box} whole
 * @param {number} step
 * @param {Frame} [frame]
 * @returns {Box}
 */
export function zoomBox(points, whole, step, frame = STRIP_FRAME) {
  if (!points.length) return whole;
  const edge = MARGIN_STEPS * step;
  const [left, right] = paddedRange(points.map(({ x }) => x), edge);
  const [top, bottom] = paddedRange(points.map(({ y }) => y), edge);
  const { minSteps, aspect: [least, most] } = frame;
  const width = Math.min(whole.width, Math.max(right - left, minSteps * step, (bottom - top) / most));
  const height = Math.min(whole.height, Math.max(bottom - top, width * least));
  return {
    width, height,
    x: clamp((left + right - width) / 2, whole.x, whole.x + whole.width - width),
    y: clamp((top + bottom - height) / 2, whole.y, whole.y + whole.height - height),
  };
}

/**
 * Return the range of some values with a margin.
 * @param {number[]} all
 * @param {number} edge
 */
const paddedRange = (all, edge) => [Math.min(...all) - edge, Math.max(...all) + edge];

/**
 * Limit a value to a range.
 * @param {number} value
 * @param {number} least
 * @param {number} most
 */
const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
