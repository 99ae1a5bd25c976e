// Whose turn it is, in one sentence; the game's own module words it.

import { write } from "../html.js";
import { SEAT } from "../screen.js";
import { gameOf } from "../games/index.js";
import { Held } from "../tumble.js";
import { say } from "../say.js";

/**
 * The sentence, and the seat as an attribute.
 * @type {import("../guard.js").Part}
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
