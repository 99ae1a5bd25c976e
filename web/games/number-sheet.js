// The sheet of all points. A large number counts at once; small ones add up, as a count is spoken: fifteen two, fifteen four.

import { createDialog } from "../components/dialog.js";
import { escapeHtml, morphHtml, onButtonClick } from "../core/dom.js";
import { formatMessage } from "../core/i18n.js";

/**
 * Who enters points, and for which move; `label` returns what a number means, for screen readers and the button of a sum.
 * @typedef {{ move: string, seat: number, points: number[], label: (n: number) => string }} Entry
 */

/** @type {ReturnType<typeof createSheet> | null} */
let sheet = null;

/**
 * Open the sheet for somebody's points.
 * @param {Entry} entry
 * @param {(points: number) => unknown} send makes the move
 * @param {number} most the largest number that can be added up
 * @param {string} rest the keys of the larger ones
 */
export function openNumberSheet(entry, send, most, rest) {
  sheet ??= createSheet();
  sheet(entry, send, most, rest);
}

function createSheet() {
  const dialog = document.body.appendChild(document.createElement("dialog"));
  const { body, open, close } = createDialog(dialog, formatMessage("Points"));
  /** @type {Entry} */
  let entry;
  /** @type {(points: number) => unknown} */
  let send;
  let most = 0, rest = "";
  /** @type {number[]} */
  let scores = [];

  onButtonClick(body, async ({ plus, points }) => {
    if (plus) scores.push(Number(plus)), draw();
    else if (points) await send(Number(points)), close();
  });

  function draw() {
    const sum = scores.reduce((total, each) => total + each, 0), { move, seat, label } = entry;
    morphHtml(body, `<p>${formatMessage("Several scores of one count: tap one after the other.")}</p>
      <div class="numbers plus">${Array.from({ length: most }, (_, i) => `<button type="button" class="key" data-plus="${i + 1}" aria-label="${formatMessage("plus {n}", { n: i + 1 })}">+${i + 1}</button>`).join("")}</div>
      <p class="sum" role="status">${scores.length > 1 ? `${scores.join(" + ")} = ${sum}` : scores.join("")}</p>
      <button type="button" class="button main" data-move="${move}" data-seat="${seat}" data-points="${sum}" data-sum ${entry.points.includes(sum) && sum ? "" : "disabled"}>${escapeHtml(label(sum))}</button>
      <div class="numbers rest">${rest}</div>`);
  }

  return (/** @type {Entry} */ newEntry, /** @type {typeof send} */ newSend, /** @type {number} */ newMost, /** @type {string} */ newRest) => {
    [entry, send, most, rest, scores] = [newEntry, newSend, newMost, newRest, []];
    draw();
    open();
  };
}
