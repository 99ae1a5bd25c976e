// Entry of the practice page: a hand, the discard, and what it was worth. The score stays on this phone.

import { choiceCards, choiceSituation, formatDecimal, formatPercent, oddsBars } from "../../charts/odds-bars.js";
import { loadScan } from "../../components/camera/scan-button.js";
import { discardButton, discardFan } from "../../components/cards/card.js";
import { fetchApi, fetchApiOrNull } from "../../core/api.js";
import { constants, setConstants } from "../../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { formatMessage, gettextNoop, loadCatalogue } from "../../core/i18n.js";
import { loadSetting, saveSetting } from "../../core/preferences.js";
import { requestJson } from "../../core/requests.js";
import { countDealt, DISCARD_COUNT } from "../../games/hand-sizes.js";
import { addChoice, EMPTY_SCORE, parseScore } from "./practice-score.js";

const SCORE_SETTING = "practice";
const SEED_RANGE = 1e9;
const GAMES = [["six-card", gettextNoop("Six-card cribbage")], ["five-card", gettextNoop("Five-card cribbage")]];

const el = findElement(document, "[data-train]");
/** @type {{ asked: any, ranked: import("../../charts/odds-bars.js").RankedChoice[] } | null} */
let deal = null;
/** @type {string[]} */
let selected = [];
let isScored = false;
let dealRequests = 0;
let score = parseScore(loadSetting(SCORE_SETTING) ?? "");
let game = "six-card";
let isOwn = false;
let canScan = false;
let refusal = "";

onButtonClick(el, async ({ away, lay, next, game: other, forget, scan, crib }) => {
  refusal = "";
  if (away) selected = selected.includes(away) ? selected.filter((each) => each !== away) : [...selected, away].slice(-DISCARD_COUNT);
  if (lay !== undefined && deal) scoreDiscard(deal);
  if (forget !== undefined) storeScore(EMPTY_SCORE);
  if (other) game = other;
  if (next !== undefined || other) await nextDeal();
  if (crib !== undefined && deal) await dealOwnCards(deal.asked.hand, !deal.asked.dealer);
  draw();
  if (scan !== undefined) await scanOwnCards();
});

/** Photograph cards of one's own to practise with. */
async function scanOwnCards() {
  const scan = await loadScan({ showRefusal: (sentence) => (refusal = sentence, draw()) });
  scan?.openScan({ countDue: () => countDealt(game), submit: (cards) => dealOwnCards(cards, true) });
}

/**
 * Practise with these cards. A selection from the same cards stays. Return the error message, or null.
 * @param {string[]} cards
 * @param {boolean} isDealer
 * @returns {Promise<string | null>}
 */
async function dealOwnCards(cards, isDealer) {
  const request = ++dealRequests;
  const { data, error } = await requestJson(`/api/train?game=${game}&hand=${cards.join("")}${isDealer ? "&dealer=on" : ""}`);
  if (request !== dealRequests) return null; // another deal was asked for meanwhile
  refusal = error;
  if (!data) return error;
  const isSameHand = String(data.asked.hand) === String(deal?.asked.hand);
  [deal, selected, isScored, isOwn] = [data, isSameHand ? selected : [], false, true];
  draw();
  return null;
}

/** @param {{ ranked: import("../../charts/odds-bars.js").RankedChoice[] }} deal */
function scoreDiscard({ ranked }) {
  const made = ranked.find((each) => choiceCards(each).join() === [...selected].sort().join());
  if (!made || isScored) return;
  isScored = true;
  if (!isOwn) storeScore(addChoice(score, ranked, made));
}

/** @param {import("./practice-score.js").PracticeScore} newScore */
function storeScore(newScore) {
  score = newScore;
  saveSetting(SCORE_SETTING, JSON.stringify(newScore));
}

async function nextDeal() {
  const request = ++dealRequests;
  const next = await fetchApiOrNull(`/api/train?game=${game}&seed=${Math.floor(Math.random() * SEED_RANGE)}`);
  if (request !== dealRequests) return;
  [deal, selected, isScored, isOwn] = [next, [], false, false];
}

function draw() {
  const games = GAMES.map(([key, title]) => `<button type="button" class="button" data-game="${key}" aria-pressed="${key === game}">${escapeHtml(formatMessage(title))}</button>`).join("");
  const scoreText = score.deals
    ? formatMessage("{best} of {deals} best. Lost per deal: {percent}, {points} points.", { best: score.best, deals: score.deals,
      percent: formatPercent(score.lost / score.deals), points: formatDecimal(score.points / score.deals, 2) })
    : formatMessage("No deal played yet.");
  morphHtml(el, `<div class="choices" role="group" aria-label="${escapeHtml(formatMessage("Game"))}">${games}</div>
    ${deal ? renderHand(deal) : `<p>${escapeHtml(formatMessage("The table does not answer. Try again."))}</p>`}
    <div class="choices">${isOwn && !isScored ? `<button type="button" class="button" data-crib>${escapeHtml(formatMessage("Change whose crib it is"))}</button>` : ""}
    ${canScan ? `<button type="button" class="button" data-scan>${escapeHtml(formatMessage("Scan my own cards"))}</button>` : ""}</div>
    <p class="sheet-error" role="alert">${escapeHtml(refusal)}</p>
    <p role="status" data-score>${escapeHtml(scoreText)}</p>
    ${isScored && deal ? oddsBars(deal.ranked, selected) : ""}
    ${score.deals ? `<div class="choices"><button type="button" class="button" data-forget>${escapeHtml(formatMessage("Reset my score"))}</button></div>` : ""}
    <div class="thumb">${isScored || !deal ? `<button type="button" class="button main" data-next>${escapeHtml(formatMessage("Next deal"))}</button>`
      : `${discardFan(deal.asked.hand, selected)}${discardButton(selected.length === DISCARD_COUNT)}`}</div>`);
}

/**
 * Return the hand: with selectable cards, or as a summary once the discard is scored.
 * @param {{ asked: any, ranked: import("../../charts/odds-bars.js").RankedChoice[] }} deal
 */
function renderHand({ asked: question }) {
  if (isScored) return choiceSituation(question);
  const [own, other] = question.scores;
  return `<p class="ask"><b>${escapeHtml(question.dealer ? formatMessage("Your crib.") : formatMessage("Opponent's crib."))}</b>
    ${escapeHtml(formatMessage("You {own}, opponent {other}, to {target}. Choose two cards for the crib.", { own, other, target: question.target }))}</p>`;
}

async function startPage() {
  await loadCatalogue();
  setConstants(await fetchApi("/api/constants"));
  canScan = constants.reads_photos && (await fetchApiOrNull("/api/me"))?.role === "player";
  await nextDeal();
  draw();
}

startPage();
