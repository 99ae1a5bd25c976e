// The link to the review of the game: at its end, or at any time if the game allows hints.

import { morphHtml } from "../core/dom.js";
import { formatMessage } from "../core/i18n.js";

const REVIEWABLE = ["six-card", "five-card"];

/** @type {import("../core/component.js").Component} */
export function ReviewLink(el) {
  return ({ game, phase }) => {
    const isReviewable = REVIEWABLE.includes(game.key) && game.seats === 2;
    const isOpen = isReviewable && (phase === "over" || game.options.hints === "on");
    morphHtml(el, isOpen ? `<a class="button" href="/review">${formatMessage("Review this game")}</a>` : "");
  };
}
