// The head of the page: the scores, whose turn it is, and the count.

import { constants } from "../../core/constants.js";
import { escapeHtml, findElement, morphHtml, setText } from "../../core/dom.js";
import { sideNames, sideOf } from "../../core/format.js";
import { formatMessage } from "../../core/i18n.js";
import { SEAT } from "../../core/preferences.js";
import { deferDuringRoll } from "../../games/dice-animation.js";
import { findGame } from "../../games/index.js";
import { ownTurnSentence } from "../cards/my-hand.js";

/**
 * A plate for each side in the colour of its pegs. While dice roll, the scores stay as they were.
 * @type {import("../../core/component.js").Component}
 */
export function Scores(el) {
  let shownNames = "";
  return deferDuringRoll((snapshot) => {
    const names = snapshot.scores.map((_, side) => sideNames(snapshot, side));
    if (shownNames !== names.join()) {
      shownNames = names.join();
      el.innerHTML = names.map(scorePlate).join("");
    }
    names.forEach((_, side) => updatePlate(findElement(el, `[data-side="${side}"]`), side, snapshot));
  });
}

/**
 * @param {string} name
 * @param {number} side
 */
const scorePlate = (name, side) => `
  <div class="plate seat-${side} ${name.includes(" & ") ? "pair" : ""}" data-side="${side}" role="group" aria-label="${escapeHtml(name)}">
    <div class="face"><span class="name">${escapeHtml(name)}</span>
      <span class="score" data-score></span>
      <span class="marks"></span>
      <progress class="way" aria-label="${escapeHtml(formatMessage("{name}'s progress", { name }))}"></progress></div>
  </div>`;

/**
 * Update a plate.
 * @param {HTMLElement} el
 * @param {number} side
 * @param {Api.Snapshot} snapshot
 */
function updatePlate(el, side, snapshot) {
  setText(findElement(el, "[data-score]"), String(snapshot.scores[side]));
  morphHtml(findElement(el, ".marks"), sideMarks(snapshot, side, SEAT).map((each) => `<span>${escapeHtml(each)}</span>`).join(" "));
  const progress = findGame(snapshot).progress(snapshot, side);
  const way = findElement(el, "progress");
  way.hidden = !progress;
  if (progress) way.max = progress.max, (way.value = Math.max(0, Math.min(progress.max, progress.value)));
  el.classList.toggle("turns", sideOf(snapshot, snapshot.turn) === side);
  el.classList.toggle("out", snapshot.alive?.includes(side) === false);
  el.classList.toggle("won", snapshot.winner === side);
}

/**
 * Return the marks below the name of a side; `own` is the seat that this page is turned to, or null.
 * @param {Api.Snapshot} snapshot
 * @param {number} side
 * @param {number | null} own
 */
export function sideMarks(snapshot, side, own) {
  const marks = [];
  if (own !== null && sideOf(snapshot, own) === side) marks.push(formatMessage("you"));
  if (snapshot.winner !== null || snapshot.phase === "over") return marks; // the sentence below names the winner
  if (sideOf(snapshot, snapshot.dealer) === side) marks.push(formatMessage(findGame(snapshot).dealerMark));
  const lead = findGame(snapshot).isRace && snapshot.scores.length === 2 && !snapshot.alive ? snapshot.scores[side] - snapshot.scores[1 - side] : 0;
  if (lead > 0) marks.push(formatMessage("{n} ahead", { n: lead }));
  return [...marks, findGame(snapshot).sideMark(snapshot, side)].filter(Boolean);
}

/** Letters that fit two lines of a phone in the large size. */
const MAX_LARGE = 46;

/** The sentence, with the seat as an attribute. @type {import("../../core/component.js").Component} */
export function TurnSentence(el) {
  const drawSentence = deferDuringRoll((snapshot) => {
    setText(el, ownTurnSentence(snapshot) || findGame(snapshot).turnSentence(snapshot));
    el.classList.toggle("long", (el.textContent ?? "").length > MAX_LARGE);
  }, () => setText(el, formatMessage("The dice roll.")));
  return (snapshot) => {
    const seat = snapshot.turn ?? null;
    el.dataset.turn = seat === null ? "" : String(seat);
    el.classList.toggle("mine", seat !== null && seat === SEAT);
    drawSentence(snapshot);
  };
}

/**
 * The count, shown while cards are played. It is highlighted when not every card fits any more.
 * @type {import("../../core/component.js").Component}
 */
export function Count(el) {
  return ({ phase, starter, count = 0 }) => {
    el.hidden = phase !== "play" || !starter;
    el.dataset.count = String(count);
    el.classList.toggle("high", count > constants.count.any_fits);
    setText(el, el.dataset.count);
  };
}
