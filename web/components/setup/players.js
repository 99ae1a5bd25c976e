// The players in the menu: their names and colours, their phones, and the seat that the page is turned to.

import { fetchApi } from "../../core/api.js";
import { constants } from "../../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { formatTimeAgo } from "../../core/format.js";
import { formatMessage } from "../../core/i18n.js";
import { SEAT } from "../../core/preferences.js";

/** @import { ColouredPlayer } from "../../core/seat-colours.js" */

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

/** @param {ColouredPlayer} player */
function nameRow({ seat, name, colour }) {
  const now = colour ?? constants.seats[seat].colour;
  const colours = constants.seats.map((each) => `<option value="${each.colour}" ${each.colour === now ? "selected" : ""}>${formatMessage(each.colour)}</option>`);
  return `<div class="name-row"><span class="dot seat-${seat}" aria-hidden="true"></span>
    <input type="text" data-of="${seat}" value="${escapeHtml(name)}" maxlength="24" autocomplete="off" aria-label="${formatMessage("Name of seat {n}", { n: seat + 1 })}">
    <select data-of="${seat}" aria-label="${formatMessage("Colour of seat {n}", { n: seat + 1 })}">${colours.join("")}</select>
    <button type="button" class="button" data-call="${seat}" aria-label="${formatMessage("Save the name of seat {n}", { n: seat + 1 })}">${formatMessage("Save")}</button></div>`;
}

/** A section that unfolds; the list is loaded when it is opened. @type {import("../../core/component.js").Component} */
export function PlayerPhones(el, { actions }) {
  el.innerHTML = `<details><summary>${formatMessage("Players' phones")}</summary><ul></ul></details>`;
  const [details, list] = [/** @type {HTMLDetailsElement} */ (findElement(el, "details")), findElement(el, "ul")];
  /** @type {Api.Phones["phones"]} */
  let phones = [];
  let confirming = 0;

  const drawList = () => morphHtml(list, phones.map((each) => phoneLine(each, each.id === confirming, Date.now())).join(""));

  details.addEventListener("toggle", async () => {
    if (!details.open) return;
    confirming = 0;
    try {
      phones = (await fetchApi("/api/phones")).phones;
    } catch {
      phones = []; // the link status shows a lost table; watchers have no list
    }
    drawList();
  });

  onButtonClick(el, async ({ phone }) => {
    const id = Number(phone);
    if (confirming !== id) confirming = id;
    else {
      confirming = 0;
      phones = (await actions.endPhone(id))?.phones ?? phones;
    }
    drawList();
  });

  return () => {};
}

/**
 * Return the line of a phone.
 * @param {Api.Phones["phones"][number]} phone
 * @param {boolean} isConfirming
 * @param {number} now
 */
const phoneLine = ({ id, name, seen, you }, isConfirming, now) => `<li><span>${escapeHtml(name)}${you ? ` (${formatMessage("this one")})` : ""}</span>
  <small>${escapeHtml(formatTimeAgo(Date.parse(seen), now))}</small>
  <button type="button" class="button" data-phone="${id}" aria-pressed="${isConfirming}">
    ${isConfirming ? formatMessage("Tap again to end it") : formatMessage("End")}</button></li>`;

/** A link for each seat to this page as seen from there. @type {import("../../core/component.js").Component} */
export function SeatView(el) {
  return ({ players }) => {
    const links = players.map(({ seat, name }) => seatLink(`?seat=${seat}`, name, seat === SEAT));
    el.hidden = players.length < 2;
    morphHtml(el, `<span class="row-label">${formatMessage("Board seen from")}</span>${seatLink("?", formatMessage("automatic"), SEAT === null)}${links.join("")}`);
  };
}

/**
 * @param {string} to
 * @param {string} name
 * @param {boolean} isHere
 */
const seatLink = (to, name, isHere) => `<a href="${to}" ${isHere ? 'aria-current="true"' : ""}>${escapeHtml(name)}</a>`;
