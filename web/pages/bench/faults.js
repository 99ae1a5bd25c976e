// Simulated sensor faults: the user chooses a hole and a kind of fault, and repairs it with one tap.

import { escapeHtml, morphHtml, onButtonClick } from "../../core/dom.js";
import { holeSpokenName } from "../../core/format.js";
import { formatMessage, gettextNoop } from "../../core/i18n.js";

/** @typedef {Api.Answers["/api/bench/fault"]["faults"][number]} Fault */

/** Kinds of faults. @type {Record<Fault["kind"], string>} */
const KIND_NAMES = { stuck: gettextNoop("stuck"), flapping: gettextNoop("flapping"), dead: gettextNoop("dead") };

/**
 * The panel of faults. `send(body)` sets a fault on the simulated board, `onChange()` is called when the faulty holes
 * changed, `focusBoard()` returns the keyboard focus to the board.
 * @param {HTMLElement} el
 * @param {{ send: (body: object) => Promise<unknown>, onChange: () => void, focusBoard: () => void }} on
 */
export function createFaultPanel(el, { send, onChange, focusBoard }) {
  /** @type {Fault[]} */
  let faults = [];
  /** @type {string | null} */
  let chosenHole = null;
  let isActive = false;

  onButtonClick(el, async ({ how, row, mend }) => {
    const hole = mend ?? chosenHole;
    if (!hole) return;
    const isRow = mend ? (findFault(hole)?.holes.length ?? 0) > 1 : row !== undefined;
    chosenHole = null;
    draw();
    focusBoard();
    await send({ [isRow ? "row" : "hole"]: hole, kind: how ?? null });
  });

  /** @param {string} hole */
  const findFault = (hole) => faults.find(({ holes }) => holes.includes(hole));

  function draw() {
    const prompt = chosenHole ? kindButtons(chosenHole) : isActive ? `<span>${formatMessage("Tap the hole whose sensor should fail.")}</span>` : "";
    morphHtml(el, prompt + faults.map(repairButton).join(""));
    onChange();
  }

  return {
    /** @param {boolean} on */
    setActive(on) {
      [isActive, chosenHole] = [on, null];
      draw();
    },
    /** Offer the kinds of faults for a hole. @param {string} hole */
    chooseHole(hole) {
      chosenHole = hole;
      draw();
      const first = el.querySelector("button");
      first?.focus({ preventScroll: true });
      el.scrollIntoView({ block: "nearest" });
    },
    /** @param {Fault[]} now */
    setFaults(now) {
      const details = el.closest("details");
      if (details && now.length > faults.length) details.open = true; // to be repaired there
      faults = now;
      draw();
    },
    /** Return each faulty hole with its kind of fault. */
    faultyHoles: () => faults.flatMap(({ kind, holes }) => holes.map((hole) => /** @type {[string, string]} */ ([hole, kind]))),
    /** Return the text about the fault of a hole, "" if its sensor works. @param {string} hole */
    describeFault(hole) {
      const fault = findFault(hole);
      return fault ? `, ${formatMessage("its sensor is {kind}", { kind: formatMessage(KIND_NAMES[fault.kind]) })}` : "";
    },
  };
}

/** Return the buttons of the kinds of faults; the last one affects all holes of the shift register. @param {string} hole */
const kindButtons = (hole) => `<span>${escapeHtml(formatMessage("The sensor of {hole}:", { hole: holeSpokenName(hole) }))}</span>
  ${Object.entries(KIND_NAMES).map(([kind, name]) => `<button type="button" class="button" data-how="${kind}">${formatMessage(name)}</button>`).join("")}
  <button type="button" class="button" data-how="dead" data-row>${formatMessage("whole row dead")}</button>`;

/** @param {Fault} fault */
const repairButton = ({ kind, holes }) => {
  const [what, hole] = [formatMessage(KIND_NAMES[kind]), holeSpokenName(holes[0])];
  const label = holes.length > 1 ? formatMessage("Repair the row of {hole}, {n} holes: {kind}", { hole, n: holes.length, kind: what }) : formatMessage("Repair {hole}: {kind}", { hole, kind: what });
  return `<button type="button" class="button" data-mend="${escapeHtml(holes[0])}">${escapeHtml(label)}</button>`;
};
