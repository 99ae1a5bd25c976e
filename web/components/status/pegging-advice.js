// The scores still to be pegged, problems with the pegs, and the open question about them or the ruling on the last move.

import { escapeHtml, morphHtml, onButtonClick } from "../../core/dom.js";
import { holeFullName, holeName, isShared, sideName } from "../../core/format.js";
import { formatMessage, formatPlural } from "../../core/i18n.js";
import { deferDuringRoll } from "../../games/dice-animation.js";

const MAX_UNFOLDED = 3;
const ROUTINE_ADVICE = ["peg_forward", "peg_back", "waiting"];

/**
 * Problems first, then the dues, each with its advice. A sentence that several pegs share is shown once.
 * @type {import("../../core/component.js").Component}
 */
export function PeggingAdvice(el) {
  return deferDuringRoll((snapshot) => {
    const shown = new Set([snapshot.question?.why]);
    const rest = snapshot.advice.filter((each) => !(each.kind === "ask" && shown.has(each.say)));
    const dues = snapshot.dues.map((due) => {
      const at = rest.findIndex((each) => ROUTINE_ADVICE.includes(each.kind) && each.seat === due.seat);
      const misplaced = rest.find((each) => each.seat === due.seat && each.lift && each.lift !== due.lift && each.place === due.place);
      return dueLine(snapshot, due, at < 0 ? undefined : rest.splice(at, 1)[0], misplaced);
    });
    const lines = rest.map((each) => {
      const words = shown.has(each.say) ? describePutBack(each) : each.say;
      shown.add(each.say);
      return `<li class="${ROUTINE_ADVICE.includes(each.kind) ? "todo" : "problem"}" ${adviceAttributes(each)}>${escapeHtml(words)}</li>`;
    });
    morphHtml(el, foldLines([...lines, ...dues], el.querySelector("details")?.open ?? false));
  });
}

/**
 * Return all lines; of a long list the first ones, with the rest folded.
 * @param {string[]} lines
 * @param {boolean} open
 */
function foldLines(lines, open) {
  if (!lines.length) return "";
  if (lines.length <= MAX_UNFOLDED) return `<ul>${lines.join("")}</ul>`;
  const rest = lines.slice(MAX_UNFOLDED - 1);
  return `<ul>${lines.slice(0, MAX_UNFOLDED - 1).join("")}</ul><details ${open ? "open" : ""}>
    <summary>${formatPlural("{n} more peg", "{n} more pegs", rest.length)}</summary><ul>${rest.join("")}</ul></details>`;
}

/** @param {Api.Advice} advice */
export const adviceAttributes = ({ kind }) => `data-advice data-kind="${escapeHtml(kind)}"`;

/**
 * Return the line of a due.
 * @param {Api.Snapshot} snapshot
 * @param {Api.Due} due
 * @param {Api.Advice | undefined} advice
 * @param {Api.Advice | undefined} misplaced
 */
function dueLine(snapshot, due, advice, misplaced) {
  const words = advice
    ? `<span ${adviceAttributes(advice)}>${escapeHtml(advice.say)}</span>`
    : `<span>${escapeHtml(misplaced ? `${sideName(snapshot, due.seat)}: ${describeMisplaced(misplaced)}` : describeDue(snapshot, due))}</span>`;
  return `<li class="due" data-due data-seat="${due.seat}" data-points="${due.points}">
    <span class="badge seat-${due.seat}">${due.points < 0 ? "−" : "+"}${Math.abs(due.points)}</span>${words}</li>`;
}

/** Return the name of a target hole: "4"; for a hole shared by several tracks, a reference to its light. @param {string} id */
const targetName = (id) => (isShared(id) ? formatMessage("the lit hole") : holeName(id));

/**
 * Return the text of a due: "Red: back peg to 4."
 * @param {Api.Snapshot} snapshot
 * @param {Api.Due} due
 */
function describeDue(snapshot, due) {
  const pegs = snapshot.pegs.find((each) => each.seat === due.seat);
  const where = due.points < 0 ? formatMessage("back to {hole}", { hole: targetName(due.place) }) : formatMessage("to {hole}", { hole: targetName(due.place) });
  const words = { name: sideName(snapshot, due.seat), where };
  return pegs?.front === due.lift ? formatMessage("{name}: front peg {where}.", words) : formatMessage("{name}: back peg {where}.", words);
}

/** Return the text for a peg in a wrong hole: "from 5 to 4." @param {Api.Advice} advice */
const describeMisplaced = ({ lift = "", place = "" }) =>
  isShared(place) ? formatMessage("misplaced peg to the lit hole.") : formatMessage("from {here} to {there}.", { here: holeName(lift), there: holeName(place) });

/** Return the text for a peg to be put back: "From 6 back to the start." @param {Api.Advice} advice */
function describePutBack({ lift, place, say: fallback }) {
  if (lift && place) return isShared(place) ? formatMessage("Back to the lit hole.") : formatMessage("From {here} back to {there}.", { here: holeName(lift), there: holeName(place) });
  if (place) return formatMessage("A peg belongs in {hole}.", { hole: holeFullName(place) });
  return lift ? formatMessage("Take the peg out of {hole}.", { hole: holeFullName(lift) }) : fallback;
}

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
