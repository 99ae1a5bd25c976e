// Practice on one's own phone: a hand, two cards laid away, and what that was worth. The score stays on this phone.

import { asked, cardsOf, odds, percent } from "../charts/odds-bars.js";
import { faceUp } from "../components/card.js";
import { NONE, read, scored } from "../components/practice-score.js";
import { ask, get } from "../core/api.js";
import { learn } from "../core/constants.js";
import { fill, find, pressed, safe } from "../core/dom.js";
import { cardName } from "../core/format.js";
import { learnWords, phrase, say } from "../core/i18n.js";
import { remember, remembered } from "../core/preferences.js";

const KEPT = "practice";
const SEEDS = 1e9;
const AWAY = 2;
const GAMES = [["six-card", phrase("Six-card cribbage")], ["five-card", phrase("Five-card cribbage")]];

const el = find(document, "[data-train]");
/** @type {{ asked: any, ranked: import("../charts/odds-bars.js").Ranked[] } | null} */
let deal = null;
/** @type {string[]} */
let marked = [];
let isTold = false;
let score = read(remembered(KEPT) ?? "");
let game = "six-card";

pressed(el, async ({ away, lay, next, game: other, forget }) => {
  if (away) marked = marked.includes(away) ? marked.filter((each) => each !== away) : [...marked, away].slice(-AWAY);
  if (lay !== undefined && deal) tell(deal);
  if (forget !== undefined) keep(NONE);
  if (other) game = other;
  if (next !== undefined || other) await another();
  draw();
});

/** @param {{ ranked: import("../charts/odds-bars.js").Ranked[] }} deal */
function tell({ ranked }) {
  const made = ranked.find((each) => cardsOf(each).join() === [...marked].sort().join());
  if (!made || isTold) return;
  isTold = true;
  keep(scored(score, ranked, made));
}

/** @param {import("../components/practice-score.js").Score} told */
function keep(told) {
  score = told;
  remember(KEPT, JSON.stringify(told));
}

async function another() {
  deal = await ask(`/api/train?game=${game}&seed=${Math.floor(Math.random() * SEEDS)}`);
  [marked, isTold] = [[], false];
}

function draw() {
  const games = GAMES.map(([key, title]) => `<button type="button" class="button" data-game="${key}" aria-pressed="${key === game}">${safe(say(title))}</button>`).join("");
  const told = score.deals
    ? say("{best} of {deals} best, {percent} and {points} points lost a deal.", { best: score.best, deals: score.deals,
      percent: percent(score.lost / score.deals), points: (score.points / score.deals).toFixed(2) })
    : say("Nothing laid away yet.");
  fill(el, `<div class="choices" role="group" aria-label="${safe(say("Game"))}">${games}</div>
    ${deal ? hand(deal) : `<p>${safe(say("The table does not answer: try again."))}</p>`}
    <div class="choices">${isTold || !deal ? `<button type="button" class="button" data-next>${safe(say("Another deal"))}</button>`
      : `<button type="button" class="button" data-lay ${marked.length === AWAY ? "" : "disabled"}>${safe(say("Lay these two away"))}</button>`}</div>
    <p role="status" data-score>${safe(told)}</p>
    ${isTold && deal ? odds(deal.ranked, marked) : ""}
    ${score.deals ? `<div class="choices"><button type="button" class="button" data-forget>${safe(say("Forget my score"))}</button></div>` : ""}`);
}

/** @param {{ asked: any, ranked: import("../charts/odds-bars.js").Ranked[] }} deal */
function hand({ asked: question }) {
  if (isTold) return asked(question);
  const [own, other] = question.scores;
  return `<p>${safe(question.dealer ? say("The crib is yours.") : say("The crib is the other's."))}
    ${safe(say("You have {own}, the other {other}, of {target}. Lay two away.", { own, other, target: question.target }))}</p>
    <div class="choices">${question.hand.map((/** @type {string} */ card) => `<button type="button" class="mend" data-away="${card}"
      aria-pressed="${marked.includes(card)}" aria-label="${safe(say("Lay away the {card}", { card: cardName(card) }))}">${faceUp(card)}</button>`).join("")}</div>`;
}

async function open() {
  await learnWords();
  learn(await get("/api/constants"));
  await another();
  draw();
}

open();
