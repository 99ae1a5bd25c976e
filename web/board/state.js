// What a snapshot says of the holes: what is due where, and what is amiss. Pure.

import { holeSpokenName, sideName } from "../core/format.js";
import { formatMessage } from "../core/i18n.js";
import { rollOf, tumbled } from "../games/dice-animation.js";

/**
 * A peg to be drawn; `name` is what it is known by when it moves.
 * @typedef {{ hole: string, seat: number | null, front: boolean, name: string }} Peg
 */
/**
 * What the picture shows. `lit`: how far the first way is lit; `markers`: the colours of Sackson swap's display; the lists
 * below are of hole ids.
 * @typedef {object} State
 * @property {Peg[]} pegs
 * @property {number[] | null} dice
 * @property {(string | null)[] | undefined} markers
 * @property {number} lit
 * @property {boolean} tumbles
 * @property {string} roll
 * @property {string[]} due
 * @property {string[]} lift
 * @property {string[]} wrong
 * @property {string[]} asked
 * @property {string[]} flaky
 * @property {string} label
 */

const AMISS = ["over_pegged", "under_pegged", "wrong_peg", "wrong_track", "other_pegged", "take_off"];

/**
 * How many race: in pursuit the living, whose loop is smaller than that of all who sit there.
 * @param {Api.Snapshot} snapshot
 */
export const racing = ({ alive, game }) => Math.max(2, alive?.length ?? game.seats);

/**
 * @param {Api.Snapshot} snapshot
 * @returns {State}
 */
export function stateOf(snapshot) {
  const { advice, dues } = snapshot;
  const holes = (/** @type {string[]} */ kinds, /** @type {"hole" | "lift" | "place"} */ field) =>
    advice.flatMap((each) => (kinds.includes(each.kind) && each[field] ? [each[field]] : []));
  const guided = dues.length ? [] : ["peg_forward", "peg_back"];
  return {
    pegs: snapshot.markers ? snapshot.markers.map(alone) : [...pairs(snapshot), ...left(snapshot)],
    dice: snapshot.dice ?? [],
    markers: snapshot.display?.flat(),
    lit: snapshot.grid ? snapshot.total ?? 0 : 0,
    tumbles: tumbled(snapshot),
    roll: rollOf(snapshot),
    due: [...dues.map((due) => due.place), ...holes([...guided, "put_back", "set_up"], "place")],
    lift: [...dues.map((due) => due.lift), ...holes([...AMISS, ...guided, "put_back", "set_up"], "lift")],
    wrong: holes(AMISS, "hole"),
    asked: [...holes(["ask", "put_back"], "hole"), ...(snapshot.question?.holes ?? [])],
    flaky: snapshot.quarantined,
    label: label(snapshot),
  };
}

/**
 * The state while dice tumble: as on the board itself, nothing tells how they will fall.
 * @param {Api.Snapshot} snapshot
 */
export const stateUntold = (snapshot) => stateOf({ ...snapshot, dues: [], advice: [], question: null });

/**
 * A peg of a game that is no race; those of no side have the seat null.
 * @param {{ hole: string, seat: number | null }} marker
 */
const alone = ({ hole, seat }) => ({ hole, seat, front: true, name: hole });

/**
 * Pegs of a loop that is over, which are to be taken off or set up on the next.
 * @param {Api.Snapshot} snapshot
 */
const left = ({ pegs, advice }) => {
  const known = new Set(pegs.flatMap(({ back, front }) => [back, front]));
  return advice.flatMap(({ kind, lift, seat }) =>
    ["take_off", "set_up"].includes(kind) && lift && !known.has(lift) ? [alone({ hole: lift, seat })] : []);
};

/** @param {Api.Snapshot} snapshot */
const pairs = ({ pegs }) =>
  pegs.flatMap(({ seat, back, front }) => [
    { hole: back, seat, front: false, name: `${seat}-back` },
    { hole: front, seat, front: true, name: `${seat}-front` },
  ]);

/** @param {Api.Snapshot} snapshot */
function label(snapshot) {
  const pegs = snapshot.pegs.map((each) =>
    formatMessage("{name}: front peg in {front}, back peg in {back}", {
      name: sideName(snapshot, each.seat), front: holeSpokenName(each.front), back: holeSpokenName(each.back),
    }));
  return [formatMessage("The board."), ...pegs].join(" ");
}
