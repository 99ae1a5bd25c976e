// The layout of the board on the screen: size, rotation, wood, lanes with their lines of five, and numbers. Pure.

import { constants } from "../core/constants.js";

/** @typedef {{ x_mm: number, y_mm: number }} Place */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

const HOLES_PER_GROUP = 5;
const GRAIN_LINES = 14;
/** Size of a number, its distance from its hole, and the least distance from any hole, in steps. */
const NUMBER = { size: 0.8, distance: 1.2, clearance: 1.1 };
/** The same for a small picture. */
export const ENLARGED_NUMBER = { size: 1.1, distance: 1.45, clearance: 1.42 };
const FALLBACK_DISTANCES_STEPS = [1.7, 2.2, 2.7, 3.2];
const NEIGHBOUR_LIMIT_STEPS = 1.8; // holes further apart are no neighbours

/**
 * Return the box around the holes and the usual step from hole to hole, in millimetres.
 * @param {Api.Board} board
 * @param {Api.Route[]} routes
 * @param {Place[]} holes
 */
export function measureBoard(board, routes, holes = board.holes) {
  const xs = holes.map((hole) => hole.x_mm);
  const ys = holes.map((hole) => hole.y_mm);
  const steps = routes.flatMap(({ way }) => way.slice(1).map((bit, i) => distance(board.holes[bit], board.holes[way[i]])));
  const step = steps.sort((a, b) => a - b)[Math.floor(steps.length / 4)] ?? 8;
  const edge = 2.2 * step;
  const x = Math.min(...xs) - edge;
  const y = Math.min(...ys) - edge;
  return { step, box: { x, y, width: Math.max(...xs) + edge - x, height: Math.max(...ys) + edge - y } };
}

/**
 * Return the rotation of the view in degrees, a multiple of 90: players across the table see the board upside down.
 * @param {Place[]} holes
 * @param {number} seats
 * @param {number | null} seat
 * @param {boolean} isWide
 */
export function viewRotation(holes, seats, seat, isWide) {
  const span = (/** @type {keyof Place} */ axis) =>
    Math.max(...holes.map((hole) => hole[axis])) - Math.min(...holes.map((hole) => hole[axis]));
  const across = seat !== null && seat >= seats / 2 ? 180 : 0;
  return across + (isWide && span("y_mm") > span("x_mm") ? 90 : 0);
}

/**
 * Return the wood with a grain that is always the same.
 * @param {Box} box
 * @param {number} step
 */
export function renderWood({ x, y, width, height }, step) {
  const tall = height > width;
  const [long, wide] = tall ? [height, width] : [width, height];
  const lines = Array.from({ length: GRAIN_LINES }, (_, i) => {
    const holeAt = (wide * (i + 0.5)) / GRAIN_LINES;
    const bend = step * (((i * 7) % 5) - 2) * 0.5;
    const smoothPath = [[0, holeAt], [long / 3, holeAt + bend], [(2 * long) / 3, holeAt - bend], [long, holeAt + bend / 2]];
    const [from, ...rest] = smoothPath.map(([coordinate, across]) => (tall ? [x + across, y + coordinate] : [x + coordinate, y + across]).join(" "));
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
 * Return the lanes: a band for each seat's own, a line after every fifth hole, and a number at every tenth.
 * @param {Api.Board} board
 * @param {Api.Route[]} routes
 * @param {number} step
 * @param {number} turn
 * @param {typeof NUMBER} number
 */
export function renderLanes(board, routes, step, turn, number = NUMBER) {
  const firstHole = (/** @type {Api.Route} */ each) => Math.min(...each.way); // seats that share a lane start in different holes
  const lanes = routes.filter((route, i) => routes.findIndex((each) => firstHole(each) === firstHole(route)) === i);
  const centreAt = (/** @type {number} */ p) => centroid(lanes.flatMap(({ way: bits }) => board.holes[bits[p]] ?? []));
  const all = centroid(board.holes);
  return lanes.map((route, nth) => {
    const holes = route.way.map((bit) => board.holes[bit]);
    const band = `<path class="lane ${holes[0].seat === null ? "" : `seat-${holes[0].seat}`}" fill="none"
      stroke-width="${0.9 * step}" d="${curve(isClosed(holes, step) ? [...holes, holes[0]] : holes)}"/>`;
    const fives = holes.slice(0, -1).map((hole, i) => (hole.number % HOLES_PER_GROUP ? "" : renderFiveLine(hole, holes[i + 1], step)));
    const isAlone = lanes.length === 1;
    const tenLabel = (/** @type {Api.Hole} */ hole, /** @type {number} */ i) =>
      renderHoleNumber(hole, isAlone ? pointInside(holes, i, all) : centreAt(i), step, turn, isAlone ? -1 : 1, holes, number);
    const tens = holes.map((hole, i) =>
      nth === 0 && hole.number % 10 === 0 && isFirstHere(holes, i, step) ? tenLabel(hole, i) : "");
    return band + fives.join("") + tens.join("") + renderLaneLetter(board, route, holes[0].seat, step, turn);
  }).join("");
}

/**
 * Return the first letter of a lane's colour before its start, for people who cannot tell two colours apart.
 * @param {Api.Board} board
 * @param {Api.Route} route
 * @param {number | null} seat
 * @param {number} step
 * @param {number} turn
 */
function renderLaneLetter(board, { start }, seat, step, turn) {
  const name = seat === null ? undefined : constants.seats[seat]?.name;
  if (!name) return "";
  const [near, far] = start.map((bit) => board.holes[bit]);
  const { x_mm: x, y_mm: y } = pointBeyond(far, near, 1.1 * step);
  return `<text class="whose-lane" x="${x}" y="${y}" font-size="${0.95 * step}" stroke-width="${0.2 * step}" text-anchor="middle"
    dominant-baseline="central" transform="rotate(${-turn} ${x} ${y})">${name[0]}</text>`;
}

/**
 * Whether the last hole of a lane is next to the first.
 * @param {Place[]} holes
 * @param {number} step
 */
const isClosed = (holes, step) => distance(holes[0], holes[holes.length - 1]) < NEIGHBOUR_LIMIT_STEPS * step;

/**
 * Whether no earlier hole of the lane has its number at this place: two sides may both end with a 60.
 * @param {Api.Hole[]} holes
 * @param {number} i
 * @param {number} step
 */
const isFirstHere = (holes, i, step) =>
  holes.findIndex((each) => each.number % 10 === 0 && distance(each, holes[i]) < NEIGHBOUR_LIMIT_STEPS * step) === i;

/** Return a smooth path through the holes: at each hole it is parallel to the line between its neighbours. @param {Place[]} holes */
function curve(holes) {
  const at = (/** @type {number} */ i) => holes[Math.max(0, Math.min(i, holes.length - 1))];
  const slopeAt = (/** @type {number} */ i, /** @type {keyof Place} */ axis) => (at(i + 1)[axis] - at(i - 1)[axis]) / 6;
  const along = (/** @type {number} */ i, /** @type {number} */ by, /** @type {keyof Place} */ axis) =>
    (at(i)[axis] + by * slopeAt(i, axis)).toFixed(2);
  const point = (/** @type {number} */ i, by = 0) => `${along(i, by, "x_mm")} ${along(i, by, "y_mm")}`;
  return `M${point(0)}` + holes.slice(1).map((_, i) => `C${point(i, 1)},${point(i + 1, -1)},${point(i + 1)}`).join("");
}

/**
 * Return the distance of two places in millimetres.
 * @param {Place} a
 * @param {Place} b
 */
const distance = (a, b) => Math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm);

/** @param {Place[]} holes */
const centroid = (holes) => ({
  x_mm: holes.reduce((sum, hole) => sum + hole.x_mm, 0) / holes.length,
  y_mm: holes.reduce((sum, hole) => sum + hole.y_mm, 0) / holes.length,
});

/**
 * Return a line across the lane half way to the next hole, "" if the next hole is no neighbour.
 * @param {Place} from
 * @param {Place} to
 * @param {number} step
 */
function renderFiveLine(from, to, step) {
  const far = distance(from, to);
  if (far > NEIGHBOUR_LIMIT_STEPS * step) return "";
  const [dx, dy] = [((to.y_mm - from.y_mm) / far) * 0.42 * step, ((from.x_mm - to.x_mm) / far) * 0.42 * step];
  const [x, y] = [(from.x_mm + to.x_mm) / 2, (from.y_mm + to.y_mm) / 2];
  return `<line class="five" x1="${x - dx}" y1="${y - dy}" x2="${x + dx}" y2="${y + dy}" stroke-width="${0.1 * step}"/>`;
}

/**
 * Return a point beside the lane at a hole, at a right angle, on the side of `centre`.
 * @param {Place[]} holes
 * @param {number} i
 * @param {Place} centre
 */
function pointInside(holes, i, centre) {
  const [before, hole, after] = [holes[(i || holes.length) - 1], holes[i], holes[(i + 1) % holes.length]];
  const [x, y] = [after.y_mm - before.y_mm, before.x_mm - after.x_mm];
  const side = x * (centre.x_mm - hole.x_mm) + y * (centre.y_mm - hole.y_mm) < 0 ? -1 : 1;
  return { x_mm: hole.x_mm + side * x, y_mm: hole.y_mm + side * y };
}

/**
 * Return the point beyond `to` by the distance `far`, on the line from `from`.
 * @param {Place} to
 * @param {Place} from
 * @param {number} far
 */
function pointBeyond(to, from, far) {
  const long = distance(to, from) || 1;
  return { x_mm: to.x_mm + ((to.x_mm - from.x_mm) / long) * far, y_mm: to.y_mm + ((to.y_mm - from.y_mm) / long) * far };
}

/**
 * Return the number beside the lane: away from `inside`, or towards it with `side` −1. If it would cover a hole of the
 * lane, as in a corner, it moves further in.
 * @param {Api.Hole} hole
 * @param {Place} inside
 * @param {number} step
 * @param {number} turn
 * @param {1 | -1} side
 * @param {Place[]} holes
 * @param {typeof NUMBER} number
 */
function renderHoleNumber(hole, inside, step, turn, side, holes, number) {
  const beside = pointBeyond(hole, inside, side * number.distance * step);
  const isClear = (/** @type {Place} */ point) => holes.every((each) => distance(each, point) > number.clearance * step);
  const centre = centroid(holes);
  const places = [beside, ...FALLBACK_DISTANCES_STEPS.map((steps) => pointBeyond(hole, centre, -steps * step))];
  const { x_mm: x, y_mm: y } = places.find(isClear) ?? beside;
  return `<text class="number" x="${x}" y="${y}" font-size="${number.size * step}" text-anchor="middle" dominant-baseline="central"
    transform="rotate(${-turn} ${x} ${y})">${hole.number}</text>`;
}
