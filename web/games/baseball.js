// 'Round the Bases: a card game, the diamond with its runners, and the dice.

import { combineComponents } from "../core/component.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../core/dom.js";
import { seatName, sideName, sideOf } from "../core/format.js";
import { formatMessage, formatPlural, gettextNoop } from "../core/i18n.js";
import { createDiamond } from "./baseball-diamond.js";
import { cardGame } from "./cribbage.js";
import { deferDuringRoll } from "./dice-animation.js";
import { DiceEntry, ThrownDice } from "./dice.js";
import { resultSentence } from "./game.js";

/** @import { CardSnapshot } from "./cribbage.js" */
/** @typedef {Pick<Api.Snapshot, "points" | "inning" | "half" | "batting" | "outs" | "bases" | "plays" | "due" | "steals" | "runners">} FieldFields */
/** @typedef {Required<Api.DiceDue>} DueDice */
/** @typedef {CardSnapshot & Required<FieldFields> & { due: DueDice | null }} BaseballSnapshot */

const BASE_NAMES = [gettextNoop("home"), gettextNoop("first"), gettextNoop("second"), gettextNoop("third")];
/**
 * Return the name of a base.
 * @param {number} base
 */
const baseName = (base) => formatMessage(BASE_NAMES[base % 4]);

/** @type {import("./game.js").Game} */
export const baseball = {
  ...cardGame,
  key: "bases",
  isRace: false,
  abandonMethod: ({ phase }) => (phase === "over" ? "end" : null),
  turnSentence: (/** @type {BaseballSnapshot} */ snapshot) => (TURN_SENTENCES[snapshot.phase] ?? cardGame.turnSentence)(snapshot),
  Panel: combineComponents(ThrownDice, DiceEntry, StealButtons, InningPanel, cardGame.Panel),
  dealerMark: gettextNoop("bats"),
  pegCounts: () => [[0, 5], [1, 5], [null, 6]],
  progress: () => null,
};

const HALF_NAMES = { top: gettextNoop("top"), bottom: gettextNoop("bottom") };

/** @type {Record<string, (snapshot: BaseballSnapshot) => string>} */
const TURN_SENTENCES = {
  cut: (snapshot) => [isJackCut(snapshot) ? formatMessage("A home run!") : "", formatMessage("{name} bats. Cut the starter.", { name: seatName(snapshot, snapshot.dealer) })].join(" ").trim(),
  between: (snapshot) => formatMessage("{name} bats next.", { name: seatName(snapshot, snapshot.dealer) }),
  roll: (snapshot) => (snapshot.due ? ROLL_SENTENCES[snapshot.due.for](snapshot, snapshot.due, seatName(snapshot, snapshot.turn)) : ""),
  over: resultSentence,
};

/**
 * Whether a jack was cut: then all runners have scored, and the starter is cut again.
 * @param {BaseballSnapshot} snapshot
 */
const isJackCut = ({ last, plays }) => last?.move.type === "starter" && plays.length > 0;

/**
 * Return a runner as part of a sentence.
 * @param {DueDice} due
 */
const describeRunner = ({ from }) => (from ? formatMessage("the runner from {base}", { base: baseName(from) }) : formatMessage("the batter"));

/** @type {Record<DueDice["for"], (snapshot: BaseballSnapshot, due: DueDice, who: string) => string>} */
const ROLL_SENTENCES = {
  bat: (_snapshot, _due, who) => formatMessage("{name} rolls a die. The higher roll bats first.", { name: who }),
  must: (_, due, who) => formatMessage("{name} rolls: a {n} saves {runner}.", { name: who, n: due.number, runner: describeRunner(due) }),
  steal: (_, due, who) => formatMessage("{name} rolls: a {n} steals {base}.", { name: who, n: due.number, base: baseName((due.from ?? 0) + 1) }),
  pickle: (snapshot, due, who) => {
    const saves = sideOf(snapshot, snapshot.turn) === snapshot.batting;
    const words = { name: who, n: due.number, runner: describeRunner(due) };
    return saves ? formatMessage("Pickle: {name} rolls a die. A {n} saves {runner}.", words) : formatMessage("Pickle: {name} rolls a die. A {n} catches {runner}.", words);
  },
};

/**
 * The state of the inning, the diamond, and the last plays.
 * @type {import("../core/component.js").Component}
 */
function InningPanel(el) {
  el.innerHTML = `<h2 class="unseen">${formatMessage("The inning")}</h2>
    <div class="inning"><div class="field"></div><div class="facts"></div></div>`;
  const draw = createDiamond(findElement(el, ".field"));
  return deferDuringRoll((/** @type {BaseballSnapshot} */ snapshot) => {
    const { phase, inning, half, outs, points, plays, batting } = snapshot;
    const scale = points.map((each, side) => `${sideName(snapshot, side)}\u00a0${each}`).join(", ");
    const net = phase === "roll" && batting !== null ? `: ${formatPlural("{n} space", "{n} spaces", points[batting] - points[1 - batting])}` : "";
    draw(snapshot);
    morphHtml(findElement(el, ".facts"), `
      <p><b>${formatMessage("Inning {n}", { n: inning })}</b>, ${formatMessage(HALF_NAMES[half])}${batting === null ? "" : `: ${escapeHtml(formatMessage("{name} bats", { name: sideName(snapshot, batting) }))}`}</p>
      <p><span class="outs" aria-hidden="true">${"●".repeat(outs)}${"○".repeat(3 - outs)}</span> ${formatMessage("{n} out", { n: outs })}</p>
      <p>${escapeHtml(formatMessage("This hand: {points}", { points: scale }))}${net}</p>
      <ul>${plays.map((each) => `<li>${describePlay(each)}</li>`).join("")}</ul>`);
  });
}

/**
 * Return a play as a sentence: "The runner on first: a run."
 * @param {BaseballSnapshot["plays"][number]} play
 */
function describePlay({ from, to, result }) {
  const who = from ? formatMessage("The runner on {base}", { base: baseName(from) }) : formatMessage("The batter");
  return `${who}: ${{ safe: formatMessage("safe on {base}", { base: baseName(to) }), out: formatMessage("out"), run: formatMessage("run scored") }[result]}.`;
}

/**
 * A button for each runner that may steal.
 * @type {import("../core/component.js").Component}
 */
function StealButtons(el, { actions }) {
  el.className = "choices players";
  let seat = 0;
  onButtonClick(el, ({ base }) => actions.makeMove({ type: "steal", seat, base: Number(base) }));
  return deferDuringRoll((/** @type {BaseballSnapshot} */ snapshot) => {
    seat = snapshot.dealer ?? 0;
    morphHtml(el, snapshot.steals.map((base) => stealButton(base, snapshot.batting ?? 0)).join(""));
  });
}

/**
 * Return the button of a steal.
 * @param {number} base
 * @param {number} seat
 */
const stealButton = (base, seat) =>
  `<button type="button" class="button" data-move="steal" data-seat="${seat}" data-base="${base}">
    ${formatMessage("Steal {base}", { base: formatMessage(BASE_NAMES[(base + 1) % 4]) })}</button>`;
