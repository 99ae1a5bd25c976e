// Sensors that fail: which, and how, is chosen here, and each is mended here by one tap.

import { escapeHtml, morphHtml, onButtonClick } from "../core/dom.js";
import { holeSpokenName } from "../core/format.js";
import { formatMessage, gettextNoop } from "../core/i18n.js";

/** @typedef {Api.Answers["/api/bench/fault"]["faults"][number]} Fault */

/**
 * What a sensor tells when it fails.
 * @type {Record<Fault["kind"], string>}
 */
const KINDS = { stuck: gettextNoop("stuck"), flapping: gettextNoop("flapping"), dead: gettextNoop("dead") };

/**
 * `send(body)` breaks or mends on the simulated board; `changed()` is called when other holes are to be drawn,
 * `back()` when the keyboard is to go back to the board.
 * @param {HTMLElement} el
 * @param {{ send: (body: object) => Promise<unknown>, changed: () => void, back: () => void }} on
 */
export function Faults(el, { send, changed, back }) {
  /** @type {Fault[]} */
  let faults = [];
  /** @type {string | null} */
  let chosen = null;
  let breaks = false;

  onButtonClick(el, async ({ how, row, mend }) => {
    const hole = mend ?? chosen;
    if (!hole) return;
    const isRow = mend ? (faultOf(hole)?.holes.length ?? 0) > 1 : row !== undefined;
    chosen = null;
    draw();
    back();
    await send({ [isRow ? "row" : "hole"]: hole, kind: how ?? null });
  });

  /** @param {string} hole */
  const faultOf = (hole) => faults.find(({ holes }) => holes.includes(hole));

  function draw() {
    const asked = chosen ? choosing(chosen) : breaks ? `<span>${formatMessage("Tap the hole whose sensor is to fail.")}</span>` : "";
    morphHtml(el, asked + faults.map(mending).join(""));
    changed();
  }

  return {
    /**
     * The switch of this mode was turned.
     * @param {boolean} on
     */
    turn(on) {
      [breaks, chosen] = [on, null];
      draw();
    },
    /**
     * This hole was tapped, to be broken.
     * @param {string} hole
     */
    choose(hole) {
      chosen = hole;
      draw();
      const first = el.querySelector("button");
      first?.focus({ preventScroll: true });
      el.scrollIntoView({ block: "nearest" });
    },
    /**
     * These fail now.
     * @param {Fault[]} now
     */
    see(now) {
      faults = now;
      draw();
    },
    /** Each hole that fails, with how. */
    broken: () => faults.flatMap(({ kind, holes }) => holes.map((hole) => /** @type {[string, string]} */ ([hole, kind]))),
    /**
     * What is told of a hole besides: that its sensor fails.
     * @param {string} hole
     */
    told(hole) {
      const fault = faultOf(hole);
      return fault ? `, ${formatMessage("its sensor is {kind}", { kind: formatMessage(KINDS[fault.kind]) })}` : "";
    },
  };
}

/**
 * The three ways to fail, for the hole and, in the last one, for all that its register reads.
 * @param {string} hole
 */
const choosing = (hole) => `<span>${escapeHtml(formatMessage("The sensor of {hole}:", { hole: holeSpokenName(hole) }))}</span>
  ${Object.entries(KINDS).map(([kind, name]) => `<button type="button" class="button" data-how="${kind}">${formatMessage(name)}</button>`).join("")}
  <button type="button" class="button" data-how="dead" data-row>${formatMessage("its whole row dead")}</button>`;

/** @param {Fault} fault */
const mending = ({ kind, holes }) => {
  const [what, hole] = [formatMessage(KINDS[kind]), holeSpokenName(holes[0])];
  const said = holes.length > 1 ? formatMessage("Mend the row of {hole}, {n} holes: {kind}", { hole, n: holes.length, kind: what }) : formatMessage("Mend {hole}: {kind}", { hole, kind: what });
  return `<button type="button" class="button" data-mend="${escapeHtml(holes[0])}">${escapeHtml(said)}</button>`;
};
