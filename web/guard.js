// What a part of the page is; and that one part that fails stops no other.

/** @import { Acting } from "./actions.js" */
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
