// Entry of the club page: tables, results, standings, and the organiser's forms for a league night. It polls twice a
// second.

import { findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { loadCatalogue } from "../../core/i18n.js";
import { fetchArchive, findPart, pollArchive, showError } from "./archive.js";
import { createOrganiser } from "./organiser.js";
import { tableList, earlierRounds, exportLink, describeHealth, eventChoice, currentRound, standingsTable, refusedMoves, resultLine } from "./views.js";

const POLL_MS = 500;
const TIMEOUT_MS = 4000;

/** Return the event in the address, or null for the newest one. */
const chosenEvent = () => new URLSearchParams(location.search).get("event");

let newestRequest = 0;

/** Load the room and draw it. The answer to an earlier request that comes later is ignored. */
async function draw() {
  const request = ++newestRequest;
  const query = chosenEvent() === null ? "" : `?event=${encodeURIComponent(chosenEvent() ?? "")}`;
  const room = await fetchArchive(`/api/club/room${query}`, TIMEOUT_MS);
  if (request !== newestRequest) return;
  organiser?.update(room);
  const organises = document.body.dataset.role === "player";
  morphHtml(findPart("events"), eventChoice(room, organises));
  findPart("night").hidden = !room.event;
  if (room.event) {
    const before = earlierRounds(room, organises);
    findPart("folded").hidden = !before;
    morphHtml(findPart("round"), currentRound(room, organises));
    morphHtml(findPart("earlier"), before);
    morphHtml(findPart("export"), exportLink(room.event));
  }
  morphHtml(findPart("standings"), standingsTable(room));
  morphHtml(findPart("tables"), tableList(room.tables));
  morphHtml(findPart("results"), room.results.map(resultLine).join(""));
  morphHtml(findPart("health"), describeHealth(room.health));
  findPart("amiss").hidden = !room.health.amiss;
  morphHtml(findPart("refused"), refusedMoves(room.health));
}

/** Choose an event. It is kept in the address, so that the address can be shared. @param {string} event */
function chooseEvent(event) {
  history.replaceState(null, "", `?event=${encodeURIComponent(event)}`);
  draw().catch(() => {});
}

/** @type {ReturnType<typeof createOrganiser> | undefined} */
let organiser;
findPart("events").addEventListener("change", ({ target }) => target instanceof HTMLSelectElement && chooseEvent(target.value));
onButtonClick(findElement(document, "main"), (data) => organiser?.handleButton(data));

loadCatalogue().then(() => {
  organiser = createOrganiser(chooseEvent, () => draw().catch(() => {}), showError);
  pollArchive(draw, POLL_MS);
});
