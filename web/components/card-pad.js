// All 52 cards as buttons. A tap is what the same card scanned would be.

import { pressed } from "../core/dom.js";
import { cardName, deck } from "../core/format.js";
import { gameOf } from "../games/index.js";
import { onTyped } from "./card-keyboard.js";
import { colour, corner } from "./card.js";

/**
 * `tapped(card)` is called with "KS", also for a card that is typed: "ks". Cards already seen are only struck through: the reader would read them too, and
 * the table says why it refuses them. The buttons are written once, so that no tap is lost.
 * @param {HTMLElement} el
 * @param {(card: string) => unknown} tapped
 * @returns {import("../core/component.js").Draw}
 */
export function Deck(el, tapped) {
  el.innerHTML = deck().map((card) => key(card)).join("");
  const buttons = [...el.querySelectorAll("button")];
  pressed(el, ({ card }) => card && tapped(card));
  onTyped((card) => !el.classList.contains("idle") && tapped(card));
  return (snapshot) => {
    const seen = gameOf(snapshot).seen(snapshot);
    el.classList.toggle("idle", seen === null);
    for (const button of buttons) button.classList.toggle("spent", seen?.has(button.dataset.card) ?? false);
  };
}

/**
 * @param {string} card
 * @param {boolean} isOut
 */
export const key = (card, isOut = false) =>
  `<button type="button" class="key card-key ${colour(card)} ${isOut ? "spent" : ""}" data-card="${card}" aria-label="${cardName(card)}"
    ${isOut ? "disabled" : ""}>
    ${corner(card)}</button>`;
