// Entry of the page of a tournament: standings, rounds, cross-check and bracket, and the director's dialogs.

import { createDirector } from "../club/director.js";
import { duplicateRanking } from "../club/duplicate_views.js";
import { bracketList, checkList, correctionList, nextStep, paperLinks, roundChoice, roundGames, tournamentStandings } from "../club/tournament_views.js";
import { findElement, morphHtml, onButtonClick } from "../core/dom.js";
import { formatMessage, loadCatalogue, withLanguage } from "../core/i18n.js";

const POLL_MS = 2000;
const TIMEOUT_MS = 8000;
const event = Number(new URLSearchParams(location.search).get("event"));

/**
 * Return the element of a part of the page.
 * @param {string} name
 */
const findPart = (name) => findElement(document, `[data-part="${name}"]`);
const alert = findElement(document, "[data-error]");
/** The round that was chosen, 0 before. */
let round = 0;

/**
 * Get a JSON answer. Throws an Error with the message of a refusal.
 * @param {string} path
 */
async function load(path) {
  const reply = await fetch(withLanguage(`/api/club/tournaments/${event}${path}`), { cache: "no-cache", signal: AbortSignal.timeout(TIMEOUT_MS) });
  const data = await reply.json();
  if (!reply.ok) throw new Error(data.error);
  return data;
}

let newestRequest = 0;

/** Load the tournament and draw it. The answers to an earlier request that come later are ignored. */
async function draw() {
  const request = ++newestRequest;
  const shown = await load("");
  if (request !== newestRequest) return;
  const directs = document.body.dataset.role === "player";
  director.update(shown);
  round ||= shown.rounds.find((/** @type {any} */ each) => each.open)?.round ?? 1;
  const { games } = await load(`/rounds/${round}`);
  if (request !== newestRequest) return;
  findPart("name").textContent = shown.event.name;
  morphHtml(findPart("next"), nextStep(shown, directs));
  findPart("checks").hidden = !shown.discrepancies.length || shown.bracket.length > 0;
  morphHtml(findPart("checks"), checkList(shown, directs));
  findPart("bracket").hidden = !shown.bracket.length;
  morphHtml(findPart("bracket"), bracketList(shown, directs));
  findPart("duplicate").hidden = !shown.duplicate;
  morphHtml(findPart("duplicate"), shown.duplicate ? duplicateRanking(shown.duplicate) : "");
  morphHtml(findPart("standings"), tournamentStandings(shown));
  morphHtml(findPart("rounds"), roundChoice(shown, round));
  morphHtml(findPart("games"), roundGames(games));
  morphHtml(findPart("papers"), paperLinks(event, directs));
  findPart("folded").hidden = !shown.corrections.length;
  morphHtml(findPart("corrections"), correctionList(shown));
  if (document.body.dataset.link === "lost") alert.textContent = "";
  document.body.dataset.link = "polling";
}

async function poll() {
  try {
    if (!document.hidden) await draw();
  } catch (error) {
    document.body.dataset.link = "lost";
    const isOurs = error instanceof Error && error.constructor === Error;
    alert.textContent = isOurs ? error.message : formatMessage("No answer from the archive. Trying again.");
  }
  setTimeout(poll, POLL_MS);
}

/** @type {ReturnType<typeof createDirector>} */
let director;
findPart("rounds").addEventListener("change", ({ target }) => {
  if (target instanceof HTMLSelectElement) round = Number(target.value);
  draw().catch(() => {});
});
onButtonClick(findElement(document, "main"), (data) => void director.handleButton(data));

loadCatalogue().then(async () => {
  director = createDirector(event, () => draw().catch(() => {}), (sentence) => (alert.textContent = sentence));
  const me = await fetch(withLanguage("/api/me")).then((reply) => reply.json()).catch(() => null);
  document.body.dataset.role = me?.role ?? "watcher";
  poll();
});
