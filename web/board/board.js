// The board on the phone: the pegs as the table knows them.

import { SEAT } from "../seat.js";
import { Picture } from "./picture.js";
import { boardOf } from "./source.js";
import { stateOf } from "./state.js";

/** Draws the picture once the board is known, and again for another board or another number of seats. */
export function Board(el) {
  let picture = null;
  let laid = null;
  let newest = null;

  return async (snapshot) => {
    newest = snapshot;
    let board;
    try {
      board = await boardOf(snapshot);
    } catch {
      return; // the next snapshot asks again
    }
    if (laid !== board) {
      laid = board;
      const seats = snapshot.game.seats;
      picture = Picture(el, board, { seats, turn: SEAT !== null && SEAT >= seats / 2 ? 180 : 0 });
    }
    if (newest === snapshot) picture.show(stateOf(snapshot));
  };
}
