// The HTML of a tournament's page and of a scorecard. Pure.

import { escapeHtml } from "../../core/dom.js";
import { formatMessage, formatPlural, language } from "../../core/i18n.js";
import { standingsTable } from "./views.js";

/** Return a line of a card: "2 points, +16", "0 points, −16", or that it is blank. @param {{ points: number | null, spread: number | null }} line */
export function describeLine({ points, spread }) {
  if (points === null && spread === null) return formatMessage("no entry");
  const written = spread === null ? formatMessage("no spread") : spread > 0 ? `+${spread}` : `−${-spread}`;
  return points === null ? written : `${formatPlural("{n} point", "{n} points", points)}, ${written}`;
}

/**
 * Return what comes next, with the director's buttons.
 * @param {any} shown
 * @param {boolean} directs
 */
export function nextStep({ event, rounds, bracket, tied, discrepancies, qualifiers }, directs) {
  const button = (/** @type {string} */ open, /** @type {string} */ text, main = false) =>
    `<button type="button" class="button ${main ? "main" : ""}" data-open="${open}">${text}</button>`;
  const others = bracket.length ? [button("consolation", formatMessage("Consolation"))] : [button("leaves", formatMessage("A player leaves")),
    button("joins", formatMessage("A player comes late"))];
  const missing = namesOfMissingEntries(discrepancies);
  const card = button("card", formatMessage("Enter a card"), event.open > 0 || missing.length > 0);
  const winner = bracket.at(-1)?.[0].winner;
  /** @type {[string, string[]]} */
  const [text, buttons] = winner ? [formatMessage("{name} has won the tournament.", { name: winner }), []]
    : bracket.length ? [formatMessage("The bracket is being played. Enter the games of each match below."), bracket.flat().some((/** @type {any} */ each) => each.wins[0] || each.wins[1])
      ? [] : [button("undraw", formatMessage("Take back the bracket"))]]
    : event.open ? [formatPlural("{n} game has no entry yet. The earliest is in round {round}.", "{n} games have no entry yet. The earliest is in round {round}.",
      event.open, { round: rounds.find((/** @type {any} */ each) => each.open).round }), [card]]
    : missing.length ? [formatMessage("Entries are missing on the cards of {names}. Enter them first.", { names: missing.join(", ") }), [card, button("all", formatMessage("Rule on all by rule 12.2"))]]
    : event.blocking ? [formatPlural("{n} game must be ruled on before the bracket: its two cards do not agree.",
      "{n} games must be ruled on before the bracket: their two cards do not agree.", event.blocking), [button("all", formatMessage("Rule on all by rule 12.2"), true), card]]
    : qualifiers.length < 2 ? [formatMessage("All games are entered, and the standings are final. A bracket needs at least five players."), [card]]
    : [formatMessage("All cards agree as far as they must. Draw the bracket."), [button(tied.length ? "tied" : "draw", formatMessage("Draw the bracket"), true), card]];
  return `<p>${escapeHtml(text)}</p>${directs ? `<div class="choices">${[...buttons, ...others].join("")}</div>` : ""}`;
}

/** Return the players whose card has no entry for a game that the other card has, each once. @param {any[]} discrepancies */
const namesOfMissingEntries = (discrepancies) => [...new Set(discrepancies.filter(({ settled }) => !settled).flatMap((/** @type {any} */ each) =>
  [each.one, each.two].filter((_, n) => each.lines[n].points === null && each.lines[n].spread === null)))];

/**
 * Return the games whose cards do not agree, those that hold up the bracket first.
 * @param {any} shown
 * @param {boolean} directs
 */
export function checkList({ discrepancies }, directs) {
  const weight = (/** @type {any} */ each) => (each.settled ? 2 : each.blocks ? 0 : 1);
  const entry = (/** @type {any} */ each) => {
    const lines = [each.one, each.two].map((name, n) => `<span><b>${escapeHtml(name)}</b>: ${escapeHtml(describeLine(each.lines[n]))}</span>`).join("");
    const state = each.settled ? formatMessage("Ruled on.") : each.blocks ? "" : formatMessage("Does not hold up the bracket.");
    const button = directs && !each.settled ? `<button type="button" class="button" data-rule="${each.round}/${each.number}" aria-label="${
      escapeHtml(formatMessage("Rule on {one} – {two}", each))}">${formatMessage("Rule")}</button>` : "";
    return `<li class="${each.settled ? "settled" : ""}"><small>${formatMessage("Round {n}", { n: each.round })}: ${escapeHtml([...each.problems, state].filter(Boolean).join(" "))}</small>${lines}${button}</li>`;
  };
  const sorted = [...discrepancies].sort((a, b) => weight(a) - weight(b));
  return `<h2>${formatMessage("Cross-check")}</h2><p>${formatPlural("The two cards of {n} game do not agree.", "The two cards of {n} games do not agree.", discrepancies.length)}</p>
    <ul class="checks">${sorted.map(entry).join("")}</ul>`;
}

/**
 * Return the matches by round, the newest round first.
 * @param {any} shown
 * @param {boolean} directs
 */
export function bracketList({ bracket, qualifiers }, directs) {
  const seeded = (/** @type {string | null} */ name) => (name ? `${qualifiers.indexOf(name) + 1}. ${escapeHtml(name)}` : "…");
  const entry = (/** @type {any} */ match) => {
    if (match.is_bye) return `<li>${formatMessage("{name}: bye", { name: seeded(match.winner) })}</li>`;
    const names = [match.one, match.two].map((name) => (name && name === match.winner ? `<b>${seeded(name)}</b>` : seeded(name))).join(" – ");
    const wins = match.wins[0] || match.wins[1] ? ` ${match.wins.join(":")}` : "";
    const button = directs && match.one && match.two ? `<button type="button" class="button" data-match="${match.round}/${match.number}" aria-label="${
      escapeHtml(formatMessage("Enter games: {one} – {two}", match))}">${wins ? formatMessage("Correct") : formatMessage("Enter games")}</button>` : "";
    return `<li><span>${names}${wins}</span>${button}</li>`;
  };
  const isKnown = (/** @type {any[]} */ row) => row.some((match) => match.one || match.two);
  const rows = bracket.filter(isKnown).reverse().map((/** @type {any[]} */ row) =>
    `<h3>${roundName(row)}, ${formatMessage("best of {n}", { n: row[0].best_of })}</h3><ol class="matches">${row.map(entry).join("")}</ol>`);
  return `<h2>${formatMessage("Bracket")}</h2>${rows.join("")}`;
}

/** Return the name of a round of the bracket. @param {any[]} row */
const roundName = (row) => (row.length === 1 ? formatMessage("Final") : formatMessage("Last {n}", { n: row.length * 2 }));

/** Return the standings, with a line below the last qualifier. @param {any} shown */
export function tournamentStandings(shown) {
  const places = new Set(shown.qualifiers);
  const last = shown.standings.findLastIndex((/** @type {any} */ row) => places.has(row.player));
  return standingsTable(shown, (row, n) => `${places.has(row.player) ? "qualifies" : ""} ${n === last ? "last" : ""}`.trim());
}

/** Return where a game is played: its table, and the sitting if it is not the first. @param {{ table: number, sitting: number }} game */
const tableName = (game) => (game.sitting > 1 ? formatMessage("Table {table}, sitting {sitting}", game) : formatMessage("Table {table}", game));

/** @param {any[]} games */
export const roundGames = (games) => games.map((game) => {
  if (!game.two) return `<li><span>${escapeHtml(game.one)}</span> <small>${formatMessage("bye")}</small></li>`;
  const entered = game.lines.some((/** @type {any} */ line) => line.points !== null || line.spread !== null)
    ? `<small>${escapeHtml(game.lines.map(describeLine).join(" · "))}</small>` : "";
  return `<li><span><small>${tableName(game)}</small>${escapeHtml(game.one)} <abbr title="${formatMessage("deals first")}">●</abbr> – ${escapeHtml(game.two)}${entered}</span></li>`;
}).join("");

/**
 * Return the choice of a round.
 * @param {any} shown
 * @param {number} at
 */
export const roundChoice = ({ rounds }, at) => `<select aria-label="${formatMessage("Round")}">${rounds.map((/** @type {any} */ each) =>
  `<option value="${each.round}" ${each.round === at ? "selected" : ""}>${formatMessage("Round {n}", { n: each.round })}${
    each.open ? ` (${formatPlural("{n} open", "{n} open", each.open)})` : ""}</option>`).join("")}</select>`;

/**
 * Return the links to what can be printed.
 * @param {number} event
 * @param {boolean} directs
 */
export function paperLinks(event, directs) {
  const names = { "blank-cards": formatMessage("Blank cards"), pairings: formatMessage("Pairings"), cards: formatMessage("Cards as they are"),
    standings: formatMessage("Standings"), bracket: formatMessage("Bracket") };
  return Object.entries(names).map(([key, name]) =>
    `<li><a href="/api/club/tournaments/${event}/paper/${key}.pdf?lang=${language}${directs && key === "blank-cards" ? "&codes" : ""}">${name}</a></li>`).join("");
}

/** @param {any} shown */
export const correctionList = ({ corrections }) => corrections.map((/** @type {any} */ each) => {
  const what = each.wins ? formatMessage("Match {match} of round {round} of the bracket: {wins}", { ...each, wins: each.wins.join(":") })
    : each.round ? formatMessage("{player}, round {round}: {line}", { ...each, line: describeLine(each) }) : each.ends ? formatMessage("The night was ended") : each.joins ? formatMessage("{player} joins", each) : formatMessage("{player} leaves", each);
  const when = new Date(each.ms).toLocaleString(language, { dateStyle: "short", timeStyle: "short" });
  return `<li>${escapeHtml(what)} <small>${escapeHtml([each.reason, each.by, when].filter(Boolean).join(", "))}</small></li>`;
}).join("");

/** Return the lines of a player's own card. @param {any} card */
export const ownLines = ({ lines }) => lines.map((/** @type {any} */ line) => {
  if (line.opponent === null) return `<li><span>${formatMessage("Round {n}", { n: line.round })}: ${formatMessage("bye")}</span></li>`;
  const place = [formatMessage("Round {n}", { n: line.round }), tableName(line), line.deals ? formatMessage("you deal first") : "",
    line.locked ? formatMessage("entered by the director") : ""].filter(Boolean).join(", ");
  const isEntered = line.points !== null || line.spread !== null;
  const label = isEntered ? formatMessage("Correct") : formatMessage("Enter result");
  const button = line.locked ? "" : `<button type="button" class="button ${isEntered ? "" : "main"}" data-line="${line.round}" aria-label="${
    escapeHtml(`${label}: ${line.opponent}`)}">${label}</button>`;
  return `<li><span><small>${escapeHtml(place)}</small>${escapeHtml(line.opponent)}${isEntered ? `: ${escapeHtml(describeLine(line))}` : ""}</span>${button}</li>`;
}).join("");
