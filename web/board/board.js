// The board of the phone and TV pages, with the pegs as the table knows them.

import { fetchBoard } from "../core/api.js";
import { findElement, onButtonClick } from "../core/dom.js";
import { formatMessage } from "../core/i18n.js";
import { loadSetting, saveSetting, SEAT, twoColumnQuery, wideScreenQuery } from "../core/preferences.js";
import { deferDuringRoll } from "../games/dice-animation.js";
import { viewRotation } from "./layout.js";
import { countRacers, boardState, boardStateDuringRoll } from "./state.js";
import { createBoardPicture } from "./svg.js";

/** @import { BoardState } from "./state.js" */

const ZOOM_SETTING = "board-zoom";

/**
 * Draw the board. The picture is created again for another board, number of seats or page width. In one column a tap on
 * it zooms to the part with the pegs and back; with `whole` it always shows the whole board.
 * @param {HTMLElement} el
 * @param {import("../core/component.js").Context} _context
 * @param {{ whole?: boolean }} look
 * @returns {import("../core/component.js").DrawSnapshot}
 */
export function Board(el, _context, { whole = false } = {}) {
  el.innerHTML = `<div class="wood"></div><button type="button" class="key view" data-view aria-pressed="false"
    aria-label="${formatMessage("Zoom to the pegs")}"></button>`;
  const [wood, button] = [".wood", "button"].map((each) => findElement(el, each));
  const [width, wideScreen] = [twoColumnQuery(), wideScreenQuery()];
  let isZoomed = loadSetting(ZOOM_SETTING) === "on";
  /** @type {ReturnType<typeof createBoardPicture> | null} */
  let picture = null;
  let drawnKey = "";
  /** @type {Api.Snapshot | null} */
  let newest = null;
  const show = deferDuringRoll((snapshot) => picture?.showState(boardState(snapshot)), (snapshot) => picture?.showState(boardStateDuringRoll(snapshot)));

  /** @param {Api.Snapshot} snapshot */
  async function draw(snapshot) {
    newest = snapshot;
    const board = await fetchBoard(snapshot).catch(() => null); // the next snapshot tries again
    if (!board || newest !== snapshot) return;
    const seats = countRacers(snapshot);
    const only = holesToDraw(board, seats, boardState(snapshot));
    const canZoom = !whole && !width.matches;
    const close = canZoom && isZoomed;
    const turn = viewRotation(only, snapshot.game.seats, SEAT, canZoom || wideScreen.matches);
    const key = `${snapshot.run} ${board.name} ${seats} ${turn} ${only.length} ${close}`;
    if (drawnKey !== key) {
      drawnKey = key;
      picture = createBoardPicture(wood, board, { seats, turn, only, close, enlarged: canZoom && !close });
    }
    button.hidden = !canZoom;
    button.setAttribute("aria-pressed", String(isZoomed));
    el.classList.toggle("close", close);
    show(snapshot);
  }

  const redraw = () => newest && draw(newest);
  onButtonClick(el, () => {
    isZoomed = !isZoomed;
    saveSetting(ZOOM_SETTING, isZoomed ? "on" : "off");
    redraw();
  });
  for (const query of [width, wideScreen]) query.addEventListener("change", redraw);
  return draw;
}

/** @type {WeakMap<Api.Board, Map<number, { used: Api.Hole[], ids: Set<string> }>>} */
const loops = new WeakMap();

/**
 * Return the holes that a number of seats race on; cached for each board.
 * @param {Api.Board} board
 * @param {number} seats
 */
function findLoop(board, seats) {
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
 * Return the holes to draw: those of the loop in use if the board has several, or all while anything lies elsewhere.
 * @param {Api.Board} board
 * @param {number} seats
 * @param {BoardState} state
 */
export function holesToDraw(board, seats, { pegs, due, lift, wrong, asked, flaky }) {
  const { used, ids } = findLoop(board, seats);
  const occupied = [...pegs.map((peg) => peg.hole), ...due, ...lift, ...wrong, ...asked, ...flaky];
  return used.length && occupied.every((id) => ids.has(id)) ? used : board.holes;
}
