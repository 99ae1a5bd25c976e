// The open question about the pegs, with the likely answers as buttons, and the ruling on the last move in a tournament.

import { escapeHtml, morphHtml, onButtonClick } from "../../core/dom.js";
import { formatMessage } from "../../core/i18n.js";
import { adviceAttributes } from "./pegging-advice.js";

/** The question and its answers. @type {import("../../core/component.js").Component} */
export function Question(el, { actions }) {
  /** @type {Api.Choice[]} */
  let choices = [];
  onButtonClick(el, ({ choice }) => {
    const move = choices[Number(choice)]?.move;
    return move && actions.makeMove(move);
  });
  return ({ question, ruling, advice }) => {
    const ask = advice.find((each) => each.kind === "ask" && each.say === question?.why);
    choices = question?.choices ?? (ruling ? rulingAnswers() : []);
    const why = question?.why ?? (ruling ? formatMessage("Rule {rule}: {say}", { rule: ruling.rule, say: ruling.say }) : "");
    el.hidden = !why;
    morphHtml(el, why
      ? `<h2 ${ask ? adviceAttributes(ask) : ""}>${escapeHtml(why)}</h2><div class="choices">${choices.map(answerLine).join("")}</div>`
      : "");
  };
}

/** @returns {Api.Choice[]} the answers to a ruling */
const rulingAnswers = () => [
  { say: formatMessage("Accept"), move: { type: "rule", accept: true } },
  { say: formatMessage("Waive"), move: { type: "rule", accept: false } },
];

/**
 * @param {Api.Choice} choice
 * @param {number} index
 */
const answerLine = ({ say, move }, index) =>
  move
    ? `<button type="button" class="button players" data-choice="${index}">${escapeHtml(say)}</button>`
    : `<p class="hint">${escapeHtml(say)}</p>`;
