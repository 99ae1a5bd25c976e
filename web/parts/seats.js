// Where the holder of this phone sits: it turns the picture and marks the own side, and changes no right.

import { fill, safe } from "../html.js";
import { SEAT } from "../seat.js";

/** A link for each seat, to this same page as seen from there. */
export function Seats(el) {
  return ({ players }) => {
    const links = players.map(({ seat, name }) => link(seat, name));
    fill(el, `<span>Seen from:</span><a href="?" ${SEAT === null ? 'aria-current="true"' : ""}>nowhere</a>${links.join("")}`);
  };
}

const link = (seat, name) =>
  `<a href="?seat=${seat}" ${seat === SEAT ? 'aria-current="true"' : ""}>${safe(name)}</a>`;
