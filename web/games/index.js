// The games this page has a panel for: a list one can read. A game is
//   key          the snapshot's game.key
//   turn         snapshot → the sentence that says whose turn it is
//   Panel        mount function of its own part of the page, (el, {actions}) → draw(snapshot)
//   seen         snapshot → the cards that cannot turn up now, or null while no card is awaited
//   goes         snapshot → the seat that may say go, or null
//   next         snapshot → what `next` is called now, or null
//   voids        snapshot → whether a misdeal can be called

import { any } from "./any.js";
import { pegsOnly } from "./pegs-only.js";
import { sixCard } from "./six-card.js";

export const GAMES = [sixCard, pegsOnly];

/** The module of a snapshot's game; a game without one still has its scores, board and undo. */
export const gameOf = (snapshot) => GAMES.find((game) => game.key === snapshot.game.key) ?? any;
