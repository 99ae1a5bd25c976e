// Entry of the lesson: a first game, one idea at a time. This phone keeps the learner's decisions; the table answers with
// the page that follows them.

import { cardFace, cardFan, unlabelledCardFace } from "../../components/cards/card.js";
import { fetchApi, fetchApiOrNull } from "../../core/api.js";
import { setConstants } from "../../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { cardName } from "../../core/format.js";
import { formatMessage, loadCatalogue } from "../../core/i18n.js";
import { loadSetting, saveSetting } from "../../core/preferences.js";
import { DISCARD_COUNT } from "../../games/hand-sizes.js";
import { isBoardFree, showScores, takeBoard } from "./lesson-board.js";

/** @typedef {Api.Answers["/api/learn"]} Lesson */

const DONE_SETTING = "lesson";
const TARGET = 61;
const SEAT_COLOURS = ["#e5484d", "#5aa9ff"];

const el = findElement(document, "[data-lesson]");
/** @type {Lesson | null} */
let lesson = null;
/** @type {string[]} */
let selected = [];
let pointedItem = 0;
let isWaiting = false;
/** @type {"none" | "free" | "used"} */
let board = "none";
let isAsking = false;

onButtonClick(el, async ({ choice, away, item, restart, lights }) => {
  if (away) selected = selected.includes(away) ? selected.filter((each) => each !== away) : [...selected, away].slice(-DISCARD_COUNT);
  if (item) pointedItem = Number(item);
  if (lights !== undefined) isAsking = lights === "ask";
  if (lights === "use") board = (await takeBoard()) ? "used" : "none";
  if (choice !== undefined || restart !== undefined) await goOn(restart === undefined && lesson ? [...lesson.done, choice ?? ""] : []);
  draw();
});

/** Ask for the page after these decisions and store those that were possible. Without an answer nothing changes. @param {string[]} done */
async function goOn(done) {
  if (isWaiting) return;
  isWaiting = true;
  /** @type {Lesson | null} */
  const next = await fetchApiOrNull(`/api/learn?done=${done.join(".")}`);
  isWaiting = false;
  findElement(document, "[data-lost]").hidden = next !== null;
  if (!next) return;
  [lesson, selected, pointedItem] = [next, [], 0];
  saveSetting(DONE_SETTING, next.done.join("."));
  draw();
  updateBoard(next);
  if (done.length && document.activeElement === document.body) findElement(el, ".thumb :is(button:enabled, a)").focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** Let the board follow the lesson; on the first page find out whether it may. @param {Lesson} lesson */
async function updateBoard({ pegs, done }) {
  if (!done.length) board = (await isBoardFree()) ? "free" : "none";
  else if (board !== "free") board = (await showScores(pegs.map(([, front]) => front))) ? "used" : "none";
  draw();
}

function draw() {
  if (!lesson) return;
  const { kind, deal, titles, events, text, refused, words } = lesson;
  const title = kind === "meaning" ? formatMessage("Three questions") : kind === "end" ? formatMessage("Well played!")
    : [formatMessage("Deal {n}", { n: deal }), ...titles].join(" · ");
  el.dataset.kind = kind;
  morphHtml(el, `${renderPegs(lesson)}
    <h2>${escapeHtml(title)}</h2>
    ${lesson.is_play ? renderTable(lesson) : ""}
    <div class="lesson-text" role="status">${events.map((each) => `<p class="event">${escapeHtml(each)}</p>`).join("")}
      ${[refused, ...text].map((each) => each && `<p>${escapeHtml(each)}</p>`).join("")}</div>
    ${lesson.cards.length ? renderCounted(lesson) : ""}
    ${renderBoard(lesson)}
    ${words.length ? `<details class="word"><summary>${formatMessage("Words so far")}</summary><dl>${words.map(({ word, say }) =>
      `<dt><b>${escapeHtml(word)}</b></dt><dd>${escapeHtml(say)}</dd>`).join("")}</dl></details>` : ""}
    ${lesson.done.length ? `<details class="word lesson-again"><summary>${formatMessage("Start over")}</summary><p>${
      escapeHtml(formatMessage("The lesson begins again with the first deal."))}
      <button type="button" class="button" data-restart>${formatMessage("Start over")}</button></p></details>` : ""}
    <div class="thumb">${renderChoices(lesson)}</div>`);
}

/** Return the scores and the pegs on their tracks. @param {Lesson} lesson */
function renderPegs({ pegs }) {
  const names = [formatMessage("You"), formatMessage("Companion")];
  const scores = pegs.map(([, front], seat) => `<span>${names[seat]} <b data-score>${front}</b></span>`).join("");
  const says = pegs.map(([back, front], seat) => formatMessage("{name}: front peg in {front}, back peg in {back}.", { name: names[seat], front, back }));
  const circle = (/** @type {number} */ hole, /** @type {number} */ seat, /** @type {string} */ rest) =>
    `<circle cx="${hole + 1.5 + Math.floor((hole + 4) / 5) * 0.6}" cy="${2 + 3 * seat}" ${rest}/>`; // holes stand in fives
  const drawn = pegs.map((pair, seat) => Array.from({ length: TARGET + 1 }, (_, hole) => circle(hole, seat, 'r=".35" class="peg-hole"')).join("")
    + pair.map((hole, i) => circle(hole, seat, `r="1.1" fill="${SEAT_COLOURS[seat]}" stroke="${i ? "#fff" : "#2c1a0b"}" stroke-width=".3"`)).join(""));
  return `<p class="lesson-score">${scores}<span>${escapeHtml(formatMessage("First to {target}", { target: TARGET }))}</span></p>
    <svg class="lesson-track" viewBox="0 0 72 7" role="img" aria-label="${escapeHtml(says.join(" "))}">${drawn.join("")}</svg>`;
}

/** Return the offer to use the board, and where its pegs go. @param {Lesson} lesson */
function renderBoard({ done }) {
  if (board === "used") return `<p class="lesson-lights">${escapeHtml(formatMessage("Move the pegs on the board too: the lights show where they go."))}</p>`;
  if (board === "none" || done.length) return "";
  const button = (/** @type {string} */ answer, /** @type {string} */ say) => `<button type="button" class="button" data-lights="${answer}">${escapeHtml(say)}</button>`;
  if (!isAsking) return `<div class="choices">${button("ask", formatMessage("Use the board and its lights"))}</div>`;
  return `<p>${escapeHtml(formatMessage("The table changes to a game of Score only to 61. The present game is kept. Change it?"))}</p>
    <div class="choices">${button("use", formatMessage("Change the game"))}${button("no", formatMessage("Not now"))}</div>`;
}

/** Return what lies on the table in the play. @param {Lesson} lesson */
const renderTable = ({ starter, series, count }) => `<div class="table"><div class="slot"><small>${formatMessage("Starter")}</small>${starter ? cardFace(starter) : ""}</div>
  <div class="slot"><small>${escapeHtml(formatMessage("count {n}", { n: count }))}</small><span class="lesson-cards" data-series>${series.map(cardFace).join("")}</span></div></div>`;

/** Return the cards being counted and, once they are counted, what scores: a tap points at its cards. @param {Lesson} lesson */
function renderCounted({ cards, items }) {
  const pointed = items[pointedItem]?.cards ?? [];
  const faces = cards.map((card) => (pointed.includes(card) ? cardFace(card).replace('class="card', 'class="pointed card') : cardFace(card)));
  const lines = items.map(({ say, cards: scoring }, i) => `<button type="button" class="button" data-item="${i}" aria-pressed="${i === pointedItem}">${escapeHtml(say)}
    <span class="small-cards">${scoring.map(cardFace).join("")}</span></button>`);
  return `<div class="lesson-cards" data-counted>${faces.slice(0, -1).join("")}<span class="plus">+</span>${faces.at(-1)}</div>${
    lines.length ? `<p>${escapeHtml(formatMessage("Tap a line to see its cards."))}</p><div class="lesson-items">${lines.join("")}</div>` : ""}`;
}

/** Return the hand and the buttons of the decision. @param {Lesson} lesson */
function renderChoices({ kind, hand, choices, answers }) {
  const renderHand = (/** @type {(card: string) => string} */ face) => hand.length
    ? `<div role="group" aria-label="${formatMessage("Your cards")}">${cardFan(hand.map(face))}</div>` : "";
  const button = (/** @type {string} */ value, /** @type {string} */ say, style = "button") =>
    `<button type="button" class="${style}" data-choice="${value}">${escapeHtml(say)}</button>`;
  switch (kind) {
    case "discard":
      return `${renderHand((card) => cardChoice(card, `data-away="${card}" aria-pressed="${selected.includes(card)}"`, formatMessage("Discard the {card}", { card: cardName(card) })))}
        <button type="button" class="button main" data-choice="${hand.filter((card) => selected.includes(card)).join("")}" ${
  selected.length === DISCARD_COUNT ? "" : "disabled"}>${formatMessage("Discard to crib")}</button>`;
    case "play":
      return `${renderHand((card) => cardChoice(card, `data-choice="${card}" ${choices.includes(card) ? "" : "disabled"}`, formatMessage("Play the {card}", { card: cardName(card) })))}
        ${choices.includes("go") ? button("go", formatMessage("Go"), "button main") : ""}`;
    case "count":
    case "peg":
      return `<div class="numbers rest" role="group" aria-label="${kind === "peg" ? formatMessage("Hole") : formatMessage("Points")}">${choices.map((each) => button(each, each, "key")).join("")}</div>`;
    case "meaning":
      return `<div class="lesson-answers">${answers.map((each, i) => button(choices[i], each)).join("")}</div>`;
    case "end":
      return `<div class="choices"><a class="button" href="/">${formatMessage("Play a game")}</a><a class="button" href="/train">${formatMessage("Practice")}</a></div>`;
    default:
      return `${renderHand((card) => `<span>${cardFace(card)}</span>`)}${button("next", formatMessage("Next"), "button main")}`;
  }
}

/**
 * Return a card of the hand as a button.
 * @param {string} card
 * @param {string} attributes
 * @param {string} label
 */
const cardChoice = (card, attributes, label) =>
  `<button type="button" class="card-button" ${attributes} aria-label="${escapeHtml(label)}">${unlabelledCardFace(card)}</button>`;

async function startPage() {
  await loadCatalogue();
  setConstants(await fetchApi("/api/constants"));
  await goOn((loadSetting(DONE_SETTING) ?? "").split(".").filter(Boolean));
}

startPage().catch(() => (findElement(document, "[data-lost]").hidden = false));
