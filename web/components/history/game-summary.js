// The summary of a game and of an evening as HTML. Pure.

import { formatDecimal, formatPercent } from "../../charts/odds-bars.js";
import { raceChart } from "../../charts/race-chart.js";
import { escapeHtml } from "../../core/dom.js";
import { formatMessage, gettextNoop } from "../../core/i18n.js";
import { cardFace } from "../cards/card.js";

/** A game of an evening; `race` only if it was requested alone. @typedef {Api.Played & { race?: { scores: number[] }[] }} Game */

/** @type {["play" | "hand" | "crib" | "other", string][]} */
const POINT_SOURCES = [["play", gettextNoop("play")], ["hand", gettextNoop("hands")], ["crib", gettextNoop("crib")], ["other", gettextNoop("other")]];

/**
 * Return the name of a side; a side without a name has its number.
 * @param {Game} game
 * @param {number} side
 */
export const summarySideName = ({ names }, side) => names[side] ?? formatMessage("Side {n}", { n: side + 1 });

/**
 * Return a name and a number that stay in one line.
 * @param {string} name
 * @param {number | string} value
 */
export const joinNameAndValue = (name, value) => `${name}\u00a0${value}`;

/** Return the result as a sentence: "Ann has won, with a skunk: 2 games points." @param {Game} game */
export function describeResult(game) {
  const { winner, skunk, skunks, game_points: points, ended_ms: ended, names } = game;
  if (ended === null) return formatMessage("Still in progress.");
  if (winner === null) return formatMessage("Ended without a winner.");
  if (names.length < 2) return formatMessage("Target reached.");
  const name = summarySideName(game, winner);
  const beaten = skunk ?? skunks?.find((each) => each) ?? null;
  if (beaten === "double skunk") return formatMessage("{name} won with a double skunk: {n} game points.", { name, n: points ?? 1 });
  if (beaten) return formatMessage("{name} won with a skunk: {n} game points.", { name, n: points ?? 1 });
  return formatMessage("{name} won.", { name });
}

/** Return the scores in one line: "Ann ★ 121 – Bo 88". @param {Game} game */
export const describeScores = (game) =>
  game.scores.map((score, side) => joinNameAndValue(`${summarySideName(game, side)}${game.winner === side ? "\u00a0★" : ""}`, score)).join(" – ");

/** Return the points of each side after each move, starting with 0. @param {Game} game */
export const raceBySide = (game) => game.scores.map((_, side) => (
  { name: summarySideName(game, side), points: [0, ...(game.race ?? []).map(({ scores }) => scores[side] ?? 0)] }));

/** Return the sources of a game's points. One source alone says nothing. @param {Game} game */
function pointSources({ points }) {
  const sources = POINT_SOURCES.filter(([part]) => points.some((each) => each[part]));
  return sources.length > 1 ? sources : [];
}

/** Return the summary of a game: the result, the race, where the points came from, the best hand. @param {Game} game */
export const gameSummary = (game) => `<p>${escapeHtml(describeResult(game))}</p>${raceChart(raceBySide(game), game.game.target)}
  ${renderTable(formatMessage("Where the points came from"), [formatMessage("points by"), ...game.points.map((_, side) => summarySideName(game, side))],
    pointSources(game).map(([part, words]) => [formatMessage(words), ...game.points.map((each) => String(each[part]).replace("-", "−"))]))}
  ${game.cuts ? `<h3>${escapeHtml(formatMessage("Luck of the cut"))}</h3>${cutTable(game, game.cuts)}
    <p class="hint">${escapeHtml(formatMessage("The average covers all cards that could have been cut. The rest is luck."))}</p>` : ""}
  ${game.best ? `<p>${escapeHtml(describeBestHand(game.best, summarySideName(game, game.best.seat % game.scores.length)))}</p>
    <div class="cards">${game.best.cards.map(cardFace).join("")}</div>` : ""}`;

/**
 * Return the table of what hands and cribs counted and what the same cards count on average.
 * @param {Game} game
 * @param {NonNullable<Api.Played["cuts"]>} cuts
 */
const cutTable = (game, cuts) => renderTable(formatMessage("Luck of the cut"), [formatMessage("points by"), ...cuts.map((_, side) => summarySideName(game, side))],
  [[formatMessage("hands and cribs"), ...cuts.map(({ hands }) => hands)], [formatMessage("counted"), ...cuts.map(({ counted }) => counted)],
    [formatMessage("on average"), ...cuts.map(({ mean }) => formatDecimal(mean))], [formatMessage("luck of the starter"), ...cuts.map(({ counted, mean }) => formatSigned(counted - mean))]]);

/** @param {number} value */
const formatSigned = (value) => `${value >= 0.05 ? "+" : value <= -0.05 ? "−" : ""}${formatDecimal(Math.abs(value))}`;

/**
 * Return the sentence about the best hand.
 * @param {Api.Best} best
 * @param {string} name
 */
const describeBestHand = ({ points, part }, name) =>
  part === "crib" ? formatMessage("Best crib: {name}, {points} points.", { name, points }) : formatMessage("Best hand: {name}, {points} points.", { name, points });

/**
 * Return the table of results between players, in games and in games points.
 * @param {string} caption
 * @param {Api.Series[]} all
 * @param {(key: string) => string} title
 */
export const resultsTable = (caption, all, title) => renderTable(caption, [formatMessage("won"), formatMessage("game"), formatMessage("points")],
  all.map(({ game, names, won, points }) => [names.map((name, i) => joinNameAndValue(name, won[i])).join(", "), title(game), points.join(" : ")]));

/** Return the table of each player's results in all finished games. @param {Api.Record[]} players */
export const recordsTable = (players) => renderTable(formatMessage("Player records"),
  [formatMessage("who"), formatMessage("games"), formatMessage("won"), formatMessage("skunks"), formatMessage("points"), formatMessage("best")],
  players.map(({ name, games, won, skunks, points, best }) => [name, games, won, skunks, points, best?.points ?? "–"]));

/**
 * Return the table of luck and skill by side.
 * @param {{ luck: number[], skill: number[] }} review
 * @param {Game} game
 */
export const luckTable = ({ luck: lucky, skill }, game) => renderTable(formatMessage("Luck and skill"), [formatMessage("of a game"), ...lucky.map((_, side) => summarySideName(game, side))],
  [[formatMessage("luck"), ...lucky.map(formatSignedPercent)], [formatMessage("skill"), ...skill.map(formatSignedPercent)]]);

/** @param {number} value */
const formatSignedPercent = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${formatPercent(Math.abs(value))}`;

/**
 * Return a table with a caption for screen readers, which scrolls sideways if it is too wide.
 * @param {string} caption
 * @param {(string | number)[]} head
 * @param {(string | number)[][]} rows
 */
export const renderTable = (caption, head, rows) => (rows.length ? `<div class="wide" role="region" tabindex="0" aria-label="${escapeHtml(caption)}"><table>
  <thead><tr>${head.map((each) => `<th scope="col">${escapeHtml(each)}</th>`).join("")}</tr></thead>
  <tbody>${rows.map(([first, ...rest]) => `<tr><th scope="row">${escapeHtml(first)}</th>${rest.map((each) =>
    `<td>${escapeHtml(each)}</td>`).join("")}</tr>`).join("")}</tbody></table></div>` : "");
