// The registry of the games that have a module here.

import { baseball } from "./baseball.js";
import { fiveCard, sixCard } from "./cribbage.js";
import { defaultGame } from "./game.js";
import { pegsOnly } from "./pegs-only.js";
import { pursuit } from "./pursuit.js";
import { sackson } from "./sackson.js";
import { shuffle } from "./shuffle.js";

/** @import { Game } from "./game.js" */

/** @type {Game[]} */
export const GAMES = [sixCard, fiveCard, pursuit, baseball, sackson, shuffle, pegsOnly];

/**
 * Return the module of a snapshot's game. A game without a module still has its scores, board and undo.
 * @param {Api.Snapshot} snapshot
 */
export const findGame = (snapshot) => GAMES.find((game) => game.key === snapshot.game.key) ?? defaultGame;
