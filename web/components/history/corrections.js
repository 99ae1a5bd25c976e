// Corrections: adjust a score, call a misdeal or the judge, abandon the game.

import { fetchApiOrNull } from "../../core/api.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { sideName } from "../../core/format.js";
import { formatMessage } from "../../core/i18n.js";
import { HAND_SIZES } from "../../games/hand-sizes.js";
import { findGame } from "../../games/index.js";

/** @import { Actions } from "../../core/api.js" */

const ADJUSTMENTS = [-5, -1, 1, 5];

/** A section that unfolds. @type {import("../../core/component.js").Component} */
export function Corrections(el, { actions }) {
  /** @type {Api.Snapshot | null} */
  let newest = null;
  let confirming = "";
  /** @type {number[]} */
  let uncorrected = []; // the scores before the latest corrections
  el.innerHTML = `<details><summary>${formatMessage("Corrections")}</summary>
    <div class="adjusts"></div>
    <div class="choices"><button type="button" class="button" data-move="misdeal">${formatMessage("Misdeal")}</button>
      <button type="button" class="button" data-judge>${formatMessage("Call the judge")}</button></div>
    <div class="judge-calls" role="group" aria-label="${formatMessage("Call the judge")}" hidden></div>
    <div class="choices"><button type="button" class="button" data-afresh aria-pressed="false">${formatMessage("Abandon this game")}</button></div></details>`;
  const [adjusts, misdeal, abandonButton, judge, calls] = [".adjusts", "[data-move=misdeal]", "[data-afresh]", "[data-judge]", ".judge-calls"].map((each) => findElement(el, each));

  onButtonClick(el, async ({ move, seat, points }, button) => {
    if (button === judge) await showCalls(calls, actions);
    if (move === "misdeal") await actions.makeMove({ type: "misdeal" });
    if (move === "adjust") await adjust(Number(seat), Number(points));
    if (button !== abandonButton) return;
    const isConfirmed = abandonButton.getAttribute("aria-pressed") === "true";
    setAbandonPressed(!isConfirmed);
    if (isConfirmed && newest) await abandonGame(actions, newest);
  });

  /**
   * Adjust a score. An adjustment that ends the game needs a second tap.
   * @param {number} side
   * @param {number} points
   */
  function adjust(side, points) {
    const key = `${side} ${points}`;
    const isConfirmed = !newest || !endsGame(newest, side, points) || confirming === key;
    confirming = isConfirmed ? "" : key;
    drawAdjustments();
    return isConfirmed ? actions.makeMove({ type: "adjust", seat: side, points }) : null;
  }

  function drawAdjustments() {
    const snapshot = newest;
    if (snapshot) morphHtml(adjusts, snapshot.scores.map((_, side) => adjustmentRow(snapshot, side, uncorrected[side] ?? 0, confirming)).join(""));
  }

  /** @param {boolean} isPressed */
  function setAbandonPressed(isPressed) {
    abandonButton.setAttribute("aria-pressed", String(isPressed));
    abandonButton.textContent = isPressed ? formatMessage("Tap again to abandon it") : formatMessage("Abandon this game");
  }

  return (snapshot) => {
    const hasMoved = newest?.moves !== snapshot.moves;
    if (hasMoved) setAbandonPressed(false), calls.hidden = true;
    if (!newest || (hasMoved && snapshot.last?.move.type !== "adjust")) uncorrected = snapshot.scores;
    newest = snapshot;
    if (hasMoved) confirming = "";
    drawAdjustments();
    abandonButton.hidden = findGame(snapshot).abandonMethod(snapshot) === null;
    judge.hidden = snapshot.game.options.policy !== "tournament" || !(snapshot.game.key in HAND_SIZES);
    misdeal.hidden = !findGame(snapshot).canCallMisdeal(snapshot);
  };
}

/**
 * Whether an adjustment would end the game.
 * @param {Api.Snapshot} snapshot
 * @param {number} side
 * @param {number} points
 */
export const endsGame = ({ game, scores, phase }, side, points) =>
  game.target !== null && phase !== "over" && points > 0 && scores[side] + points >= game.target;

/**
 * Whether the table would refuse an adjustment: a score below 0, or beyond the end of the game.
 * @param {Api.Snapshot} snapshot
 * @param {number} side
 * @param {number} points
 */
export const isRefused = ({ game, scores }, side, points) =>
  scores[side] + points < 0 || (points > 0 && game.target !== null && scores[side] >= game.target);

/**
 * Return the score of a side and its adjustment buttons.
 * @param {Api.Snapshot} snapshot
 * @param {number} side
 * @param {number} before the score before the latest corrections
 * @param {string} confirming
 */
function adjustmentRow(snapshot, side, before, confirming) {
  const name = sideName(snapshot, side);
  const score = snapshot.scores[side];
  const isConfirming = ADJUSTMENTS.some((points) => confirming === `${side} ${points}`);
  return `<div class="adjust" role="group" aria-label="${escapeHtml(formatMessage("{name}'s score", { name }))}"><span class="row-label">${escapeHtml(name)}
    <b data-corrected>${before === score ? score : formatMessage("{before} → {score}, saved", { before, score })}</b></span>${ADJUSTMENTS.map((points) =>
    adjustmentButton(name, side, points, isRefused(snapshot, side, points), confirming === `${side} ${points}`)).join("")}
    ${isConfirming ? `<p class="confirm-note" role="status">${formatMessage("This ends the game. Tap again to confirm.")}</p>` : ""}</div>`;
}

/**
 * Return one adjustment button.
 * @param {string} name
 * @param {number} side
 * @param {number} points
 * @param {boolean} isDisabled
 * @param {boolean} isPressed
 */
const adjustmentButton = (name, side, points, isDisabled, isPressed) =>
  `<button type="button" class="key" data-move="adjust" data-seat="${side}" data-points="${points}" aria-pressed="${isPressed}"
    aria-label="${escapeHtml(points < 0 ? formatMessage("{name} minus {n}", { name, n: -points }) : formatMessage("{name} plus {n}", { name, n: points }))}" ${isDisabled ? "disabled" : ""}>
    ${points < 0 ? "−" : "+"}${Math.abs(points)}</button>`;

/**
 * Abandon the game by ordinary moves, each of which can be undone: restore the opening scores, or end the game.
 * @param {Actions} actions
 * @param {Api.Snapshot} snapshot
 */
async function abandonGame({ makeMove }, snapshot) {
  const kind = findGame(snapshot).abandonMethod(snapshot);
  if (snapshot.phase === "over") return makeMove({ type: "next" });
  if (kind === "end") {
    const points = (snapshot.game.target ?? 0) - snapshot.scores[0];
    return (await makeMove({ type: "adjust", seat: 0, points })) && makeMove({ type: "next" });
  }
  /** @type {Api.Snapshot | null} */
  let now = snapshot;
  if (findGame(now).canCallMisdeal(now)) now = await makeMove({ type: "misdeal" });
  else if (now.phase === "between") now = await makeMove({ type: "next" });
  for (const [seat, score] of now?.scores.entries() ?? []) {
    const points = now ? findGame(now).openingScore(now, seat) - score : 0;
    if (points) await makeMove({ type: "adjust", seat, points });
  }
  return now;
}

/**
 * Show what can be called now. One tap calls it.
 * @param {HTMLElement} el
 * @param {Actions} actions
 */
async function showCalls(el, actions) {
  /** @type {{ rule: string, say: string, move: Api.Move }[]} */
  const calls = (await fetchApiOrNull("/api/judge"))?.calls ?? [];
  morphHtml(el, calls.length ? calls.map(callButton).join("") : `<p class="hint">${formatMessage("There is nothing to call now.")}</p>`);
  el.onclick = ({ target }) => {
    const call = calls[Number(/** @type {HTMLElement} */ (target).closest("button")?.dataset.call ?? -1)];
    if (call) actions.makeMove(call.move);
  };
  el.hidden = false;
}

/**
 * @param {{ rule: string, say: string }} call
 * @param {number} index
 */
const callButton = ({ rule, say }, index) =>
  `<button type="button" class="button" data-call="${index}">${escapeHtml(formatMessage("Rule {rule}: {say}", { rule, say }))}</button>`;
