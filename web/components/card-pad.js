// All 52 cards as buttons. A tap enters a card like a scan of it.

import { onButtonClick } from "../core/dom.js";
import { allCards, cardName } from "../core/format.js";
import { findGame } from "../games/index.js";
import { onCardTyped } from "./card-keyboard.js";
import { cardCorner, suitClass } from "./card.js";

/**
 * The card pad. `onCard` is also called for a card typed on a keyboard. Cards already seen are struck through but stay
 * enabled, as a scan of them would be accepted too; the table explains its refusal. The buttons are written once, so that
 * no tap is lost.
 * @param {HTMLElement} el
 * @param {(card: string) => unknown} onCard
 * @returns {import("../core/component.js").DrawSnapshot}
 */
export function CardPad(el, onCard) {
  el.innerHTML = allCards().map((card) => cardButton(card)).join("");
  const buttons = [...el.querySelectorAll("button")];
  onButtonClick(el, ({ card }) => card && onCard(card));
  onCardTyped((card) => !el.classList.contains("idle") && onCard(card));
  return (snapshot) => {
    const seen = findGame(snapshot).seenCards(snapshot);
    el.classList.toggle("idle", seen === null);
    for (const button of buttons) button.classList.toggle("spent", seen?.has(button.dataset.card) ?? false);
  };
}

/**
 * Return the button of a card.
 * @param {string} card
 * @param {boolean} isDisabled
 */
export const cardButton = (card, isDisabled = false) =>
  `<button type="button" class="key card-key ${suitClass(card)} ${isDisabled ? "spent" : ""}" data-card="${card}" aria-label="${cardName(card)}"
    ${isDisabled ? "disabled" : ""}>
    ${cardCorner(card)}</button>`;
