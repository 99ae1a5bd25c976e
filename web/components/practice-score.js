// The score of somebody who practises: how often the best was found, and what the others cost. Pure.

/** @typedef {{ deals: number, best: number, lost: number, points: number }} Score */

/** @type {Score} */
export const NONE = { deals: 0, best: 0, lost: 0, points: 0 };

/**
 * The score after another choice of `ranked`, the best first.
 * @param {Score} score
 * @param {import("../charts/odds-bars.js").Ranked[]} ranked
 * @param {import("../charts/odds-bars.js").Ranked} made
 * @returns {Score}
 */
export const scored = (score, [best], made) => ({
  deals: score.deals + 1,
  best: score.best + Number(best.win === made.win),
  lost: score.lost + best.win - made.win,
  points: score.points + best.points - made.points,
});

/**
 * A score as it was kept, or none where that is none.
 * @param {string} kept
 * @returns {Score}
 */
export function read(kept) {
  try {
    const told = JSON.parse(kept);
    return Object.keys(NONE).every((name) => Number.isFinite(told?.[name])) ? told : NONE;
  } catch {
    return NONE;
  }
}
