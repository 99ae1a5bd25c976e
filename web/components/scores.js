// The scores, big enough to be read across the table.

import { fill, find, safe, write } from "../core/dom.js";
import { sideName, sideOf } from "../core/format.js";
import { say } from "../core/i18n.js";
import { SEAT } from "../core/preferences.js";
import { Held } from "../games/dice-animation.js";
import { gameOf } from "../games/index.js";

/**
 * One plate a side, in the colour of its pegs. A run is no point before the dice have stopped.
 * @type {import("../core/component.js").Part}
 */
export function Scores(el) {
  let shown = "";
  return Held((snapshot) => {
    const names = snapshot.scores.map((_, side) => sideName(snapshot, side));
    if (shown !== names.join()) {
      shown = names.join();
      el.innerHTML = names.map(plate).join("");
    }
    names.forEach((_, side) => draw(find(el, `[data-side="${side}"]`), side, snapshot));
  });
}

/**
 * @param {string} name
 * @param {number} side
 */
const plate = (name, side) => `
  <div class="plate seat-${side}" data-side="${side}" role="group" aria-label="${safe(name)}">
    <div class="face"><span class="name">${safe(name)}</span>
      <span class="score" data-score></span>
      <span class="marks"></span>
      <progress class="way" aria-label="${safe(say("{name}, on the way to the game hole", { name }))}"></progress></div>
  </div>`;

/**
 * @param {HTMLElement} el
 * @param {number} side
 * @param {Api.Snapshot} snapshot
 */
function draw(el, side, snapshot) {
  write(find(el, "[data-score]"), String(snapshot.scores[side]));
  fill(find(el, ".marks"), marks(snapshot, side, SEAT).map((each) => `<span>${safe(each)}</span>`).join(" "));
  const far = gameOf(snapshot).way(snapshot, side);
  const way = find(el, "progress");
  way.hidden = !far;
  if (far) way.max = far.max, (way.value = Math.max(0, Math.min(far.max, far.value)));
  el.classList.toggle("turns", sideOf(snapshot, snapshot.turn) === side);
  el.classList.toggle("out", snapshot.alive?.includes(side) === false);
  el.classList.toggle("won", snapshot.winner === side);
}

/**
 * What stands under a side's name; `own` is the seat that this page is turned to, if any.
 * @param {Api.Snapshot} snapshot
 * @param {number} side
 * @param {number | null} own
 */
export function marks(snapshot, side, own) {
  const said = [];
  if (own !== null && sideOf(snapshot, own) === side) said.push(say("you"));
  if (snapshot.winner === side) said.push(say("wins"));
  else if (sideOf(snapshot, snapshot.dealer) === side && snapshot.phase !== "over") said.push(say(gameOf(snapshot).deals));
  return [...said, gameOf(snapshot).marks(snapshot, side)].filter(Boolean);
}
