// The board on the phone: the pegs as the table knows them.

import { boardOf } from "../get.js";
import { SEAT, wide } from "../screen.js";
import { Held } from "../tumble.js";
import { Picture } from "./picture.js";
import { racing, stateOf, stateUntold } from "./state.js";
import { turning } from "./wood.js";

/** @import { State } from "./state.js" */

/**
 * Draws the picture once the board is known, and again for another board, number of seats or width of the page.
 * @type {import("../guard.js").Part}
 */
export function Board(el) {
  const width = wide();
  /** @type {ReturnType<typeof Picture> | null} */
  let picture = null;
  let laid = "";
  /** @type {Api.Snapshot | null} */
  let newest = null;
  const show = Held((snapshot) => picture?.show(stateOf(snapshot)), (snapshot) => picture?.show(stateUntold(snapshot)));

  /** @param {Api.Snapshot} snapshot */
  async function draw(snapshot) {
    newest = snapshot;
    const board = await boardOf(snapshot).catch(() => null); // the next snapshot asks again
    if (!board || newest !== snapshot) return;
    const seats = racing(snapshot);
    const only = inUse(board, seats, stateOf(snapshot));
    const turn = turning(only, snapshot.game.seats, SEAT, width.matches);
    const now = `${snapshot.run} ${board.name} ${seats} ${turn} ${only.length}`;
    if (laid !== now) {
      laid = now;
      picture = Picture(el, board, { seats, turn, only });
    }
    show(snapshot);
  }

  width.addEventListener("change", () => newest && draw(newest));
  return draw;
}

/**
 * The loop that is raced on, where the board has others too; the whole board while anything is about elsewhere.
 * @param {Api.Board} board
 * @param {number} seats
 * @param {State} state
 */
export function inUse(board, seats, { pegs, due, lift, wrong, asked, flaky }) {
  const loop = new Set((board.routes[seats] ?? []).flatMap(({ start, way }) => [...start, ...way]));
  const used = board.holes.filter((hole) => hole.seat !== null || loop.has(hole.bit));
  const ids = new Set(used.map((hole) => hole.id));
  const about = [...pegs.map((peg) => peg.hole), ...due, ...lift, ...wrong, ...asked, ...flaky];
  return used.length && about.every((id) => ids.has(id)) ? used : board.holes;
}
