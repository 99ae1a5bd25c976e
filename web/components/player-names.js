// Who plays, and in which colour: names and colours of the pegs, kept for the next games of these seats.

import { constants } from "../core/constants.js";
import { fill, find, pressed, safe } from "../core/dom.js";
import { say } from "../core/i18n.js";

/**
 * A part that unfolds: a field and a colour for each seat.
 * @type {import("../core/component.js").Part}
 */
export function Names(el, { actions }) {
  el.innerHTML = `<details><summary>${say("Names and colours")}</summary><p class="sheet-error" role="alert"></p><div class="called"></div></details>`;
  const [rows, said] = [".called", ".sheet-error"].map((each) => find(el, each));
  pressed(el, async ({ call }) => {
    const seat = Number(call);
    const value = (/** @type {string} */ selector) => /** @type {HTMLInputElement} */ (find(el, `${selector}[data-of="${seat}"]`)).value;
    said.textContent = (await actions.call({ seat, name: value("input"), colour: value("select") })) ?? "";
  });
  return (snapshot) => {
    dress(snapshot);
    fill(rows, snapshot.players.map((player) => row(player)).join(""));
  };
}

/** @typedef {Api.Player & { colour?: string }} Coloured */

/** @param {Coloured} player */
function row({ seat, name, colour }) {
  const now = colour ?? constants.seats[seat].colour;
  const colours = constants.seats.map((each) => `<option value="${each.colour}" ${each.colour === now ? "selected" : ""}>${say(each.colour)}</option>`);
  return `<div class="naming"><span class="dot seat-${seat}" aria-hidden="true"></span>
    <input type="text" data-of="${seat}" value="${safe(name)}" maxlength="24" autocomplete="off" aria-label="${say("Name of seat {n}", { n: seat + 1 })}">
    <select data-of="${seat}" aria-label="${say("Colour of seat {n}", { n: seat + 1 })}">${colours.join("")}</select>
    <button type="button" class="button" data-call="${seat}" aria-label="${say("Keep the name of seat {n}", { n: seat + 1 })}">${say("Keep")}</button></div>`;
}

/**
 * The page wears the colours that sides have chosen.
 * @param {Api.Snapshot} snapshot
 */
export function dress({ players }) {
  for (const { side, seat, colour } of /** @type {Coloured[]} */ (players)) {
    const at = constants.seats.findIndex((each) => each.colour === colour);
    if (seat !== side) continue;
    const worn = at >= 0 && at !== side;
    for (const what of ["seat", "on-seat"]) {
      if (worn) document.body.style.setProperty(`--${what}-of-${side}`, `var(--${what}-${at})`);
      else document.body.style.removeProperty(`--${what}-of-${side}`);
    }
  }
}
