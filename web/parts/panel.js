// The game's own panel: mounted when the game is known, and again for another game.

import { gameOf } from "../games/index.js";

/** Hands the snapshots on to the panel of their game. */
export function Panel(el, context) {
  let key = null;
  let draw = null;
  return (snapshot) => {
    if (key !== snapshot.game.key) {
      key = snapshot.game.key;
      const fresh = el.cloneNode(false); // leaves the last game's listeners behind
      el.replaceWith(fresh);
      el = fresh;
      draw = gameOf(snapshot).Panel(el, context);
    }
    draw(snapshot);
  };
}
