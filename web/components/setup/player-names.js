// The players' names and peg colours. They are kept for the next games of these seats.

import { constants } from "../../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { formatMessage } from "../../core/i18n.js";

/** A section that unfolds, with a name field and a colour for each seat. @type {import("../../core/component.js").Component} */
export function PlayerNames(el, { actions }) {
  el.innerHTML = `<details><summary>${formatMessage("Names and colours")}</summary><p class="sheet-error" role="alert"></p><div class="name-list"></div></details>`;
  const [rows, error] = [".name-list", ".sheet-error"].map((each) => findElement(el, each));
  /** @type {ColouredPlayer[]} */
  let seated = [];
  onButtonClick(el, async ({ call }) => {
    const seat = Number(call);
    const value = (/** @type {string} */ selector) => /** @type {HTMLInputElement} */ (findElement(el, `${selector}[data-of="${seat}"]`)).value;
    const name = value("input"), isOld = name === seated[seat]?.name; // the table's own name for a seat, such as Red, is not the player's choice
    error.textContent = (await actions.setPlayer({ seat, ...(isOld ? {} : { name }), colour: value("select") })) ?? "";
  });
  return ({ players }) => {
    seated = players;
    morphHtml(rows, players.map((player) => nameRow(player)).join(""));
  };
}

/** @import { ColouredPlayer } from "../../core/seat-colours.js" */

/** @param {ColouredPlayer} player */
function nameRow({ seat, name, colour }) {
  const now = colour ?? constants.seats[seat].colour;
  const colours = constants.seats.map((each) => `<option value="${each.colour}" ${each.colour === now ? "selected" : ""}>${formatMessage(each.colour)}</option>`);
  return `<div class="name-row"><span class="dot seat-${seat}" aria-hidden="true"></span>
    <input type="text" data-of="${seat}" value="${escapeHtml(name)}" maxlength="24" autocomplete="off" aria-label="${formatMessage("Name of seat {n}", { n: seat + 1 })}">
    <select data-of="${seat}" aria-label="${formatMessage("Colour of seat {n}", { n: seat + 1 })}">${colours.join("")}</select>
    <button type="button" class="button" data-call="${seat}" aria-label="${formatMessage("Save the name of seat {n}", { n: seat + 1 })}">${formatMessage("Save")}</button></div>`;
}
