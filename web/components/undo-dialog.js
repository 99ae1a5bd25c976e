// Going back in what was played: a line is tapped, what that undoes is shown first, and one more tap does it.

import { fill, find, pressed, safe } from "../core/dom.js";
import { say, sayMany } from "../core/i18n.js";
import { Sheet } from "./dialog.js";

/** @import { Acting } from "../core/api.js" */

/**
 * The sheet. `ask(moves, line)` shows what going back to that line of them undoes.
 * @param {HTMLDialogElement} dialog
 * @param {Acting} actions
 * @param {() => Api.Snapshot | null} newest
 */
export function Back(dialog, actions, newest) {
  const { body, open, close } = Sheet(dialog, say("Go back"));
  let count = 0;
  pressed(body, async (_, button) => {
    const snapshot = newest();
    if (!snapshot) return;
    button.disabled = true;
    const refused = await undone(actions, snapshot, count);
    button.disabled = false;
    if (refused === null) close();
    else find(body, "[role=alert]").textContent = refused;
  });

  return (/** @type {Api.Made[]} */ moves, /** @type {number} */ n) => {
    const kept = moves.find((made) => made.n === n);
    const lost = moves.filter((made) => made.n > n).reverse();
    count = lost.length;
    if (!kept || !count) return;
    fill(body, `<p>${say("Back to:")} <b>${safe(kept.say[0])}</b></p><p>${say("This takes back, the newest first:")}</p>
      <ol class="lost">${lost.map((made) => `<li>${safe(made.say[0])}</li>`).join("")}</ol><p class="sheet-error" role="alert"></p>
      <div class="sheet-end"><button type="button" class="button" data-back="${n}">${sayMany("Take back {n} move", "Take back {n} moves", count)}</button></div>`);
    open();
  };
}

/**
 * Cards that lie and are no move yet: an undo takes these first.
 * @param {Api.Snapshot} snapshot
 */
export const lyingOf = ({ lying = [], phase, crib }) => lying.length + (phase === "crib" ? (crib ?? []).length : 0);

/**
 * Undo so many moves, one by one; null when it is done, else why not. Another phone's move in between ends it.
 * @param {Acting} actions
 * @param {Api.Snapshot} snapshot
 * @param {number} count
 */
async function undone(actions, snapshot, count) {
  let now = snapshot;
  for (let left = count + lyingOf(snapshot); left > 0; left -= 1) {
    const lies = lyingOf(now) > 0;
    const next = await actions.move({ type: "undo" });
    if (!next) return say("That could not be taken back: look at what was played.");
    if (next.moves !== now.moves + (lies ? 0 : 1)) return say("Somebody moved meanwhile: look at what was played.");
    now = next;
  }
  return null;
}
