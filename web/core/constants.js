// The names and numbers of cribbage, fetched from the table once before anything is drawn.

/** Names of seats, cards and colours, hand scores that are impossible, and the pips of dice. */
export const constants = /** @type {Api.Constants} */ ({});

/** @param {Api.Constants} loaded */
export const setConstants = (loaded) => Object.assign(constants, loaded);

/** Return how many cards the square of cribbage shuffle takes. */
export const countGridCells = () => constants.grid.size ** 2;
