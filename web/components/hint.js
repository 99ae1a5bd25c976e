// A hint for one's own hand, where the table allows hints: asked for by a tap, and shown on this phone alone.

import { cardsOf, percent } from "../charts/odds-bars.js";
import { ask } from "../core/api.js";
import { safe } from "../core/dom.js";
import { cardName } from "../core/format.js";
import { say } from "../core/i18n.js";

/** So many choices are told. */
const BEST = 3;

/**
 * `draw()` is called when an answer came.
 * @param {() => void} draw
 */
export function Hinting(draw) {
  /** @type {{ ranked: import("../charts/odds-bars.js").Ranked[] } | null} */
  let hint = null;
  let at = "";

  /** @param {Api.Snapshot} snapshot */
  const now = ({ run, moves }) => `${run} ${moves}`;

  return {
    /** @param {Api.Snapshot} snapshot */
    async act(snapshot) {
      hint = await ask("/api/hand/hint");
      at = now(snapshot);
      draw();
    },
    /**
     * @param {Api.Snapshot} snapshot
     * @param {string[]} cards
     */
    html(snapshot, cards) {
      if (snapshot.game.options.hints !== "on" || !cards.length) return "";
      const told = hint && at === now(snapshot) ? hint.ranked.slice(0, BEST).map(line).join("") : "";
      return `<div class="choices"><button type="button" class="button" data-hint>${safe(say("Hint"))}</button></div><ol class="hints" role="status">${told}</ol>`;
    },
  };
}

/** @param {import("../charts/odds-bars.js").Ranked} ranked */
const line = (ranked) => `<li>${safe(`${cardsOf(ranked).map(cardName).join(", ") || say("Go")}: ${percent(ranked.win)}`)}</li>`;
