// The race of a game as an SVG line chart. Dashes and labels tell the lines apart, not colour alone. Pure.

import { escapeHtml } from "../core/dom.js";
import { formatMessage } from "../core/i18n.js";

const [WIDTH, HEIGHT, MARGIN_LEFT, MARGIN_RIGHT, MARGIN_BOTTOM] = [320, 160, 30, 76, 20];
const DASHES = ["", "7 4", "2 3", "10 3 2 3", "1 5"];

/**
 * Return the chart of the scores, move by move, with a labelled line for each side.
 * @param {{ name: string, points: number[] }[]} sides
 * @param {number | null} target
 */
export function raceChart(sides, target) {
  const length = Math.max(2, ...sides.map(({ points }) => points.length));
  const maximum = Math.max(target ?? 0, 1, ...sides.flatMap(({ points }) => points));
  const x = (/** @type {number} */ i) => MARGIN_LEFT + (i / (length - 1)) * (WIDTH - MARGIN_LEFT - MARGIN_RIGHT);
  const y = (/** @type {number} */ score) => HEIGHT - MARGIN_BOTTOM - (Math.max(0, score) / maximum) * (HEIGHT - MARGIN_BOTTOM - 10);
  const gridLines = [0, Math.round(maximum / 2), maximum].map((score) => `<line x1="${MARGIN_LEFT}" x2="${WIDTH - MARGIN_RIGHT}" y1="${y(score)}" y2="${y(score)}" class="grid"/>
    <text x="${MARGIN_LEFT - 4}" y="${y(score) + 3}" text-anchor="end">${score}</text>`);
  let labelHeights = /** @type {number[]} */ ([]);
  const lines = sides.map(({ name, points }, side) => {
    const path = points.map((score, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(score).toFixed(1)}`).join("");
    let at = y(points.at(-1) ?? 0);
    while (labelHeights.some((each) => Math.abs(each - at) < 11)) at += 11;
    labelHeights = [...labelHeights, at];
    return `<path class="race-line race-${side}" d="${path}" stroke-dasharray="${DASHES[side] ?? ""}"/>
      <text x="${WIDTH - MARGIN_RIGHT + 4}" y="${at + 3}">${escapeHtml(name.slice(0, 9))} ${points.at(-1) ?? 0}</text>`;
  });
  const label = sides.map(({ name, points }) => `${name} ${points.at(-1) ?? 0}`).join(", ");
  return `<svg class="race" viewBox="0 0 ${WIDTH} ${HEIGHT + 14 * Math.max(0, sides.length - 3)}" role="img" aria-label="${escapeHtml(formatMessage("The race: {sides}", { sides: label }))}">${gridLines.join("")}${lines.join("")}</svg>`;
}
