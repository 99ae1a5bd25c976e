// The bar of the most frequent actions, within reach of the thumb: undo, go, next, and the card pad.

import { constants } from "../../core/constants.js";
import { findElement, onButtonClick, setText } from "../../core/dom.js";
import { seatName } from "../../core/format.js";
import { formatMessage } from "../../core/i18n.js";
import { deferDuringRoll } from "../../games/dice-animation.js";
import { findGame } from "../../games/index.js";
import { hasPossibleCard } from "../cards/card-pad.js";
import { isDiscardDue, myDiscard } from "../cards/discard.js";
import { hasPlayableCard, isDealtByCompanion, myHand } from "../cards/my-hand.js";

/**
 * The bar of buttons. Buttons without a meaning in this phase are hidden. One opens the card pad if the page has one.
 * @type {import("../../core/component.js").Component}
 */
export function ActionBar(el, { actions }) {
  const pad = document.getElementById("pad");
  el.innerHTML = `
    <button type="button" class="button" data-move="undo">${formatMessage("Undo")}</button>
    <button type="button" class="button" data-open="cards" aria-expanded="false" aria-controls="pad" hidden></button>
    <button type="button" class="button" data-away="" hidden></button>
    <button type="button" class="button" data-move="go" hidden></button>
    <button type="button" class="button" data-move="next" hidden></button>`;
  const [undo, go, next, open, discard] = ["[data-move=undo]", "[data-move=go]", "[data-move=next]", "[data-open]", "[data-away]"].map((each) => findElement(el, each));

  let isStarterDue = false, drawnPhase = "";

  onButtonClick(el, ({ move, seat, away }) => {
    if (away !== undefined) return myDiscard.send();
    if (move === "go") return actions.makeMove({ type: "go", seat: Number(seat) });
    if (move === "undo" || move === "next") return actions.makeMove({ type: move });
    if (pad) pad.classList.remove("paused"), setPadOpen(pad, !pad.classList.contains("open"));
    return undefined;
  });

  /**
   * Open or close the card pad.
   * @param {HTMLElement} pad
   * @param {boolean} isOpen
   */
  function setPadOpen(pad, isOpen) {
    pad.classList.toggle("open", isOpen);
    open.setAttribute("aria-expanded", String(isOpen));
    labelPad();
  }

  /**
   * Close an open card pad while the counts of a deal are read, or one's own cards are played, and open it again afterwards.
   * @param {HTMLElement} pad
   * @param {boolean} isPaused
   */
  function pausePad(pad, isPaused) {
    if (pad.classList.contains(isPaused ? "open" : "paused")) setPadOpen(pad, !isPaused), pad.classList.toggle("paused", isPaused);
  }

  function labelPad() {
    const isOpen = open.getAttribute("aria-expanded") === "true";
    setText(open, isOpen ? formatMessage("Close") : isStarterDue ? formatMessage("Enter the starter") : formatMessage("Cards"));
  }

  const drawBar = deferDuringRoll((snapshot) => {
    const game = findGame(snapshot);
    const goSeat = game.goSeat(snapshot);
    const isDealt = isDealtByCompanion(snapshot); // then a go is said without a tap
    const isRefused = goSeat === snapshot.game.against?.seat || (goSeat === myHand.seat && (isDealt || hasPlayableCard(snapshot, constants.count.most)));
    const goes = isRefused ? null : goSeat;
    discard.hidden = !isDiscardDue(snapshot, myHand.cards);
    const isChosen = myDiscard.isComplete(myHand.cards);
    discard.toggleAttribute("disabled", !isChosen);
    setText(discard, isChosen ? formatMessage("Discard to crib") : formatMessage("Choose two cards"));
    go.hidden = goes === null;
    if (goes !== null) {
      go.dataset.seat = String(goes);
      go.classList.toggle("secondary", goes !== myHand.seat && hasPossibleCard(snapshot));
      setText(go, goes === myHand.seat ? formatMessage("Go") : formatMessage("{name}: go", { name: seatName(snapshot, goes) }));
    }
    const nextLabel = game.nextLabel(snapshot);
    next.hidden = nextLabel === null;
    if (snapshot.phase !== "over" && !next.isConnected) el.append(next); // the card at the end of a game takes it away
    if (nextLabel) setText(next, nextLabel);
    isStarterDue = snapshot.phase === "cut" && !snapshot.game.against && discard.hidden;
    labelPad();
    open.classList.toggle("secondary", myHand.cards.length > 0);
    open.hidden = !pad || game.seenCards(snapshot) === null || isDealt;
    if (pad) pad.hidden = isDealt;
    if (pad && isDealt) setPadOpen(pad, false);
    if (pad && snapshot.phase !== drawnPhase) pausePad(pad, ["between", "over"].includes(snapshot.phase) || (snapshot.phase === "play" && myHand.cards.length > 0));
    drawnPhase = snapshot.phase;
  });
  return (snapshot) => {
    const hasHidden = snapshot.game.against && !isDealtByCompanion(snapshot); // face-down cards of the players' own pack
    undo.toggleAttribute("disabled", snapshot.moves === 0 && !snapshot.lying?.length && !snapshot.crib?.length && !hasHidden);
    return drawBar(snapshot);
  };
}
