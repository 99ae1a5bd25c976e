// The board on the phone: the pegs as the table knows them.

import { fetchBoard } from "../core/api.js";
import { findElement, onButtonClick } from "../core/dom.js";
import { formatMessage } from "../core/i18n.js";
import { loadSetting, saveSetting, SEAT, twoColumnQuery, wideScreenQuery } from "../core/preferences.js";
import { Held } from "../games/dice-animation.js";
import { turning } from "./layout.js";
import { racing, stateOf, stateUntold } from "./state.js";
import { Picture } from "./svg.js";

/** @import { State } from "./state.js" */

const WHOLE = "whole-board";

/**
 * Draws the picture once the board is known, and again for another board, number of seats or width of the page. Where
 * there is one column, it is the part where the pegs are, till the whole is asked for; or `whole` from the beginning.
 * @param {HTMLElement} el
 * @param {import("../core/component.js").Context} _context
 * @param {{ whole?: boolean }} look
 * @returns {import("../core/component.js").DrawSnapshot}
 */
export function Board(el, _context, { whole = false } = {}) {
  el.innerHTML = `<div class="wood"></div><button type="button" class="key view" data-view aria-pressed="false"
    aria-label="${formatMessage("The whole board")}"></button>`;
  const [wood, button] = [".wood", "button"].map((each) => findElement(el, each));
  const [width, lies] = [twoColumnQuery(), wideScreenQuery()];
  let isWhole = whole || loadSetting(WHOLE) === "on";
  /** @type {ReturnType<typeof Picture> | null} */
  let picture = null;
  let laid = "";
  /** @type {Api.Snapshot | null} */
  let newest = null;
  const show = Held((snapshot) => picture?.show(stateOf(snapshot)), (snapshot) => picture?.show(stateUntold(snapshot)));

  /** @param {Api.Snapshot} snapshot */
  async function draw(snapshot) {
    newest = snapshot;
    const board = await fetchBoard(snapshot).catch(() => null); // the next snapshot asks again
    if (!board || newest !== snapshot) return;
    const seats = racing(snapshot);
    const only = inUse(board, seats, stateOf(snapshot));
    const close = !width.matches && !isWhole;
    const turn = turning(only, snapshot.game.seats, SEAT, close || ((whole || width.matches) && lies.matches));
    const now = `${snapshot.run} ${board.name} ${seats} ${turn} ${only.length} ${close}`;
    if (laid !== now) {
      laid = now;
      picture = Picture(wood, board, { seats, turn, only, close });
    }
    button.hidden = whole || width.matches;
    button.setAttribute("aria-pressed", String(isWhole));
    el.classList.toggle("close", close);
    show(snapshot);
  }

  const again = () => newest && draw(newest);
  onButtonClick(el, () => {
    isWhole = !isWhole;
    saveSetting(WHOLE, isWhole ? "on" : "off");
    again();
  });
  for (const query of [width, lies]) query.addEventListener("change", again);
  return draw;
}

/** @type {WeakMap<Api.Board, Map<number, { used: Api.Hole[], ids: Set<string> }>>} */
const loops = new WeakMap();

/**
 * The holes that so many seats race on, found once for each board.
 * @param {Api.Board} board
 * @param {number} seats
 */
function loopOf(board, seats) {
  const known = loops.get(board) ?? new Map();
  loops.set(board, known);
  if (!known.has(seats)) {
    const loop = new Set((board.routes[seats] ?? []).flatMap(({ start, way }) => [...start, ...way]));
    const used = board.holes.filter((hole) => hole.seat !== null || loop.has(hole.bit));
    known.set(seats, { used, ids: new Set(used.map((hole) => hole.id)) });
  }
  return known.get(seats);
}

/**
 * The loop that is raced on, where the board has others too; the whole board while anything is about elsewhere.
 * @param {Api.Board} board
 * @param {number} seats
 * @param {State} state
 */
export function inUse(board, seats, { pegs, due, lift, wrong, asked, flaky }) {
  const { used, ids } = loopOf(board, seats);
  const about = [...pegs.map((peg) => peg.hole), ...due, ...lift, ...wrong, ...asked, ...flaky];
  return used.length && about.every((id) => ids.has(id)) ? used : board.holes;
}
