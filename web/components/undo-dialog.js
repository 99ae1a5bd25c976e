// The dialog that undoes several moves: it lists the moves to be undone and asks for one more tap.

import { escapeHtml, findElement, morphHtml, onButtonClick } from "../core/dom.js";
import { formatMessage, formatPlural } from "../core/i18n.js";
import { createDialog } from "./dialog.js";

/** @import { Actions } from "../core/api.js" */

/**
 * Create the dialog. The returned function opens it for a line `n` of `moves`, which is the last one that stays.
 * @param {HTMLDialogElement} dialog
 * @param {Actions} actions
 * @param {() => Api.Snapshot | null} getSnapshot
 */
export function createUndoDialog(dialog, actions, getSnapshot) {
  const { body, open, close } = createDialog(dialog, formatMessage("Undo several moves"));
  let count = 0;
  onButtonClick(body, async (_, button) => {
    const snapshot = getSnapshot();
    if (!snapshot) return;
    button.disabled = true;
    const refusal = await undoMoves(actions, snapshot, count);
    button.disabled = false;
    if (refusal === null) close();
    else findElement(body, "[role=alert]").textContent = refusal;
  });

  return (/** @type {Api.Made[]} */ moves, /** @type {number} */ n) => {
    const target = moves.find((made) => made.n === n);
    const undone = moves.filter((made) => made.n > n).reverse();
    count = undone.length;
    if (!target || !count) return;
    morphHtml(body, `<p>${formatMessage("Back to:")} <b>${escapeHtml(target.say[0])}</b></p><p>${formatMessage("These moves are undone, newest first:")}</p>
      <ol class="undone-moves">${undone.map((made) => `<li>${escapeHtml(made.say[0])}</li>`).join("")}</ol><p class="sheet-error" role="alert"></p>
      <div class="sheet-end"><button type="button" class="button" data-back="${n}">${formatPlural("Undo {n} move", "Undo {n} moves", count)}</button></div>`);
    open();
  };
}

/**
 * Return the number of cards on the table that are not a move yet: an undo removes these first.
 * @param {Api.Snapshot} snapshot
 */
export const countPendingCards = ({ lying = [], phase, crib }) => lying.length + (phase === "crib" ? (crib ?? []).length : 0);

/**
 * Undo a number of moves one by one. Return null, or the reason why it stopped: a move of another phone in between
 * stops it.
 * @param {Actions} actions
 * @param {Api.Snapshot} snapshot
 * @param {number} count
 */
async function undoMoves(actions, snapshot, count) {
  let now = snapshot;
  for (let left = count + countPendingCards(snapshot); left > 0; left -= 1) {
    const hasPending = countPendingCards(now) > 0;
    const next = await actions.makeMove({ type: "undo" });
    if (!next) return formatMessage("Undo failed. Check the moves played.");
    if (next.moves !== now.moves + (hasPending ? 0 : 1)) return formatMessage("Somebody made a move meanwhile. Check the moves played.");
    now = next;
  }
  return null;
}
