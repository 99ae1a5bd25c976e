// The HTML of the club page. Pure.

import { escapeHtml } from "../../core/dom.js";
import { formatMessage, formatPlural, gettextNoop, language } from "../../core/i18n.js";

const KIND_NAMES = { "round-robin": gettextNoop("Round robin"), swiss: gettextNoop("Swiss"), tournament: gettextNoop("Tournament") };

/** @type {Record<string, string>} */
const SKUNK_NAMES = { skunk: gettextNoop("skunk"), "double skunk": gettextNoop("double skunk") };

/** @param {any} table */
export const tableName = (table) => [table.board, table.game?.title].filter(Boolean).join(" · ");

/** Return a result: "Ann beat Bob, 121–88, skunk". @param {any} result */
export function describeResult(result) {
  const winner = result.players[result.winner] ?? formatMessage("side {n}", { n: result.winner + 1 });
  const others = result.players.filter((/** @type {string} */ name) => name !== winner).join(", ");
  const scores = [...result.scores].sort((a, b) => b - a).join("–");
  const text = others ? formatMessage("{winner} beat {others}, {scores}", { winner, others, scores }) : formatMessage("{winner} won, {scores}", { winner, scores });
  return result.skunk ? `${text}, ${formatMessage(SKUNK_NAMES[result.skunk])}` : text;
}

/** @param {any} result */
export const resultLine = (result) => `<li>${escapeHtml(result.board)}: ${escapeHtml(describeResult(result))}</li>`;

/** @param {any[]} tables */
export const tableList = (tables) => tables.map(tableEntry).join("") || `<li class="offline">${formatMessage("No board has reported yet.")}</li>`;

/** @param {any} table */
function tableEntry(table) {
  const sides = (table.scores ?? []).map((/** @type {number} */ score, /** @type {number} */ side) => {
    const names = table.players.filter((/** @type {any} */ each) => each.side === side).map((/** @type {any} */ each) => each.name);
    const label = names.join(" & ") || formatMessage("side {n}", { n: side + 1 });
    return `<b><span>${escapeHtml(label)}${table.winner === side ? " ★" : ""}</span><span>${score}</span></b>`;
  });
  return `<li data-board="${escapeHtml(table.board)}" class="${table.online ? "" : "offline"}">${escapeHtml(tableName(table))}
    ${sides.join("")}${table.online ? "" : `<small>${formatMessage("offline")}</small>`}</li>`;
}

/** The columns of the standings: the field, the name, and the short name for narrow screens. */
const COLUMNS = /** @type {const} */ ([
  ["rank", gettextNoop("rank"), "#"], ["player", gettextNoop("player"), gettextNoop("player")], ["points", gettextNoop("points"), gettextNoop("pts")],
  ["won", gettextNoop("won"), gettextNoop("W")], ["lost", gettextNoop("lost"), gettextNoop("L")], ["skunks", gettextNoop("skunks"), gettextNoop("Sk")],
  ["spread", gettextNoop("spread"), "±"],
]);

/**
 * Return the standings. `rowClass` gives the class of a row.
 * @param {any} room
 * @param {(row: any, n: number) => string} rowClass
 */
export function standingsTable({ standings, gone = [] }, rowClass = () => "") {
  if (!standings.length) return `<p>${formatMessage("No results yet.")}</p>`;
  const head = COLUMNS.map(([, name, short]) => `<th scope="col"><abbr title="${formatMessage(name)}">${formatMessage(short)}</abbr></th>`).join("");
  const standingsRow = (/** @type {any} */ each) => COLUMNS.map(([key]) => `<td>${escapeHtml(each[key])}${
    key === "player" && gone.includes(each.player) ? ` <small>${formatMessage("has left")}</small>` : ""}</td>`).join("");
  return `<table><thead><tr>${head}</tr></thead><tbody>${standings.map((/** @type {any} */ each, /** @type {number} */ n) =>
    `<tr class="${rowClass(each, n)}">${standingsRow(each)}</tr>`).join("")}</tbody></table>`;
}

/**
 * Return the choice of events, with a button for a new one for the organiser.
 * @param {any} room
 * @param {boolean} organises
 */
export function eventChoice({ events, event }, organises) {
  const options = events.map((/** @type {any} */ each) =>
    `<option value="${each.id}" ${each.id === event?.id ? "selected" : ""}>${escapeHtml(each.name)}</option>`).join("");
  const choice = events.length > 1 ? `<select aria-label="${formatMessage("Event")}">${options}</select>` : "";
  return choice + (organises ? `<button type="button" class="button" data-open="event">${formatMessage("New event")}</button>` : "");
}

/**
 * Return the current round of an event, with the organiser's buttons.
 * @param {any} room
 * @param {boolean} organises
 */
export function currentRound({ event, games }, organises) {
  if (event.kind === "tournament") {
    return `<h2>${escapeHtml(event.name)}</h2><div class="choices"><a class="button main" href="/tournament?event=${event.id}">${formatMessage("Open the tournament")}</a>${
      organises ? `<button type="button" class="button" data-open="boards">${formatMessage("Boards")}</button>` : ""}</div>`;
  }
  const last = newestRound(games);
  const waiting = games.filter((/** @type {any} */ game) => game.two && !game.winner).length;
  return `<h2>${escapeHtml(event.name)} <small>${formatMessage(KIND_NAMES[/** @type {"swiss"} */ (event.kind)])}</small></h2>
    ${last ? renderRound(games, last, organises) : `<p>${formatMessage("No round has been drawn yet.")}</p>`}
    ${organises ? organiserButtons(event, last, waiting) : ""}`;
}

/**
 * Return the earlier rounds, the latest first.
 * @param {any} room
 * @param {boolean} organises
 */
export const earlierRounds = ({ games }, organises) =>
  Array.from({ length: Math.max(0, newestRound(games) - 1) }, (_, n) => renderRound(games, newestRound(games) - 1 - n, organises)).join("");

/** Return the link to the export of an event. @param {any} event */
export const exportLink = (event) => `<a href="/api/club/export?event=${event.id}" download>${formatMessage("Download all results (CSV)")}</a>`;

/** @param {any[]} games */
const newestRound = (games) => Math.max(0, ...games.map((game) => game.round));

/**
 * Return the organiser's buttons.
 * @param {any} event
 * @param {number} last
 * @param {number} waiting
 */
function organiserButtons(event, last, waiting) {
  const isOver = event.rounds && last >= event.rounds;
  const next = isOver ? "" : `<button type="button" class="button main" data-pair ${waiting ? "disabled" : ""}>${formatMessage("Pair round {n}", { n: last + 1 })}</button>`;
  const why = waiting ? `<p>${formatPlural("{n} game has no result yet.", "{n} games have no result yet.", waiting)}</p>` : "";
  return `${why}<div class="choices">${next}
    <button type="button" class="button" data-open="players">${formatMessage("Players")}</button>
    <button type="button" class="button" data-open="boards">${formatMessage("Boards")}</button>
    ${last ? `<button type="button" class="button" data-unpair="${last}">${formatMessage("Undo round {n}", { n: last })}</button>` : ""}</div>`;
}

/**
 * Return a round.
 * @param {any[]} games
 * @param {number} n
 * @param {boolean} organises
 */
function renderRound(games, n, organises) {
  const lines = games.filter((game) => game.round === n).map((game) => gameLine(game, organises)).join("");
  return `<h3>${formatMessage("Round {n}", { n })}</h3><ol class="round-games">${lines}</ol>`;
}

/**
 * Return the line of a game in a round.
 * @param {any} game
 * @param {boolean} organises
 */
function gameLine(game, organises) {
  if (!game.two) return `<li><span>${escapeHtml(game.one)}</span> <small>${formatMessage("bye")}</small></li>`;
  const both = `${game.one} – ${game.two}`;
  const text = game.winner ? `<small>${escapeHtml(describeEntry(game))}</small>` : "";
  const label = game.winner ? formatMessage("Correct") : formatMessage("Enter result");
  const button = `<button type="button" class="button" data-game="${game.round}/${game.number}" aria-label="${escapeHtml(`${label}: ${both}`)}">${label}</button>`;
  return `<li><span>${playerName(game, "one")} – ${playerName(game, "two")} ${text}</span>${organises ? button : ""}</li>`;
}

/**
 * Return the name of a player; the winner's is bold.
 * @param {any} game
 * @param {"one" | "two"} which
 */
const playerName = (game, which) => (game.winner === game[which] ? `<b>${escapeHtml(game[which])}</b>` : escapeHtml(game[which]));

/** Return an entered result: "Ann by 12", "Ann by 31, skunk", or that it was taken back. @param {any} said */
export function describeEntry({ winner, skunk, is_skunk: was = skunk, spread }) {
  if (!winner) return formatMessage("withdrawn");
  const outcome = spread ? formatMessage("{winner} by {spread}", { winner, spread }) : formatMessage("{winner} won", { winner });
  return was ? `${outcome}, ${formatMessage("skunk")}` : outcome;
}

/** Return who entered a result; a board says so itself: "board table-3". @param {string} by */
const reporterName = (by) => (by.startsWith("board ") ? formatMessage("board {board}", { board: by.slice(6) }) : by);

/** Return all results entered for a game, the newest first, with their author and time. @param {any} game */
export const enteredResults = (game) => [...game.results].reverse().map((/** @type {any} */ each) =>
  `<li>${escapeHtml(describeEntry(each))} <small>${escapeHtml(reporterName(each.by))}, ${escapeHtml(new Date(each.ms).toLocaleString(language, { dateStyle: "short", timeStyle: "short" }))}</small></li>`).join("");

/** @param {any} health */
export function describeHealth({ boards: known, behind, amiss }) {
  const parts = [formatPlural("{n} board", "{n} boards", known)];
  if (behind) parts.push(formatPlural("{n} move on its way", "{n} moves on their way", behind));
  if (amiss) parts.push(formatMessage("{n} refused", { n: amiss }));
  return escapeHtml(parts.join(", "));
}

/** @param {any} health */
export const refusedMoves = ({ refused: each }) =>
  each.map((/** @type {any} */ one) => `<li>${escapeHtml(formatMessage("{board}, move {n}: {why}", one))}</li>`).join("");
