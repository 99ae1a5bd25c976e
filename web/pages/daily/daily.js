// Entry of the daily deal: one hand a day, the same on every phone. One answer of the table has all costs and counts, so that
// the page also works without a connection. What was played stays on this phone.

import { choiceCards, choiceSituation, formatPercent, formatDecimal, isAsGood, oddsBars } from "../../charts/odds-bars.js";
import { cardFace, discardButton, discardFan } from "../../components/cards/card.js";
import { fetchApiOrNull } from "../../core/api.js";
import { constants, setConstants } from "../../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick, setText } from "../../core/dom.js";
import { cardName } from "../../core/format.js";
import { catalogueAddress, formatMessage, formatPlural, joinWithAnd, language, loadCatalogue, withLanguage } from "../../core/i18n.js";
import { isSecure, loadSetting, registerServiceWorker, saveSetting } from "../../core/preferences.js";
import { DISCARD_COUNT } from "../../games/hand-sizes.js";
import { addDeal, currentStreak, parseRecord } from "./daily-record.js";

/** @typedef {Api.Answers["/api/daily"]} Deal */

const RECORD_SETTING = "daily";

const el = findElement(document, "[data-daily]");
/** @type {Deal | null} */
let deal = null;
/** @type {string[]} */
let selected = [];
let record = parseRecord(loadSetting(RECORD_SETTING) ?? "");
let isCountShown = false;

onButtonClick(el, async ({ away, lay, reveal, share, retry }) => {
  if (away) selected = selected.includes(away) ? selected.filter((each) => each !== away) : [...selected, away].slice(-DISCARD_COUNT);
  if (lay !== undefined && deal) storeRecord(addDeal(record, deal.date, selected, isAsGood(findChoice(deal, selected), deal.ranked[0])));
  if (reveal !== undefined) isCountShown = true;
  if (share !== undefined && deal) await shareText(describeResult(deal));
  if (retry !== undefined) await loadDeal();
  draw();
  if (lay !== undefined) focusOn("[data-verdict]"); // the button that had the focus is gone; a screen reader goes on here
  if (reveal !== undefined) focusOn("[data-worth]");
});

el.addEventListener("submit", (event) => {
  event.preventDefault();
  const { value } = findElement(el, "input");
  if (value === "") return;
  storeRecord({ ...record, counted: Number(value) });
  draw();
  focusOn("[data-worth]");
});

document.addEventListener("visibilitychange", async () => {
  if (document.visibilityState !== "visible" || deal?.date === today()) return;
  await loadDeal();
  draw();
});

/** Return the date of this phone, as `2026-01-31`. */
function today() {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** @param {import("./daily-record.js").DailyRecord} newRecord */
function storeRecord(newRecord) {
  record = newRecord;
  saveSetting(RECORD_SETTING, JSON.stringify(newRecord));
}

/**
 * @param {import("../../charts/odds-bars.js").RankedChoice} choice
 * @param {string[]} cards
 */
const isSameChoice = (choice, cards) => choiceCards(choice).join() === [...cards].sort().join();

/**
 * @param {Pick<Deal, "ranked">} deal
 * @param {string[]} cards the two cards of the choice
 */
const findChoice = ({ ranked }, cards) => ranked.find((each) => isSameChoice(each, cards)) ?? ranked[0];

async function loadDeal() {
  const dealPath = `/api/daily?date=${today()}`;
  const [names, found] = await Promise.all([fetchApiOrNull("/api/constants"), fetchApiOrNull(dealPath)]);
  if (names) setConstants(names);
  deal = names && found;
  [selected, isCountShown] = [[], false];
  if (deal) keepForOffline(dealPath).catch(() => {}); // without a connection, what was kept before stays
}

/** Keep this page and the answers that it needs for times without a connection, and no deal of another day. @param {string} dealPath */
async function keepForOffline(dealPath) {
  if (!isSecure()) return;
  registerServiceWorker();
  const cache = await caches.open("pages");
  await cache.addAll([location.pathname, withLanguage("/api/constants"), withLanguage(dealPath), ...(language === "en" ? [] : [catalogueAddress()])]);
  for (const { url } of await cache.keys()) if (url.includes("/api/daily") && !url.includes(dealPath)) await cache.delete(url);
}

function draw() {
  if (!deal) return morphHtml(el, `<p>${escapeHtml(formatMessage("The table does not answer. Try again."))}</p>
    <div class="choices"><button type="button" class="button" data-retry>${escapeHtml(formatMessage("Try again"))}</button></div>`);
  const day = new Date(`${deal.date}T12:00`).toLocaleDateString(language, { dateStyle: "full" });
  return morphHtml(el, `<p class="lead">${escapeHtml(day)}</p>${record.date === deal.date ? renderResult(deal) : renderHand(deal)}`);
}

/** @param {Deal} deal */
const renderHand = ({ asked }) => `<p>${escapeHtml(formatMessage("The same deal on every phone."))}</p>
  <p class="ask"><b>${escapeHtml(asked.dealer ? formatMessage("Your crib.") : formatMessage("Opponent's crib."))}</b> ${escapeHtml(formatMessage("Choose two cards for the crib."))}</p>
  ${renderStreak()}
  <div class="thumb">${discardFan(asked.hand, selected)}${discardButton(selected.length === DISCARD_COUNT)}</div>`;

/** Return what the discard cost, the count of the hand, the text to share, and all choices. @param {Deal} deal */
function renderResult(deal) {
  const made = findChoice(deal, record.discard);
  const kept = deal.asked.hand.filter((card) => !made.discard.includes(card));
  return `<h2 tabindex="-1" data-verdict>${escapeHtml(describeVerdict(deal, made))}</h2>
    <dl class="asked"><dt>${escapeHtml(formatMessage("starter"))}</dt><dd class="cards small-cards">${cardFace(deal.starter)}</dd>
      <dt>${escapeHtml(formatMessage("Your hand"))}</dt><dd class="cards small-cards">${kept.map(cardFace).join("")}</dd></dl>
    ${record.counted !== null || isCountShown ? `<p tabindex="-1" data-worth>${escapeHtml(describeCount(made))}</p>` : renderCountForm()}
    ${renderStreak()}
    <p class="share-text" data-text>${escapeHtml(describeResult(deal))}</p>
    <div class="choices"><button type="button" class="button" data-share>${escapeHtml(formatMessage("Share"))}</button></div>
    <h2>${escapeHtml(formatMessage("All choices"))}</h2>${choiceSituation(deal.asked)}${oddsBars(deal.ranked, made.discard, true)}`;
}

const renderCountForm = () => `<form class="setting" autocomplete="off">
  <label>${escapeHtml(formatMessage("What is your hand worth with the starter?"))} <input type="number" inputmode="numeric" min="0" max="${constants.claims.most}" required></label>
  <div class="choices"><button class="button">${escapeHtml(formatMessage("Count"))}</button>
    <button type="button" class="button" data-reveal>${escapeHtml(formatMessage("Show the count"))}</button></div></form>`;

const renderStreak = () => record.deals ? `<p data-streak>${escapeHtml(describeStreak())}
  ${escapeHtml(formatMessage("Best discards: {best} of {deals}.", { best: record.best, deals: record.deals }))}</p>` : "";

const describeStreak = () => formatPlural("Streak: {n} day.", "Streak: {n} days.", currentStreak(record, today()));

/**
 * Return what the discard cost in a sentence.
 * @param {Deal} deal
 * @param {Deal["ranked"][number]} made
 */
function describeVerdict({ ranked }, made) {
  const [best] = ranked;
  if (isAsGood(made, best)) return formatMessage("The best discard!");
  return formatMessage("Number {rank} of {n}: it costs {win} of your chance to win, {points} points. Best: {cards}.", {
    rank: ranked.findIndex((each) => isAsGood(each, made)) + 1, n: ranked.length, win: formatPercent(best.win - made.win), points: formatDecimal(best.points - made.points),
    cards: joinWithAnd(best.discard.map(cardName)) });
}

/** Return the count of the hand in a sentence. @param {Deal["ranked"][number]} made */
function describeCount({ count: { points, say } }) {
  const worth = formatMessage("Your hand is worth {points}: {count}.", { points, count: say });
  if (record.counted === null) return worth;
  return `${record.counted === points ? formatMessage("Right!") : formatMessage("You said {points}.", { points: record.counted })} ${worth}`;
}

/** Return the text to share. It tells no card. @param {Deal} deal */
function describeResult({ date, ranked }) {
  const rank = ranked.findIndex((each) => isAsGood(each, findChoice({ ranked }, record.discard)));
  const lines = [formatMessage("Cribbage, daily deal of {date}", { date }),
    rank ? formatMessage("Discard: number {rank} of {n}, −{win}", { rank: rank + 1, n: ranked.length, win: formatPercent(ranked[0].win - ranked[rank].win) })
      : formatMessage("Discard: the best of {n}", { n: ranked.length })];
  if (record.counted !== null) lines.push(record.counted === findChoice({ ranked }, record.discard).count.points ? formatMessage("Count: right") : formatMessage("Count: wrong"));
  return [...lines, describeStreak()].join("\n");
}

/** Share a text with another app, or copy it; where the browser allows neither, select it. @param {string} text */
async function shareText(text) {
  const status = findElement(document, "[data-shared]");
  if (navigator.share) return navigator.share({ text }).catch(() => {}); // rejected when the user cancels
  const isCopied = (await navigator.clipboard?.writeText(text).then(() => true, () => false)) ?? false;
  if (!isCopied) getSelection()?.selectAllChildren(findElement(el, "[data-text]"));
  setText(status, isCopied ? formatMessage("Copied.") : formatMessage("Copy the selected text."));
}

/** @param {string} selector */
const focusOn = (selector) => findElement(el, selector).focus();

async function startPage() {
  await loadCatalogue();
  await loadDeal();
  draw();
}

startPage();
