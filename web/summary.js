// What came of a game and of an evening, as the table tells it, in HTML. Pure.

import { face } from "./cards.js";
import { race } from "./charts.js";
import { safe } from "./html.js";
import { percent } from "./odds.js";

/** A game of an evening; with its race where it was asked for alone. @typedef {Api.Played & { race?: { scores: number[] }[] }} Game */

/** @type {["play" | "hand" | "crib" | "other", string][]} */
const PARTS = [["play", "play"], ["hand", "hands"], ["crib", "crib"], ["other", "other"]];

/**
 * What a side is called; a side without a name after its number.
 * @param {Game} game
 * @param {number} side
 */
export const nameOf = ({ names }, side) => names[side] ?? `Side ${side + 1}`;

/**
 * "Ann has won, with a skunk: 2 games points."
 * @param {Game} game
 */
export function result(game) {
  const { winner, skunk, skunks, game_points: points, ended_ms: ended, names } = game;
  if (ended === null) return "Not ended yet.";
  if (winner === null) return "Ended, and nobody has won.";
  if (names.length < 2) return "Reached.";
  const name = nameOf(game, winner);
  const beaten = skunk ?? skunks?.find((each) => each) ?? null;
  if (beaten === "double skunk") return `${name} has won, with a double skunk: ${points ?? 1} games points.`;
  if (beaten) return `${name} has won, with a skunk: ${points ?? 1} games points.`;
  return `${name} has won.`;
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
  ${table("Where the points came from", ["points by", ...game.points.map((_, side) => nameOf(game, side))],
    PARTS.filter(([part]) => game.points.some((each) => each[part])).map(([part, words]) => [words, ...game.points.map((each) => String(each[part]).replace("-", "−"))]))}
  ${game.best ? `<p>${safe(bestOf(game.best, nameOf(game, game.best.seat % game.scores.length)))}</p>
    <div class="cards">${game.best.cards.map(face).join("")}</div>` : ""}`;

/**
 * @param {Api.Best} best
 * @param {string} name
 */
const bestOf = ({ points, part }, name) =>
  part === "crib" ? `The best of all was ${name}'s crib: ${points}.` : `The best of all was ${name}'s hand: ${points}.`;

/**
 * Who has won against whom: games, and what they were worth in games points.
 * @param {Api.Series[]} all
 * @param {(key: string) => string} title
 */
export const against = (all, title) => table("Who has won against whom", ["who", "game", "won", "points"],
  all.map(({ game, names, won, points }) => [names.join(", "), title(game),
    names.map((name, i) => `${name} ${won[i]}`).join(", "), names.map((name, i) => `${name} ${points[i]}`).join(", ")]));

/**
 * What each player has done in all games that ended.
 * @param {Api.Record[]} players
 */
export const records = (players) => table("What each player has done",
  ["who", "games", "won", "skunks", "points", "best"],
  players.map(({ name, games, won, skunks, points, best }) => [name, games, won, skunks, points, best?.points ?? "–"]));

/**
 * What the cards gave and what the choices cost, by side.
 * @param {{ luck: number[], skill: number[] }} review
 * @param {Game} game
 */
export const luck = ({ luck: lucky, skill }, game) => table("Luck and skill", ["of a game", ...lucky.map((_, side) => nameOf(game, side))],
  [["luck", ...lucky.map(signed)], ["skill", ...skill.map(signed)]]);

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
