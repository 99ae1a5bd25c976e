// The games this page has a panel for: a list one can read.

import { bases } from "./baseball.js";
import { fiveCard, sixCard } from "./cribbage.js";
import { any } from "./game.js";
import { pegsOnly } from "./pegs-only.js";
import { pursuit } from "./pursuit.js";
import { swap } from "./sackson.js";
import { shuffle } from "./shuffle.js";

/** @import { Game } from "./game.js" */

/** @type {Game[]} */
export const GAMES = [sixCard, fiveCard, pursuit, bases, swap, shuffle, pegsOnly];

/**
 * The module of a snapshot's game; a game without one still has its scores, board and undo.
 * @param {Api.Snapshot} snapshot
 */
export const gameOf = (snapshot) => GAMES.find((game) => game.key === snapshot.game.key) ?? any;
