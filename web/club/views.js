// How the room's page looks: from what the archive tells to HTML. Pure.

import { escapeHtml } from "../core/dom.js";
import { formatMessage, formatPlural, gettextNoop, language } from "../core/i18n.js";

const KINDS = { "round-robin": gettextNoop("Round robin"), swiss: gettextNoop("Swiss") };

/** @param {any} table */
export const nameOf = (table) => [table.board, table.game?.title].filter(Boolean).join(" · ");

/** "Ann beat Bob, 121–88, skunk". @param {any} result */
export function saidOf(result) {
  const winner = result.players[result.winner] ?? formatMessage("side {n}", { n: result.winner + 1 });
  const others = result.players.filter((/** @type {string} */ name) => name !== winner).join(", ");
  const scores = [...result.scores].sort((a, b) => b - a).join("–");
  const told = others ? formatMessage("{winner} beat {others}, {scores}", { winner, others, scores }) : formatMessage("{winner} won, {scores}", { winner, scores });
  return result.skunk ? `${told}, ${formatMessage(result.skunk)}` : told;
}

/** @param {any} result */
export const resultLine = (result) => `<li>${escapeHtml(result.board)}: ${escapeHtml(saidOf(result))}</li>`;

/** @param {any[]} tables */
export const boards = (tables) => tables.map(board).join("") || `<li class="away">${formatMessage("No board has told anything yet.")}</li>`;

/** @param {any} table */
function board(table) {
  const sides = (table.scores ?? []).map((/** @type {number} */ score, /** @type {number} */ side) => {
    const names = table.players.filter((/** @type {any} */ each) => each.side === side).map((/** @type {any} */ each) => each.name);
    const label = names.join(" & ") || formatMessage("side {n}", { n: side + 1 });
    return `<b><span>${escapeHtml(label)}${table.winner === side ? " ★" : ""}</span><span>${score}</span></b>`;
  });
  return `<li data-board="${escapeHtml(table.board)}" class="${table.online ? "" : "away"}">${escapeHtml(nameOf(table))}
    ${sides.join("")}${table.online ? "" : `<small>${formatMessage("away")}</small>`}</li>`;
}

/** The columns of the standings: as the archive names them, as people do, and as they are written where it is narrow. */
const COLUMNS = /** @type {const} */ ([
  ["rank", gettextNoop("rank"), "#"], ["player", gettextNoop("player"), gettextNoop("player")], ["points", gettextNoop("points"), gettextNoop("pts")],
  ["won", gettextNoop("won"), gettextNoop("W")], ["lost", gettextNoop("lost"), gettextNoop("L")], ["skunks", gettextNoop("skunks"), gettextNoop("Sk")],
  ["spread", gettextNoop("spread"), "±"],
]);

/** @param {any} told */
export function ranking({ standings, gone = [] }) {
  if (!standings.length) return `<p>${formatMessage("Nobody has a result yet.")}</p>`;
  const head = COLUMNS.map(([, name, short]) => `<th scope="col"><abbr title="${formatMessage(name)}">${formatMessage(short)}</abbr></th>`).join("");
  const row = (/** @type {any} */ each) => COLUMNS.map(([key]) => `<td>${escapeHtml(each[key])}${
    key === "player" && gone.includes(each.player) ? ` <small>${formatMessage("went home")}</small>` : ""}</td>`).join("");
  return `<table><thead><tr>${head}</tr></thead><tbody>${standings.map((/** @type {any} */ each) => `<tr>${row(each)}</tr>`).join("")}</tbody></table>`;
}

/**
 * The events to choose from, and for the organiser a button for another.
 * @param {any} told
 * @param {boolean} organises
 */
export function listOf({ events, event }, organises) {
  const options = events.map((/** @type {any} */ each) =>
    `<option value="${each.id}" ${each.id === event?.id ? "selected" : ""}>${escapeHtml(each.name)}</option>`).join("");
  const choice = events.length > 1 ? `<select aria-label="${formatMessage("Event")}">${options}</select>` : "";
  return choice + (organises ? `<button type="button" class="button" data-open="event">${formatMessage("New event")}</button>` : "");
}

/**
 * An event: its newest round, and what the organiser may do.
 * @param {any} told
 * @param {boolean} organises
 */
export function night({ event, games }, organises) {
  const last = newest(games);
  const waiting = games.filter((/** @type {any} */ game) => game.two && !game.winner).length;
  return `<h2>${escapeHtml(event.name)} <small>${formatMessage(KINDS[/** @type {"swiss"} */ (event.kind)])}</small></h2>
    ${last ? round(games, last, organises) : `<p>${formatMessage("No round is paired yet.")}</p>`}
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
export const exported = (event) => `<a href="/api/club/export?event=${event.id}" download>${formatMessage("All of it as a table (CSV)")}</a>`;

/** @param {any[]} games */
const newest = (games) => Math.max(0, ...games.map((game) => game.round));

/**
 * @param {any} event
 * @param {number} last
 * @param {number} waiting
 */
function buttons(event, last, waiting) {
  const isOver = event.rounds && last >= event.rounds;
  const next = isOver ? "" : `<button type="button" class="button main" data-pair ${waiting ? "disabled" : ""}>${formatMessage("Pair round {n}", { n: last + 1 })}</button>`;
  const why = waiting ? `<p>${formatPlural("{n} game has no result yet.", "{n} games have no result yet.", waiting)}</p>` : "";
  return `${why}<div class="choices">${next}
    <button type="button" class="button" data-open="players">${formatMessage("Players")}</button>
    ${last ? `<button type="button" class="button" data-unpair="${last}">${formatMessage("Take round {n} back", { n: last })}</button>` : ""}</div>`;
}

/**
 * @param {any[]} games
 * @param {number} n
 * @param {boolean} organises
 */
function round(games, n, organises) {
  const lines = games.filter((game) => game.round === n).map((game) => line(game, organises)).join("");
  return `<h3>${formatMessage("Round {n}", { n })}</h3><ol class="games-of">${lines}</ol>`;
}

/**
 * @param {any} game
 * @param {boolean} organises
 */
function line(game, organises) {
  if (!game.two) return `<li><span>${escapeHtml(game.one)}</span> <small>${formatMessage("bye")}</small></li>`;
  const both = `${game.one} – ${game.two}`;
  const told = game.winner ? `<small>${escapeHtml(outcome(game))}</small>` : "";
  const label = game.winner ? formatMessage("Correct") : formatMessage("Enter result");
  const button = `<button type="button" class="button" data-game="${game.round}/${game.number}" aria-label="${escapeHtml(`${label}: ${both}`)}">${label}</button>`;
  return `<li><span>${name(game, "one")} – ${name(game, "two")} ${told}</span>${organises ? button : ""}</li>`;
}

/**
 * @param {any} game
 * @param {"one" | "two"} which
 */
const name = (game, which) => (game.winner === game[which] ? `<b>${escapeHtml(game[which])}</b>` : escapeHtml(game[which]));

/** "Ann by 12", "Ann by 31, skunk", or that a result was taken back. @param {any} said */
export function outcome({ winner, skunk, is_skunk: was = skunk, spread }) {
  if (!winner) return formatMessage("taken back");
  const told = spread ? formatMessage("{winner} by {spread}", { winner, spread }) : formatMessage("{winner} won", { winner });
  return was ? `${told}, ${formatMessage("skunk")}` : told;
}

/** All that was said of a game, the newest first, with who and when. @param {any} game */
export const sayings = (game) => [...game.results].reverse().map((/** @type {any} */ each) =>
  `<li>${escapeHtml(outcome(each))} <small>${escapeHtml(each.by)}, ${escapeHtml(new Date(each.ms).toLocaleString(language, { dateStyle: "short", timeStyle: "short" }))}</small></li>`).join("");

/** @param {any} health */
export function health({ boards: known, behind, amiss }) {
  const parts = [formatPlural("{n} board", "{n} boards", known)];
  if (behind) parts.push(formatPlural("{n} move on its way", "{n} moves on their way", behind));
  if (amiss) parts.push(formatMessage("{n} refused", { n: amiss }));
  return escapeHtml(parts.join(", "));
}

/** @param {any} health */
export const refused = ({ refused: each }) =>
  each.map((/** @type {any} */ one) => `<li>${escapeHtml(formatMessage("{board}, move {n}: {why}", one))}</li>`).join("");
