// Cribbage shuffle: the swap that helps most, and the best layout, for who asks.

import { cardFace } from "../components/card.js";
import { escapeHtml, morphHtml, onButtonClick } from "../core/dom.js";
import { formatMessage } from "../core/i18n.js";

/** @import { Actions } from "../core/api.js" */
/** @typedef {Api.Answers["/api/hint"] | Api.Answers["/api/best"]} Hint */

/**
 * `mark(cells)` is called with the two cells to swap, or none. An answer holds for the layout it was asked for.
 * @param {HTMLElement} el
 * @param {Actions} actions
 * @param {(cells: string[]) => void} mark
 * @returns {import("../core/component.js").DrawSnapshot}
 */
export function Hints(el, actions, mark) {
  /** @type {Api.Snapshot | null} */
  let newest = null;
  /** @type {Hint | null} */
  let told = null;
  onButtonClick(el, ({ ask, move }) => {
    if (ask === "hint" || ask === "best") asked(ask);
    if (move === "swap") step();
  });

  /** @param {"hint" | "best"} what */
  async function asked(what) {
    draw(null, formatMessage("One moment …"));
    const answer = await actions.fetchLayoutAdvice(what);
    draw(answer?.moves === newest?.moves ? answer : null);
  }

  /** One swap on the way; to the best layout the way is then told anew. */
  async function step() {
    const swap = first(told);
    const wasBest = isLayout(told);
    if (swap && (await actions.makeMove(swap)) && wasBest) asked("best");
  }

  /**
   * @param {Hint | null} answer
   * @param {string} words
   */
  function draw(answer, words = answer?.say ?? "") {
    told = answer;
    const swap = first(told);
    mark(swap ? [String(swap.a), String(swap.b)] : []);
    const label = isLayout(told) ? formatMessage("Make the first swap") : formatMessage("Swap them");
    const button = swap ? `<button type="button" class="button" data-move="swap">${label}</button>` : "";
    morphHtml(el, newest?.phase !== "swap" ? "" : `<div class="hints players">
      <div class="choices"><button type="button" class="button" data-ask="hint">${formatMessage("Hint")}</button>
        <button type="button" class="button" data-ask="best">${formatMessage("Best layout")}</button>${button}</div>
      <p role="status">${escapeHtml(words)}</p>${isLayout(told) ? layout(told) : ""}</div>`);
  }

  return (snapshot) => {
    const isSame = newest?.moves === snapshot.moves && newest.run === snapshot.run;
    newest = snapshot;
    draw(isSame ? told : null);
  };
}

/**
 * Whether that is the best layout, and not only a swap.
 * @param {Hint | null} told
 * @returns {told is Api.Answers["/api/best"]}
 */
const isLayout = (told) => told !== null && "grid" in told;

/** @param {Hint | null} told */
const first = (told) => (isLayout(told) ? told.swaps[0] : told?.swap) ?? null;

/** @param {Api.Answers["/api/best"]} best */
const layout = ({ grid, rows, columns, total }) => `<div class="best" role="group" aria-label="${formatMessage("The best layout")}">
  ${grid.map((cards, r) => cards.map(cardFace).join("") + worth(rows[r])).join("")}
  ${columns.map(worth).join("")}<b class="worth">${escapeHtml(total)}</b></div>`;

/** @param {number} points */
const worth = (points) => `<span class="worth">${escapeHtml(points)}</span>`;
