// The way from the end of a game to what was missed; while it is played only where the table allows hints.

import { fill } from "../core/dom.js";
import { say } from "../core/i18n.js";

const KNOWN = ["six-card", "five-card"];

/** @type {import("../core/component.js").Part} */
export function Review(el) {
  return ({ game, phase }) => {
    const isKnown = KNOWN.includes(game.key) && game.seats === 2;
    const isOpen = isKnown && (phase === "over" || game.options.hints === "on");
    fill(el, isOpen ? `<a class="button" href="/review">${say("What did we miss?")}</a>` : "");
  };
}
