// What came of a game and of an evening, as the table tells it, in HTML. Pure.

import { percent } from "../charts/odds-bars.js";
import { race } from "../charts/race-chart.js";
import { safe } from "../core/dom.js";
import { language, phrase, say } from "../core/i18n.js";
import { face } from "./card.js";

/** A game of an evening; with its race where it was asked for alone. @typedef {Api.Played & { race?: { scores: number[] }[] }} Game */

/** @type {["play" | "hand" | "crib" | "other", string][]} */
const PARTS = [["play", phrase("play")], ["hand", phrase("hands")], ["crib", phrase("crib")], ["other", phrase("other")]];

/**
 * What a side is called; a side without a name after its number.
 * @param {Game} game
 * @param {number} side
 */
export const nameOf = ({ names }, side) => names[side] ?? say("Side {n}", { n: side + 1 });

/**
 * "Ann has won, with a skunk: 2 games points."
 * @param {Game} game
 */
export function result(game) {
  const { winner, skunk, skunks, game_points: points, ended_ms: ended, names } = game;
  if (ended === null) return say("Not ended yet.");
  if (winner === null) return say("Ended, and nobody has won.");
  if (names.length < 2) return say("Reached.");
  const name = nameOf(game, winner);
  const beaten = skunk ?? skunks?.find((each) => each) ?? null;
  if (beaten === "double skunk") return say("{name} has won, with a double skunk: {n} games points.", { name, n: points ?? 1 });
  if (beaten) return say("{name} has won, with a skunk: {n} games points.", { name, n: points ?? 1 });
  return say("{name} has won.", { name });
}

/**
 * "Ann ★ 121 – Bo 88".
 * @param {Game} game
 */
export const standing = (game) =>
  game.scores.map((score, side) => `${nameOf(game, side)}${game.winner === side ? " ★" : ""} ${score}`).join(" – ");

/**
 * A game's race, by side, from 0.
 * @param {Game} game
 */
export const raced = (game) => game.scores.map((_, side) => (
  { name: nameOf(game, side), points: [0, ...(game.race ?? []).map(({ scores }) => scores[side] ?? 0)] }));

/**
 * All that is told of a game: who won, its race, where the points came from, the best hand.
 * @param {Game} game
 */
export const told = (game) => `<p>${safe(result(game))}</p>${race(raced(game), game.game.target)}
  ${table(say("Where the points came from"), [say("points by"), ...game.points.map((_, side) => nameOf(game, side))],
    PARTS.filter(([part]) => game.points.some((each) => each[part])).map(([part, words]) => [say(words), ...game.points.map((each) => String(each[part]).replace("-", "−"))]))}
  ${game.cuts ? `<h3>${safe(say("Hands against the odds"))}</h3>${odds(game, game.cuts)}
    <p class="hint">${safe(say("On average the same hands and cribs count so much over all cards that could have been cut. The rest is the luck of the starter."))}</p>` : ""}
  ${game.best ? `<p>${safe(bestOf(game.best, nameOf(game, game.best.seat % game.scores.length)))}</p>
    <div class="cards">${game.best.cards.map(face).join("")}</div>` : ""}`;

/**
 * What hands and cribs have counted against what the same cards count on average.
 * @param {Game} game
 * @param {NonNullable<Api.Played["cuts"]>} cuts
 */
const odds = (game, cuts) => table(say("Hands against the odds"), [say("points by"), ...cuts.map((_, side) => nameOf(game, side))],
  [[say("hands and cribs"), ...cuts.map(({ hands }) => hands)], [say("counted"), ...cuts.map(({ counted }) => counted)],
    [say("on average"), ...cuts.map(({ mean }) => decimal(mean))], [say("luck of the starter"), ...cuts.map(({ counted, mean }) => plus(counted - mean))]]);

/** @param {number} value */
const decimal = (value) => value.toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** @param {number} value */
const plus = (value) => `${value >= 0.05 ? "+" : value <= -0.05 ? "−" : ""}${decimal(Math.abs(value))}`;

/**
 * @param {Api.Best} best
 * @param {string} name
 */
const bestOf = ({ points, part }, name) =>
  part === "crib" ? say("The best of all was {name}'s crib: {points}.", { name, points }) : say("The best of all was {name}'s hand: {points}.", { name, points });

/**
 * Who has won against whom: games, and what they were worth in games points.
 * @param {Api.Series[]} all
 * @param {(key: string) => string} title
 */
export const against = (all, title) => table(say("Who has won against whom"), [say("who"), say("game"), say("won"), say("points")],
  all.map(({ game, names, won, points }) => [names.join(", "), title(game),
    names.map((name, i) => `${name} ${won[i]}`).join(", "), names.map((name, i) => `${name} ${points[i]}`).join(", ")]));

/**
 * What each player has done in all games that ended.
 * @param {Api.Record[]} players
 */
export const records = (players) => table(say("What each player has done"),
  [say("who"), say("games"), say("won"), say("skunks"), say("points"), say("best")],
  players.map(({ name, games, won, skunks, points, best }) => [name, games, won, skunks, points, best?.points ?? "–"]));

/**
 * What the cards gave and what the choices cost, by side.
 * @param {{ luck: number[], skill: number[] }} review
 * @param {Game} game
 */
export const luck = ({ luck: lucky, skill }, game) => table(say("Luck and skill"), [say("of a game"), ...lucky.map((_, side) => nameOf(game, side))],
  [[say("luck"), ...lucky.map(signed)], [say("skill"), ...skill.map(signed)]]);

/** @param {number} value */
const signed = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${percent(Math.abs(value))}`;

/**
 * A table with a caption for who hears it; it scrolls by itself where it is too wide.
 * @param {string} caption
 * @param {(string | number)[]} head
 * @param {(string | number)[][]} rows
 */
export const table = (caption, head, rows) => (rows.length ? `<div class="wide" role="region" tabindex="0" aria-label="${safe(caption)}"><table>
  <thead><tr>${head.map((each) => `<th scope="col">${safe(each)}</th>`).join("")}</tr></thead>
  <tbody>${rows.map(([first, ...rest]) => `<tr><th scope="row">${safe(first)}</th>${rest.map((each) =>
    `<td>${safe(each)}</td>`).join("")}</tr>`).join("")}</tbody></table></div>` : "");
