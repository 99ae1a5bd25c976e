// The keys of points: 1 to 6 large, and the rest, or several scores of one count, behind *more…*.

import { escapeHtml } from "../core/dom.js";
import { formatMessage } from "../core/i18n.js";

/** The most points that have a key of their own. */
const MAX_LARGE = 6;

/** @typedef {import("./number-sheet.js").Entry} Entry */

/**
 * Return the key of a number.
 * @param {Entry} entry
 * @param {number} n
 */
export const numberKey = ({ move, seat, label }, n) =>
  `<button type="button" class="key" data-move="${move}" data-seat="${seat}" data-points="${n}" aria-label="${escapeHtml(label(n))}">${n}</button>`;

/**
 * Return the key that opens the rest.
 * @param {Entry} entry
 * @param {string} name whose points they are
 */
export const moreKey = ({ move, seat }, name, text = formatMessage("more…")) => `<button type="button" class="key" data-more="${move}" data-seat="${seat}" aria-haspopup="dialog" aria-label="${escapeHtml(formatMessage("{name}: more points", { name }))}">${escapeHtml(text)}</button>`;

/**
 * Return the large keys, and the one that opens the rest.
 * @param {Entry} entry
 * @param {string} name whose points they are
 */
export const numberKeys = (entry, name) => `<div class="numbers">${entry.points.filter((n) => n <= MAX_LARGE).map((n) => numberKey(entry, n)).join("")}
  ${moreKey(entry, name)}</div>`;

/**
 * Open the sheet with all numbers. `send` makes the move.
 * @param {Entry} entry
 * @param {(points: number) => unknown} send
 */
export async function openMore(entry, send) {
  const sheet = await import("./number-sheet.js").catch(() => null);
  sheet?.openNumberSheet(entry, send, MAX_LARGE, entry.points.filter((n) => n > MAX_LARGE).map((n) => numberKey(entry, n)).join(""));
}
