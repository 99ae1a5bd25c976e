// A hint for my hand, if the game allows hints. It is requested by a tap and shown on this phone alone.

import { choiceCards, formatPercent } from "../charts/odds-bars.js";
import { fetchApiOrNull } from "../core/api.js";
import { escapeHtml } from "../core/dom.js";
import { cardName } from "../core/format.js";
import { formatMessage } from "../core/i18n.js";

/** Number of choices shown. */
const MAX_CHOICES = 3;

/**
 * Create the hint. `draw` is called when the answer arrives.
 * @param {() => void} draw
 */
export function createHint(draw) {
  /** @type {{ ranked: import("../charts/odds-bars.js").RankedChoice[] } | null} */
  let hint = null;
  let requestedAt = "";

  /** @param {Api.Snapshot} snapshot */
  const momentOf = ({ run, moves }) => `${run} ${moves}`;

  return {
    /**
     * Request a hint.
     * @param {Api.Snapshot} snapshot
     */
    async requestHint(snapshot) {
      hint = await fetchApiOrNull("/api/hand/hint");
      requestedAt = momentOf(snapshot);
      draw();
    },
    /**
     * Return the HTML of the button and the hint, "" if the game allows no hints or no hand is entered.
     * @param {Api.Snapshot} snapshot
     * @param {string[]} cards
     */
    render(snapshot, cards) {
      if (snapshot.game.options.hints !== "on" || !cards.length) return "";
      const lines = hint && requestedAt === momentOf(snapshot) ? hint.ranked.slice(0, MAX_CHOICES).map(choiceLine).join("") : "";
      return `<div class="choices"><button type="button" class="button" data-hint>${escapeHtml(formatMessage("Hint"))}</button></div><ol class="hints" role="status">${lines}</ol>`;
    },
  };
}

/** @param {import("../charts/odds-bars.js").RankedChoice} ranked */
const choiceLine = (ranked) => `<li>${escapeHtml(`${choiceCards(ranked).map(cardName).join(", ") || formatMessage("Go")}: ${formatPercent(ranked.win)}`)}</li>`;
