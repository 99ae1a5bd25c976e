// The link to the review during a game that allows hints. At the end of a game it stands in the card of its end.

import { morphHtml } from "../../core/dom.js";
import { formatMessage } from "../../core/i18n.js";
import { HAND_SIZES } from "../../games/hand-sizes.js";

/** Whether the coach can review this game. @param {Api.Snapshot} snapshot */
export const isReviewable = ({ game }) => game.key in HAND_SIZES && game.seats === 2;

/** @type {import("../../core/component.js").Component} */
export function ReviewLink(el) {
  return (snapshot) => {
    const isOpen = isReviewable(snapshot) && snapshot.phase !== "over" && snapshot.game.options.hints === "on";
    morphHtml(el, isOpen ? `<a class="button" href="/review">${formatMessage("Review this game")}</a>` : "");
  };
}
