// The running count of the play, as large as the turn: the two are what everybody looks for.

import { say } from "../html.js";

/** Above this count a card in the hand may not fit, and go may be said. */
export const ANY_FITS = 21;

/** Shown in the play of cards; a game without a starter has none. */
export function Count(el) {
  return ({ phase, starter, count }) => {
    el.hidden = phase !== "play" || !starter;
    el.dataset.count = String(count ?? 0);
    el.classList.toggle("high", count > ANY_FITS);
    say(el, el.dataset.count);
  };
}
