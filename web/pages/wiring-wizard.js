// The walk of `companion learn` on a phone: which hole is next, what was found, and an answer where nothing happens.

import { playChime, unlockAudio } from "../audio/chimes.js";
import { viewRotation } from "../board/layout.js";
import { createBoardPicture } from "../board/svg.js";
import { CLOSE_FRAME } from "../board/viewport.js";
import { createActions, fetchApiOrNull } from "../core/api.js";
import { setConstants } from "../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick, setText } from "../core/dom.js";
import { formatMessage, loadCatalogue } from "../core/i18n.js";
import { twoColumnQuery } from "../core/preferences.js";

/**
 * What the walk tells: docs/reference/http.md#the-walk.
 * @typedef {{ board: string, begun: boolean, over: boolean, acts: number, resting: boolean, say: string, said: string,
 *   done: number, of: number, hole: string | null, pixel: number | null, found: string[], lit: string[], dead: string[],
 *   findings: string[], amiss: string[], written: string,
 *   simulated: { pegs: string[], lit: string[] } | null }} Walk
 */

const LOOK_MS = 250;
/** @type {Record<string, number[]>} */
const GLOWS = { found: [20, 120, 40], lit: [230, 200, 60], white: [255, 255, 255] };

const [step, said, answers, plank, found] =
  ["[data-step]", "[data-said]", "[data-answers]", "[data-plank]", "[data-found]"].map((each) => findElement(document, each));
/** @type {ReturnType<typeof createBoardPicture> | null} */
let picture = null;
/** @type {Walk | null} */
let walk = null;
let refused = "";
let isWhole = false;
/** @type {string | null} */
let last = null; // the hole that was asked for last: its peg is to be taken out again
const { storeForPhone } = createActions(() => {}, () => {});

onButtonClick(answers, ({ answer, whole }) => {
  if (whole !== undefined) isWhole = !isWhole;
  else post("/api/walk", { answer, at: walk?.acts });
  draw();
});

/**
 * @param {string} path
 * @param {object} body
 */
async function post(path, body) {
  refused = (await storeForPhone(path, body)) ?? "";
  await look();
}

/** Draw the walk as it is now. */
function draw() {
  if (!walk) return;
  const { begun, over, resting, pixel, written, amiss } = walk;
  document.body.dataset.acts = String(walk.acts);
  setText(step, over && begun ? (written ? formatMessage("All is learned, and the board file is written.") : formatMessage("All is learned.")) : walk.say);
  setText(said, refused || walk.said || amiss.join(" "));
  const next = !begun ? formatMessage("They are all out") : resting ? formatMessage("Out, and still on")
    : pixel === null ? formatMessage("Nothing answers") : formatMessage("No hole is lit");
  morphHtml(answers, over && begun ? "" : `<button type="button" class="button" data-answer="skip">${escapeHtml(next)}</button>
    <button type="button" class="button" data-answer="back" ${walk.done ? "" : "disabled"}>${formatMessage("The step before")}</button>
    ${twoColumnQuery().matches ? "" : `<button type="button" class="button" data-whole aria-pressed="${isWhole}">${formatMessage("The whole board")}</button>`}`);
  morphHtml(found, results(walk));
  show(walk);
}

/** @param {Walk} walk */
function show({ hole, resting, found, lit, dead, simulated, say: label }) {
  if (!picture) return;
  if (hole || !resting) last = hole;
  const held = simulated?.pegs ?? (resting && last ? [last] : []);
  const pegs = held.map((each, i) => ({ hole: each, seat: null, front: true, name: `peg-${i}` }));
  picture.showState({
    pegs, dice: null, markers: undefined, lit: 0, tumbles: false, roll: "", due: hole ? [hole] : [], lift: [], wrong: dead, asked: [],
    flaky: [], label,
  });
  const shown = [...found.map((id) => [id, GLOWS.found]), ...lit.map((id) => [id, GLOWS.lit]), ...(simulated?.lit ?? []).map((id) => [id, GLOWS.white])];
  picture.showLights(Object.fromEntries(shown));
  picture.zoomTo(last && !isWhole && !twoColumnQuery().matches ? [last] : [], CLOSE_FRAME);
}

/** @param {Walk} walk */
const results = ({ done, of, over, findings, written }) => `
  <p><label>${escapeHtml(formatMessage("{done} of {of} steps", { done, of }))} <progress max="${of}" value="${done}"></progress></label></p>
  ${findings.length ? `<h2>${formatMessage("What is wrong")}</h2><ul class="findings">${findings.map((each) => `<li>${escapeHtml(each)}</li>`).join("")}</ul>`
    : `<p>${over ? formatMessage("Nothing is wrong.") : formatMessage("Nothing is wrong so far.")}</p>`}
  ${written ? ending(written) : `<p class="kept">${formatMessage("Each step is kept: you may close this page, or stop the program, and go on another day.")}</p>`}`;

/** @param {string} written */
const ending = (written) => `<p data-written>${escapeHtml(formatMessage("The board file is"))} <code>${escapeHtml(written)}</code></p>
  <p>${formatMessage("Put it on the Pico:")} <code>companion flash ${escapeHtml(written)}</code></p>
  <p>${formatMessage("Play on it:")} <code>companion play --board ${escapeHtml(written)}</code></p>`;

async function look() {
  /** @type {Walk | null} */
  const told = await fetchApiOrNull("/api/walk");
  if (told && walk) sound(walk, told);
  if (told) walk = told;
  else setText(said, formatMessage("The program does not answer: is it still running?"));
  if (told) draw();
}

/**
 * Who looks at the board hears that a peg was seen.
 * @param {Walk} before
 * @param {Walk} now
 */
function sound(before, now) {
  if (now.written && !before.written) playChime("win");
  else if (now.said && now.said !== before.said) playChime("wrong");
  else if (now.resting && now.acts > before.acts) playChime("right");
}

async function watch() {
  await look();
  setTimeout(watch, LOOK_MS);
}

/**
 * For how many the most holes are in use: then none is drawn faint.
 * @param {Api.Board} board
 */
const seatsOf = ({ routes }) =>
  Number(Object.entries(routes).sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? 2);

async function open() {
  const [names, me, board] = await Promise.all([fetchApiOrNull("/api/constants"), fetchApiOrNull("/api/me"), fetchApiOrNull("/api/board"), loadCatalogue()]);
  if (names) setConstants(names);
  if (me?.role !== "player") {
    setText(said, formatMessage("Open the link that the program prints: then you walk here."));
    return;
  }
  if (board) {
    const drawn = createBoardPicture(plank, board, { seats: seatsOf(board), turn: viewRotation(board.holes, 2, null, twoColumnQuery().matches) });
    drawn.svg.addEventListener("click", (event) => {
      const hole = walk?.simulated ? drawn.findNearestHole(event) : null;
      if (hole) post("/api/walk/peg", { hole });
    });
    picture = drawn;
  }
  document.addEventListener("pointerdown", unlockAudio);
  watch();
}

open();
