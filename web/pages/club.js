// The room's page of a club: tables, results as they come, standings; and for the organiser the forms of a league night.
// It asks twice a second and draws the whole: what is the same stays the same node.

import { Organiser } from "../club/organiser.js";
import { boards, earlier, exported, health, listOf, night, ranking, refused, resultLine } from "../club/views.js";
import { findElement, morphHtml, onButtonClick } from "../core/dom.js";
import { formatMessage, loadCatalogue, withLanguage } from "../core/i18n.js";

const ASK_MS = 500;
const PATIENCE_MS = 4000;

/** @param {string} name */
const part = (name) => findElement(document, `[data-part="${name}"]`);
const alert = findElement(document, "[data-error]");

/** The event that is chosen in the address; the newest one where none is. */
const chosen = () => new URLSearchParams(location.search).get("event");

async function draw() {
  const query = chosen() === null ? "" : `?event=${encodeURIComponent(chosen() ?? "")}`;
  const reply = await fetch(withLanguage(`/api/club/room${query}`), { cache: "no-cache", signal: AbortSignal.timeout(PATIENCE_MS) });
  const told = await reply.json();
  if (!reply.ok) throw new Error(told.error);
  organiser?.hears(told);
  const organises = document.body.dataset.role === "player";
  morphHtml(part("events"), listOf(told, organises));
  part("night").hidden = !told.event;
  if (told.event) {
    const before = earlier(told, organises);
    part("folded").hidden = !before;
    morphHtml(part("round"), night(told, organises));
    morphHtml(part("earlier"), before);
    morphHtml(part("export"), exported(told.event));
  }
  morphHtml(part("standings"), ranking(told));
  morphHtml(part("tables"), boards(told.tables));
  morphHtml(part("results"), told.results.map(resultLine).join(""));
  morphHtml(part("health"), health(told.health));
  part("amiss").hidden = !told.health.amiss;
  morphHtml(part("refused"), refused(told.health));
  if (document.body.dataset.link === "lost") alert.textContent = "";
  document.body.dataset.link = "polling";
}

async function ask() {
  try {
    if (!document.hidden) await draw();
  } catch (error) {
    document.body.dataset.link = "lost";
    const isOurs = error instanceof Error && error.constructor === Error;
    alert.textContent = isOurs ? error.message : formatMessage("The archive does not answer; this page asks again.");
  }
  setTimeout(ask, ASK_MS);
}

/** Which event is looked at stands in the address: it can be sent to others. @param {string} event */
function choose(event) {
  history.replaceState(null, "", `?event=${encodeURIComponent(event)}`);
  draw().catch(() => {});
}

/** @type {ReturnType<typeof Organiser> | undefined} */
let organiser;
part("events").addEventListener("change", ({ target }) => target instanceof HTMLSelectElement && choose(target.value));
onButtonClick(findElement(document, "main"), (data) => organiser?.press(data));

loadCatalogue().then(async () => {
  organiser = Organiser(choose, () => draw().catch(() => {}), (sentence) => (alert.textContent = sentence));
  const me = await fetch(withLanguage("/api/me")).then((reply) => reply.json()).catch(() => null);
  document.body.dataset.role = me?.role ?? "watcher";
  ask();
});
