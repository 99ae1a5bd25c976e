// The names and numbers of cribbage, fetched from the table once before anything is drawn.

/** Names of seats, cards and colours, hand scores that are impossible, and the pips of dice. */
export const constants = /** @type {Api.Constants} */ ({});

/** @param {Api.Constants} loaded */
export const setConstants = (loaded) => Object.assign(constants, loaded);

/** Return how many cards the square of cribbage shuffle takes. */
export const countGridCells = () => constants.grid.size ** 2;

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
