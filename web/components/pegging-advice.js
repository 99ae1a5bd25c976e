// What is still to be pegged, and what the pegs say about it.

import { fill, safe } from "../core/dom.js";
import { holeFull, holeName, isShared, sideName } from "../core/format.js";
import { say, sayMany } from "../core/i18n.js";
import { Held } from "../games/dice-animation.js";

const MOST = 3;
const PLAIN = ["peg_forward", "peg_back", "waiting"];

/**
 * What is amiss, then the dues, each with its advice. A sentence is said once, then what there is to do.
 * @type {import("../core/component.js").Part}
 */
export function Pegging(el) {
  return Held((snapshot) => {
    const told = new Set([snapshot.question?.why]);
    const rest = snapshot.advice.filter((each) => !(each.kind === "ask" && told.has(each.say)));
    const dues = snapshot.dues.map((due) => {
      const at = rest.findIndex((each) => PLAIN.includes(each.kind) && each.seat === due.seat);
      const astray = rest.find((each) => each.seat === due.seat && each.lift && each.lift !== due.lift && each.place === due.place);
      return dueLine(snapshot, due, at < 0 ? undefined : rest.splice(at, 1)[0], astray);
    });
    const lines = rest.map((each) => {
      const words = each.say === snapshot.question?.why ? carried(each) : told.has(each.say) ? say("The other one too.") : each.say;
      told.add(each.say);
      return `<li class="${PLAIN.includes(each.kind) ? "todo" : "amiss"}" ${marks(each)}>${safe(words)}</li>`;
    });
    fill(el, folded([...lines, ...dues], el.querySelector("details")?.open ?? false));
  });
}

/**
 * All lines, or where they are many the first ones, and the rest folded away.
 * @param {string[]} lines
 * @param {boolean} open
 */
function folded(lines, open) {
  if (!lines.length) return "";
  if (lines.length <= MOST) return `<ul>${lines.join("")}</ul>`;
  const rest = lines.slice(MOST - 1);
  return `<ul>${lines.slice(0, MOST - 1).join("")}</ul><details ${open ? "open" : ""}>
    <summary>${sayMany("{n} more peg", "{n} more pegs", rest.length)}</summary><ul>${rest.join("")}</ul></details>`;
}

/**
 * The attributes by which an advice is known.
 * @param {Api.Advice} advice
 */
export const marks = ({ kind }) => `data-advice data-kind="${safe(kind)}"`;

/**
 * @param {Api.Snapshot} snapshot
 * @param {Api.Due} due
 * @param {Api.Advice | undefined} advice
 * @param {Api.Advice | undefined} astray
 */
function dueLine(snapshot, due, advice, astray) {
  const words = advice
    ? `<span ${marks(advice)}>${safe(advice.say)}</span>`
    : `<span>${safe(astray ? `${sideName(snapshot, due.seat)}: ${moved(astray)}` : dueWords(snapshot, due))}</span>`;
  return `<li class="due" data-due data-seat="${due.seat}" data-points="${due.points}">
    <span class="badge seat-${due.seat}">${due.points < 0 ? "−" : "+"}${Math.abs(due.points)}</span>${words}</li>`;
}

/**
 * "4"; where several race through it, the hole that the board and its picture show.
 * @param {string} id
 */
const goal = (id) => (isShared(id) ? say("the lit hole") : holeName(id));

/**
 * "Red: back peg to 4."
 * @param {Api.Snapshot} snapshot
 * @param {Api.Due} due
 */
function dueWords(snapshot, due) {
  const pegs = snapshot.pegs.find((each) => each.seat === due.seat);
  const where = due.points < 0 ? say("back to {hole}", { hole: goal(due.place) }) : say("to {hole}", { hole: goal(due.place) });
  const words = { name: sideName(snapshot, due.seat), where };
  return pegs?.front === due.lift ? say("{name}: front peg {where}.", words) : say("{name}: back peg {where}.", words);
}

/**
 * "from 5 to 4."
 * @param {Api.Advice} advice
 */
const moved = ({ lift = "", place = "" }) =>
  isShared(place) ? say("the peg that stands wrong to the lit hole.") : say("from {here} to {there}.", { here: holeName(lift), there: holeName(place) });

/**
 * "From 6 back to the start."
 * @param {Api.Advice} advice
 */
function carried({ lift, place, say: told }) {
  if (lift && place) return isShared(place) ? say("Back to the lit hole.") : say("From {here} back to {there}.", { here: holeName(lift), there: holeName(place) });
  if (place) return say("A peg belongs in {hole}.", { hole: holeFull(place) });
  return lift ? say("Take the peg out of {hole}.", { hole: holeFull(lift) }) : told;
}
