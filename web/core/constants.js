// The names and numbers of cribbage as the table has them: told once, before anything is drawn, and not written again here.

/** Names of seats, cards and colours, the numbers no hand can be, the pips of dice. */
export const constants = /** @type {Api.Constants} */ ({});

/** @param {Api.Constants} told */
export const learn = (told) => Object.assign(constants, told);
