// The board on the phone: the pegs as the table knows them.

import { Picture } from "./picture.js";
import { boardOf } from "./source.js";
import { stateOf } from "./state.js";
import { turning, WIDE } from "./turning.js";

/** Draws the picture once the board is known, and again for another board, number of seats or width of the page. */
export function Board(el) {
  let picture = null;
  let laid = "";
  let newest = null;

  async function draw(snapshot) {
    newest = snapshot;
    const board = await boardOf(snapshot).catch(() => null); // the next snapshot asks again
    if (!board || newest !== snapshot) return;
    const turn = turning(board, snapshot);
    const now = `${snapshot.run} ${board.name} ${snapshot.game.seats} ${turn}`;
    if (laid !== now) {
      laid = now;
      picture = Picture(el, board, { seats: snapshot.game.seats, turn });
    }
    picture.show(stateOf(snapshot));
  }

  WIDE.addEventListener("change", () => newest && draw(newest));
  return draw;
}
