// A hint for my hand, if the game allows hints. It is requested by a tap and shown on this phone alone.

import { fetchApiOrNull } from "../../core/api.js";
import { escapeHtml } from "../../core/dom.js";
import { cardName } from "../../core/format.js";
import { formatMessage } from "../../core/i18n.js";

/** @typedef {import("../../charts/odds-bars.js").RankedChoice} RankedChoice */

/** Number of choices shown. */
const MAX_CHOICES = 3;

/** Create the hint. `draw` is called when the answer arrives. @param {() => void} draw */
export function createHint(draw) {
  let lines = "";
  let requestedAt = "";

  /** @param {Api.Snapshot} snapshot */
  const momentOf = ({ run, moves }) => `${run} ${moves}`;

  return {
    /** @param {Api.Snapshot} snapshot */
    async requestHint(snapshot) {
      const [hint, bars] = await Promise.all([fetchApiOrNull("/api/hand/hint"), import("../../charts/odds-bars.js").catch(() => null)]);
      const ranked = /** @type {RankedChoice[]} */ (bars && hint?.ranked ? hint.ranked.slice(0, MAX_CHOICES) : []);
      lines = bars ? ranked.map((each) => choiceLine(each, bars)).join("") : "";
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
      const shown = requestedAt === momentOf(snapshot) ? lines : "";
      return `<div class="choices"><button type="button" class="button" data-hint>${escapeHtml(formatMessage("Hint"))}</button></div><ol class="hints" role="status">${shown}</ol>`;
    },
  };
}

/**
 * @param {RankedChoice} ranked
 * @param {typeof import("../../charts/odds-bars.js")} bars
 */
const choiceLine = (ranked, { choiceCards, choiceWorth }) =>
  `<li>${escapeHtml(`${choiceCards(ranked).map(cardName).join(", ") || formatMessage("Go")}: ${choiceWorth(ranked)}`)}</li>`;
