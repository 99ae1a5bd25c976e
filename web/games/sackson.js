// Sackson swap: whose turn it is. The panel is loaded with the first game.

import { deferredComponent } from "../core/component.js";
import { seatName } from "../core/format.js";
import { formatMessage, formatPlural } from "../core/i18n.js";
import { defaultGame, resultSentence } from "./game.js";
import { chipColours, heldChips } from "./sackson-view.js";

/** @typedef {Pick<Api.Snapshot, "display" | "bank" | "held" | "stones" | "double" | "turn">} ChipFields */
/** @typedef {Api.Snapshot & Required<ChipFields>} SacksonSnapshot */

/** @type {import("./game.js").Game} */
export const sackson = {
  ...defaultGame,
  key: "swap",
  isRace: false,
  abandonMethod: () => "end",
  turnSentence: (/** @type {SacksonSnapshot} */ snapshot) => (TURN_SENTENCES[snapshot.phase] ?? defaultGame.turnSentence)(snapshot),
  Panel: deferredComponent(async () => (await import("./sackson-panel.js")).SacksonPanel),
  seenCards: () => null,
};

/** @type {Record<string, (snapshot: SacksonSnapshot) => string>} */
const TURN_SENTENCES = {
  lay: () => formatMessage("Lay the tiles."),
  take: (snapshot) => formatPlural("{name} takes a chip.", "{name} takes two chips.", 2 - heldChips(snapshot).length, { name: seatName(snapshot, snapshot.turn) }),
  exchange: (snapshot) => formatMessage("{name} exchanges a {one} and a {other} tile.", { name: seatName(snapshot, snapshot.turn), ...chipColours(snapshot) }),
  return: (snapshot) => formatMessage("{name} gives a chip back.", { name: seatName(snapshot, snapshot.turn) }),
  over: (snapshot) => resultSentence(snapshot),
};
