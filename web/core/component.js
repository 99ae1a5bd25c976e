// What a part of the page is; and that one part that fails stops no other.

import { find } from "./dom.js";
import { say } from "./i18n.js";

/** @import { Acting } from "./api.js" */
/**
 * Draws a snapshot, as often as it is called. A game's own parts are given that game's snapshots only, with its fields.
 * @typedef {{ draw(snapshot: Api.Snapshot): unknown }["draw"]} Draw
 */
/**
 * What parts share: what a player does, and whether this page is a player's.
 * @typedef {{ actions: Acting, plays: () => boolean }} Context
 */
/**
 * Writes its HTML into its place once, and returns its draw.
 * @typedef {(el: HTMLElement, context: Context) => Draw} Part
 */

/**
 * The same function, but where it throws (or its promise is refused) the console is told, the same error once.
 * @template {unknown[]} Given
 * @template Answer
 * @param {(...given: Given) => Answer} act
 * @returns {(...given: Given) => Answer | undefined}
 */
export function guarded(act) {
  let told = "";
  /** @param {unknown} error */
  const tell = (error) => {
    if (String(error) !== told) console.error(error);
    told = String(error);
    return undefined;
  };
  return (...given) => {
    try {
      const done = act(...given);
      return done instanceof Promise ? /** @type {Answer} */ (done.catch(tell)) : done;
    } catch (error) {
      return tell(error);
    }
  };
}

/**
 * A part in its place: its draw, guarded, so that a failure leaves what was drawn before. One that cannot even be
 * mounted draws nothing.
 * @param {Part} Part
 * @param {HTMLElement} el
 * @param {Context} context
 * @returns {Draw}
 */
export const mounted = (Part, el, context) => guarded(guarded(Part)(el, context) ?? (() => {}));

// A part whose module comes when it is first wanted: with the first press of the button that opens it.

/**
 * Such a part. Its button works as ever; where the table cannot be reached, that is said, and the next press tries again.
 * @param {string} opener
 * @param {() => Promise<Part>} load
 * @returns {Part}
 */
export const Late = (opener, load) => (el, context) => {
  const button = find(document, opener);
  /** @type {Api.Snapshot | null} */
  let newest = null;
  /** @type {Draw | null} */
  let draw = null;
  let comes = false;

  async function come() {
    if (comes) return;
    comes = true;
    const Loaded = await load().catch(() => null);
    comes = false;
    if (!Loaded) return void context.actions.refused(say("The table could not be reached."));
    button.removeEventListener("click", come);
    draw = mounted(Loaded, el, context);
    if (newest) draw(newest);
    button.click(); // the part listens now
  }

  button.addEventListener("click", come);
  return (snapshot) => {
    newest = snapshot;
    draw?.(snapshot);
  };
};
