// The scores, big enough to be read across the table.

import { gameOf } from "../games/index.js";
import { fill, safe, say } from "../html.js";
import { SEAT } from "../seat.js";
import { Held } from "../tumble.js";
import { sideName, sideOf } from "../words.js";

/** One plate a side, in the colour of its pegs. A run is no point before the dice have stopped. */
export function Scores(el) {
  let shown = "";
  return Held((snapshot) => {
    const names = snapshot.scores.map((_, side) => sideName(snapshot, side));
    if (shown !== names.join()) {
      shown = names.join();
      el.innerHTML = names.map(plate).join("");
    }
    el.querySelectorAll("[data-side]").forEach((each, side) => draw(each, side, snapshot));
  });
}

const plate = (name, side) => `
  <div class="plate seat-${side}" data-side="${side}" role="group" aria-label="${safe(name)}">
    <div class="face"><span class="name">${safe(name)}</span>
      <span class="score" data-score></span>
      <span class="marks"></span>
      <progress class="way" aria-label="${safe(name)}, on the way to the game hole"></progress></div>
  </div>`;

function draw(el, side, snapshot) {
  const turns = snapshot.turn !== null && snapshot.turn !== undefined && sideOf(snapshot, snapshot.turn) === side;
  const deals = snapshot.dealer !== null && snapshot.dealer !== undefined && sideOf(snapshot, snapshot.dealer) === side;
  say(el.querySelector("[data-score]"), String(snapshot.scores[side]));
  fill(el.querySelector(".marks"), marks(snapshot, side, deals).map((each) => `<span>${safe(each)}</span>`).join(" "));
  const far = gameOf(snapshot).way(snapshot, side);
  const way = el.querySelector(".way");
  way.hidden = !far;
  if (far) way.max = far.max, (way.value = Math.max(0, Math.min(far.max, far.value)));
  el.classList.toggle("turns", turns);
  el.classList.toggle("out", snapshot.alive?.includes(side) === false);
  el.classList.toggle("won", snapshot.winner === side);
}

function marks(snapshot, side, deals) {
  const said = [];
  if (SEAT !== null && sideOf(snapshot, SEAT) === side) said.push("you");
  if (snapshot.winner === side) said.push("wins");
  else if (deals && snapshot.phase !== "over") said.push(gameOf(snapshot).deals);
  return [...said, gameOf(snapshot).marks(snapshot, side)].filter(Boolean);
}
