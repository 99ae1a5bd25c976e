// The last count in the words of the table, with the cards that scored.

import { escapeHtml, morphHtml } from "../core/dom.js";
import { sideOf } from "../core/format.js";
import { cardFace } from "./card.js";

/**
 * A line for each card or hand that scored. After an undo, what was undone and the count before it.
 * @type {import("../core/component.js").Component}
 */
export function LastCount(el) {
  return (snapshot) => {
    const { move, said, counts, reneges } = snapshot.last ?? { said: [], counts: [] };
    const plain = [...(move?.type === "undo" ? said : []), ...(reneges ? said.slice(-reneges.length) : [])];
    morphHtml(el, [...plain.map((each) => `<p class="count-line">${escapeHtml(each)}</p>`), ...counts.map((each) => countLine(snapshot, each))].join(""));
  };
}

/**
 * Return the line of a count.
 * @param {Api.Snapshot} snapshot
 * @param {Api.Count} count
 */
const countLine = (snapshot, { seat, points, cards, say }) =>
  `<div class="count-line"><span class="dot seat-${sideOf(snapshot, seat)}" aria-hidden="true"></span><p>${escapeHtml(say)}</p>
    <span class="small-cards">${cards.map(cardFace).join("")}</span>
    <b class="gain">${points < 0 ? "−" : "+"}${Math.abs(points)}</b></div>`;
