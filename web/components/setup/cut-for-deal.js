// The cut for the first deal: each player cuts a card, on the screen or from the players' own pack, and the lowest card deals.

import { constants } from "../../core/constants.js";
import { allCards } from "../../core/format.js";
import { escapeHtml } from "../../core/dom.js";
import { formatMessage, joinWithAnd } from "../../core/i18n.js";
import { cardFace } from "../cards/card.js";

/** The cards that were cut, by seat, "" for none yet, and the cards that are left. @typedef {{ cards: string[], pack: string[] }} Cut */

/** @param {string} card */
const rank = (card) => constants.ranks.findIndex(({ letter }) => letter === card[0]);

/** Return a cut that nobody has begun. @param {number} seats @returns {Cut} */
export const newCut = (seats) => ({ cards: Array.from({ length: seats }, () => ""), pack: shuffle(allCards()) });

/** @param {string[]} cards */
function shuffle(cards) {
  const keys = crypto.getRandomValues(new Uint32Array(cards.length));
  return cards.map((card, i) => ({ card, key: keys[i] })).sort((a, b) => a.key - b.key).map(({ card }) => card);
}

/** Return the seats with the lowest card, in order; nobody before all have cut. @param {Cut} cut */
export function lowestSeats({ cards }) {
  const lowest = Math.min(...cards.map(rank));
  return lowest < 0 ? [] : cards.flatMap((card, seat) => (rank(card) === lowest ? [seat] : []));
}

/** Return the seat that deals, or null before all have cut or after a tie. @param {Cut} cut */
export const dealerOf = (cut) => (lowestSeats(cut).length === 1 ? lowestSeats(cut)[0] : null);

/** Whether a seat has a card to cut: its first, or another one after a tie. @param {Cut} cut @param {number} seat */
const mayCut = (cut, seat) => !cut.cards[seat] || (dealerOf(cut) === null && lowestSeats(cut).includes(seat));

/**
 * Return the cut after seats have cut. The first card after a tie takes those of the tie away.
 * @param {Cut} cut
 * @param {number[]} seats
 */
export const cutCards = (cut, seats) => seats.reduce((now, seat) => {
  if (!mayCut(now, seat)) return now;
  const tied = dealerOf(now) === null ? lowestSeats(now) : [];
  const [next, ...pack] = now.pack;
  return { cards: now.cards.map((card, each) => (each === seat ? next : tied.includes(each) ? "" : card)), pack };
}, cut);

/**
 * Return the cards as buttons, and what they mean. The companion's card is cut with the first of the players.
 * @param {Cut} cut
 * @param {string[]} names
 * @param {number | undefined} companion
 */
export function cutForm(cut, names, companion) {
  const dealer = dealerOf(cut), tied = dealer === null ? lowestSeats(cut) : [];
  const places = cut.cards.map((card, seat) => `<button type="button" class="card-button" data-cuts="${seat}" ${seat !== companion && mayCut(cut, seat) ? "" : "disabled"}
    >${card ? cardFace(card) : `<span class="card back" role="img" aria-label="${escapeHtml(formatMessage("face-down card"))}"></span>`}<span class="cutter ${seat === dealer ? "deals" : ""}">${escapeHtml(names[seat])}</span></button>`);
  const text = dealer !== null ? formatMessage("{name} cut the lowest card and deals.", { name: names[dealer] })
    : tied.length ? formatMessage("{names} cut the same rank: cut again.", { names: joinWithAnd(tied.map((seat) => names[seat])) })
      : formatMessage("Each taps a card: the lowest deals.");
  return `<div class="cut">${places.join("")}</div><p role="status">${escapeHtml(text)}</p>${constants.reads_photos
    ? `<div class="choices"><button type="button" class="button" data-shows-cut>${escapeHtml(formatMessage("Show our own cut cards"))}</button></div>` : ""}`;
}
