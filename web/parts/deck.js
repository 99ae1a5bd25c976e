// All 52 cards as buttons. A tap is what the same card scanned would be.

import { colour, corner } from "../cards.js";
import { gameOf } from "../games/index.js";
import { cardName, DECK } from "../words.js";

/**
 * `tapped(card)` is called with "KS". Cards already seen cannot be tapped, or with `all` are only dimmed: a reader
 * would read them too. The buttons are written once, so that no tap is lost.
 */
export function Deck(el, { tapped, all = false }) {
  el.innerHTML = DECK.map(key).join("");
  const buttons = [...el.querySelectorAll("button")];
  el.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-card]");
    if (button) tapped(button.dataset.card);
  });
  return (snapshot) => {
    const seen = gameOf(snapshot).seen(snapshot);
    for (const button of buttons) {
      const spent = seen === null || seen.has(button.dataset.card);
      button.disabled = spent && !all;
      button.classList.toggle("spent", spent);
    }
  };
}

const key = (card) =>
  `<button type="button" class="key card-key ${colour(card)}" data-card="${card}" aria-label="${cardName(card)}">
    ${corner(card)}</button>`;
