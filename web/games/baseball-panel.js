// The panel of 'Round the Bases: the dice, the runners that may steal, and the inning with its diamond.

import { combineComponents } from "../core/component.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../core/dom.js";
import { sideName } from "../core/format.js";
import { formatMessage, formatPlural, gettextNoop } from "../core/i18n.js";
import { createDiamond } from "./baseball-diamond.js";
import { baseName } from "./baseball-view.js";
import { deferDuringRoll } from "./dice-animation.js";
import { DiceEntry, ThrownDice } from "./dice.js";

/** @import { BaseballSnapshot } from "./baseball.js" */

const HALF_NAMES = { top: gettextNoop("top"), bottom: gettextNoop("bottom") };

/** The state of the inning, the diamond, and the last plays. @type {import("../core/component.js").Component} */
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

/** Return a play as a sentence: "The runner on first: a run." @param {BaseballSnapshot["plays"][number]} play */
function describePlay({ from, to, result }) {
  const who = from ? formatMessage("The runner on {base}", { base: baseName(from) }) : formatMessage("The batter");
  return `${who}: ${{ safe: formatMessage("safe on {base}", { base: baseName(to) }), out: formatMessage("out"), run: formatMessage("run scored") }[result]}.`;
}

/** A button for each runner that may steal. @type {import("../core/component.js").Component} */
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
    ${formatMessage("Steal {base}", { base: baseName(base + 1) })}</button>`;

/** The panel without the cards. */
export const BaseballPanel = combineComponents(ThrownDice, DiceEntry, StealButtons, InningPanel);
