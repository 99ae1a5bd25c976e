// How the room's page looks: from what the archive tells to HTML. Pure.

import { safe } from "../core/dom.js";
import { language, phrase, say, sayMany } from "../core/i18n.js";

const KINDS = { "round-robin": phrase("Round robin"), swiss: phrase("Swiss") };

/** @param {any} table */
export const nameOf = (table) => [table.board, table.game?.title].filter(Boolean).join(" · ");

/** "Ann beat Bob, 121–88, skunk". @param {any} result */
export function saidOf(result) {
  const winner = result.players[result.winner] ?? say("side {n}", { n: result.winner + 1 });
  const others = result.players.filter((/** @type {string} */ name) => name !== winner).join(", ");
  const scores = [...result.scores].sort((a, b) => b - a).join("–");
  const told = others ? say("{winner} beat {others}, {scores}", { winner, others, scores }) : say("{winner} won, {scores}", { winner, scores });
  return result.skunk ? `${told}, ${say(result.skunk)}` : told;
}

/** @param {any} result */
export const resultLine = (result) => `<li>${safe(result.board)}: ${safe(saidOf(result))}</li>`;

/** @param {any[]} tables */
export const boards = (tables) => tables.map(board).join("") || `<li class="away">${say("No board has told anything yet.")}</li>`;

/** @param {any} table */
function board(table) {
  const sides = (table.scores ?? []).map((/** @type {number} */ score, /** @type {number} */ side) => {
    const names = table.players.filter((/** @type {any} */ each) => each.side === side).map((/** @type {any} */ each) => each.name);
    const label = names.join(" & ") || say("side {n}", { n: side + 1 });
    return `<b><span>${safe(label)}${table.winner === side ? " ★" : ""}</span><span>${score}</span></b>`;
  });
  return `<li data-board="${safe(table.board)}" class="${table.online ? "" : "away"}">${safe(nameOf(table))}
    ${sides.join("")}${table.online ? "" : `<small>${say("away")}</small>`}</li>`;
}

/** The columns of the standings: as the archive names them, as people do, and as they are written where it is narrow. */
const COLUMNS = /** @type {const} */ ([
  ["rank", phrase("rank"), "#"], ["player", phrase("player"), phrase("player")], ["points", phrase("points"), phrase("pts")],
  ["won", phrase("won"), phrase("W")], ["lost", phrase("lost"), phrase("L")], ["skunks", phrase("skunks"), phrase("Sk")],
  ["spread", phrase("spread"), "±"],
]);

/** @param {any} told */
export function ranking({ standings, gone = [] }) {
  if (!standings.length) return `<p>${say("Nobody has a result yet.")}</p>`;
  const head = COLUMNS.map(([, name, short]) => `<th scope="col"><abbr title="${say(name)}">${say(short)}</abbr></th>`).join("");
  const row = (/** @type {any} */ each) => COLUMNS.map(([key]) => `<td>${safe(each[key])}${
    key === "player" && gone.includes(each.player) ? ` <small>${say("went home")}</small>` : ""}</td>`).join("");
  return `<table><thead><tr>${head}</tr></thead><tbody>${standings.map((/** @type {any} */ each) => `<tr>${row(each)}</tr>`).join("")}</tbody></table>`;
}

/**
 * The events to choose from, and for the organiser a button for another.
 * @param {any} told
 * @param {boolean} organises
 */
export function listOf({ events, event }, organises) {
  const options = events.map((/** @type {any} */ each) =>
    `<option value="${each.id}" ${each.id === event?.id ? "selected" : ""}>${safe(each.name)}</option>`).join("");
  const choice = events.length > 1 ? `<select aria-label="${say("Event")}">${options}</select>` : "";
  return choice + (organises ? `<button type="button" class="button" data-open="event">${say("New event")}</button>` : "");
}

/**
 * An event: its newest round, and what the organiser may do.
 * @param {any} told
 * @param {boolean} organises
 */
export function night({ event, games }, organises) {
  const last = newest(games);
  const waiting = games.filter((/** @type {any} */ game) => game.two && !game.winner).length;
  return `<h2>${safe(event.name)} <small>${say(KINDS[/** @type {"swiss"} */ (event.kind)])}</small></h2>
    ${last ? round(games, last, organises) : `<p>${say("No round is paired yet.")}</p>`}
    ${organises ? buttons(event, last, waiting) : ""}`;
}

/**
 * The rounds before the newest.
 * @param {any} told
 * @param {boolean} organises
 */
export const earlier = ({ games }, organises) =>
  Array.from({ length: Math.max(0, newest(games) - 1) }, (_, n) => round(games, newest(games) - 1 - n, organises)).join("");

/** @param {any} event */
export const exported = (event) => `<a href="/api/club/export?event=${event.id}" download>${say("All of it as a table (CSV)")}</a>`;

/** @param {any[]} games */
const newest = (games) => Math.max(0, ...games.map((game) => game.round));

/**
 * @param {any} event
 * @param {number} last
 * @param {number} waiting
 */
function buttons(event, last, waiting) {
  const isOver = event.rounds && last >= event.rounds;
  const next = isOver ? "" : `<button type="button" class="button main" data-pair ${waiting ? "disabled" : ""}>${say("Pair round {n}", { n: last + 1 })}</button>`;
  const why = waiting ? `<p>${sayMany("{n} game has no result yet.", "{n} games have no result yet.", waiting)}</p>` : "";
  return `${why}<div class="choices">${next}
    <button type="button" class="button" data-open="players">${say("Players")}</button>
    ${last ? `<button type="button" class="button" data-unpair="${last}">${say("Take round {n} back", { n: last })}</button>` : ""}</div>`;
}

/**
 * @param {any[]} games
 * @param {number} n
 * @param {boolean} organises
 */
function round(games, n, organises) {
  const lines = games.filter((game) => game.round === n).map((game) => line(game, organises)).join("");
  return `<h3>${say("Round {n}", { n })}</h3><ol class="games-of">${lines}</ol>`;
}

/**
 * @param {any} game
 * @param {boolean} organises
 */
function line(game, organises) {
  if (!game.two) return `<li><span>${safe(game.one)}</span> <small>${say("bye")}</small></li>`;
  const both = `${game.one} – ${game.two}`;
  const told = game.winner ? `<small>${safe(outcome(game))}</small>` : "";
  const label = game.winner ? say("Correct") : say("Enter result");
  const button = `<button type="button" class="button" data-game="${game.round}/${game.number}" aria-label="${safe(`${label}: ${both}`)}">${label}</button>`;
  return `<li><span>${name(game, "one")} – ${name(game, "two")} ${told}</span>${organises ? button : ""}</li>`;
}

/**
 * @param {any} game
 * @param {"one" | "two"} which
 */
const name = (game, which) => (game.winner === game[which] ? `<b>${safe(game[which])}</b>` : safe(game[which]));

/** "Ann by 12", "Ann by 31, skunk", or that a result was taken back. @param {any} said */
export function outcome({ winner, skunk, is_skunk: was = skunk, spread }) {
  if (!winner) return say("taken back");
  const told = spread ? say("{winner} by {spread}", { winner, spread }) : say("{winner} won", { winner });
  return was ? `${told}, ${say("skunk")}` : told;
}

/** All that was said of a game, the newest first, with who and when. @param {any} game */
export const sayings = (game) => [...game.results].reverse().map((/** @type {any} */ each) =>
  `<li>${safe(outcome(each))} <small>${safe(each.by)}, ${safe(new Date(each.ms).toLocaleString(language, { dateStyle: "short", timeStyle: "short" }))}</small></li>`).join("");

/** @param {any} health */
export function health({ boards: known, behind, amiss }) {
  const parts = [sayMany("{n} board", "{n} boards", known)];
  if (behind) parts.push(sayMany("{n} move on its way", "{n} moves on their way", behind));
  if (amiss) parts.push(say("{n} refused", { n: amiss }));
  return safe(parts.join(", "));
}

/** @param {any} health */
export const refused = ({ refused: each }) =>
  each.map((/** @type {any} */ one) => `<li>${safe(say("{board}, move {n}: {why}", one))}</li>`).join("");
