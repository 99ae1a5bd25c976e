// What could not be read from the pegs, with the likely answers one tap away.

import { fill, safe } from "../html.js";
import { marks } from "./pegging.js";

/** The question and its answers. */
export function Question(el, { actions }) {
  let choices = [];
  el.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-choice]");
    if (button) actions.move(choices[Number(button.dataset.choice)].move);
  });
  return ({ question, advice }) => {
    const ask = question && advice.find((each) => each.kind === "ask" && each.say === question.why);
    choices = question?.choices ?? [];
    el.hidden = !question;
    fill(el, question
      ? `<h2 ${ask ? marks(ask) : ""}>${safe(question.why)}</h2><div class="choices">${choices.map(answer).join("")}</div>`
      : "");
  };
}

const answer = ({ say, move }, index) =>
  move
    ? `<button type="button" class="button players" data-choice="${index}">${safe(say)}</button>`
    : `<p class="hint">${safe(say)}</p>`;
