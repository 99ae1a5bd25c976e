// The players' names and peg colours. They are kept for the next games of these seats.

import { constants } from "../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../core/dom.js";
import { formatMessage } from "../core/i18n.js";

/**
 * A section that unfolds, with a name field and a colour for each seat.
 * @type {import("../core/component.js").Component}
 */
export function PlayerNames(el, { actions }) {
  el.innerHTML = `<details><summary>${formatMessage("Names and colours")}</summary><p class="sheet-error" role="alert"></p><div class="name-list"></div></details>`;
  const [rows, error] = [".name-list", ".sheet-error"].map((each) => findElement(el, each));
  onButtonClick(el, async ({ call }) => {
    const seat = Number(call);
    const value = (/** @type {string} */ selector) => /** @type {HTMLInputElement} */ (findElement(el, `${selector}[data-of="${seat}"]`)).value;
    error.textContent = (await actions.setPlayer({ seat, name: value("input"), colour: value("select") })) ?? "";
  });
  return (snapshot) => {
    applySeatColours(snapshot);
    morphHtml(rows, snapshot.players.map((player) => nameRow(player)).join(""));
  };
}

/** @typedef {Api.Player & { colour?: string }} ColouredPlayer */

/** @param {ColouredPlayer} player */
function nameRow({ seat, name, colour }) {
  const now = colour ?? constants.seats[seat].colour;
  const colours = constants.seats.map((each) => `<option value="${each.colour}" ${each.colour === now ? "selected" : ""}>${formatMessage(each.colour)}</option>`);
  return `<div class="name-row"><span class="dot seat-${seat}" aria-hidden="true"></span>
    <input type="text" data-of="${seat}" value="${escapeHtml(name)}" maxlength="24" autocomplete="off" aria-label="${formatMessage("Name of seat {n}", { n: seat + 1 })}">
    <select data-of="${seat}" aria-label="${formatMessage("Colour of seat {n}", { n: seat + 1 })}">${colours.join("")}</select>
    <button type="button" class="button" data-call="${seat}" aria-label="${formatMessage("Save the name of seat {n}", { n: seat + 1 })}">${formatMessage("Save")}</button></div>`;
}

/**
 * Apply the chosen colours to the page.
 * @param {Api.Snapshot} snapshot
 */
export function applySeatColours({ players }) {
  for (const { side, seat, colour } of /** @type {ColouredPlayer[]} */ (players)) {
    const at = constants.seats.findIndex((each) => each.colour === colour);
    if (seat !== side) continue;
    const isReplaced = at >= 0 && at !== side;
    for (const what of ["seat", "on-seat"]) {
      if (isReplaced) document.body.style.setProperty(`--${what}-of-${side}`, `var(--${what}-${at})`);
      else document.body.style.removeProperty(`--${what}-of-${side}`);
    }
  }
}
