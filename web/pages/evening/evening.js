// Entry of the evening page: tonight's games, results between players, records, and for each game the race, the sources
// of its points, luck and skill, and a picture to share. The table computes all of it.

import { drawShareImage, shareImage } from "../../charts/share-image.js";
import { describeLeader, describeLuckAndSkill, eveningsTable, tonightCard, tonightFacts } from "../../components/history/evening-summary.js";
import { describeResult, describeScores, gameSummary, luckTable, recordsTable, resultsTable } from "../../components/history/game-summary.js";
import { fetchApiOrNull } from "../../core/api.js";
import { setConstants } from "../../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { BEGAN_AGO, ENDED_AGO, formatTimeAgo, rankLabel, sideNames } from "../../core/format.js";
import { formatMessage, language, loadCatalogue } from "../../core/i18n.js";
import { HAND_SIZES } from "../../games/hand-sizes.js";

/** @import { Game } from "../../components/history/game-summary.js" */

const el = findElement(document, "[data-evening]");
el.innerHTML = `<div class="running"></div><div class="results"></div><div class="game-details" aria-live="polite"></div><div class="all-time"></div>`;
const [runningSection, resultsSection, gameSection, allTimeSection] = [".running", ".results", ".game-details", ".all-time"].map((each) => findElement(el, each));

/** @type {Game[]} */
let games = [];
/** @type {Map<string, string>} */
let titles = new Map();
/** @type {Game | null} */
let shown = null;
/** @type {import("../../components/history/evening-summary.js").Evening | null} */
let tonight = null;
const SUIT_SYMBOLS = new Map([["S", "♠"], ["H", "♥"], ["C", "♣"], ["D", "♦"]]);

onButtonClick(resultsSection, ({ table, number, shareEvening }) => (shareEvening === undefined ? showGame(Number(table), Number(number)) : shareTonight()));
onButtonClick(gameSection, ({ share }) => {
  const chart = gameSection.querySelector("svg");
  if (share !== undefined && shown && chart) shareImage(drawShareImage(chart, shown.game.title, [describeScores(shown), describeResult(shown)]), "cribbage.png");
});

async function startPage() {
  const [constants, gameList, evening, records, now] = await Promise.all(
    ["/api/constants", "/api/games", "/api/evening", "/api/evening/players", "/api/state"].map(fetchApiOrNull));
  if (constants) setConstants(constants);
  titles = new Map((gameList?.games ?? []).map((/** @type {Api.Offered} */ { key, title: heading }) => [key, heading]));
  games = evening?.games ?? [];
  if (!evening) return morphHtml(resultsSection, `<p>${formatMessage("The table does not answer. Try again later.")}</p>`);
  const [last] = records?.evenings ?? [];
  tonight = last && games.some(({ began_ms: began, ended_ms: ended }) => ended !== null && began >= last.began_ms) ? last : null;
  const isRunning = now && now.moves > 0 && now.phase !== "over";
  morphHtml(runningSection, isRunning ? runningCard(now) : "");
  findElement(document, "main > p").hidden = runningSection.childElementCount > 0; // its link says the same
  morphHtml(resultsSection, games.length ? `<h2>${formatMessage("Tonight")}</h2>${tonight ? tonightCard(tonight, games, isRunning) : ""}<ul class="game-list">${games.map(gameLine).join("")}</ul>
    ${renderResults(formatMessage("Tonight, head to head"), evening.series)}` : `<p>${formatMessage("No games yet. The games you play will appear here.")}</p>`);
  const first = games.find(({ ended_ms: ended }) => ended !== null) ?? games[0]; // a race that is over says more
  if (first) await showGame(first.table, first.number);
  const isFirst = (records?.evenings ?? []).length < 2; // then tonight says it all, but the records
  morphHtml(allTimeSection, `${isFirst ? "" : renderSection(formatMessage("All evenings"), eveningsTable(records.evenings))}
    ${renderSection(formatMessage("Players, all time"), recordsTable(records?.players ?? []))}
    ${isFirst ? "" : renderResults(formatMessage("Head to head, all time"), records?.series ?? [])}`);
}

/** Share tonight as one picture. */
async function shareTonight() {
  if (!tonight) return;
  const date = new Date(tonight.began_ms).toLocaleDateString(language, { weekday: "long", day: "numeric", month: "long" });
  const lines = tonightFacts(tonight, games).map(({ text, cards }) => [text, ...cards.map((card) => rankLabel(card) + SUIT_SYMBOLS.get(card[1]))].join(" "));
  await shareImage(drawShareImage(null, describeLeader(tonight), [formatMessage("Cribbage, {date}", { date }), "", ...lines]), "cribbage-evening.png");
}

/** Return the card of the game in progress, with the way back to it. @param {Api.Snapshot} snapshot */
const runningCard = (snapshot) => `<section class="tonight"><p class="leader">${snapshot.scores.map((score, side) =>
  escapeHtml(`${sideNames(snapshot, side)}\u00a0${score}`)).join(" – ")}</p><p>${escapeHtml(snapshot.game.title)}</p>
  <a class="button main" href="/">${formatMessage("Back to the game")}</a></section>`;

/**
 * Return a section with a heading, "" if it is empty.
 * @param {string} words
 * @param {string} html
 */
const renderSection = (words, html) => (html ? `<h2>${escapeHtml(words)}</h2>${html}` : "");

/**
 * @param {string} words
 * @param {Api.Series[]} series
 */
const renderResults = (words, series) => renderSection(words, resultsTable(words, series, gameTitle));

/** @param {string} key */
const gameTitle = (key) => titles.get(key) ?? key;

/** @param {Game} game */
const gameLine = (game) => `<li><span><b>${escapeHtml(game.game.title)}</b> ${escapeHtml(describeScores(game))}
  <small>${escapeHtml(game.ended_ms === null ? formatTimeAgo(game.began_ms, Date.now(), BEGAN_AGO) : formatTimeAgo(game.ended_ms, Date.now(), ENDED_AGO))}</small></span>
  ${games.length < 2 ? "" : `<button type="button" class="button" data-table="${game.table}" data-number="${game.number}"
    aria-label="${escapeHtml(formatMessage("Show {game}, {standing}", { game: game.game.title, standing: describeScores(game) }))}">${formatMessage("Show")}</button>`}</li>`;

/**
 * Load and show a game.
 * @param {number} table
 * @param {number} number
 */
async function showGame(table, number) {
  const reply = await fetchApiOrNull(`/api/evening/table?table=${table}`);
  const game = (reply?.games ?? []).find((/** @type {Game} */ each) => each.number === number);
  if (!game) return;
  shown = game;
  const isCoached = game.game.key in HAND_SIZES && game.names.length === 2 && game.ended_ms !== null;
  const review = isCoached ? await fetchApiOrNull(`/api/review?table=${table}&game=${number}`) : null;
  morphHtml(gameSection, `<h2>${escapeHtml(game.game.title)}: ${escapeHtml(game.names.join(", "))}</h2>${gameSummary(game)}
    ${review ? renderSection(formatMessage("Luck and skill"), describeLuckAndSkill(review, game).map((each) => `<p>${escapeHtml(each)}</p>`).join("") + luckTable(review, game)) : ""}
    ${review ? `<p><a href="/review?table=${table}&amp;game=${number}">${formatMessage("Review this game")}</a></p>` : ""}
    <div class="choices"><button type="button" class="button" data-share>${formatMessage("Share a picture")}</button></div>
    <details class="word more"><summary>${formatMessage("More")}</summary><p>${formatMessage("Download:")} <a href="/api/export?table=${table}&amp;format=csv" download>${formatMessage("for a spreadsheet")}</a> <a href="/api/export?table=${table}&amp;format=jsonl" download>${formatMessage("for programs")}</a></p></details>`);
}

loadCatalogue().then(startPage);
