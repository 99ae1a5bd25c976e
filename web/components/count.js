// The running count of the play, as large as the turn: the two are what everybody looks for.

import { constants } from "../core/constants.js";
import { write } from "../core/dom.js";

/**
 * Shown in the play of cards; a game without a starter has none. It is marked where not every card fits any more.
 * @type {import("../core/component.js").Part}
 */
export function Count(el) {
  return ({ phase, starter, count = 0 }) => {
    el.hidden = phase !== "play" || !starter;
    el.dataset.count = String(count);
    el.classList.toggle("high", count > constants.count.any_fits);
    write(el, el.dataset.count);
  };
}
