// Playing cards as HTML: rank and suit, with a name for screen readers. Pure.

import { escapeHtml } from "../../core/dom.js";
import { allCards, cardName, rankLabel } from "../../core/format.js";
import { formatMessage } from "../../core/i18n.js";

/** @type {Record<string, string>} */
const SUIT_PATHS = {
  S: "M12 2C9 7 3 10 3 15a4.5 4.5 0 0 0 8 2.8C10.8 20 10 21.5 8.5 22h7c-1.5-.5-2.3-2-2.5-4.2A4.5 4.5 0 0 0 21 15c0-5-6-8-9-13Z",
  H: "M12 21.5C6 16.5 2.5 13 2.5 8.6A5.1 5.1 0 0 1 12 6a5.1 5.1 0 0 1 9.5 2.6c0 4.4-3.5 7.9-9.5 12.9Z",
  C: "M12 2a4.6 4.6 0 0 0-3.7 7.3A4.7 4.7 0 1 0 11 17.3C10.9 19.7 10 21.4 8.5 22h7c-1.5-.6-2.4-2.3-2.5-4.7a4.7 4.7 0 1 0 2.7-8A4.6 4.6 0 0 0 12 2Z",
  D: "M12 1.5 20 12l-8 10.5L4 12Z",
};

/** Return the content of a card button: the rank and the symbol of the suit. @param {string} card */
export const cardCorner = (card) => `<span class="rank">${rankLabel(card)}</span><svg class="suit" viewBox="0 0 24 24"
  aria-hidden="true"><path d="${SUIT_PATHS[card[1]] ?? ""}"/></svg>`;

/** @type {Record<string, string>} */
const SUIT_CLASSES = { S: "spades", H: "hearts", C: "clubs", D: "diamonds" };

/** Return the class of a card's colour; the sheet gives it one of two or four colours. @param {string} card */
export const suitClass = (card) => SUIT_CLASSES[card[1]] ?? "";

/** Return a card lying face up. @param {string} card */
export const cardFace = (card) =>
  `<span class="card ${suitClass(card)}" role="img" aria-label="${cardName(card)}">${cardCorner(card)}</span>`;

/** Return a card lying face up without a name of its own, for use inside a labelled element. @param {string} card */
export const unlabelledCardFace = (card) => `<span class="card ${suitClass(card)}" aria-hidden="true">${cardCorner(card)}</span>`;

/** Return a card lying face up as a button that opens its correction. @param {string} card */
export const correctableCardFace = (card) => `<button type="button" class="card-button" data-correct="${card}"
  aria-label="${formatMessage("Correct the {card}", { card: cardName(card) })}">${unlabelledCardFace(card)}</button>`;

/** Return an empty place for a card without a name of its own. */
export const unlabelledCardPlace = () => `<span class="card gap" aria-hidden="true"></span>`;

/**
 * Return the cards of a hand held as a fan, within reach of the thumb. A card that has gone ("") leaves its place empty.
 * @param {string[]} buttons
 */
export const cardFan = (buttons) => `<div class="fan">${buttons.map((each) => each || "<span></span>").join("")}</div>`;

/**
 * Return the cards to choose a discard from as a fan.
 * @param {string[]} cards
 * @param {string[]} selected
 */
export const discardFan = (cards, selected) => cardFan(cards.map((card) => `<button type="button" class="card-button" data-away="${card}" aria-pressed="${selected.includes(card)}"
  aria-label="${escapeHtml(formatMessage("Discard the {card}", { card: cardName(card) }))}">${unlabelledCardFace(card)}</button>`));

/** Return the button below that fan. @param {boolean} isComplete whether two cards are chosen */
export const discardButton = (isComplete) => `<button type="button" class="button main" data-lay ${isComplete ? "" : "disabled"}>${escapeHtml(isComplete ? formatMessage("Discard to crib") : formatMessage("Choose two cards"))}</button>`;

/**
 * @param {string} label
 * @param {string} cell of a grid: a place without one would be taken for its neighbour when a card is laid there
 */
export const emptyCardPlace = (label, cell = "") => `<span class="card gap" data-gap="${cell}" role="img" aria-label="${label}"></span>`;

/** Return the buttons of all cards, of which several may be chosen. @param {string[]} chosen */
export const cardsToChoose = (chosen) => allCards().map((card) => cardButton(card).replace("<button", `<button aria-pressed="${chosen.includes(card)}"`)).join("");

/**
 * Return the button of a card.
 * @param {string} card
 * @param {boolean} isDisabled
 */
export const cardButton = (card, isDisabled = false) =>
  `<button type="button" class="key card-key ${suitClass(card)} ${isDisabled ? "spent" : ""}" data-card="${card}" aria-label="${cardName(card)}"
    ${isDisabled ? "disabled" : ""}>
    ${cardCorner(card)}</button>`;
