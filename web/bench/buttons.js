// The buttons of the board's edge: dice, undo, and a go for each seat.

import { fill, safe } from "../html.js";
import { seatName } from "../words.js";

/** A press is held and released by the simulated hardware itself. */
export function Buttons(el, { actions }) {
  el.addEventListener("click", (event) => {
    const name = event.target.closest("button")?.dataset.press;
    if (name) actions.bench("press", { button: name });
  });
  return (snapshot) => {
    const goes = snapshot.players.map(({ seat }) => knob(`go:${seat}`, `Go, ${seatName(snapshot, seat)}`, `seat-${seat}`));
    fill(el, [...goes, knob("undo", "Undo", ""), knob("dice", "Dice", "")].join(""));
  };
}

const knob = (name, label, look) =>
  `<button type="button" class="button knob" data-press="${name}"><span class="cap ${look}" aria-hidden="true"></span>
    ${safe(label)}</button>`;
