// Practice on one's own phone: a hand, two cards laid away, and what that was worth. The score stays on this phone.

import { choiceCards, choiceSituation, formatPercent, oddsBars } from "../charts/odds-bars.js";
import { unlabelledCardFace } from "../components/card.js";
import { addChoice, EMPTY_SCORE, parseScore } from "../components/practice-score.js";
import { fetchApi, fetchApiOrNull } from "../core/api.js";
import { setConstants } from "../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../core/dom.js";
import { cardName } from "../core/format.js";
import { formatMessage, gettextNoop, loadCatalogue } from "../core/i18n.js";
import { loadSetting, saveSetting } from "../core/preferences.js";

const KEPT = "practice";
const SEEDS = 1e9;
const AWAY = 2;
const GAMES = [["six-card", gettextNoop("Six-card cribbage")], ["five-card", gettextNoop("Five-card cribbage")]];

const el = findElement(document, "[data-train]");
/** @type {{ asked: any, ranked: import("../charts/odds-bars.js").RankedChoice[] } | null} */
let deal = null;
/** @type {string[]} */
let marked = [];
let isTold = false;
let score = parseScore(loadSetting(KEPT) ?? "");
let game = "six-card";

onButtonClick(el, async ({ away, lay, next, game: other, forget }) => {
  if (away) marked = marked.includes(away) ? marked.filter((each) => each !== away) : [...marked, away].slice(-AWAY);
  if (lay !== undefined && deal) tell(deal);
  if (forget !== undefined) keep(EMPTY_SCORE);
  if (other) game = other;
  if (next !== undefined || other) await another();
  draw();
});

/** @param {{ ranked: import("../charts/odds-bars.js").RankedChoice[] }} deal */
function tell({ ranked }) {
  const made = ranked.find((each) => choiceCards(each).join() === [...marked].sort().join());
  if (!made || isTold) return;
  isTold = true;
  keep(addChoice(score, ranked, made));
}

/** @param {import("../components/practice-score.js").PracticeScore} told */
function keep(told) {
  score = told;
  saveSetting(KEPT, JSON.stringify(told));
}

async function another() {
  deal = await fetchApiOrNull(`/api/train?game=${game}&seed=${Math.floor(Math.random() * SEEDS)}`);
  [marked, isTold] = [[], false];
}

function draw() {
  const games = GAMES.map(([key, title]) => `<button type="button" class="button" data-game="${key}" aria-pressed="${key === game}">${escapeHtml(formatMessage(title))}</button>`).join("");
  const told = score.deals
    ? formatMessage("{best} of {deals} best, {percent} and {points} points lost a deal.", { best: score.best, deals: score.deals,
      percent: formatPercent(score.lost / score.deals), points: (score.points / score.deals).toFixed(2) })
    : formatMessage("Nothing laid away yet.");
  morphHtml(el, `<div class="choices" role="group" aria-label="${escapeHtml(formatMessage("Game"))}">${games}</div>
    ${deal ? hand(deal) : `<p>${escapeHtml(formatMessage("The table does not answer: try again."))}</p>`}
    <div class="choices">${isTold || !deal ? `<button type="button" class="button" data-next>${escapeHtml(formatMessage("Another deal"))}</button>`
      : `<button type="button" class="button" data-lay ${marked.length === AWAY ? "" : "disabled"}>${escapeHtml(formatMessage("Lay these two away"))}</button>`}</div>
    <p role="status" data-score>${escapeHtml(told)}</p>
    ${isTold && deal ? oddsBars(deal.ranked, marked) : ""}
    ${score.deals ? `<div class="choices"><button type="button" class="button" data-forget>${escapeHtml(formatMessage("Forget my score"))}</button></div>` : ""}`);
}

/** @param {{ asked: any, ranked: import("../charts/odds-bars.js").RankedChoice[] }} deal */
function hand({ asked: question }) {
  if (isTold) return choiceSituation(question);
  const [own, other] = question.scores;
  return `<p>${escapeHtml(question.dealer ? formatMessage("The crib is yours.") : formatMessage("The crib is the other's."))}
    ${escapeHtml(formatMessage("You have {own}, the other {other}, of {target}. Lay two away.", { own, other, target: question.target }))}</p>
    <div class="choices">${question.hand.map((/** @type {string} */ card) => `<button type="button" class="mend" data-away="${card}"
      aria-pressed="${marked.includes(card)}" aria-label="${escapeHtml(formatMessage("Lay away the {card}", { card: cardName(card) }))}">${unlabelledCardFace(card)}</button>`).join("")}</div>`;
}

async function open() {
  await loadCatalogue();
  setConstants(await fetchApi("/api/constants"));
  await another();
  draw();
}

open();
