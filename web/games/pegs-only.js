// Score only: the players deal and count for themselves; without a sensing board they enter the points here.

import { deferredComponent } from "../core/component.js";
import { formatMessage } from "../core/i18n.js";
import { defaultGame, resultSentence } from "./game.js";

/** @type {import("./game.js").Game} */
export const pegsOnly = {
  ...defaultGame,
  key: "pegs-only",
  turnSentence: (snapshot) => {
    if (snapshot.phase === "over") return resultSentence(snapshot);
    return keepsScore(snapshot) ? formatMessage("Tap your points.") : formatMessage("Peg what you have earned.");
  },
  Panel: deferredComponent(async () => (await import("./peg-panel.js")).PegPanel),
  seenCards: () => null,
};

/**
 * Whether all points are entered on this page, because the players use a board of their own: then the keys must never move.
 * @param {Api.Snapshot} snapshot
 */
export const keepsScore = ({ game }) => game.key === pegsOnly.key && game.pegs === "plain";
