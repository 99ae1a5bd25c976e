// The bench: the simulated table with its board, its reader, its buttons and its cables, plugged together.

import { BenchBoard } from "./bench/board.js";
import { Buttons } from "./bench/buttons.js";
import { Cables } from "./bench/cables.js";
import { open } from "./open.js";
import { write } from "./html.js";
import { Deck } from "./parts/deck.js";
import { say } from "./say.js";

/**
 * The cards, put to the simulated reader; where its cable is out, that is said where the card was tapped.
 * @type {import("./guard.js").Part}
 */
function Reader(el, { actions, plays }) {
  const lost = document.createElement("p");
  lost.className = "sheet-error";
  lost.setAttribute("role", "status");
  el.before(lost);
  let isWell = true;
  const draw = Deck(el, (card) => {
    if (!plays()) return;
    actions.bench("scan", { card });
    write(lost, isWell ? "" : say("The reader's cable is out: it did not see that card."));
  });
  return (snapshot) => {
    isWell = snapshot.devices.cards?.ok ?? true;
    if (isWell) write(lost, "");
    draw(snapshot);
  };
}

open({
  board: BenchBoard,
  deck: Reader,
  buttons: Buttons,
  cables: Cables,
});
