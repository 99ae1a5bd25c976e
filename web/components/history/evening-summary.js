// What is told about an evening in words: who leads, the best hand, luck and skill, and the table of all evenings. Pure.

import { formatPercent } from "../../charts/odds-bars.js";
import { escapeHtml } from "../../core/dom.js";
import { formatMessage, formatPlural, joinWithAnd, language } from "../../core/i18n.js";
import { cardFace } from "../cards/card.js";
import { joinNameAndValue, renderTable, summarySideName } from "./game-summary.js";

/** @import { Game } from "./game-summary.js" */
/** @typedef {{ began_ms: number, games: number, names: string[], won: number[], best: { name: string, points: number } | null }} Evening */

/** Smallest difference worth a sentence: in points of the cut, and as a chance of winning. */
const [MIN_POINTS, MIN_CHANCE] = [0.5, 0.005];

/** Return who has won most games: "Ann leads: Ann 3, Bo 1." @param {Evening} evening */
export function describeLeader({ names, won }) {
  const most = Math.max(0, ...won);
  const leaders = names.filter((_, i) => won[i] === most);
  const scores = names.map((name, i) => joinNameAndValue(name, won[i])).join(", ");
  if (!most) return formatMessage("Nobody has won yet.");
  if (leaders.length > 1) return formatPlural("{names} are level with {n} win each.", "{names} are level with {n} wins each.", most, { names: joinWithAnd(leaders) });
  return formatMessage("{name} leads: {scores}.", { name: leaders[0], scores });
}

/** Return whom the starters of the evening helped most; "" if nobody, or if no hands were seen. @param {Game[]} games */
export function describeCutLuck(games) {
  /** @type {Map<string, number>} */
  const byName = new Map();
  for (const game of games) game.cuts?.forEach(({ counted, mean }, side) => {
    const name = summarySideName(game, side);
    byName.set(name, (byName.get(name) ?? 0) + counted - mean);
  });
  const [name, points] = [...byName].sort((a, b) => b[1] - a[1])[0] ?? ["", 0];
  if (points < MIN_POINTS) return "";
  return formatMessage("Luckiest with the starter: {name}, {points} points more than average.", { name, points: points.toLocaleString(language, { maximumFractionDigits: 1 }) });
}

/**
 * Return luck and skill of a reviewed game in sentences.
 * @param {{ luck: number[], skill: number[] }} review
 * @param {Game} game
 */
export function describeLuckAndSkill({ luck, skill }, game) {
  const name = (/** @type {number} */ side) => summarySideName(game, side);
  const best = (/** @type {number[]} */ values) => values.indexOf(Math.max(...values));
  const lucky = luck[best(luck)] < MIN_CHANCE ? formatMessage("The cards favoured nobody.")
    : formatMessage("The cards favoured {name}: worth {percent} of a game.", { name: name(best(luck)), percent: formatPercent(luck[best(luck)]) });
  const costs = skill.map((value, side) => joinNameAndValue(name(side), formatPercent(Math.max(0, -value)))).join(", ");
  const isLevel = Math.max(...skill) - Math.min(...skill) < MIN_CHANCE;
  return [lucky, isLevel ? formatMessage("Both chose equally well. Mistakes cost: {costs}.", { costs })
    : formatMessage("{name} chose better. Mistakes cost: {costs}.", { name: name(best(skill)), costs })];
}

/**
 * Return what a closing page says of tonight: the number of games, the best hand, the biggest crib, skunks, and the luck of
 * the starter, each with its cards.
 * @param {Evening} evening
 * @param {Game[]} games tonight's games
 * @returns {{ text: string, cards: string[] }[]}
 */
export function tonightFacts(evening, games) {
  const [hand, crib] = [bestOf(games, "best_hand"), bestOf(games, "best_crib")];
  return [
    { text: formatPlural("{n} game.", "{n} games.", evening.games), cards: [] },
    ...(hand ? [{ text: formatMessage("Best hand: {name}, {points} points.", hand), cards: hand.cards }] : []),
    ...(crib ? [{ text: formatMessage("Biggest crib: {name}, {points} points.", crib), cards: crib.cards }] : []),
    ...[describeSkunks(games), describeCutLuck(games)].filter(Boolean).map((text) => ({ text, cards: [] })),
  ];
}

/**
 * @param {Game[]} games
 * @param {"best_hand" | "best_crib"} part
 */
const bestOf = (games, part) => games.flatMap((game) => {
  const best = game[part];
  return best ? [{ name: summarySideName(game, best.seat % game.scores.length), points: best.points, cards: best.cards }] : [];
}).sort((a, b) => b.points - a.points)[0];

/** Return who has skunked whom how often; "" if nobody has. @param {Game[]} games */
function describeSkunks(games) {
  /** @type {Map<string, number>} */
  const byName = new Map();
  for (const game of games) {
    const name = game.winner === null ? "" : summarySideName(game, game.winner);
    const count = game.skunk ? 1 : (game.skunks ?? []).filter(Boolean).length;
    if (name && count) byName.set(name, (byName.get(name) ?? 0) + count);
  }
  const counts = [...byName].sort((a, b) => b[1] - a[1]).map(([name, count]) => joinNameAndValue(name, count)).join(", ");
  return counts && formatMessage("Skunks given: {counts}.", { counts });
}

/**
 * Return the card of tonight, which can be shared as a picture.
 * @param {Evening} evening
 * @param {Game[]} games tonight's games
 * @param {boolean} isRunning whether a game is running, to which the page leads back first
 */
export const tonightCard = (evening, games, isRunning) => `<section class="tonight"><p class="leader">${escapeHtml(describeLeader(evening))}</p>
  ${tonightFacts(evening, games).map(({ text, cards }) => `<p>${escapeHtml(text)}${cards.length ? ` <span class="small-cards">${cards.map(cardFace).join("")}</span>` : ""}</p>`).join("")}
  <button type="button" class="button ${isRunning ? "" : "main"}" data-share-evening>${formatMessage("Share the evening")}</button></section>`;

/** Return the table of evenings, newest first. @param {Evening[]} evenings */
export const eveningsTable = (evenings) => renderTable(formatMessage("Evenings"),
  [formatMessage("evening"), formatMessage("games"), formatMessage("won"), formatMessage("best hand")],
  evenings.map(({ began_ms: began, games, names, won, best }) => [
    new Date(began).toLocaleDateString(language, { weekday: "short", day: "numeric", month: "short", year: "numeric" }), games,
    names.map((name, i) => joinNameAndValue(name, won[i])).join(", "), best ? joinNameAndValue(best.name, best.points) : "–"]));
