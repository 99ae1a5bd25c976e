// The game's own panel: mounted when the game is known, and again for another game.

import { mounted } from "../core/component.js";
import { gameOf } from "../games/index.js";

/**
 * Hands the snapshots on to the panel of their game.
 * @type {import("../core/component.js").Part}
 */
export function Panel(el, context) {
  let key = "";
  /** @type {import("../core/component.js").Draw} */
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
