// Playing cards, drawn: rank and suit, in two or four colours and with a name for those who hear the page. Pure.

import { cardName, rank } from "../core/format.js";
import { say } from "../core/i18n.js";

/** @type {Record<string, string>} */
const SUITS = {
  S: "M12 2C9 7 3 10 3 15a4.5 4.5 0 0 0 8 2.8C10.8 20 10 21.5 8.5 22h7c-1.5-.5-2.3-2-2.5-4.2A4.5 4.5 0 0 0 21 15c0-5-6-8-9-13Z",
  H: "M12 21.5C6 16.5 2.5 13 2.5 8.6A5.1 5.1 0 0 1 12 6a5.1 5.1 0 0 1 9.5 2.6c0 4.4-3.5 7.9-9.5 12.9Z",
  C: "M12 2a4.6 4.6 0 0 0-3.7 7.3A4.7 4.7 0 1 0 11 17.3C10.9 19.7 10 21.4 8.5 22h7c-1.5-.6-2.4-2.3-2.5-4.7a4.7 4.7 0 1 0 2.7-8A4.6 4.6 0 0 0 12 2Z",
  D: "M12 1.5 20 12l-8 10.5L4 12Z",
};

/**
 * What stands on a card button: its rank, and its suit's sign.
 * @param {string} card
 */
export const corner = (card) => `<span class="rank">${rank(card)}</span><svg class="suit" viewBox="0 0 24 24"
  aria-hidden="true"><path d="${SUITS[card[1]] ?? ""}"/></svg>`;

/** @type {Record<string, string>} */
const CLASSES = { S: "spades", H: "hearts", C: "clubs", D: "diamonds" };

/**
 * The class of a card's colour: of two colours, or of four where this phone was told so.
 * @param {string} card
 */
export const colour = (card) => CLASSES[card[1]] ?? "";

/**
 * A card lying face up.
 * @param {string} card
 */
export const face = (card) =>
  `<span class="card ${colour(card)}" role="img" aria-label="${cardName(card)}">${corner(card)}</span>`;

/**
 * A card's face for who sees it; its name is told by what it lies in.
 * @param {string} card
 */
export const faceUp = (card) => `<span class="card ${colour(card)}" aria-hidden="true">${corner(card)}</span>`;

/**
 * A card lying face up that can be put right by a tap.
 * @param {string} card
 */
export const faceToMend = (card) => `<button type="button" class="mend" data-correct="${card}"
  aria-label="${say("{card}: was it another?", { card: cardName(card) })}">${faceUp(card)}</button>`;

/**
 * A place where a card will lie.
 * @param {string} label
 */
export const gap = (label) => `<span class="card gap" role="img" aria-label="${label}"></span>`;
