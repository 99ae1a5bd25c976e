// The points of the crib in one tap, where players enter their cards: they have counted it on the table. Loaded on demand.

import { claimablePoints } from "../core/constants.js";
import { morphHtml, onButtonClick } from "../core/dom.js";
import { seatName } from "../core/format.js";
import { formatMessage } from "../core/i18n.js";
import { moreKey, numberKey, openMore } from "./number-keys.js";

/** The most points that have a key here; few cribs count more. */
const MAX_KEY = 12;

/** Whether the crib may be entered as a number: players enter the cards by hand, and nobody's count is judged. @param {Api.Snapshot} snapshot */
export const mayCountCrib = ({ phase, game, crib }) => phase === "crib" && !crib?.length && game.pegs === "plain" && !game.against && game.options.counting !== "manual";

/** The keys above the cards. @type {import("../core/component.js").Component} */
export function CribCount(el, { actions, isPlayer }) {
  /** @type {import("./number-sheet.js").Entry} */
  let entry;
  const send = (/** @type {number} */ points) => actions.makeMove({ type: "count_crib", points });
  onButtonClick(el, ({ more, points }) => (more ? openMore(entry, send) : send(Number(points))));
  return (snapshot) => {
    const isDue = mayCountCrib(snapshot) && isPlayer(), name = seatName(snapshot, snapshot.turn);
    entry = { move: "count_crib", seat: snapshot.turn ?? 0, points: claimablePoints("crib", "claim"), label: (n) => formatMessage("{name}'s crib counts {n}", { name, n }) };
    morphHtml(el, isDue ? `<div class="crib-count"><p class="hint">${formatMessage("Turn up its four cards, or tap what it counts:")}</p>
      <div class="numbers rest">${entry.points.filter((n) => n <= MAX_KEY).map((n) => numberKey(entry, n)).join("")}${moreKey(entry, name, `${MAX_KEY + 1}+`)}</div></div>` : "");
  };
}
