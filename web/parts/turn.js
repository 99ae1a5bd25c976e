// Whose turn it is, in one sentence; the game's own module words it.

import { say } from "../html.js";
import { SEAT } from "../screen.js";
import { gameOf } from "../games/index.js";
import { Held } from "../tumble.js";

/**
 * The sentence, and the seat as an attribute.
 * @type {import("../guard.js").Part}
 */
export function Turn(el) {
  const sentence = Held((snapshot) => say(el, gameOf(snapshot).turn(snapshot)), () => say(el, "The dice roll."));
  return (snapshot) => {
    const seat = snapshot.turn ?? null;
    el.dataset.turn = seat === null ? "" : String(seat);
    el.classList.toggle("mine", seat !== null && seat === SEAT);
    sentence(snapshot);
  };
}
