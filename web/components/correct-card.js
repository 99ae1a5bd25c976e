// A card that was seen wrong is put right where it lies: tap it, and tap what it was. The deal is counted again.

import { fill, find, pressed } from "../core/dom.js";
import { cardName, deck } from "../core/format.js";
import { say } from "../core/i18n.js";
import { gameOf } from "../games/index.js";
import { key } from "./card-pad.js";
import { Sheet } from "./dialog.js";

/**
 * A dialogue with all cards, opened by a card that lies on the table.
 * @type {import("../core/component.js").Part}
 */
export function Correct(el, { actions }) {
  const { body, open, close, name } = Sheet(/** @type {HTMLDialogElement} */ (el), say("Which card was it?"));
  body.innerHTML = `<p class="sheet-error" role="alert"></p><p>${say("The deal is counted again with the card that you tap. Undo takes that back.")}</p>
    <div class="pad"></div>`;
  const [said, pad] = [".sheet-error", ".pad"].map((each) => find(body, each));
  /** @type {Api.Snapshot | null} */
  let newest = null;
  let card = "";

  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (!button?.dataset.correct || !newest) return;
    card = button.dataset.correct;
    said.textContent = "";
    name(say("The {card} was really …", { card: cardName(card) }));
    const seen = gameOf(newest).known(newest);
    fill(pad, deck().map((each) => key(each, seen.has(each))).join(""));
    open();
  });

  pressed(pad, async ({ card: to }) => {
    const refused = await actions.make({ type: "correct", card, to });
    said.textContent = refused ?? "";
    if (refused === null) close();
  });

  return (snapshot) => {
    newest = snapshot;
  };
}
