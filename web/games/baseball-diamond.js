// The diamond as SVG: four bases, 24 spaces, and the runners.

import { constants } from "../core/constants.js";
import { findElement } from "../core/dom.js";
import { formatMessage, gettextNoop, joinWithAnd } from "../core/i18n.js";

/** @typedef {[x: number, y: number]} Point */

const SIZE_UNITS = 200;
/** @type {Point[]} */
const CORNERS = [[100, 178], [178, 100], [100, 22], [22, 100]];
/** @type {Point} */
const BATTERS_BOX = [126, 186];

/** Create the diamond. Runners are given by their space: 0 is the batter's box, then the spaces of one leg to each base. @param {HTMLElement} el */
export function createDiamond(el) {
  const spaces = Array.from({ length: 4 * constants.leg }, (_, i) => i + 1);
  el.innerHTML = `<svg class="diamond" viewBox="0 0 ${SIZE_UNITS} ${SIZE_UNITS}" role="img">
    <path class="grass" d="M${CORNERS.map((corner) => corner.join(" ")).join("L")}Z"/>
    ${spaces.map(renderSpace).join("")}<g class="runners"></g></svg>`;
  return (/** @type {Required<Pick<Api.Snapshot, "runners" | "batting" | "bases">>} */ { runners, batting, bases }) => {
    const at = runners.map(spacePosition).map(([x, y]) => `<circle class="runner seat-${batting ?? 0}" cx="${x}" cy="${y}" r="8"/>`);
    findElement(el, ".runners").innerHTML = at.join("");
    const on = [gettextNoop("first"), gettextNoop("second"), gettextNoop("third")].filter((_, i) => bases[i]).map((each) => formatMessage(each));
    findElement(el, "svg").setAttribute("aria-label", on.length ? formatMessage("Runners on {bases}", { bases: joinWithAnd(on) }) : formatMessage("Nobody on base"));
  };
}

/** @param {number} n */
function renderSpace(n) {
  const [x, y] = spacePosition(n);
  return n % constants.leg
    ? `<circle class="space" cx="${x}" cy="${y}" r="2.5"/>`
    : `<rect class="base" x="${x - 7}" y="${y - 7}" width="14" height="14" transform="rotate(45 ${x} ${y})"/>`;
}

/**
 * Return the position of a space.
 * @param {number} n
 * @returns {Point}
 */
export function spacePosition(n) {
  if (n === 0) return BATTERS_BOX;
  const leg = Math.floor(n / constants.leg) % 4;
  const part = (n % constants.leg) / constants.leg;
  const [[x, y], [toX, toY]] = [CORNERS[leg], CORNERS[(leg + 1) % 4]];
  return [x + part * (toX - x), y + part * (toY - y)];
}
