// The keys of points where the players count for themselves.

import { claimablePoints } from "../core/constants.js";
import { escapeHtml, morphHtml, onButtonClick } from "../core/dom.js";
import { sideName } from "../core/format.js";
import { formatMessage } from "../core/i18n.js";
import { numberKeys, openMore } from "./number-keys.js";

/** A pad of points for each side. One tap pegs. @type {import("../core/component.js").Component} */
export function PegPanel(el, { actions }) {
  /** @type {string[]} */
  let names = [];
  const peg = (/** @type {number} */ seat, /** @type {number} */ points) => actions.makeMove({ type: "peg", seat, points });
  onButtonClick(el, ({ seat, points, more }) => (more
    ? openMore(pegEntry(names[Number(seat)], Number(seat)), (sum) => peg(Number(seat), sum)) : peg(Number(seat), Number(points))));
  return (snapshot) => {
    names = snapshot.scores.map((_, side) => sideName(snapshot, side));
    const pads = names.map(pegPad);
    morphHtml(el, snapshot.phase === "over" ? "" : `<h2 class="unseen">${formatMessage("Pegging by phone")}</h2><div class="pads players">${pads.join("")}</div>`);
  };
}

/**
 * Return the pad of a side.
 * @param {string} name
 * @param {number} side
 */
const pegPad = (name, side) => `
  <fieldset class="points"><legend><span class="dot seat-${side}" aria-hidden="true"></span> ${escapeHtml(formatMessage("{name} pegs", { name }))}</legend>
    ${numberKeys(pegEntry(name, side), name)}</fieldset>`;

/**
 * Return what a side may peg.
 * @param {string} name
 * @param {number} side
 * @returns {import("./number-keys.js").Entry}
 */
const pegEntry = (name, side) => ({ move: "peg", seat: side, points: claimablePoints("", "peg"), label: (n) => formatMessage("{name} pegs {n}", { name, n }) });
