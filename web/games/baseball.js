// 'Round the Bases: a deal, the diamond with its runners, and the dice.

import { combineComponents } from "../core/component.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../core/dom.js";
import { seatName, sideName, sideOf } from "../core/format.js";
import { formatMessage, formatPlural, gettextNoop } from "../core/i18n.js";
import { Diamond } from "./baseball-diamond.js";
import { deal } from "./cribbage.js";
import { Held } from "./dice-animation.js";
import { Dice, Thrown } from "./dice.js";
import { ending } from "./game.js";

/** @import { Dealt } from "./cribbage.js" */
/** @typedef {Pick<Api.Snapshot, "points" | "inning" | "half" | "batting" | "outs" | "bases" | "plays" | "due" | "steals" | "runners">} FieldFields */
/** @typedef {Required<Api.DiceDue>} DueDice */
/** @typedef {Dealt & Required<FieldFields> & { due: DueDice | null }} Fielded */

const BASES = [gettextNoop("home"), gettextNoop("first"), gettextNoop("second"), gettextNoop("third")];
/** @param {number} base */
const baseName = (base) => formatMessage(BASES[base % 4]);

/** @type {import("./game.js").Game} */
export const bases = {
  ...deal,
  key: "bases",
  races: false,
  abandons: ({ phase }) => (phase === "over" ? "end" : null),
  turn: (/** @type {Fielded} */ snapshot) => (SENTENCES[snapshot.phase] ?? deal.turn)(snapshot),
  Panel: combineComponents(Thrown, Dice, Steals, Inning, deal.Panel),
  deals: gettextNoop("bats"),
  pegs: () => [[0, 5], [1, 5], [null, 6]],
  bar: () => null,
};

const HALVES = { top: gettextNoop("top"), bottom: gettextNoop("bottom") };

/** @type {Record<string, (snapshot: Fielded) => string>} */
const SENTENCES = {
  cut: (snapshot) => [isJackCut(snapshot) ? formatMessage("A home run!") : "", formatMessage("{name} bats. Cut the starter.", { name: seatName(snapshot, snapshot.dealer) })].join(" ").trim(),
  between: (snapshot) => formatMessage("{name} bats next.", { name: seatName(snapshot, snapshot.dealer) }),
  roll: (snapshot) => (snapshot.due ? ROLLS[snapshot.due.for](snapshot, snapshot.due, seatName(snapshot, snapshot.turn)) : ""),
  over: ending,
};

/**
 * A jack was cut: everybody has run home, and there is another cut.
 * @param {Fielded} snapshot
 */
const isJackCut = ({ last, plays }) => last?.move.type === "starter" && plays.length > 0;

/** @param {DueDice} due */
const runner = ({ from }) => (from ? formatMessage("the runner from {base}", { base: baseName(from) }) : formatMessage("the batter"));

/** @type {Record<DueDice["for"], (snapshot: Fielded, due: DueDice, who: string) => string>} */
const ROLLS = {
  bat: (_snapshot, _due, who) => formatMessage("{name} rolls one die: the higher bats first.", { name: who }),
  must: (_, due, who) => formatMessage("{name} rolls: a {n} saves {runner}.", { name: who, n: due.number, runner: runner(due) }),
  steal: (_, due, who) => formatMessage("{name} rolls: a {n} steals {base}.", { name: who, n: due.number, base: baseName((due.from ?? 0) + 1) }),
  pickle: (snapshot, due, who) => {
    const saves = sideOf(snapshot, snapshot.turn) === snapshot.batting;
    const words = { name: who, n: due.number, runner: runner(due) };
    return saves ? formatMessage("Pickle: {name} rolls a die. A {n} saves {runner}.", words) : formatMessage("Pickle: {name} rolls a die. A {n} catches {runner}.", words);
  },
};

/**
 * Where the game stands, the diamond, and what the last hit did.
 * @type {import("../core/component.js").Component}
 */
function Inning(el) {
  el.innerHTML = `<h2 class="unseen">${formatMessage("The inning")}</h2>
    <div class="inning"><div class="field"></div><div class="facts"></div></div>`;
  const draw = Diamond(findElement(el, ".field"));
  return Held((/** @type {Fielded} */ snapshot) => {
    const { phase, inning, half, outs, points, plays, batting } = snapshot;
    const scale = points.map((each, side) => `${sideName(snapshot, side)}\u00a0${each}`).join(", ");
    const net = phase === "roll" && batting !== null ? `: ${formatPlural("{n} space", "{n} spaces", points[batting] - points[1 - batting])}` : "";
    draw(snapshot);
    morphHtml(findElement(el, ".facts"), `
      <p><b>${formatMessage("Inning {n}", { n: inning })}</b>, ${formatMessage(HALVES[half])}${batting === null ? "" : `: ${escapeHtml(formatMessage("{name} bats", { name: sideName(snapshot, batting) }))}`}</p>
      <p><span class="outs" aria-hidden="true">${"●".repeat(outs)}${"○".repeat(3 - outs)}</span> ${formatMessage("{n} out", { n: outs })}</p>
      <p>${escapeHtml(formatMessage("This hand: {points}", { points: scale }))}${net}</p>
      <ul>${plays.map((each) => `<li>${play(each)}</li>`).join("")}</ul>`);
  });
}

/**
 * "The runner on first: a run."
 * @param {Fielded["plays"][number]} play
 */
function play({ from, to, result }) {
  const who = from ? formatMessage("The runner on {base}", { base: baseName(from) }) : formatMessage("The batter");
  return `${who}: ${{ safe: formatMessage("safe on {base}", { base: baseName(to) }), out: formatMessage("out"), run: formatMessage("a run") }[result]}.`;
}

/**
 * A button for each runner who may steal.
 * @type {import("../core/component.js").Component}
 */
function Steals(el, { actions }) {
  el.className = "choices players";
  let seat = 0;
  onButtonClick(el, ({ base }) => actions.makeMove({ type: "steal", seat, base: Number(base) }));
  return Held((/** @type {Fielded} */ snapshot) => {
    seat = snapshot.dealer ?? 0;
    morphHtml(el, snapshot.steals.map((base) => steal(base, snapshot.batting ?? 0)).join(""));
  });
}

/**
 * @param {number} base
 * @param {number} seat
 */
const steal = (base, seat) =>
  `<button type="button" class="button" data-move="steal" data-seat="${seat}" data-base="${base}">
    ${formatMessage("Steal {base}", { base: formatMessage(BASES[(base + 1) % 4]) })}</button>`;
