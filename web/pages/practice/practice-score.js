// The score of the practice page: how often the best discard was found, and what the others cost. Pure.

/** @typedef {{ deals: number, best: number, lost: number, points: number }} PracticeScore */

/** @type {PracticeScore} */
export const EMPTY_SCORE = { deals: 0, best: 0, lost: 0, points: 0 };

/**
 * Return the score after another choice. `ranked` is sorted, the best choice first.
 * @param {PracticeScore} score
 * @param {import("../../charts/odds-bars.js").RankedChoice[]} ranked
 * @param {import("../../charts/odds-bars.js").RankedChoice} made
 * @returns {PracticeScore}
 */
export const addChoice = (score, [best], made) => ({
  deals: score.deals + 1,
  best: score.best + Number(best.win === made.win),
  lost: score.lost + best.win - made.win,
  points: score.points + best.points - made.points,
});

/**
 * Parse a stored score; return an empty one if it is invalid.
 * @param {string} stored
 * @returns {PracticeScore}
 */
export function parseScore(stored) {
  try {
    const parsed = JSON.parse(stored);
    return Object.keys(EMPTY_SCORE).every((name) => Number.isFinite(parsed?.[name])) ? parsed : EMPTY_SCORE;
  } catch {
    return EMPTY_SCORE;
  }
}
