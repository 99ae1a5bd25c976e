// Five-card cribbage: a deal whose hands are laid open after the play.

import { deal } from "./deal.js";

const THREE_FOR_LAST = 3;

export const fiveCard = {
  ...deal,
  key: "five-card",
  opening: ({ dealer }, side) => (side === dealer ? 0 : THREE_FOR_LAST),
};
