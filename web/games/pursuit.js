// Pursuit cribbage: a card game, and how far each player is behind the next.

import { combineComponents } from "../core/component.js";
import { constants } from "../core/constants.js";
import { escapeHtml, morphHtml } from "../core/dom.js";
import { seatName } from "../core/format.js";
import { formatMessage, formatPlural, joinWithAnd } from "../core/i18n.js";
import { cardGame } from "./cribbage.js";

/** @import { CardSnapshot } from "./cribbage.js" */
/** @typedef {CardSnapshot & Required<Pick<Api.Snapshot, "back" | "alive" | "lap">>} PursuitSnapshot */

/** @type {import("./game.js").Game} */
export const pursuit = {
  ...cardGame,
  key: "pursuit",
  abandonMethod: (/** @type {PursuitSnapshot} */ { alive, game }) => (alive.length === game.seats ? "scores" : null),
  turnSentence: (snapshot) => {
    const out = snapshot.last?.knocked_out;
    if (!out || snapshot.phase === "play") return cardGame.turnSentence(snapshot);
    const names = joinWithAnd(out.map((seat) => seatName(snapshot, seat)));
    return `${formatPlural("{names} is knocked out.", "{names} are knocked out.", out.length, { names })} ${cardGame.turnSentence(snapshot)}`;
  },
  Panel: combineComponents(cardGame.Panel, ChaseList),
  sideMark: (/** @type {PursuitSnapshot} */ snapshot, side) => {
    const { alive, scores, lap } = snapshot;
    if (!alive.includes(side)) return formatMessage("out");
    return isLoopOver(snapshot) ? "" : formatMessage("lap {n}", { n: 1 + Math.floor(scores[side] / lap) });
  },
  pegCounts: (/** @type {PursuitSnapshot} */ { alive }) => alive.map((seat) => [seat, 2]),
  progress: (/** @type {PursuitSnapshot} */ snapshot, side) =>
    isLoopOver(snapshot) ? null : { value: snapshot.scores[side] % snapshot.lap, max: snapshot.lap },
};

/**
 * Whether the loop has ended: then the scores are still those of it, but `alive` lists the players of the next one.
 * @param {PursuitSnapshot} snapshot
 */
const isLoopOver = ({ phase, crib, last }) =>
  phase === "over" || (phase === "between" && (crib.length < 4 || Boolean(last?.knocked_out)));

/** Return how far each player is behind the next: [seat, next seat, holes], if behind at all. @param {PursuitSnapshot} snapshot */
export function captureGaps({ alive, scores, back, game }) {
  const peg = game.options.capture_peg === "front" ? scores : back;
  return alive.map((seat, place) => {
    const ahead = alive[(place + 1) % alive.length];
    return [seat, ahead, constants.lap + peg[ahead] - scores[seat]];
  }).filter(([, , needs]) => needs > 0);
}

/** The list of gaps: "Red needs 14 to catch Blue". @type {import("../core/component.js").Component} */
function ChaseList(el) {
  return (/** @type {PursuitSnapshot} */ snapshot) => {
    const name = (/** @type {number} */ seat) =>
      `<span class="dot seat-${seat}" aria-hidden="true"></span> ${escapeHtml(seatName(snapshot, seat))}`;
    const rows = captureGaps(snapshot).map(([hunter, hunted, needs]) =>
      `<li>${formatMessage("{hunter} needs {n} to catch {hunted}", { hunter: name(hunter), n: `<b>${needs}</b>`, hunted: name(hunted) })}</li>`);
    const isOn = snapshot.alive.length > 1 && !isLoopOver(snapshot);
    morphHtml(el, isOn ? `<ul class="chase" aria-label="${formatMessage("The chase")}">${rows.join("")}</ul>` : "");
  };
}
