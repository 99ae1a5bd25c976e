// The board as a picture: wood, lanes, holes where the board file has them, pegs, and marks for what is due.
// Knows no game and no network: it is given a board and shown what lies on it.

import { findElement, replaceHtml, setAttribute } from "../core/dom.js";
import { Tumble } from "../games/dice-animation.js";
import { ground, size, way } from "./layout.js";
import { boxes } from "./marker-tracks.js";
import { cube, cursorAt, drill, fault, isOn, lamp, marked, sign, signs, turned } from "./symbols.js";
import { looked, near, turnedTo } from "./viewport.js";

/** @import { Peg, State } from "./state.js" */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Draw into `el`: the board for so many `seats`, turned so many degrees, by quarters, and `only` these holes; `close`:
 * only the part that the pegs are in. What comes back shows what lies there.
 * @param {HTMLElement} el
 * @param {Api.Board} board
 * @param {{ seats?: number, turn?: number, only?: Api.Hole[], close?: boolean }} look
 */
export function Picture(el, board, { seats = 2, turn = 0, only = board.holes, close = false } = {}) {
  const routes = board.routes[seats] ?? Object.values(board.routes)[0] ?? [];
  const used = new Set(routes.flatMap(({ start, way: bits }) => [...start, ...bits]));
  const isUsed = (/** @type {Api.Hole} */ { bit }) => !routes.length || used.has(bit);
  const holes = new Map(board.holes.map((hole) => [hole.id, hole]));
  const { box, step } = size(board, routes, [...only, ...(board.display ?? []), ...(board.dice ?? []).flat()]);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const [width, height] = turn % 180 ? [box.height, box.width] : [box.width, box.height];
  const whole = { x: x - width / 2, y: y - height / 2, width, height };
  el.innerHTML = `<svg class="board" viewBox="${view(whole)}" role="img">
    <g class="turning" transform="rotate(${turn} ${x} ${y})">
      ${ground(box, step)}<g class="lanes">${(routes.length ? way(board, routes, step, turn) : boxes(board, step, turn))}</g>
      <g class="dice"></g><g class="display-lights"></g><g class="glows"></g>
      <g class="holes">${only.map((hole) => drill(hole, step, isUsed(hole))).join("")}</g>
      <g class="marks"></g><g class="pegs"></g><g class="faults"></g><g class="cursor"></g>
    </g></svg>`;
  const svg = findElement(el, "svg");
  const layers = new Map([...svg.querySelectorAll("g")].map((layer) => [layer.getAttribute("class"), layer]));
  const layer = (/** @type {string} */ name) => /** @type {SVGGElement} */ (layers.get(name));
  /** @type {Map<string, SVGGElement>} */
  const pegs = new Map();
  const dice = Tumble((faces) => {
    replaceHtml(layer("dice"), (board.dice ?? []).map((die, i) => cube(die, faces[i] ?? null, step)).join(""));
  });

  /**
   * What lies there, and what is due; dice may tumble first.
   * @param {State} state
   */
  function show(state) {
    setAttribute(svg, "aria-label", state.label);
    if (state.dice) dice(state.dice, state.tumbles, state.roll);
    replaceHtml(layer("display-lights"), (board.display ?? []).map((pip, i) => marked(pip, state.markers?.[i], step)).join(""));
    const lit = (routes[0]?.way ?? []).slice(0, state.lit).map((bit) => board.holes[bit].id);
    replaceHtml(layer("marks"), signs(state, lit).map(([id, kind]) => at(id, (hole) => sign(hole, kind, step))).join(""));
    plant(state.pegs);
    if (close) look(looked(state));
  }

  /**
   * Bring these holes near; the whole board where there are none. `frame`: how much around them.
   * @param {string[]} ids
   * @param {import("./viewport.js").Frame} [frame]
   */
  function look(ids, frame) {
    const places = ids.flatMap((id) => holes.get(id) ?? []).map((hole) => turnedTo(hole, { x, y }, turn));
    setAttribute(svg, "viewBox", view(near(places, whole, step, frame)));
  }

  /**
   * What `draws` makes of the hole; nothing for one that this board has not.
   * @param {string | null} id
   * @param {(hole: Api.Hole) => string} draws
   */
  function at(id, draws) {
    const hole = id === null ? undefined : holes.get(id);
    return hole ? draws(hole) : "";
  }

  /**
   * Pegs keep their elements, so that one that moves is seen to move.
   * @param {Peg[]} all
   */
  function plant(all) {
    const there = all.filter(({ hole }) => holes.has(hole));
    for (const [name, drawn] of pegs) {
      if (!there.some((peg) => peg.name === name)) drawn.remove(), pegs.delete(name);
    }
    for (const { name, seat, front, hole } of there) {
      const drawn = pegs.get(name) ?? layer("pegs").appendChild(document.createElementNS(SVG, "g"));
      if (!pegs.has(name)) drawn.innerHTML = turned(step);
      pegs.set(name, drawn);
      setAttribute(drawn, "class", `peg seat-${seat ?? "none"} ${front ? "front" : "back"}`);
      const { x_mm = 0, y_mm = 0 } = holes.get(hole) ?? {};
      drawn.style.transform = `translate(${x_mm}px, ${y_mm}px)`;
    }
  }

  /**
   * The light under each hole, and of the display.
   * @param {Record<string, number[]>} lights
   */
  function glow(lights) {
    const on = Object.entries(lights).filter(([, rgb]) => isOn(rgb));
    replaceHtml(layer("glows"), on.map(([id, rgb]) => at(id, (hole) => lamp(hole, rgb, step))).join(""));
  }

  /**
   * The lights of the dice.
   * @param {number[][][]} lights
   */
  function pips(lights) {
    replaceHtml(layer("dice"), (board.dice ?? []).map((die, i) => cube(die, null, step, lights[i])).join(""));
  }

  /**
   * The holes whose sensors fail, each with how.
   * @param {[id: string, kind: string][]} broken
   */
  function fail(broken) {
    layer("faults").innerHTML = broken.map(([id, kind]) => at(id, (hole) => fault(hole, kind, step))).join("");
  }

  /**
   * The hole that a pointer or a finger is at, or null.
   * @param {{ clientX: number, clientY: number }} event
   */
  function nearest(event) {
    const inverse = /** @type {SVGGElement | null} */ (svg.querySelector(".turning"))?.getScreenCTM()?.inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(inverse);
    const far = (/** @type {Api.Hole} */ hole) => Math.hypot(hole.x_mm - x, hole.y_mm - y);
    const best = board.holes.reduce((a, b) => (far(b) < far(a) ? b : a));
    return far(best) <= step ? best.id : null;
  }

  /**
   * Mark the hole a hand is at, and show the peg it carries, if any.
   * @param {string | null} id
   * @param {{ seat: number | null } | null} peg
   */
  function cursor(id, peg = null) {
    replaceHtml(layer("cursor"), at(id, (hole) => cursorAt(hole, peg, step)));
  }

  return { svg, holes, isUpright: height > width, show, look, glow, pips, fail, nearest, cursor };
}

/** @param {import("./layout.js").Box} box */
const view = ({ x, y, width, height }) => [x, y, width, height].join(" ");
