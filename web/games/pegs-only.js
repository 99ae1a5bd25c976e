// Pegs only: the players deal and count by themselves; here the points can be pegged without a board.

import { safe } from "../html.js";
import { sideName } from "../words.js";
import { any, ending } from "./any.js";

const NEVER = [19, 25, 26, 27];
const POINTS = Array.from({ length: 29 }, (_, i) => i + 1).filter((points) => !NEVER.includes(points));

export const pegsOnly = {
  ...any,
  key: "pegs-only",
  turn: (snapshot) => (snapshot.phase === "over" ? ending(snapshot) : "Peg what you have earned."),
  Panel,
  seen: () => null,
};

/** One pad of points a side, and one tap to peg. */
function Panel(el, { actions }) {
  let shown = "";
  el.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-move=peg]");
    if (button) actions.move({ type: "peg", seat: Number(button.dataset.seat), points: Number(button.dataset.points) });
  });
  return (snapshot) => {
    const names = snapshot.scores.map((_, side) => sideName(snapshot, side));
    if (shown !== names.join()) {
      shown = names.join();
      el.innerHTML = `<h2 class="unseen">Pegging by phone</h2><div class="pads players">${names.map(pad).join("")}</div>`;
    }
    el.querySelectorAll("button").forEach((button) => (button.disabled = snapshot.phase === "over"));
  };
}

const pad = (name, side) => `
  <fieldset class="points"><legend><span class="dot seat-${side}" aria-hidden="true"></span> ${safe(name)} pegs</legend>
    <div class="numbers">${POINTS.map((points) => key(name, side, points)).join("")}</div></fieldset>`;

const key = (name, side, points) =>
  `<button type="button" class="key" data-move="peg" data-seat="${side}" data-points="${points}"
    aria-label="${safe(name)} pegs ${points}">${points}</button>`;
