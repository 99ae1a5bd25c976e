// Entry of the page of a tournament: standings, rounds, cross-check and bracket, and the director's dialogs.

import { findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { loadCatalogue } from "../../core/i18n.js";
import { fetchArchive, findPart, pollArchive, showError } from "./archive.js";
import { createDirector } from "./director.js";
import { duplicateRanking } from "./duplicate_views.js";
import { bracketList, checkList, correctionList, nextStep, paperLinks, roundChoice, roundGames, tournamentStandings } from "./tournament_views.js";

const POLL_MS = 2000;
const TIMEOUT_MS = 8000;
const event = Number(new URLSearchParams(location.search).get("event"));

/** The round that was chosen, 0 before. */
let round = 0;

/** @param {string} path */
const load = (path) => fetchArchive(`/api/club/tournaments/${event}${path}`, TIMEOUT_MS);

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
  morphHtml(findPart("duplicate"), shown.duplicate ? duplicateRanking(shown.duplicate, directs) : "");
  morphHtml(findPart("standings"), tournamentStandings(shown));
  morphHtml(findPart("rounds"), roundChoice(shown, round));
  morphHtml(findPart("games"), roundGames(games));
  morphHtml(findPart("papers"), paperLinks(event, directs));
  findPart("folded").hidden = !shown.corrections.length;
  morphHtml(findPart("corrections"), correctionList(shown));
}

/** @type {ReturnType<typeof createDirector>} */
let director;
findPart("rounds").addEventListener("change", ({ target }) => {
  if (target instanceof HTMLSelectElement) round = Number(target.value);
  draw().catch(() => {});
});
onButtonClick(findElement(document, "main"), (data) => void director.handleButton(data));

loadCatalogue().then(() => {
  director = createDirector(event, () => draw().catch(() => {}), showError);
  pollArchive(draw, POLL_MS);
});
