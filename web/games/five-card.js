// Five-card cribbage: a deal whose hands are laid open after the play.

import { deal } from "./deal.js";

export const fiveCard = { ...deal, key: "five-card" };
