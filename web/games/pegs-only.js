// Pegs only: the players deal and count by themselves; here the points can be pegged without a board.

import { escapeHtml, morphHtml, onButtonClick } from "../core/dom.js";
import { sideName } from "../core/format.js";
import { formatMessage } from "../core/i18n.js";
import { points } from "./claims.js";
import { any, ending } from "./game.js";

/** @type {import("./game.js").Game} */
export const pegsOnly = {
  ...any,
  key: "pegs-only",
  turn: (snapshot) => (snapshot.phase === "over" ? ending(snapshot) : formatMessage("Peg what you have earned.")),
  Panel,
  seen: () => null,
};

/**
 * One pad of points a side, and one tap to peg.
 * @type {import("../core/component.js").Component}
 */
function Panel(el, { actions }) {
  onButtonClick(el, ({ seat, points }) => actions.makeMove({ type: "peg", seat: Number(seat), points: Number(points) }));
  return (snapshot) => {
    const pads = snapshot.scores.map((_, side) => pad(sideName(snapshot, side), side, snapshot.phase === "over"));
    morphHtml(el, `<h2 class="unseen">${formatMessage("Pegging by phone")}</h2><div class="pads players">${pads.join("")}</div>`);
  };
}

/**
 * @param {string} name
 * @param {number} side
 * @param {boolean} isOver
 */
const pad = (name, side, isOver) => `
  <fieldset class="points"><legend><span class="dot seat-${side}" aria-hidden="true"></span> ${escapeHtml(formatMessage("{name} pegs", { name }))}</legend>
    <div class="numbers">${points("", "peg").map((n) => key(name, side, n, isOver)).join("")}</div></fieldset>`;

/**
 * @param {string} name
 * @param {number} side
 * @param {number} n
 * @param {boolean} isOver
 */
const key = (name, side, n, isOver) =>
  `<button type="button" class="key" data-move="peg" data-seat="${side}" data-points="${n}" ${isOver ? "disabled" : ""}
    aria-label="${escapeHtml(formatMessage("{name} pegs {n}", { name, n }))}">${n}</button>`;
