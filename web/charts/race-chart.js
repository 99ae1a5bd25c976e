// Charts of a game as SVG: told by lines, dashes and words, not by colour alone. Pure.

import { safe } from "../core/dom.js";
import { say } from "../core/i18n.js";

const [WIDE, HIGH, LEFT, UNDER] = [320, 160, 30, 20];
const DASHES = ["", "7 4", "2 3", "10 3 2 3", "1 5"];

/**
 * How the scores rose, move by move: a line a side, each in its own dash, with its name at its end.
 * @param {{ name: string, points: number[] }[]} sides
 * @param {number | null} target
 */
export function race(sides, target) {
  const length = Math.max(2, ...sides.map(({ points }) => points.length));
  const most = Math.max(target ?? 0, 1, ...sides.flatMap(({ points }) => points));
  const x = (/** @type {number} */ i) => LEFT + (i / (length - 1)) * (WIDE - LEFT - 60);
  const y = (/** @type {number} */ score) => HIGH - UNDER - (Math.max(0, score) / most) * (HIGH - UNDER - 10);
  const marks = [0, Math.round(most / 2), most].map((score) => `<line x1="${LEFT}" x2="${WIDE - 60}" y1="${y(score)}" y2="${y(score)}" class="grid"/>
    <text x="${LEFT - 4}" y="${y(score) + 3}" text-anchor="end">${score}</text>`);
  let taken = /** @type {number[]} */ ([]);
  const lines = sides.map(({ name, points }, side) => {
    const path = points.map((score, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(score).toFixed(1)}`).join("");
    let at = y(points.at(-1) ?? 0);
    while (taken.some((each) => Math.abs(each - at) < 11)) at += 11;
    taken = [...taken, at];
    return `<path class="race-line race-${side}" d="${path}" stroke-dasharray="${DASHES[side] ?? ""}"/>
      <text x="${WIDE - 56}" y="${at + 3}">${safe(name.slice(0, 9))} ${points.at(-1) ?? 0}</text>`;
  });
  const label = sides.map(({ name, points }) => `${name} ${points.at(-1) ?? 0}`).join(", ");
  return `<svg class="race" viewBox="0 0 ${WIDE} ${HIGH + 14 * Math.max(0, sides.length - 3)}" role="img" aria-label="${safe(say("The race: {sides}", { sides: label }))}">${marks.join("")}${lines.join("")}</svg>`;
}
