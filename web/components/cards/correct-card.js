// The dialog that corrects a misread card: tap the card, then the card it really was. The deal is counted again.

import { findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { allCards, cardName } from "../../core/format.js";
import { formatMessage } from "../../core/i18n.js";
import { findGame } from "../../games/index.js";
import { loadScan, scanButton } from "../camera/scan-button.js";
import { createDialog } from "../dialog.js";
import { cardButton } from "./card.js";

/** A dialog with all cards, opened by a tap on a card that lies on the table. @type {import("../../core/component.js").Component} */
export function CorrectCard(el, { actions }) {
  const { body, open, close, setTitle } = createDialog(/** @type {HTMLDialogElement} */ (el), formatMessage("Which card was it?"));
  body.innerHTML = `<p class="sheet-error" role="alert"></p><p>${formatMessage("Tap the card that it really was. The deal is counted again. You can undo this.")}</p>
    <div class="pad"></div>`;
  const [error, pad] = [".sheet-error", ".pad"].map((each) => findElement(body, each));
  /** @type {Api.Snapshot | null} */
  let newest = null;
  let card = "";

  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (!button?.dataset.correct || !newest) return;
    card = button.dataset.correct;
    error.textContent = "";
    setTitle(formatMessage("The {card} was really …", { card: cardName(card) }));
    const seen = findGame(newest).knownCards(newest);
    morphHtml(pad, allCards().map((each) => cardButton(each, seen.has(each))).join("") + scanButton());
    open();
  });

  onButtonClick(pad, async ({ card: to, scan }) => {
    if (scan !== undefined) return (await loadScan(actions))?.scanForCorrection(() => newest, correct);
    error.textContent = await correct(to) ?? "";
    return undefined;
  });

  /** @param {string | undefined} to */
  async function correct(to) {
    const message = await actions.tryMove({ type: "correct", card, to });
    if (message === null) close();
    return message;
  }

  return (snapshot) => {
    newest = snapshot;
  };
}
