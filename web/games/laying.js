// Sackson swap with a start of one's own: 25 markers named row by row, or shuffled here until they please.

import { fill } from "../html.js";
import { COLOURS, marker } from "./markers.js";

const EACH = 5;

/** Shown while the markers are to be laid; the table refuses a start that is none. */
export function Laying(el, { actions }) {
  let laid = [];
  el.addEventListener("click", (event) => {
    const { colour, lay } = event.target.closest("button")?.dataset ?? {};
    if (colour) laid = [...laid, colour];
    if (lay === "back") laid = laid.slice(0, -1);
    if (lay === "shuffle") laid = shuffled();
    if (lay === "lay") actions.move({ type: "lay", colours: laid });
    draw();
  });

  function draw() {
    const cells = Array.from({ length: EACH * EACH }, (_, i) => `<span class="cell">${marker(laid[i])}</span>`);
    const full = laid.length === EACH * EACH;
    const key = (colour) => `<button type="button" class="chip-key" data-colour="${colour}" aria-label="a ${colour} marker"
      ${full || laid.filter((each) => each === colour).length === EACH ? "disabled" : ""}>${marker(colour, "round")}</button>`;
    fill(el, `<div class="display" role="img" aria-label="${laid.length} of 25 markers laid">${cells.join("")}</div>
      <div class="players laying"><div class="chips">${COLOURS.map(key).join("")}</div>
      <div class="choices"><button type="button" class="button" data-lay="back" ${laid.length ? "" : "disabled"}>Back</button>
        <button type="button" class="button" data-lay="shuffle">Shuffle them</button>
        <button type="button" class="button" data-lay="lay" data-move="lay" ${full ? "" : "disabled"}>Play so</button></div></div>`);
  }

  return ({ phase }) => {
    if (phase === "lay") return draw();
    laid = [];
    fill(el, "");
  };
}

function shuffled() {
  const all = COLOURS.flatMap((colour) => Array(EACH).fill(colour));
  for (let i = all.length - 1; i > 0; i -= 1) {
    const j = Math.floor(Math.random() * (i + 1));
    [all[i], all[j]] = [all[j], all[i]];
  }
  return all;
}
