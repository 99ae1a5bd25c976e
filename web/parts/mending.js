// What puts a table right that has gone wrong: adjust a score, call a misdeal, begin afresh.

import { gameOf } from "../games/index.js";
import { safe } from "../html.js";
import { sideName } from "../words.js";

const STEPS = [-5, -1, 1, 5];

/** A part that unfolds. Its own `undo` is the one in the bar. */
export function Mending(el, { actions }) {
  let newest = null;
  let shown = "";
  el.innerHTML = `<details><summary>Put something right</summary>
    <div class="adjusts"></div>
    <div class="choices"><button type="button" class="button" data-move="misdeal">Misdeal</button>
      <button type="button" class="button" data-afresh aria-pressed="false">Abandon this game</button></div></details>`;
  const afresh = el.querySelector("[data-afresh]");

  el.addEventListener("click", async (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.move === "misdeal") actions.move({ type: "misdeal" });
    if (button?.dataset.move === "adjust") {
      actions.move({ type: "adjust", seat: Number(button.dataset.seat), points: Number(button.dataset.points) });
    }
    if (button === afresh) {
      const sure = afresh.getAttribute("aria-pressed") === "true";
      press(!sure);
      if (sure) await abandon(actions, newest);
    }
  });

  function press(pressed) {
    afresh.setAttribute("aria-pressed", String(pressed));
    afresh.textContent = pressed ? "Tap again to abandon it" : "Abandon this game";
  }

  return (snapshot) => {
    if (newest?.moves !== snapshot.moves) press(false);
    newest = snapshot;
    const names = snapshot.scores.map((_, side) => sideName(snapshot, side));
    if (shown !== names.join()) {
      shown = names.join();
      el.querySelector(".adjusts").innerHTML = names.map(row).join("");
    }
    afresh.hidden = gameOf(snapshot).abandons(snapshot) === null;
    el.querySelector("[data-move=misdeal]").hidden = !gameOf(snapshot).voids(snapshot);
  };
}

const row = (name, side) => `<div class="adjust" role="group" aria-label="${safe(name)}'s score">
  <span class="whose">${safe(name)}</span>${STEPS.map((points) => step(name, side, points)).join("")}</div>`;

const step = (name, side, points) =>
  `<button type="button" class="key" data-move="adjust" data-seat="${side}" data-points="${points}"
    aria-label="${safe(name)} ${points < 0 ? "minus" : "plus"} ${Math.abs(points)}">
    ${points < 0 ? "−" : "+"}${Math.abs(points)}</button>`;

/** A game given up is moves like others, each of which undo takes back: the scores as they began, or a game's end. */
async function abandon({ move }, snapshot) {
  const way = gameOf(snapshot).abandons(snapshot);
  if (snapshot.phase === "over") return move({ type: "next" });
  if (way === "end") {
    const points = snapshot.game.target - snapshot.scores[0];
    return (await move({ type: "adjust", seat: 0, points })) && move({ type: "next" });
  }
  let now = snapshot;
  if (gameOf(now).voids(now)) now = await move({ type: "misdeal" });
  else if (now.phase === "between") now = await move({ type: "next" });
  for (const [seat, score] of now?.scores.entries() ?? []) {
    const points = gameOf(now).opening(now, seat) - score;
    if (points) await move({ type: "adjust", seat, points });
  }
}
