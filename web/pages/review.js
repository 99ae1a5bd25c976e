// A game looked back on: what cost most, luck and skill, and a walk through each deal with what could have been done.

import { asked, odds, percent } from "../charts/odds-bars.js";
import { face } from "../components/card.js";
import { get } from "../core/api.js";
import { learn } from "../core/constants.js";
import { fill, find, pressed, safe } from "../core/dom.js";
import { inLanguage, learnWords, say } from "../core/i18n.js";

/**
 * @typedef {{ n: number, hand: number, seat: number, kind: "discard" | "play", made: string | string[], best: string | string[],
 *   points_lost: number, win_lost: number, say: string, asked: any, ranked: import("../charts/odds-bars.js").Ranked[] }} Entry
 * @typedef {{ table: number, game: number, over: boolean, names: string[], choices: Entry[], luck: number[], skill: number[],
 *   missed: number[], unknown: string[] }} Review
 */

const WORST = 3;
/** Who wins so much less often has lost nothing that shows. */
const NOTHING = 0.0005;

const el = find(document, "[data-looked]");
const query = new URLSearchParams(location.search);
const where = `/api/review?${["table", "game"].filter((key) => query.has(key)).map((key) => `${key}=${encodeURIComponent(query.get(key) ?? "")}&`).join("")}`;
let hands = 0;

/** @param {string} more */
async function told(more) {
  const reply = await fetch(inLanguage(where + more), { cache: "no-cache" }).catch(() => null);
  return /** @type {Review & { error?: string }} */ (reply ? await reply.json() : { error: say("The table does not answer: try again.") });
}

async function open() {
  await learnWords();
  learn(await get("/api/constants"));
  const review = await told("");
  if (review.error) return fill(el, `<p data-refused>${safe(review.error)}</p>`);
  hands = Math.max(0, ...review.choices.map(({ hand }) => hand));
  const worst = review.choices.filter(({ win_lost: lost }) => lost >= NOTHING).slice(0, WORST);
  el.innerHTML = `<h2>${say("What cost most")}</h2>${worst.length ? `<ol class="worst">${worst.map(line).join("")}</ol>` : `<p data-perfect>${say("Nothing: each choice was the best there was.")}</p>`}
    <h2>${say("Luck and skill")}</h2>${shares(review)}
    ${review.unknown.map((each) => `<p class="hint">${safe(each)}</p>`).join("")}
    ${hands ? `<h2>${say("Deal by deal")}</h2><div class="choices deals" role="group" aria-label="${say("Deals")}">${numbers(review).join("")}</div><div class="walk" aria-live="polite"></div>` : ""}`;
  pressed(el, ({ hand, n }) => hand && walk(Number(hand), Number(n)));
  if (hands) await walk(worst[0]?.hand ?? 1, 0);
  return undefined;
}

/** @param {Entry} entry */
const line = (entry) => `<li data-worst><p>${safe(entry.say)}</p>
  <button type="button" class="button" data-hand="${entry.hand}" data-n="${entry.n}">${say("What if")}</button></li>`;

/** @param {Review} review */
const shares = ({ names, luck, skill, missed }) => `<div class="wide" role="region" tabindex="0" aria-label="${say("Luck and skill")}"><table><thead><tr><th>${say("of a game")}</th>${names.map((name) => `<th>${safe(name)}</th>`).join("")}</tr></thead>
  <tbody>${row(say("luck"), luck.map(percent))}${row(say("skill"), skill.map(percent))}${missed.some(Boolean) ? row(say("points not claimed"), missed.map(String)) : ""}</tbody></table></div>
  <p class="hint">${say("Skill is what one's own choices cost. The rest of the way from an even chance to the end is luck.")}</p>`;

/**
 * @param {string} name
 * @param {string[]} values
 */
const row = (name, values) => `<tr><th>${name}</th>${values.map((each) => `<td class="number">${each}</td>`).join("")}</tr>`;

/** @param {Review} review */
const numbers = ({ choices }) => Array.from({ length: hands }, (_, i) => i + 1).map((hand) => {
  const lost = choices.filter((each) => each.hand === hand).reduce((sum, each) => sum + each.win_lost, 0);
  return `<button type="button" class="button" data-hand="${hand}" data-n="0" aria-pressed="false">${hand}${lost >= 0.02 ? " <small>!</small>" : ""}</button>`;
});

/**
 * The choices of a deal in order; that of number `n` is opened.
 * @param {number} hand
 * @param {number} n
 */
async function walk(hand, n) {
  const { choices = [], names = [] } = await told(`hand=${hand}`);
  for (const each of el.querySelectorAll(".deals button")) each.setAttribute("aria-pressed", String(each instanceof HTMLElement && Number(each.dataset.hand) === hand));
  const place = find(el, ".walk");
  fill(place, `<h3>${say("Deal {n}", { n: hand })}</h3><ol class="steps">${[...choices].sort((a, b) => a.n - b.n || a.seat - b.seat).map((each) => step(each, names, n)).join("")}</ol>`);
  if (n) find(place, "details[open]").scrollIntoView({ block: "start" });
}

/**
 * One choice: what was done and what it cost; opened, all that could have been done.
 * @param {Entry} entry
 * @param {string[]} names
 * @param {number} n
 */
function step(entry, names, n) {
  const made = typeof entry.made === "string" ? [entry.made] : entry.made;
  const cost = entry.win_lost >= NOTHING ? `<b class="cost">−${percent(entry.win_lost)}</b>` : `<span class="fine">✓</span>`;
  const head = `<span class="who seat-${entry.seat}"><i class="dot"></i> ${safe(entry.kind === "discard" ? say("{name} laid away", { name: names[entry.seat] }) : say("{name} played", { name: names[entry.seat] }))}</span>
    <span class="cards small-cards">${made.map(face).join("")}</span> ${cost}`;
  if (entry.ranked.length < 2) return `<li class="step only">${head}</li>`;
  return `<li><details class="step" data-n="${entry.n}" ${entry.n === n && entry.win_lost >= NOTHING ? "open" : ""}><summary>${head}</summary>
    <p>${safe(entry.say)}</p>${asked(entry.asked)}${odds(entry.ranked, made)}</details></li>`;
}

open();
