// The bench: the simulated table with its board, its reader, its buttons and its cables, plugged together.

import { BenchBoard } from "../bench/board.js";
import { Buttons } from "../bench/buttons.js";
import { Cables } from "../bench/cables.js";
import { CardPad } from "../components/card-pad.js";
import { setText } from "../core/dom.js";
import { formatMessage } from "../core/i18n.js";
import { openPage } from "../core/shell.js";

/**
 * The cards, put to the simulated reader; where its cable is out, that is said where the card was tapped.
 * @type {import("../core/component.js").Component}
 */
function Reader(el, { actions, plays }) {
  const lost = document.createElement("p");
  lost.className = "sheet-error";
  lost.setAttribute("role", "status");
  el.before(lost);
  /** @type {Api.Snapshot | null} */
  let newest = null;
  /** @type {Api.Snapshot | null} */
  let asked = null; // what the table showed when a card was put there, until it tells anything of a card
  const draw = CardPad(el, (card) => {
    if (!plays()) return;
    asked = newest;
    actions.postToBench("scan", { card });
    tell();
  });
  const isWell = () => newest?.devices.cards?.ok ?? true;
  // A cable that was just pulled is noticed some seconds later; the card that was lost meanwhile is told of too.
  const tell = () => setText(lost, asked && !isWell() ? formatMessage("The reader's cable is out: it did not see that card.") : "");
  return (snapshot) => {
    if (asked && (asked.moves !== snapshot.moves || asked.notices.at(-1)?.id !== snapshot.notices.at(-1)?.id)) asked = null;
    const wasOut = !isWell();
    newest = snapshot;
    if (wasOut && isWell()) asked = null;
    tell();
    draw(snapshot);
  };
}

openPage({
  board: BenchBoard,
  deck: Reader,
  buttons: Buttons,
  cables: Cables,
});
