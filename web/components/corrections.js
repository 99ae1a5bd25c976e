// What puts a table right that has gone wrong: adjust a score, call a misdeal, begin afresh.

import { fill, find, pressed, safe } from "../core/dom.js";
import { sideName } from "../core/format.js";
import { say } from "../core/i18n.js";
import { gameOf } from "../games/index.js";

/** @import { Acting } from "../core/api.js" */

const STEPS = [-5, -1, 1, 5];

/**
 * A part that unfolds. Its own `undo` is the one in the bar.
 * @type {import("../core/component.js").Part}
 */
export function Mending(el, { actions }) {
  /** @type {Api.Snapshot | null} */
  let newest = null;
  let sure = "";
  el.innerHTML = `<details><summary>${say("Put something right")}</summary>
    <div class="adjusts"></div>
    <div class="choices"><button type="button" class="button" data-move="misdeal">${say("Misdeal")}</button>
      <button type="button" class="button" data-afresh aria-pressed="false">${say("Abandon this game")}</button></div></details>`;
  const [adjusts, misdeal, afresh] = [".adjusts", "[data-move=misdeal]", "[data-afresh]"].map((each) => find(el, each));

  pressed(el, async ({ move, seat, points }, button) => {
    if (move === "misdeal") actions.move({ type: "misdeal" });
    if (move === "adjust") adjust(Number(seat), Number(points));
    if (button !== afresh) return;
    const sure = afresh.getAttribute("aria-pressed") === "true";
    press(!sure);
    if (sure && newest) await abandon(actions, newest);
  });

  /**
   * An adjustment that ends the game asks once.
   * @param {number} side
   * @param {number} points
   */
  function adjust(side, points) {
    const asked = `${side} ${points}`;
    if (newest && ends(newest, side, points) && sure !== asked) sure = asked;
    else sure = "", actions.move({ type: "adjust", seat: side, points });
    show();
  }

  function show() {
    const snapshot = newest;
    if (snapshot) fill(adjusts, snapshot.scores.map((_, side) => row(snapshot, side, sure)).join(""));
  }

  /** @param {boolean} isPressed */
  function press(isPressed) {
    afresh.setAttribute("aria-pressed", String(isPressed));
    afresh.textContent = isPressed ? say("Tap again to abandon it") : say("Abandon this game");
  }

  return (snapshot) => {
    const wasMoved = newest?.moves !== snapshot.moves;
    if (wasMoved) press(false);
    newest = snapshot;
    if (wasMoved) sure = "";
    show();
    afresh.hidden = gameOf(snapshot).abandons(snapshot) === null;
    misdeal.hidden = !gameOf(snapshot).voids(snapshot);
  };
}

/**
 * Whether an adjustment would end the game.
 * @param {Api.Snapshot} snapshot
 * @param {number} side
 * @param {number} points
 */
export const ends = ({ game, scores, phase }, side, points) =>
  game.target !== null && phase !== "over" && points > 0 && scores[side] + points >= game.target;

/**
 * Whether the table would refuse it: below 0, or beyond an end that is there already.
 * @param {Api.Snapshot} snapshot
 * @param {number} side
 * @param {number} points
 */
export const isVain = ({ game, scores }, side, points) =>
  scores[side] + points < 0 || (points > 0 && game.target !== null && scores[side] >= game.target);

/**
 * @param {Api.Snapshot} snapshot
 * @param {number} side
 * @param {string} sure
 */
function row(snapshot, side, sure) {
  const name = sideName(snapshot, side);
  const asks = STEPS.some((points) => sure === `${side} ${points}`);
  return `<div class="adjust" role="group" aria-label="${safe(say("{name}'s score", { name }))}"><span class="whose">${safe(name)}</span>${STEPS.map((points) =>
    step(name, side, points, isVain(snapshot, side, points), sure === `${side} ${points}`)).join("")}
    ${asks ? `<p class="asks" role="status">${say("This ends the game. Tap it again if you mean it.")}</p>` : ""}</div>`;
}

/**
 * @param {string} name
 * @param {number} side
 * @param {number} points
 * @param {boolean} isOut
 * @param {boolean} isSure
 */
const step = (name, side, points, isOut, isSure) =>
  `<button type="button" class="key" data-move="adjust" data-seat="${side}" data-points="${points}" aria-pressed="${isSure}"
    aria-label="${safe(points < 0 ? say("{name} minus {n}", { name, n: -points }) : say("{name} plus {n}", { name, n: points }))}" ${isOut ? "disabled" : ""}>
    ${points < 0 ? "−" : "+"}${Math.abs(points)}</button>`;

/**
 * A game given up is moves like others, each of which undo takes back: the scores as they began, or a game's end.
 * @param {Acting} actions
 * @param {Api.Snapshot} snapshot
 */
async function abandon({ move }, snapshot) {
  const way = gameOf(snapshot).abandons(snapshot);
  if (snapshot.phase === "over") return move({ type: "next" });
  if (way === "end") {
    const points = (snapshot.game.target ?? 0) - snapshot.scores[0];
    return (await move({ type: "adjust", seat: 0, points })) && move({ type: "next" });
  }
  /** @type {Api.Snapshot | null} */
  let now = snapshot;
  if (gameOf(now).voids(now)) now = await move({ type: "misdeal" });
  else if (now.phase === "between") now = await move({ type: "next" });
  for (const [seat, score] of now?.scores.entries() ?? []) {
    const points = now ? gameOf(now).opening(now, seat) - score : 0;
    if (points) await move({ type: "adjust", seat, points });
  }
  return now;
}
