// The diamond as a small picture: four bases, twenty-four spaces, and the runners.

import { constants } from "../core/constants.js";
import { findElement } from "../core/dom.js";
import { formatMessage, gettextNoop, joinWithAnd } from "../core/i18n.js";

/** @typedef {[x: number, y: number]} Point */

const SIZE = 200;
/** @type {Point[]} */
const CORNERS = [[100, 178], [178, 100], [100, 22], [22, 100]];
/** @type {Point} */
const BOX = [126, 186];

/**
 * Draws the runners, by space: 0 the batter's box, then a leg of spaces to each base.
 * @param {HTMLElement} el
 */
export function Diamond(el) {
  const spaces = Array.from({ length: 4 * constants.leg }, (_, i) => i + 1);
  el.innerHTML = `<svg class="diamond" viewBox="0 0 ${SIZE} ${SIZE}" role="img">
    <path class="grass" d="M${CORNERS.map((corner) => corner.join(" ")).join("L")}Z"/>
    ${spaces.map(space).join("")}<g class="runners"></g></svg>`;
  return (/** @type {Required<Pick<Api.Snapshot, "runners" | "batting" | "bases">>} */ { runners, batting, bases }) => {
    const at = runners.map(spot).map(([x, y]) => `<circle class="runner seat-${batting ?? 0}" cx="${x}" cy="${y}" r="8"/>`);
    findElement(el, ".runners").innerHTML = at.join("");
    const on = [gettextNoop("first"), gettextNoop("second"), gettextNoop("third")].filter((_, i) => bases[i]).map((each) => formatMessage(each));
    findElement(el, "svg").setAttribute("aria-label", on.length ? formatMessage("Runners on {bases}", { bases: joinWithAnd(on) }) : formatMessage("Nobody on base"));
  };
}

/** @param {number} n */
function space(n) {
  const [x, y] = spot(n);
  return n % constants.leg
    ? `<circle class="space" cx="${x}" cy="${y}" r="2.5"/>`
    : `<rect class="base" x="${x - 7}" y="${y - 7}" width="14" height="14" transform="rotate(45 ${x} ${y})"/>`;
}

/**
 * Where a space lies.
 * @param {number} n
 * @returns {Point}
 */
export function spot(n) {
  if (n === 0) return BOX;
  const leg = Math.floor(n / constants.leg) % 4;
  const part = (n % constants.leg) / constants.leg;
  const [[x, y], [toX, toY]] = [CORNERS[leg], CORNERS[(leg + 1) % 4]];
  return [x + part * (toX - x), y + part * (toY - y)];
}
