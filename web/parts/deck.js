// All 52 cards as buttons. A tap is what the same card scanned would be.

import { colour, corner } from "../cards.js";
import { gameOf } from "../games/index.js";
import { cardName, DECK } from "../words.js";

/**
 * `tapped(card)` is called with "KS". Cards already seen are only struck through: the reader would read them too, and
 * the table says why it refuses them. The buttons are written once, so that no tap is lost.
 */
export function Deck(el, { tapped }) {
  el.innerHTML = DECK.map(key).join("");
  const buttons = [...el.querySelectorAll("button")];
  el.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-card]");
    if (button) tapped(button.dataset.card);
  });
  return (snapshot) => {
    const seen = gameOf(snapshot).seen(snapshot);
    el.classList.toggle("idle", seen === null);
    for (const button of buttons) button.classList.toggle("spent", seen?.has(button.dataset.card) ?? false);
  };
}

const key = (card) =>
  `<button type="button" class="key card-key ${colour(card)}" data-card="${card}" aria-label="${cardName(card)}">
    ${corner(card)}</button>`;
