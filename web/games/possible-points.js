// The points that a key can stand for.

import { constants } from "../core/constants.js";

/**
 * Return the points that may be claimed or called: only possible scores, and 0 only for a claim.
 * @param {string} phase
 * @param {string} move
 */
export function claimablePoints(phase, move) {
  const { most, most_in_play: mostInPlay, impossible } = constants.claims;
  const all = Array.from({ length: (move === "claim" && phase === "play" ? mostInPlay : most) + 1 }, (_, n) => n);
  return all.filter((n) => (n || move === "claim") && !impossible.includes(n));
}
