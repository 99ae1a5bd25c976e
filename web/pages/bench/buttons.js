// The simulated buttons: dice, with its lamp, undo, and one go button for each seat.

import { fetchApi } from "../../core/api.js";
import { escapeHtml, morphHtml, onButtonClick } from "../../core/dom.js";
import { seatName } from "../../core/format.js";
import { formatMessage } from "../../core/i18n.js";

const LAMP_POLL_MS = 300;

/** The buttons. The simulated hardware holds and releases a pressed button by itself. @type {import("../../core/component.js").Component} */
export function Buttons(el, { actions }) {
  onButtonClick(el, ({ press }) => actions.postToBench("press", { button: press }));
  /** @type {Api.Snapshot | null} */
  let newest = null;
  let isLit = false;

  /** @param {Api.Snapshot} snapshot */
  function draw(snapshot) {
    const goes = snapshot.players.map(({ seat }) => benchButton(`go:${seat}`, formatMessage("Go, {name}", { name: seatName(snapshot, seat) }), `seat-${seat}`));
    morphHtml(el, [...goes, benchButton("undo", formatMessage("Undo"), ""), benchButton("dice", isLit ? formatMessage("Dice, lit") : formatMessage("Dice"), isLit ? "lit" : "")].join(""));
  }

  /** Poll the lamp of the dice button in a game with dice. */
  async function pollLamp() {
    if (newest && "due" in newest && document.visibilityState === "visible" && document.body.dataset.link !== "lost") {
      isLit = await fetchApi("/api/bench/dice").then(({ button }) => button, () => isLit);
      draw(newest);
    }
    setTimeout(pollLamp, LAMP_POLL_MS);
  }

  pollLamp();
  return (snapshot) => {
    newest = snapshot;
    draw(snapshot);
  };
}

/**
 * Return a button.
 * @param {string} name
 * @param {string} label
 * @param {string} look
 */
const benchButton = (name, label, look) =>
  `<button type="button" class="button knob" data-press="${name}"><span class="cap ${look}" aria-hidden="true"></span>
    ${escapeHtml(label)}</button>`;
