// The dice: what they show, and those that are due: one's own, entered by tapping what they show, or rolled here.

import { fill } from "../html.js";
import { Held, rollOf, Tumble, tumbled } from "../tumble.js";

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
const FACES = [1, 2, 3, 4, 5, 6];

/** The dice that were thrown last, large; they tumble where the table's own cup threw them. */
export function Thrown(el) {
  el.className = "thrown";
  const tumble = Tumble((faces) => {
    fill(el, faces.map((face) => `<span class="die-face">${pips(face)}</span>`).join(""));
  });
  const name = Held(
    ({ dice = [] }) => el.setAttribute("aria-label", `The dice show ${dice.join(" and ")}.`),
    () => el.setAttribute("aria-label", "The dice roll."),
  );
  return (snapshot) => {
    const dice = snapshot.dice ?? [];
    el.hidden = !dice.length;
    el.setAttribute("role", "img");
    name(snapshot);
    tumble(dice, tumbled(snapshot), rollOf(snapshot));
  };
}

/** Six faces to tap, as often as dice are due. */
export function Dice(el, { actions }) {
  let due = null;
  let moves = null;
  let first = [];
  el.addEventListener("click", (event) => {
    const { face, move } = event.target.closest("button")?.dataset ?? {};
    if (face) enter([...first, Number(face)]);
    else if (move) enter([...first, ...rolled(due.dice - first.length)]);
  });

  function enter(dice) {
    first = dice.length < due.dice ? dice : [];
    if (dice.length === due.dice) actions.move({ type: "roll", seat: due.seat, dice });
    draw();
  }

  function draw() {
    const own = due.dice === 2 ? "Press the dice button, or tap what your two dice show:" : "Press the dice button, or tap what your die shows:";
    fill(el, `<div class="dice players"><p>${first.length ? `One shows ${first[0]}. The other:` : own}</p>
      <div class="faces">${FACES.map((n) => key(n)).join("")}</div>
      <button type="button" class="button" data-move="roll" data-seat="${due.seat}">Roll ${first.length ? "the other " : ""}here</button></div>`);
  }

  return Held((snapshot) => {
    if (moves !== `${snapshot.run} ${snapshot.moves}`) first = [];
    moves = `${snapshot.run} ${snapshot.moves}`;
    due = snapshot.due && { ...snapshot.due, seat: snapshot.turn };
    if (due) draw();
    else fill(el, "");
  }, () => fill(el, ""));
}

const rolled = (count) => [...crypto.getRandomValues(new Uint32Array(count))].map((n) => 1 + (n % 6));

const key = (n) =>
  `<button type="button" class="key" data-face="${n}" aria-label="${n}">${pips(n)}</button>`;

const pips = (n) => `<svg viewBox="0 0 30 30" aria-hidden="true">
  ${PIPS[n].map((i) => `<circle cx="${7 + 8 * (i % 3)}" cy="${7 + 8 * Math.floor(i / 3)}" r="2.6"/>`).join("")}</svg>`;
