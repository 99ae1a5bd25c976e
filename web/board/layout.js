// The board's ground: how large it is, how it lies, its wood, its lanes with their lines of five and their numbers. Pure.

import { constants } from "../core/constants.js";

/** @typedef {{ x_mm: number, y_mm: number }} Place */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

const BETWEEN = 5;
const LINES = 14;
const BESIDE = 1.2; // steps from a hole to its number
const FURTHER = [1.7, 2.2, 2.7, 3.2];
const CLEAR = 1.1;
const NEXT = 1.8; // holes so many steps apart are not neighbours any more

/**
 * The box around these places, and the usual step from hole to hole, in millimetres.
 * @param {Api.Board} board
 * @param {Api.Route[]} routes
 * @param {Place[]} holes
 */
export function size(board, routes, holes = board.holes) {
  const xs = holes.map((hole) => hole.x_mm);
  const ys = holes.map((hole) => hole.y_mm);
  const steps = routes.flatMap(({ way }) => way.slice(1).map((bit, i) => apart(board.holes[bit], board.holes[way[i]])));
  const step = steps.sort((a, b) => a - b)[Math.floor(steps.length / 4)] ?? 8;
  const edge = 2.2 * step;
  const x = Math.min(...xs) - edge;
  const y = Math.min(...ys) - edge;
  return { step, box: { x, y, width: Math.max(...xs) + edge - x, height: Math.max(...ys) + edge - y } };
}

/**
 * Degrees, by quarters: those who sit across see it upside down.
 * @param {Place[]} holes
 * @param {number} seats
 * @param {number | null} seat
 * @param {boolean} isWide
 */
export function turning(holes, seats, seat, isWide) {
  const span = (/** @type {keyof Place} */ axis) =>
    Math.max(...holes.map((hole) => hole[axis])) - Math.min(...holes.map((hole) => hole[axis]));
  const across = seat !== null && seat >= seats / 2 ? 180 : 0;
  return across + (isWide && span("y_mm") > span("x_mm") ? 90 : 0);
}

/**
 * A plank with a grain that is the same each time.
 * @param {Box} box
 * @param {number} step
 */
export function ground({ x, y, width, height }, step) {
  const tall = height > width;
  const [long, wide] = tall ? [height, width] : [width, height];
  const lines = Array.from({ length: LINES }, (_, i) => {
    const at = (wide * (i + 0.5)) / LINES;
    const bend = step * (((i * 7) % 5) - 2) * 0.5;
    const curve = [[0, at], [long / 3, at + bend], [(2 * long) / 3, at - bend], [long, at + bend / 2]];
    const [from, ...rest] = curve.map(([along, across]) => (tall ? [x + across, y + along] : [x + along, y + across]).join(" "));
    return `<path d="M${from}C${rest.join(" ")}"/>`;
  });
  return `<defs><linearGradient id="wood" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#c79057"/>
      <stop offset=".5" stop-color="#b57d45"/><stop offset="1" stop-color="#9c6734"/></linearGradient></defs>
    <rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${1.2 * step}" fill="url(#wood)"/>
    <g fill="none" stroke="#6f4520" stroke-opacity=".16" stroke-width="${0.22 * step}">${lines.join("")}</g>
    <rect x="${x + 0.3 * step}" y="${y + 0.3 * step}" width="${width - 0.6 * step}" height="${height - 0.6 * step}"
      rx="${step}" fill="none" stroke="#5e3a1a" stroke-opacity=".35" stroke-width="${0.12 * step}"/>`;
}

/**
 * The lanes: a band for each seat's own, a line after every fifth hole, and a number at every tenth.
 * @param {Api.Board} board
 * @param {Api.Route[]} routes
 * @param {number} step
 * @param {number} turn
 */
export function way(board, routes, step, turn) {
  const first = (/** @type {Api.Route} */ each) => Math.min(...each.way); // seats who share a lane begin it elsewhere
  const lanes = routes.filter((route, i) => routes.findIndex((each) => first(each) === first(route)) === i);
  const middle = (/** @type {number} */ p) => mean(lanes.flatMap(({ way: bits }) => board.holes[bits[p]] ?? []));
  const all = mean(board.holes);
  return lanes.map((route, nth) => {
    const holes = route.way.map((bit) => board.holes[bit]);
    const band = `<path class="lane ${holes[0].seat === null ? "" : `seat-${holes[0].seat}`}" fill="none"
      stroke-width="${0.9 * step}" d="${curve(isClosed(holes, step) ? [...holes, holes[0]] : holes)}"/>`;
    const fives = holes.slice(0, -1).map((hole, i) => (hole.number % BETWEEN ? "" : line(hole, holes[i + 1], step)));
    const isAlone = lanes.length === 1;
    const label = (/** @type {Api.Hole} */ hole, /** @type {number} */ i) =>
      number(hole, isAlone ? within(holes, i, all) : middle(i), step, turn, isAlone ? -1 : 1, holes);
    const tens = holes.map((hole, i) =>
      nth === 0 && hole.number % 10 === 0 && isFirstHere(holes, i, step) ? label(hole, i) : "");
    return band + fives.join("") + tens.join("") + whose(board, route, holes[0].seat, step, turn);
  }).join("");
}

/**
 * The first letter of a lane's colour before its start, for eyes that take two colours for one.
 * @param {Api.Board} board
 * @param {Api.Route} route
 * @param {number | null} seat
 * @param {number} step
 * @param {number} turn
 */
function whose(board, { start }, seat, step, turn) {
  const name = seat === null ? undefined : constants.seats[seat]?.name;
  if (!name) return "";
  const [near, far] = start.map((bit) => board.holes[bit]);
  const { x_mm: x, y_mm: y } = beyond(far, near, 1.1 * step);
  return `<text class="whose-lane" x="${x}" y="${y}" font-size="${0.95 * step}" stroke-width="${0.2 * step}" text-anchor="middle"
    dominant-baseline="central" transform="rotate(${-turn} ${x} ${y})">${name[0]}</text>`;
}

/**
 * Whether the last hole is beside the first.
 * @param {Place[]} holes
 * @param {number} step
 */
const isClosed = (holes, step) => apart(holes[0], holes[holes.length - 1]) < NEXT * step;

/**
 * Whether no hole before it on the way has its number here already: two sides may both end with a 60.
 * @param {Api.Hole[]} holes
 * @param {number} i
 * @param {number} step
 */
const isFirstHere = (holes, i, step) =>
  holes.findIndex((each) => each.number % 10 === 0 && apart(each, holes[i]) < NEXT * step) === i;

/**
 * A smooth line through the holes: at each, it runs as its two neighbours lie.
 * @param {Place[]} holes
 */
function curve(holes) {
  const at = (/** @type {number} */ i) => holes[Math.max(0, Math.min(i, holes.length - 1))];
  const lean = (/** @type {number} */ i, /** @type {keyof Place} */ axis) => (at(i + 1)[axis] - at(i - 1)[axis]) / 6;
  const along = (/** @type {number} */ i, /** @type {number} */ by, /** @type {keyof Place} */ axis) =>
    (at(i)[axis] + by * lean(i, axis)).toFixed(2);
  const point = (/** @type {number} */ i, by = 0) => `${along(i, by, "x_mm")} ${along(i, by, "y_mm")}`;
  return `M${point(0)}` + holes.slice(1).map((_, i) => `C${point(i, 1)},${point(i + 1, -1)},${point(i + 1)}`).join("");
}

/**
 * @param {Place} a
 * @param {Place} b
 */
const apart = (a, b) => Math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm);

/** @param {Place[]} holes */
const mean = (holes) => ({
  x_mm: holes.reduce((sum, hole) => sum + hole.x_mm, 0) / holes.length,
  y_mm: holes.reduce((sum, hole) => sum + hole.y_mm, 0) / holes.length,
});

/**
 * A line across the lane, half way to the next hole, where the next is a neighbour.
 * @param {Place} from
 * @param {Place} to
 * @param {number} step
 */
function line(from, to, step) {
  const far = apart(from, to);
  if (far > NEXT * step) return "";
  const [dx, dy] = [((to.y_mm - from.y_mm) / far) * 0.42 * step, ((from.x_mm - to.x_mm) / far) * 0.42 * step];
  const [x, y] = [(from.x_mm + to.x_mm) / 2, (from.y_mm + to.y_mm) / 2];
  return `<line class="five" x1="${x - dx}" y1="${y - dy}" x2="${x + dx}" y2="${y + dy}" stroke-width="${0.1 * step}"/>`;
}

/**
 * A point straight beside the way at this hole, on the side of `centre`.
 * @param {Place[]} holes
 * @param {number} i
 * @param {Place} centre
 */
function within(holes, i, centre) {
  const [before, hole, after] = [holes[(i || holes.length) - 1], holes[i], holes[(i + 1) % holes.length]];
  const [x, y] = [after.y_mm - before.y_mm, before.x_mm - after.x_mm];
  const side = x * (centre.x_mm - hole.x_mm) + y * (centre.y_mm - hole.y_mm) < 0 ? -1 : 1;
  return { x_mm: hole.x_mm + side * x, y_mm: hole.y_mm + side * y };
}

/**
 * The point so far beyond `to` on the line that comes from `from`.
 * @param {Place} to
 * @param {Place} from
 * @param {number} far
 */
function beyond(to, from, far) {
  const long = apart(to, from) || 1;
  return { x_mm: to.x_mm + ((to.x_mm - from.x_mm) / long) * far, y_mm: to.y_mm + ((to.y_mm - from.y_mm) / long) * far };
}

/**
 * The number beside the lane: away from `inside`, or with `side` −1 towards it. Where it would hide a hole of the
 * lane, as in a corner, it stands further in.
 * @param {Api.Hole} hole
 * @param {Place} inside
 * @param {number} step
 * @param {number} turn
 * @param {1 | -1} side
 * @param {Place[]} holes
 */
function number(hole, inside, step, turn, side, holes) {
  const beside = beyond(hole, inside, side * BESIDE * step);
  const isClear = (/** @type {Place} */ point) => holes.every((each) => apart(each, point) > CLEAR * step);
  const centre = mean(holes);
  const places = [beside, ...FURTHER.map((steps) => beyond(hole, centre, -steps * step))];
  const { x_mm: x, y_mm: y } = places.find(isClear) ?? beside;
  return `<text class="number" x="${x}" y="${y}" font-size="${0.8 * step}" text-anchor="middle" dominant-baseline="central"
    transform="rotate(${-turn} ${x} ${y})">${hole.number}</text>`;
}
