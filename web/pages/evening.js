// What was played at this table: tonight's games, who won against whom, what each player has done, and of each game the
// race, where its points came from, luck and skill, and a picture to share. All of it reckoned by the table.

import { drawShareImage, shareImage } from "../charts/share-image.js";
import { describeResult, describeScores, gameSummary, luckTable, recordsTable, resultsTable } from "../components/game-summary.js";
import { fetchApiOrNull } from "../core/api.js";
import { setConstants } from "../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../core/dom.js";
import { BEGAN_AGO, ENDED_AGO, formatTimeAgo } from "../core/format.js";
import { formatMessage, loadCatalogue } from "../core/i18n.js";

/** @import { Game } from "../components/game-summary.js" */

/** Games that the coach can look back on, where two have played them to the end. */
const COACHED = ["six-card", "five-card"];
const el = findElement(document, "[data-evening]");
el.innerHTML = `<div class="results"></div><div class="game-told" aria-live="polite"></div><div class="all-time"></div>`;
const [results, one, ever] = [".results", ".game-told", ".all-time"].map((each) => findElement(el, each));

/** @type {Game[]} */
let games = [];
/** @type {Map<string, string>} */
let titles = new Map();
/** @type {Game | null} */
let shown = null;

onButtonClick(results, ({ table, number }) => show(Number(table), Number(number)));
onButtonClick(one, ({ share: asked }) => {
  const chart = one.querySelector("svg");
  if (asked !== undefined && shown && chart) shareImage(drawShareImage(chart, shown.game.title, [describeScores(shown), describeResult(shown)]), "cribbage.png");
});

async function open() {
  const [constants, offered, tonight, always] = await Promise.all(
    ["/api/constants", "/api/games", "/api/evening", "/api/evening/players"].map(fetchApiOrNull));
  if (constants) setConstants(constants);
  titles = new Map((offered?.games ?? []).map((/** @type {Api.Offered} */ { key, title: words }) => [key, words]));
  games = tonight?.games ?? [];
  if (!tonight) return morphHtml(results, `<p>${formatMessage("The table does not answer just now.")}</p>`);
  morphHtml(results, games.length ? `<h2>${formatMessage("Tonight")}</h2><ul class="aside">${games.map(line).join("")}</ul>
    ${headed(formatMessage("Tonight, against each other"), resultsTable(tonight.series, title))}` : `<p>${formatMessage("Nothing was played yet.")}</p>`);
  if (games[0]) await show(games[0].table, games[0].number);
  morphHtml(ever, `${headed(formatMessage("The players, of all evenings"), recordsTable(always?.players ?? []))}
    ${headed(formatMessage("Against each other, of all evenings"), resultsTable(always?.series ?? [], title))}`);
}

/**
 * @param {string} words
 * @param {string} html
 */
const headed = (words, html) => (html ? `<h2>${escapeHtml(words)}</h2>${html}` : "");

/** What a game is called. @param {string} key */
const title = (key) => titles.get(key) ?? key;

/** @param {Game} game */
const line = (game) => `<li><span><b>${escapeHtml(game.game.title)}</b> ${escapeHtml(describeScores(game))}
  <small>${escapeHtml(game.ended_ms === null ? formatTimeAgo(game.began_ms, Date.now(), BEGAN_AGO) : formatTimeAgo(game.ended_ms, Date.now(), ENDED_AGO))}</small></span>
  <button type="button" class="button" data-table="${game.table}" data-number="${game.number}"
    aria-label="${escapeHtml(formatMessage("Look: {game}, {standing}", { game: game.game.title, standing: describeScores(game) }))}">${formatMessage("Look")}</button></li>`;

/**
 * @param {number} table
 * @param {number} number
 */
async function show(table, number) {
  const found = await fetchApiOrNull(`/api/evening/table?table=${table}`);
  const game = (found?.games ?? []).find((/** @type {Game} */ each) => each.number === number);
  if (!game) return;
  shown = game;
  const isCoached = COACHED.includes(game.game.key) && game.names.length === 2 && game.ended_ms !== null;
  const review = isCoached ? await fetchApiOrNull(`/api/review?table=${table}&game=${number}`) : null;
  morphHtml(one, `<h2>${escapeHtml(game.game.title)}: ${escapeHtml(game.names.join(", "))}</h2>${gameSummary(game)}
    ${review ? headed(formatMessage("Luck and skill"), luckTable(review, game)) : ""}
    ${review ? `<p><a href="/review?table=${table}&amp;game=${number}">${formatMessage("What did we miss?")}</a></p>` : ""}
    <div class="choices"><button type="button" class="button" data-share>${formatMessage("Share a picture")}</button></div>
    <p>${formatMessage("Take it with you:")} <a href="/api/export?table=${table}&amp;format=csv" download>${formatMessage("as CSV")}</a> <a href="/api/export?table=${table}&amp;format=jsonl" download>${formatMessage("as JSON lines")}</a></p>`);
}

loadCatalogue().then(open);
