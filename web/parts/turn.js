// Whose turn it is, in one sentence; the game's own module words it.

import { say } from "../html.js";
import { SEAT } from "../seat.js";
import { gameOf } from "../games/index.js";

/** The sentence, and the seat as an attribute. */
export function Turn(el) {
  return (snapshot) => {
    const seat = snapshot.turn ?? null;
    el.dataset.turn = seat === null ? "" : String(seat);
    el.classList.toggle("mine", seat !== null && seat === SEAT);
    say(el, gameOf(snapshot).turn(snapshot));
  };
}
