// What was played at this table: tonight's games, who won against whom, and of each the race and where its points came from.

import { ask } from "./get.js";
import { fill, find, pressed, safe } from "./html.js";
import { race } from "./charts.js";
import { percent } from "./odds.js";
import { headToHead, sources, starts } from "./summary.js";
import { ago, BEGAN, ENDED } from "./parts/phones.js";
import { learnWords, listed, phrase, say } from "./say.js";

/** @import { Kept } from "./summary.js" */

/** @type {Record<string, string>} */
const SOURCES = { play: phrase("the play"), hands: phrase("hands"), crib: phrase("the crib"), other: phrase("other") };
const TONIGHT_MS = 12 * 3600 * 1000;
const el = find(document, "[data-evening]");
el.innerHTML = `<div class="results"></div><div class="game-told" aria-live="polite"></div>`;
const [results, told] = [".results", ".game-told"].map((each) => find(el, each));

/** @type {Kept[]} */
let tables = [];
pressed(results, ({ table }) => table && show(Number(table)));

async function open() {
  tables = (await ask("/api/tables"))?.tables ?? [];
  const recent = tables.filter(({ began }) => Date.now() - Date.parse(began) < TONIGHT_MS);
  const shown = recent.length ? recent : tables.slice(0, 20);
  fill(results, tables.length ? `<h2>${recent.length ? say("Tonight") : say("The last games")}</h2><ul class="aside">${shown.map(line).join("")}</ul>${series(tables)}`
    : `<p>${say("Nothing was played yet.")}</p>`);
  if (shown[0]) show(shown[0].id);
}

/** @param {Kept} kept */
const line = ({ id, game, names, scores, winner, began, ended }) => `<li><span><b>${safe(game.title)}</b>
  ${safe(scores.map((score, side) => `${names[side] ?? say("Side {n}", { n: side + 1 })}${winner === side ? " ★" : ""} ${score}`).join(" – "))}
  <small>${safe(ended ? ago(Date.parse(ended), Date.now(), ENDED) : ago(Date.parse(began), Date.now(), BEGAN))}</small></span>
  <button type="button" class="button" data-table="${id}">${say("Look")}</button></li>`;

/** @param {Kept[]} all */
function series(all) {
  const rows = headToHead(all);
  return rows.length ? `<h2>${say("Against each other")}</h2><table><thead><tr><th>${say("who")}</th><th>${say("games")}</th><th>${say("won")}</th></tr></thead><tbody>${rows.map(
    ({ who, games, won }) => `<tr><td>${safe(listed(who))}</td><td class="number">${games}</td>
      <td class="number">${won.map((each, i) => `${safe(who[i])} ${each}`).join(", ")}</td></tr>`).join("")}</tbody></table>` : "";
}

/** @param {number} id */
async function show(id) {
  const kept = tables.find((each) => each.id === id);
  const moves = (await ask(`/api/history?table=${id}`))?.moves ?? [];
  if (!kept) return;
  const last = moves.slice(starts(moves));
  const names = kept.scores.map((_, side) => kept.names[side] ?? say("Side {n}", { n: side + 1 }));
  const sides = names.map((name, side) => ({ name, points: [0, ...last.map((/** @type {Api.Made} */ { scores }) => scores[side] ?? 0)] }));
  const from = sources(last, names.length);
  const review = kept.ended ? await ask(`/api/review?table=${id}`) : null;
  fill(told, `<h2>${safe(kept.game.title)}: ${safe(listed(names))}</h2>
    <p>${kept.winner === null ? say("Not ended yet.") : safe(say("{name} has won.", { name: names[kept.winner] ?? "" }))}</p>
    ${race(sides, kept.game.target)}
    <table><caption class="unseen">${say("Where the points came from")}</caption><thead><tr><th>${say("points by")}</th>${names.map((name) => `<th>${safe(name)}</th>`).join("")}</tr></thead>
      <tbody>${Object.entries(from).map(([what, points]) => `<tr><td>${say(SOURCES[what] ?? what)}</td>${points.map((each) => `<td class="number">${each}</td>`).join("")}</tr>`).join("")}</tbody></table>
    ${review ? luck(review, names) : ""}
    <p>${say("Take it with you:")} <a href="/api/export?table=${id}&amp;format=csv" download>${say("as CSV")}</a> <a href="/api/export?table=${id}&amp;format=jsonl" download>${say("as JSON lines")}</a></p>`);
}

/**
 * @param {{ table: number, luck: number[], skill: number[] }} review
 * @param {string[]} names
 */
const luck = ({ table, luck: lucky, skill }, names) => `<table><caption class="unseen">${say("Luck and skill")}</caption><thead><tr><th>${say("of a game")}</th>${names.map(
  (name) => `<th>${safe(name)}</th>`).join("")}</tr></thead><tbody>${[[say("luck"), lucky], [say("skill"), skill]].map(([what, shares]) =>
  `<tr><td>${what}</td>${/** @type {number[]} */ (shares).map((each) => `<td class="number">${percent(each)}</td>`).join("")}</tr>`).join("")}</tbody></table>
  <p><a href="/review?table=${table}">${say("What did we miss?")}</a></p>`;

learnWords().then(open);
