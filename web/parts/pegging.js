// What is still to be pegged, and what the pegs say about it.

import { fill, safe } from "../html.js";
import { holeName, sideName } from "../words.js";

const PLAIN = ["peg_forward", "peg_back", "waiting"];

/** The dues, each with its advice, then whatever else is amiss. */
export function Pegging(el) {
  return (snapshot) => {
    const rest = [...snapshot.advice];
    const dues = snapshot.dues.map((due) => {
      const at = rest.findIndex((each) => PLAIN.includes(each.kind) && each.seat === due.seat);
      return dueLine(snapshot, due, at < 0 ? null : rest.splice(at, 1)[0]);
    });
    const amiss = rest.map((each) => `<li class="amiss" ${marks(each)}>${safe(each.say)}</li>`);
    fill(el, dues.length + amiss.length ? `<ul>${amiss.join("")}${dues.join("")}</ul>` : "");
  };
}

const marks = ({ kind }) => `data-advice data-kind="${safe(kind)}"`;

function dueLine(snapshot, due, advice) {
  const words = advice
    ? `<span ${marks(advice)}>${safe(advice.say)}</span>`
    : `<span>${safe(dueWords(snapshot, due))}</span>`;
  return `<li class="due" data-due data-seat="${due.seat}" data-points="${due.points}">
    <span class="badge seat-${due.seat}">${due.points < 0 ? "−" : "+"}${Math.abs(due.points)}</span>${words}</li>`;
}

/** "Red: back peg to 4." */
function dueWords(snapshot, due) {
  const pegs = snapshot.pegs.find((each) => each.seat === due.seat);
  const peg = pegs && pegs.front === due.lift ? "front" : "back";
  return `${sideName(snapshot, due.seat)}: ${peg} peg ${due.points < 0 ? "back " : ""}to ${holeName(due.place)}.`;
}
