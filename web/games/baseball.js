// 'Round the Bases: a deal, the diamond with its runners, and the dice.

import { fill, find, pressed, safe, together } from "../core/dom.js";
import { seatName, sideName, sideOf } from "../core/format.js";
import { phrase, say, sayMany } from "../core/i18n.js";
import { Diamond } from "./baseball-diamond.js";
import { deal } from "./cribbage.js";
import { Held } from "./dice-animation.js";
import { Dice, Thrown } from "./dice.js";
import { ending } from "./game.js";

/** @import { Dealt } from "./cribbage.js" */
/** @typedef {Pick<Api.Snapshot, "points" | "inning" | "half" | "batting" | "outs" | "bases" | "plays" | "due" | "steals" | "runners">} FieldFields */
/** @typedef {Required<Api.DiceDue>} DueDice */
/** @typedef {Dealt & Required<FieldFields> & { due: DueDice | null }} Fielded */

const BASES = [phrase("home"), phrase("first"), phrase("second"), phrase("third")];
/** @param {number} base */
const baseName = (base) => say(BASES[base % 4]);

/** @type {import("./game.js").Game} */
export const bases = {
  ...deal,
  key: "bases",
  races: false,
  abandons: ({ phase }) => (phase === "over" ? "end" : null),
  turn: (/** @type {Fielded} */ snapshot) => (SENTENCES[snapshot.phase] ?? deal.turn)(snapshot),
  Panel: together(Thrown, Dice, Steals, Inning, deal.Panel),
  deals: phrase("bats"),
  pegs: () => [[0, 5], [1, 5], [null, 6]],
  way: () => null,
};

const HALVES = { top: phrase("top"), bottom: phrase("bottom") };

/** @type {Record<string, (snapshot: Fielded) => string>} */
const SENTENCES = {
  cut: (snapshot) => [isJackCut(snapshot) ? say("A home run!") : "", say("{name} bats. Cut the starter.", { name: seatName(snapshot, snapshot.dealer) })].join(" ").trim(),
  between: (snapshot) => say("{name} bats next.", { name: seatName(snapshot, snapshot.dealer) }),
  roll: (snapshot) => (snapshot.due ? ROLLS[snapshot.due.for](snapshot, snapshot.due, seatName(snapshot, snapshot.turn)) : ""),
  over: ending,
};

/**
 * A jack was cut: everybody has run home, and there is another cut.
 * @param {Fielded} snapshot
 */
const isJackCut = ({ last, plays }) => last?.move.type === "starter" && plays.length > 0;

/** @param {DueDice} due */
const runner = ({ from }) => (from ? say("the runner from {base}", { base: baseName(from) }) : say("the batter"));

/** @type {Record<DueDice["for"], (snapshot: Fielded, due: DueDice, who: string) => string>} */
const ROLLS = {
  bat: (_snapshot, _due, who) => say("{name} rolls one die: the higher bats first.", { name: who }),
  must: (_, due, who) => say("{name} rolls: a {n} saves {runner}.", { name: who, n: due.number, runner: runner(due) }),
  steal: (_, due, who) => say("{name} rolls: a {n} steals {base}.", { name: who, n: due.number, base: baseName((due.from ?? 0) + 1) }),
  pickle: (snapshot, due, who) => {
    const saves = sideOf(snapshot, snapshot.turn) === snapshot.batting;
    const words = { name: who, n: due.number, runner: runner(due) };
    return saves ? say("Pickle: {name} rolls a die. A {n} saves {runner}.", words) : say("Pickle: {name} rolls a die. A {n} catches {runner}.", words);
  },
};

/**
 * Where the game stands, the diamond, and what the last hit did.
 * @type {import("../core/component.js").Part}
 */
function Inning(el) {
  el.innerHTML = `<h2 class="unseen">${say("The inning")}</h2>
    <div class="inning"><div class="field"></div><div class="facts"></div></div>`;
  const draw = Diamond(find(el, ".field"));
  return Held((/** @type {Fielded} */ snapshot) => {
    const { phase, inning, half, outs, points, plays, batting } = snapshot;
    const scale = points.map((each, side) => `${sideName(snapshot, side)}\u00a0${each}`).join(", ");
    const net = phase === "roll" && batting !== null ? `: ${sayMany("{n} space", "{n} spaces", points[batting] - points[1 - batting])}` : "";
    draw(snapshot);
    fill(find(el, ".facts"), `
      <p><b>${say("Inning {n}", { n: inning })}</b>, ${say(HALVES[half])}${batting === null ? "" : `: ${safe(say("{name} bats", { name: sideName(snapshot, batting) }))}`}</p>
      <p><span class="outs" aria-hidden="true">${"●".repeat(outs)}${"○".repeat(3 - outs)}</span> ${say("{n} out", { n: outs })}</p>
      <p>${safe(say("This hand: {points}", { points: scale }))}${net}</p>
      <ul>${plays.map((each) => `<li>${play(each)}</li>`).join("")}</ul>`);
  });
}

/**
 * "The runner on first: a run."
 * @param {Fielded["plays"][number]} play
 */
function play({ from, to, result }) {
  const who = from ? say("The runner on {base}", { base: baseName(from) }) : say("The batter");
  return `${who}: ${{ safe: say("safe on {base}", { base: baseName(to) }), out: say("out"), run: say("a run") }[result]}.`;
}

/**
 * A button for each runner who may steal.
 * @type {import("../core/component.js").Part}
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
    ${say("Steal {base}", { base: say(BASES[(base + 1) % 4]) })}</button>`;
