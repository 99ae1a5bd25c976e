// Where the holder of this phone sits: it turns the picture and marks the own side, and changes no right.

import { fill, safe } from "../html.js";
import { SEAT } from "../seat.js";

/** A link for each seat, to this same page as seen from there. */
export function Seats(el) {
  return ({ players }) => {
    const links = players.map(({ seat, name }) => link(seat, name));
    el.hidden = players.length < 2;
    fill(el, `<span>Your seat:</span><a href="?" ${SEAT === null ? 'aria-current="true"' : ""}>none</a>${links.join("")}`);
  };
}

const link = (seat, name) =>
  `<a href="?seat=${seat}" ${seat === SEAT ? 'aria-current="true"' : ""}>${safe(name)}</a>`;
