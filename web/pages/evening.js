// What was played at this table: tonight's games, who won against whom, what each player has done, and of each game the
// race, where its points came from, luck and skill, and a picture to share. All of it reckoned by the table.

import { painted, share } from "../charts/share-image.js";
import { against, luck, records, result, standing, told } from "../components/game-summary.js";
import { ago, BEGAN, ENDED } from "../components/player-phones.js";
import { ask } from "../core/api.js";
import { learn } from "../core/constants.js";
import { fill, find, pressed, safe } from "../core/dom.js";
import { learnWords, say } from "../core/i18n.js";

/** @import { Game } from "../components/game-summary.js" */

/** Games that the coach can look back on, where two have played them to the end. */
const COACHED = ["six-card", "five-card"];
const el = find(document, "[data-evening]");
el.innerHTML = `<div class="results"></div><div class="game-told" aria-live="polite"></div><div class="all-time"></div>`;
const [results, one, ever] = [".results", ".game-told", ".all-time"].map((each) => find(el, each));

/** @type {Game[]} */
let games = [];
/** @type {Map<string, string>} */
let titles = new Map();
/** @type {Game | null} */
let shown = null;

pressed(results, ({ table, number }) => show(Number(table), Number(number)));
pressed(one, ({ share: asked }) => {
  const chart = one.querySelector("svg");
  if (asked !== undefined && shown && chart) share(painted(chart, shown.game.title, [standing(shown), result(shown)]), "cribbage.png");
});

async function open() {
  const [constants, offered, tonight, always] = await Promise.all(
    ["/api/constants", "/api/games", "/api/evening", "/api/evening/players"].map(ask));
  if (constants) learn(constants);
  titles = new Map((offered?.games ?? []).map((/** @type {Api.Offered} */ { key, title: words }) => [key, words]));
  games = tonight?.games ?? [];
  if (!tonight) return fill(results, `<p>${say("The table does not answer just now.")}</p>`);
  fill(results, games.length ? `<h2>${say("Tonight")}</h2><ul class="aside">${games.map(line).join("")}</ul>
    ${headed(say("Tonight, against each other"), against(tonight.series, title))}` : `<p>${say("Nothing was played yet.")}</p>`);
  if (games[0]) await show(games[0].table, games[0].number);
  fill(ever, `${headed(say("The players, of all evenings"), records(always?.players ?? []))}
    ${headed(say("Against each other, of all evenings"), against(always?.series ?? [], title))}`);
}

/**
 * @param {string} words
 * @param {string} html
 */
const headed = (words, html) => (html ? `<h2>${safe(words)}</h2>${html}` : "");

/** What a game is called. @param {string} key */
const title = (key) => titles.get(key) ?? key;

/** @param {Game} game */
const line = (game) => `<li><span><b>${safe(game.game.title)}</b> ${safe(standing(game))}
  <small>${safe(game.ended_ms === null ? ago(game.began_ms, Date.now(), BEGAN) : ago(game.ended_ms, Date.now(), ENDED))}</small></span>
  <button type="button" class="button" data-table="${game.table}" data-number="${game.number}"
    aria-label="${safe(say("Look: {game}, {standing}", { game: game.game.title, standing: standing(game) }))}">${say("Look")}</button></li>`;

/**
 * @param {number} table
 * @param {number} number
 */
async function show(table, number) {
  const found = await ask(`/api/evening/table?table=${table}`);
  const game = (found?.games ?? []).find((/** @type {Game} */ each) => each.number === number);
  if (!game) return;
  shown = game;
  const isCoached = COACHED.includes(game.game.key) && game.names.length === 2 && game.ended_ms !== null;
  const review = isCoached ? await ask(`/api/review?table=${table}&game=${number}`) : null;
  fill(one, `<h2>${safe(game.game.title)}: ${safe(game.names.join(", "))}</h2>${told(game)}
    ${review ? headed(say("Luck and skill"), luck(review, game)) : ""}
    ${review ? `<p><a href="/review?table=${table}&amp;game=${number}">${say("What did we miss?")}</a></p>` : ""}
    <div class="choices"><button type="button" class="button" data-share>${say("Share a picture")}</button></div>
    <p>${say("Take it with you:")} <a href="/api/export?table=${table}&amp;format=csv" download>${say("as CSV")}</a> <a href="/api/export?table=${table}&amp;format=jsonl" download>${say("as JSON lines")}</a></p>`);
}

learnWords().then(open);
