// Where the pegs stand on a board of the players' own.

import { escapeHtml, morphHtml } from "../../core/dom.js";
import { holeName, isStart, seatName } from "../../core/format.js";
import { formatMessage } from "../../core/i18n.js";

/** The places in words, unfolded by a tap. @type {import("../../core/component.js").Component} */
export function PegPlaces(el) {
  el.addEventListener("toggle", showUnfolded, true);
  return (snapshot) => {
    const pegs = snapshot.pegs.map(({ seat, front, back }) => formatMessage("{name}: front peg {front}, back peg {back}.", {
      name: seatName(snapshot, seat), front: pegPlace(front), back: pegPlace(back) }));
    morphHtml(el, snapshot.game.pegs === "plain" && !snapshot.game.against ? `<details class="after-hand" ${el.querySelector("details")?.open ? "open" : ""}>
      <summary>${formatMessage("Where the pegs stand")}</summary><ul>${pegs.map((each) => `<li>${escapeHtml(each)}</li>`).join("")}</ul></details>` : "");
  };
}

/** Scroll an unfolded text into view: on a phone it would open below the bar. @param {Event} event */
function showUnfolded({ target }) {
  const details = /** @type {HTMLDetailsElement} */ (target);
  if (details.open) details.scrollIntoView({ block: "nearest" });
}

/** Return where a peg stands: "in 4", or "at the start". @param {string | null} hole */
const pegPlace = (hole) => (hole && !isStart(hole) ? formatMessage("in {hole}", { hole: holeName(hole) }) : formatMessage("at the start"));
