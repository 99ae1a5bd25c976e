// Whose turn it is, in one sentence; the game's own module words it.

import { write } from "../core/dom.js";
import { say } from "../core/i18n.js";
import { SEAT } from "../core/preferences.js";
import { Held } from "../games/dice-animation.js";
import { gameOf } from "../games/index.js";

/**
 * The sentence, and the seat as an attribute.
 * @type {import("../core/component.js").Part}
 */
export function Turn(el) {
  const sentence = Held((snapshot) => write(el, gameOf(snapshot).turn(snapshot)), () => write(el, say("The dice roll.")));
  return (snapshot) => {
    const seat = snapshot.turn ?? null;
    el.dataset.turn = seat === null ? "" : String(seat);
    el.classList.toggle("mine", seat !== null && seat === SEAT);
    sentence(snapshot);
  };
}
