// Cribbage shuffle: the swap that helps most, and the best layout, for who asks.

import { face } from "../cards.js";
import { fill, safe } from "../html.js";

/** `mark(cells)` is called with the two cells to swap, or none. An answer holds for the layout it was asked for. */
export function Hints(el, { actions }, mark) {
  let newest = null;
  let told = null;
  el.addEventListener("click", (event) => {
    const { ask, move } = event.target.closest("button")?.dataset ?? {};
    if (ask) asked(ask);
    if (move === "swap") step();
  });

  async function asked(what) {
    draw({ say: "One moment …" });
    const answer = await actions.ask(what);
    draw(answer?.moves === newest.moves ? answer : null);
  }

  /** One swap on the way; to the best layout the way is then told anew. */
  async function step() {
    const wasBest = Boolean(told.grid);
    if ((await actions.move(first(told))) && wasBest) asked("best");
  }

  function draw(answer) {
    told = answer;
    const swap = told && first(told);
    mark(swap ? [String(swap.a), String(swap.b)] : []);
    const button = swap ? `<button type="button" class="button" data-move="swap">${told.grid ? "Make the first swap" : "Swap them"}</button>` : "";
    const best = told?.grid ? `<div class="best" role="group" aria-label="The best layout">${told.grid.map(row).join("")}
      ${told.columns.map(worth).join("")}<b class="worth">${safe(told.total)}</b></div>` : "";
    fill(el, newest.phase !== "swap" ? "" : `<div class="hints players">
      <div class="choices"><button type="button" class="button" data-ask="hint">Hint</button>
        <button type="button" class="button" data-ask="best">Best layout</button>${button}</div>
      <p role="status">${safe(told?.say ?? "")}</p>${best}</div>`);
  }

  const row = (cards, r) => cards.map((card) => face(card)).join("") + worth(told.rows[r]);

  return (snapshot) => {
    const same = newest?.moves === snapshot.moves && newest?.run === snapshot.run;
    newest = snapshot;
    draw(same ? told : null);
  };
}

const first = ({ swap, swaps }) => swap ?? swaps?.[0] ?? null;

const worth = (points) => `<span class="worth">${safe(points)}</span>`;
