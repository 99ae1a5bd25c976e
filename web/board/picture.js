// The board as a picture: wood, lanes, holes where the board file has them, pegs, and marks for what is due.
// Knows no game and no network: it is given a board and shown what lies on it.

import { safe } from "../html.js";
import { Tumble } from "../tumble.js";
import { holeSpoken } from "../words.js";
import { boxes } from "./boxes.js";
import { ground, size, way } from "./wood.js";

/** Which of a die's seven pips each face has: upper left and right, left, centre, right, lower left and right. */
const PIPS = { 1: [3], 2: [0, 6], 3: [0, 3, 6], 4: [0, 1, 5, 6], 5: [0, 1, 3, 5, 6], 6: [0, 1, 2, 4, 5, 6] };

const SVG = "http://www.w3.org/2000/svg";

/**
 * Draw into `el`. Returns `show(state)` with `state` of
 * `pegs: [{hole, seat, front}]`, `dice` (faces, which may tumble first: `tumbles`, for this `roll`), `lit` (how far
 * the first way is lit), `markers` (the 25 colours of Sackson swap), `due`, `lift`, `wrong`, `asked`, `flaky`: lists of hole ids, and `label`;
 * `glow({id: [r, g, b]})` for the light under each hole, `pips` for those of dice; `nearest(event)` for the hole a pointer is at;
 * and `cursor(id)` for the hole a hand is at. `turn` is in degrees, by quarters; `only` the holes to be seen.
 */
export function Picture(el, board, { seats = 2, turn = 0, only = board.holes } = {}) {
  const routes = board.routes[seats] ?? Object.values(board.routes)[0] ?? [];
  const used = routes.length ? new Set(routes.flatMap(({ start, way: bits }) => [...start, ...bits])) : null;
  const holes = new Map(board.holes.map((hole) => [hole.id, hole]));
  const { box, step } = size(board, routes, [...only, ...(board.display ?? []), ...(board.dice ?? []).flat()]);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const [width, height] = turn % 180 ? [box.height, box.width] : [box.width, box.height];
  el.innerHTML = `<svg class="board" viewBox="${x - width / 2} ${y - height / 2} ${width} ${height}" role="img">
    <g class="turning" transform="rotate(${turn} ${x} ${y})">
      ${ground(box, step)}<g class="lanes">${(routes.length ? way(board, routes, step, turn) : boxes(board, step, turn))}</g>
      <g class="dice"></g><g class="display-lights"></g><g class="glows"></g><g class="holes">${only.map((hole) => drill(hole, step, used)).join("")}</g>
      <g class="marks"></g><g class="pegs"></g><g class="cursor"></g>
    </g></svg>`;
  const svg = el.querySelector("svg");
  const layer = (name) => svg.querySelector(`.${name}`);
  const pegs = new Map();
  const dice = Tumble((faces) => {
    layer("dice").innerHTML = (board.dice ?? []).map((die, i) => cube(die, faces[i], step)).join("");
  });

  function show(state) {
    svg.setAttribute("aria-label", state.label ?? "The board");
    if (state.dice) dice(state.dice, state.tumbles, state.roll);
    layer("display-lights").innerHTML = (board.display ?? []).map((pip, i) => marked(pip, state.markers?.[i], step)).join("");
    const lit = (routes[0]?.way ?? []).slice(0, state.lit ?? 0).map((bit) => board.holes[bit].id);
    layer("marks").innerHTML = signs({ ...state, lit })
      .filter(([id]) => holes.has(id))
      .map(([id, kind]) => sign(holes.get(id), kind, step))
      .join("");
    plant(layer("pegs"), pegs, state.pegs.filter((peg) => holes.has(peg.hole)), holes, step);
  }

  function glow(lights) {
    const lit = Object.entries(lights).filter(([id, colour]) => holes.has(id) && Math.max(...colour) > 0);
    layer("glows").innerHTML = lit.map(([id, colour]) => lamp(holes.get(id), colour, step)).join("");
  }

  /** The dice's pixels as they are lit: [[r, g, b], …] for each die. */
  function pips(lights) {
    layer("dice").innerHTML = (board.dice ?? []).map((die, i) => cube(die, 0, step, lights[i])).join("");
  }

  const at = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(layer("turning").getScreenCTM().inverse());

  function nearest(event) {
    const { x, y } = at(event);
    const far = (hole) => Math.hypot(hole.x_mm - x, hole.y_mm - y);
    const best = board.holes.reduce((a, b) => (far(b) < far(a) ? b : a));
    return far(best) <= step ? best.id : null;
  }

  /** Mark the hole a hand is at, and show the peg it carries, if any. */
  function cursor(id, peg = null) {
    const hole = holes.get(id);
    const circle = (r, kind, width) =>
      `<circle cx="${hole.x_mm}" cy="${hole.y_mm}" r="${r * step}" class="${kind}" stroke-width="${width * step}"/>`;
    const ghost = hole && peg ? `<g class="peg ghost seat-${peg.seat}">${circle(0.44, "top", 0.12)}</g>` : "";
    layer("cursor").innerHTML = hole ? circle(0.62, "ring", 0.14) + ghost : "";
  }

  return { svg, holes, show, glow, pips, nearest, cursor };
}

/** Each mark with its kind; a later one lies on top. */
const signs = ({ lit, lift = [], due = [], asked = [], flaky = [], wrong = [] }) =>
  Object.entries({ lit, lift, flaky, due, asked, wrong }).flatMap(([kind, ids]) => ids.map((id) => [id, kind]));

const drill = (hole, step, used) =>
  `<circle data-hole="${safe(hole.id)}" class="hole ${!used || used.has(hole.bit) ? "" : "unused"}" cx="${hole.x_mm}"
    cy="${hole.y_mm}" r="${0.24 * step}"><title>${safe(holeSpoken(hole.id))}</title></circle>`;

function sign({ x_mm: x, y_mm: y }, kind, step) {
  const ring = `<circle cx="${x}" cy="${y}" r="${0.56 * step}" class="ring" stroke-width="${0.16 * step}"/>`;
  const arm = 0.62 * step;
  const cross = `<path d="M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}"
    class="cross" stroke-width="${0.16 * step}"/>`;
  const fill = kind === "due" || kind === "lit" ? `<circle cx="${x}" cy="${y}" r="${0.34 * step}" class="core"/>` : "";
  return `<g class="sign ${kind}" data-sign="${kind}">${ring}${fill}${kind === "wrong" ? cross : ""}</g>`;
}

/** A pixel's colour as an eye has it: light adds up, so half the current looks like more than half. */
function lamp({ x_mm: x, y_mm: y }, colour, step) {
  const seen = colour.map((value) => Math.round(255 * (value / 255) ** 0.45));
  const rgb = `rgb(${seen.join(",")})`;
  return `<circle cx="${x}" cy="${y}" r="${1.05 * step}" fill="${rgb}" opacity=".28"/>
    <circle cx="${x}" cy="${y}" r="${0.5 * step}" fill="${rgb}" opacity=".95"/>`;
}

/** A pixel of the display of Sackson swap, in its marker's colour. */
const marked = ({ x_mm: x, y_mm: y }, colour, step) =>
  `<circle class="light ${safe(colour ?? "none")}" cx="${x}" cy="${y}" r="${0.45 * step}"/>`;

/** A die of pixels: seven pips, of which its face has some. Without a face it is dark, but for lights. */
function cube(pips, face, step, lights = []) {
  const [x, y] = [Math.min(...pips.map((pip) => pip.x_mm)), Math.min(...pips.map((pip) => pip.y_mm))];
  const wide = Math.max(...pips.map((pip) => pip.x_mm)) - x;
  const dots = pips.map((pip, i) => `<circle class="pip ${PIPS[face]?.includes(i) ? "lit" : ""}" cx="${pip.x_mm}"
    cy="${pip.y_mm}" r="${0.3 * step}"/>${Math.max(0, ...(lights[i] ?? [])) ? lamp(pip, lights[i], 0.55 * step) : ""}`);
  return `<rect class="die" x="${x - 0.8 * step}" y="${y - 0.8 * step}" width="${wide + 1.6 * step}"
    height="${wide + 1.6 * step}" rx="${0.6 * step}"/>${dots.join("")}`;
}

/** Pegs keep their elements, so that one that moves is seen to move. */
function plant(layer, known, pegs, holes, step) {
  const names = pegs.map((peg, index) => peg.name ?? `${peg.seat}-${index}`);
  for (const [name, drawn] of known) {
    if (!names.includes(name)) drawn.remove(), known.delete(name);
  }
  pegs.forEach((peg, index) => {
    let drawn = known.get(names[index]);
    if (!drawn) {
      drawn = layer.appendChild(document.createElementNS(SVG, "g"));
      drawn.innerHTML = turned(step);
      known.set(names[index], drawn);
    }
    const { x_mm: x, y_mm: y } = holes.get(peg.hole);
    drawn.setAttribute("class", `peg seat-${peg.seat ?? "none"} ${peg.front ? "front" : "back"}`);
    drawn.style.transform = `translate(${x}px, ${y}px)`;
  });
}

/** A turned peg from above: its shadow, its head, its shine. */
const turned = (step) => `<circle class="shadow" cx="${0.1 * step}" cy="${0.14 * step}" r="${0.5 * step}"/>
  <circle class="top" r="${0.44 * step}" stroke-width="${0.12 * step}"/>
  <circle class="shine" cx="${-0.12 * step}" cy="${-0.14 * step}" r="${0.13 * step}"/>`;
