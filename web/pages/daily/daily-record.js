// What this phone remembers of the daily deals: the last one, how often the best discard was found, and the streak. Pure.

/**
 * `counted` is the count that the player named; null without one.
 * @typedef {{ date: string, discard: string[], counted: number | null, streak: number, deals: number, best: number }} DailyRecord
 */

/** @type {DailyRecord} */
export const EMPTY_RECORD = { date: "", discard: [], counted: null, streak: 0, deals: 0, best: 0 };

/** Return the date of the day before, as `2026-01-31`. @param {string} date */
const previousDay = (date) => new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);

/**
 * Return the record after the discard of another day.
 * @param {DailyRecord} record
 * @param {string} date
 * @param {string[]} discard
 * @param {boolean} isBest
 * @returns {DailyRecord}
 */
export const addDeal = (record, date, discard, isBest) => ({
  date, discard, counted: null, streak: currentStreak(record, date) + 1, deals: record.deals + 1, best: record.best + Number(isBest),
});

/**
 * Return how many days in a row were played; a day that was left out ends the streak.
 * @param {DailyRecord} record
 * @param {string} today
 */
export const currentStreak = ({ date, streak }, today) => (date === today || date === previousDay(today) ? streak : 0);

/**
 * Parse a stored record; return an empty one if it is invalid.
 * @param {string} stored
 * @returns {DailyRecord}
 */
export function parseRecord(stored) {
  try {
    const parsed = JSON.parse(stored);
    const isValid = typeof parsed.date === "string" && Array.isArray(parsed.discard) && [parsed.streak, parsed.deals, parsed.best].every(Number.isFinite);
    return isValid ? { ...EMPTY_RECORD, ...parsed } : EMPTY_RECORD;
  } catch {
    return EMPTY_RECORD;
  }
}
