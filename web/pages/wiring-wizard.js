// The walk of `companion learn` on a phone: which hole is next, what was found, and an answer where nothing happens.

import { chime, wake } from "../audio/chimes.js";
import { turning } from "../board/layout.js";
import { Picture } from "../board/svg.js";
import { CLOSE } from "../board/viewport.js";
import { Actions, ask } from "../core/api.js";
import { learn } from "../core/constants.js";
import { fill, find, pressed, safe, write } from "../core/dom.js";
import { learnWords, say } from "../core/i18n.js";
import { wide } from "../core/preferences.js";

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
  ["[data-step]", "[data-said]", "[data-answers]", "[data-plank]", "[data-found]"].map((each) => find(document, each));
/** @type {ReturnType<typeof Picture> | null} */
let picture = null;
/** @type {Walk | null} */
let walk = null;
let refused = "";
let isWhole = false;
/** @type {string | null} */
let last = null; // the hole that was asked for last: its peg is to be taken out again
const { keep } = Actions(() => {}, () => {});

pressed(answers, ({ answer, whole }) => {
  if (whole !== undefined) isWhole = !isWhole;
  else post("/api/walk", { answer, at: walk?.acts });
  draw();
});

/**
 * @param {string} path
 * @param {object} body
 */
async function post(path, body) {
  refused = (await keep(path, body)) ?? "";
  await look();
}

/** Draw the walk as it is now. */
function draw() {
  if (!walk) return;
  const { begun, over, resting, pixel, written, amiss } = walk;
  document.body.dataset.acts = String(walk.acts);
  write(step, over && begun ? (written ? say("All is learned, and the board file is written.") : say("All is learned.")) : walk.say);
  write(said, refused || walk.said || amiss.join(" "));
  const next = !begun ? say("They are all out") : resting ? say("Out, and still on")
    : pixel === null ? say("Nothing answers") : say("No hole is lit");
  fill(answers, over && begun ? "" : `<button type="button" class="button" data-answer="skip">${safe(next)}</button>
    <button type="button" class="button" data-answer="back" ${walk.done ? "" : "disabled"}>${say("The step before")}</button>
    ${wide().matches ? "" : `<button type="button" class="button" data-whole aria-pressed="${isWhole}">${say("The whole board")}</button>`}`);
  fill(found, results(walk));
  show(walk);
}

/** @param {Walk} walk */
function show({ hole, resting, found, lit, dead, simulated, say: label }) {
  if (!picture) return;
  if (hole || !resting) last = hole;
  const held = simulated?.pegs ?? (resting && last ? [last] : []);
  const pegs = held.map((each, i) => ({ hole: each, seat: null, front: true, name: `peg-${i}` }));
  picture.show({
    pegs, dice: null, markers: undefined, lit: 0, tumbles: false, roll: "", due: hole ? [hole] : [], lift: [], wrong: dead, asked: [],
    flaky: [], label,
  });
  const shown = [...found.map((id) => [id, GLOWS.found]), ...lit.map((id) => [id, GLOWS.lit]), ...(simulated?.lit ?? []).map((id) => [id, GLOWS.white])];
  picture.glow(Object.fromEntries(shown));
  picture.look(last && !isWhole && !wide().matches ? [last] : [], CLOSE);
}

/** @param {Walk} walk */
const results = ({ done, of, over, findings, written }) => `
  <p><label>${safe(say("{done} of {of} steps", { done, of }))} <progress max="${of}" value="${done}"></progress></label></p>
  ${findings.length ? `<h2>${say("What is wrong")}</h2><ul class="findings">${findings.map((each) => `<li>${safe(each)}</li>`).join("")}</ul>`
    : `<p>${over ? say("Nothing is wrong.") : say("Nothing is wrong so far.")}</p>`}
  ${written ? ending(written) : `<p class="kept">${say("Each step is kept: you may close this page, or stop the program, and go on another day.")}</p>`}`;

/** @param {string} written */
const ending = (written) => `<p data-written>${safe(say("The board file is"))} <code>${safe(written)}</code></p>
  <p>${say("Put it on the Pico:")} <code>companion flash ${safe(written)}</code></p>
  <p>${say("Play on it:")} <code>companion play --board ${safe(written)}</code></p>`;

async function look() {
  /** @type {Walk | null} */
  const told = await ask("/api/walk");
  if (told && walk) sound(walk, told);
  if (told) walk = told;
  else write(said, say("The program does not answer: is it still running?"));
  if (told) draw();
}

/**
 * Who looks at the board hears that a peg was seen.
 * @param {Walk} before
 * @param {Walk} now
 */
function sound(before, now) {
  if (now.written && !before.written) chime("win");
  else if (now.said && now.said !== before.said) chime("wrong");
  else if (now.resting && now.acts > before.acts) chime("right");
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
  const [names, me, board] = await Promise.all([ask("/api/constants"), ask("/api/me"), ask("/api/board"), learnWords()]);
  if (names) learn(names);
  if (me?.role !== "player") {
    write(said, say("Open the link that the program prints: then you walk here."));
    return;
  }
  if (board) {
    const drawn = Picture(plank, board, { seats: seatsOf(board), turn: turning(board.holes, 2, null, wide().matches) });
    drawn.svg.addEventListener("click", (event) => {
      const hole = walk?.simulated ? drawn.nearest(event) : null;
      if (hole) post("/api/walk/peg", { hole });
    });
    picture = drawn;
  }
  document.addEventListener("pointerdown", wake);
  watch();
}

open();
