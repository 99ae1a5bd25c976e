// 'Round the Bases: a deal, the diamond with its runners, and the dice.

import { fill, find, pressed, safe, together } from "../html.js";
import { Held } from "../tumble.js";
import { seatName, sideName, sideOf } from "../words.js";
import { ending } from "./any.js";
import { deal } from "./deal.js";
import { Diamond } from "./diamond.js";
import { Dice, Thrown } from "./dice.js";

/** @import { Dealt } from "./deal.js" */
/** @typedef {Pick<Api.Snapshot, "points" | "inning" | "half" | "batting" | "outs" | "bases" | "plays" | "due" | "steals" | "runners">} FieldFields */
/** @typedef {Required<Api.DiceDue>} DueDice */
/** @typedef {Dealt & Required<FieldFields> & { due: DueDice | null }} Fielded */

const BASES = ["home", "first", "second", "third"];

/** @type {import("./any.js").Game} */
export const bases = {
  ...deal,
  key: "bases",
  races: false,
  abandons: ({ phase }) => (phase === "over" ? "end" : null),
  turn: (/** @type {Fielded} */ snapshot) => (SENTENCES[snapshot.phase] ?? deal.turn)(snapshot),
  Panel: together(Thrown, Dice, Steals, Inning, deal.Panel),
  deals: "bats",
  pegs: () => [[0, 5], [1, 5], [null, 6]],
  way: () => null,
};

/** @type {Record<string, (snapshot: Fielded) => string>} */
const SENTENCES = {
  cut: (snapshot) => `${isJackCut(snapshot) ? "A home run! " : ""}${seatName(snapshot, snapshot.dealer)} bats. Cut the starter.`,
  between: (snapshot) => `${seatName(snapshot, snapshot.dealer)} bats next.`,
  roll: (snapshot) => (snapshot.due ? ROLLS[snapshot.due.for](snapshot, snapshot.due, seatName(snapshot, snapshot.turn)) : ""),
  over: ending,
};

/**
 * A jack was cut: everybody has run home, and there is another cut.
 * @param {Fielded} snapshot
 */
const isJackCut = ({ last, plays }) => last?.move.type === "starter" && plays.length > 0;

/** @param {DueDice} due */
const runner = ({ from }) => (from ? `the runner from ${BASES[from]}` : "the batter");

/** @type {Record<DueDice["for"], (snapshot: Fielded, due: DueDice, who: string) => string>} */
const ROLLS = {
  bat: (_snapshot, _due, who) => `${who} rolls one die: the higher bats first.`,
  must: (_, due, who) => `${who} rolls: a ${due.number} saves ${runner(due)}.`,
  steal: (_, due, who) => `${who} rolls: a ${due.number} steals ${BASES[((due.from ?? 0) + 1) % 4]}.`,
  pickle: (snapshot, due, who) => {
    const saves = sideOf(snapshot, snapshot.turn) === snapshot.batting;
    return `Pickle: ${who} rolls a die. A ${due.number} ${saves ? "saves" : "catches"} ${runner(due)}.`;
  },
};

/**
 * Where the game stands, the diamond, and what the last hit did.
 * @type {import("../guard.js").Part}
 */
function Inning(el) {
  el.innerHTML = `<h2 class="unseen">The inning</h2>
    <div class="inning"><div class="field"></div><div class="facts"></div></div>`;
  const draw = Diamond(find(el, ".field"));
  return Held((/** @type {Fielded} */ snapshot) => {
    const { phase, inning, half, outs, points, plays, batting } = snapshot;
    const scale = points.map((each, side) => `${sideName(snapshot, side)}\u00a0${each}`).join(", ");
    const net = phase === "roll" && batting !== null ? `: ${points[batting] - points[1 - batting]} spaces` : "";
    draw(snapshot);
    fill(find(el, ".facts"), `
      <p><b>Inning ${inning}</b>, ${half}${batting === null ? "" : `: ${safe(sideName(snapshot, batting))}\u00a0bats`}</p>
      <p><span class="outs" aria-hidden="true">${"●".repeat(outs)}${"○".repeat(3 - outs)}</span> ${outs} out</p>
      <p>This hand: ${safe(scale)}${net}</p>
      <ul>${plays.map((each) => `<li>${play(each)}</li>`).join("")}</ul>`);
  });
}

/**
 * "The runner on first: a run."
 * @param {Fielded["plays"][number]} play
 */
function play({ from, to, result }) {
  const who = from ? `The runner on ${BASES[from]}` : "The batter";
  return `${who}: ${{ safe: `safe on ${BASES[to % 4]}`, out: "out", run: "a run" }[result]}.`;
}

/**
 * A button for each runner who may steal.
 * @type {import("../guard.js").Part}
 */
function Steals(el, { actions }) {
  el.className = "choices players";
  let seat = 0;
  pressed(el, ({ base }) => actions.move({ type: "steal", seat, base: Number(base) }));
  return Held((/** @type {Fielded} */ snapshot) => {
    seat = snapshot.dealer ?? 0;
    fill(el, snapshot.steals.map((base) => steal(base, snapshot.batting ?? 0)).join(""));
  });
}

/**
 * @param {number} base
 * @param {number} seat
 */
const steal = (base, seat) =>
  `<button type="button" class="button" data-move="steal" data-seat="${seat}" data-base="${base}">
    Steal ${BASES[(base + 1) % 4]}</button>`;
