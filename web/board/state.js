// What a snapshot says of the holes: what is due where, and what is amiss. Pure.

import { rollOf, tumbled } from "../tumble.js";
import { holeSpoken, sideName } from "../words.js";

const AMISS = ["over_pegged", "under_pegged", "wrong_peg", "wrong_track", "other_pegged", "take_off"];

/** How many race: in pursuit the living, whose loop is smaller than that of all who sit there. */
export const racing = ({ alive, game }) => Math.max(2, alive?.length ?? game.seats);

/** The state `Picture` shows. */
export function stateOf(snapshot) {
  const holes = (kinds, field) =>
    snapshot.advice.filter((each) => kinds.includes(each.kind) && each[field]).map((each) => each[field]);
  const guided = snapshot.dues.length ? [] : ["peg_forward", "peg_back"];
  return {
    pegs: snapshot.markers ? snapshot.markers.map(alone) : [...pairs(snapshot), ...left(snapshot)],
    dice: snapshot.dice ?? [],
    markers: snapshot.display?.flat(),
    lit: snapshot.grid ? snapshot.total : 0,
    tumbles: tumbled(snapshot),
    roll: rollOf(snapshot),
    due: [...snapshot.dues.map((due) => due.place), ...holes([...guided, "put_back", "set_up"], "place")],
    lift: [...snapshot.dues.map((due) => due.lift), ...holes([...AMISS, ...guided, "put_back", "set_up"], "lift")],
    wrong: holes(AMISS, "hole"),
    asked: [...holes(["ask", "put_back"], "hole"), ...(snapshot.question?.holes ?? [])],
    flaky: snapshot.quarantined ?? [],
    label: label(snapshot),
  };
}

/** The state while dice tumble: as on the board itself, nothing tells how they will fall. */
export const stateUntold = (snapshot) => stateOf({ ...snapshot, dues: [], advice: [], question: null });

/** A peg of a game that is no race; those of no side have the seat null. */
const alone = ({ hole, seat }) => ({ hole, seat, front: true, name: hole });

/** Pegs of a loop that is over, which are to be taken off or set up on the next. */
const left = ({ pegs, advice }) => {
  const known = new Set(pegs.flatMap(({ back, front }) => [back, front]));
  const lying = advice.filter(({ kind, lift }) => ["take_off", "set_up"].includes(kind) && lift && !known.has(lift));
  return lying.map(({ lift, seat }) => ({ hole: lift, seat, front: true, name: lift }));
};

const pairs = ({ pegs }) =>
  pegs.flatMap(({ seat, back, front }) => [
    { hole: back, seat, front: false, name: `${seat}-back` },
    { hole: front, seat, front: true, name: `${seat}-front` },
  ]);

function label(snapshot) {
  const pegs = snapshot.pegs.map((each) =>
    `${sideName(snapshot, each.seat)}: front peg in ${holeSpoken(each.front)}, back peg in ${holeSpoken(each.back)}`);
  return ["The board.", ...pegs].join(" ");
}
