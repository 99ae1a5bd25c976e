// What the game and the panel of Sackson swap share.

import { sideOf } from "../core/format.js";
import { formatMessage } from "../core/i18n.js";

/** @import { SacksonSnapshot } from "./sackson.js" */

/** Return the chips of the side to move. @param {SacksonSnapshot} snapshot */
export const heldChips = (snapshot) => snapshot.held[sideOf(snapshot, snapshot.turn) ?? 0] ?? [];

/** @param {SacksonSnapshot} snapshot */
export function chipColours(snapshot) {
  const [one = "", other = ""] = heldChips(snapshot);
  return { one: formatMessage(one), other: formatMessage(other) };
}
