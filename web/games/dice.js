// The dice: what they show, and those that are due: one's own, entered by tapping what they show, or rolled here.

import { constants } from "../core/constants.js";
import { morphHtml, onButtonClick } from "../core/dom.js";
import { formatMessage, joinWithAnd } from "../core/i18n.js";
import { Held, rollOf, Tumble, tumbled } from "./dice-animation.js";

const FACES = [1, 2, 3, 4, 5, 6];
/** Where a die's seven pips lie, in the order in which the table names them. */
const PLACES = [[7, 7], [23, 7], [7, 15], [15, 15], [23, 15], [7, 23], [23, 23]];

/**
 * The dice that were thrown last, large; they tumble where the table's own cup threw them.
 * @type {import("../core/component.js").Component}
 */
export function Thrown(el) {
  el.className = "thrown";
  el.setAttribute("role", "img");
  const tumble = Tumble((faces) => {
    morphHtml(el, faces.map((face) => `<span class="die-face">${pips(face)}</span>`).join(""));
  });
  const name = Held(
    ({ dice = [] }) => el.setAttribute("aria-label", formatMessage("The dice show {dice}.", { dice: joinWithAnd(dice.map(String)) })),
    () => el.setAttribute("aria-label", formatMessage("The dice roll.")),
  );
  return (snapshot) => {
    const dice = snapshot.dice ?? [];
    el.hidden = !dice.length;
    name(snapshot);
    tumble(dice, tumbled(snapshot), rollOf(snapshot));
  };
}

/**
 * Six faces to tap, as often as dice are due.
 * @type {import("../core/component.js").Component}
 */
export function Dice(el, { actions }) {
  let seat = 0;
  let wanted = 0;
  let made = "";
  /** @type {number[]} */
  let first = [];
  onButtonClick(el, ({ face, move }) => {
    if (face) enter([...first, Number(face)]);
    else if (move) enter([...first, ...rolled(wanted - first.length)]);
  });

  /** @param {number[]} dice */
  function enter(dice) {
    first = dice.length < wanted ? dice : [];
    if (dice.length === wanted) actions.makeMove({ type: "roll", seat, dice });
    draw();
  }

  function draw() {
    const own = wanted === 2 ? formatMessage("Press the dice button, or tap what your two dice show:") : formatMessage("Press the dice button, or tap what your die shows:");
    morphHtml(el, `<div class="dice players"><p>${first.length ? formatMessage("One shows {n}. The other:", { n: first[0] }) : own}</p>
      <div class="faces">${FACES.map(key).join("")}</div>
      <button type="button" class="button" data-move="roll" data-seat="${seat}">${first.length ? formatMessage("Roll the other here") : formatMessage("Roll here")}</button></div>`);
  }

  return Held(({ run, moves, turn, due }) => {
    if (made !== `${run} ${moves}`) first = [];
    made = `${run} ${moves}`;
    seat = turn ?? 0;
    wanted = due?.dice ?? 0;
    if (due) draw();
    else morphHtml(el, "");
  }, () => morphHtml(el, ""));
}

/** @param {number} count */
const rolled = (count) => [...crypto.getRandomValues(new Uint32Array(count))].map((n) => 1 + (n % 6));

/** @param {number} n */
const key = (n) =>
  `<button type="button" class="key" data-face="${n}" aria-label="${n}">${pips(n)}</button>`;

/** @param {number} n */
const pips = (n) => `<svg viewBox="0 0 30 30" aria-hidden="true">
  ${constants.dice.pips[n].map((i) => `<circle cx="${PLACES[i][0]}" cy="${PLACES[i][1]}" r="2.6"/>`).join("")}</svg>`;
