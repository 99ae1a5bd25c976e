// Pursuit cribbage: a deal, and how far each is behind the one ahead.

import { fill, safe, together } from "../html.js";
import { seatName } from "../words.js";
import { deal } from "./deal.js";

const SIDE = 30;

export const pursuit = {
  ...deal,
  key: "pursuit",
  abandons: ({ alive, game }) => (alive.length === game.seats ? "scores" : null),
  turn: (snapshot) => {
    const out = snapshot.last?.knocked_out;
    if (!out || snapshot.phase === "play") return deal.turn(snapshot);
    return `${out.map((seat) => seatName(snapshot, seat)).join(" and ")} ${out.length > 1 ? "are" : "is"} knocked out. ${deal.turn(snapshot)}`;
  },
  Panel: together(deal.Panel, Chase),
  marks: (snapshot, side) => {
    const { alive, scores, lap } = snapshot;
    if (!alive.includes(side)) return "out";
    return fallen(snapshot) ? "" : `lap ${1 + Math.floor(scores[side] / lap)}`;
  },
  pegs: ({ alive }) => alive.map((seat) => [seat, 2]),
  way: (snapshot, side) => (fallen(snapshot) ? null : { value: snapshot.scores[side] % snapshot.lap, max: snapshot.lap }),
};

/** Whether the loop has ended: the scores still stand as they were on it, the living are those of the next. */
const fallen = ({ phase, crib, last }) =>
  phase === "over" || (phase === "between" && (crib.length < 4 || Boolean(last?.knocked_out)));

/** "Red needs 14 to catch Blue", for each of the living and the next ahead. */
function Chase(el) {
  return (snapshot) => {
    const { alive, scores, back, game } = snapshot;
    const peg = game.options.capture_peg === "front" ? scores : back;
    const rows = alive.map((seat, place) => {
      const ahead = alive[(place + 1) % alive.length];
      const needs = SIDE + peg[ahead] - scores[seat];
      const [hunter, hunted] = [seat, ahead].map((each) => name(snapshot, each));
      return needs > 0 ? `<li>${hunter} needs <b>${needs}</b> to catch ${hunted}</li>` : "";
    });
    fill(el, alive.length > 1 && !fallen(snapshot) ? `<ul class="chase" aria-label="The chase">${rows.join("")}</ul>` : "");
  };
}

const name = (snapshot, seat) => `<span class="dot seat-${seat}" aria-hidden="true"></span> ${safe(seatName(snapshot, seat))}`;
