// The games of cribbage that the companion plays, advises and reviews, and the cards of a hand in them.

/** Number of cards that each player keeps. @type {Record<string, number>} */
export const HAND_SIZES = { "six-card": 4, "five-card": 3 };

/** Number of cards that each of two players discards to the crib. */
export const DISCARD_COUNT = 2;

/** Return the number of cards dealt to each of two players. @param {string} game */
export const countDealt = (game) => HAND_SIZES[game] + DISCARD_COUNT;
