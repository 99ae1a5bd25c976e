// The board as an SVG picture: wood, lanes, holes, pegs and signs. It knows neither games nor the network.

import { findElement, replaceHtml, setAttribute } from "../core/dom.js";
import { createDiceAnimation } from "../games/dice-animation.js";
import { ENLARGED_NUMBER, renderWood, measureBoard, renderLanes } from "./layout.js";
import { renderMarkerTracks } from "./marker-tracks.js";
import { renderDie, renderCursor, renderHole, renderFault, isLit, renderLight, renderDisplayLight, renderSign, listSigns, renderPeg } from "./symbols.js";
import { holesInFocus, zoomBox, rotatePlace } from "./viewport.js";

/** @import { Peg, BoardState } from "./state.js" */

const SVG = "http://www.w3.org/2000/svg";
const ENLARGED_PEG = 1.5;

/**
 * Draw the board for a number of `seats`, rotated by `turn` degrees (a multiple of 90), with `only` these holes; `close`:
 * zoomed to the part with the pegs; `enlarged`: pegs and numbers drawn larger, for a small picture. Return the functions
 * that update the picture.
 * @param {HTMLElement} el
 * @param {Api.Board} board
 * @param {{ seats?: number, turn?: number, only?: Api.Hole[], close?: boolean, enlarged?: boolean }} look
 */
export function createBoardPicture(el, board, { seats = 2, turn = 0, only = board.holes, close = false, enlarged = false } = {}) {
  const routes = board.routes[seats] ?? Object.values(board.routes)[0] ?? [];
  const used = new Set(routes.flatMap(({ start, way: bits }) => [...start, ...bits]));
  const isUsed = (/** @type {Api.Hole} */ { bit }) => !routes.length || used.has(bit);
  const holes = new Map(board.holes.map((hole) => [hole.id, hole]));
  const { box, step } = measureBoard(board, routes, [...only, ...(board.display ?? []), ...(board.dice ?? []).flat()]);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const [width, height] = turn % 180 ? [box.height, box.width] : [box.width, box.height];
  const whole = { x: x - width / 2, y: y - height / 2, width, height };
  el.innerHTML = `<svg class="board" viewBox="${formatViewBox(whole)}" role="img">
    <g class="turning" transform="rotate(${turn} ${x} ${y})">
      ${renderWood(box, step)}<g class="lanes">${(routes.length ? renderLanes(board, routes, step, turn, enlarged ? ENLARGED_NUMBER : undefined) : renderMarkerTracks(board, step, turn))}</g>
      <g class="dice"></g><g class="display-lights"></g><g class="glows"></g>
      <g class="holes">${only.map((hole) => renderHole(hole, step, isUsed(hole))).join("")}</g>
      <g class="marks"></g><g class="pegs"></g><g class="faults"></g><g class="cursor"></g>
    </g></svg>`;
  const svg = findElement(el, "svg");
  const layers = new Map([...svg.querySelectorAll("g")].map((layer) => [layer.getAttribute("class"), layer]));
  const layer = (/** @type {string} */ name) => /** @type {SVGGElement} */ (layers.get(name));
  /** @type {Map<string, SVGGElement>} */
  const pegs = new Map();
  const animateDice = createDiceAnimation((faces) => {
    replaceHtml(layer("dice"), (board.dice ?? []).map((die, i) => renderDie(die, faces[i] ?? null, step)).join(""));
  });

  /** Draw the pegs and signs of a state; a new roll of the dice is animated first. @param {BoardState} state */
  function showState(state) {
    setAttribute(svg, "aria-label", state.label);
    if (state.dice) animateDice(state.dice, state.isRolling, state.roll);
    replaceHtml(layer("display-lights"), (board.display ?? []).map((pip, i) => renderDisplayLight(pip, state.markers?.[i], step)).join(""));
    const lit = (routes[0]?.way ?? []).slice(0, state.lit).map((bit) => board.holes[bit].id);
    replaceHtml(layer("marks"), listSigns(state, lit).map(([id, kind]) => renderAt(id, (hole) => renderSign(hole, kind, step))).join(""));
    drawPegs(state.pegs);
    if (close) zoomTo(holesInFocus(state));
  }

  /**
   * Zoom to some holes, or show the whole board if there are none. `frame` sets the size of the section.
   * @param {string[]} ids
   * @param {import("./viewport.js").Frame} [frame]
   */
  function zoomTo(ids, frame) {
    const places = ids.flatMap((id) => holes.get(id) ?? []).map((hole) => rotatePlace(hole, { x, y }, turn));
    setAttribute(svg, "viewBox", formatViewBox(zoomBox(places, whole, step, frame)));
  }

  /**
   * Render something at a hole; "" if the board has no such hole.
   * @param {string | null} id
   * @param {(hole: Api.Hole) => string} render
   */
  function renderAt(id, render) {
    const hole = id === null ? undefined : holes.get(id);
    return hole ? render(hole) : "";
  }

  /** Draw the pegs. Each keeps its element, so that a move is animated. @param {Peg[]} all */
  function drawPegs(all) {
    const there = all.filter(({ hole }) => holes.has(hole));
    for (const [name, drawn] of pegs) {
      if (!there.some((peg) => peg.name === name)) drawn.remove(), pegs.delete(name);
    }
    for (const { name, seat, front, hole } of there) {
      const drawn = pegs.get(name) ?? layer("pegs").appendChild(document.createElementNS(SVG, "g"));
      if (!pegs.has(name)) drawn.innerHTML = renderPeg(enlarged ? ENLARGED_PEG * step : step);
      pegs.set(name, drawn);
      setAttribute(drawn, "class", `peg seat-${seat ?? "none"} ${front ? "front" : "back"}`);
      const { x_mm = 0, y_mm = 0 } = holes.get(hole) ?? {};
      drawn.style.transform = `translate(${x_mm}px, ${y_mm}px)`;
    }
  }

  /** Draw the light under each hole and in the display. @param {Record<string, number[]>} lights */
  function showLights(lights) {
    const on = Object.entries(lights).filter(([, rgb]) => isLit(rgb));
    replaceHtml(layer("glows"), on.map(([id, rgb]) => renderAt(id, (hole) => renderLight(hole, rgb, step))).join(""));
  }

  /** @param {number[][][]} lights */
  function showDiceLights(lights) {
    replaceHtml(layer("dice"), (board.dice ?? []).map((die, i) => renderDie(die, null, step, lights[i])).join(""));
  }

  /** Draw the holes whose sensors fail, each with its kind of fault. @param {[id: string, kind: string][]} broken */
  function showFaults(broken) {
    layer("faults").innerHTML = broken.map(([id, kind]) => renderAt(id, (hole) => renderFault(hole, kind, step))).join("");
  }

  /** Return the hole at a pointer position, or null. @param {{ clientX: number, clientY: number }} event */
  function findNearestHole(event) {
    const inverse = /** @type {SVGGElement | null} */ (svg.querySelector(".turning"))?.getScreenCTM()?.inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(inverse);
    const far = (/** @type {Api.Hole} */ hole) => Math.hypot(hole.x_mm - x, hole.y_mm - y);
    const best = board.holes.reduce((a, b) => (far(b) < far(a) ? b : a));
    return far(best) <= step ? best.id : null;
  }

  /**
   * Draw the cursor at a hole, with the carried peg if any.
   * @param {string | null} id
   * @param {{ seat: number | null } | null} peg
   */
  function moveCursor(id, peg = null) {
    replaceHtml(layer("cursor"), renderAt(id, (hole) => renderCursor(hole, peg, step)));
  }

  return { svg, holes, isUpright: height > width, showState, zoomTo, showLights, showDiceLights, showFaults, findNearestHole, moveCursor };
}

/** @param {import("./layout.js").Box} box */
const formatViewBox = ({ x, y, width, height }) => [x, y, width, height].join(" ");
