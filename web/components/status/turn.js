// Whose turn it is, in one sentence. The module of the game supplies the sentence.

import { setText } from "../../core/dom.js";
import { formatMessage } from "../../core/i18n.js";
import { SEAT } from "../../core/preferences.js";
import { deferDuringRoll } from "../../games/dice-animation.js";
import { findGame } from "../../games/index.js";
import { ownTurnSentence } from "../cards/my-hand.js";

/** The sentence, with the seat as an attribute. @type {import("../../core/component.js").Component} */
export function TurnSentence(el) {
  const drawSentence = deferDuringRoll((snapshot) => setText(el, ownTurnSentence(snapshot) || findGame(snapshot).turnSentence(snapshot)), () => setText(el, formatMessage("The dice roll.")));
  return (snapshot) => {
    const seat = snapshot.turn ?? null;
    el.dataset.turn = seat === null ? "" : String(seat);
    el.classList.toggle("mine", seat !== null && seat === SEAT);
    drawSentence(snapshot);
  };
}
