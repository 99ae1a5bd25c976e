// Entry of the review page: the most expensive choices, luck and skill, and each deal with the alternatives.

import { choiceSituation, formatPercent, joinNumbers, oddsBars } from "../../charts/odds-bars.js";
import { cardFace } from "../../components/cards/card.js";
import { fetchApi } from "../../core/api.js";
import { setConstants } from "../../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { formatMessage, loadCatalogue, withLanguage } from "../../core/i18n.js";

/**
 * @typedef {{ n: number, hand: number, seat: number, kind: "discard" | "play", made: string | string[], best: string | string[],
 *   points_lost: number, win_lost: number, say: string, asked: any, ranked: import("../../charts/odds-bars.js").RankedChoice[] }} Entry
 * @typedef {{ table: number, game: number, over: boolean, names: string[], choices: Entry[], luck: number[], skill: number[],
 *   missed: number[], unknown: string[] }} Review
 */

const MAX_WORST_SHOWN = 3;
/** Win chance below which a loss is not shown. */
const MIN_SHOWN_LOSS = 0.0005;

const el = findElement(document, "[data-looked]");
const query = new URLSearchParams(location.search);
const reviewUrl = `/api/review?${["table", "game"].filter((key) => query.has(key)).map((key) => `${key}=${encodeURIComponent(query.get(key) ?? "")}&`).join("")}`;
let hands = 0;
let newestRequest = 0;

/** @param {string} more */
async function fetchReview(more) {
  const reply = await fetch(withLanguage(reviewUrl + more), { cache: "no-cache" }).catch(() => null);
  return /** @type {Review & { error?: string }} */ (reply ? await reply.json() : { error: formatMessage("The table does not answer. Try again.") });
}

async function startPage() {
  await loadCatalogue();
  setConstants(await fetchApi("/api/constants"));
  const review = await fetchReview("");
  if (review.error) return morphHtml(el, `<p data-refused>${escapeHtml(review.error)}</p>
    <div class="choices"><a class="button" href="/">${formatMessage("To the table")}</a><a class="button" href="/evening">${formatMessage("The evening")}</a><a class="button" href="/train">${formatMessage("Practise the discard")}</a></div>`);
  hands = Math.max(0, ...review.choices.map(({ hand }) => hand));
  const worst = review.choices.filter(({ win_lost: lost }) => lost >= MIN_SHOWN_LOSS).slice(0, MAX_WORST_SHOWN);
  el.innerHTML = `<h2>${formatMessage("Most expensive choices")}</h2>${worst.length ? `<ol class="worst">${worst.map(worstLine).join("")}</ol>` : `<p data-perfect>${formatMessage("None: every choice was the best one, or about as good.")}</p>`}
    <p class="hint">${joinNumbers(formatMessage("A percentage is the chance of winning the game from there. −2.0 % means: 2 wins fewer in 100 such games."))}</p>
    <h2>${formatMessage("Luck and skill")}</h2>${luckTable(review)}
    ${review.unknown.map((each) => `<p class="hint">${escapeHtml(each)}</p>`).join("")}
    ${hands ? `<h2>${formatMessage("Deal by deal")}</h2><div class="choices deals" role="group" aria-label="${formatMessage("Deals")}">${dealButtons(review).join("")}</div><div class="deal-steps" aria-live="polite"></div>` : ""}`;
  onButtonClick(el, ({ hand, n }) => hand && showDeal(Number(hand), Number(n)));
  if (hands) await showDeal(worst[0]?.hand ?? 1, 0);
  return undefined;
}

/** @param {Entry} entry */
const worstLine = (entry) => `<li data-worst><p>${formatMessage("Deal {n}", { n: entry.hand })}: ${escapeHtml(joinNumbers(entry.say))}</p>
  <button type="button" class="button" data-hand="${entry.hand}" data-n="${entry.n}">${formatMessage("Show all choices")}</button></li>`;

/** @param {Review} review */
const luckTable = ({ names, luck, skill, missed }) => `<div class="wide" role="region" tabindex="0" aria-label="${formatMessage("Luck and skill")}"><table><thead><tr><th>${formatMessage("of a game")}</th>${names.map((name) => `<th>${escapeHtml(name)}</th>`).join("")}</tr></thead>
  <tbody>${tableRow(formatMessage("luck"), luck.map(formatPercent))}${tableRow(formatMessage("skill"), skill.map(formatPercent))}${missed.some(Boolean) ? tableRow(formatMessage("points not claimed"), missed.map(String)) : ""}</tbody></table></div>
  <p class="hint">${formatMessage("Skill is what a player's own choices cost. The rest of the way from an even chance to the result is luck.")}</p>`;

/**
 * Return a row of the table.
 * @param {string} name
 * @param {string[]} values
 */
const tableRow = (name, values) => `<tr><th>${name}</th>${values.map((each) => `<td class="number">${each}</td>`).join("")}</tr>`;

/** Return a button for each deal; deals with an expensive choice are marked. @param {Review} review */
const dealButtons = ({ choices }) => Array.from({ length: hands }, (_, i) => i + 1).map((hand) => {
  const lost = choices.filter((each) => each.hand === hand).reduce((sum, each) => sum + each.win_lost, 0);
  return `<button type="button" class="button" data-hand="${hand}" data-n="0" aria-pressed="false">${hand}${lost >= 0.02 ? " <small>!</small>" : ""}</button>`;
});

/**
 * Show the choices of a deal in order, and open the choice `n`.
 * @param {number} hand
 * @param {number} n
 */
async function showDeal(hand, n) {
  const request = ++newestRequest;
  const { choices = [], names = [] } = await fetchReview(`hand=${hand}`);
  if (request !== newestRequest) return; // another deal was asked for meanwhile
  for (const each of el.querySelectorAll(".deals button")) each.setAttribute("aria-pressed", String(each instanceof HTMLElement && Number(each.dataset.hand) === hand));
  const place = findElement(el, ".deal-steps");
  morphHtml(place, `<h3>${formatMessage("Deal {n}", { n: hand })}</h3><ol class="steps">${[...choices].sort((a, b) => a.n - b.n || a.seat - b.seat).map((each) => choiceItem(each, names, n)).join("")}</ol>`);
  if (n) findElement(place, "details[open]").scrollIntoView({ block: "start" });
}

/**
 * Return a choice with its cost; unfolded, it shows all alternatives.
 * @param {Entry} entry
 * @param {string[]} names
 * @param {number} n
 */
function choiceItem(entry, names, n) {
  const made = typeof entry.made === "string" ? [entry.made] : entry.made;
  const cost = entry.win_lost >= MIN_SHOWN_LOSS ? `<b class="cost">−${formatPercent(entry.win_lost)}</b>` : `<span class="fine">✓</span>`;
  const head = `<span class="who seat-${entry.seat}"><i class="dot"></i> ${escapeHtml(entry.kind === "discard" ? formatMessage("{name} discarded", { name: names[entry.seat] }) : formatMessage("{name} played", { name: names[entry.seat] }))}</span>
    <span class="cards small-cards">${made.map(cardFace).join("")}</span> ${cost}`;
  if (entry.ranked.length < 2) return `<li class="step only">${head}</li>`;
  return `<li><details class="step" data-n="${entry.n}" ${entry.n === n && entry.win_lost >= MIN_SHOWN_LOSS ? "open" : ""}><summary>${head}</summary>
    <p>${escapeHtml(joinNumbers(entry.say))}</p>${choiceSituation(entry.asked)}${oddsBars(entry.ranked, made)}</details></li>`;
}

startPage();
