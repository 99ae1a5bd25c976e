// Links that turn the view to a seat: they turn the board and mark the own side, and grant no rights.

import { escapeHtml, morphHtml } from "../../core/dom.js";
import { formatMessage } from "../../core/i18n.js";
import { SEAT } from "../../core/preferences.js";

/** A link for each seat to this page as seen from there. @type {import("../../core/component.js").Component} */
export function SeatView(el) {
  return ({ players }) => {
    const links = players.map(({ seat, name }) => seatLink(`?seat=${seat}`, name, seat === SEAT));
    el.hidden = players.length < 2;
    morphHtml(el, `<span class="row-label">${formatMessage("Board seen from")}</span>${seatLink("?", formatMessage("default"), SEAT === null)}${links.join("")}`);
  };
}

/**
 * @param {string} to
 * @param {string} name
 * @param {boolean} isHere
 */
const seatLink = (to, name, isHere) => `<a href="${to}" ${isHere ? 'aria-current="true"' : ""}>${escapeHtml(name)}</a>`;
