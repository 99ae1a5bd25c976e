// SVG symbols on the board: holes, signs, lights, dice, pegs. Lengths are in steps from hole to hole. Pure.

import { constants } from "../core/constants.js";
import { escapeHtml } from "../core/dom.js";
import { holeSpokenName } from "../core/format.js";

/** @import { BoardState } from "./state.js" */
/** @import { Place } from "./layout.js" */

/**
 * Return each hole with its sign; later ones are drawn on top.
 * @param {Pick<BoardState, "lift" | "flaky" | "due" | "asked" | "wrong">} state
 * @param {string[]} lit
 * @returns {[id: string, kind: string][]}
 */
export const listSigns = ({ lift, flaky, due, asked, wrong }, lit) =>
  Object.entries({ lit, lift, flaky, due, asked, wrong })
    .flatMap(([kind, ids]) => ids.map((id) => /** @type {[string, string]} */ ([id, kind])));

/**
 * Return a hole; it is faint if no route in use passes it.
 * @param {Api.Hole} hole
 * @param {number} step
 * @param {boolean} isUsed
 */
export const renderHole = (hole, step, isUsed) =>
  `<circle data-hole="${escapeHtml(hole.id)}" class="hole ${isUsed ? "" : "unused"}" cx="${hole.x_mm}"
    cy="${hole.y_mm}" r="${0.24 * step}"><title>${escapeHtml(holeSpokenName(hole.id))}</title></circle>`;

/**
 * Return a sign at a hole.
 * @param {Place} place
 * @param {string} kind
 * @param {number} step
 */
export function renderSign({ x_mm: x, y_mm: y }, kind, step) {
  const ring = `<circle cx="${x}" cy="${y}" r="${0.56 * step}" class="ring" stroke-width="${0.16 * step}"/>`;
  const arm = 0.62 * step;
  const cross = `<path d="M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}"
    class="cross" stroke-width="${0.16 * step}"/>`;
  const fill = kind === "due" || kind === "lit" ? `<circle cx="${x}" cy="${y}" r="${0.34 * step}" class="core"/>` : "";
  return `<g class="sign ${kind}" data-sign="${kind}">${ring}${fill}${kind === "wrong" ? cross : ""}</g>`;
}

/**
 * Return the symbol of a faulty sensor: stuck is a square, flapping a zigzag, dead a circle struck through.
 * @param {Place} hole
 * @param {string} kind
 * @param {number} step
 */
export function renderFault({ x_mm: x, y_mm: y }, kind, step) {
  const r = 0.5 * step;
  /** @type {Record<string, string>} */
  const ways = {
    stuck: `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
    flapping: `M${x - 1.2 * r} ${y + 0.5 * r}l${0.6 * r} ${-r}l${0.6 * r} ${r}l${0.6 * r} ${-r}l${0.6 * r} ${r}`,
    dead: `M${x - r} ${y - r}l${2 * r} ${2 * r}M${x + r} ${y}a${r} ${r} 0 1 1 ${-2 * r} 0a${r} ${r} 0 1 1 ${2 * r} 0`,
  };
  const [under, over] = [0.3, 0.14].map((width) => `<path d="${ways[kind]}" stroke-width="${width * step}"/>`);
  return `<g class="fault" data-fault="${kind}">${under}${over}</g>`;
}

/** @param {number[]} rgb */
export const isLit = (rgb) => Math.max(0, ...rgb) > 0;

/**
 * Return a light of a pixel. The colour is gamma-corrected: half the current looks brighter than half.
 * @param {Place} place
 * @param {number[]} colour
 * @param {number} step
 */
export function renderLight({ x_mm: x, y_mm: y }, colour, step) {
  const corrected = colour.map((value) => Math.round(255 * (value / 255) ** 0.45));
  const rgb = `rgb(${corrected.join(",")})`;
  return `<circle cx="${x}" cy="${y}" r="${1.05 * step}" fill="${rgb}" opacity=".28"/>
    <circle cx="${x}" cy="${y}" r="${0.5 * step}" fill="${rgb}" opacity=".95"/>`;
}

/**
 * Return a light of the Sackson display in the colour of its marker.
 * @param {Place} place
 * @param {string | null | undefined} colour
 * @param {number} step
 */
export const renderDisplayLight = ({ x_mm: x, y_mm: y }, colour, step) =>
  `<circle class="light ${escapeHtml(colour ?? "none")}" cx="${x}" cy="${y}" r="${0.45 * step}"/>`;

/**
 * Return a die of seven pixels with the pips of its face lit. Without a face it shows only `lights`.
 * @param {Place[]} pips
 * @param {number | null} face
 * @param {number} step
 * @param {number[][]} lights
 */
export function renderDie(pips, face, step, lights = []) {
  const [x, y] = [Math.min(...pips.map((pip) => pip.x_mm)), Math.min(...pips.map((pip) => pip.y_mm))];
  const wide = Math.max(...pips.map((pip) => pip.x_mm)) - x;
  const shown = face === null ? [] : constants.dice.pips[face] ?? [];
  const dots = pips.map((pip, i) => `<circle class="pip ${shown.includes(i) ? "lit" : ""}" cx="${pip.x_mm}"
    cy="${pip.y_mm}" r="${0.3 * step}"/>${isLit(lights[i] ?? []) ? renderLight(pip, lights[i], 0.55 * step) : ""}`);
  return `<rect class="die" x="${x - 0.8 * step}" y="${y - 0.8 * step}" width="${wide + 1.6 * step}"
    height="${wide + 1.6 * step}" rx="${0.6 * step}"/>${dots.join("")}`;
}

/** Return a peg seen from above: shadow, head, highlight. @param {number} step */
export const renderPeg = (step) => `<circle class="shadow" cx="${0.1 * step}" cy="${0.14 * step}" r="${0.5 * step}"/>
  <circle class="top" r="${0.44 * step}" stroke-width="${0.12 * step}"/>
  <circle class="shine" cx="${-0.12 * step}" cy="${-0.14 * step}" r="${0.13 * step}"/>`;

/**
 * Return the cursor at a hole, with the carried peg if any.
 * @param {Place} hole
 * @param {{ seat: number | null } | null} peg
 * @param {number} step
 */
export function renderCursor({ x_mm: x, y_mm: y }, peg, step) {
  const circle = (/** @type {number} */ r, /** @type {string} */ kind, /** @type {number} */ width) =>
    `<circle cx="${x}" cy="${y}" r="${r * step}" class="${kind}" stroke-width="${width * step}"/>`;
  const ghost = peg ? `<g class="peg ghost seat-${peg.seat}">${circle(0.44, "top", 0.12)}</g>` : "";
  return circle(0.62, "ring", 0.14) + ghost;
}
