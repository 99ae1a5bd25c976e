// The moves one makes all the time, under the thumb: undo, go, next, and the cards.

import { say } from "../html.js";
import { gameOf } from "../games/index.js";
import { Held } from "../tumble.js";
import { seatName } from "../words.js";

/** A bar of buttons, written once; those that mean nothing now are not shown. `pad` is what the cards button opens. */
export function Bar(el, { actions, pad = null }) {
  el.innerHTML = `
    <button type="button" class="button" data-move="undo">Undo</button>
    <button type="button" class="button" data-move="go" hidden></button>
    <button type="button" class="button" data-move="next" hidden></button>
    <button type="button" class="button" data-open="cards" aria-expanded="false" aria-controls="pad" hidden>Cards</button>`;
  const button = (name) => el.querySelector(`[data-move=${name}]`);
  const open = el.querySelector("[data-open]");

  button("undo").addEventListener("click", () => actions.move({ type: "undo" }));
  button("next").addEventListener("click", () => actions.move({ type: "next" }));
  button("go").addEventListener("click", () => actions.move({ type: "go", seat: Number(button("go").dataset.seat) }));
  open.addEventListener("click", () => unfold(!pad.classList.contains("open")));

  function unfold(opens) {
    pad.classList.toggle("open", opens);
    open.setAttribute("aria-expanded", String(opens));
    if (opens) pad.scrollIntoView({ block: "end" });
  }

  return Held((snapshot) => {
    const game = gameOf(snapshot);
    const goes = game.goes(snapshot);
    button("go").hidden = goes === null;
    if (goes !== null) {
      button("go").dataset.seat = String(goes);
      say(button("go"), `${seatName(snapshot, goes)}: go`);
    }
    const next = game.next(snapshot);
    button("next").hidden = next === null;
    if (next) say(button("next"), next);
    open.hidden = !pad || game.seen(snapshot) === null;
  });
}
