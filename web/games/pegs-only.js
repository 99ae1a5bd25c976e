// Score only: the players deal and count for themselves; without a sensing board they enter the points here.

import { claimablePoints } from "../core/constants.js";
import { escapeHtml, morphHtml, onButtonClick } from "../core/dom.js";
import { sideName } from "../core/format.js";
import { formatMessage } from "../core/i18n.js";
import { defaultGame, resultSentence } from "./game.js";
import { numberKeys, openMore } from "./number-keys.js";

/** @type {import("./game.js").Game} */
export const pegsOnly = {
  ...defaultGame,
  key: "pegs-only",
  turnSentence: (snapshot) => {
    if (snapshot.phase === "over") return resultSentence(snapshot);
    return keepsScore(snapshot) ? formatMessage("Tap your points.") : formatMessage("Peg what you have earned.");
  },
  Panel: PegPanel,
  seenCards: () => null,
};

/**
 * Whether all points are entered on this page, because the players use a board of their own: then the keys must never move.
 * @param {Api.Snapshot} snapshot
 */
export const keepsScore = ({ game }) => game.key === pegsOnly.key && game.pegs === "plain";

/** A pad of points for each side. One tap pegs. @type {import("../core/component.js").Component} */
function PegPanel(el, { actions }) {
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
