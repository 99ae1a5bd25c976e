// Touch, mouse and keyboard on the board. Each acts on the nearest hole, because holes are smaller than fingertips.

import { formatMessage } from "../../core/i18n.js";

/** @typedef {{ id: string, x: number, y: number }} ScreenHole */

/** @type {Record<string, [dx: number, dy: number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Handle the input events of a picture. `touchHole(hole)` is called at a click or Enter, `onHole(hole)` when the keyboard cursor
 * moves; `getCarriedPeg()` returns the peg in the hand; `hasPeg(hole)` tells whether a finger can drag a peg from there.
 * @param {ReturnType<typeof import("../../board/svg.js").createBoardPicture>} picture
 * @param {{ touchHole: (hole: string) => void, onHole: (hole: string) => void, getCarriedPeg: () => { seat: number | null } | null,
 *   hasPeg: (hole: string) => boolean }} hand
 */
export function addPointerControls(picture, { touchHole, onHole, getCarriedPeg, hasPeg }) {
  const { svg, holes } = picture;
  /** @type {string | null} */
  let current = null;
  svg.setAttribute("role", "application");
  svg.setAttribute("tabindex", "0");
  svg.setAttribute("aria-roledescription", formatMessage("board: arrow keys choose a hole, Enter lifts or places a peg"));

  svg.addEventListener("pointermove", (event) => picture.moveCursor(picture.findNearestHole(event), getCarriedPeg()));
  svg.addEventListener("pointerleave", () => picture.moveCursor(null));
  svg.addEventListener("blur", () => picture.moveCursor(null));
  /** @type {string | null} */
  let from = null;
  svg.addEventListener("pointerdown", (event) => (from = picture.findNearestHole(event)));
  svg.addEventListener("click", (event) => releaseAt(picture.findNearestHole(event)));
  // A touch that starts at a peg drags it; any other touch scrolls the page. A prevented touch causes no click event.
  let drags = false;
  svg.addEventListener("touchstart", (event) => {
    const hole = event.touches.length === 1 ? picture.findNearestHole(event.touches[0]) : null;
    drags = hole !== null && hasPeg(hole);
    if (drags) event.preventDefault();
  }, { passive: false });
  svg.addEventListener("touchend", (event) => {
    if (drags) releaseAt(picture.findNearestHole(event.changedTouches[0])), picture.moveCursor(null);
    drags = false;
  });
  svg.addEventListener("touchcancel", () => (drags = false));
  svg.addEventListener("keydown", (event) => {
    if (event.key in ARROWS) moveCursor(nextHole([...holes.keys()].map(screenPosition), current, ARROWS[event.key]));
    else if (event.key !== "Enter" && event.key !== " ") return;
    else if (current) touchHole(current), moveCursor(current);
    event.preventDefault();
  });

  /** Handle a release: from one hole into another, a peg was dragged. @param {string | null} hole */
  function releaseAt(hole) {
    if (hole && from && from !== hole) touchHole(from);
    from = null;
    if (hole) touchHole(hole);
  }

  /** @param {string} hole */
  function moveCursor(hole) {
    current = hole;
    picture.moveCursor(hole, getCarriedPeg());
    onHole(hole);
  }

  /**
   * Return the position of a hole on the screen.
   * @param {string} id
   * @returns {ScreenHole}
   */
  function screenPosition(id) {
    const box = svg.querySelector(`[data-hole="${CSS.escape(id)}"]`)?.getBoundingClientRect() ?? new DOMRect();
    return { id, x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }
}

/**
 * Return the nearest hole in a direction on the screen; the same hole if there is none, the first if there is no cursor.
 * @param {ScreenHole[]} all
 * @param {string | null} here
 * @param {[dx: number, dy: number]} direction
 */
export function nextHole(all, here, [dx, dy]) {
  const from = all.find(({ id }) => id === here);
  if (!from) return all[0].id;
  const cost = (/** @type {ScreenHole} */ { x, y }) => {
    const along = (x - from.x) * dx + (y - from.y) * dy;
    const aside = Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
    return along > 1 ? along + 3 * aside : Infinity;
  };
  const best = all.reduce((a, b) => (cost(b) < cost(a) ? b : a));
  return cost(best) < Infinity ? best.id : from.id;
}
