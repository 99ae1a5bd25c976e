// Where the holder of this phone sits: it turns the picture and marks the own side, and changes no right.

import { fill, safe } from "../core/dom.js";
import { say } from "../core/i18n.js";
import { SEAT } from "../core/preferences.js";

/**
 * A link for each seat, to this same page as seen from there.
 * @type {import("../core/component.js").Part}
 */
export function Seats(el) {
  return ({ players }) => {
    const links = players.map(({ seat, name }) => link(`?seat=${seat}`, name, seat === SEAT));
    el.hidden = players.length < 2;
    fill(el, `<span>${say("Your seat:")}</span>${link("?", say("none"), SEAT === null)}${links.join("")}`);
  };
}

/**
 * @param {string} to
 * @param {string} name
 * @param {boolean} isHere
 */
const link = (to, name, isHere) => `<a href="${to}" ${isHere ? 'aria-current="true"' : ""}>${safe(name)}</a>`;
