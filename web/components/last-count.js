// The last count as players say it, with the cards that made it. The words are the table's.

import { fill, safe } from "../core/dom.js";
import { sideOf } from "../core/format.js";
import { face } from "./card.js";

/**
 * A line for each card or hand that earned something; after an undo what was taken back, and the count before it.
 * @type {import("../core/component.js").Part}
 */
export function Said(el) {
  return (snapshot) => {
    const { move, said, counts, reneges } = snapshot.last ?? { said: [], counts: [] };
    const plain = [...(move?.type === "undo" ? said : []), ...(reneges ? said.slice(-reneges.length) : [])];
    fill(el, [...plain.map((each) => `<p class="said-line">${safe(each)}</p>`), ...counts.map((each) => line(snapshot, each))].join(""));
  };
}

/**
 * @param {Api.Snapshot} snapshot
 * @param {Api.Count} count
 */
const line = (snapshot, { seat, points, cards, say }) =>
  `<div class="said-line"><span class="dot seat-${sideOf(snapshot, seat)}" aria-hidden="true"></span><p>${safe(say)}</p>
    <span class="small-cards">${cards.map(face).join("")}</span>
    <b class="gain">${points < 0 ? "−" : "+"}${Math.abs(points)}</b></div>`;
