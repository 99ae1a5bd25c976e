// The panel of the current game. It is mounted again when the game changes.

import { mountComponent } from "../../core/component.js";
import { findGame } from "../../games/index.js";

/** Passes the snapshots on to the panel of their game. @type {import("../../core/component.js").Component} */
export function GamePanel(el, context) {
  /** @type {import("../../games/game.js").Game | null} */
  let mounted = null;
  /** @type {import("../../core/component.js").DrawSnapshot} */
  let draw = () => {};
  return (snapshot) => {
    const game = findGame(snapshot);
    if (mounted !== game) {
      mounted = game;
      const fresh = /** @type {HTMLElement} */ (el.cloneNode(false)); // drops the listeners of the previous game
      el.replaceWith(fresh);
      el = fresh;
      draw = mountComponent(game.Panel, el, context);
    }
    return draw(snapshot);
  };
}
