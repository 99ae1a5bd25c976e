// The dialog that undoes several moves: it lists the moves to be undone and asks for one more tap.

import { escapeHtml, findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { formatMessage, formatPlural } from "../../core/i18n.js";
import { createDialog } from "../dialog.js";

/** @import { Actions } from "../../core/api.js" */

/**
 * Create the dialog. The returned function opens it for a line `n` of `moves`, which is the last one that stays.
 * @param {HTMLDialogElement} dialog
 * @param {Actions} actions
 * @param {() => Api.Snapshot | null} getSnapshot
 */
export function createUndoDialog(dialog, actions, getSnapshot) {
  const { body, open, close } = createDialog(dialog, formatMessage("Undo several moves"));
  let count = 0;
  onButtonClick(body, async () => {
    const snapshot = getSnapshot();
    if (!snapshot) return;
    const refusal = await undoMoves(actions, snapshot, count);
    if (refusal === null) close();
    else findElement(body, "[role=alert]").textContent = refusal;
  });

  return (/** @type {Api.Made[]} */ moves, /** @type {number} */ n) => {
    const last = startOfAnswers(moves, n, getSnapshot());
    const target = moves.find((made) => made.n === last);
    const undone = moves.filter((made) => made.n > last).reverse();
    count = undone.length;
    if (!target || !count) return;
    morphHtml(body, `<p>${formatMessage("Back to:")} <b>${escapeHtml(target.say[0])}</b></p><p>${formatMessage("These moves are undone, newest first:")}</p>
      <ol class="undone-moves">${undone.map((made) => `<li>${escapeHtml(made.say[0])}</li>`).join("")}</ol><p class="sheet-error" role="alert"></p>
      <div class="sheet-end"><button type="button" class="button" data-back="${n}">${formatPlural("Undo {n} move", "Undo {n} moves", count)}</button></div>`);
    open();
  };
}

/**
 * Return the last move that can stay: the companion would play its answers again, so they go with the move before them.
 * @param {Api.Made[]} moves
 * @param {number} n
 * @param {Api.Snapshot | null} snapshot
 */
function startOfAnswers(moves, n, snapshot) {
  const seat = snapshot?.game.against?.seat;
  const isAnswer = (/** @type {Api.Made} */ { move }) => seat !== undefined && (["hand", "crib", "go"].includes(move.type) || (move.type === "play" && move.seat === seat));
  let at = moves.findIndex((made) => made.n > n);
  while (at > 0 && isAnswer(moves[at])) at -= 1;
  return moves[at - 1]?.n ?? n;
}

/** Return the number of cards on the table that are not a move yet: an undo removes these first. @param {Api.Snapshot} snapshot */
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
  for (let left = count + countPendingCards(snapshot); left > 0;) {
    const hasPending = countPendingCards(now) > 0;
    const next = await actions.makeMove({ type: "undo" });
    if (!next) return formatMessage("Undo failed. Check the moves played.");
    const undone = hasPending ? 1 : next.moves - now.moves; // against the companion, its answers are undone as well
    if (hasPending ? next.moves !== now.moves : undone > left || (undone !== 1 && !now.game.against)) return formatMessage("Somebody made a move meanwhile. Check the moves played.");
    left -= undone;
    now = next;
  }
  return null;
}
