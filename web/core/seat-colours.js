// The players' peg colours, as they chose them.

import { constants } from "./constants.js";

/** @typedef {Api.Player & { colour?: string }} ColouredPlayer */

/** @param {Api.Snapshot} snapshot */
export function applySeatColours({ players }) {
  for (const { side, seat, colour } of /** @type {ColouredPlayer[]} */ (players)) {
    const at = constants.seats.findIndex((each) => each.colour === colour);
    if (seat !== side) continue;
    const isReplaced = at >= 0 && at !== side;
    for (const what of ["seat", "on-seat"]) {
      if (isReplaced) document.body.style.setProperty(`--${what}-of-${side}`, `var(--${what}-${at})`);
      else document.body.style.removeProperty(`--${what}-of-${side}`);
    }
  }
}
