// The dice: the last throw, and the entry of the dice that are due, thrown by hand or rolled here.

import { constants } from "../core/constants.js";
import { morphHtml, onButtonClick } from "../core/dom.js";
import { formatMessage, joinWithAnd } from "../core/i18n.js";
import { deferDuringRoll, rollKey, createDiceAnimation, isAnimatedRoll } from "./dice-animation.js";

const DIE_FACES = [1, 2, 3, 4, 5, 6];
/** Positions of the seven pips of a die, in the order in which the table lists them. */
const PIP_PLACES = [[7, 7], [23, 7], [7, 15], [15, 15], [23, 15], [7, 23], [23, 23]];

/** The last throw. A throw of the table's own dice is animated. @type {import("../core/component.js").Component} */
export function ThrownDice(el) {
  el.className = "thrown";
  el.setAttribute("role", "img");
  const animate = createDiceAnimation((faces) => {
    morphHtml(el, faces.map((face) => `<span class="die-face">${renderFace(face)}</span>`).join(""));
  });
  const name = deferDuringRoll(
    ({ dice = [] }) => el.setAttribute("aria-label", formatMessage("The dice show {dice}.", { dice: joinWithAnd(dice.map(String)) })),
    () => el.setAttribute("aria-label", formatMessage("The dice roll.")),
  );
  return (snapshot) => {
    const dice = snapshot.dice ?? [];
    el.hidden = !dice.length;
    name(snapshot);
    animate(dice, isAnimatedRoll(snapshot), rollKey(snapshot));
  };
}

/** Six faces to tap, one tap for each die that is due. @type {import("../core/component.js").Component} */
export function DiceEntry(el, { actions }) {
  let seat = 0;
  let diceDue = 0;
  let drawnMoment = "";
  let hasButton = false;
  /** @type {number[]} */
  let entered = [];
  onButtonClick(el, ({ face, move }) => {
    if (face) return enterDice([...entered, Number(face)]);
    return move && enterDice([...entered, ...rollDice(diceDue - entered.length)]);
  });

  /** Enter dice; make the move when all are entered. @param {number[]} dice */
  function enterDice(dice) {
    entered = dice.length < diceDue ? dice : [];
    draw();
    return dice.length === diceDue ? actions.makeMove({ type: "roll", seat, dice }) : null;
  }

  function draw() {
    const own = diceDue === 2
      ? hasButton ? formatMessage("Press the dice button, or tap what your two dice show:") : formatMessage("Roll your two dice and tap the numbers.")
      : hasButton ? formatMessage("Press the dice button, or tap what your die shows:") : formatMessage("Roll your die and tap the number.");
    morphHtml(el, `<div class="dice players"><p>${entered.length ? formatMessage("One shows {n}. The other:", { n: entered[0] }) : own}</p>
      <div class="faces">${DIE_FACES.map(faceButton).join("")}</div>
      <button type="button" class="button" data-move="roll" data-seat="${seat}">${entered.length ? formatMessage("Roll the other here") : formatMessage("Roll here")}</button></div>`);
  }

  return deferDuringRoll((snapshot) => {
    const { run, moves, turn, due } = snapshot;
    hasButton = hasDiceButton(snapshot);
    if (drawnMoment !== `${run} ${moves}`) entered = [];
    drawnMoment = `${run} ${moves}`;
    seat = turn ?? 0;
    diceDue = due?.dice ?? 0;
    if (due) draw();
    else morphHtml(el, "");
  }, () => morphHtml(el, ""));
}

/** Whether there is a dice button: a simulated one or one at a board belongs to a board that is read. @param {Api.Snapshot} snapshot */
function hasDiceButton({ devices, game }) {
  const url = devices.buttons?.url ?? "none:";
  return url.startsWith("gpio:") ? url.includes("dice=") : game.pegs !== "plain" && !url.startsWith("none:");
}

/** @param {number} count */
const rollDice = (count) => [...crypto.getRandomValues(new Uint32Array(count))].map((n) => 1 + (n % 6));

/** @param {number} n */
const faceButton = (n) =>
  `<button type="button" class="key" data-face="${n}" aria-label="${n}">${renderFace(n)}</button>`;

/** @param {number} n */
const renderFace = (n) => `<svg viewBox="0 0 30 30" aria-hidden="true">
  ${constants.dice.pips[n].map((i) => `<circle cx="${PIP_PLACES[i][0]}" cy="${PIP_PLACES[i][1]}" r="2.6"/>`).join("")}</svg>`;
