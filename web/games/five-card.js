// Five-card cribbage: a deal whose hands are laid open after the play.

import { constants } from "../constants.js";
import { deal } from "./deal.js";

/** @type {import("./any.js").Game} */
export const fiveCard = {
  ...deal,
  key: "five-card",
  opening: ({ dealer }, side) => (side === dealer ? 0 : constants.three_for_last),
};
