// The game's own panel: mounted when the game is known, and again for another game.

import { gameOf } from "../games/index.js";
import { mounted } from "../guard.js";

/**
 * Hands the snapshots on to the panel of their game.
 * @type {import("../guard.js").Part}
 */
export function Panel(el, context) {
  let key = "";
  /** @type {import("../guard.js").Draw} */
  let draw = () => {};
  return (snapshot) => {
    if (key !== snapshot.game.key) {
      key = snapshot.game.key;
      const fresh = /** @type {HTMLElement} */ (el.cloneNode(false)); // leaves the last game's listeners behind
      el.replaceWith(fresh);
      el = fresh;
      draw = mounted(gameOf(snapshot).Panel, el, context);
    }
    draw(snapshot);
  };
}
