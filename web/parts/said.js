// The last move's points, as players say them, with the cards that made them.

import { face } from "../cards.js";
import { fill, safe } from "../html.js";
import { told } from "../saying.js";
import { cardName, seatName, sideOf } from "../words.js";

/** A line for each card or hand that earned something in the last move. */
export function Said(el) {
  return (snapshot) => fill(el, lines(snapshot).join(""));
}

function lines(snapshot) {
  const last = snapshot.last ?? {};
  const said = told(last.awards ?? []).map((group) => line(snapshot, group));
  for (const renege of last.reneges ?? []) {
    said.push(`<p class="said-line">${safe(seatName(snapshot, renege.seat))} said go at ${safe(renege.count)} and held
      the ${safe(cardName(renege.card))}.</p>`);
  }
  return said;
}

function line(snapshot, { seat, points, awards, say }) {
  const cards = [...new Set(awards.flatMap((award) => award.cards ?? []))];
  return `<div class="said-line"><span class="dot seat-${sideOf(snapshot, seat)}" aria-hidden="true"></span>
    <p><b>${safe(seatName(snapshot, seat))}:</b> ${safe(say)}.</p>
    <span class="small-cards">${cards.map((card) => face(card)).join("")}</span>
    <b class="gain">${points < 0 ? "−" : "+"}${Math.abs(points)}</b></div>`;
}
