// Dice that tumble and stop. What they show in the end is settled when they begin; who wants no motion sees only that.
// Until they stop, nothing on the page tells how they fall.

import { logErrors } from "../core/component.js";
import { constants } from "../core/constants.js";
import { prefersReducedMotion } from "../core/preferences.js";

/** @import { DrawSnapshot } from "../core/component.js" */

const STEP_MS = 120;
const AFTER_MS = 150; // the bench looks at its dice some times a second

/**
 * Returns `show(faces, tumbles, roll)`: `draw(faces)` at once, or after some others. What lay there already lies still.
 * @param {(faces: number[]) => void} draw
 */
export function Tumble(draw) {
  /** @type {number[] | null} */
  let lying = null;
  let rolled = "";
  let timer = 0;

  /**
   * @param {number[]} faces
   * @param {number} still
   * @param {number} until
   */
  function turn(faces, still, until) {
    const left = until - Date.now();
    draw(left > 0 ? faces.map((face, i) => (i < still ? face : 1 + Math.floor(6 * Math.random()))) : faces);
    if (left > 0) timer = setTimeout(turn, Math.min(STEP_MS, left), faces, still, until);
  }

  /**
   * @param {number[]} faces
   * @param {boolean} tumbles
   * @param {string} roll
   */
  return (faces, tumbles, roll = "") => {
    if (lying && String(faces) === String(lying) && (!roll || roll === rolled)) return;
    clearTimeout(timer);
    const known = lying ?? [];
    const begins = lying === null;
    rolled = roll || rolled;
    const still = known.length < faces.length && known.every((face, i) => face === faces[i]) ? known.length : 0;
    lying = faces;
    turn(faces, still, tumbles && !begins && faces.length && !prefersReducedMotion() ? Date.now() + constants.dice.tumble_ms : 0);
  };
}

/**
 * Whether the dice of a snapshot fell out of the board's own cup: those of one's own were seen to fall.
 * @param {Pick<Api.Snapshot, "last" | "dice">} snapshot
 */
export const tumbled = ({ last, dice }) => Boolean(dice) && !(last?.move.type === "roll" && last.by === "phone");

/**
 * The move that a snapshot's dice were rolled for: the same numbers may fall again. Empty for a plain dice cup.
 * @param {Pick<Api.Snapshot, "run" | "moves" | "last">} snapshot
 */
export const rollOf = ({ run, moves, last }) => (last?.move.type === "roll" ? `${run} ${moves}` : "");

/** @type {Map<DrawSnapshot, () => void>} */
const waiting = new Map();
let alarm = 0;

/** All that waits is drawn in one go. */
function rest() {
  const draws = [...waiting.values()];
  waiting.clear();
  for (const draw of draws) draw();
}

/**
 * A draw that waits while a roll tumbles that came as the page looked on, and then draws the newest snapshot;
 * `meanwhile(snapshot)` is drawn at once.
 * @param {DrawSnapshot} draw
 * @param {DrawSnapshot} meanwhile
 * @returns {DrawSnapshot}
 */
export function Held(draw, meanwhile = () => {}) {
  const drawNow = logErrors(draw);
  /** @type {string | null} */
  let seen = null;
  let until = 0;
  /** @type {DrawSnapshot} */
  return function held(snapshot) {
    waiting.delete(held);
    const roll = tumbled(snapshot) ? rollOf(snapshot) : "";
    if (seen !== null && roll !== seen) until = roll && !prefersReducedMotion() ? Date.now() + constants.dice.tumble_ms + AFTER_MS : 0;
    seen = roll;
    const left = until - Date.now();
    if (left <= 0) return drawNow(snapshot);
    waiting.set(held, () => drawNow(snapshot));
    clearTimeout(alarm);
    alarm = setTimeout(rest, left);
    return meanwhile(snapshot);
  };
}
