// The running count of the play, as large as the turn.

import { constants } from "../../core/constants.js";
import { setText } from "../../core/dom.js";

/**
 * The count, shown while cards are played. It is highlighted when not every card fits any more.
 * @type {import("../../core/component.js").Component}
 */
export function Count(el) {
  return ({ phase, starter, count = 0 }) => {
    el.hidden = phase !== "play" || !starter;
    el.dataset.count = String(count);
    el.classList.toggle("high", count > constants.count.any_fits);
    setText(el, el.dataset.count);
  };
}
