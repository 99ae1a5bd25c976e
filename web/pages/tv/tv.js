// Entry of the TV page, which is read from a distance and has no controls.

import { Board } from "../../board/board.js";
import { cardFace } from "../../components/cards/card.js";
import { loadedWhen } from "../../core/component.js";
import { morphHtml } from "../../core/dom.js";
import { formatMessage } from "../../core/i18n.js";
import { deferDuringRoll } from "../../games/dice-animation.js";
import { openPage } from "../shell.js";

/** The starter, and the cards of the present count. @type {import("../../core/component.js").Component} */
function TableCards(el) {
  return deferDuringRoll(({ starter, series = [] }) => morphHtml(el, starter
    ? `<span class="series">${series.map(cardFace).join("")}</span><span class="slot">${cardFace(starter)}<small>${formatMessage("starter")}</small></span>` : ""));
}

const GameEnd = loadedWhen(({ phase }) => phase === "over", async () => (await import("../../components/history/game-end.js")).GameEnd);

openPage({ board: (el, context) => Board(el, context, { whole: true }), cards: TableCards, end: GameEnd });
