// The open question about the pegs, with the likely answers as buttons.

import { escapeHtml, morphHtml, onButtonClick } from "../core/dom.js";
import { adviceAttributes } from "./pegging-advice.js";

/**
 * The question and its answers.
 * @type {import("../core/component.js").Component}
 */
export function Question(el, { actions }) {
  /** @type {Api.Choice[]} */
  let choices = [];
  onButtonClick(el, ({ choice }) => {
    const move = choices[Number(choice)]?.move;
    if (move) actions.makeMove(move);
  });
  return ({ question, advice }) => {
    const ask = advice.find((each) => each.kind === "ask" && each.say === question?.why);
    choices = question?.choices ?? [];
    el.hidden = !question;
    morphHtml(el, question
      ? `<h2 ${ask ? adviceAttributes(ask) : ""}>${escapeHtml(question.why)}</h2><div class="choices">${choices.map(answerLine).join("")}</div>`
      : "");
  };
}

/**
 * @param {Api.Choice} choice
 * @param {number} index
 */
const answerLine = ({ say, move }, index) =>
  move
    ? `<button type="button" class="button players" data-choice="${index}">${escapeHtml(say)}</button>`
    : `<p class="hint">${escapeHtml(say)}</p>`;
