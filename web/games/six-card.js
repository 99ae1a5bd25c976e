// Six-card cribbage: the deal and nothing more.

import { deal } from "./deal.js";

export const sixCard = { ...deal, key: "six-card" };
