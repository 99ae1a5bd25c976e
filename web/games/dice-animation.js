// The animation of the dice, and a delay for everything that would give away the result of a roll. The result is known from
// the beginning; with reduced motion it is shown at once.

import { logErrors } from "../core/component.js";
import { constants } from "../core/constants.js";
import { prefersReducedMotion } from "../core/preferences.js";

/** @import { DrawSnapshot } from "../core/component.js" */

const STEP_MS = 120;
const AFTER_MS = 150; // the bench polls its dice a few times a second

/**
 * Create the animation. The returned function draws the faces, after random ones if `tumbles`. Dice that lay there keep still.
 * @param {(faces: number[]) => void} draw
 */
export function createDiceAnimation(draw) {
  /** @type {number[] | null} */
  let shown = null;
  let lastRoll = "";
  let timer = 0;

  /**
   * Draw one step of the animation.
   * @param {number[]} faces
   * @param {number} still
   * @param {number} until
   */
  function drawStep(faces, still, until) {
    const left = until - Date.now();
    draw(left > 0 ? faces.map((face, i) => (i < still ? face : 1 + Math.floor(6 * Math.random()))) : faces);
    if (left > 0) timer = setTimeout(drawStep, Math.min(STEP_MS, left), faces, still, until);
  }

  /**
   * @param {number[]} faces
   * @param {boolean} tumbles
   * @param {string} roll
   */
  return (faces, tumbles, roll = "") => {
    if (shown && String(faces) === String(shown) && (!roll || roll === lastRoll)) return;
    clearTimeout(timer);
    const before = shown ?? [];
    const isFirst = shown === null;
    lastRoll = roll || lastRoll;
    const still = before.length < faces.length && before.every((face, i) => face === faces[i]) ? before.length : 0;
    shown = faces;
    drawStep(faces, still, tumbles && !isFirst && faces.length && !prefersReducedMotion() ? Date.now() + constants.dice.tumble_ms : 0);
  };
}

/**
 * Whether the roll of a snapshot is animated: dice thrown by hand are not, as the players have seen them.
 * @param {Pick<Api.Snapshot, "last" | "dice">} snapshot
 */
export const isAnimatedRoll = ({ last, dice }) => Boolean(dice) && !(last?.move.type === "roll" && last.by === "phone");

/**
 * Return the key of a roll; it changes even if the same numbers fall again. It is "" without a roll.
 * @param {Pick<Api.Snapshot, "run" | "moves" | "last">} snapshot
 */
export const rollKey = ({ run, moves, last }) => (last?.move.type === "roll" ? `${run} ${moves}` : "");

/** @type {Map<DrawSnapshot, () => void>} */
const deferred = new Map();
let deferTimer = 0;

/** Draw everything that was deferred. */
function drawDeferred() {
  const draws = [...deferred.values()];
  deferred.clear();
  for (const draw of draws) draw();
}

/**
 * Defer a draw function while a roll that happened during this page is animated, then draw the newest snapshot.
 * `meanwhile` is called at once.
 * @param {DrawSnapshot} draw
 * @param {DrawSnapshot} meanwhile
 * @returns {DrawSnapshot}
 */
export function deferDuringRoll(draw, meanwhile = () => {}) {
  const drawNow = logErrors(draw);
  /** @type {string | null} */
  let lastRoll = null;
  let until = 0;
  /** @type {DrawSnapshot} */
  return function drawOrDefer(snapshot) {
    deferred.delete(drawOrDefer);
    const roll = isAnimatedRoll(snapshot) ? rollKey(snapshot) : "";
    if (lastRoll !== null && roll !== lastRoll) until = roll && !prefersReducedMotion() ? Date.now() + constants.dice.tumble_ms + AFTER_MS : 0;
    lastRoll = roll;
    const left = until - Date.now();
    if (left <= 0) return drawNow(snapshot);
    deferred.set(drawOrDefer, () => drawNow(snapshot));
    clearTimeout(deferTimer);
    deferTimer = setTimeout(drawDeferred, left);
    return meanwhile(snapshot);
  };
}
