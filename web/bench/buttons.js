// The buttons of the board's edge: dice, with a lamp in it, undo, and a go for each seat.

import { fetchApi } from "../core/api.js";
import { escapeHtml, morphHtml, onButtonClick } from "../core/dom.js";
import { seatName } from "../core/format.js";
import { formatMessage } from "../core/i18n.js";

const LAMP_MS = 300;

/**
 * A press is held and released by the simulated hardware itself.
 * @type {import("../core/component.js").Component}
 */
export function Buttons(el, { actions }) {
  onButtonClick(el, ({ press }) => actions.postToBench("press", { button: press }));
  /** @type {Api.Snapshot | null} */
  let newest = null;
  let isLit = false;

  /** @param {Api.Snapshot} snapshot */
  function draw(snapshot) {
    const goes = snapshot.players.map(({ seat }) => knob(`go:${seat}`, formatMessage("Go, {name}", { name: seatName(snapshot, seat) }), `seat-${seat}`));
    morphHtml(el, [...goes, knob("undo", formatMessage("Undo"), ""), knob("dice", isLit ? formatMessage("Dice, lit") : formatMessage("Dice"), isLit ? "lit" : "")].join(""));
  }

  /** The lamp as the simulated button has it, in a game whose dice may be due. */
  async function watch() {
    if (newest && "due" in newest && document.visibilityState === "visible" && document.body.dataset.link !== "lost") {
      isLit = await fetchApi("/api/bench/dice").then(({ button }) => button, () => isLit);
      draw(newest);
    }
    setTimeout(watch, LAMP_MS);
  }

  watch();
  return (snapshot) => {
    newest = snapshot;
    draw(snapshot);
  };
}

/**
 * @param {string} name
 * @param {string} label
 * @param {string} look
 */
const knob = (name, label, look) =>
  `<button type="button" class="button knob" data-press="${name}"><span class="cap ${look}" aria-hidden="true"></span>
    ${escapeHtml(label)}</button>`;
