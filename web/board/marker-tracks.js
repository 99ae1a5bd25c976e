// The tracks of a marker board, which is not a race: boxes and scales with names and numbers. Pure.

import { formatMessage, gettextNoop } from "../core/i18n.js";

/** @typedef {[x: number, y: number]} Point */
/** @typedef {(x: number, y: number, words: string | number, anchor?: string) => string} Text */

/** @type {Record<string, string>} */
const TRACK_NAMES = {
  units: "1–9", tens: "10–50", runs: gettextNoop("runs"), outs: gettextNoop("outs"), innings: gettextNoop("innings"), runners: gettextNoop("runners"),
};
/** @type {Record<number, string>} */
const BASE_NAMES = { 6: gettextNoop("1st"), 12: gettextNoop("2nd"), 18: gettextNoop("3rd"), 24: gettextNoop("home") };
const NUMBERED_TRACKS = ["units", "tens", "runs", "outs", "innings"];
const ROW_GAP_FACTOR = 1.6; // holes further apart than this factor start another row

/**
 * Return a band under each track, its name before its first hole, and numbers on the outer side.
 * @param {Api.Board} board
 * @param {number} step
 * @param {number} turn
 */
export function renderMarkerTracks(board, step, turn) {
  const tracks = [...new Set(board.holes.map((hole) => hole.track))];
  const mean = (/** @type {"x_mm" | "y_mm"} */ axis) => board.holes.reduce((sum, hole) => sum + hole[axis], 0) / board.holes.length;
  /** @type {Point} */
  const centre = [mean("x_mm"), mean("y_mm")];
  /** @type {Text} */
  const text = (x, y, words, anchor = "middle") => `<text class="number" x="${x}" y="${y}" font-size="${0.8 * step}"
    text-anchor="${anchor}" dominant-baseline="central" transform="rotate(${-turn} ${x} ${y})">${words}</text>`;
  return tracks.map((track) => {
    const holes = board.holes.filter((hole) => hole.track === track);
    const kind = track.slice(track.lastIndexOf("-") + 1);
    const band = `<path class="lane ${holes[0].seat === null ? "" : `seat-${holes[0].seat}`}" fill="none"
      stroke-width="${0.9 * step}" d="${trackPath(holes)}"/>`;
    const numberBeside = (/** @type {Api.Hole} */ hole) => text(...pointOutside(hole, centre, 1.15 * step, holes), hole.number);
    const numbers = NUMBERED_TRACKS.includes(kind) ? holes.map(numberBeside) : [];
    const bases = kind === "bases" ? holes.filter(({ number }) => BASE_NAMES[number]).map((hole) => renderBaseName(hole, centre, step, text)) : [];
    return band + numbers.join("") + bases.join("") + (TRACK_NAMES[kind] ? renderTrackName(holes, formatMessage(TRACK_NAMES[kind]), step, text) : "");
  }).join("");
}

/** Return a path through the holes, row by row. @param {Api.Hole[]} holes */
function trackPath(holes) {
  const gapBefore = (/** @type {number} */ i) => Math.hypot(holes[i].x_mm - holes[i - 1].x_mm, holes[i].y_mm - holes[i - 1].y_mm);
  const usual = holes.length > 1 ? gapBefore(1) : 0;
  return holes.map(({ x_mm, y_mm }, i) => `${i && gapBefore(i) < ROW_GAP_FACTOR * usual ? "L" : "M"}${x_mm} ${y_mm}h.01`).join("");
}

/** @param {Api.Hole[]} holes */
const isUpright = ([a, b]) => Math.abs(b.y_mm - a.y_mm) > Math.abs(b.x_mm - a.x_mm);

/**
 * Return the point beside a row of holes, at a right angle, away from the centre.
 * @param {Api.Hole} hole
 * @param {Point} centre
 * @param {number} far
 * @param {Api.Hole[]} holes
 * @returns {Point}
 */
function pointOutside(hole, [x, y], far, holes) {
  if (isUpright(holes)) return [hole.x_mm + Math.sign(hole.x_mm - x) * far, hole.y_mm];
  return [hole.x_mm, hole.y_mm + Math.sign(hole.y_mm - y) * far];
}

/**
 * Return the name of a base, inside the diamond.
 * @param {Api.Hole} hole
 * @param {Point} centre
 * @param {number} step
 * @param {Text} text
 */
function renderBaseName(hole, [x, y], step, text) {
  const [dx, dy] = [x - hole.x_mm, y - hole.y_mm];
  const far = (2.6 * step) / Math.hypot(dx, dy);
  return text(hole.x_mm + dx * far, hole.y_mm + dy * far, formatMessage(BASE_NAMES[hole.number]));
}

/**
 * Return the name of a track, placed where the track would have one more hole before its first.
 * @param {Api.Hole[]} holes
 * @param {string} name
 * @param {number} step
 * @param {Text} text
 */
function renderTrackName(holes, name, step, text) {
  const [a, b] = holes;
  if (isUpright(holes)) return text(a.x_mm, a.y_mm + Math.sign(a.y_mm - b.y_mm) * 1.5 * step, name);
  return text(a.x_mm - 1.2 * step, a.y_mm, name, "end");
}
