// 'Round the Bases: a card game with dice, and whose turn it is. The diamond and the dice are loaded with the first game.

import { combineComponents, deferredComponent } from "../core/component.js";
import { seatName, sideOf } from "../core/format.js";
import { formatMessage, gettextNoop } from "../core/i18n.js";
import { baseName } from "./baseball-view.js";
import { cardGame } from "./cribbage.js";
import { resultSentence } from "./game.js";

/** @import { CardSnapshot } from "./cribbage.js" */
/** @typedef {Pick<Api.Snapshot, "points" | "inning" | "half" | "batting" | "outs" | "bases" | "plays" | "due" | "steals" | "runners">} FieldFields */
/** @typedef {Required<Api.DiceDue>} DueDice */
/** @typedef {CardSnapshot & Required<FieldFields> & { due: DueDice | null }} BaseballSnapshot */

/** @type {import("./game.js").Game} */
export const baseball = {
  ...cardGame,
  key: "bases",
  isRace: false,
  abandonMethod: ({ phase }) => (phase === "over" ? "end" : null),
  turnSentence: (/** @type {BaseballSnapshot} */ snapshot) => (TURN_SENTENCES[snapshot.phase] ?? cardGame.turnSentence)(snapshot),
  Panel: combineComponents(deferredComponent(async () => (await import("./baseball-panel.js")).BaseballPanel), cardGame.Panel),
  dealerMark: gettextNoop("bats"),
  pegCounts: () => [[0, 5], [1, 5], [null, 6]],
  progress: () => null,
};

/** @type {Record<string, (snapshot: BaseballSnapshot) => string>} */
const TURN_SENTENCES = {
  cut: (snapshot) => [isJackCut(snapshot) ? formatMessage("A home run!") : "", formatMessage("{name} bats. Cut the starter.", { name: seatName(snapshot, snapshot.dealer) })].join(" ").trim(),
  between: (snapshot) => formatMessage("{name} bats next.", { name: seatName(snapshot, snapshot.dealer) }),
  roll: (snapshot) => (snapshot.due ? ROLL_SENTENCES[snapshot.due.for](snapshot, snapshot.due, seatName(snapshot, snapshot.turn)) : ""),
  over: resultSentence,
};

/** Whether a jack was cut: then all runners have scored, and the starter is cut again. @param {BaseballSnapshot} snapshot */
const isJackCut = ({ last, plays }) => last?.move.type === "starter" && plays.length > 0;

/** Return a runner as part of a sentence. @param {DueDice} due */
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
