// The state of each hole in a snapshot: pegs, dues and problems. Pure.

import { holeSpokenName, sideName } from "../core/format.js";
import { formatMessage } from "../core/i18n.js";
import { rollKey, isAnimatedRoll } from "../games/dice-animation.js";

/**
 * A peg to draw; `name` identifies it when it moves.
 * @typedef {{ hole: string, seat: number | null, front: boolean, name: string }} Peg
 */
/**
 * What the picture shows. `lit`: number of lit holes of the first route; `markers`: the colours of the Sackson display;
 * the lists below hold hole ids.
 * @typedef {object} BoardState
 * @property {Peg[]} pegs
 * @property {number[] | null} dice
 * @property {(string | null)[] | undefined} markers
 * @property {number} lit
 * @property {boolean} isRolling
 * @property {string} roll
 * @property {string[]} due
 * @property {string[]} lift
 * @property {string[]} wrong
 * @property {string[]} asked
 * @property {string[]} flaky
 * @property {string} label
 */

const PROBLEM_ADVICE = ["over_pegged", "under_pegged", "wrong_peg", "wrong_track", "other_pegged", "take_off"];

/** Return the number of racers; in pursuit only those still in the game, whose loop is smaller. @param {Api.Snapshot} snapshot */
export const countRacers = ({ alive, game }) => Math.max(2, alive?.length ?? game.seats);

/**
 * Return the state of the board in a snapshot.
 * @param {Api.Snapshot} snapshot
 * @returns {BoardState}
 */
export function boardState(snapshot) {
  const { advice, dues } = snapshot;
  const adviceHoles = (/** @type {string[]} */ kinds, /** @type {"hole" | "lift" | "place"} */ field) =>
    advice.flatMap((each) => (kinds.includes(each.kind) && each[field] ? [each[field]] : []));
  const pegAdvice = dues.length ? [] : ["peg_forward", "peg_back"];
  return {
    pegs: snapshot.markers ? snapshot.markers.map(markerPeg) : [...racePegs(snapshot), ...leftoverPegs(snapshot)],
    dice: snapshot.dice ?? [],
    markers: snapshot.display?.flat(),
    lit: snapshot.grid ? snapshot.total ?? 0 : 0,
    isRolling: isAnimatedRoll(snapshot),
    roll: rollKey(snapshot),
    due: [...dues.map((due) => due.place), ...adviceHoles([...pegAdvice, "put_back", "set_up"], "place")],
    lift: [...dues.map((due) => due.lift), ...adviceHoles([...PROBLEM_ADVICE, ...pegAdvice, "put_back", "set_up"], "lift")],
    wrong: adviceHoles(PROBLEM_ADVICE, "hole"),
    asked: [...adviceHoles(["ask", "put_back"], "hole"), ...(snapshot.question?.holes ?? [])],
    flaky: snapshot.quarantined,
    label: describePegs(snapshot),
  };
}

/** Return the state while dice roll: like the board itself, it does not give away the result. @param {Api.Snapshot} snapshot */
export const boardStateDuringRoll = (snapshot) => boardState({ ...snapshot, dues: [], advice: [], question: null });

/** Return a peg of a marker game; a peg that belongs to no side has the seat null. @param {{ hole: string, seat: number | null }} marker */
const markerPeg = ({ hole, seat }) => ({ hole, seat, front: true, name: hole });

/** Return pegs of a finished loop, which are to be taken off or set up on the next one. @param {Api.Snapshot} snapshot */
const leftoverPegs = ({ pegs, advice }) => {
  const known = new Set(pegs.flatMap(({ back, front }) => [back, front]));
  return advice.flatMap(({ kind, lift, seat }) =>
    ["take_off", "set_up"].includes(kind) && lift && !known.has(lift) ? [markerPeg({ hole: lift, seat })] : []);
};

/** @param {Api.Snapshot} snapshot */
const racePegs = ({ pegs }) =>
  pegs.flatMap(({ seat, back, front }) => [
    { hole: back, seat, front: false, name: `${seat}-back` },
    { hole: front, seat, front: true, name: `${seat}-front` },
  ]);

/** Return the description of the pegs for screen readers. @param {Api.Snapshot} snapshot */
function describePegs(snapshot) {
  const pegs = snapshot.pegs.map((each) =>
    formatMessage("{name}: front peg in {front}, back peg in {back}", {
      name: sideName(snapshot, each.seat), front: holeSpokenName(each.front), back: holeSpokenName(each.back),
    }));
  return [formatMessage("The board."), ...pegs].join(" ");
}
