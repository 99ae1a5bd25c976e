// The buttons of the board's edge: dice, with a lamp in it, undo, and a go for each seat.

import { fill, safe } from "../html.js";
import { seatName } from "../words.js";

const LAMP_MS = 300;

/** A press is held and released by the simulated hardware itself. */
export function Buttons(el, { actions }) {
  el.addEventListener("click", (event) => {
    const name = event.target.closest("button")?.dataset.press;
    if (name) actions.bench("press", { button: name });
  });
  let newest = null;
  let lit = false;

  function draw() {
    const goes = newest.players.map(({ seat }) => knob(`go:${seat}`, `Go, ${seatName(newest, seat)}`, `seat-${seat}`));
    fill(el, [...goes, knob("undo", "Undo", ""), knob("dice", lit ? "Dice, lit" : "Dice", lit ? "lit" : "")].join(""));
  }

  /** The lamp as the simulated button has it, in a game whose dice may be due. */
  async function watch() {
    if (newest && "due" in newest && document.visibilityState === "visible" && document.body.dataset.link !== "lost") {
      lit = await lamp().catch(() => lit);
      draw();
    }
    setTimeout(watch, LAMP_MS);
  }

  watch();
  return (snapshot) => {
    newest = snapshot;
    draw();
  };
}

async function lamp() {
  const reply = await fetch("/api/bench/dice", { cache: "no-store" });
  if (!reply.ok) throw new Error(reply.statusText);
  return (await reply.json()).button;
}

const knob = (name, label, look) =>
  `<button type="button" class="button knob" data-press="${name}"><span class="cap ${look}" aria-hidden="true"></span>
    ${safe(label)}</button>`;
