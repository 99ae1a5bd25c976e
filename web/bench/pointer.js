// Finger, mouse and keyboard over the board's picture. Each counts for the nearest hole: holes are small, fingers not.

import { formatMessage } from "../core/i18n.js";

/** @typedef {{ id: string, x: number, y: number }} Seen */

/** @type {Record<string, [dx: number, dy: number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * `touch(hole)` at a click or Enter, `at(hole or null)` where the keyboard is, `carried()` the peg in the hand, `holds(hole)`
 * whether a peg is in there, for a finger to drag.
 * @param {ReturnType<typeof import("../board/svg.js").Picture>} picture
 * @param {{ touch: (hole: string) => void, at: (hole: string) => void, carried: () => { seat: number | null } | null,
 *   holds: (hole: string) => boolean }} hand
 */
export function steer(picture, { touch, at, carried, holds }) {
  const { svg, holes } = picture;
  /** @type {string | null} */
  let here = null;
  svg.setAttribute("role", "application");
  svg.setAttribute("tabindex", "0");
  svg.setAttribute("aria-roledescription", formatMessage("board: arrow keys choose a hole, Enter lifts or sets down a peg"));

  svg.addEventListener("pointermove", (event) => picture.cursor(picture.nearest(event), carried()));
  svg.addEventListener("pointerleave", () => picture.cursor(null));
  svg.addEventListener("blur", () => picture.cursor(null));
  /** @type {string | null} */
  let from = null;
  svg.addEventListener("pointerdown", (event) => (from = picture.nearest(event)));
  svg.addEventListener("click", (event) => drop(picture.nearest(event)));
  // A finger that begins at a peg drags it; anywhere else it scrolls the page. What is not left to the browser never clicks.
  let drags = false;
  svg.addEventListener("touchstart", (event) => {
    const hole = event.touches.length === 1 ? picture.nearest(event.touches[0]) : null;
    drags = hole !== null && holds(hole);
    if (drags) event.preventDefault();
  }, { passive: false });
  svg.addEventListener("touchend", (event) => {
    if (drags) drop(picture.nearest(event.changedTouches[0])), picture.cursor(null);
    drags = false;
  });
  svg.addEventListener("touchcancel", () => (drags = false));
  svg.addEventListener("keydown", (event) => {
    if (event.key in ARROWS) go(next([...holes.keys()].map(seen), here, ARROWS[event.key]));
    else if (event.key !== "Enter" && event.key !== " ") return;
    else if (here) touch(here), go(here);
    event.preventDefault();
  });

  /**
   * The button or the finger is up again: from one hole into another, a peg was dragged.
   * @param {string | null} hole
   */
  function drop(hole) {
    if (hole && from && from !== hole) touch(from);
    from = null;
    if (hole) touch(hole);
  }

  /** @param {string} hole */
  function go(hole) {
    here = hole;
    picture.cursor(hole, carried());
    at(hole);
  }

  /**
   * Where a hole is on the screen.
   * @param {string} id
   * @returns {Seen}
   */
  function seen(id) {
    const box = svg.querySelector(`[data-hole="${CSS.escape(id)}"]`)?.getBoundingClientRect() ?? new DOMRect();
    return { id, x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }
}

/**
 * The nearest hole in a direction, as seen on the screen; the same where there is none, the first of all from nowhere.
 * @param {Seen[]} all
 * @param {string | null} here
 * @param {[dx: number, dy: number]} direction
 */
export function next(all, here, [dx, dy]) {
  const from = all.find(({ id }) => id === here);
  if (!from) return all[0].id;
  const cost = (/** @type {Seen} */ { x, y }) => {
    const along = (x - from.x) * dx + (y - from.y) * dy;
    const aside = Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
    return along > 1 ? along + 3 * aside : Infinity;
  };
  const best = all.reduce((a, b) => (cost(b) < cost(a) ? b : a));
  return cost(best) < Infinity ? best.id : from.id;
}
