// The games this page has a panel for: a list one can read. A game is
//   key          the snapshot's game.key
//   turn         snapshot → the sentence that says whose turn it is
//   Panel        mount function of its own part of the page, (el, {actions}) → draw(snapshot)
//   seen         snapshot → the cards that cannot turn up now, or null while no card is awaited
//   goes         snapshot → the seat that may say go, or null
//   next         snapshot → what `next` is called now, or null
//   voids        snapshot → whether a misdeal can be called
//   abandons     snapshot → how a game is given up: back to its first "scores", to its "end", or null: not at all
//   opening      (snapshot, side) → a side's first score
//   deals        what stands on the dealer's plate
//   marks        (snapshot, side) → what else stands on a side's plate
//   pegs         snapshot → how many pegs are whose, [[seat or null, how many]]
//   way          (snapshot, side) → how far it is, {value, max}, or null where there is no such way

import { any } from "./any.js";
import { bases } from "./bases.js";
import { fiveCard } from "./five-card.js";
import { pegsOnly } from "./pegs-only.js";
import { pursuit } from "./pursuit.js";
import { shuffle } from "./shuffle.js";
import { sixCard } from "./six-card.js";
import { swap } from "./swap.js";

export const GAMES = [sixCard, fiveCard, pursuit, bases, swap, shuffle, pegsOnly];

/** The module of a snapshot's game; a game without one still has its scores, board and undo. */
export const gameOf = (snapshot) => GAMES.find((game) => game.key === snapshot.game.key) ?? any;
