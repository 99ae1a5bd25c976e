// Entry of the wiring wizard (`companion learn`) on a phone: the next hole, the findings, and buttons for answers.

import { playChime, unlockAudio } from "../../audio/chimes.js";
import { viewRotation } from "../../board/layout.js";
import { createBoardPicture } from "../../board/svg.js";
import { CLOSE_FRAME } from "../../board/viewport.js";
import { createActions, fetchApiOrNull } from "../../core/api.js";
import { setConstants } from "../../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick, setText } from "../../core/dom.js";
import { formatMessage, loadCatalogue } from "../../core/i18n.js";
import { twoColumnQuery } from "../../core/preferences.js";

/**
 * The state of the wizard: docs/reference/http.md#the-walk.
 * @typedef {{ board: string, begun: boolean, over: boolean, acts: number, resting: boolean, say: string, said: string,
 *   done: number, of: number, hole: string | null, pixel: number | null, found: string[], lit: string[], dead: string[],
 *   findings: string[], amiss: string[], written: string,
 *   simulated: { pegs: string[], lit: string[] } | null }} WizardState
 */

const POLL_MS = 250;
/** @type {Record<string, number[]>} */
const LIGHT_COLOURS = { found: [20, 120, 40], lit: [230, 200, 60], white: [255, 255, 255] };

const [stepLine, messageLine, answers, plank, resultSection] =
  ["[data-step]", "[data-said]", "[data-answers]", "[data-plank]", "[data-found]"].map((each) => findElement(document, each));
/** @type {ReturnType<typeof createBoardPicture> | null} */
let picture = null;
/** @type {WizardState | null} */
let state = null;
let refusal = "";
let isWhole = false;
/** @type {string | null} */
let last = null; // the last requested hole: its peg is to be taken out again
const { storeForPhone } = createActions(() => {}, () => {});

onButtonClick(answers, ({ answer, whole }) => {
  if (whole !== undefined) isWhole = !isWhole;
  else post("/api/walk", { answer, at: state?.acts });
  draw();
});

/**
 * Post to the wizard, then load its state.
 * @param {string} path
 * @param {object} body
 */
async function post(path, body) {
  refusal = (await storeForPhone(path, body)) ?? "";
  await loadState();
}

/** Draw the current state. */
function draw() {
  if (!state) return;
  const { begun, over, resting, pixel, written, amiss } = state;
  document.body.dataset.acts = String(state.acts);
  setText(stepLine, over && begun ? (written ? formatMessage("The wiring is complete, and the board file has been written.") : formatMessage("The wiring is complete.")) : state.say);
  setText(messageLine, refusal || state.said || amiss.join(" "));
  const next = !begun ? formatMessage("All pegs are out") : resting ? formatMessage("Still reads a peg")
    : pixel === null ? formatMessage("Nothing happens") : formatMessage("No hole is lit");
  morphHtml(answers, over && begun ? "" : `<button type="button" class="button" data-answer="skip">${escapeHtml(next)}</button>
    <button type="button" class="button" data-answer="back" ${state.done ? "" : "disabled"}>${formatMessage("Previous step")}</button>
    ${twoColumnQuery().matches ? "" : `<button type="button" class="button" data-whole aria-pressed="${isWhole}">${formatMessage("The whole board")}</button>`}`);
  morphHtml(resultSection, renderResults(state));
  drawBoard(state);
}

/** @param {WizardState} state */
function drawBoard({ hole, resting, found, lit, dead, simulated, say: label }) {
  if (!picture) return;
  if (hole || !resting) last = hole;
  const held = simulated?.pegs ?? (resting && last ? [last] : []);
  const pegs = held.map((each, i) => ({ hole: each, seat: null, front: true, name: `peg-${i}` }));
  picture.showState({
    pegs, dice: null, markers: undefined, lit: 0, isRolling: false, roll: "", due: hole ? [hole] : [], lift: [], wrong: dead, asked: [],
    flaky: [], label,
  });
  const shown = [...found.map((id) => [id, LIGHT_COLOURS.found]), ...lit.map((id) => [id, LIGHT_COLOURS.lit]), ...(simulated?.lit ?? []).map((id) => [id, LIGHT_COLOURS.white])];
  picture.showLights(Object.fromEntries(shown));
  picture.zoomTo(last && !isWhole && !twoColumnQuery().matches ? [last] : [], CLOSE_FRAME);
}

/** @param {WizardState} state */
const renderResults = ({ done, of, over, findings, written }) => `
  <p><label>${escapeHtml(formatMessage("{done} of {of} steps", { done, of }))} <progress max="${of}" value="${done}"></progress></label></p>
  ${findings.length ? `<h2>${formatMessage("Problems")}</h2><ul class="findings">${findings.map((each) => `<li>${escapeHtml(each)}</li>`).join("")}</ul>`
    : `<p>${over ? formatMessage("No problems found.") : formatMessage("No problems so far.")}</p>`}
  ${written ? renderEnding(written) : `<p class="saved-note">${formatMessage("Every step is saved. You can close this page or stop the program and continue later.")}</p>`}`;

/** Return what to do with the finished board file. @param {string} written */
const renderEnding = (written) => `<p data-written>${escapeHtml(formatMessage("Board file:"))} <code>${escapeHtml(written)}</code></p>
  <p>${formatMessage("Install it on the Pico:")} <code>companion flash ${escapeHtml(written)}</code></p>
  <p>${formatMessage("Play with it:")} <code>companion play --board ${escapeHtml(written)}</code></p>`;

async function loadState() {
  /** @type {WizardState | null} */
  const newState = await fetchApiOrNull("/api/walk");
  if (newState && state) playChimeFor(state, newState);
  if (newState) state = newState;
  else setText(messageLine, formatMessage("The program does not answer. Check that it is still running."));
  if (newState) draw();
}

/**
 * Play a chime, so that a user who looks at the board notices the answer.
 * @param {WizardState} before
 * @param {WizardState} now
 */
function playChimeFor(before, now) {
  if (now.written && !before.written) playChime("win");
  else if (now.said && now.said !== before.said) playChime("wrong");
  else if (now.resting && now.acts > before.acts) playChime("right");
}

async function poll() {
  await loadState();
  setTimeout(poll, POLL_MS);
}

/** Return the number of seats that uses the most holes, so that none is drawn faint. @param {Api.Board} board */
const seatsWithMostHoles = ({ routes }) =>
  Number(Object.entries(routes).sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? 2);

async function startPage() {
  const [names, me, board] = await Promise.all([fetchApiOrNull("/api/constants"), fetchApiOrNull("/api/me"), fetchApiOrNull("/api/board"), loadCatalogue()]);
  if (names) setConstants(names);
  if (me?.role !== "player") {
    setText(messageLine, formatMessage("To use this page, open the link that the program prints."));
    return;
  }
  if (board) {
    const drawn = createBoardPicture(plank, board, { seats: seatsWithMostHoles(board), turn: viewRotation(board.holes, 2, null, twoColumnQuery().matches) });
    drawn.svg.addEventListener("click", (event) => {
      const hole = state?.simulated ? drawn.findNearestHole(event) : null;
      if (hole) post("/api/walk/peg", { hole });
    });
    picture = drawn;
  }
  document.addEventListener("pointerdown", unlockAudio);
  poll();
}

startPage();
