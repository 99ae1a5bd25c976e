// What could not be read from the pegs, with the likely answers one tap away.

import { fill, pressed, safe } from "../core/dom.js";
import { marks } from "./pegging-advice.js";

/**
 * The question and its answers.
 * @type {import("../core/component.js").Part}
 */
export function Question(el, { actions }) {
  /** @type {Api.Choice[]} */
  let choices = [];
  pressed(el, ({ choice }) => {
    const move = choices[Number(choice)]?.move;
    if (move) actions.move(move);
  });
  return ({ question, advice }) => {
    const ask = advice.find((each) => each.kind === "ask" && each.say === question?.why);
    choices = question?.choices ?? [];
    el.hidden = !question;
    fill(el, question
      ? `<h2 ${ask ? marks(ask) : ""}>${safe(question.why)}</h2><div class="choices">${choices.map(answer).join("")}</div>`
      : "");
  };
}

/**
 * @param {Api.Choice} choice
 * @param {number} index
 */
const answer = ({ say, move }, index) =>
  move
    ? `<button type="button" class="button players" data-choice="${index}">${safe(say)}</button>`
    : `<p class="hint">${safe(say)}</p>`;
