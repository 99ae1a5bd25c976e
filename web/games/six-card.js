// Six-card cribbage: the deal and nothing more.

import { deal } from "./deal.js";

/** @type {import("./any.js").Game} */
export const sixCard = { ...deal, key: "six-card" };
