// Entry of the bench page: the simulated table with its board, card reader, buttons and cables.

import { CardPad } from "../../components/cards/card-pad.js";
import { Corrections } from "../../components/history/corrections.js";
import { setText } from "../../core/dom.js";
import { formatMessage } from "../../core/i18n.js";
import { openPage } from "../shell.js";
import { BenchBoard } from "./board.js";
import { Buttons } from "./buttons.js";
import { Cables } from "./cables.js";
import { BoardDisplay } from "./display.js";

/** The simulated card reader. While its cable is pulled, a message next to the cards says so. @type {import("../../core/component.js").Component} */
function BenchCardReader(el, { actions, isPlayer }) {
  const warning = document.createElement("p");
  warning.className = "sheet-error";
  warning.setAttribute("role", "status");
  el.before(warning);
  /** @type {Api.Snapshot | null} */
  let newest = null;
  /** @type {Api.Snapshot | null} */
  let scannedAt = null; // the snapshot in which a card was scanned, until a later one reacts to it
  const draw = CardPad(el, (card) => {
    if (!isPlayer()) return;
    scannedAt = newest;
    actions.postToBench("scan", { card });
    drawWarning();
  });
  const isReaderOk = () => newest?.devices.cards?.ok ?? true;
  // A pulled cable is noticed some seconds later; a card scanned in the meantime was lost as well.
  const drawWarning = () => setText(warning, scannedAt && !isReaderOk() ? formatMessage("The reader's cable is pulled. The card was not read.") : "");
  return (snapshot) => {
    if (scannedAt && (scannedAt.moves !== snapshot.moves || scannedAt.notices.at(-1)?.id !== snapshot.notices.at(-1)?.id)) scannedAt = null;
    const wasLost = !isReaderOk();
    newest = snapshot;
    if (wasLost && isReaderOk()) scannedAt = null;
    drawWarning();
    draw(snapshot);
  };
}

openPage({
  board: BenchBoard,
  deck: BenchCardReader,
  buttons: Buttons,
  cables: Cables,
  display: BoardDisplay,
  mending: Corrections,
});
