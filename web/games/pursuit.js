// Pursuit cribbage: a deal, and how far each is behind the one ahead.

import { combineComponents } from "../core/component.js";
import { constants } from "../core/constants.js";
import { escapeHtml, morphHtml } from "../core/dom.js";
import { seatName } from "../core/format.js";
import { formatMessage, formatPlural, joinWithAnd } from "../core/i18n.js";
import { deal } from "./cribbage.js";

/** @import { Dealt } from "./cribbage.js" */
/** @typedef {Dealt & Required<Pick<Api.Snapshot, "back" | "alive" | "lap">>} Chased */

/** @type {import("./game.js").Game} */
export const pursuit = {
  ...deal,
  key: "pursuit",
  abandons: (/** @type {Chased} */ { alive, game }) => (alive.length === game.seats ? "scores" : null),
  turn: (snapshot) => {
    const out = snapshot.last?.knocked_out;
    if (!out || snapshot.phase === "play") return deal.turn(snapshot);
    const names = joinWithAnd(out.map((seat) => seatName(snapshot, seat)));
    return `${formatPlural("{names} is knocked out.", "{names} are knocked out.", out.length, { names })} ${deal.turn(snapshot)}`;
  },
  Panel: combineComponents(deal.Panel, Chase),
  marks: (/** @type {Chased} */ snapshot, side) => {
    const { alive, scores, lap } = snapshot;
    if (!alive.includes(side)) return formatMessage("out");
    return isFallen(snapshot) ? "" : formatMessage("lap {n}", { n: 1 + Math.floor(scores[side] / lap) });
  },
  pegs: (/** @type {Chased} */ { alive }) => alive.map((seat) => [seat, 2]),
  bar: (/** @type {Chased} */ snapshot, side) =>
    isFallen(snapshot) ? null : { value: snapshot.scores[side] % snapshot.lap, max: snapshot.lap },
};

/**
 * Whether the loop has ended: the scores still stand as they were on it, the living are those of the next.
 * @param {Chased} snapshot
 */
const isFallen = ({ phase, crib, last }) =>
  phase === "over" || (phase === "between" && (crib.length < 4 || Boolean(last?.knocked_out)));

/**
 * How far each of the living is behind the next ahead: [who, whom, how many holes], where it is behind at all.
 * @param {Chased} snapshot
 */
export function gaps({ alive, scores, back, game }) {
  const peg = game.options.capture_peg === "front" ? scores : back;
  return alive.map((seat, place) => {
    const ahead = alive[(place + 1) % alive.length];
    return [seat, ahead, constants.lap + peg[ahead] - scores[seat]];
  }).filter(([, , needs]) => needs > 0);
}

/**
 * "Red needs 14 to catch Blue", for each of the living and the next ahead.
 * @type {import("../core/component.js").Component}
 */
function Chase(el) {
  return (/** @type {Chased} */ snapshot) => {
    const name = (/** @type {number} */ seat) =>
      `<span class="dot seat-${seat}" aria-hidden="true"></span> ${escapeHtml(seatName(snapshot, seat))}`;
    const rows = gaps(snapshot).map(([hunter, hunted, needs]) =>
      `<li>${formatMessage("{hunter} needs {n} to catch {hunted}", { hunter: name(hunter), n: `<b>${needs}</b>`, hunted: name(hunted) })}</li>`);
    const isOn = snapshot.alive.length > 1 && !isFallen(snapshot);
    morphHtml(el, isOn ? `<ul class="chase" aria-label="${formatMessage("The chase")}">${rows.join("")}</ul>` : "");
  };
}
