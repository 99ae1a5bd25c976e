// Hints for cribbage shuffle: the best single swap, and the best layout.

import { cardFace } from "../components/cards/card.js";
import { escapeHtml, morphHtml, onButtonClick } from "../core/dom.js";
import { formatMessage } from "../core/i18n.js";

/** @import { Actions } from "../core/api.js" */
/** @typedef {Api.Answers["/api/hint"] | Api.Answers["/api/best"]} Hint */

/**
 * The hints. `mark(cells)` is called with the two cells to swap, or none. A hint is valid for the layout it was requested for.
 * @param {HTMLElement} el
 * @param {Actions} actions
 * @param {(cells: string[]) => void} mark
 * @returns {import("../core/component.js").DrawSnapshot}
 */
export function createHints(el, actions, mark) {
  /** @type {Api.Snapshot | null} */
  let newest = null;
  /** @type {Hint | null} */
  let hint = null;
  let layout = ""; // the best one stays the best one of these cards, and in its place
  onButtonClick(el, ({ ask, move }) => {
    if (ask === "hint" || ask === "best") return requestHint(ask);
    return move === "swap" && makeSwap();
  });

  /** @param {"hint" | "best"} what */
  async function requestHint(what) {
    draw(null, formatMessage("One moment …"));
    const answer = await actions.fetchLayoutAdvice(what);
    draw(answer?.moves === newest?.moves ? answer : null);
  }

  /** Make the suggested swap; on the way to the best layout, request the next one. */
  async function makeSwap() {
    const swap = firstSwap(hint);
    const wasBest = isLayout(hint);
    if (swap && (await actions.makeMove(swap)) && wasBest) requestHint("best");
  }

  /**
   * @param {Hint | null} answer
   * @param {string} words
   */
  function draw(answer, words = answer?.say ?? "") {
    hint = answer;
    if (answer) layout = isLayout(answer) ? renderLayout(answer) : "";
    const swap = firstSwap(hint);
    mark(swap ? [String(swap.a), String(swap.b)] : []);
    const label = isLayout(hint) ? formatMessage("Make the first swap") : formatMessage("Swap them");
    const button = swap ? `<button type="button" class="button" data-move="swap">${label}</button>` : "";
    morphHtml(el, newest?.phase !== "swap" ? "" : `<div class="hints players">
      <div class="choices"><button type="button" class="button" data-ask="hint">${formatMessage("Hint")}</button>
        <button type="button" class="button" data-ask="best">${formatMessage("Best layout")}</button>${button}</div>
      <p role="status">${escapeHtml(words)}</p>${layout}</div>`);
  }

  return (snapshot) => {
    const isSame = newest?.moves === snapshot.moves && newest.run === snapshot.run;
    if (newest?.run !== snapshot.run || snapshot.phase !== "swap") layout = "";
    newest = snapshot;
    draw(isSame ? hint : null);
  };
}

/**
 * Whether a hint is the best layout and not a single swap.
 * @param {Hint | null} hint
 * @returns {hint is Api.Answers["/api/best"]}
 */
const isLayout = (hint) => hint !== null && "grid" in hint;

/** Return the first swap of a hint, or null. @param {Hint | null} hint */
const firstSwap = (hint) => (isLayout(hint) ? hint.swaps[0] : hint?.swap) ?? null;

/** @param {Api.Answers["/api/best"]} best */
const renderLayout = ({ grid, rows, columns, total }) => `<div class="best" role="group" aria-label="${formatMessage("The best layout")}">
  ${grid.map((cards, r) => cards.map(cardFace).join("") + lineValue(rows[r])).join("")}
  ${columns.map(lineValue).join("")}<b class="worth">${escapeHtml(total)}</b></div>`;

/** Return the value of a row or column. @param {number} points */
const lineValue = (points) => `<span class="worth">${escapeHtml(points)}</span>`;
